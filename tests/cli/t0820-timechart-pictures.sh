#!/bin/sh
# perf timechart: pictures of CPUs, tasks and I/O, from assembled files: as SVG, page, trace and JSON;
# the page in a browser; recording, where the kernel lets it.
. "$(dirname "$0")/lib.sh"

# format NAME ID FIELD...: a format file; FIELD is TYPE:NAME:OFFSET:SIZE:SIGNED
format() {
	printf "name: $1\nID: $2\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	printf "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	printf "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	printf "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	format_name=$1
	shift 2
	echo "$*" | tr " " "\n" | while IFS=: read -r type name off size signed; do
		printf "\tfield:%s %s;\toffset:%s;\tsize:%s;\tsigned:%s;\n" "$type" "$name" "$off" "$size" "$signed"
	done | sed "s/char \([a-z_]*\)16;/char \1[16];/"
	printf "\nprint fmt: \"$format_name\"\n"
}
format sched_switch 11 char:prev_comm16:8:16:0 int:prev_pid:24:4:1 long:prev_state:32:8:1 char:next_comm16:40:16:0 int:next_pid:56:4:1 > f1
format sched_wakeup 12 char:comm16:8:16:0 int:pid:24:4:1 > f2
format cpu_idle 13 int:state:8:4:0 int:cpu_id:12:4:0 > f3
format cpu_frequency 14 int:state:8:4:0 int:cpu_id:12:4:0 > f4
for c in read:1 write:2 poll:3; do
	fd=long:fd:16:8:0
	[ ${c%:*} != poll ] || fd=
	format sys_enter_${c%:*} 2${c#*:} int:__syscall_nr:8:4:1 $fd > e${c#*:}
	format sys_exit_${c%:*} 3${c#*:} int:__syscall_nr:8:4:1 long:ret:16:8:1 > x${c#*:}
done

# events SYSTEM FILE...: what a file says about its events
formats_of() {
	system=$1
	shift
	echo "feature tracing_data text:\"$system\" u8:0 u32:$#"
	for f; do
		echo "feature tracing_data u64:$(wc -c < $f) file:$f"
	done
}
sched_events() {
	for n in 1:sched:sched_switch 2:sched:sched_wakeup 3:power:cpu_idle 4:power:cpu_frequency; do
		echo "event ${n#*:} type=tracepoint config=1${n%%:*} sample=identifier|ip|tid|time|cpu|raw|period${CHAIN-} ids=${n%%:*}"
	done
	topology
	echo "feature tracing_data hex:170844 text:\"tracing\" text:\"0.6\" u8:0,${ENDIAN:-0},8 u32:4096"
	echo 'feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0'
	echo "feature tracing_data u32:2"
	formats_of sched f1 f2
	formats_of power f3 f4
	echo "feature tracing_data u32:0 u64:0"
	echo "feature event_desc"
}
topology() { :; }
io_events() {
	for n in 1:read 2:write 3:poll; do
		for way in enter:2 exit:3; do
			echo "event syscalls:sys_${way%:*}_${n#*:} type=tracepoint config=${way#*:}${n%:*} sample=identifier|ip|tid|time|cpu|raw|period ids=${way#*:}${n%:*}"
		done
	done
	echo "feature tracing_data hex:170844 text:\"tracing\" text:\"0.6\" u8:0,0,8 u32:4096"
	echo 'feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0'
	echo "feature tracing_data u32:1"
	formats_of syscalls e1 x1 e2 x2 e3 x3
	echo "feature tracing_data u32:0 u64:0"
	echo "feature event_desc"
}
# name16 NAME: 16 bytes; NAME as printf(1) has it
name16() {
	name=$(printf "%b" "$1" | od -An -v -tx1 | tr -d " \n")
	printf "hex:%s zero:%s" "$name" $((16 - ${#name} / 2))
}
# switch TIME CPU PREV PID STATE NEXT PID; wakeup TIME CPU BY NAME PID [FLAGS]; idle TIME CPU STATE;
# speed TIME CPU KHZ
switch() {
	echo "sample id=1 pid=$4 tid=$4 cpu=$2 time=$1 ${CHAIN_OF-} u16:11 u8:0,0 u32:$4 $(name16 "$3") u32:$4 u32:0 u64:$5 $(name16 "$6") u32:$7 u32:0"
}
wakeup() {
	echo "sample id=2 pid=$3 tid=$3 cpu=$2 time=$1 u16:12 u8:${6:-0},0 u32:$3 $(name16 "$4") u32:$5 u32:0"
}
idle() { echo "sample id=3 pid=0 tid=0 cpu=$2 time=$1 u16:13 u8:0,0 u32:0 u32:$3 u32:$2"; }
speed() { echo "sample id=4 pid=0 tid=0 cpu=$2 time=$1 u16:14 u8:0,0 u32:0 u32:$3 u32:$2"; }
# enter TIME TID CALL FD; leave TIME TID CALL RET
enter() { echo "sample id=2$3 pid=$2 tid=$2 cpu=0 time=$1 u16:2$3 u8:0,0 u32:$2 u32:0 u32:0 u64:$4"; }
leave() { echo "sample id=3$3 pid=$2 tid=$2 cpu=0 time=$1 u16:3$3 u8:0,0 u32:$2 u32:0 u32:0 u64:$4"; }

tasks() {
	echo 'comm pid=5 tid=5 comm="five"'
	echo 'comm pid=6 tid=6 comm="six"'
	speed 1000000 0 1000000
	idle 1000000 1 1
	switch 2000000 0 five 5 1 six 6			# five ran since the beginning, now it sleeps
	speed 3000000 0 2000000
	wakeup 4000000 0 6 five 5
	idle 4000000 1 4294967295
	switch 4100000 1 swapper/1 0 0 five 5
	switch 6000000 0 six 6 2 swapper/0 0		# it is blocked
	switch 7000000 1 five 5 0 nine 9		# it is preempted
	wakeup 8000000 1 9 six 6 8			# by an interrupt
	switch 8500000 0 swapper/0 0 0 six 6
	switch 9000000 1 nine 9 1 five 5
	switch 11000000 1 five 5 64 swapper/1 0		# its end
}
io() {
	echo 'comm pid=5 tid=5 comm="five"'
	enter 1000000 5 1 3
	leave 1010000 5 1 100
	enter 1010500 5 1 3
	leave 1020500 5 1 50
	enter 2000000 5 1 4
	leave 2010000 5 1 -11
	enter 4000000 5 2 1
	leave 4500000 5 2 7
	enter 5000000 5 3
	leave 8000000 5 3 1
	leave 8100000 5 2 9			# its enter was before
	enter 9000000 5 2 9
}
{ sched_events; tasks; } | mkdata x.data || exit 1
{ io_events; io; } | mkdata io.data || exit 1

# spans FILE ARGS...: "TRACK KIND FROM-TO LABEL BY" of each span, in microseconds since the first event
spans() {
	spans_of=$1
	shift
	$PERF timechart -i "$spans_of" --json "$@" > spans.json
	sed -n 's/^    {"name": "\([^"]*\)".*/track \1/p; s/^ *{"kind": "/span /p' spans.json |
		sed 's/\("\|, *\)*}.*//; s/", "from": / /; s/, "to": / /; s/, "[a-zA-Z]*": / /g; s/"//g' |
		awk '$1 == "track" { track = substr($0, 7); next }
		     { if (!base) base = 1000000; from = ($3 - base) / 1000; to = ($4 - base) / 1000; kind = $2
		       $1 = $2 = $3 = $4 = ""; sub(/^ */, ""); print track, kind, from "-" to, $0 }' | sed 's/ $//'
}

check 'states of tasks and CPUs' '
	spans x.data > out
	expect tasks out
	test "$(grep -c "^five" out)" = 6'
check 'the same of the other byte order' '
	spans x.data > out
	{ echo order big; ENDIAN=1 sched_events; tasks; } | mkdata big.data
	test -s out
	spans big.data | same out -'
check 'the same from a pipe' '
	$PERF timechart -i x.data -o file.svg
	cat x.data | $PERF timechart -i - -o pipe.svg
	cmp file.svg pipe.svg'
check 'I/O: calls that follow closely are one, errors are told' '
	spans io.data > out
	expect io out
	spans io.data --io-skip-eagain > skipped
	grep -v "fd 4" out | same skipped -
	spans io.data --io-min-time 1 --io-merge-dist 0 > all
	says "five:5 reading 0-10 read fd 3 100" all
	says "five:5 reading 10.5-20.5 read fd 3 50" all
	spans io.data --io-merge-dist 3ms > one
	says "five:5 reading 0-1000 read fd 3 2 20000 150" one
	fails_with 129 $PERF timechart -i io.data --io-min-time x 2> err'
check 'one kind of tracks, some tasks, a part of the time, marked ones' '
	spans x.data -P | cut -d" " -f1 | sort -u > out
	echo CPU | same - out
	spans x.data -T > out
	silent_about "frequency" out
	silent_about "idle" out
	says "five:5 running" out
	spans x.data -p six | grep -v "^CPU" | cut -d: -f1 | sort -u > out
	echo six | same - out
	spans x.data -p 5 | grep -v "^CPU" | cut -d: -f1 | sort -u > out
	echo five | same - out
	fails_with 1 $PERF timechart -i x.data -o no.svg -p nobody 2> err
	says "no task is called '\''nobody'\''" err
	test ! -e no.svg
	spans x.data --tid 5 | grep -v "^CPU" | cut -d: -f1 | sort -u | same out -
	spans x.data --comm five | grep -v "^CPU" | cut -d: -f1 | sort -u | same out -
	fails_with 1 $PERF timechart -i x.data -o no.svg --pid 12345 2> err
	says "no task passes the filters" err
	spans x.data --highlight six > out
	says "six:6 highlighted 1000-5000" out
	says "five:5 running" out
	spans x.data --highlight 3500us > out
	says "six:6 highlighted 1000-5000" out
	silent_about "five:5 highlighted" out
	spans x.data -C 0 > out
	silent_about "CPU 1" out
	fails_with 129 $PERF timechart -P -T -i x.data 2> err'
check 'tasks that were hardly busy are left out, and that is told' '
	{ sched_events; tasks; switch 11000000 0 six 6 1 tiny 7; switch 11000001 0 tiny 7 1 six 6; switch 12000000 0 six 6 1 swapper/0 0; } | mkdata tiny.data
	spans tiny.data > out
	says "tiny:7" out
	spans tiny.data -n 1 > out
	silent_about "tiny:7" out
	says "1 task that was hardly busy is not shown" spans.json'
check 'events that do not fit are counted, and nothing absurd is drawn' '
	{ sched_events; tasks; switch 12000000 1 lost 77 1 six 6; switch 12500000 0 five 5 1 five 5; } | mkdata bad.data
	spans bad.data > out
	says "3 events do not fit to earlier events: what they end is" spans.json
	awk "{ split(\$3, t, \"-\"); if (t[2] > 11500 || t[1] < 0) bad = 1 } END { exit bad }" out
	{ sched_events; tasks; echo "lost_samples id=1 lost=7"; } | mkdata lost.data
	spans lost.data > out
	says "7 events were lost" spans.json
	{ sched_events; idle 1 4000000000 1; } | mkdata cpu.data
	spans cpu.data > out
	says "1 event does not fit" spans.json'
check 'why a task sleeps, if call chains were recorded' '
	{ CHAIN="|callchain" sched_events; echo "mmap2 tid=5 pid=5 addr=0x400000 len=0x1000 prot=5 filename=\"//anon\""
	  CHAIN_OF="chain=-512,0x400010,0x400110" tasks; } | mkdata chain.data
	mkdir -p fs/tmp
	printf "%s\n" "400000 80 wait_for_it" "400100 80 work" > fs/tmp/perf-5.map
	PERF_FS_ROOT=$PWD/fs spans chain.data > out
	says "five:5 sleeping 1000-3000 wait_for_it < work" out'
check 'CPUs by topology' '
	topology() { echo "feature cpu_topology u32:1 str:\"0-1\" u32:1 str:\"0\" u32:1,0,0,0"; echo "feature nrcpus u32:2,2"; }
	{ sched_events; tasks; } | mkdata topo.data
	spans topo.data -t > out
	test "$(grep "^CPU" out | cut -d" " -f2 | uniq | tr -d "\n")" = 10
	fails_with 1 $PERF timechart -i x.data -t -o t.svg 2> err
	says "does not say how CPUs belong to cores" err'
check 'an SVG is well-formed, as wide as asked, and says what each span is' '
	$PERF timechart -i x.data -o x.svg 2> err
	says "Written 0.0 seconds of trace to x.svg." err
	says "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1000\"" x.svg
	says "<title>five:5: running 2.900 ms, at 3.100 ms</title>" x.svg
	$PERF timechart -i x.data 2> err
	says " to output.html." err
	says "<!DOCTYPE html>" output.html
	$PERF timechart -i x.data -o wide.svg -w 3000
	says "width=\"3000\"" wide.svg
	fails_with 129 $PERF timechart -i x.data -w 3 2> err
	$PERF timechart -i x.data -o again.svg
	cmp x.svg again.svg
	echo "import xml.dom.minidom" | python3 2> /dev/null || skip "no python3"
	python3 -c "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])" x.svg'
check 'names from the data cannot break a picture' '
	a="<b>&\"]]>" b="</script><!--" c="a\001b\377\033"
	{ sched_events; switch 1000 0 "$a" 5 1 six 6; switch 2000 0 six 6 1 "$b" 7; switch 3000 0 "$b" 7 1 "$c" 8; switch 4000 0 "$c" 8 1 six 6; } | mkdata evil.data
	for kind in svg html json; do $PERF timechart -i evil.data -n 9 -o evil.$kind; done
	says "&lt;b&gt;&amp;" evil.svg
	test "$(grep -c "</script>" evil.html)" = 2
	silent_about "<b>" evil.html
	silent_about "<!--" evil.html
	not grep -q "$(printf "\001")" evil.svg evil.html evil.json
	echo "import xml.dom.minidom, json" | python3 2> /dev/null || skip "no python3"
	python3 -c "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])" evil.svg
	python3 -m json.tool evil.json > /dev/null'
check 'a trace for Perfetto: slices, their tracks, arrows' '
	$PERF timechart -i x.data -o x.json
	says "{\"name\": \"Running\", \"ph\": \"X\", " x.json
	says "\"ph\": \"s\"" x.json
	says "\"name\": \"process_name\", \"ph\": \"M\"" x.json
	echo "import json" | python3 2> /dev/null || skip "no python3"
	python3 -c "
import json, sys
d = json.load(open(sys.argv[1]))
ends = {}
for e in sorted((e for e in d[\"traceEvents\"] if e[\"ph\"] == \"X\"), key = lambda e: e[\"ts\"]):
    row = (e[\"pid\"], e[\"tid\"])
    assert e[\"dur\"] > 0 and e[\"ts\"] >= ends.get(row, 0) - 0.0005, e
    ends[row] = e[\"ts\"] + e[\"dur\"]
assert len(ends) > 4" x.json'
check 'what a file name or a file lacks is one message' '
	fails_with 1 $PERF timechart -i x.data -o x.png 2> err
	says "the name '\''x.png'\'' does not say what kind of picture" err
	echo "event cycles" | mkdata other.data
	fails_with 1 $PERF timechart -i other.data -o o.svg 2> err
	says "perf timechart record" err
	test ! -e o.svg
	fails_with 1 $PERF timechart -i x.data -o nowhere/x.svg 2> err
	says "cannot create nowhere/x.svg" err
	fails_with 129 $PERF timechart nonsense 2> err
	says "'\''nonsense'\'' is not record" err
	test "$($PERF timechart --list-cmds)" = "record "'
check 'many spans: the picture stays small and says what was merged' '
	{ sched_events; echo "repeat 150000"
	  echo "sample id=1 pid=5 tid=5 cpu=0 time=1000000+\$i*2000 u16:11 u8:0,0 u32:5 $(name16 five) u32:5 u32:0 u64:1 $(name16 six) u32:6 u32:0"
	  echo "sample id=1 pid=6 tid=6 cpu=0 time=1001000+\$i*2000 u16:11 u8:0,0 u32:6 $(name16 six) u32:6 u32:0 u64:1 $(name16 five) u32:5 u32:0"
	  echo end; } | mkdata many.data
	$PERF timechart -i many.data -o many.html
	$PERF timechart -i many.data -o many.svg
	grep -q "spans that together are shorter than [0-9.]* [mu]s are shown as one" many.html
	grep -q "are drawn as one" many.svg
	test "$(wc -c < many.html)" -lt 4000000
	test "$(wc -c < many.svg)" -lt 20000000
	spans many.data | awk "/^five:5 running/ { n++ } END { exit n < 1000 }"'
check_if CHROMIUM 'the page in a browser: draws, tells, zooms, searches, needs nothing' '
	$PERF timechart -i x.data -o x.html
	in_browser x.html "
		const c = document.querySelector(\"canvas\"), s = document.querySelector(\"input\");
		const pixels = new Set(c.getContext(\"2d\").getImageData(0, 0, c.width, c.height).data);
		say(\"colors \" + (pixels.size > 10));
		say(document.body.dataset.from + \"-\" + document.body.dataset.to);
		dispatchEvent(new KeyboardEvent(\"keydown\", { key: \"+\" }));
		await drawn();
		say(document.body.dataset.from + \"-\" + document.body.dataset.to + \" \" + location.hash);
		s.value = \"^five\";
		s.dispatchEvent(new Event(\"input\"));
		await drawn();
		say(document.querySelector(\"#found\").textContent);
		dispatchEvent(new KeyboardEvent(\"keydown\", { key: \"n\" }));
		say(document.querySelector(\"#status\").textContent);
		dispatchEvent(new KeyboardEvent(\"keydown\", { key: \"0\" }));
		await drawn();
		say(document.body.dataset.from + \"-\" + document.body.dataset.to + \" \" + document.body.dataset.matches);
		const toggle = document.querySelector(\"#arrows\");
		say(\"arrows \" + (document.body.dataset.arrows > 0) + \" \" + toggle.getAttribute(\"aria-pressed\"));
		toggle.click();
		await drawn();
		say(\"arrows \" + document.body.dataset.arrows + \" \" + toggle.getAttribute(\"aria-pressed\"));
		document.querySelectorAll(\"button\")[3].click();
		say(document.documentElement.className);" > out
	expect browser out
	in_browser "x.html#from=1000000&to=3000000&search=six" "
		say(document.body.dataset.from + \"-\" + document.body.dataset.to + \" \" + (document.body.dataset.matches > 0));" > out
	echo "1000000-3000000 true" | same - out'
check_if CHROMIUM 'names from the data do nothing in a browser' '
	test -e evil.html || skip "it was not made"
	in_browser evil.html "say(document.querySelectorAll(\"b\").length);" > out
	echo 0 | same - out'
check_if ROOT,EVENTS,TRACEFS 'records what is drawn' '
	for what in "" -T -P -I -g; do
		$PERF timechart record -o live.data $what -q -- sh -c "cat /etc/passwd; sleep 0.01" > cat.out 2> err || { cat err; false; }
		$PERF evlist -i live.data > events
		case $what in
		-I) grep -q "syscalls:sys_enter_read" events && ! grep -q sched: events ;;
		-P) grep -q "power:cpu_idle" events && ! grep -q sched: events ;;
		-T) grep -q "sched:sched_switch" events && ! grep -q power: events ;;
		*) grep -q "sched:sched_switch" events && grep -q "power:cpu_idle" events ;;
		esac
	done
	$PERF timechart record -o live.data -q -- sh -c "cat /etc/passwd; sleep 0.01" > cat.out 2> err
	$PERF timechart -i live.data -o live.svg
	grep -q "running" live.svg'
