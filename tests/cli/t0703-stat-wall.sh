#!/bin/sh
# perf stat --wall: where the elapsed time of a command went, by state.
# serial: waits are longer than they should be beside other tests
. "$(dirname "$0")/lib.sh"

# line NAME FILE: "THREADS ELAPSED ON RUN BLOCKED UNKNOWN" of its line, in ms and hundredths of percent
line() {
	awk -v name="$1" '$1 == name { print $2, $3 * 1000, $5 * 100, $7 * 100, $9 * 100, $11 * 100 }' "$2"
}

check 'what it cannot be combined with' '
	for o in "-e cs" -d "-C 0" "-M ipc" --null; do
		fails_with 129 $PERF stat --wall $o true 2> err
		says "wall counts no events" err
	done
	for o in "-x," -j "-r 2"; do
		fails_with 129 $PERF stat --wall $o true 2> err
		says "wall prints tables of one run" err
	done
	for o in "--pre true" "--post true" --all-user "-I 100 --summary"; do
		fails_with 129 $PERF stat --wall $o true 2> err
		says "wall has nothing to do with" err
	done
	fails_with 129 $PERF stat --wall -D 10 true 2> err
	says "wall counts from the start to the end" err'
check_live_if ROOT,BPF,TRACEFS 'a sleep is blocked' '
	$PERF stat --wall -o out sleep 0.2
	line sleep out > got
	read -r threads elapsed on run blocked unknown < got
	test "$threads" = 1
	# some kernels do not tell each switch to BPF programs: what follows is unknown then
	test "$elapsed" -ge 200
	test $((blocked + unknown)) -gt 5000
	awk "/seconds time elapsed/ { exit !(\$1 >= 0.2) }" out'
check_live_if ROOT,BPF,TRACEFS 'a program that computes is on a CPU, or waits for one' '
	$PERF stat --wall -o out $PERF test -w noploop 0.2
	line perf-noploop out > got
	read -r threads elapsed on run blocked unknown < got
	test $((on + run + unknown)) -gt 9000
	test "$on" -gt 0'
check_live_if ROOT,BPF,TRACEFS 'threads end when they end, and each has its line' '
	$PERF stat --wall --per-thread -o out $PERF test -w convoy > truth
	grep "^  third-[0-9]" out > third
	awk "{ exit !(\$3 >= 0.1) }" third
	sed "s/-[0-9]* / /" out > names
	for t in first second third; do
		line $t names > got
		read -r threads elapsed on run blocked unknown < got
		test "$threads" = 1
		test $((on + run + blocked + unknown)) -ge 9990
	done
	# the line of the one that waits for both is the longest
	awk "\$1 == \"first\" { a = \$3 } \$1 == \"third\" { b = \$3 } END { exit !(a > b) }" names'
check_live_if ROOT,BPF,TRACEFS 'intervals, the status of the command, a process that runs already' '
	fails_with 3 $PERF stat --wall -I 50 -o out sh -c "sleep 0.3; exit 3"
	test "$(grep -c "^# [0-9.]* s\$" out)" -ge 2
	grep "^# [0-9.]* s, the end\$" out
	sleep 60 &
	pid=$!
	$PERF stat --wall -o out -p $pid sleep 0.1
	kill $pid
	not grep "elapsed  .*perf" out
	says "Elapsed time by state" out
	# it sleeps all the time
	line sleep out > got
	read -r threads elapsed on run blocked unknown < got
	test "$threads" = 1
	test "$blocked" = 10000'
check_live_if ROOT,BPF,TRACEFS,PTY 'a screen that is cleared has as many lines as the terminal' '
	script -qec "stty rows 8 cols 100; exec $PERF stat --wall -a -I 100 --interval-count 3 --interval-clear" typescript < /dev/null > /dev/null
	tr -d "\r" < typescript | awk "/\033\[H\033\[2J/ { nr = 0; screens++ } { nr++; if (screens && nr > most) most = nr }
		/, the end/ { exit } END { print (screens > 0), (most <= 8) }" > got
	echo "1 1" | same - got'
check_if NONROOT 'without rights' '
	fails_with 1 as_nobody $PERF_COPY stat --wall true 2> err
	says "wall: " err'
