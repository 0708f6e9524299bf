#!/bin/sh
# report by fields of tracepoints: the same text as from the newest upstream.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST ROOT TRACEFS

# text TOOL ARGS...: the report without its tip and blanks at the ends
text() {
	tool=$1
	shift
	"$tool" report --stdio --skip-empty -i x.data "$@" 2> err | grep -v '^# (Tip' | sed 's/ *$//'
}
same_text() {
	text "$PERF" "$@" > ours
	text "$NEWEST" "$@" > theirs
	test "$(grep -c % theirs)" -gt 2
	same theirs ours || { echo "differs with: $*"; exit 1; }
}

# upstream takes a name in a field to end at its first blank; what else the machine does is not asked for
"$NEWEST" record -q -e sched:sched_switch --filter '!(prev_comm ~ "* *") && !(next_comm ~ "* *")' \
	-e sched:sched_wakeup --filter '!(comm ~ "* *")' -e kmem:kmalloc -o x.data sh -c '
	for i in 1 2 3; do ls / > /dev/null; sleep 0.01; done' > /dev/null 2>&1

check 'fields of events, by name, by number, all of them' '
	same_text -s trace_fields
	same_text -s prev_comm,next_pid
	same_text -s sched:sched_switch.prev_comm,comm
	same_text -s "sched_wakeup.*"
	same_text -s %2.comm
	same_text -s comm,next_prio,trace
'
check 'numbers as they are' '
	same_text -s next_comm/raw,prev_state/raw
	same_text --raw-trace -s prev_state,prev_pid
	same_text --raw-trace -s trace
'
check 'the text of tracepoints, also with names of kernel addresses' '
	same_text -s trace
	grep -q "call_site=[a-z_]*+0x" ours
'
check 'a file of tracepoints alone is shown by their text' '
	"$NEWEST" record -q -e sched:sched_process_exec -o x.data sh -c "/bin/true; /bin/false; ls" > /dev/null 2>&1
	text "$PERF" > ours
	grep -q "Trace output" ours
	grep -q "filename=[^ ]*true pid=" ours
'
check 'threads do not matter' '
	"$PERF" record -q -a -e sched:sched_switch -o x.data sh -c "ls -R /usr/share > /dev/null" > /dev/null 2>&1
	"$PERF" report -i x.data -s trace_fields -j1 --chunk-size 4096 > one
	"$PERF" report -i x.data -s trace_fields -j8 --chunk-size 4096 > eight
	grep -q % one
	same one eight
'
