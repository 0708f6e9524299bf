#!/bin/sh
# perf record -a --switch-output: each file begins with the tasks that run then, which the recorder remembers.
. "$(dirname "$0")/lib.sh"
need ROOT EVENTS

early=e$$-task late=l$$-task
cp /bin/sleep $early
cp /bin/sleep $late
# switch N: until N files are complete
switch() {
	kill -USR2 $pid
	until_true has_lines "Dump r.data" log "$1"
}
is_task() { test "$(cat /proc/"$1"/comm)" = "$2"; }
# state FILE: names and maps that it tells of our tasks, a line each
state() {
	$PERF script -i "$1" --show-task-events --show-mmap-events 2> /dev/null |
		sed -n 's/.*PERF_RECORD_COMM\( exec\)*: \(.*'$$'-task\):.*/comm \2/p; s/.*PERF_RECORD_MMAP2.*\/\(.*'$$'-task\)$/map \1/p' | sort -u
}

check 'tasks of before, of the time since then, and no others' '
	./$early 300 & first=$!
	$PERF record -a -e cpu-clock -F 99 --switch-output -o r.data -- sh -c ": > up; exec sleep 300" 2> log &
	pid=$!
	until_true test -e up
	./$late 300 & second=$!
	until_true is_task $second $late
	switch 1
	sh -c "exec ./$early 0"
	kill $first
	wait $first || :
	switch 2
	switch 3
	kill $second
	kill -INT $pid
	wait $pid || :
	set -- r.data.*
	test $# = 4
	for f; do state $f > $f.state; done
	both() { printf "comm %s\ncomm %s\nmap %s\nmap %s\n" $early $late $early $late; }
	both | same $2.state -
	# what ended in a file is not in the next one, but for what its end is told of there, too
	says $late $4.state
	silent_about $early $4.state'
check 'a file that is converted has the tasks that were sampled' '
	cp /bin/sh b$$-task
	./$early 300 & first=$!
	./b$$-task -c "while :; do :; done" & second=$!
	until_true is_task $first $early
	until_true is_task $second b$$-task
	$PERF record -a -e cpu-clock -F 99 --switch-output --fold pack -o f.data -- sh -c ": > up2; exec sleep 300" 2> log &
	pid=$!
	until_true test -e up2
	sampled() { kill -USR2 $pid; for f in f.data.*.pack; do $PERF report -i $f --stdio -s comm,dso -g none 2> /dev/null; done | grep "b$$-task.*b$$-task" > found; }
	until_true sampled
	kill -INT $pid
	wait $pid || :
	kill $first $second
	wait $first $second || :
	for f in f.data.*.pack; do state $f; done | sort -u > states
	printf "comm b$$-task\nmap b$$-task\n" | same states -'
