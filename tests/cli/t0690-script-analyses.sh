#!/bin/sh
# perf script NAME: analyses by name, from assembled files: their tables, arguments, formats, and the list.
. "$(dirname "$0")/lib.sh"

# traced FILE...: the events of a recording; each FILE is the format of a tracepoint and is called
# SYSTEM:EVENT:ID
traced() {
	echo "feature tracing_data hex:170844 text:\"tracing\" text:\"0.6\" u8:0,0,8 u32:4096" > features
	echo 'feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0' >> features
	echo "feature tracing_data u32:$#" >> features
	for f; do
		id=${f##*:}
		name=${f%:*}
		echo "event $name type=tracepoint config=$id sample=identifier|ip|tid|time|cpu|raw|period ids=$id"
		echo "feature tracing_data text:\"${f%%:*}\" u8:0 u32:1 u64:$(wc -c < "$f") file:$f" >> features
	done
	cat features
	echo 'feature arch str:"x86_64"'
	echo 'feature tracing_data u32:0,0 u64:0'
	echo 'feature event_desc'
}
# at TIME TID ID FIELD...: a sample
at() {
	echo "sample id=$3 pid=$2 tid=$2 cpu=0 time=$1 u16:$3 u8:0,0 u32:$2 $(shift 3; echo "$*")"
}
names() {
	echo 'comm pid=5 tid=5 comm="cat"'
	echo 'comm pid=6 tid=6 comm="sh\x1b[m"'
}
format() {
	trace_format "${1#*:}" "$2" $(shift 2; echo "$*") > "$1:${2}"
}

format raw_syscalls:sys_enter 11 8:id
format raw_syscalls:sys_exit 12 8:id 8:ret
calls() {
	names
	at 1000000000 5 11 u64:0; at 1000000010 5 12 u64:0,100
	at 1000000020 5 11 u64:0; at 1000000030 5 12 u64:0,-11
	at 1000000040 5 11 u64:1; at 1000000050 5 12 u64:1,100
	at 2500000000 6 11 u64:257; at 2500000010 6 12 u64:257,-2
	at 2500000020 6 11 u64:257; at 2500000030 6 12 u64:257,-2
	at 2500000040 6 11 u64:257; at 2500000050 6 12 u64:257,-13
	at 2500000060 6 11 u64:4000; at 2500000070 6 12 u64:4000,-38
}
{ traced raw_syscalls:sys_enter:11 raw_syscalls:sys_exit:12; calls; } | mkdata calls.data || exit 1

# all NAME... prints the tables of these analyses
all() {
	for name; do
		echo "--- $name"
		$PERF script -i ${FILE:-calls.data} report $name 2> err || return 1
	done
}

check 'system calls: counts, failures, each also by task' '
	all syscall-counts syscall-counts-by-pid failed-syscalls failed-syscalls-by-pid sctop > out
	expect calls out'
check 'only one program or task' '
	all "syscall-counts cat" "syscall-counts-by-pid 6" "failed-syscalls cat" "failed-syscalls-by-pid cat" > out
	expect some out
	$PERF script -i calls.data --comms cat report syscall-counts > comms
	says "read" comms
	silent_about openat comms
	fails_with 129 $PERF script -i calls.data --comms cat report syscall-counts cat 2> err
	says "says the same as --comms" err'
check 'an interval of recorded time gives a table each' '
	$PERF script -i calls.data sctop 1 > out
	test "$(grep -c "^syscall events:" out)" = 2
	test "$(grep -c "^openat .* 3\$" out)" = 1
	test "$(grep -c "^read .* 2\$" out)" = 1'
check 'the forms of a file: report, -i before and after the name, a pipe' '
	$PERF script -i calls.data report syscall-counts > want
	test -s want
	$PERF script report syscall-counts -i calls.data | diff want -
	$PERF script -i calls.data syscall-counts | diff want -
	$PERF script syscall-counts -i calls.data | diff want -
	cat calls.data | $PERF script report syscall-counts -i - | diff want -
	cp calls.data perf.data
	$PERF script report syscall-counts | diff want -'
check 'fields are bound by name: a kernel that adds some changes nothing' '
	mkdir -p new
	trace_format sys_enter 11 8:added 8:id > new/f
	( cd new; mv f raw_syscalls:sys_enter:11; traced raw_syscalls:sys_enter:11 > head
	  sed "s,file:,file:new/," head > ../head )
	{ cat head; names; at 1 5 11 u64:77,0; } | mkdata new.data
	$PERF script -i new.data syscall-counts > out
	says "read " out
	trace_format sys_enter 11 8:number > new/raw_syscalls:sys_enter:11
	( cd new; traced raw_syscalls:sys_enter:11 | sed "s,file:,file:new/," > ../head )
	{ cat head; names; at 1 5 11 u64:0; } | mkdata other.data
	not $PERF script -i other.data syscall-counts 2> err
	says "has no field" err'
check 'separated values and JSON' '
	$PERF script -i calls.data -x, report failed-syscalls-by-pid > out
	printf "%s\n" "# comm,tid,syscall,error,count" "sh\\x1b[m,6,openat,ENOENT,2" > want
	head -2 out | diff want -
	$PERF script -i calls.data report failed-syscalls-by-pid --json > out
	says "{\"comm\": \"cat\", \"tid\": 5, \"syscall\": \"read\", \"error\": \"EAGAIN\", \"count\": 1}" out
	says "\"analysis\": \"failed-syscalls-by-pid\"" out
	fails_with 129 $PERF script -i calls.data report failed-syscalls -x, --json'
check 'the last line says what answers better' '
	$PERF script -i calls.data syscall-counts > out 2> err
	says "perf trace -s" err
	$PERF -q script -i calls.data syscall-counts > out 2> err
	test ! -s err'
check 'misplaced words get a sentence that says what is expected' '
	fails_with 129 $PERF script -i calls.data report syscall-counts a b 2> err
	says "is not an argument of syscall-counts, whose arguments are [comm]" err
	fails_with 129 $PERF script -i calls.data report rw-by-pid a 2> err
	says "rw-by-pid takes no arguments" err
	fails_with 129 $PERF script report rw-by-file 2> err
	says "needs the name of a program: rw-by-file <comm>" err
	fails_with 1 $PERF script syscall-counts no-such-program 2> err
	says "not a program" err
	says "perf script report syscall-counts" err
	fails_with 1 $PERF script record syscall-counts no-such-program 2> err
	says "not a program" err
	fails_with 129 $PERF script syscall-countz 2> err
	says "did you mean" err
	fails_with 129 $PERF script record 2> err
	says "perf script -l" err
	not $PERF script -i calls.data report rw-by-pid 2> err
	says "perf script record rw-by-pid" err'
# refused WHY ARG...: a usage error whose message matches WHY
refused() {
	why=$1
	shift
	fails_with 129 $PERF script "$@" 2> err || return 1
	grep -q -- "$why" err || { cat err; return 1; }
}
check 'options that would do nothing are refused' '
	refused "fields has no effect on analyses by name" -F comm -i calls.data report syscall-counts
	refused "dump-raw-trace has no effect" -i calls.data report syscall-counts -D
	refused "symbols has no effect" -i calls.data syscall-counts -S main
	refused "list has no effect" syscall-counts -l
	refused "fields has no effect" -F comm record syscall-counts true
	refused "all-cpus has no effect on .perf script report syscall-counts.: it is for recording" \
		-a -i calls.data report syscall-counts
	refused "input has no effect on .perf script record syscall-counts.: it is for the analysis of a file" \
		-i calls.data record syscall-counts true
	refused "time has no effect on .perf script syscall-counts." --time 1,2 syscall-counts true
	refused "vmlinux is about names of functions, which syscall-counts does not show" \
		-k x -i calls.data report syscall-counts
	$PERF script -v -f -j1 --time 1, -C0 --pid 5 -i calls.data report syscall-counts > out
	says read out'
check 'the list has all names, and completion the same ones' '
	$PERF script -l > out
	says "  syscall-counts [comm]                system-wide syscall counts" out
	$PERF --list-words script-names > words
	tail -n +2 out | sed "s/^  //; s/ .*//" | diff words -'

for f in read write; do
	format syscalls:sys_enter_$f 2${#f} 4:fd 8:count
	format syscalls:sys_exit_$f 3${#f} 8:ret
done
{
	traced syscalls:sys_enter_read:24 syscalls:sys_exit_read:34 syscalls:sys_enter_write:25 syscalls:sys_exit_write:35
	names
	at 1000 5 24 u32:3,0 u64:4096; at 1010 5 34 u64:100
	at 1020 5 24 u32:3,0 u64:4096; at 1030 5 34 u64:0
	at 1040 5 25 u32:1,0 u64:100; at 1050 5 35 u64:100
	at 1060 6 24 u32:0,0 u64:1; at 1070 6 34 u64:-4
} | mkdata rw.data || exit 1
check 'reads and writes by task, and of a program by file' '
	FILE=rw.data
	all rw-by-pid rwtop "rw-by-file cat" > out
	expect rw out'

format sched:sched_switch 41 -4:next_pid
format sched:sched_wakeup 42 -4:pid
format sched:sched_migrate_task 43 text:comm -4:pid -4:orig_cpu -4:dest_cpu
format syscalls:sys_enter_futex 44 8:uaddr 8:op
format syscalls:sys_exit_futex 45 8:ret
format skb:kfree_skb 46 8:location
{
	traced sched:sched_switch:41 sched:sched_wakeup:42 sched:sched_migrate_task:43 syscalls:sys_enter_futex:44 \
		syscalls:sys_exit_futex:45 skb:kfree_skb:46
	names
	at 1000 5 42 u32:6; at 1500 5 42 u32:6; at 2000 5 41 u32:6; at 2100 6 41 u32:6	# one wakeup, of 1000 ns
	at 3000 6 42 u32:5; at 3500 6 41 u32:0; at 6000 6 41 u32:5
	at 6100 5 43 u32:327704 u32:6,0,1 text:"mover" zero:3
	at 6200 5 43 u32:327704 u32:6,1,0 text:"mover" zero:3
	at 6300 5 43 u32:327704 u32:7,0,1 text:"\x1bove2" zero:3
	at 7000 5 44 u64:0xabc0,128; at 7100 5 45 u64:0		# waited 100
	at 7200 5 44 u64:0xabc0,0; at 7500 5 45 u64:0		# 300
	at 7600 5 44 u64:0xabc0,0; at 7700 5 45 u64:-11		# not waited
	at 7800 5 44 u64:0xabc0,1; at 7900 5 45 u64:1		# a wake
	at 8000 5 46 u64:0x123; at 8100 5 46 u64:0x123; at 8200 5 46 u64:0x456
} | mkdata tasks.data || exit 1
check 'wakeups, migrations, futexes, dropped packets' '
	FILE=tasks.data
	all wakeup-latency sched-migration futex-contention net_dropmonitor > out
	expect tasks out
	$PERF script -i tasks.data -x, futex-contention > out
	says "cat,5,0xabc0,2,200,100,300" out'

format net:net_dev_queue 51 8:skbaddr 4:len text:name
format net:net_dev_xmit 52 8:skbaddr -4:rc
format net:netif_receive_skb 53 8:skbaddr 4:len text:name
format napi:napi_poll 54 text:dev_name
format irq:irq_handler_entry 55 -4:irq text:name
format irq:irq_handler_exit 56 -4:irq
format irq:softirq_entry 57 4:vec
format irq:softirq_exit 58 4:vec
format irq:softirq_raise 59 4:vec
format skb:consume_skb 60 8:skbaddr
format skb:kfree_skb 61 8:skbaddr
format skb:skb_copy_datagram_iovec 62 8:skbaddr
packet() {
	at $1 5 $2 u64:$3 u32:$4,0 u32:327712,0 "text:\"$5\" zero:1"
}
irq() {
	at $1 6 55 u32:$2 u32:327696 "text:\"$3\" zero:1 zero:2"
	at $(($1 + 10)) 6 59 u32:$4
	at $(($1 + 20)) 6 56 u32:$2
}
on_cpu1() {
	sed 's/cpu=0/cpu=1/'
}
{
	traced net:net_dev_queue:51 net:net_dev_xmit:52 net:netif_receive_skb:53 napi:napi_poll:54 \
		irq:irq_handler_entry:55 irq:irq_handler_exit:56 irq:softirq_entry:57 irq:softirq_exit:58 \
		irq:softirq_raise:59 skb:consume_skb:60 skb:kfree_skb:61 skb:skb_copy_datagram_iovec:62
	names
	packet 7000000000 51 0xa0 74 eth0; at 7000001000 5 52 u64:0xa0 u32:0x10,0	# busy
	at 7000051499 5 52 u64:0xa0 u32:0,0
	packet 7000100000 51 0xb0 80 wlan; at 7000102000 5 52 u64:0xb0 u32:0,0
	packet 7000110000 51 0xc0 90 eth0; at 7000111000 5 52 u64:0xc0 u32:0,0	# not freed
	irq 7000200000 39 eth0 3
	irq 7000210000 36 disk 6						# not of packets
	irq 7000220000 40 eth\\x1b 3 | on_cpu1; at 7000225000 6 57 u32:3 | on_cpu1
	at 7000230000 6 57 u32:3
	packet 7000240000 53 0xd0 60 eth0
	packet 7000241000 53 0xe0 61 wlan | on_cpu1
	at 7000250000 6 60 u64:0xb0; at 7000252000 6 61 u64:0xa0
	at 7000260000 6 54 u32:327692 "text:\"eth0\" zero:4"; at 7000261000 6 58 u32:3
	at 7000270000 6 54 u32:327692 "text:\"wlan\" zero:4" | on_cpu1; at 7000271000 6 58 u32:3 | on_cpu1
	at 7000300000 5 62 u64:0xd0; at 7000301000 5 60 u64:0xd0
	at 7000400000 5 57 u32:3; packet 7000401000 53 0xf0 62 eth0; at 7000402000 5 58 u32:3	# without an interrupt
	at 7000500000 5 57 u32:3; at 7000502000 5 58 u32:3				# nothing received
} | mkdata net.data || exit 1
check 'packets: on their way out and in, by direction and device, with what is not finished' '
	FILE=net.data
	all "netdev-times debug" "netdev-times tx dev=eth0" "netdev-times rx dev=wlan" > out
	expect net out
	$PERF script -i net.data -x, report netdev-times rx > out
	says "2,1,7000220000,netif_receive_skb,21000,wlan,0xe0,61,,," out
	says "1,0,7000200000,netif_receive_skb,40000,eth0,0xd0,60,skb_copy_datagram_iovec,100000,cat" out
	$PERF script -i net.data netdev-times tx > want
	$PERF script netdev-times -i net.data tx | diff want -
	for word in dev= txx tx=1; do
		fails_with 129 $PERF script -i net.data report netdev-times $word 2> err
		says "whose arguments are [tx] [rx] [dev=NAME] [debug]" err
	done
	fails_with 1 $PERF script netdev-times tx no-such-program 2> err
	says "no-such-program" err'

format compaction:mm_compaction_begin 71 8:zone_start
format compaction:mm_compaction_end 72 8:zone_start
format compaction:mm_compaction_isolate_freepages 73 8:start_pfn 8:nr_scanned 8:nr_taken
format compaction:mm_compaction_isolate_migratepages 74 8:start_pfn 8:nr_scanned 8:nr_taken
format compaction:mm_compaction_migratepages 75 8:nr_migrated 8:nr_failed
{
	traced compaction:mm_compaction_begin:71 compaction:mm_compaction_end:72 \
		compaction:mm_compaction_isolate_freepages:73 compaction:mm_compaction_isolate_migratepages:74 \
		compaction:mm_compaction_migratepages:75
	names
	at 900 5 75 u64:1000,1000; at 950 5 72 u64:1	# began before the recording
	at 1000 5 71 u64:1; at 1100 5 74 u64:0,40,20; at 1200 6 71 u64:1; at 1300 6 74 u64:0,7,6
	at 1400 5 73 u64:0,30,10; at 1500 5 75 u64:8,2; at 1600 5 72 u64:1
	at 1700 5 75 u64:500,0				# for another reason
	at 1800 6 73 u64:0,5,4; at 1900 6 75 u64:3,1; at 5200 6 72 u64:1
	at 6000 5 71 u64:1; at 6100 5 74 u64:0,2,1; at 6300 5 72 u64:1
	at 7000 5 71 u64:1; at 7001 5 74 u64:0,100,0	# has no end
} | mkdata compaction.data || exit 1
check 'compactions: of all, of a task, each' '
	FILE=compaction.data
	all compaction-times "compaction-times each" "compaction-times cat each" "compaction-times 6" > out
	expect compaction out
	$PERF script -i compaction.data -x, compaction-times each > out
	says "cat,5,6000,300,0,0,0,0,2,1" out'

format sched:sched_switch 81 text:prev_comm -4:prev_pid -4:next_pid
# switch TIME PID TID COMM NEXT: COMM has 4 letters
switch() {
	echo "sample id=81 pid=$2 tid=$3 cpu=${CPU:-0} time=$1 u16:81 u8:0,0 u32:$3" \
		"u32:327700,$3,$5 text:\"$4\" zero:4"
}
{
	traced sched:sched_switch:81
	names
	switch 1000000000 0 0 idle 5; switch 1000015149 4 5 catt 6	# 5 runs 15149
	switch 1000020000 6 6 shel 5; switch 1000030001 4 5 catt 0	# 6 4851, 5 10001
	switch 1000100000 0 0 idle 5; switch 1000100003 4 5 gotx 7	# 5 3
	switch 1000200000 0 9 lost 6; CPU=1 switch 1000250000 0 0 idle 8
	switch 1000300000 -1 6 shel 0; CPU=1 switch 1000300500 8 8 a\\x1bcd 0
} | mkdata switches.data || exit 1
check 'a timeline of tasks, their sums, units and lists' '
	FILE=switches.data
	all "task-analyzer --summary" "task-analyzer --extended-times --ns --limit-to-tasks=4" \
		"task-analyzer --summary-only --ms --filter-tasks=shel,8" > out
	expect analyzer out
	$PERF script -i switches.data -x, report task-analyzer --limit-to-tasks=gotx,8 > out
	says "1000100000,1000100003,0,4,5,gotx,3,69999" out
	says "1000250000,1000300500,1,8,8,a\x1bcd,50500," out
	$PERF script -i switches.data task-analyzer --json --summary-only > out
	says "\"tid\": 5, \"comm\": \"gotx\", \"runs\": 3, \"accumulated\": 25153, \"mean\": 8384, \"median\": 10001" out
	all "task-analyzer --summary-extended --time-limit=1.00001:1.0002 --rename-comms-by-tids=5:cat\x1b,6:shell" \
		"task-analyzer --summary --time-limit=:1.00003 --limit-to-tasks=catt --rename-comms-by-tids=5:new" \
		"task-analyzer --time-limit=1.0002:" > out
	expect analyzer-more out
	$PERF script -i switches.data -x, task-analyzer --summary-only --summary-extended --limit-to-tasks=5,8 > out
	says "4,5,gotx,3,25153,8384,10001,3,15149,1000000000,69999,1000100000,70002,80000,80003" out
	says "8,8,a\x1bcd,1,50500,50500,50500,50500,50500,1000250000,,,,," out
	for word in --time-limit=1 --time-limit=2:1 --time-limit=: --time-limit=x:2; do
		fails_with 1 $PERF script -i switches.data task-analyzer $word 2> err
		says "takes two times in seconds, such as 12.5:13, not '\''${word#*=}'\''" err
	done
	fails_with 1 $PERF script -i switches.data task-analyzer --rename-comms-by-tids=5:a,b:c 2> err
	says "takes a list of TID:NAME, not '\''b:c'\''" err
	for name in task-analyzer wakeup-latency; do
		refused "comms would leave out events that $name needs" -i switches.data $name --comms cat
	done
	refused "limit-to-tasks needs a value: task-analyzer .--summary" -i switches.data task-analyzer --limit-to-tasks'
check 'files of the timeline and its sums, as upstream writes them' '
	$PERF script -i switches.data task-analyzer --csv=runs.csv --csv-summary sums.csv --extended-times \
		--summary-extended > out
	test ! -s out
	cat runs.csv sums.csv > out
	expect analyzer-csv out
	$PERF script -i switches.data report task-analyzer --ns --csv-summary - > out
	says "8;8;a\x1bcd;1;50500;50500;50500;50500;50500;1.000250000" out
	fails_with 1 $PERF script -i switches.data task-analyzer --csv a --summary-only 2> err
	says "which --summary-only leaves out" err
	fails_with 1 $PERF script -i switches.data task-analyzer --csv a --summary 2> err
	says "csv-summary=FILE writes the summary" err
	fails_with 1 $PERF script -i switches.data task-analyzer --csv none/a 2> err
	says "cannot create none/a" err
	refused "json has no effect" -i switches.data task-analyzer --csv a --json
	test ! -e a'
check 'tasks whose rows are colored, where there are colors' '
	$PERF script -i switches.data task-analyzer --summary > want
	$PERF script -i switches.data task-analyzer --summary --highlight-tasks=5,shel:blue > out
	diff want out
	$PERF script -i switches.data task-analyzer --highlight-tasks 4,gotx:grey,shel:blue --stdio-color always > out
	expect analyzer-colors out
	fails_with 1 $PERF script -i switches.data task-analyzer --highlight-tasks=5:red,6:rod 2> err
	says "red, grey, yellow, blue, violet and green, not '\''6:rod'\''" err
	refused "stdio-color needs the name of an analysis" -i switches.data --stdio-color always
	refused "field-separator needs the name" -i switches.data -x,
	$PERF script -i switches.data -a > out 2> err
	says "a does nothing here" err'

check 'samples of any event by task, function and library' '
	{
		echo "event a sample=ip|tid|time"
		names
		echo "mmap2 tid=5 pid=5 addr=0x400000 len=0x1000 prot=5 flags=2 filename=\"/no/cat\" time=1"
		echo "repeat 5"; echo "sample tid=5 pid=5 ip=0x400100 time=10+\$i"; echo end
		echo "sample tid=6 pid=6 ip=0x900000 time=20"
	} | mkdata any.data
	FILE=any.data
	all event_analyzing_sample > out
	expect any out'
check 'physical addresses by type of memory, from a copy of /proc/iomem' '
	{
		echo "event loads config=cpu-clock sample=ip|tid|time|phys_addr|identifier ids=1"
		echo "event other config=cpu-clock sample=ip|tid|time|identifier ids=2"
		echo "event stores config=cpu-clock sample=ip|tid|time|phys_addr|identifier ids=3"
		echo "feature event_desc"
		for addr in 0x1000 0x1fff 0x5000 0x5800 0x5fff 0x2000 0; do
			echo "sample ev=loads id=1 tid=5 time=10 phys_addr=$addr"
		done
		echo "sample ev=other id=2 tid=5 time=11"
		echo "sample ev=stores id=3 tid=5 time=12 phys_addr=0xfff"
	} | mkdata phys.data
	{
		printf "  00000000-00000fff : without parent\n00001000-00001fff : Low\n00004000-0000ffff : System RAM\n"
		printf "  00005000-00005fff : Kernel \033code\n    00005800-000058ff : inner\nno area\n00002000-1 : x\n"
	} > iomem
	FILE=phys.data
	all "mem-phys-addr iomem=iomem" mem-phys-addr > out
	expect phys out
	$PERF script -i phys.data -x, report mem-phys-addr iomem=iomem > out
	says "loads,5800-58ff : inner,1,14.3%" out
	for file in calls.data no-such-file; do
		fails_with 1 $PERF script -i phys.data report mem-phys-addr iomem=$file 2> err
		says "$file" err
	done
	fails_with 1 $PERF script -i calls.data report mem-phys-addr 2> err
	says "no event of the file has physical addresses" err
	says "perf mem record -p" err'
# cpi CPUS MODE: counts of cycles and instructions, and of the user's alone, in two intervals
cpi() {
	bits="type=hardware sample=identifier read=enabled|running"
	cat <<-END
	event cycles config=0 $bits ids=11,12
	event cycles:u config=0 flags=exclude_kernel $bits ids=21,22
	event instructions config=1 $bits ids=13,14
	event faults config=page-faults sample=identifier read=enabled|running ids=31,32
	event instructions:u config=1 flags=exclude_kernel $bits ids=23,24
	feature stat
	feature event_desc
	thread_map nr=1 u64:-1 zero:16
	cpu_map u16:0,2,0,1,0,0
	stat_config data=3:0,0:$1,1:1000,2:1,3:5
	stat id=11 cpu=0 val=500 ena=50 run=50
	stat id=12 cpu=1 val=700 ena=50 run=25
	stat id=13 cpu=0 val=250 ena=50 run=50
	stat id=14 cpu=1 val=1000 ena=50 run=50
	stat id=21 cpu=0 val=90 ena=50 run=50
	stat id=23 cpu=0 val=30 ena=50 run=50
	stat_round round_type=0 time=1000000000
	stat id=11 cpu=0 val=1500 ena=100 run=100
	stat id=12 cpu=1 val=700 ena=100 run=50
	stat id=13 cpu=0 val=2250 ena=100 run=100
	stat id=14 cpu=1 val=1000 ena=100 run=100
	stat id=21 cpu=0 val=90 ena=100 run=100
	stat id=23 cpu=0 val=30 ena=100 run=100
	stat_round round_type=1 time=1500000000
	END
}
check 'cycles per instruction: differences of intervals, scaled, by CPU and of all' '
	cpi 0 | mkdata cpus.data
	$PERF script -i cpus.data report stat-cpi > out
	cpi 1 | mkdata all.data
	$PERF script -i all.data stat-cpi >> out
	$PERF script -i cpus.data -x, stat-cpi >> out
	expect cpi out
	refused "cpu is about samples, but stat-cpi reads counts" -C 0 -i cpus.data stat-cpi
	refused "reads files of counts: see .perf script record stat-cpi" stat-cpi true
	fails_with 1 $PERF script -i calls.data report stat-cpi 2> err
	says "calls.data contains no counts" err
	says "perf script record stat-cpi" err
	cpi 0 | sed /instructions:u/d | sed "/event instructions/s/config=1/config=2/" | mkdata no.data
	fails_with 1 $PERF script -i no.data stat-cpi 2> err
	says "no.data does not contain both cycles and instructions" err
	fails_with 1 $PERF script -i cpus.data report syscall-counts 2> err
	test -s err'
check 'names of upstream that are no analyses say what to use' '
	fails_with 1 $PERF script report stackcollapse 2> err
	says "perf report --folded" err
	fails_with 1 $PERF script -i x report flamegraph 2> err
	says "perf report --flamegraph" err
	fails_with 1 $PERF script record gecko 2> err
	says "perf data convert --to gecko" err
	for name in sqlite postgresql; do
		fails_with 1 $PERF script export-to-$name 2> err
		command=$(sed -n "s/.*'\''\(perf data convert .*\) -o.*/\1/p" err)
		$PERF ${command#perf } -o tables-$name -i calls.data > out 2> err || { cat err; false; }
		test -e tables-$name
	done'

have_CALL_EVENTS() {
	for d in /sys/kernel/tracing /sys/kernel/debug/tracing; do
		[ -d $d/events/raw_syscalls ] && return 0
	done
	echo "the kernel has no raw_syscalls events (CONFIG_FTRACE_SYSCALLS)"
	return 1
}
check_if ROOT,EVENTS,TRACEFS,CALL_EVENTS 'recorded, and live' '
	$PERF script record syscall-counts -o live.data cat /dev/null 2> err || { cat err; false; }
	$PERF script -i live.data syscall-counts > out
	grep -q "^openat  " out
	$PERF script syscall-counts cat /dev/null > out 2> err || { cat err; false; }
	grep -q "^openat  " out
	$PERF script -a failed-syscalls-by-pid cat -- cat /no-such-file > out 2> err || test $? = 1
	grep -q "^cat \[" out
	says "err = ENOENT" out
	$PERF script event_analyzing_sample $PERF test -w deterministic 2000000 > out 2> err || { cat err; false; }
	grep -q "^There is [1-9]" out
	$PERF script task-analyzer --csv-summary sums.csv cat /dev/null > out 2> err || { cat err; false; }
	grep -q "^[0-9-]*;[0-9]*;cat;" sums.csv'
check_if ROOT,EVENTS,TRACEFS,CALL_EVENTS 'live without a command: Ctrl-C ends it and shows the table' '
	$PERF script syscall-counts > out 2> err &
	pid=$!
	until_true grep -q perf_event /proc/$pid/maps
	kill -INT $pid
	wait $pid || :
	grep -qx "syscall events:" out'
