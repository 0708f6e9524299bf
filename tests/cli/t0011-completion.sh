#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"
have_BASH() {
	command -v bash > /dev/null || { echo "needs bash"; return 1; }
}
need BASH

# complete WORD...: what bash offers for the last word
cat > complete.sh <<'EOF'
. "$SRC/completion/perf.bash"
COMP_WORDS=("$PERF" "$@")
COMP_CWORD=$#
_perf
printf '%s\n' "${COMPREPLY[@]}"
EOF
check 'commands, options, workloads, keys, features' '
	test "$(bash complete.sh vers)" = version
	bash complete.sh --build | says "--buildid-dir" /dev/stdin
	test "$(bash complete.sh --buildid-dir x vers)" = version
	test "$(bash complete.sh config --us)" = --user
	test "$(bash complete.sh test -w callc)" = callchain
	test "$(bash complete.sh help chec)" = check
	test "$(bash complete.sh config report.chi)" = report.children
	test "$(bash complete.sh check feature libel)" = libelf
	test -z "$(bash complete.sh record ./some-fi)"
'
# line WORD...: the same, with the line as bash has it: words end at colons, too
cat > line.sh <<'EOF'
. "$SRC/completion/perf.bash"
COMP_LINE="$PERF $1"
COMP_POINT=${#COMP_LINE}
shift
COMP_WORDS=("$PERF" "$@")
COMP_CWORD=$#
_perf
printf '%s\n' "${COMPREPLY[@]}"
EOF
check 'events, also behind others' '
	test "$(bash line.sh "stat -e task-cl" stat -e task-cl)" = task-clock
	test "$(bash line.sh "record -e cpu-clock,page-fau" record -e cpu-clock,page-fau)" = cpu-clock,page-faults
	test "$(bash line.sh "list metricg" list metricg)" = metricgroup
'
check_if TRACEFS 'tracepoints' '
	test "$(bash line.sh "record -e sched:sched_switc" record -e sched : sched_switc)" = sched_switch
	test "$(bash line.sh "record -e cs,sched:sched_switc" record -e cs,sched : sched_switc)" = sched_switch
'
