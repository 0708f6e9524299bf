#!/bin/sh
# perf timechart: what ran on CPUs, and for how long, as upstream's picture says it, of files of both.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST ROOT EVENTS TRACEFS

# theirs FILE: "TID DURATION" of what ran on CPUs
theirs() {
	"$NEWEST" timechart -n 10000 -i "$1" -o theirs.svg > theirs.out 2>&1 || skip "upstream cannot draw $1: $(tail -n 1 theirs.out)"
	sed -n 's/^<title>\([0-9][0-9]*\) .* running \([0-9.]* [a-z]*\)<.title>.*/\1 \2/p' theirs.svg
}
# ours FILE: the same, without what upstream does not draw: what lasted at the beginning and at the end, the
# first run of a task, and the first one after an exec
ours() {
	$PERF timechart -n 10000 -i "$1" --json > ours.json
	from=$(sed -n 's/^  "from": \([0-9]*\),/\1/p' ours.json) to=$(sed -n 's/^  "to": \([0-9]*\),/\1/p' ours.json)
	sed -n '/"group": "CPUs"/,/"group": "Tasks"/s/.*"running", "from": \([0-9]*\), "to": \([0-9]*\), "label": "\(.*\)", "by": ".*:\([0-9]*\)".*/\1 \2 \4 \3/p' ours.json |
		sort -n | awk -v from="$from" -v to="$to" '
			{
				tid = $3
				ns = $2 - $1
				$3 = ""
				name = $0
				sub(/^[0-9]* [0-9]* */, "", name)
				many[tid] = many[tid] || (tid in last && last[tid] != name)
				last[tid] = name
				if (runs[tid]++ && $1 != from && $2 != to)
					run[nr++] = tid " " (ns < 1e6 ? sprintf("%.1f us", ns / 1e3) : sprintf("%.1f ms", ns / 1e6))
			}
			END {
				for (i = 0; i < nr; i++)
					if (!many[substr(run[i], 1, index(run[i], " ") - 1)])
						print run[i]
			}'
}
# upstream also draws runs whose beginning was not recorded, from the last time that it knows of, and leaves
# some tasks out
all_there() {
	theirs "$1" | sort > theirs.runs
	ours "$1" | sort > ours.all
	cut -d" " -f1 theirs.runs | sort -u | join - ours.all | sort > ours.runs
	test "$(wc -l < ours.runs)" -gt 5
	comm -23 ours.runs theirs.runs > only-ours
	test ! -s only-ours || { head only-ours; return 1; }
}
work='for i in 1 2 3; do sleep 0.01; ls -R /usr/share/doc > /dev/null; done'
check 'a file of upstream' '
	"$NEWEST" timechart record -o theirs.data sh -c "$work" > out 2>&1 || skip "upstream cannot record: $(tail -n 1 out)"
	all_there theirs.data'
check 'a file of ours' '
	$PERF timechart record -q -o ours.data sh -c "$work" > out 2>&1
	all_there ours.data'
