#!/bin/sh
# What record -o - writes is read by the other perfs' reports and by a strict reader written from the page of
# the format alone.
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS

have_PYTHON() {
	command -v python3 > /dev/null || { echo "needs python3"; return 1; }
}
# recorded ARGS...: a stream, "pipe", and the number of samples in it, "want". Its workload switches or takes
# CPU time, however busy or idle the machine is
recorded() {
	case $* in *sched:*) workload=context_switch_loop ;; *) workload="deterministic 10000" ;; esac
	timeout 100 "$PERF" record "$@" -o - -- "$PERF" test -w $workload > pipe 2> log || { cat log; return 1; }
	"$PERF" script -i - -F comm < pipe 2> /dev/null | grep -c . > want
	test "$(cat want)" -gt 10
}
# read_by TOOL: its report ends well and has all samples
read_by() {
	upstream timeout 100 "$1" report -i - --stdio -s sym -n --no-children -g none < pipe > out 2> err || { cat err; return 1; }
	not grep -i "failed\|wrong\|error" err
	# one or two columns of overhead; the number of samples is the next
	grep "^ *[0-9]" out | awk "{ for (i = 1; \$i ~ /%\$/; i++); n += \$i } END { print n }" > got
	same want got
}
forms() {
	cat <<-END
	plain|EVENTS|-e cpu-clock
	call graphs|EVENTS|-g -e cpu-clock
	stacks|EVENTS|--call-graph dwarf -e cpu-clock
	two events|EVENTS|-e cpu-clock -e task-clock --sample-cpu
	the whole system|ROOT|-a -e cpu-clock
	tracepoints|ROOT,TRACEFS|-e sched:sched_switch -a
	tracepoints beside others|ROOT,TRACEFS|-e sched:sched_switch -e cpu-clock -a
	END
}
while IFS="|" read -r name needs args; do
	for peer in PEER61 NEWEST; do
		check_if $needs,$peer "$name: $peer" "
			recorded $args
			read_by \$([ $peer = NEWEST ] && echo \"\$NEWEST\" || echo \"\$PEER\")
		"
	done
	check_if "$needs,PYTHON" "$name: a strict reader" "
		recorded $args
		python3 \"\$SRC/tests/tools/read-pipe.py\" pipe > out
		awk 'NR == FNR { want = \$1; next } /^(comms|build-ids|tracing) / { next } { n += \$2 } END { exit n != want }' want out
		grep -q '^comms [1-9]' out
		case \"$args\" in *sched:*) grep -q '^tracing [1-9]' out ;; esac
	"
done <<END
$(forms)
END
for peer in PEER61 NEWEST; do
	check_if $peer "compressed: $peer" '
		"$PERF" check -q feature zstd || skip "built without zstd"
		recorded -z -e cpu-clock
		read_by $([ '$peer' = NEWEST ] && echo "$NEWEST" || echo "$PEER")
	'
	check_if $peer "theirs have nothing that is called damaged: $peer" '
		tool=$([ '$peer' = NEWEST ] && echo "$NEWEST" || echo "$PEER")
		upstream "$tool" record -q -e cpu-clock -o - "$PERF" test -w deterministic 20000 > pipe 2> err
		"$PERF" report -i - --stdio < pipe > out 2> err
		not grep damaged err
		grep -q deterministic out
		"$PERF" report -i - --header-only < pipe > out 2> err
		grep -q "^# cpuid" out
		not grep CPU_DOMAIN_INFO out
	'
done
