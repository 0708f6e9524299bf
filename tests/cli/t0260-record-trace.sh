#!/bin/sh
# Recording of hardware traces, with a trace PMU that is a library before perf (tests/tools/fake-trace-pmu.c):
# its AUX area has the bytes of a file.
. "$(dirname "$0")/lib.sh"
need GCC EVENTS PLAIN

ldd "$PERF" > /dev/null 2>&1 || skip_all "the fake PMU needs a perf that loads libraries"
gcc -shared -fPIC -O1 -o fake.so "$SRC/tests/tools/fake-trace-pmu.c" -ldl

have_SETARCH() {
	setarch -R true 2> /dev/null || { echo "needs setarch, and the right to switch off address randomization"; return 1; }
}
# put FILE CONTENT: of a fake machine
put() {
	mkdir -p "root/$(dirname "$1")"
	printf '%s\n' "$2" > "root/$1"
}
devices=sys/bus/event_source/devices
pt=$devices/intel_pt
put $pt/type 77
put $pt/nr_addr_filters 2
for f in pt:0 cyc:1 mtc:9 tsc:10 noretcomp:11 branch:13 mtc_period:14-17 cyc_thresh:19-22 psb_period:24-27; do
	put $pt/format/${f%:*} config:${f#*:}
done
for f in mtc:1 psb_cyc:1 mtc_periods:249 psb_periods:3f cycle_thresholds:1fff event_trace:0; do
	put $pt/caps/${f%:*} ${f#*:}
done
put $pt/tsc_art_ratio 168:2
put $pt/max_nonturbo_ratio 24
put $devices/arm_spe_0/type 78
put $devices/arm_spe_0/format/ts_enable config:0
put $devices/arm_spe_0/caps/min_interval 256
put sys/devices/system/cpu/online 0
put sys/devices/system/cpu/cpu0/regs/identification/midr_el1 0x00000000410fd0c0
printf "Name:	perf\nCapEff:	000001ffffffffff\n" > status
put proc/self/status "$(cat status)"
put proc/self/uid_map "0 0 4294967295"

# traced TYPE TRACE ARGS...: perf with a trace PMU of that type, whose areas begin with the bytes of a file
traced() {
	( become_traced "$@" )
}
# the same instead of this shell: for "become_traced ... &", so that $! is perf
become_traced() {
	export FAKE_TRACE_TYPE="$1" FAKE_TRACE="$2" FAKE_TRACE_STEP="${STEP-}" FAKE_TRACE_GAPS="${GAPS-}" PERF_FS_ROOT="$PWD/root"
	shift 2
	exec env LD_PRELOAD="$PWD/fake.so" $PERF "$@"
}
# the AUXTRACE records of a recording, without what differs from one to the next
auxtrace() {
	$PERF script -D -i "$1" 2> /dev/null |
		sed -n 's/.*PERF_RECORD_AUXTRACE size: \([^ ]*\)  offset: \([^ ]*\)  ref: 0x[0-9a-f]*[1-9a-f][0-9a-f]* .*/\1 \2/p'
}
# says how often the bytes of a file are in another one
copies() {
	od -An -v -tx1 "$1" | tr -d ' \n' > want.hex
	shift
	cat "$@" | od -An -v -tx1 | tr -d ' \n' | grep -o "$(cat want.hex)" | wc -l
}

# one record of Arm SPE: PC, operation, events, time; 40 of them: their size is not a multiple of 16
spe='\260\000\001\100\000\000\000\000\000\111\000\122\026\000\161\320\007\000\000\000\000\000\000'
for i in 1 2 3 4 5 6 7 8 9 10; do
	printf "$spe$spe$spe$spe"
done > spe.bin
# of Intel PT: 100 times PSB and PSBEND
i=0
while [ $i -lt 100 ]; do
	printf '\002\202\002\202\002\202\002\202\002\202\002\202\002\202\002\202\002\043'
	i=$((i + 1))
done > pt.bin

check 'a trace is recorded with its words, index and padding, and decoded' '
	traced 78 spe.bin record --per-thread -e arm_spe_0//u -o x.data true 2> err
	silent_about Warning err
	auxtrace x.data > got
	# 920 bytes, which are a multiple of 8
	echo "0x398 0" | same - got
	$PERF script -D -i x.data > out 2> err
	says "PMU type v2        :78" out
	says "    MIDR             :0x410fd0c0" out
	says "    Min Interval     :256" out
	$PERF report --header-only -i x.data > out
	says "contains AUX area data" out
	says "sample_period, sample_freq } = 256" out
	says "aux_watermark = 1048576" out
	$PERF script --itrace=i1i -F event,ip -i x.data > out 2> err
	test "$(grep -c "instructions: *400100" out)" = 40
'
check 'payloads are padded to 8 bytes' '
	head -c 23 spe.bin > odd.bin
	traced 78 odd.bin record --per-thread -e arm_spe_0//u -o x.data true 2> err
	auxtrace x.data > got
	echo "0x18 0" | same - got
	$PERF script --itrace=i1i -F event,ip -i x.data > out 2> err
	test "$(grep -c "instructions: *400100" out)" = 1
'
check 'words, terms and side-band of Intel PT' '
	traced 77 pt.bin record -m 8,16 -e intel_pt//u --filter "filter 0x100/0x20@/bin/sh" -o x.data true 2> err
	$PERF script -D -i x.data > out 2> err
	for words in "PMU Type            77" "TSC bit             0x400" "Have sched_switch   2" "Snapshot mode       0" \
			"Per-cpu maps        1" "MTC freq bits       0x3c000" "TSC:CTC numerator   168" \
			"Max non-turbo ratio 24" "Filter string       filter 0x100/0x20@/"; do
		says "$words" out
	done
	$PERF evlist -v -i x.data > out
	finds "intel_pt.*config: 0x300e601, .*sample_freq }: 1, sample_type: IP|TID|TIME|CPU|IDENTIFIER" < out
	finds "dummy:u.*context_switch: 1" < out
	auxtrace x.data | sort -u > got
	echo "0x708 0" | same - got
'
check 'compressed, by threads, in pipes, asynchronously and in switched outputs the bytes are the same' '
	traced 77 pt.bin record --per-thread -z -e intel_pt//u -o z.data true 2> err
	traced 77 pt.bin record --per-thread --aio -e intel_pt//u -o a.data true 2> err
	traced 77 pt.bin record --per-thread -e intel_pt//u -o - true > p.data 2> err
	rm -rf d.data
	traced 77 pt.bin record --threads -C 0 -e intel_pt//u -o d.data true 2> err
	for f in z.data a.data p.data d.data; do
		auxtrace $f > got
		echo "0x708 0" | same - got
	done
	test "$(copies pt.bin z.data)" = 1
	test "$(copies pt.bin a.data)" = 1
	test "$(copies pt.bin p.data)" = 1
	test "$(copies pt.bin d.data/data*)" = 1
	traced 77 pt.bin record --per-thread --switch-output=64K -m 8,16 -e intel_pt//u -e page-faults:u -o s.data true 2> err
	ls s.data.* > list
	test -s list
	for f in s.data.*; do
		$PERF script -D -i $f 2> /dev/null | finds "PERF_RECORD_AUXTRACE_INFO type: 1"
	done
	cat s.data.* > all
	test "$(copies pt.bin all)" = 1
'
check 'snapshots are taken by --control, by SIGUSR2 and at the end' '
	mkfifo ctl ack
	# each snapshot finds 10000 bytes more in areas of 32 KB
	STEP=10000 become_traced 77 pt.bin record -S --control fifo:ctl,ack -m 8,8 --per-thread -e intel_pt//u -o S.data sleep 1000 2> err &
	pid=$!
	exec 3<> ctl 4<> ack
	for i in 1 2 3 4; do
		echo snapshot >&3
		timeout 60 head -n 1 <&4 > answer
	done
	echo disable >&3
	timeout 60 head -n 1 <&4 > answer
	echo stop >&3
	wait $pid || :
	auxtrace S.data > got
	# what the last one had, too, comes again; the fourth is the area as a whole
	printf "0x2710 0\n0x4e20 0\n0x7530 0\n0x8000 0x1c40\n" | same - got
	$PERF script -D -i S.data > out 2> err
	says "Snapshot mode       1" out
	STEP=5000 traced 77 pt.bin record -S8192e --per-thread -e intel_pt//u -o S.data true 2> err
	auxtrace S.data > got
	echo "0x1388 0" | same - got
	STEP=9000 traced 77 pt.bin record -S8Ke -m,8 --per-thread -e intel_pt//u -o S.data true 2> err
	auxtrace S.data > got
	echo "0x2000 0x328" | same - got
	STEP=5000 traced 77 pt.bin record -S --per-thread -e intel_pt//u -o S.data true 2> err
	auxtrace S.data > got
	test ! -s got
	# before the trace has begun there is nothing to take, and nothing is begun
	STEP=5000 become_traced 77 pt.bin record -D -1 -S --control fifo:ctl,ack --per-thread -e intel_pt//u -o S.data sleep 1000 2> err &
	pid=$!
	for word in snapshot stop; do
		echo $word >&3
		timeout 60 head -n 1 <&4 > answer
	done
	wait $pid || :
	auxtrace S.data > got
	test ! -s got
	rm S.data
	STEP=5000 become_traced 77 pt.bin record -v -S --per-thread -e intel_pt//u -o S.data sleep 1000 2> err &
	pid=$!
	until_true test -s S.data
	kill -USR2 $pid
	until_true grep -q "Recording AUX area tracing snapshot" err
	kill -INT $pid
	wait $pid || :
	auxtrace S.data > got
	test -s got
'
check 'other events are in the group of the trace' '
	traced 77 pt.bin record --aux-sample -e intel_pt//u -e cpu-clock:u -o x.data true 2> err
	silent_about "may be too small" err
	$PERF evlist -g -i x.data > out
	says "{intel_pt//u,cpu-clock:u}" out
	$PERF evlist -v -i x.data > out
	finds "cpu-clock:u.*|AUX.*aux_sample_size: 4096" < out
	finds "intel_pt//u.*config: 0xe601" < out
	auxtrace x.data > got
	test ! -s got
	traced 77 pt.bin record --aux-sample=2048 -e intel_pt//u -e cpu-clock:u -o x.data true 2> err
	says "samples of 2048 bytes of the trace may be too small" err
	traced 77 pt.bin record -e intel_pt//u -e page-faults:u -e cpu-clock/aux-sample-size=8192/u -e cpu-clock/aux-output/u \
		-o x.data true 2> err
	$PERF evlist -g -i x.data > out
	says "{intel_pt//u,cpu-clock/aux-sample-size=8192/u,cpu-clock/aux-output/u}" out
	says "page-faults:u" out
'
check 'gaps are counted, and told with a size that helps' '
	GAPS=9 traced 77 pt.bin record --per-thread -m 8,8 -e intel_pt//u -o x.data true 2> err
	says "Warning: the trace has gaps: 1000 bytes were overwritten before they were read, 5 AUX records are truncated (the AUX areas were full), 4 are partial (others used the hardware), 4 have collisions" err
	says "Larger AUX areas (-m ,32)" err
	auxtrace x.data > got
	echo "0x8000 0x3e8" | same - got
'
check_if PTGEN,SETARCH 'the trace of a program that was executed step by step is decoded as its own recording is' '
	cp "$(command -v sleep)" prog
	$PTGEN -o steps.data -- ./prog 0 > /dev/null
	at=$($PERF script -D -i steps.data 2> /dev/null | sed -n "s/^0 0 \(0x[0-9a-f]*\) .*PERF_RECORD_AUXTRACE size: \(0x[0-9a-f]*\) .*/\1 \2/p")
	head -c $((${at% *} + 48 + ${at#* })) steps.data | tail -c $((${at#* })) > steps.bin
	# env removes the library, so that the program has the same maps
	( become_traced 77 steps.bin record --per-thread -e intel_pt//u -o x.data setarch -R env -u LD_PRELOAD ./prog 0 ) 2> err
	for f in steps x; do
		$PERF script --itrace=i100i -F ip -i $f.data > $f.out 2> $f.err
	done
	test "$(grep -c . steps.out)" -gt 100
	silent_about "left out" x.err
	same steps.out x.out
'
# refused STATUS WORDS ARGS...
refused() {
	status=$1 words=$2
	shift 2
	fails_with $status traced 77 pt.bin record -o y.data "$@" true 2> err
	says "$words" err
}
check 'what makes no sense is refused' '
	refused 1 "-S needs the event of a trace PMU, and none is recorded" -S -e cpu-clock:u
	refused 1 "--aux-sample needs the event of a trace PMU" --aux-sample -e cpu-clock:u
	refused 1 "-m with a size of AUX areas needs the event of a trace PMU" -m 8,8 -e cpu-clock:u
	refused 1 "aux-output needs the event of a trace PMU" -e cpu-clock/aux-output/u
	refused 1 "so it must follow the event of the trace" -e cpu-clock/aux-output/u -e intel_pt//u
	refused 1 "a file has traces of one kind: Intel PT and Arm SPE" -e intel_pt//u -e arm_spe_0//u
	refused 1 "snapshots of 1048576 bytes do not fit into AUX areas of 32768" -S1M -m,8 -e intel_pt//u
	refused 1 "-S takes snapshots of the whole trace" -S --aux-sample -e intel_pt//u -e cpu-clock:u
	refused 1 "-S cannot be combined with --threads" -S --threads -e intel_pt//u
	refused 129 "is neither a size such as 64K" -S1x -e intel_pt//u
	refused 129 "is not a size from 1 to 61440" --aux-sample=70000 -e intel_pt//u
	refused 129 "is neither a number of pages" -m 8,x -e intel_pt//u
	refused 129 "this CPU does not have psb_period=6: valid values are 0-5" -e intel_pt/psb_period=6/u
	fails_with 129 $PERF top -m 8,8 2> err
	says "only perf record has AUX areas" err
'
check 'without such a PMU it is said why' '
	put proc/cpuinfo "vendor_id : GenuineIntel"
	rm -r root/$pt
	refused 129 "the firmware (BIOS setup: processor trace)" -e intel_pt//u
	put proc/cpuinfo "vendor_id : AuthenticAMD"
	refused 129 "Intel CPUs have Intel PT, and the CPUs of this machine are others" -e intel_pt//u
	printf "vendor_id : GenuineIntel\nflags : fpu hypervisor\n" > cpuinfo
	put proc/cpuinfo "$(cat cpuinfo)"
	refused 129 "this is a virtual machine" -e intel_pt//u
'
