#!/bin/sh
# perf kwork: irqs, softirqs and works of workqueues from assembled files: how long they ran and waited, what
# CPUs did; recording, where the kernel lets it.
. "$(dirname "$0")/lib.sh"

trace_format softirq_raise 11 4:vec > f1
trace_format softirq_entry 12 4:vec > f2
trace_format softirq_exit 13 4:vec > f3
trace_format workqueue_activate_work 14 8:work > f4
trace_format workqueue_execute_start 15 8:work 8:function > f5
trace_format workqueue_execute_end 16 8:work 8:function > f6
trace_format irq_handler_entry 17 -4:irq text:name > f7
trace_format irq_handler_exit 18 -4:irq -4:ret > f8
{
	trace_format sched_switch 19 -4:prev_pid -4:next_pid | grep -v "print fmt" | sed "/^$/{\$d}"
	printf "\tfield:char prev_comm[8];\toffset:16;\tsize:8;\tsigned:0;\n"
	printf "\tfield:char next_comm[8];\toffset:24;\tsize:8;\tsigned:0;\n\nprint fmt: \"sched_switch\"\n"
} > f9
cat > kallsyms <<-\EOF
	ffffffff81000000 T _text
	ffffffff81002000 t do_update
	ffffffff81003000 T queue_it
	ffffffff81900000 T _end
EOF
kwork_file() {
	for e in 1:irq:softirq_raise 2:irq:softirq_entry 3:irq:softirq_exit 4:workqueue:workqueue_activate_work \
		5:workqueue:workqueue_execute_start 6:workqueue:workqueue_execute_end 7:irq:irq_handler_entry \
		8:irq:irq_handler_exit 9:sched:sched_switch; do
		echo "event ${e#*:} type=tracepoint config=1${e%%:*} sample=identifier|ip|tid|time|cpu|raw|callchain ids=${e%%:*}"
	done
	echo "feature tracing_data hex:170844 text:\"tracing\" text:\"0.6\" u8:0,${ENDIAN:-0},8 u32:4096"
	echo 'feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0'
	echo "feature tracing_data u32:3"
	for s in "irq 5 1 2 3 7 8" "workqueue 3 4 5 6" "sched 1 9"; do
		set -- $s
		echo "feature tracing_data text:\"$1\" u8:0 u32:$2"
		shift 2
		for f; do
			echo "feature tracing_data u64:$(wc -c < f$f) file:f$f"
		done
	done
	echo 'feature tracing_data u32:0,0 u64:0'
	echo 'feature event_desc'
	echo 'mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text" misc=kernel time=0'
}
# on CPU C: raise TIME VEC, soft TIME VEC, unsoft TIME VEC; activate TIME WORK, execute TIME WORK, done_work
# TIME WORK; irq TIME NR NAME, unirq TIME NR; switch TIME PREV PREV_COMM NEXT NEXT_COMM
of() { echo "sample id=$1 pid=5 tid=5 cpu=${C:-0} time=$2 chain=-128,0xffffffff81003010 u16:1$1 u8:0,0 u32:5 $3"; }
raise() { of 1 $1 u32:$2; }
soft() { of 2 $1 u32:$2; }
unsoft() { of 3 $1 u32:$2; }
activate() { of 4 $1 u64:$2; }
execute() { of 5 $1 u64:$2,0xffffffff81002000; }
done_work() { of 6 $1 u64:$2,0xffffffff81002000; }
irq() { of 7 $1 "u32:$2,$((16 + (${#3} << 16))) text:\"$3\" u8:0"; }
unirq() { of 8 $1 u32:$2,1; }
name8() { printf "text:\"$1\""; printf " u8:0%.0s" $(seq $((8 - ${#1}))); }
switch() { of 9 $1 "u32:$2,$4 $(name8 $3) $(name8 $5)"; }
samples() {
	raise 2000000 9; soft 3000000 9; raise 3500000 9; unsoft 4000000 9; soft 4100000 9; unsoft 4200000 9
	soft 5000000 1; unsoft 5500000 1
	activate 6000000 0x100; C=1; execute 7000000 0x100; done_work 8000000 0x100; C=0
	irq 9000000 5 disk; unirq 9500000 5
	soft 10000000 3; irq 10100000 5 disk; unirq 10600000 5; unsoft 11000000 3
}
{ kwork_file; samples; } | mkdata x.data || exit 1
kwork() { $PERF kwork "$@" -i ${FILE:-x.data} --kallsyms kallsyms > out; }

check 'report: how long work ran' '
	kwork report -S
	expect report out
	cat x.data | FILE=- kwork report -S
	expect report out
	{ echo order big; ENDIAN=1 kwork_file; samples; } | mkdata big.data
	FILE=big.data kwork report -S
	expect report out'
check 'latency: how long it waited after it was raised, also on another CPU' '
	kwork latency
	expect latency out'
check 'timehist: all of it in the order of its end, with where it was raised' '
	kwork timehist
	expect timehist out
	kwork timehist -g -x,
	grep -x "3000000,4000000,0,(s)RCU:9,1000000,1000000,queue_it+10" out
	grep -x "5000000,5500000,0,(s)TIMER:1,500000,,queue_it+10" out
	fails_with 129 $PERF kwork timehist -i x.data -s max 2> err
	says "-s has no meaning here" err'
# names ARGS: first column of a report
names() { kwork report -x: "$@"; grep -v "^#" out | grep . | cut -d: -f1 | sed "s/\..*//" | tr "\n" " "; }
check 'keys, classes, names, CPUs and time' '
	test "$(names -s count,max)" = "(s)RCU disk (s)NET_RX (w)do_update (s)TIMER "
	test "$(names -k irq)" = "disk "
	test "$(names -k irq,workqueue)" = "disk (w)do_update "
	test "$(names -n update)" = "(w)do_update "
	test "$(names -n TIM)" = "(s)TIMER "
	test "$(names -C 1)" = "(w)do_update "
	test "$(names --time ,0.0045)" = "(s)RCU "
	for wrong in "-k foo" "-s foo" "-k sched"; do
		fails_with 129 $PERF kwork report -i x.data $wrong 2> err
	done
	says "only top shows" err
	kwork -k softirq report
	silent_about disk out'
{ kwork_file; echo "comm pid=6 tid=6 comm=six time=0"; echo "comm pid=6 tid=7 comm=seven time=0"
	samples | sed "s/pid=5 tid=5 cpu=1/pid=6 tid=7 cpu=1/"; } | mkdata tasks.data || exit 1
check 'what ran in some tasks, which are not lost ends' '
	for only in "--pid 6" "-t 7" "--comm seven"; do
		FILE=tasks.data kwork report $only
		grep "(w)do_update .* 1.000 ms |         1 |" out
		silent_about "(s)" out
		silent_about "not in the recording" out
		FILE=tasks.data kwork latency $only
		grep "(w)do_update .* 1.000 ms |         1 |" out
	done
	test "$(FILE=tasks.data names --pid 5)" = "(s)RCU (s)NET_RX disk (s)TIMER "
	silent_about "not in the recording" out
	fails_with 129 $PERF kwork report -b -t 7 2> err
	says "do not filter tasks" err'
check '--csv is -x with a comma' '
	kwork report -x,
	cp out commas
	test -s commas
	kwork report --csv
	same commas out'
check 'typed values as JSON; a delay that is not known is null' '
	kwork timehist --json
	grep -F "{\"start\": 3000000, \"end\": 4000000, \"cpu\": 0, \"name\": \"(s)RCU:9\", \"runtime\": 1000000, \"delay\": 1000000}" out
	grep -F "\"runtime\": 500000, \"delay\": null, \"delay-reason\": \"its raise is not in the recording\"}" out
	kwork report --json -S
	grep -F "\"load\": 51.1" out
	echo "import json" | python3 2> err || skip "no python3 with its json module"
	python3 -m json.tool < out > py'
check 'work that is not whole is counted, and never has a time' '
	{ kwork_file; unsoft 1000 3; soft 2000 3; soft 3000 3; unsoft 4000 3; irq 5000 5 disk; samples; echo "lost_samples id=1 lost=7"; } | mkdata lost.data
	FILE=lost.data kwork report
	grep "NET_RX:3 .* 1.001 ms |         2 |" out
	grep -x "Work whose beginning is not in the recording: 1 (not counted)" out
	grep -x "Work whose end is not in the recording: 2 (not counted)" out
	grep -x "Events lost while recording: 7 (the numbers above are too small)" out'
switches() {
	switch 1000000 0 idle 5 aa; soft 1500000 1; irq 1600000 5 disk; unirq 1700000 5; unsoft 2000000 1
	switch 3000000 5 aa 6 bb; switch 4000000 6 bb 0 idle; switch 5000000 0 idle 5 aa
	switch 8000000 7 cc 0 idle; switch 9000000 0 idle 6 bb
	C=1; switch 4000000 8 dd 0 idle; switch 8000000 0 idle 5 aa; switch 9000000 5 aa 0 idle; C=0
}
{ kwork_file; switches; } | mkdata top.data || exit 1
check 'top: CPU time of tasks without that of interrupts; a lost switch is not guessed' '
	FILE=top.data kwork top
	expect top out
	FILE=top.data kwork top -s tid -x,
	grep -A 9 PID out | grep "^[0-9]" | cut -d, -f1,3,4 | tr "\n" " " > got
	test "$(cat got)" = "0,2000000,idle 0,4000000,idle 5,2500000,aa 6,1000000,bb "
	FILE=top.data kwork top -n bb -C 0 -x,
	grep -A 9 PID out | grep "^[0-9]" | grep -c , | finds -x 1
	FILE=top.data kwork top --tid 5 -x,
	grep "^[0-9]*,[0-9.]*%,[0-9]*," out | cut -d, -f1,3,4 > got
	test "$(cat got)" = "5,2500000,aa"
	FILE=top.data kwork top --comm bb -x,
	grep -q "^6,.*,1000000,bb" out
	silent_about ,aa out
	FILE=top.data kwork top --json
	grep -F "\"unknown-ms\": 3" out
	fails_with 129 $PERF kwork top -k irq -i top.data 2> err
	says "top needs the class sched" err
	fails_with 129 $PERF kwork top -S -i top.data 2> err'
check 'what a file lacks, and what is not there yet, is one message' '
	echo "event cycles" | mkdata other.data
	fails_with 1 $PERF kwork report -i other.data 2> err
	says "perf kwork record" err
	fails_with 1 $PERF kwork top -i other.data 2> err
	says "perf kwork -k sched,irq,softirq record" err
	fails_with 129 $PERF kwork report -b -i x.data 2> err
	says "-i has no meaning with -b" err
	{ kwork_file; samples; } | sed "/^event sched:sched_switch/d" | mkdata irqs.data
	fails_with 1 $PERF kwork top -i irqs.data 2> err
	says "irqs.data has no event sched:sched_switch" err
	fails_with 129 $PERF kwork nonsense 2> err
	says nonsense err
	test "$($PERF kwork --list-cmds)" = "record report latency timehist top "
	$PERF kwork report -D -i x.data > out
	says "PERF_RECORD_SAMPLE" out'
check 'damaged files do no harm' '
	kwork report
	says "(s)RCU:9" out
	size=$(wc -c < x.data)
	for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
		cp x.data cut.data
		printf "\377\200\001\377" | dd of=cut.data bs=1 seek=$((size * n / 17)) conv=notrunc 2> dd.err
		for word in report latency "timehist -g" top; do
			$PERF kwork $word -i cut.data > out 2> err || test $? = 1
		done
		head -c $((size * n / 17)) x.data > cut.data
		$PERF kwork report -i cut.data > out 2> err || test $? = 1
	done'
check_if ROOT,EVENTS,TRACEFS 'records what the reports read' '
	test -d /sys/kernel/tracing/events/irq/softirq_entry || skip "the kernel has no events of softirqs"
	$PERF kwork -k softirq,sched record -q -o live.data -- $PERF test -w context_switch_loop 100 > rec.out 2>&1
	$PERF evlist -i live.data > events
	grep -qx "irq:softirq_raise" events
	not grep -q "workqueue" events
	$PERF kwork top -k softirq,sched -i live.data > out
	says COMMAND out
	$PERF kwork report -k softirq -i live.data > out
	says "Kwork Name" out'
