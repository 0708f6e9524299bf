#!/bin/sh
# perf report: events that switch counting on and off; the order of a group's rows.
. "$(dirname "$0")/lib.sh"

cat > x.mk <<-END
	event cpu-clock config=cpu-clock sample=id|tid|time|period|identifier flags=sample_id_all|comm ids=1
	event page-faults config=page-faults sample=id|tid|time|period|identifier flags=sample_id_all ids=2
	event context-switches config=context-switches sample=id|tid|time|period|identifier flags=sample_id_all ids=3
	comm tid=100 comm="w" time=1
END
for t in 10 30 50 70 90; do echo "sample id=1 tid=100 time=$t"; done >> x.mk
# not in order of time
echo "sample id=3 tid=100 time=60" >> x.mk
echo "sample id=2 tid=100 time=20" >> x.mk
echo "sample id=2 tid=100 time=80" >> x.mk
mkdata x.data < x.mk

# samples ARGS...: how many of each event are looked at
samples() {
	"$PERF" report -i x.data -s comm "$@" 2> err | sed -n "s/^# Samples: \([0-9]*\) .*/\1/p" | tr "\n" " "
}
check 'on, off, and on again' '
	test "$(samples)" = "5 2 1 "
	test "$(samples --switch-on page-faults)" = "4 1 1 "
	test "$(samples --switch-on page-faults --switch-off context-switches)" = "3 0 0 "
	test "$(samples --switch-on page-faults --switch-off context-switches --show-on-off-events)" = "3 2 1 "
	test "$(samples --switch-off context-switches)" = "5 2 0 "
	# what lies outside of the time that is asked for switches nothing
	test "$(samples --switch-on page-faults --time 0.000000030,)" = "1 0 0 "
	test "$(samples --switch-on page-faults --switch-off context-switches -j8 --chunk-size 64)" = "3 0 0 "'
check 'report and script look at the same samples' '
	for a in "--switch-on page-faults" "--switch-off context-switches" "--switch-on page-faults --switch-off context-switches" "--switch-on context-switches --switch-off page-faults --show-on-off-events" "--switch-on page-faults --time 0.000000030,"; do
		n=0
		for k in $(samples $a); do n=$((n + k)); done
		test $n -gt 0
		test $n = "$("$PERF" script -i x.data -F time,event $a | wc -l)"
	done'
check 'an event that is not there' '
	not "$PERF" report -i x.data --switch-on nosuch > out 2> err
	grep -q "switch-on event not found (nosuch)" err'
check 'rows of a group by another member first' '
	mkdata g.data <<-END
	event cpu-clock config=cpu-clock sample=id|tid|time|period|identifier flags=sample_id_all|comm ids=1
	event page-faults config=page-faults sample=id|tid|time|period|identifier flags=sample_id_all ids=2
	comm tid=100 comm="a" time=1
	comm tid=200 comm="b" time=1
	sample id=1 tid=100 time=10 period=3
	sample id=1 tid=200 time=10 period=1
	sample id=2 tid=100 time=10 period=1
	sample id=2 tid=200 time=10 period=4
	END
	order() { "$PERF" report -i g.data --group -s comm "$@" 2> err | sed "/^#/d; /^$/d" | awk "{ print \$NF }" | tr -d "\n"; }
	test "$(order)" = ab
	test "$(order --group-sort-idx 1)" = ba
	test "$(order --group-sort-idx 7)" = ab'
