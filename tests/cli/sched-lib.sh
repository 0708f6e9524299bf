# shellcheck shell=sh
# sched-lib.sh: for tests of perf sched. Sourced after lib.sh. Assembled recordings of scheduler events:
# text for mkdata from functions that are named after what happens. Times are microseconds from 1 s on; a
# task is TID:COMM; its pid is PID_TID, or its tid.

# sched_format NAME ID "TYPE NAME OFFSET SIZE SIGNED"...: the format file of a tracepoint
sched_format() {
	printf 'name: %s\nID: %s\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n' "$1" "$2"
	printf '\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n'
	printf '\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n'
	printf '\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n'
	format_name=$1
	shift 2
	for field; do
		case $field in
		comm:*) printf '\tfield:char %s[16];\toffset:%s;\tsize:16;\tsigned:0;\n' "$(echo "$field" | cut -d: -f2)" "${field##*:}" ;;
		int:*) printf '\tfield:int %s;\toffset:%s;\tsize:4;\tsigned:1;\n' "$(echo "$field" | cut -d: -f2)" "${field##*:}" ;;
		long:*) printf '\tfield:long %s;\toffset:%s;\tsize:8;\tsigned:1;\n' "$(echo "$field" | cut -d: -f2)" "${field##*:}" ;;
		esac
	done
	printf '\nprint fmt: "%s"\n' "$format_name"
}
sched_formats() {
	sched_format sched_switch 11 comm:prev_comm:8 int:prev_pid:24 int:prev_prio:28 long:prev_state:32 comm:next_comm:40 \
		int:next_pid:56 int:next_prio:60 > f1
	sched_format sched_stat_runtime 12 comm:comm:8 int:pid:24 long:runtime:32 > f2
	sched_format sched_process_fork 13 comm:parent_comm:8 int:parent_pid:24 comm:child_comm:28 int:child_pid:44 > f3
	sched_format sched_wakeup_new 14 comm:comm:8 int:pid:24 int:prio:28 int:target_cpu:32 > f4
	sched_format sched_migrate_task 15 comm:comm:8 int:pid:24 int:prio:28 int:orig_cpu:32 int:dest_cpu:36 > f5
	sched_format sched_waking 16 comm:comm:8 int:pid:24 int:prio:28 int:target_cpu:32 > f6
	sched_format sched_wakeup 17 comm:comm:8 int:pid:24 int:prio:28 int:target_cpu:32 > f7
}
# sched_events [BITS]: what a file says about its events, with the formats in f1 to f7
sched_events() {
	bits=${1:-identifier|ip|tid|time|cpu|raw|period}
	for n in 1:switch 2:stat_runtime 3:process_fork 4:wakeup_new 5:migrate_task 6:waking 7:wakeup; do
		echo "event sched:sched_${n#*:} type=tracepoint config=1${n%:*} sample=$bits ids=${n%:*} flags=sample_id_all"
	done
	echo 'feature nrcpus u32:2,2'
	echo 'feature arch str:"x86_64"'
	echo "feature tracing_data hex:170844 text:\"tracing\" text:\"0.6\" u8:0,${ENDIAN:-0},8 u32:4096"
	echo 'feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0'
	echo 'feature tracing_data u32:1 text:"sched" u8:0 u32:7'
	for f in f1 f2 f3 f4 f5 f6 f7; do
		echo "feature tracing_data u64:$(wc -c < $f) file:$f"
	done
	echo 'feature tracing_data u32:0,0 u64:0'
	echo 'feature event_desc'
}
# comm TEXT: a field of 16 bytes
comm() {
	printf 'text:"%s" zero:%s' "$1" $((16 - ${#1}))
}
# event ID CPU TIME TID: the beginning of a sample; FLAGS: 8 in an interrupt, 16 in a softirq
event() {
	eval "event_pid=\${PID_$4:-$4}"
	printf 'sample id=%s cpu=%s time=%s tid=%s pid=%s %s u16:1%s u8:%s,0 u32:%s ' "$1" "$2" $((1000000000 + $3 * 1000)) "$4" \
		"$event_pid" "${CHAIN:+chain=$CHAIN}" "$1" "${FLAGS:-0}" "$4"
}
# switch CPU TIME PREV STATE NEXT: STATE as the kernel writes it: 0 R, 1 S, 2 D, 32 Z ...
switch() {
	echo "$(event 1 "$1" "$2" "${3%%:*}") $(comm "${3#*:}") u32:${3%%:*},120 u64:$4 $(comm "${5#*:}") u32:${5%%:*},120"
}
# ran CPU TIME TASK NS
ran() {
	echo "$(event 2 "$1" "$2" "${3%%:*}") $(comm "${3#*:}") u32:${3%%:*},0 u64:$4"
}
# forks CPU TIME PARENT CHILD
forks() {
	echo "$(event 3 "$1" "$2" "${3%%:*}") $(comm "${3#*:}") u32:${3%%:*} $(comm "${4#*:}") u32:${4%%:*}"
}
# wakes CPU TIME WAKER TASK [EVENT]
wakes() {
	echo "$(event "${5:-6}" "$1" "$2" "${3%%:*}") $(comm "${4#*:}") u32:${4%%:*},120,$1"
}
# moves CPU TIME WHO TASK FROM TO
moves() {
	echo "$(event 5 "$1" "$2" "${3%%:*}") $(comm "${4#*:}") u32:${4%%:*},120,$5,$6"
}
IDLE0=0:swapper/0 IDLE1=0:swapper/1

# kernel_symbols FUNCTION...: writes syms, a copy of /proc/kallsyms with functions of 256 bytes. Its kernel is
# mapped by the record $kernel
kernel_symbols() {
	n=0
	for f; do
		printf "ffffffff8100%04x t %s\n" $((n * 256)) "$f"
		n=$((n + 1))
	done > syms
}
kernel='mmap pid=-1 tid=-1 addr=0xffffffff81000000 len=0x1000000 filename="[kernel.kallsyms]_text" pgoff=0xffffffff81000000 misc=kernel'
# kernel_chain FUNCTION...: a call chain of these functions of syms, inner ones first
kernel_chain() {
	CHAIN=-128
	for f; do
		CHAIN=$CHAIN,0x$(awk "\$3 == \"$f\" { print substr(\$1, 1, 15) }" syms)8
	done
}
# wall_symbols, wall_samples [COMM]: two threads, in us: a (COMM) runs 0-100, waits for a lock until b wakes
# it at 600 and for a CPU until 700, runs until 800, waits for the disk until 900 and runs to the end at 1000;
# b runs 0-600, sleeps until there is work at 950, and runs at 950. CHAIN: of the first switch of each CPU
wall_symbols() {
	kernel_symbols __schedule schedule futex_wait_queue io_schedule do_nanosleep ep_poll work_a work_b _end
}
wall_samples() {
	echo "$kernel"
	echo "comm pid=5 tid=5 comm=\"${1-a}\" time=1"
	echo 'comm pid=5 tid=6 comm="b" time=2'
	switch 0 0 $IDLE0 0 6:b
	switch 1 0 $IDLE1 0 5:a
	kernel_chain __schedule schedule futex_wait_queue work_a
	switch 1 100 5:a 1 $IDLE1
	CHAIN=
	wakes 0 600 6:b 5:a
	kernel_chain __schedule schedule ep_poll work_b
	switch 0 600 6:b 1 $IDLE0
	CHAIN=
	switch 1 700 $IDLE1 0 5:a
	kernel_chain __schedule io_schedule work_a
	switch 1 800 5:a 2 $IDLE1
	CHAIN=
	FLAGS=8
	wakes 1 900 $IDLE1 5:a
	wakes 0 950 $IDLE0 6:b
	FLAGS=
	switch 1 900 $IDLE1 0 5:a
	switch 0 950 $IDLE0 0 6:b
	switch 1 1000 5:a 32 $IDLE1
}
