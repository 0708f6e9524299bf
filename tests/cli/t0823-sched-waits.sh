#!/bin/sh
# perf sched waits: where the waiting goes, from assembled files; a convoy on a mutex, where the kernel lets
# it be recorded.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/sched-lib.sh"

kernel_symbols __schedule schedule futex_wait mutex_thing io_schedule nanosleep wake_up reader asm_sysvec_timer _end
# "a" waits for a futex that b wakes, then for the disk, then sleeps; b was woken by c before
samples() {
	echo 'mmap pid=-1 tid=-1 addr=0xffffffff81000000 len=0x1000000 filename="[kernel.kallsyms]_text" pgoff=0xffffffff81000000 misc=kernel'
	echo 'comm pid=5 tid=5 comm="a" time=1'
	echo 'comm pid=5 tid=6 comm="b" time=2'
	echo 'comm pid=7 tid=7 comm="c" time=3'
	kernel_chain __schedule nanosleep
	switch 0 0 6:b 1 7:c
	kernel_chain wake_up reader
	wakes 0 50 7:c 6:b
	kernel_chain __schedule schedule futex_wait
	switch 1 100 5:a 1 $IDLE1
	kernel_chain __schedule nanosleep
	switch 0 200 7:c 1 6:b			# b waited 150 for a CPU
	kernel_chain wake_up
	wakes 0 1100 6:b 5:a			# a waited 1000 for the lock
	CHAIN=
	switch 1 1150 $IDLE1 0 5:a		# and 50 for a CPU
	kernel_chain __schedule schedule io_schedule reader
	switch 1 1250 5:a 2 $IDLE1		# ran 100
	kernel_chain wake_up
	wakes 1 1450 $IDLE1 5:a			# 200 for the disk
	CHAIN=
	switch 1 1460 $IDLE1 0 5:a		# 10
	switch 0 1500 6:b 0 7:c			# b is preempted, by c, which nobody woke
	switch 0 1600 7:c 1 6:b			# 100
	switch 1 2000 5:a 32 $IDLE1		# ran 540, exits
	switch 0 2000 6:b 1 $IDLE0
}
sched_formats
{ sched_events "identifier|ip|tid|time|cpu|raw|period|callchain"; samples; } | mkdata x.data || exit 1

check 'what threads did, where they waited, who woke them' '
	$PERF sched waits -i x.data --kallsyms syms > out
	expect waits out'
check 'the parts of each thread add up' '
	$PERF sched waits -i x.data --kallsyms syms --tasks-only -x, > out
	grep -v "^#" out | grep . > rows
	test "$(wc -l < rows)" = 3
	awk -F, "{ sum = 0; for (i = 3; i <= 10; i++) sum += \$i; if (sum != \$2) exit 1 }" rows
	grep -q "^a:5,1900000,640000,60000,0,0,200000,1000000,0,0," rows'
# "a" is woken twice by a timer, which interrupts b and c, and by a softirq in which b sends something
interrupts() {
	echo 'mmap pid=-1 tid=-1 addr=0xffffffff81000000 len=0x1000000 filename="[kernel.kallsyms]_text" pgoff=0xffffffff81000000 misc=kernel'
	switch 0 0 $IDLE0 1 6:b
	for t in 100:6:b:8 200:7:c:8 300:6:b:16 400:7:c:16; do
		who=${t#*:}
		FLAGS=0
		kernel_chain __schedule nanosleep
		switch 1 $((${t%%:*} - 50)) 5:a 1 $IDLE1
		FLAGS=${t##*:}
		if [ $FLAGS = 8 ]; then kernel_chain wake_up asm_sysvec_timer ${who%%:*}; elif [ $t = 400:7:c:16 ]; then
			kernel_chain wake_up asm_sysvec_timer reader; else kernel_chain wake_up reader; fi
		wakes 0 ${t%%:*} ${who%:*} 5:a
		CHAIN= FLAGS=0
		switch 1 ${t%%:*} $IDLE1 0 5:a
	done
}
{ sched_events "identifier|ip|tid|time|cpu|raw|period|callchain"; interrupts; } | mkdata irq.data || exit 1
check 'whom an interrupt interrupted woke nobody' '
	$PERF sched waits -i irq.data --kallsyms syms --tid 5 "-x|" > out
	grep "|sleeping|" out | cut -d"|" -f2,4,6- > rows
	grep -x "sleeping|3|(interrupt)||nanosleep|wake_up <- asm_sysvec_timer" rows
	grep -x "sleeping|1|b:6||nanosleep|wake_up <- reader" rows'
check 'wakers of wakers; filters; limits' '
	$PERF sched waits -i x.data --kallsyms syms --json > out
	says "\"waker\": \"b:6\", \"wakers\": \"c:7\", \"stack\": \"futex_wait\", \"waker-stack\": \"wake_up\"}" out
	says "{\"task\": \"a:5\", \"state\": \"disk\", \"time\": 200000, \"count\": 1, \"max\": 200000, \"waker\": \"swapper\"," out
	$PERF sched waits -i x.data --kallsyms syms --tid 6 -x, > out
	silent_about "a:5" out
	grep -q "^b:6,preempted,100000,1,100000," out
	$PERF sched waits -i x.data --kallsyms syms --time 1.000600,1.001150 --tasks-only --comm a -x, > out
	grep -q "^a:5,550000,0,50000,0,0,0,500000,0,0," out
	$PERF sched waits -i x.data -l 1 --tasks-only > out
	says "..." out
	$PERF sched waits -i x.data --kallsyms syms -l 1 -s lock --tasks-only -x, > out
	grep -q "^a:5," out
	fails_with 129 $PERF sched waits -i x.data -s nonsense 2> err'
check 'times around missing switches are a part of their own, and add up' '
	{
		sched_events
		forks 0 0 5:a 6:b
		wakes 0 10 5:a 6:b 4
		ran 1 500 6:b 300000		# runs on CPU 1 since 200
		switch 1 600 6:b 1 $IDLE1
		switch 1 900 8:x 0 $IDLE1	# x ran, and nobody saw it begin
		ran 0 950 5:a 1000
		switch 0 1000 9:y 1 5:a		# y ran instead of a, which left unseen
	} | mkdata holes.data
	$PERF sched waits -i holes.data --tasks-only -x, > out
	grep -v "^#" out | grep . > rows
	awk -F, "{ sum = 0; for (i = 3; i <= 10; i++) sum += \$i; if (sum != \$2 || \$2 > 1000000) exit 1 }" rows
	grep -q "^b:6,1000000,400000,190000,0,400000,0,0,0,10000," rows
	grep "^a:5," rows | finds ",50000,[0-9]*,[0-9]*$"'
check_if ROOT,EVENTS,TRACEFS 'the parts of a recording add up' '
	$PERF sched record -q -g -o live.data -- $PERF test -w context_switch_loop 100 > rec.out 2>&1
	$PERF sched waits -i live.data -l 0 --tasks-only -x, > out
	grep -v "^#" out | grep . > rows
	grep -q "^proc[12]:" rows
	awk -F, "{ sum = 0; for (i = 3; i <= 10; i++) sum += \$i; if (sum != \$2) exit 1 }" rows'
