#!/bin/sh
# perf lock contention --user: futex waits of programs, who woke them, chains: from assembled files with
# events of the futex calls and with those of all calls; recorded from a convoy of three threads.
. "$(dirname "$0")/lib.sh"

trace_format sys_enter_futex 11 -4:__syscall_nr 8:uaddr 8:op 8:val > f1
trace_format sys_exit_futex 12 -4:__syscall_nr 8:ret > f2
trace_format sched_waking 13 -4:pid > f3
trace_format sys_exit 15 8:id 8:ret > f5
{
	trace_format sys_enter 14 8:id | grep -v "print fmt" | sed "/^$/{\$d}"
	printf "\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n\nprint fmt: \"sys_enter\"\n"
} > f4

# user_file NUMBER:SYSTEM:EVENT...
user_file() {
	for e; do
		echo "event ${e#*:} type=tracepoint config=1${e%%:*} sample=identifier|ip|tid|time|cpu|raw|callchain ids=${e%%:*}"
	done
	echo "feature tracing_data hex:170844 text:\"tracing\" text:\"0.6\" u8:0,${ENDIAN:-0},8 u32:4096"
	echo 'feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0'
	echo "feature tracing_data u32:$#"
	for e; do
		system=${e#*:}
		echo "feature tracing_data text:\"${system%:*}\" u8:0 u32:1 u64:$(wc -c < f${e%%:*}) file:f${e%%:*}"
	done
	echo 'feature tracing_data u32:0,0 u64:0'
	echo 'feature event_desc'
	echo 'feature arch str:"x86_64"'
	for t in 1:first 2:second 3:third; do
		echo "comm pid=1 tid=${t%:*} comm=\"${t#*:}\""
	done
	echo 'mmap2 pid=1 tid=1 addr=0x400000 len=0x1000 pgoff=0 filename="/usr/bin/convoy"'
	echo 'mmap2 pid=1 tid=1 addr=0x7f0000000000 len=0x1000 pgoff=0 filename="/usr/lib/libc.so.6"'
}
calls() { user_file 1:syscalls:sys_enter_futex 2:syscalls:sys_exit_futex 3:sched:sched_waking; }
of() { echo "sample id=$1 pid=1 tid=$2 cpu=0 time=$3 chain=-512,0x7f0000000100,$4 u16:1$1 u8:0,0 u32:$2"; }
# enter TID TIME PLACE FUTEX OPERATION; leave TID TIME RESULT; waking TID TIME PLACE OF_TID
enter() {
	if [ "${RAW-}" ]; then
		echo "$(of 4 $1 $2 $3) u64:202,$4,$5,2,0,0,0"
	else
		echo "$(of 1 $1 $2 $3) u64:202,$4,$5,2"
	fi
}
leave() {
	if [ "${RAW-}" ]; then
		echo "$(of 5 $1 $2 0x400100) u64:202,$3"
	else
		echo "$(of 2 $1 $2 0x400100) u64:202,$3"
	fi
}
waking() { [ "${RAW-}" ] || echo "$(of 3 $1 $2 $3) u32:$4"; }
# first waits from 100000 to 310000 for second, which waits from 150000 to 250000 for third
convoy() {
	enter 1 100000 0x400110 0xa0 0x80
	enter 2 150000 0x400120 0xb0 0x80
	enter 3 240000 0x400130 0xb0 0x81
	waking 3 245000 0x400130 2
	leave 3 246000 1
	leave 2 250000 0
	enter 2 300000 0x400140 0xa0 0x81
	waking 2 305000 0x400140 1
	leave 2 306000 1
	leave 1 310000 0
}
{ calls; convoy; } | mkdata x.data || exit 1
user() { $PERF lock contention --user -i ${FILE:-x.data} -x: "$@" > out; }

check 'waits, who was waited for, chains' '
	$PERF lock contention --user -i x.data > out
	expect convoy out
	cat x.data | $PERF lock contention --user -i - > out
	expect convoy out'
check 'by thread and by futex; keys, fields and the number of rows' '
	user -t
	grep -x "1: 210000: 210000: 210000: first-1: second-2" out
	user -l -F contended -k avg_wait -E 1
	grep -x "1: 210000: 0xa0: first-1: second-2: convoy+0x110: convoy+0x140" out
	not grep "0xb0" out
	user --tid 2
	grep -x "1: 100000: 100000: 100000: second-2: unknown: convoy+0x120: unknown" out
	fails_with 129 $PERF lock contention --user -i x.data -Y mutex 2> err
	says "-Y has no meaning here, with --user" err'
check 'without wake-ups, the call that wakes says who did' '
	{ RAW=1; user_file 4:raw_syscalls:sys_enter 5:raw_syscalls:sys_exit; convoy; } | mkdata raw.data
	FILE=raw.data user
	grep -x "1: 210000: 210000: 210000: first-1: second-2: convoy+0x110: convoy+0x140" out
	grep "first-1 -> second-2 -> third-3$" out
	{ echo order big; ENDIAN=1 RAW=1; user_file 4:raw_syscalls:sys_enter 5:raw_syscalls:sys_exit; convoy; } | mkdata big.data
	FILE=big.data user
	grep -x "1: 210000: 210000: 210000: first-1: second-2: convoy+0x110: convoy+0x140" out'
check 'timeouts, refused and unfinished waits have no time' '
	{ calls; leave 1 1000 0; enter 1 2000 0x400110 0xa0 0x80; leave 1 3000 -110; enter 1 4000 0x400110 0xa0 0x80; leave 1 5000 -11
	  enter 2 6000 0x400110 0xa0 0x80; enter 2 7000 0x400110 0xa0 0x80; leave 2 7500 0; enter 1 8000 0x400110 0xa0 0; } | mkdata odd.data
	FILE=odd.data user
	grep -x "1: 500: 500: 500: second-2: unknown: convoy+0x110: unknown" out
	grep -x "# Waits that ended by their timeout (not counted): 1" out
	grep -x "# Calls that did not wait, because the value had changed: 1" out
	grep -x "# Waits whose end is not in the recording: 2 (not counted)" out
	grep -x "# Waits whose beginning is not in the recording: 1 (not counted)" out'
check 'after garbage in the chain, the place is in the C library' '
	{ calls; enter 1 1000 0x100,0x50 0xa0 0x80; enter 2 1500 0x100 0xa0 0x81; waking 2 2000 0x100 1; leave 1 2500 0; } |
		mkdata garbage.data
	FILE=garbage.data user
	grep -x "1: 1500: 1500: 1500: first-1: second-2: libc.so.6+0x100: libc.so.6+0x100" out'
check 'a circle of waits ends' '
	{ calls; enter 1 1000 0x400110 0xa0 0x80; enter 2 1500 0x400120 0xb0 0x80; waking 1 2000 0x400130 2; leave 2 2500 0
	  waking 2 3000 0x400130 1; leave 1 3500 0; } | mkdata circle.data
	FILE=circle.data user
	grep -x "1: 2500: 2500: 2500: first-1: second-2: convoy+0x110: convoy+0x130" out
	not grep -e "->" out'
check 'typed values as JSON' '
	$PERF lock contention --user -i x.data --json > out
	grep -F "\"wait_total\": 210000, \"wait_last\": 95000, \"chain\": \"first-1 -> second-2 -> third-3\"" out
	echo "import json" | python3 2> err || skip "no python3 with its json module"
	python3 -m json.tool < out > py'
check 'a file without such events is one message' '
	echo "event cycles" | mkdata other.data
	fails_with 1 $PERF lock contention --user -i other.data 2> err
	says "perf lock record --user" err'
# ns PATTERN: a time of the convoy, from its own clock
ns() { sed -n "s/^$1 //p" own; }
# near A B: within 5 percent, and half a millisecond for what lies between two looks at the clock
near() { test $((${1} - ${2})) -le $(($2 / 20 + 500000)) && test $((${2} - ${1})) -le $(($2 / 20 + 500000)); }
# convoy_fits: records one, and compares. The program reads its clock outside of the call, so a machine that
# is busy between the two makes a difference: one of several tries fits
convoy_fits() {
	$PERF lock record --user -q -o live.data -- $PERF test -w convoy 0.2 > own 2> err
	$PERF lock contention --user -i live.data -x: > out
	grep ": first-[0-9]* -> second-[0-9]* -> third-[0-9]*$" out
	first=$(sed -n "s/^1: \([0-9]*\): .*: first-[0-9]*: second-[0-9]*: convoy_[a-z_]*+0x[0-9a-f]*: convoy_.*/\1/p" out)
	second=$(sed -n "s/^1: \([0-9]*\): .*: second-[0-9]*: third-[0-9]*: convoy_[a-z_]*+0x[0-9a-f]*: convoy_.*/\1/p" out)
	test "$first" -ge 400000000
	test "$second" -ge 200000000
	near "$first" "$(ns first)" && near "$second" "$(ns second)"
}
check_if ROOT,EVENTS,TRACEFS 'a convoy of three threads, as it timed itself' '
	test -d /sys/kernel/tracing/events/syscalls/sys_enter_futex || skip "the kernel has no events of system calls"
	convoy_fits || convoy_fits || convoy_fits || convoy_fits'
