#!/bin/sh
# perf report and script --wakers: the stack of a waker below the stack of the wait that it ended. From
# assembled files; t0252-record-wall.sh has recorded ones.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/sched-lib.sh"

printf "ffffffff81000000 t __schedule\nffffffff81000100 t pipe_read\nffffffff81000200 t try_to_wake_up\nffffffff81000300 t futex_wait_queue\nffffffff81000400 t do_exit\nffffffff81000500 t _end\n" > syms
WAIT=-128,0xffffffff81000008,0xffffffff81000108,-512,0x401020
WAKE=-128,0xffffffff81000208,-512,0x501010,0x7f0000000040
header() {
	sched_formats
	sched_events 'identifier|ip|tid|time|cpu|raw|period|callchain'
	echo 'mmap pid=-1 tid=-1 addr=0xffffffff81000000 len=0x1000000 filename="[kernel.kallsyms]_text" pgoff=0xffffffff81000000 misc=kernel'
	# a 7 waits; b 5 is another thread of its process, c 6 another process
	echo 'comm pid=7 tid=7 comm="a" time=1'
	echo 'comm pid=7 tid=5 comm="b" time=1'
	echo 'comm pid=6 tid=6 comm="c" time=1'
	echo 'mmap pid=7 tid=7 addr=0x401000 len=0x1000 pgoff=0x1000 filename="/no/such/a" time=1'
	echo 'mmap pid=7 tid=7 addr=0x501000 len=0x1000 pgoff=0x1000 filename="/no/such/a2" time=1'
	echo 'mmap pid=6 tid=6 addr=0x501000 len=0x1000 pgoff=0x1000 filename="/no/such/c" time=1'
	echo 'mmap pid=6 tid=6 addr=0x7f0000000000 len=0x2000 pgoff=0 filename="/no/such/lib.so" time=1'
}
PID_5=7
# waits TIME WAKER CHAIN
waits() {
	CHAIN=$WAIT
	switch 0 $(($1)) 7:a 1 $IDLE0
	CHAIN=$3
	wakes 1 $(($1 + 10)) $2 7:a
	CHAIN=
	switch 0 $(($1 + 12)) $IDLE0 0 7:a
}
{
	header
	switch 0 0 $IDLE0 0 7:a
	switch 1 1 $IDLE1 0 6:c
	waits 20 6:c $WAKE
	waits 40 5:b $WAKE
	FLAGS=8
	waits 60 6:c $WAKE
	FLAGS=
	waits 80 6:c ''
} > w.txt
mkdata w.data < w.txt
# stacks FILE OPTION...: "SYMBOL+OFFSET(DSO)" or "ADDRESS(DSO)" of the frames of each wait
stacks() {
	file=$1
	shift
	$PERF script --wall=blocked "$@" -i "$file" --kallsyms syms -F ip,sym,dso 2> err |
		awk '!NF { if (line) print line; line = ""; next }
			{ line = line (line ? " " : "") ($2 ~ /unknown/ ? $1 : $2) $3 } END { if (line) print line }'
}
own="pipe_read([kernel.kallsyms]) 401020(/no/such/a)"
check 'wakers of the same and of another process, interrupts, wakers without stacks' '
	stacks w.data --wakers > out
	cat > want <<-END
	try_to_wake_up([kernel.kallsyms]) 200000000010(/no/such/c) 200000100040(/no/such/lib.so) $own
	try_to_wake_up([kernel.kallsyms]) 501010(/no/such/a2) $own
	$own
	$own
	END
	# nothing is mapped there in the process that waited
	sed "s/ 7f0000000040(\[unknown\])//" out | same want -'
check 'without the option, waits have their own stacks' '
	stacks w.data > out
	printf "%s\n%s\n%s\n%s\n" "$own" "$own" "$own" "$own" | same - out'
check 'in one tree' '
	$PERF report --wakers --wall=blocked -i w.data --kallsyms syms -s comm -G --stdio > out 2> err
	sed -n "/pipe_read\$/,\$s/^.*try_to_wake_up\$/below/p" out > below
	test "$(wc -l < below)" = 2
	silent_about "Stacks of wakers are not recorded" out
	$PERF report --wakers --wall=blocked -i w.data --kallsyms syms -s comm --folded > out 2> err
	test "$(grep -c "pipe_read.*try_to_wake_up " out)" = 2'
check 'a recording without them' '
	sed "/^sample id=6/s/chain=[^ ]*//" w.txt | mkdata none.data
	stacks none.data --wakers > out
	printf "%s\n%s\n%s\n%s\n" "$own" "$own" "$own" "$own" | same - out
	$PERF report --wakers -i none.data --kallsyms syms --stdio > out 2> err
	says "Stacks of wakers are not recorded: waits have only their own (record --wall --wakers)" out'
check 'a waker whose process nobody knows has a stack in the kernel only' '
	grep -v "^mmap pid=6\|^comm pid=6" w.txt | mkdata unknown.data
	stacks unknown.data --wakers > out
	sed -n 1p out > first
	echo "try_to_wake_up([kernel.kallsyms]) $own" | same - first'
# records of BPF programs: flags 8 says that 5 woke the thread that is named as waker
bpf() {
	cat <<-END
	event wall-switch type=software config=bpf-output sample=identifier|ip|tid|time|cpu|period|callchain|raw ids=1 flags=sample_id_all
	event wall type=software config=dummy sample=identifier|ip|tid|time|cpu|period ids=2 flags=sample_id_all
	feature event_desc
	END
	header | grep "^mmap\|^comm"
	echo "sample id=1 pid=7 tid=7 cpu=0 time=1000000 ip=1 chain=$WAIT u32:1,0x53,0,0,0,0,0,0,0,0,0"
	echo "sample id=1 pid=7 tid=5 cpu=1 time=2000000 ip=1 chain=$WAKE u32:8,0x52,0,0,7,7,$1,0,0,0,0"
	echo "sample id=1 pid=0 tid=0 cpu=0 time=3000000 ip=0 chain=0 u32:0,0x53,7,7,7,5,2000000,0,0,0,0"
}
check 'the same by BPF programs' '
	bpf 2000000 | mkdata bpf.data
	stacks bpf.data --wakers | sed "s/ 7f0000000040(\[unknown\])//" > out
	echo "try_to_wake_up([kernel.kallsyms]) 501010(/no/such/a2) $own" | same - out
	# the stack of another wake-up
	bpf 1500000 | mkdata other.data
	stacks other.data --wakers > out
	echo "$own" | same - out'
# what waits were for: "WAIT TARGET"
waits_of() {
	$PERF script --wall=blocked -i "$1" --kallsyms syms -G -F trace 2> err | sed -E 's/^.* wait=([^ ]*) .* target=(.*)$/\1 \2/'
}
check 'a thread that ends ends the waits of others for that' '
	PIPE=$WAIT
	WAIT=-128,0xffffffff81000008,0xffffffff81000308,-512,0x401020
	ENDS=-128,0xffffffff81000208,0xffffffff81000408
	{
		header
		switch 0 0 $IDLE0 0 7:a
		switch 1 1 $IDLE1 0 5:b
		waits 20 5:b $ENDS
		# a lock; an interrupt, so its time had run out; not recorded; a pipe that it closes
		waits 40 5:b $WAKE
		FLAGS=8
		waits 60 5:b $ENDS
		FLAGS=
		waits 80 5:b ""
		WAIT=$PIPE
		waits 100 5:b $ENDS
	} | mkdata ends.data
	waits_of ends.data > out
	printf "join thread 5\nfutex -\ntimer -\nfutex -\npipe -\n" | same - out'
check 'the same by BPF programs, and in sums of slots' '
	WAIT=-128,0xffffffff81000008,0xffffffff81000308,-512,0x401020
	for flags in 0 256 2; do
		bpf 2000000 | sed "s/u32:0,/u32:$flags,/" | mkdata f$flags.data
		waits_of f$flags.data
	done > out
	# woken by a thread, by one that ended, by an interrupt
	for flags in 2 6 3; do
		bpf 0 | sed "/^sample/d; s/wall-switch/wall-slot/" > slot.txt
		echo "sample id=1 pid=7 tid=7 cpu=0 time=9000000 ip=1 chain=$WAIT u32:2,0x53,$flags,5,1,2000000,0,500000,0,0,0,10000,0" >> slot.txt
		mkdata s$flags.data < slot.txt
		waits_of s$flags.data
	done >> out
	# a sum of waits that nobody has seen beginning
	sed "/^sample/s/chain=[^ ]* u32:2,0x53/chain=0 u32:2,0/" slot.txt | mkdata early.data
	waits_of early.data >> out
	printf "futex -\njoin thread 5\ntimer -\nfutex -\njoin thread 5\ntimer -\nearlier -\n" | same - out'
check 'stacks of wakers without elapsed time' '
	fails_with 1 $PERF record --wakers -o x.data true 2> err
	says "wakers needs --wall" err
	fails_with 1 $PERF record --wall=switches --wakers -o x.data true 2> err
	says "context switches do not say who wakes a thread" err'
