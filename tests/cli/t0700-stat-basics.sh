#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS

# the rows of a table, blanks squeezed
rows() {
	sed -n "s/ *#.*//; s/^ *//; s/  */ /gp" "$1"
}

check 'counts a command, in the order of the events' '
	$PERF stat -e page-faults,task-clock,page-faults true 2> err
	rows err > out
	test "$(sed -n "s/:u$//; s/^[0-9,.]* //p" out | head -n 3 | tr "\n" ";")" = "page-faults;msec task-clock;page-faults;"
	test "$(awk "/page-faults/ { print \$1 }" out | sort -u | wc -l)" = 1
	grep -q "^ Performance counter stats for .true.:$" err
	grep -q "seconds time elapsed$" err
	grep -q "seconds user$" err
'
check 'passes on the exit status, and says why a command cannot be run' '
	rc=0; $PERF stat -e page-faults sh -c "exit 3" 2> err || rc=$?
	test $rc = 3
	rc=0; $PERF stat -e page-faults ./no-such-program 2> err || rc=$?
	test $rc = 255
	test "$(cat err)" = "Error: cannot run '"'./no-such-program'"': No such file or directory"
'
check 'the table comes behind what the command wrote' '
	$PERF stat -o /dev/stdout -e page-faults sh -c "echo first; echo second" > out
	awk "/^second$/ { s = NR } /page-faults/ { p = NR } END { exit !(s && p > s) }" out
'
check 'repeats a command' '
	$PERF stat -r 3 -e page-faults --table sh -c "echo run" > out 2> err
	test "$(wc -l < out)" = 3
	grep -q "(3 runs):$" err
	grep -q "# Table of individual measurements:" err
	grep -q "+- .* seconds time elapsed" err
'
check 'duration_time is the time that is shown as elapsed' '
	for what in "" -a; do
		[ "$what" = "" ] || [ "$(id -u)" = 0 ] || continue
		$PERF stat $what -e cpu-clock,duration_time,page-faults sleep 0.02 2> err
		sed -n "s/,//g; s/^ *\([0-9]*\) ns  *duration_time.*/\1/p" err > ns
		sed -n "s/^ *0*\([0-9]*\)\.\([0-9]*\) seconds time elapsed/\1\2/p" err | sed "s/^0*//" > elapsed
		test -s ns
		same ns elapsed
	done
'
check 'intervals, then the summary' '
	$PERF stat -I 20 --summary -e page-faults sleep 0.5 2> err
	test "$(grep -c "^ *[0-9]*\.[0-9]\{9\} .*page-faults" err)" -ge 2
	head -n 1 err | finds "^#  *time  *counts unit events$"
	grep -q "Performance counter stats" err
'
check 'intervals without a table say at their end why something was not counted' '
	$PERF stat -I 50 -D -1 -e page-faults sleep 0.1 2> err
	grep -q "^# not counted, because the tasks did not run while counting was on: page-faults\(:u\)\?$" err
	$PERF stat -I 50 -D -1 -x, -e page-faults sleep 0.1 2> err
	not grep -q "^# not" err
'
check 'ends after so many intervals, and after a time' '
	$PERF stat -I 20 --interval-count 2 -e page-faults sleep 10 2> err
	# "not counted ...: page-faults" stands below where the command did not even start in that time
	test "$(grep -c "^ *[0-9].*page-faults" err)" = 2
	$PERF stat --timeout 30 -e page-faults sleep 10 2> err
	grep -q page-faults err
'
check 'times only' '
	$PERF stat --null true 2> err
	not grep -q task-clock err
	grep -q "seconds time elapsed" err
'
check 'values that are empty, or cannot separate columns' '
	for sep in "" 1 . "\"" "a
"; do
		fails_with 129 $PERF stat -x "$sep" -e page-faults true 2> err
		says "-x needs a separator" err
	done
	$PERF stat -x "; " -e page-faults true 2> err
	says "; page-faults; " err
	fails_with 129 $PERF stat -o "" -e page-faults true 2> err
	says "requires the name of a file" err
	fails_with 129 $PERF stat -M "" true 2> err
	says "a metric is expected" err
'
check 'what does not go together is said in one sentence' '
	for opts in "-r -1 true" "-r 3" "-I 0 true" "--interval-count 3 true" "-o x --log-fd 2 true" "--table true" "-G a true" "--header true" \
			"-A --per-core -a true" "--td-level 0 --topdown true" "-I 10 --interval-clear true" \
			"--table -r 2 -x, true" "--json=doc --metric-only true"; do
		rc=0; $PERF stat $opts > out 2> err || rc=$?
		test $rc = 129 || { echo "$opts: $rc"; cat err; exit 1; }
	done
	rc=0; $PERF stat -p 999999999 2> err || rc=$?
	test $rc = 1 || test $rc = 129
	rc=0; $PERF stat --log-fd 77 true 2> err || rc=$?
	test $rc = 1
'
check 'an option that has no effect where it is says so, and one that cannot have any is an error' '
	while read -r opts; do
		$PERF stat $opts -e page-faults true 2> err
		head -n 1 err | finds "ha[sv]e* no effect" || { echo "$opts:"; cat err; exit 1; }
	done <<-END
	--td-level 2
	--metric-no-group
	--metric-no-merge
	--metric-no-threshold
	--percore-show-thread
	--summary
	--no-csv-summary
	--append
	-M CPUs_utilized -d
	END
	$PERF stat -x, --append -e page-faults true 2> err
	test "$(wc -l < err)" = 1
	fails_with 1 $PERF stat --pmu-filter nope -e page-faults true 2> err
	says "no PMU called '"'nope'"'" err
	fails_with 1 $PERF stat --event-table ./nope -e page-faults true 2> err
	says "./nope" err
'
check_if ROOT 'a level of caches that there is not' '
	fails_with 1 $PERF stat -a --per-cache=L9 -e page-faults true 2> err
	says "none of these CPUs has a cache of level 9" err
	silent_about "L-1" err
'
check 'sums by CPU need whole CPUs, and a wrong pair of options does not list all of them' '
	for o in -A --per-socket --per-core; do
		rc=0; $PERF stat $o true > out 2> err || rc=$?
		test $rc = 129
		grep -q "add -a or -C" err
	done
	rc=0; $PERF stat -x, -j true > out 2> err || rc=$?
	test $rc = 129
	test "$(wc -l < err)" -lt 10
	grep -q "lists the options" err
'
check 'what has no effect here, and an old name, get a note' '
	for o in "--td-level 2" "--hybrid-merge --no-merge" -c -g; do
		$PERF stat $o -e page-faults true 2> err
		grep -qE "has no effect|--scale now|not needed any more" err || { echo "$o"; cat err; exit 1; }
	done
	$PERF stat -e page-faults true 2> err
	not grep -qE "has no effect|--scale now|not needed any more" err
'
check 'root ports where there are none, and what does not go with them' '
	[ ! -e /sys/bus/event_source/devices/uncore_iio_0/die0 ] || skip "this machine counts what passes its root ports"
	rc=0; $PERF stat --iostat true > out 2> err || rc=$?
	test $rc = 1
	says "needs an Intel server" err
	for o in "-e cs" "-p 1" "-a -A" --json=doc; do
		rc=0; $PERF stat --iostat $o true > out 2> err || rc=$?
		test $rc = 129
		says "Error: --iostat" err
	done
'
check 'processes are counted until they end' '
	sh -c "until [ -e go ]; do sleep 0.05; done" &
	seen=$!
	$PERF stat -e task-clock -p $seen 2> err &
	until_true has_events $!
	: > go
	wait $!
	grep -q "process id .$seen." err
	grep -q task-clock err
'
check_if ROOT 'all CPUs, and sums by CPU, core, socket, node' '
	$PERF stat -a -e cpu-clock true 2> err
	grep -q "for .system wide.:" err
	for how in -A --per-core --per-die --per-socket --per-node; do
		$PERF stat -a $how -e cpu-clock true 2> err
		grep -qE "^(CPU[0-9]+|S[0-9]+[-DC0-9]*|N[0-9]+) .*cpu-clock" err || { echo $how; cat err; exit 1; }
	done
'
check_if NONROOT 'without rights: what is possible, and why the rest is not' '
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ] || skip "needs kernel.perf_event_paranoid 2"
	as_nobody $PERF_COPY stat -e page-faults true 2> err
	grep -q "page-faults:u" err
	rc=0; as_nobody $PERF_COPY stat -a -e cs true 2> err || rc=$?
	test $rc = 1
	grep -q "kernel.perf_event_paranoid is 2" err
'
check 'a user: what is not counted is said' '
	$PERF stat -u "$(id -u)" -e page-faults sleep 0.01 2> err
	says "only processes that the user has now, and what they start, are counted" err
	$PERF stat -u "$(id -u)" -p $$ -e page-faults sleep 0.01 2> err
	silent_about "that the user has now" err
'
