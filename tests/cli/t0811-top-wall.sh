#!/bin/sh
# perf top --wall: a live table of elapsed time by state, from each source, with what was waited for.
# serial: waits are longer than they should be beside other tests
. "$(dirname "$0")/lib.sh"

# rows_of FILE: those of all tables
rows_of() {
	sed "/^#/d; /^\$/d; /^-/d; /PerfTop/d" "$1"
}
# facts FILE NAME: the sum of a number over all documents
facts() {
	sed -n "s/^ *\"$2\": \([0-9]*\),\{0,1\}\$/\1/p" "$1" | awk '{ s += $1 } END { print s + 0 }'
}

check 'what it cannot be combined with, and words that nobody knows' '
	for o in -b "-j any" --overwrite --mem-mode "--sym-annotate main" "--switch-on a" "--switch-off a" --host; do
		fails_with 1 $PERF top --wall $o -- true 2> err
		says "Error: --wall and ${o%% *} exclude each other" err
	done
	fails_with 129 $PERF top --wall=run,walk -- true 2> err
	says "not '"'walk'"'" err'
for by in bpf tracepoints; do
	needs=ROOT,TRACEFS
	test $by = tracepoints || needs=ROOT,BPF,TRACEFS
	check_live_if $needs 'a sleep is blocked, for a timer, by '$by '
		$PERF top --wall=$by --stdio -e cpu-clock -d 200ms -- sleep 1 > out 2> err
		test ! -s err
		test "$(grep -c "^   PerfTop: .* of threads: on a CPU .*(command: sleep)\$" out)" -ge 2
		test $by = bpf || says "[tracepoints of the scheduler]" out
		test $by != bpf || says "[BPF programs]" out
		grep "^# Overhead    On-CPU  Runnable   Blocked  Command  *wait" out
		rows_of out | grep "^ *[0-9.]*%  *0.00%  *0.00%  *[0-9.]*%  sleep  *timer\$" > sleeps
		# it sleeps nearly all of the time, in each of the tables but maybe the first and the last one
		awk "\$1 > 50 && \$1 == \$4 { nr++ } END { exit !nr }" sleeps
		not grep "$(printf "\033")" out'
	check_live_if $needs 'the sum of all states is the elapsed time, by '$by '
		$PERF top --wall=$by,all --json -z -e cpu-clock -d 200ms -- $PERF test -w noploop 0.6 > out 2> err
		sum=0
		for state in on run blocked idle unknown; do
			sum=$((sum + $(facts out "wall-$state-ns")))
		done
		interval=$(facts out interval-ns)
		on=$(facts out wall-on-ns)
		# what perf does at its beginning and end is in the intervals, too
		test "$sum" -le $((interval * 101 / 100))
		test "$sum" -ge 600000000
		# the kernel may not tell of each switch: what it hides is unknown
		test $((on + $(facts out wall-run-ns) + $(facts out wall-unknown-ns))) -ge 550000000
		test "$on" -gt 0
		grep "\"key\": \"wall_idle\"" out
		grep "\"wall-source\": " out'
	check_live_if $needs 'for which lock, and who ended the wait, by '$by '
		$PERF top --wall=$by --stdio -e cpu-clock -d 60 -s comm,wait,wait_target,waker -- $PERF test -w convoy > out 2> err
		rows_of out > rows
		grep "  first  *futex  *lock_of_second  *second:[0-9]*\$" rows
		grep "  second  *futex  *lock_of_third  *third:[0-9]*\$" rows
		# an interrupt ends it; tracepoints tell that only if it did not come to an idle CPU
		if [ '$by' = bpf ]; then
			grep "  third  *timer  *-  *interrupt\$" rows
		else
			grep "  third  *timer  *-  *\(interrupt\)\{0,1\} *\$" rows
		fi'
	check_live_if $needs 'with -g rows are functions, by '$by '
		$PERF top --wall=$by,blocked --stdio -g -e cpu-clock -d 60 -- $PERF test -w convoy > out 2> err
		says "# Children      Self   Blocked  Symbol" out
		rows_of out | grep "^ *[0-9.]*%  *0.00%  *[0-9.]*%  \[\.\] convoy_timed_lock *\$"'
	check_live_if $needs 'idle time is left out, or shown alone, by '$by '
		$PERF top --wall=$by --stdio -e cpu-clock -d 60 -- $PERF test -w epoll_pool 30 > out 2> err
		not grep "epoll\$" out
		$PERF top --wall=$by,idle --stdio -e cpu-clock -d 60 -- $PERF test -w epoll_pool 30 > out 2> err
		rows_of out > rows
		grep "^ *[0-9.]*%  *[0-9.]*%  pool1  *epoll\$" rows
		grep "^ *[0-9.]*%  *[0-9.]*%  pool2  *epoll\$" rows
		not grep timer rows'
	check_live_if $needs 'a process that runs already, by '$by '
		$PERF test -w noploop 60 > loops & target=$!
		rm -f out
		$PERF top --wall=$by -p $target -e cpu-clock -d 200ms > out 2> err & top=$!
		until_true has_lines "PerfTop: .*target_pid: $target" out 3
		kill $target
		wait $top
		rows_of out > rows
		grep "  perf-noploop  *-\$" rows
		# nobody else
		not grep -v "perf-noploop" rows'
done
check_live_if ROOT,BPF,TRACEFS 'a process that sleeps all the time, and what it waits for' '
	sleep 100 &
	pid=$!
	for by in bpf tracepoints switches; do
		$PERF top --wall=$by --stdio -g -e cpu-clock -d 200ms -E 12 -p $pid -- sleep 1 > $by.out 2> $by.err || :
	done
	kill $pid
	for by in bpf tracepoints switches; do
		grep "blocked 100.0 %" $by.out
		grep "100.00% .*nanosleep" $by.out
	done'
check_live_if ROOT,BPF,TRACEFS 'stacks that are new in a later table have reasons, too' '
	# a stack that is seen in a later table for the first time
	$PERF top --wall --stdio -z -s comm,wait -e cpu-clock -d 200ms -- sh -c "
		sleep 0.7; $PERF test -w direct_reader 20; $PERF test -w epoll_pool 30; $PERF test -w convoy" > out 2> err
	grep "  first  *futex\$" out'
check_live_if ROOT,BPF,TRACEFS,PTY 'on a terminal tables have these columns, too' '
	rm -f out
	{ until_true has_lines "Blocked" out 2 || :; printf q; } | timeout 100 script -qec "
		stty rows 14 cols 120
		TERM=xterm $PERF top --wall --stdio -e cpu-clock -d 300ms -- $PERF test -w noploop 90
		echo status \$?" typescript > out
	tr -d "\r" < out > text
	says "status 0" text
	grep "On-CPU  Runnable  " text'
check_live_if ROOT,BPF,TRACEFS 'a source that cannot be used' '
	fails_with 1 $PERF top --wall=bpf -u 0 -e cpu-clock -- true 2> err
	says "--wall=bpf: BPF programs do not know -u" err
	for o in "-C 0" "-G / -a"; do
		fails_with 1 $PERF top --wall $o -e cpu-clock -- true 2> err
		says "--wall and ${o%% *} exclude each other" err
	done'
check_if NONROOT 'without rights: context switches, without reasons' '
	as_nobody $PERF_COPY top --wall --stdio -e cpu-clock:u -d 200ms -- sleep 1 > out 2> err
	says "[context switches]" out
	rows_of out | awk "\$1 == \"100.00%\" && \$4 > 90 && \$5 == \"sleep\" { nr++ } END { exit !nr }"'
