#!/bin/sh
# perf lock contention, report and info: kernel locks from assembled files, with and without lockdep's events;
# recording, where the kernel lets it.
. "$(dirname "$0")/lib.sh"

trace_format lock_acquire 11 8:lockdep_addr 4:flags text:name > f1
for e in 2:lock_acquired 3:lock_contended 4:lock_release; do
	trace_format ${e#*:} 1${e%:*} 8:lockdep_addr text:name > f${e%:*}
done
trace_format contention_begin 15 8:lock_addr 4:flags > f5
trace_format contention_end 16 8:lock_addr -4:ret > f6

# lock_file NUMBER:EVENT...: what a file says about these events. ENDIAN: 1 for big endian
lock_file() {
	for e; do
		echo "event lock:${e#*:} type=tracepoint config=1${e%:*} sample=identifier|ip|tid|time|cpu|raw|callchain ids=${e%:*}"
	done
	echo "feature tracing_data hex:170844 text:\"tracing\" text:\"0.6\" u8:0,${ENDIAN:-0},8 u32:4096"
	echo 'feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0'
	echo "feature tracing_data u32:1 text:\"lock\" u8:0 u32:$#"
	for e; do
		echo "feature tracing_data u64:$(wc -c < f${e%:*}) file:f${e%:*}"
	done
	echo 'feature tracing_data u32:0,0 u64:0'
	echo 'feature event_desc'
	echo 'mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text" misc=kernel time=0'
	echo 'comm pid=5 tid=5 comm="five"'
	echo 'comm pid=6 tid=6 comm="six"'
}
contended_file() { lock_file 5:contention_begin 6:contention_end; }
# begin TIME LOCK FLAGS [CALLER]; end TIME LOCK: of thread T on CPU C. The call chain is four functions of
# locking (f1 to f4), the caller, its caller
begin() {
	echo "sample id=5 pid=${T:-5} tid=${T:-5} cpu=${C:-0} time=$1 chain=-128,$CHAIN,${4:-0xffffffff81002010},0xffffffff81003010 u16:15 u8:0,0 u32:5 u64:$2 u32:$3"
}
end() {
	echo "sample id=6 pid=${T:-5} tid=${T:-5} cpu=${C:-0} time=$1 chain=-128,0xffffffff81000001 u16:16 u8:0,0 u32:5 u64:$2 u32:0"
}
CHAIN=0xffffffff81001001,0xffffffff81001011,0xffffffff81001021,0xffffffff81001031
cat > kallsyms <<-\EOF
	ffffffff81000000 T _text
	ffffffff81001000 t queued_lock
	ffffffff81001800 T __lock_text_start
	ffffffff81001810 t mutex_lock
	ffffffff81001820 T __lock_text_end
	ffffffff81002000 T take_first
	ffffffff81002100 T take_second
	ffffffff81003000 T system_call
	ffffffff81800000 D big_lock
	ffffffff81800040 D other_lock
	ffffffff81900000 T _end
EOF
samples() {
	begin 1000 0xffffffff81800000 33; begin 1500 0xffffffff81800000 32; end 3000 0xffffffff81800000
	begin 4000 0x200 32; begin 4100 0x300 1 0xffffffff81002110; end 4200 0x300; end 5000 0x200
	T=6
	begin 6000 0xffffffff81800000 4 0xffffffff81001818,0xffffffff81002110; end 6500 0xffffffff81800000
	C=1
	begin 7000 0x300 1 0xffffffff81002110; C=0; end 7050 0x300
	T=
}
{ contended_file; samples; } | mkdata x.data || exit 1
# contention ARGS: separated by commas
contention() { $PERF lock contention -i ${FILE:-x.data} --kallsyms kallsyms -x, "$@" > out; }

check 'waits by caller: text as people and scripts know it' '
	$PERF lock contention -i x.data --kallsyms kallsyms > out
	expect caller out
	contention
	expect caller.csv out'
check 'the same from a pipe, and of the other byte order' '
	cat x.data | FILE=- contention
	expect caller.csv out
	{ echo order big; ENDIAN=1 contended_file; samples; } | mkdata big.data
	FILE=big.data contention
	expect caller.csv out'
check 'waits by thread and by lock' '
	contention -t
	printf "%s\n" "# output: contended, total wait, max wait, avg wait, pid, comm" \
		"3, 3100, 2000, 1033, 5, five" "2, 550, 500, 275, 6, six" | same - out
	contention -l
	printf "%s\n" "# output: contended, total wait, max wait, avg wait, address, symbol, type" \
		"2, 2500, 2000, 1250, ffffffff81800000, big_lock, mutex" \
		"1, 1000, 1000, 1000, 0000000000000200, , mutex" \
		"2, 150, 100, 75, 0000000000000300, , spinlock" | same - out
	$PERF lock contention -i x.data --kallsyms kallsyms -l > out
	grep -q "   ffffffff81800000  big_lock (mutex)$" out
	fails_with 129 $PERF lock contention -i x.data -l -t 2> err
	says "exclude each other" err'
check 'values, keys and the number of rows are chosen' '
	contention -F wait_min,contended -k wait_max -E 2
	printf "%s\n" "# output: min wait, contended, max wait, type, caller" \
		"1000, 2, 2000, mutex, take_first+0x10" "500, 1, 500, rwsem:W, take_second+0x10" | same - out
	contention -k contended,wait_min -F contended -l -E 1
	tail -n 1 out | finds -x "2, ffffffff81800000, big_lock, mutex"
	for wrong in "-F foo" "-F contended,contended" "-k foo" "-Y foo" "-L foo"; do
		fails_with 1 $PERF lock contention -i x.data --kallsyms kallsyms $wrong 2> err
		says "foo" err || says "twice" err
	done'
# callers ARGS: callers and times of a report
callers() { contention "$@"; tail -n +2 out | cut -d, -f2,6 | tr -d " " | tr "\n" " "; }
check 'filters: kind, lock, function, CPU, task, time' '
	test "$(callers -Y mutex)" = "3000,take_first+0x10 "
	test "$(callers -Y mutex-spin,rwsem)" = "2000,take_first+0x10 500,take_second+0x10 "
	test "$(callers -Y rwsem:R)" = ""
	test "$(callers -L 0x300)" = "150,take_second+0x10 "
	test "$(callers -L big_lock,200)" = "3000,take_first+0x10 500,take_second+0x10 "
	test "$(callers -S second)" = "500,take_second+0x10 150,take_second+0x10 "
	test "$(callers -S none)" = ""
	test "$(callers -C 1)" = "50,take_second+0x10 "
	test "$(callers -p 6 -Y spinlock)" = "50,take_second+0x10 "
	test "$(callers --tid 5 -Y spinlock)" = "100,take_second+0x10 "
	test "$(callers --comm six -Y rwsem)" = "500,take_second+0x10 "
	test "$(callers --time 0.000006,)" = "500,take_second+0x10 50,take_second+0x10 "'
check 'the caller is the first frame after those of locking; frames can be limited' '
	test "$(callers --stack-skip 3 -Y rwsem)" = "500,queued_lock+0x31 "
	test "$(callers --stack-skip 5 -Y rwsem,mutex)" = "3000,system_call+0x10 500,take_second+0x10 "
	test "$(callers --max-stack 4)" = "3000,Unknown 500,Unknown 150,Unknown "
	$PERF lock contention -i x.data --kallsyms kallsyms -v > out 2> err
	grep -q "  take_second+0x10 <- system_call+0x10$" out'
check 'a wait that is not whole is counted, and never has a time' '
	{ contended_file; end 500 0x100; begin 1000 0x100 4; begin 90000 0x100 4; end 91000 0x100; begin 92000 0x100 4
	  begin 93000 0x200 33; begin 94000 0x200 32; begin 95000 0x200 32; end 96000 0x200; } | mkdata lost.data
	FILE=lost.data contention -l
	grep -x "1, 1000, 1000, 1000, 0000000000000100, , rwsem" out
	grep -x "1, 1000, 1000, 1000, 0000000000000200, , mutex" out
	grep -x "# Waits whose end is not in the recording: 3 (not counted)" out
	grep -x "# Waits whose beginning is not in the recording: 1 (not counted)" out
	{ contended_file; samples; echo "lost_samples id=5 lost=7"; } | mkdata lost.data
	FILE=lost.data contention
	grep -x "# Events lost while recording: 7 (the numbers above are too small)" out'
check 'idle tasks of two CPUs wait for themselves' '
	{ contended_file; T=0 C=0 begin 1000 0x100 1; T=0 C=1 begin 1100 0x100 1; T=0 C=1 end 1400 0x100; T=0 C=0 end 1600 0x100; } | mkdata idle.data
	FILE=idle.data contention -t
	tail -n 1 out | finds -x "2, 900, 600, 450, 0, swapper"'
check 'typed values as JSON' '
	$PERF lock contention -i x.data --kallsyms kallsyms -l --json > out
	grep -F "{\"contended\": 2, \"wait_total\": 2500, \"wait_max\": 2000, \"wait_min\": 500, \"avg_wait\": 1250, \"address\": \"0xffffffff81800000\", \"symbol\": \"big_lock\", \"type\": \"mutex\"}" out
	grep -F "\"unfinished-waits\": 0" out
	echo "import json" | python3 2> err || skip "no python3 with its json module"
	$PERF lock contention -i x.data --json | python3 -m json.tool > py'
check 'names from the file are shown safely, and --output names the file' '
	{ contended_file; printf "comm pid=5 tid=5 comm=\"f\\x1b[31m\"\n"; samples; } | mkdata bad.data
	$PERF lock contention -i bad.data -t --output o.txt > out
	test ! -s out
	not grep -q "$(printf "\033")" o.txt
	grep -q " six$" o.txt'

# ---- report and info ----
dep() {
	lock_file 1:lock_acquire 2:lock_acquired 3:lock_contended 4:lock_release 5:contention_begin 6:contention_end
	acquire 1000 0x100 0; ev 2 1100 0x100; ev 4 1500 0x100
	acquire 2000 0x100 0; ev 3 2100 0x100; ev 2 2600 0x100; ev 4 3000 0x100
	acquire 4000 0x100 1; ev 4 4100 0x100
	acquire 5000 0x100 2; ev 2 5100 0x100; ev 4 5500 0x100
	acquire 6000 0x200 0; ev 2 6100 0x200; ev 4 6200 0x200
	N=lockbbb T=6
	acquire 8000 0x300 0; ev 3 8100 0x300; begin 8200 0x300 1; end 8400 0x300; ev 2 8500 0x300
	acquire 9000 0x300 0; ev 3 9100 0x300
	N= T=
}
acquire() {
	echo "sample id=1 pid=${T:-5} tid=${T:-5} cpu=0 time=$1 u16:11 u8:0,0 u32:5 u64:$2,$3 u32:$((32 + (8 << 16))),0 text:\"${N:-lockaaa}\" u8:0"
}
ev() {
	echo "sample id=$1 pid=${T:-5} tid=${T:-5} cpu=0 time=$2 u16:1$1 u8:0,0 u32:5 u64:$3 u32:$((24 + (8 << 16))),0 text:\"${N:-lockaaa}\" u8:0"
}
dep | mkdata dep.data || exit 1
check 'report: acquisitions and waits of lockdep, by lock, class and thread' '
	$PERF lock report -i dep.data > out
	expect report out
	$PERF lock report -i dep.data -c -x, > out
	printf "%s\n" "# output: Name, acquired, contended, avg wait, total wait, max wait, min wait" \
		"lockaaa, 5, 1, 500, 500, 500, 500" "lockbbb, 1, 1, 400, 400, 400, 400" "#" \
		"# Waits whose end is not in the recording: 1 (not counted)" | same - out
	$PERF lock report -i dep.data -t -F acquired -k wait_max -E 1 -x, > out
	head -n 2 out > rows
	printf "%s\n" "# output: Name, acquired, max wait" "five, 5, 500" | same - rows
	fails_with 129 $PERF lock report -i dep.data -m 2> err
	fails_with 129 $PERF lock report -i dep.data -Y mutex 2> err
	says "-Y has no meaning here" err'
check 'report of contention events alone' '
	$PERF lock report -i x.data --kallsyms kallsyms -x, > out
	printf "%s\n" "# output: Name, acquired, contended, avg wait, total wait, max wait, min wait" \
		"0x300, 2, 2, 75, 150, 100, 50" "big_lock, 2, 2, 1250, 2500, 2000, 500" \
		"0x200, 1, 1, 1000, 1000, 1000, 1000" | same - out'
check 'info: threads and locks' '
	$PERF lock info -i dep.data > out
	expect info out
	$PERF lock info -i dep.data -t > out
	silent_about lockaaa out
	says five out
	$PERF lock info -i dep.data -m --json > out
	grep -F "{\"address\": \"0x300\", \"class\": \"lockbbb\"}" out'
check 'what a file lacks, and what is not there yet, is one message' '
	echo "event cycles" | mkdata other.data
	fails_with 1 $PERF lock contention -i other.data 2> err
	says "other.data has none of the events lock:contention_begin, " err
	says "perf lock record" err
	for o in -o "-G a" --lock-cgroup "-M 5"; do
		fails_with 129 $PERF lock contention -i x.data $o 2> err
		says "needs -b: BPF programs find it out" err
	done
	fails_with 129 $PERF lock contention -i x.data -J 1ms@f 2> err
	says "-J needs -b" err
	fails_with 129 $PERF lock 2> err
	fails_with 129 $PERF lock nonsense 2> err
	says nonsense err
	test "$($PERF lock --list-cmds)" = "record report script info contention "'
check 'script and the dump show the events' '
	$PERF lock -i x.data script -F comm,event > out
	grep -q "^ *five lock:contention_begin" out
	$PERF lock report -D -i x.data > out
	says "PERF_RECORD_SAMPLE" out'
# a file cut anywhere, and one with damaged bytes, end in a message or a table
check 'damaged files do no harm' '
	size=$(wc -c < dep.data)
	$PERF lock report -i dep.data > out
	says lockaaa out
	for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
		cp dep.data cut.data
		printf "\377\200\001\377" | dd of=cut.data bs=1 seek=$((size * n / 17)) conv=notrunc 2> dd.err
		for word in report info contention "contention --user"; do
			$PERF lock $word -i cut.data > out 2> err || test $? = 1
		done
		head -c $((size * n / 17)) dep.data > cut.data
		$PERF lock report -i cut.data > out 2> err || test $? = 1
	done'
check_if ROOT,EVENTS,TRACEFS 'records what contention reads' '
	test -d /sys/kernel/tracing/events/lock || skip "the kernel has no events of locks"
	$PERF lock record -q -o live.data -- sh -c "for i in 1 2 3 4; do ls -lR /proc/self > /dev/null & done; wait" > rec.out 2>&1
	$PERF evlist -i live.data > events
	grep -qx "lock:contention_begin" events
	grep -qx "lock:contention_end" events
	$PERF lock contention -i live.data > out || skip "nothing waited for a lock"
	says "total wait" out
	$PERF script -i live.data -F event,trace > script.out 2>&1'
