#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

check 'a line on a pipe has two blanks, the name and the kind' '
	$PERF list sw > out
	grep -q "^  task-clock  *\[Software event\]$" out
	grep -q "^  context-switches OR cs  *\[Software event\]$" out
	not grep -v "^  [a-z]" out
	$PERF list software | cmp - out
	$PERF list tool > out
	grep -q "^  duration_time  *\[Tool event\]$" out
	not grep -q Software out
'
check 'sections, globs and parts of names together' '
	$PERF list tool "cpu-cl*" CPU-MIGRA | sed "s/^  //; s/ .*//" > out
	printf "cpu-clock\ncpu-migrations\n" > want
	$PERF list tool | sed "s/^  //; s/ .*//" >> want
	diff out want
'
check 'nothing that matches is said, not an error' '
	$PERF list no-such-event > out 2> err
	test ! -s out
	says "nothing matches '"'no-such-event'"'" err
'
check 'hints for codes and addresses stay' '
	$PERF list 2> /dev/null > out
	grep -q "^  rNNN  *\[Raw hardware event descriptor\]$" out
	grep -q "^  mem:<addr>\[/len\]\[:access\]  *\[Hardware breakpoint\]$" out
	grep -q "^  cpu.*/modifier *\[Raw hardware event descriptor\]$" out
'
check 'descriptions and details on request' '
	$PERF list -d task-clock > out
	grep -q "^  task-clock  *\[Software event\]  time the task has run" out
	$PERF list --details --no-desc task-clock > out
	grep -q "^  task-clock  *\[Software event\]  software/config=1/$" out
'
check 'names alone for completion, into a file' '
	$PERF list --raw-dump -o file sw
	grep -q "^alignment-faults bpf-output .*task-clock$" file
	test "$(wc -l < file)" = 1
	fails_with 1 $PERF list -o /nonexistent/x sw 2> err
	says "cannot write /nonexistent/x" err
	fails_with 129 $PERF list -j --raw-dump 2> /dev/null
'
have_PYTHON() {
	command -v python3 > /dev/null || { echo "needs python3"; return 1; }
}
check_if PYTHON 'JSON is an array of objects' '
	$PERF list -j sw tool metric > out
	python3 - <<-EOF
	import json
	l = json.load(open("out"))
	cs = [o for o in l if o.get("EventName") == "cs"][0]
	assert cs["Unit"] == "software" and cs["Encoding"] == "software/config=3/", cs
	assert any(o.get("MetricName") and o["MetricExpr"] for o in l)
	EOF
	$PERF list -j no-such-event 2> /dev/null | python3 -c "import json, sys; assert json.load(sys.stdin) == []"
'
check_if TRACEFS 'subsystems are together and in order' '
	$PERF list tracepoint > out
	cut -d: -f1 out | uniq | LC_ALL=C sort -c -u
	grep -q "^  sched:sched_switch  *\[Tracepoint event\]$" out
	$PERF list "sched*" | cmp - out && exit 1
	$PERF list "sched:*" > sched
	test -s sched
	not grep -v "^  sched:" sched
	$PERF list "sched_sw*" | finds "^  sched:sched_switch "
'
check_if TRACEFS 'fields of tracepoints, with types and how they print' '
	$PERF list --fields sched:sched_switch > out
	head -n 1 out | finds -x sched:sched_switch
	grep -Eq "^  prev_comm +char\[16\] +16 bytes$" out
	grep -Eq "^  next_prio +int +4 bytes, signed$" out
	grep -q "^  prints: \"prev_comm=%s" out
	not grep -q common_pid out
	test "$($PERF list --fields sched:sched_stat_runtime irq:irq_handler_entry | grep -c "^[a-z]*:")" = 2
	$PERF list --fields -v sched:sched_switch | finds -E "^  common_pid +int"
	$PERF list --fields no:such 2> err > out
	test ! -s out
	says "no tracepoint matches" err
'
check_if PTY 'on a terminal it has headings' '
	script -qec "stty cols 90; $PERF list sw" /dev/null < /dev/null | tr -d "\r" > out
	grep -q "^Software events:" out
	grep -q "^  cpu-clock  *\[Software event\]" out
	grep -q "^       \[time on the CPU" out
'
