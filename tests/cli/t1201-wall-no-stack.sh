#!/bin/sh
# perf report --wall of tracepoints of which the kernel left some out: records of context switches still tell
# when threads ran, but not where they waited.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/sched-lib.sh"

kernel='mmap pid=-1 tid=-1 addr=0xffffffff81000000 len=0x1000000 filename="[kernel.kallsyms]_text" pgoff=0xffffffff81000000 misc=kernel'
printf "ffffffff81000000 t __schedule\nffffffff81000100 t pipe_read\nffffffff81000200 t _end\n" > syms
# in us: 5 leaves its CPU at 100 and 300, gets it at 200 and 500, and ends at 600. The sample at 300 is
# missing
{
	sched_formats
	sched_events 'identifier|ip|tid|time|cpu|raw|period|callchain' | sed '/sched_switch/s/sample_id_all/&|context_switch/'
	echo "$kernel"
	echo 'comm pid=5 tid=5 comm="a" time=1000000000'
	CHAIN=-128,0xffffffff81000008,0xffffffff81000108
	switch 1 100 5:a 1 "$IDLE1"
	echo 'switch pid=5 tid=5 cpu=1 time=1000101000 misc=0x2000'
	echo 'switch pid=5 tid=5 cpu=1 time=1000200000'
	echo 'switch pid=5 tid=5 cpu=1 time=1000300000 misc=0x2000'
	echo 'switch pid=5 tid=5 cpu=1 time=1000500000'
	switch 1 600 5:a 32 "$IDLE1"
} > made.txt
mkdata made.data < made.txt

check 'such a wait is counted, and does not have the stack of the wait before it' '
	$PERF script --wall=blocked -i made.data -F time,ip,sym,trace --kallsyms syms 2> err > waits
	grep -c "state=blocked" waits > nr
	echo 2 | same - nr
	# state, wait and functions of each
	awk "/state=/ { if (row) print row; split(\$0, p, \"state=\"); split(p[2], w, \" \"); row = w[1] \" \" w[2] \" \" w[3]; next }
		NF { \$1 = \"\"; row = row \$0 } END { print row }" waits > out
	printf "blocked wait=pipe ns=100000 pipe_read\nblocked wait=other ns=200000 [no stack]\n" | same - out'

# 5 is preempted by an interrupt at 100 in a program, and waits from 300 on in a thread's only function
{
	sched_formats
	sched_events 'identifier|ip|tid|time|cpu|raw|period|callchain'
	echo "$kernel"
	echo 'comm pid=5 tid=5 comm="a" time=1000000000'
	CHAIN=-128,0xffffffff81000008,0xffffffff81000208,0xffffffff81000308,-512,0x401020
	switch 1 100 5:a 0 "$IDLE1"
	switch 1 200 "$IDLE1" 0 5:a
	CHAIN=-128,0xffffffff81000008
	switch 1 300 5:a 1 "$IDLE1"
	switch 1 400 "$IDLE1" 0 5:a
	CHAIN=-128,0xffffffff81000008,-512
	switch 1 500 5:a 1 "$IDLE1"
	switch 1 600 "$IDLE1" 0 5:a
} > left.txt
mkdata left.data < left.txt

check 'a stack ends in what waits or was preempted, not in the scheduler, unless that is all of it' '
	printf "ffffffff81000000 t __schedule\nffffffff81000200 t exit_to_user_mode_loop\n" > syms
	printf "ffffffff81000300 t asm_sysvec_apic_timer_interrupt\nffffffff81000400 t _end\n" >> syms
	$PERF script --wall=run,blocked -i left.data -F ip --kallsyms syms > waits
	awk "NF { print \$1 }" waits > out
	printf "%s\n" 401020 ffffffff81000008 ffffffff81000008 | same - out'

# 6 begins at 100, gets a CPU at 300 and ends at 400
{
	sched_formats
	sched_events 'identifier|ip|tid|time|cpu|raw|period|callchain'
	echo "$kernel"
	echo 'comm pid=5 tid=5 comm="a" time=1000000000'
	CHAIN=-128,0xffffffff81000108
	wakes 0 0 5:a 5:a
	echo 'fork pid=6 ppid=5 tid=6 ptid=5 time=1000100000'
	echo 'comm pid=6 tid=6 comm="b" time=1000100000'
	switch 1 300 "$IDLE1" 0 6:b
	switch 1 400 6:b 32 "$IDLE1"
} > begins.txt
mkdata begins.data < begins.txt

check 'a thread that waits for its first CPU has no stack yet, and all outputs say so' '
	printf "ffffffff81000000 t __schedule\nffffffff81000100 t pipe_read\nffffffff81000200 t _end\n" > syms
	shown="--wall=run -i begins.data --kallsyms syms"
	$PERF script $shown -F comm,ip,sym,dso > out
	printf "b \n\tffffffffffffe000 [no stack yet] ([no stack yet])\n\n" | same - out
	$PERF report $shown --stdio -s sym > out
	finds -F "100.00%   100.00%   100.00%  [k] [no stack yet]" < out
	$PERF report $shown --folded -s comm,state > out
	echo "b;run;[no stack yet] 200000" | same - out
	$PERF report $shown --json > out
	says "[no stack yet]" out
	$PERF report $shown --html=out
	says "[no stack yet]" out
	$PERF report $shown --flamegraph=out.svg
	says "[no stack yet]] 200000" out.svg
	for to in folded speedscope callgrind gecko; do
		$PERF data convert --to $to $shown -o out.$to
		says "[no stack yet]" out.$to
	done'

# without call chains: 5 runs from 100 to 400, with a sample at 300, and sleeps until 600
{
	echo 'event cpu-clock type=software config=cpu-clock period=1000 sample=identifier|ip|tid|time|cpu|raw|period ids=9 flags=sample_id_all'
	sched_formats
	sched_events
	echo "$kernel"
	echo 'comm pid=5 tid=5 comm="a" time=1000000000'
	unset CHAIN
	switch 1 100 "$IDLE1" 0 5:a
	echo 'sample id=9 pid=5 tid=5 cpu=1 time=1000300000 ip=0xffffffff81000108 period=1000 misc=kernel'
	switch 1 400 5:a 1 "$IDLE1"
	switch 1 600 "$IDLE1" 0 5:a
} > plain.txt
mkdata plain.data < plain.txt

check 'CPU time has the addresses of samples without call chains, and waits have nothing of them' '
	printf "ffffffff81000000 t __schedule\nffffffff81000100 t pipe_read\nffffffff81000200 t _end\n" > syms
	$PERF report --wall=on,blocked -i plain.data --kallsyms syms --folded -s comm,state > out
	finds -x "a;blocked;\[no stack\] 200000" < out
	finds -x "a;on;pipe_read 200000" < out'
