#!/bin/sh
# perf record --off-cpu: how long tasks sleep, and where, by a BPF program.
# serial: the kernel does not call a BPF program for a while when others begin or end at its tracepoint
. "$(dirname "$0")/lib.sh"

check 'what it cannot be combined with' '
	fails_with 1 $PERF record --off-cpu -D 10 true 2> err
	says "--off-cpu follows tasks on all CPUs from start to end and cannot be combined with -D" err
	fails_with 1 $PERF record --off-cpu -C 0 true 2> err
	says "cannot be combined with -C" err
	fails_with 129 $PERF record --off-cpu-thresh x true 2> err'

have_SLEEPS() {
	"$PERF" record --off-cpu -o have.data true > sleeps.log 2>&1 || { sed -n 's/^Error: //p' sleeps.log; return 1; }
}
# sum of the periods of a command's samples, and their number
slept() {
	$PERF script -i "$1" -F comm,event,period | awk -v c="$2" '$1 == c && /offcpu-time/ { s += $2; n++ }
		END { printf "%d %d\n", s / 1000000, n }'
}

check_live_if ROOT,BPF,TRACEFS,SLEEPS 'sleeps of a command and its children, also of those that have ended' '
	$PERF record -q --off-cpu -e cpu-clock -o s.data sh -c "sleep 0.3; sleep 0.2" 2> err
	slept s.data sleep > got
	read -r ms nr < got
	test "$ms" -ge 500
	test "$nr" -ge 2
	$PERF report -i s.data -s comm --stdio > out
	grep "Samples: [1-9].* of event .offcpu-time" out
	$PERF evlist -i s.data > events
	printf "cpu-clock\noffcpu-time\n" | same - events
	# in order, between the samples of the other event
	$PERF script -i s.data -F time > times
	sort -c -n times
	$PERF script -D -i s.data > /dev/null 2> err
	silent_about impossible err'
check_live_if ROOT,BPF,TRACEFS,SLEEPS 'long sleeps are samples of their own, short ones are added up' '
	cat > naps.py <<-END
	import time
	for i in range(50): time.sleep(0.001)
	for i in range(2): time.sleep(0.4)
	END
	$PERF record -q --off-cpu --off-cpu-thresh 300 -o long.data python3 naps.py
	$PERF script -i long.data -F event,period | awk "/offcpu-time/ && \$1 >= 400000000" > long
	# where the machine is busy, more than the two that were to be long
	test "$(wc -l < long)" -ge 2
	$PERF script -i long.data -F event,period | awk "/offcpu-time/ && \$1 < 300000000" > short
	test "$(wc -l < short)" -lt 50
	awk "{ s += \$1 } END { exit s < 40000000 }" short'
check_live_if ROOT,BPF,TRACEFS,SLEEPS 'stacks with -g, and the whole system' '
	$PERF record -q -g --off-cpu -o g.data sleep 0.1
	$PERF script -i g.data -F event,ip,sym | grep -A 2 offcpu-time > out
	grep -i "nanosleep" out
	$PERF record -q -a -g --off-cpu -o a.data sleep 0.3 &
	pid=$!
	wait $pid
	$PERF script -i a.data -F comm,event | grep "^ *sleep .*offcpu-time"
	$PERF report -i a.data -s comm --stdio -g none > out
	grep "of event .offcpu-time" out
	# it waits for its rings all the time
	$PERF script -i a.data -F pid,event > events
	not grep "^ *$pid  *offcpu-time" events'
check_live_if ROOT,BPF,TRACEFS,SLEEPS 'each of several outputs has its own, and a pipe' '
	$PERF record -q --off-cpu --off-cpu-thresh 50 --switch-output=200ms -o out.data sh -c "for i in 1 2 3 4 5 6; do sleep 0.1; done"
	for f in out.data.*; do
		# a busy machine may begin a new output before a task has waited again
		$PERF script -i "$f" -F event 2> err | grep -c offcpu-time || :
		silent_about impossible err
	done > counts
	awk "{ s += \$1 } END { exit s < 6 }" counts
	$PERF record -q --off-cpu -o - sleep 0.1 | $PERF script -i - -F comm,event > piped
	grep "sleep .*offcpu-time" piped'
