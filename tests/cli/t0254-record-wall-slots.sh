#!/bin/sh
# perf record --wall=slots:TIME: sums of waits by slots of time, in a file that does not grow with switches.
# serial: waits are longer than they should be beside other tests
. "$(dirname "$0")/lib.sh"

# slices of a file as "COMM STATE WAIT NS"
slices() {
	$PERF script --wall=all -f -i "$1" -G -F comm,trace 2> slices.err | sed -E \
		's/^ *([^ ]*) +state=([^ ]*) wait=([^ ]*) ns=([0-9]*) .*/\1 \2 \3 \4/' > slices.out
	test -s slices.out
}
# sum of the ns of the slices that match
ns() {
	awk -v p="$1" '$0 ~ p { s += $4 } END { printf "%d\n", s }' slices.out
}

check 'lengths of slots, and what they cannot be combined with' '
	for time in 0 999us 11s x ""; do
		fails_with 129 $PERF record --wall=slots:$time -o x.data true 2> err
		says "is not a length of slots between 1ms and 10s" err
	done
	for o in --wakers "--span main"; do
		fails_with 1 $PERF record --wall=slots:10ms $o -o x.data true 2> err
		says "wall=slots:TIME and ${o%% *} exclude each other" err
	done'
check_live_if ROOT,BPF,TRACEFS 'waits, their reasons, targets and wakers' '
	$PERF record --wall=slots:10ms -e cpu-clock -o c.data $PERF test -w convoy > truth 2> err
	says "by BPF programs, as sums by slots of 10.000 ms" err
	$PERF evlist -i c.data | grep -v "^#" > events
	printf "cpu-clock\nwall-slot\nwall\n" | same - events
	slices c.data
	grep "^third blocked timer" slices.out
	$PERF script --wall=blocked -f -i c.data -G -F comm,trace 2> err > targets
	grep "first .*wait=futex .*waker=second:[0-9]* target=lock_of_second\$" targets
	grep "second .*wait=futex .*waker=third:[0-9]* target=lock_of_third\$" targets
	test "$(ns "^second blocked futex")" -le "$(awk "/^second/ { print \$2 }" truth)"
	# some kernels do not tell each switch to BPF programs: what follows is unknown then
	test $(($(ns "^second blocked futex") + $(ns "^second unknown"))) -gt 50000000
	$PERF report --wall=blocked -f -i c.data --comm first --folded=- 2> err > out
	grep "convoy_first;convoy_timed_lock;.*futex" out
	$PERF report -f -i c.data --stdio > out 2> err
	says "Waits are sums by slots of time (record --wall=slots): their times are right to a slot" out'
check_live_if ROOT,BPF,TRACEFS 'the file has sums, however often threads switch' '
	$PERF record -q --wall=bpf -e cpu-clock -c 100000000 -o all.data $PERF test -w context_switch_loop 20000
	$PERF record -q --wall=slots:100ms -e cpu-clock -c 100000000 -o sums.data $PERF test -w context_switch_loop 20000
	$PERF script --no-wall -i all.data -G -F event 2> err | grep -c wall-switch > switches
	$PERF script --no-wall -i sums.data -G -F event 2> err | grep -c wall-slot > sums
	test "$(cat sums)" -gt 10
	test $(($(cat sums) * 10)) -lt "$(cat switches)"
	slices sums.data
	grep "^proc1 blocked pipe\|^proc2 blocked pipe" slices.out
	# each thread was there all the time: its slices are the time from its first to its last one
	$PERF script --wall=all -i sums.data -G -F comm,time,trace --ns 2> err | sed -E \
		"s/^ *([^ ]*) +([0-9]*)\.([0-9]*): state=([^ ]*) .* ns=([0-9]*) .*/\1 \2 \3 \4 \5/" |
		awk "\$1 ~ /^proc/ { t = (\$2 % 1000) * 1000000000 + \$3
				end = \$4 == \"on\" ? t : t + \$5
				if (!(\$1 in from) || t < from[\$1]) from[\$1] = t
				if (end > to[\$1]) to[\$1] = end
				s[\$1] += \$5 }
			END { for (c in s) printf \"%s %d %d\n\", c, s[c], to[c] - from[c] }" > threads
	test "$(wc -l < threads)" = 2
	# right to a slot
	awk "{ d = \$2 - \$3; d = d < 0 ? -d : d; if (d > 200000000) { print; bad = 1 } } END { exit bad }" threads'
check_live_if ROOT,BPF,TRACEFS 'sums tell the same as switches of one run' '
	# the outer recording is of the inner one, too
	$PERF record -q --wall=slots:10ms -e cpu-clock -o sums.data \
		$PERF record -q --wall=bpf -e cpu-clock -o all.data $PERF test -w deep_naps > truth
	for f in sums all; do
		$PERF report -i $f.data --wall=blocked -f --folded=- 2> err | grep deep_turn > $f.folded
		sed "s/;clock_.*nanosleep.* / /; s/.*deep_naps;/main;/; s/.*deep_thread;/thread;/" $f.folded |
			awk "{ s[\$1] += \$2 } END { for (k in s) print k, s[k] }" | sort > $f.sums
	done
	test "$(wc -l < all.sums)" = 9
	join sums.sums all.sums > both
	test "$(wc -l < both)" = 9
	awk "{ d = \$2 - \$3; d = d < 0 ? -d : d; if (d > \$3 * 0.02 + 1000000) { print; bad = 1 } }
		END { exit bad }" both'
check_live_if ROOT,BPF,TRACEFS 'when it was is known to a slot: parts of the time, and the critical path' '
	$PERF record -q --wall=slots:10ms -e cpu-clock -o w.data sh -c "sleep 0.3; exec $PERF test -w convoy 0.2" > truth
	$PERF report --wall=all -i w.data -f --stdio -G --time 0%-20% -s comm > out 2> err
	grep "  sleep *\$" out
	not grep "  first *\$" out
	$PERF report --wall=all -i w.data -f --stdio -G --time 80%-100% -s comm > out 2> err
	not grep "  sleep *\$" out
	$PERF record -q --wall=slots:10ms -e cpu-clock -o p.data $PERF test -w wake_chain 0.1
	$PERF script --critical-path -i p.data -G -F comm,trace 2> err > path
	not grep "link1 state=unknown" path > /dev/null || skip "the kernel left out switches"
	grep "link1 .*wait=timer" path
	$PERF report --critical-path -i p.data --json > doc 2> err
	awk -F "[:,]" "/wall-elapsed-ns/ { a = \$2 } /event-count/ { b = \$2 } END { exit !b || b > a * 1.1 }" doc'
check_live_if ROOT,BPF,TRACEFS 'CPU time is that of the samples' '
	$PERF record -q --wall=slots:10ms -e cpu-clock -o n.data $PERF test -w noploop 0.5
	$PERF report --wall=on -i n.data -f --stdio -G -g none --no-children -s sym > out 2> err
	awk "\$3 == \"[.]\" && \$4 == \"noploop\" && \$1 > 50 { nr++ } END { exit !nr }" out'
check_live_if ROOT,BPF,TRACEFS 'a page for browsers, and what other programs read' '
	$PERF record -q --wall=slots:10ms -e cpu-clock -o c.data $PERF test -w convoy > truth
	$PERF report -i c.data -f --html=page.html > out 2> err
	grep convoy_timed_lock page.html > /dev/null
	$PERF data convert -i c.data -f --to folded -o c.folded > out 2> err
	grep "convoy_timed_lock" c.folded'
