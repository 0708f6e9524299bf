#!/bin/sh
# The field wait_target of slices: what a thread waited for, by the first argument of its system call. From
# assembled files; t0252-record-wall.sh has recorded ones.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/sched-lib.sh"

i=0
for f in __schedule __x64_sys_futex futex_wait_queue ksys_read pipe_read __x64_sys_write io_schedule __ia32_sys_read \
	__x64_sys_wait4 do_wait __arm64_sys_fsync handle_mm_fault __x64_sys_splice sock_recvmsg __x64_sys_accept4 inet_csk_accept \
	schedule_timeout n_tty_read __traceiter_sched_switch __x64_sys_pselect6 do_select _end; do
	printf "ffffffff8100%04x t %s\n" $((i * 256)) $f
	i=$((i + 1))
done > syms
# chain FUNCTION...: a call chain of these functions of syms, inner ones first
chain() {
	CHAIN=-128
	for f; do
		CHAIN=$CHAIN,0x$(awk "\$3 == \"$f\" { print substr(\$1, 1, 15) }" syms)8
	done
}
kernel='mmap pid=-1 tid=-1 addr=0xffffffff81000000 len=0x1000000 filename="[kernel.kallsyms]_text" pgoff=0xffffffff81000000 misc=kernel'
# targets FILE [OPTION...]: "WAIT TARGET" of each wait, in the order of time
targets() {
	file=$1
	shift
	$PERF script --wall=blocked,idle -i "$file" -G -F trace --kallsyms syms "$@" |
		sed -E 's/^.* wait=([^ ]*) .* target=(.*)$/\1 \2/'
}
# wait VALUE FUNCTION...: a waits 10 us in a call with that first argument
t=0
wait_in() {
	value=$1
	shift
	chain "$@" __schedule
	REGS="regs_user=$ABI,7,$value"
	switch 0 $t 5:a 1 $IDLE0
	CHAIN=
	REGS="regs_user=0"
	wakes 0 $((t + 10)) $IDLE0 5:a
	switch 0 $((t + 11)) $IDLE0 0 5:a
	t=$((t + 20))
}
# event() of sched-lib.sh with registers
event() {
	printf 'sample id=%s cpu=%s time=%s tid=%s pid=%s %s %s u16:1%s u8:%s,0 u32:%s ' "$1" "$2" $((1000000000 + $3 * 1000)) "$4" \
		"$4" "${CHAIN:+chain=$CHAIN}" "$REGS" "$1" "${FLAGS:-0}" "$4"
}
with_registers() { # MASK
	sched_formats
	sched_events 'identifier|ip|tid|time|cpu|raw|period|callchain|regs_user' | sed "/^event/s/\$/ regs_user=$1/"
	echo "$kernel"
	echo 'comm pid=5 tid=5 comm="a" time=1'
	REGS=regs_user=0
	switch 0 0 $IDLE0 0 5:a
}
ABI=2
calls() {
	wait_in 0x7f0010 futex_wait_queue __x64_sys_futex
	wait_in 3 pipe_read ksys_read
	wait_in 0xffffffff00000004 io_schedule __x64_sys_write
	# not known: which of two files; a page that is not in memory; any child; an argument in another register
	wait_in 5 pipe_read __x64_sys_splice
	wait_in 6 handle_mm_fault ksys_read
	wait_in -1 do_wait __x64_sys_wait4
	wait_in 77 do_wait __x64_sys_wait4
	wait_in 7 pipe_read ksys_read __ia32_sys_read
	wait_in 8 io_schedule
	ABI=1 wait_in 9 pipe_read ksys_read
}
check 'registers that were sampled when the thread left its CPU' '
	{ with_registers 0x24; t=20; calls; } | mkdata regs.data
	targets regs.data > out
	cat > want <<-END
	futex futex 0x7f0010
	pipe file 3
	disk file 4
	pipe -
	page-fault -
	child -
	child process 77
	pipe -
	disk -
	pipe -
	END
	same want out'
check 'registers of which none has the argument' '
	{ with_registers 0x11; t=20; calls; } | mkdata other.data
	targets other.data | sort -u > out
	printf "child -\ndisk -\nfutex -\npage-fault -\npipe -\n" | same - out'
polls() {
	wait_in 0 do_select __x64_sys_pselect6
	wait_in 1 do_select __x64_sys_pselect6
	ABI=1 wait_in 0 do_select __x64_sys_pselect6
}
check 'select without files is a sleep' '
	{ with_registers 0x24; t=20; polls; } | mkdata polls.data
	targets polls.data > out
	printf "timer -\npoll -\npoll -\n" | same - out
	# which register has the argument is not recorded
	{ with_registers 0x11; t=20; polls; } | mkdata unknown.data
	targets unknown.data | sort -u > out
	echo "poll -" | same - out'
check 'a key of reports' '
	$PERF report --wall -i regs.data --kallsyms syms -g none --stdio -s wait,wait_target -F overhead,wait,wait_target > out
	grep " pipe  *file 3\$" out
	$PERF report --wall -i regs.data --kallsyms syms -g none --stdio -s wait_target -F overhead,wait_target > out
	grep " process 77\$" out
	grep " -\$" out
	$PERF data convert --to-json - --wall=blocked -i regs.data --kallsyms syms > out 2> err
	grep "\"wait_target\": \"futex 0x7f0010\"" out
	grep "\"speed\": \"-\"" out'

# raw FILE MODE FAMILY PORT OWN ADDRESS NAME: raw data of wall-switch of a wait in a call with this file
raw() {
	name=$(printf "$7" | od -An -v -tx1 | tr -d ' \n')
	printf 'u32:1,0x53,0,0,0,0,0,0,0,%s,0 u32:99,0,%s,%s,%s,%s hex:%s%s zero:%s' "$1" "$2" "$3" "$4" "$5" "$6" \
		"$name" $((32 - ${#name} / 2))
}
# slept TIME RAW: it leaves the CPU, and is back 10 us later, woken after 5
slept() {
	echo "sample id=1 pid=5 tid=5 cpu=0 time=$((1000000000 + $1 * 1000)) ip=1 chain=$CHAIN $2"
	woken=$((1000000000 + ($1 + 5) * 1000))
	echo "sample id=1 pid=0 tid=0 cpu=0 time=$((1000000000 + ($1 + 10) * 1000)) ip=0 chain=0 u32:0,0x53,5,5,0,0,$woken,0,0,0,0"
}
none=00000000000000000000000000000000
programs() {
	cat <<-END
	event wall-switch type=software config=bpf-output sample=identifier|ip|tid|time|cpu|period|callchain|raw ids=1 flags=sample_id_all
	event wall type=software config=dummy sample=identifier|ip|tid|time|cpu|period ids=2 flags=sample_id_all
	feature arch str:"x86_64"
	feature event_desc
	$kernel
	comm pid=5 tid=5 comm="a" time=1
	END
	chain io_schedule ksys_read __schedule
	slept 0 "$(raw 3 0100644 0 0 0 $none data.db)"
	slept 20 "$(raw 3 0100644 0 0 0 $none '\033[1mred')"
	chain pipe_read ksys_read __schedule
	slept 40 "$(raw 4 0010600 0 0 0 $none '')"
	slept 60 "$(raw 4 0010644 0 0 0 $none fifo)"
	chain sock_recvmsg ksys_read __schedule
	slept 80 "$(raw 5 0140777 2 5432 40000 7f000001000000000000000000000000 '')"
	slept 100 "$(raw 5 0140777 10 443 40000 20010db8000000000000000000000001 '')"
	slept 120 "$(raw 5 0140777 1 0 0 $none '')"
	chain inet_csk_accept __x64_sys_accept4 __schedule
	slept 140 "$(raw 6 0140777 2 0 8080 $none '')"
	chain schedule_timeout n_tty_read ksys_read __schedule
	slept 150 "$(raw 0 0020620 0 0 0 $none 3)"
	slept 220 "$(raw 0 0020620 0 0 0 $none tty1)"
	chain inet_csk_accept __x64_sys_accept4 __schedule
	# the file is not recorded; and older files have no arguments
	slept 160 'u32:1,0x53,0,0,0,0,0,0,0,7,0'
	slept 180 'u32:1,0x53,0,0,0,0,0,0,0'
	# damaged: the file is cut
	slept 200 'u32:1,0x53,0,0,0,0,0,0,0,7,0 u32:99,0x8000,1,2'
}
check 'files that BPF programs read' '
	programs > bpf.txt
	mkdata bpf.data < bpf.txt
	targets bpf.data > out
	cat > want <<-END
	disk data.db
	disk \x1b[1mred
	pipe pipe:[99]
	pipe fifo
	socket 127.0.0.1:5432
	socket [2001:db8::1]:443
	socket socket:[99]
	accept port 8080
	terminal pts/3
	accept file 7
	accept -
	accept file 7
	terminal tty1
	END
	same want out
	not grep "$(printf "\033")" out'
check 'a name that is as long as it can be' '
	chain io_schedule ksys_read __schedule
	{ sed -n "/^event/,/^comm/p" bpf.txt; slept 0 "$(raw 3 0100644 0 0 0 $none 12345678901234567890123456789012)"; } | mkdata long.data
	targets long.data > out
	echo "disk 12345678901234567890123456789012" | same - out'
# it got CPU 3 before its exec, and may have left it again
execs() { # RECORD
	cat <<-END
	event wall-switch type=software config=bpf-output sample=identifier|ip|tid|time|cpu|period|callchain|raw ids=1 flags=sample_id_all|enable_on_exec
	event cpu-clock type=software config=cpu-clock sample=identifier|ip|tid|time ids=3 flags=sample_id_all|enable_on_exec
	event wall type=software config=dummy sample=identifier|ip|tid|time ids=2 flags=sample_id_all|enable_on_exec
	feature event_desc
	$kernel
	comm ev=wall pid=5 tid=5 comm="a" time=1 s_id=2
	sample id=1 pid=0 tid=0 cpu=3 time=900000000 ip=0 chain=0 u32:0,0x53,5,5,0,0,0,0,0,0,0
	$1
	comm ev=wall pid=5 tid=5 comm="b" misc=0x2000 time=1000000000 s_pid=5 s_tid=5 s_id=2
	sample ev=cpu-clock id=3 pid=5 tid=5 time=1000100000 ip=0x401000
	sample id=1 pid=5 tid=5 cpu=1 time=1000200000 ip=0 chain=0 u32:1,0x53,0,0,0,0,0,0,0,0,0
	END
}
check 'the first slice of a command has the CPU on which it began' '
	leaves="sample id=1 pid=5 tid=5 cpu=3 time=910000000 ip=0 chain=0 u32:1,0x52,0,0,0,0,0,0,0,0,0"
	for record in "" "$leaves"; do
		execs "$record" | mkdata exec.data
		$PERF script --wall=on -i exec.data -G -F cpu,time,trace
	done | sed -E "s/^ *//; s/:.*//" > out
	printf "[003]     1.000100\n[001]     1.000200\n[-01]     1.000100\n[001]     1.000200\n" | same - out'
check_if GCC 'a lock without a name has that of the function of the user that waits for it' '
	cat > lock.c <<-END
		int of_go(int a) __asm__("runtime.lock2");
		int of_go(int a) { return a; }
		int take_it(int a) { return of_go(a) + 1; }
		int main(void) { return take_it(1); }
	END
	gcc -O0 -no-pie -o lock lock.c
	at=$(nm lock | awk "/ take_it\$/ { print \$1 }") in_go=$(nm lock | awk "/ runtime.lock2\$/ { print \$1 }")
	{
		with_registers 0x24
		echo "mmap pid=5 tid=5 addr=0x400000 len=0x100000 pgoff=0 filename=\"$PWD/lock\""
		chain futex_wait_queue __x64_sys_futex __schedule
		CHAIN=$CHAIN,-512,0x7f0000000010,0x$in_go,0x$at
		REGS="regs_user=2,7,0x7f0010"
		switch 0 20 5:a 1 $IDLE0
		CHAIN=
		REGS=regs_user=0
		wakes 0 30 $IDLE0 5:a
	} > heap.txt
	mkdata heap.data < heap.txt
	targets heap.data > out
	echo "mutex futex 0x7f0010 in take_it" | same - out'
check_if GCC 'functions of the program and names of threads say more of a futex' '
	cat > pool.c <<-END
		int stops(int a) __asm__("runtime.stopm");
		int locks(int a) __asm__("runtime.lock2");
		int joins(int a) __asm__("pthread_join");
		int stops(int a) { return a + 1; }
		int locks(int a) { return stops(a) + 1; }
		int sleeps(int a) __asm__("pthread_cond_wait");
		int joins(int a) { return locks(a) + 1; }
		int sleeps(int a) { return joins(a) + 1; }
		int main(void) { return sleeps(1); }
	END
	gcc -O0 -fno-pie -no-pie -o pool pool.c
	place() { echo "0x$(nm pool | awk -v f="$1" "\$3 == f { print \$1 }")"; }
	# waits CHAIN of the program, after the functions of the kernel
	waits() {
		user=$1
		shift
		chain "$@" __schedule
		CHAIN=$CHAIN,-512,0x7f0000000010,$user
		REGS="regs_user=2,7,0x7f0010"
		switch 0 $t 5:a 1 $IDLE0
		CHAIN=
		REGS=regs_user=0
		wakes 0 $((t + 10)) $IDLE0 5:a
		switch 0 $((t + 11)) $IDLE0 0 5:a
		t=$((t + 20))
	}
	{
		with_registers 0x24
		echo "mmap pid=5 tid=5 addr=0x400000 len=0x100000 pgoff=0 filename=\"$PWD/pool\""
		t=20
		waits "$(place runtime.stopm)" futex_wait_queue __x64_sys_futex
		waits "$(place pthread_join)" futex_wait_queue __x64_sys_futex
		waits "$(place runtime.lock2),$(place runtime.stopm)" futex_wait_queue __x64_sys_futex
		waits "$(place main)" futex_wait_queue __x64_sys_futex
		waits "$(place pthread_cond_wait)" futex_wait_queue __x64_sys_futex
		# not of other waits
		waits "$(place runtime.stopm)" io_schedule __x64_sys_write
	} > pool.txt
	mkdata pool.data < pool.txt
	targets pool.data | sed "s/futex 0x.*/LOCK/" > out
	printf "no-work -\njoin -\nmutex LOCK\nfutex LOCK\ncondition LOCK\ndisk file 8323088\n" | same - out
	$PERF script --wall=idle -i pool.data -G -F trace --kallsyms syms > out
	grep "state=idle wait=no-work" out
	# the name of the thread; who waits for a lock or thread has work
	sed "s/comm=\"a\"/comm=\"GC Thread#0\"/" pool.txt | mkdata gc.data
	targets gc.data | sed "s/futex 0x.*/LOCK/" > out
	printf "no-work -\njoin -\nmutex LOCK\nno-work -\nno-work -\ndisk file 8323088\n" | same - out'
# a page of a file, one of code, one of memory that is not recorded, and none, as the fault was not told. They
# are told after the waits, when the thread runs again
faults() {
	sed -n '1,2p' bpf.txt
	echo 'event major-faults type=software config=6 period=1 sample=identifier|ip|tid|time|addr ids=3 flags=sample_id_all'
	sed -n '3,/^comm/p' bpf.txt
	echo 'mmap2 pid=5 tid=5 addr=0x700000 len=0x1000 prot=1 filename="/srv/big.db (deleted)" misc=user,mmap_data'
	echo 'mmap2 pid=5 tid=5 addr=0x800000 len=0x1000 prot=5 filename="/usr/bin/prog"'
	chain handle_mm_fault __schedule
	t=0
	for addr in 0x700008 0x800010 0x900000; do
		slept $t 'u32:1,0x44,0,0,0,0,0,0,0,0,0'
		# a fault may wait twice
		slept $((t + 20)) 'u32:1,0x44,0,0,0,0,0,0,0,0,0'
		echo "sample ev=major-faults pid=5 tid=5 time=$((1000000000 + (t + 35) * 1000)) ip=1 addr=$addr"
		t=$((t + 40))
	done
	slept $t 'u32:1,0x44,0,0,0,0,0,0,0,0,0'
	chain pipe_read ksys_read __schedule
	slept $((t + 20)) "$(raw 4 0010644 0 0 0 $none fifo)"
}
check 'page faults have the file that is mapped' '
	faults > faults.txt
	mkdata faults.data < faults.txt
	targets faults.data > out
	cat > want <<-END
	page-fault big.db
	page-fault big.db
	page-fault prog
	page-fault prog
	page-fault -
	page-fault -
	page-fault -
	pipe fifo
	END
	same want out
	$PERF report -i faults.data --stdio --kallsyms syms -s wait > out
	says "# For which file 1 page fault waited is not recorded (record --wall --data-mmap)" out
	# the path, and lanes, have them in the order of time, too
	$PERF script --critical-path -i faults.data -G -F trace --kallsyms syms | grep -c "target=big.db" > nr
	echo 2 | same - nr
	$PERF script --wall=all -i faults.data -G -F time --kallsyms syms | sort -c
	# sums of slices
	$PERF report -i faults.data --stdio --kallsyms syms -g none -s wait_target -F sample,wait_target > out
	grep "2  *prog\$" out'
check 'the function that calls a BPF program is not in stacks' '
	{
		sed -n "/^event/,/^comm/p" bpf.txt
		chain __traceiter_sched_switch __schedule pipe_read ksys_read
		slept 0 "$(raw 4 0010644 0 0 0 $none fifo)"
		slept 20 "$(raw 4 0010644 0 0 0 $none fifo)"
		chain __schedule pipe_read ksys_read
		slept 40 "$(raw 4 0010644 0 0 0 $none fifo)"
	} > tracing.txt
	mkdata tracing.data < tracing.txt
	targets tracing.data > out
	printf "pipe fifo\npipe fifo\npipe fifo\n" | same - out
	$PERF report --wall=blocked -i tracing.data --kallsyms syms --folded=- > out
	echo "a;blocked;ksys_read;pipe_read 15000" | same - out'
