#!/bin/sh
# perf trace of assembled files: lines, pairs, filters, summaries, damage; other byte orders and word sizes.
. "$(dirname "$0")/lib.sh"

# formats [WORD]: of sys_enter and sys_exit, WORD bytes a long
formats() {
	word=${1:-8}
	for f in 1:sys_enter 2:sys_exit; do
		trace_format "${f#*:}" "1${f%:*}" > head
		{ sed "/^print fmt/d; /^\$/d" head; echo; } > "f${f%:*}"
		printf "\tfield:long id;\toffset:8;\tsize:$word;\tsigned:1;\n" >> "f${f%:*}"
	done
	printf "\tfield:unsigned long args[6];\toffset:$((8 + word));\tsize:$((6 * word));\tsigned:0;\n" >> f1
	printf "\tfield:long ret;\toffset:$((8 + word));\tsize:$word;\tsigned:1;\n" >> f2
	for f in f1 f2; do printf "\nprint fmt: \"x\"\n" >> $f; done
}
# events [EXTRA_FORMAT...]: what a file says about its events
events() {
	for n in 1:sys_enter 2:sys_exit; do
		echo "event raw_syscalls:${n#*:} type=tracepoint config=1${n%:*} sample=identifier|tid|time|cpu|raw ids=${n%:*}"
	done
	echo "event sched:sched_tick type=tracepoint config=13 sample=identifier|tid|time|cpu|raw ids=3"
	echo "feature arch str:\"${ARCH:-x86_64}\""
	echo "feature tracing_data hex:170844 text:\"tracing\" text:\"0.6\" u8:0,${ENDIAN:-0},8 u32:4096"
	echo 'feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0'
	echo 'feature tracing_data u32:2 text:"raw_syscalls" u8:0 u32:2'
	for f in f1 f2; do
		echo "feature tracing_data u64:$(wc -c < $f) file:$f"
	done
	echo "feature tracing_data text:\"sched\" u8:0 u32:1 u64:$(wc -c < f3) file:f3"
	echo "feature tracing_data u32:0,0 u64:0"
	echo "feature event_desc"
}
# enter TID TIME NR ARG0 ARG1 ARG2; leave TID TIME NR RET; in microseconds
enter() {
	echo "sample id=1 pid=${PID:-$1} tid=$1 cpu=$(($1 % 2)) time=${2}000 u16:11 u8:0,0 u32:$1 $L:$3,${4:-0},${5:-0},${6:-0},0,0,0"
}
leave() {
	echo "sample id=2 pid=${PID:-$1} tid=$1 cpu=$(($1 % 2)) time=${2}000 u16:12 u8:0,0 u32:$1 $L:$3,$4"
}
tick() {
	echo "sample id=3 pid=$1 tid=$1 cpu=0 time=${2}000 u16:13 u8:0,0 u32:$1 u32:$3,$4"
}
L=u64
samples() {
	echo 'comm pid=5 tid=5 comm="five"'
	echo 'comm pid=6 tid=6 comm="s\x1bx"'
	leave 5 1000 0 7			# began before the recording
	enter 5 1010 3 4; leave 5 1014 3 0	# close(4) = 0
	enter 6 1020 0 3 0x7000 100		# read(3, 0x7000, 100)
	enter 5 1030 3 9; leave 5 1032 3 -9	# close(9) = EBADF
	leave 6 1520 0 100
	tick 5 1600 0 77
	enter 6 1700 0 3 0x7000 100
	leave 6 1702 0 0
	enter 6 1800 9999 1 2
	leave 6 1801 9999 -38
	enter 5 1900 3 4
}
formats
trace_format sched_tick 13 4:zero 4:load > f3
{ events; samples; } | mkdata x.data || exit 1

check 'lines: pairs, results, unfinished and continued calls, unknown calls, other events' '
	$PERF trace -i x.data 2> out
	expect lines out'
check 'the same of the other byte order, and from a pipe' '
	{ echo order big; ENDIAN=1 events; samples; } | mkdata big.data
	$PERF trace -i big.data 2> out
	expect lines out
	$PERF trace -i - < x.data 2> out
	expect lines out'
check 'a file of a kernel of 32 bits has the numbers of that machine' '
	formats 4
	L=u32
	ARCH=i686
	{ events; echo "comm pid=5 tid=5 comm=\"five\""; enter 5 1 6 4; leave 5 3 6 0; } | mkdata small.data
	formats
	$PERF trace -i small.data 2> out
	says "five/5 close(fd: 4) " out
	test "$(wc -l < out)" = 1'
check 'a 32-bit program is known by its vdso, also if a 64-bit one called exec' '
	{
		events | sed "/^event/s/\$/ flags=sample_id_all/"
		echo "comm pid=5 tid=5 comm=\"before\" time=1"
		echo "mmap pid=5 tid=5 addr=0x7f0000000000 len=0x2000 filename=\"[vdso]\" time=2"
		echo "comm pid=5 tid=5 comm=\"five\" misc=0x2000 time=3"
		echo "mmap pid=5 tid=5 addr=0x7fffffffe000 len=0x1000 filename=\"//anon\" time=4"
		echo "mmap pid=5 tid=5 addr=0x8048000 len=0x1000 filename=\"/bin/five\" time=5"
		echo "mmap pid=5 tid=5 addr=0xf7f51000 len=0x2000 filename=\"[vdso]\" time=6"
		enter 5 1 6 4; leave 5 3 6 0
		echo "comm pid=6 tid=6 comm=\"six\" time=1"
		echo "mmap pid=6 tid=6 addr=0x400000 len=0x1000 filename=\"/bin/six\" time=2"
		enter 6 4 3 4; leave 6 5 3 0
	} | mkdata compat.data
	$PERF trace -i compat.data 2> out
	test "$(grep -c -e "five/5 close(fd: 4) " -e "six/6 close(fd: 4) " out)" = 2'
check 'numbers of tasks have names: those of that time, safe to print; not the caller itself' '
	{
		events | sed "/^event/s/\$/ flags=sample_id_all/"
		echo "comm pid=5 tid=5 comm=\"five\" time=1"
		echo "comm pid=6 tid=6 comm=\"s\x1bx\" time=1"
		at=1
		for to in 6 5 7 0; do
			enter 5 $at 62 $to 9
			leave 5 $((at + 1)) 62 0
			at=$((at + 2))
		done
		enter 5 11 39; leave 5 12 39 5; enter 5 13 57; leave 5 14 57 6
		echo "comm pid=6 tid=6 comm=\"new\" time=15000"
		enter 5 16 62 6 9; leave 5 17 62 0
	} | mkdata tasks.data
	$PERF trace -i tasks.data 2>&1 | sed "s/^.*five.5 //; s/  *= / = /" > out
	expect tasks out'
check 'fields that are enumerations have the words of their values, also of 0' '
	cp f3 keep
	sed "s/unsigned int/enum state/; /^print/d" keep > f3
	echo "print fmt: \"%s %s\", __print_symbolic(REC->zero, { 0, \"OFF\" }, { LATER, \"late\" }), __print_symbolic(REC->load, { LATER, \"late\" }, { 77, \"high\" })" >> f3
	{ events; samples; tick 5 2000 0 78; } | mkdata enum.data
	cp keep f3
	$PERF trace -i enum.data --no-syscalls 2> out
	says "sched_tick(zero: OFF, load: high)" out
	says "sched_tick(zero: OFF, load: 78)" out'
# lines ARGS...: tasks and calls
lines() {
	$PERF trace -i x.data "$@" 2>&1 | sed -n "s/^.*): //; s/(.*= / = /p; s/(.*\\.\\.\\.\$/ .../p"
}
check 'filters: calls, failures, durations, tasks, CPUs, names, time' '
	lines -e close > out
	printf "five/5 close = 0\nfive/5 close = -1 EBADF (Bad file descriptor)\nfive/5 close ...\n" | same - out
	lines -e "!close,read" > out
	grep -c 9999 out
	silent_about close out
	silent_about read out
	$PERF trace -i x.data --failure 2> out
	test "$(wc -l < out)" = 3		# with the tracepoint
	$PERF trace -i x.data --no-syscalls 2> out
	test "$(wc -l < out)" = 1
	$PERF trace -i x.data --duration 0.4 2> out
	test "$(grep -c read out)" = 1
	silent_about close out
	$PERF trace -i x.data -t 6 2> out
	silent_about five out
	test "$(wc -l < out)" = 3
	$PERF trace -i x.data -p 5 2> by.pid
	$PERF trace -i x.data -C 1 2> by.cpu
	grep -v tick by.pid | same - by.cpu
	$PERF trace -i x.data --comms five 2> by.comm
	same by.pid by.comm
	$PERF trace -i x.data --time-span 0.0015,0.00175 -T 2> out
	says "1.600 " out
	silent_about "1.010 " out
	$PERF trace -i x.data --max-events 2 2> out
	test "$(wc -l < out)" = 2
	fails_with 129 $PERF trace -i x.data --duration x 2> err
	says "is not a time in milliseconds" err
	fails_with 1 $PERF trace -i x.data -u root 2> err
	says "do not apply to a file" err'
check 'a full disk is an error, also when lines are written while others are made' '
	[ -c /dev/full ] || skip "needs /dev/full"
	fails_with 1 $PERF trace -i x.data -o /dev/full 2> err
	says "cannot write /dev/full: No space left on device" err
	fails_with 1 $PERF trace -s -i x.data -o /dev/full 2> err
	says "cannot write /dev/full: No space left on device" err
	test -c /dev/full'
check 'parts of a line: time, CPU, name, duration, prefixes, alignment, by options and configuration' '
	$PERF trace -i x.data -e close -T --show-cpu --no-comm --max-events 1 2> out
	printf "     1.010 [001] ( 0.004 ms): 5 close(fd: 4)%57s = 0\n" "" | same - out
	printf "[trace]\nargs_alignment = 20\nshow_timestamp = no\nshow_duration = no\nshow_arg_names = no\n" > config
	PERF_CONFIG=$PWD/config $PERF trace -i x.data -e close --max-events 1 2> out
	printf "five/5 close(4)            = 0\n" | same - out
	printf "[trace]\nargs_alignment = wide\n" > config
	PERF_CONFIG=$PWD/config fails_with 1 $PERF trace -i x.data 2> err
	says "is not a number of columns" err'
check '--tod shows the time of day, if the file tells it' '
	{ events; echo "feature clock_data u32:1 u32:1 u64:1795281060829396001 u64:1000000"; samples; } | mkdata tod.data
	$PERF trace -i tod.data -e close --tod --no-comm --max-events 1 2> out
	printf "17:11:00.829406 ( 0.004 ms): 5 close(fd: 4)%57s = 0\n" "" | same - out
	TZ=UTC-3 $PERF trace -i tod.data --tod 2> out
	grep "^20:11:00.829406 ( 0.004 ms): " out
	grep "^              ? (         ): " out
	$PERF trace -i tod.data -e close --tod --json --max-events 1 2> out
	says "\"tod\": 1795281060829406001," out
	fails_with 1 $PERF trace -i x.data --tod 2> err
	says "does not say which time of day" err
	says "record -k CLOCK_MONOTONIC" err
	fails_with 129 $PERF trace -i tod.data --tod -T 2> err
	says "exclude each other" err'
check 'other events: fields as arguments, or as their format prints them' '
	$PERF trace -i x.data --no-syscalls 2> out
	says "five/5 sched:sched_tick(load: 77)" out
	$PERF trace -i x.data --no-syscalls --libtraceevent_print 2> out
	says "five/5 sched:sched_tick(sched_tick)" out
	$PERF trace -i x.data -e sched:other 2> out
	test ! -s out
	$PERF trace -i x.data --syscalls -e sched:sched_tick 2> out
	says "sched_tick" out
	says "read(fd: 3" out
	$PERF trace -i x.data --switch-on sched:sched_tick 2> out
	test "$(grep -c "five.* = " out)" = 0
	says "read(fd: 3" out
	$PERF trace -i x.data --switch-off sched:sched_tick 2> out
	silent_about 9999 out
	fails_with 1 $PERF trace -i x.data --switch-on no:such 2> err
	grep "there is no event .no:such.$" err'
check 'the summary of each thread, and of all' '
	$PERF trace -s --errno-summary --histogram -i x.data 2> out
	expect summary out
	$PERF trace -s --summary-mode total --max-summary 1 -i x.data 2> out
	says " total, " out
	test "$(grep -c "^   read " out)" = 1
	silent_about "close" out
	$PERF trace -s --max-events 2 -i x.data 2> out
	grep -E "^   close +1 " out
	test "$(grep -c "^   read " out)" = 1
	$PERF trace -S -i x.data 2> out
	says "s\\x1bx/6 read(" out
	says "Summary of events" out'
check 'percentiles and deviation: a hundred calls of 1 to 100 microseconds' '
	{ events; echo "comm pid=5 tid=5 comm=\"five\""
	  for i in $(seq 100); do enter 5 $((1000 * i)) 3 4; leave 5 $((1000 * i + i)) 3 0; done; } | mkdata many.data
	$PERF trace -s --json -i many.data 2> out
	says "\"calls\": 100, \"errors\": 0, \"total\": 5050000, \"min\": 1000, \"avg\": 50500, \"max\": 100000, \"stddev\": 5.74" out
	set -- $(sed -n "s/.*\"p50\": \([0-9]*\), \"p95\": \([0-9]*\), \"p99\": \([0-9]*\).*/\1 \2 \3/p" out)
	test "$1" -ge 47000 && test "$1" -le 53000
	test "$2" -ge 89300 && test "$2" -le 100000
	test "$3" -ge 93000 && test "$3" -le 100000'
check 'JSON: an object per line' '
	$PERF trace -i x.data --json -e close 2> out
	grep -F "{\"time\": 1010000, \"duration_ns\": 4000, \"cpu\": 1, \"comm\": \"five\", \"pid\": 5, \"tid\": 5, \"event\": \"syscall\", \"name\": \"close\", \"args\": \"fd: 4\", \"ret\": 0, \"result\": \"0\"}" out
	grep -F "\"errno\": \"EBADF\"" out
	$PERF trace -i x.data --json 2> out
	grep -F "\"unfinished\": true" out
	echo "import json" | python3 2> err || skip "no python3 with its json module"
	python3 -c "import json,sys; [json.loads(l) for l in open(\"out\")]"
	$PERF trace -s -i x.data --json 2>&1 | python3 -m json.tool > /dev/null'
check 'lost events are told, and time never runs backwards' '
	{ events; samples; echo "lost_samples id=1 lost=7"; } | mkdata lost.data
	$PERF trace -i lost.data 2> out
	says "Warning: 7 events were lost" out
	says "-m" out
	{ events; samples; echo "lost_samples misc=ext id=1 lost=7"; } | mkdata filtered.data
	$PERF trace -i filtered.data 2> out
	not says "lost" out
	{ events; echo "comm pid=5 tid=5 comm=\"five\""; enter 5 1 3 4; enter 5 2 3 4; leave 5 3 3 0
	  echo "lost_samples id=1 lost=7"; } | mkdata lost.data
	$PERF trace -s -i lost.data 2> out
	says " 7 events were lost: calls are missing below" out
	says " five (5), 3 events, 100.0%, 1 calls in part" out
	{ events; echo "comm pid=5 tid=5 comm=\"five\""; enter 5 100 3 4; enter 5 200 0 1; leave 5 300 3 0
	  leave 5 310 3 0; PID=9 enter 5 400 3 4; leave 5 410 3 0; } | mkdata odd.data
	$PERF trace -i odd.data 2> out
	silent_about " -" out
	test "$(grep -c "^         ? .*continued.: close()" out)" = 3
	silent_about "fd:" out'
check 'damaged samples and formats are counted or named' '
	{ events; echo "comm pid=5 tid=5 comm=\"five\""; enter 5 1 3 4
	  echo "sample id=2 pid=5 tid=5 cpu=1 time=2000 u16:12 u8:0,0"; leave 5 3 3 0; } | mkdata short.data
	$PERF trace -i short.data 2> out
	says "close(fd: 4)" out
	says "Warning: " out
	sed "s/args\[6\]/words[6]/" f1 > f1.new
	cp f1 f1.old && cp f1.new f1
	{ events; samples; } | mkdata renamed.data
	cp f1.old f1
	fails_with 1 $PERF trace -i renamed.data 2> err
	grep "has no field .args.$" err
	sed "s/size:48/size:8/" f1.old > f1
	{ events; samples; } | mkdata narrow.data
	cp f1.old f1
	$PERF trace -i narrow.data > out 2>&1
	silent_about "close(fd" out'
check 'without the events of system calls other events are lines' '
	printf "event cpu-clock type=software config=cpu-clock sample=ip|tid|time|period\ncomm tid=7 comm=\"seven\"\nsample ip=0x1000 tid=7 time=5000\n" | mkdata clock.data
	$PERF trace -i clock.data 2> out
	says "seven/7 cpu-clock(0x1000)" out'
# slices FILE: "TRACK NAME FROM DURATION" of each slice of a trace, in microseconds since the first one
slices() {
	python3 -c "
import json, sys
events = json.load(open(sys.argv[1]))['traceEvents']
names = {}
for e in events:
    if e['ph'] == 'M' and e['name'] == 'thread_name':
        names[e['pid'], e['tid']] = e['args']['name']
slices = [e for e in events if e['ph'] == 'X']
first = min(e['ts'] for e in slices)
for e in sorted(slices, key = lambda e: (names[e['pid'], e['tid']], e['ts'])):
    print(names[e['pid'], e['tid']], e['cat'] if 'cat' in e else '-', e['name'], round(e['ts'] - first, 3), round(e['dur'], 3))" "$1"
}
have_PYTHON() {
	echo "import json" | python3 2> /dev/null || { echo "no python3 with its json module"; return 1; }
}
check_if PYTHON 'a picture of calls: names, errors, what has not returned' '
	$PERF trace -i x.data --timeline x.json 2> err
	test ! -s err
	slices x.json | tr -d "\033" > slices
	expect slices slices
	cat x.data | $PERF trace -i - --timeline pipe.json
	slices pipe.json | tr -d "\033" | same slices -
	{ echo order big; ENDIAN=1 events; samples; } | mkdata big.data
	$PERF trace -i big.data --timeline big.json
	slices big.json | tr -d "\033" | same slices -'
check_if PYTHON 'a picture of the calls that options select' '
	$PERF trace -i x.data -e close --timeline x.json
	slices x.json > out
	says " close" out
	silent_about " read" out
	$PERF trace -i x.data --failure --timeline x.json
	slices x.json > out
	test "$(wc -l < out)" = 2
	says "close EBADF" out
	$PERF trace -i x.data --duration 0.4 --timeline x.json
	slices x.json > out
	test "$(wc -l < out)" = 1
	fails_with 1 $PERF trace -i x.data -e nanosleep --timeline n.svg 2> err
	says "there is nothing to draw" err
	fails_with 1 $PERF trace -i x.data --timeline x.png 2> err
	says "does not say what kind of picture" err
	fails_with 1 $PERF trace -i x.data --no-syscalls --timeline x.svg 2> err
	says "leave none" err
	$PERF trace -i x.data -s --timeline x.svg 2> sum
	says "Summary of events" sum
	test -s x.svg'
check 'a picture of many calls stays small, and says what was merged' '
	{ events; echo "repeat 300000"
	  echo "sample id=1 pid=5 tid=5 cpu=0 time=1000000+\$i*2000 u16:11 u8:0,0 u32:5 u64:0,3,0,0,0,0,0"
	  echo "sample id=2 pid=5 tid=5 cpu=0 time=1001000+\$i*2000 u16:12 u8:0,0 u32:5 u64:0,7"
	  echo end; } | mkdata many.data
	$PERF trace -i many.data --timeline many.html
	grep -q "spans that together are shorter than [0-9.]* [mu]s are shown as one" many.html
	test "$(wc -c < many.html)" -lt 6000000'
check_if CHROMIUM 'the picture as a page in a browser' '
	$PERF trace -i x.data --timeline x.html
	in_browser x.html "
		const c = document.querySelector(\"canvas\"), s = document.querySelector(\"input\");
		const pixels = new Set(c.getContext(\"2d\").getImageData(0, 0, c.width, c.height).data);
		say(\"colors \" + (pixels.size > 10));
		s.value = \"EBADF\";
		s.dispatchEvent(new Event(\"input\"));
		await drawn();
		dispatchEvent(new KeyboardEvent(\"keydown\", { key: \"n\" }));
		say(document.querySelector(\"#status\").textContent);" > out
	expect browser out'
