#!/bin/sh
# perf record --wall: where the elapsed time of a command went, by BPF programs, by tracepoints of the
# scheduler and, where these are not permitted, by context switches.
# serial: waits are longer than they should be beside other tests
. "$(dirname "$0")/lib.sh"

# Linux 6.18 at times gives no samples of tracepoints for a task, or for what interrupts an idle CPU; records
# of switches still come. What such a file lacks is not asked for
whole() { # FILE
	$PERF evlist -i "$1" | not grep sched:sched_switch > /dev/null && return
	$PERF script --no-wall -f -i "$1" -G --show-switch-events 2> err > whole.out
	test "$(grep -c "sched:sched_switch:" whole.out)" -ge "$(grep -c "PERF_RECORD_SWITCH.* OUT" whole.out)" ||
		skip "the kernel left out samples of tracepoints"
}
# slices of a file as "COMM STATE WAIT NS WAKER"
slices() {
	$PERF script --wall=all -f -i "$1" -G -F comm,trace 2> slices.err | sed -E \
		's/^ *([^ ]*) +state=([^ ]*) wait=([^ ]*) ns=([0-9]*) waker=([^:]*).*/\1 \2 \3 \4 \5/' > slices.out
	test -s slices.out
}
# sum of the ns of the slices that match
ns() {
	awk -v p="$1" '$0 ~ p { s += $4 } END { print s + 0 }' slices.out
}

check 'what it cannot be combined with' '
	for o in -n --overwrite --all-user --off-cpu "-C 0"; do
		fails_with 1 $PERF record --wall $o true 2> err
		says "--wall and ${o% 0} exclude each other" err
	done'
for by in bpf tracepoints; do
	needs=ROOT,TRACEFS
	test $by = tracepoints || needs=ROOT,BPF,TRACEFS
	check_live_if $needs 'a sleep and its reason, by '$by '
		$PERF record --wall=$by -e cpu-clock -o s.data sleep 0.2 2> err
		test $by = bpf || says "--wall records switches and wake-ups by tracepoints of the scheduler" err
		test $by != bpf || says "--wall records switches and wake-ups by BPF programs" err
		$PERF evlist -i s.data | grep -v "^#" > events
		test $by = bpf || printf "cpu-clock\nsched:sched_switch\nsched:sched_waking\nmajor-faults\nwall\n" | same - events
		test $by != bpf || printf "cpu-clock\nwall-switch\nmajor-faults\nwall\n" | same - events
		whole s.data
		slices s.data
		# some kernels do not tell each switch to BPF programs: what follows is unknown then
		test "$(ns "^sleep (blocked timer|unknown)")" -ge 199000000
		grep "^sleep blocked timer" slices.out
		# such a file is shown so without being asked
		$PERF report -i s.data --stdio > out 2> err
		says "of event '"'wall:slice'"'" out
		grep "^# Elapsed: 0\.[2-9]\|^# Elapsed: [1-9]" out
		silent_about "Wake-ups are not recorded" out
		grep "On-CPU *Runnable *Blocked" out'
	check_live_if $needs 'threads that wait for locks of each other, by '$by '
		# prints how long two of the threads waited
		$PERF record -q --wall=$by -e cpu-clock -o c.data $PERF test -w convoy > truth
		whole c.data
		slices c.data
		awk "{ print \$1, int(\$2 / 1000000) }" truth | sort > waited
		test "$(wc -l < waited)" = 2
		$PERF script --wall=blocked -f -i c.data -G -F trace 2> err > targets
		grep "wait=futex .*target=lock_of_second\$" targets
		grep "wait=futex .*target=lock_of_third\$" targets
		grep "^[^ ]* blocked futex .* third" slices.out
		grep "^[^ ]* blocked futex .* second" slices.out
		# the program looks at its clock before and after its waits
		test "$(ns "^second blocked futex")" -le "$(awk "/^second/ { print \$2 }" truth)"
		test "$(ns "^second blocked futex")" -gt 50000000'
	check_live_if $needs 'stacks of those who wake others, by '$by '
		$PERF record -q --wall=$by --wakers -e cpu-clock -o k.data $PERF test -w convoy > truth
		whole k.data
		$PERF report --wakers --wall=blocked -f -i k.data --comm first --folded=- 2> err > out
		grep "convoy_first;convoy_timed_lock;.*futex_wait.*;convoy_second;.*futex_wake" out
		$PERF report --wall=blocked -f -i k.data --comm first --folded=- 2> err > out
		grep "convoy_first;convoy_timed_lock;.*futex_wait" out
		silent_about convoy_second out'
	check_live_if $needs 'stacks of all depths, by '$by '
		$PERF record -q --wall=$by -e cpu-clock -o d.data $PERF test -w deep_naps
		$PERF report -i d.data --wall=blocked -f --folded=- 2> err | grep deep_turn |
			sed "s/;clock_.*nanosleep.*//; s/;/\\n/g" | awk "/^deep/ && !/deep_thread|deep_naps/ {
				s = s \" \" \$0; next } s { print s; s = \"\" } END { print s }" | sort > stacks
		for from in "" " deep_away"; do
			for below in " deep_huge deep_small" " deep_large" " deep_small"; do
				echo "$from deep_turn$below"
				test -n "$from" || echo " deep_turn$below"
			done
		done | sort | same - stacks'
	check_live_if $needs 'calls of a function, by '$by '
		$PERF record -q --wall=$by --span convoy_timed_lock -e cpu-clock -o c.data $PERF test -w convoy > truth 2> err ||
			skip "$(sed -n "s/^Error: //p" err)"
		whole c.data
		$PERF report --span convoy_timed_lock -f -i c.data --json -s speed,state,wait > out 2> err
		says "\"span-calls\": 2" out
		# the function looks at its clock inside
		max=$(sed -n "s/.*\"span-max-ns\": \([0-9]*\).*/\1/p" out)
		test "$max" -ge "$(awk "/^first/ { print \$2 }" truth)"
		$PERF script --critical-path --span convoy_timed_lock -f -i c.data -G -F comm,trace 2> err > path
		awk "{ print \$1 }" path | uniq | head -n 1 > first
		grep "first\|second\|third" first
		not grep convoy_timed_lock /sys/kernel/tracing/uprobe_events'
	check_live_if $needs 'two processes with a pipe, by '$by '
		$PERF record -q --wall=$by -e cpu-clock -o p.data $PERF test -w context_switch_loop 200
		whole p.data
		slices p.data
		$PERF script --wall=blocked -f -i p.data -G -F trace 2> err > targets
		test $by = bpf && file="pipe:\[[0-9]*\]" || file="file [0-9]*"
		grep "wait=pipe .*target=$file\$" targets
		# on one CPU each may find its byte there whenever it reads
		grep "^proc1 blocked pipe .* proc2\|^proc2 blocked pipe .* proc1" slices.out'
	check_live_if $needs 'the critical path of a chain of wake-ups, by '$by '
		$PERF record -q --wall=$by -e cpu-clock -o w.data $PERF test -w wake_chain 0.1
		whole w.data
		$PERF script --critical-path -i w.data -G -F comm,trace > path 2> err
		# threads in the order in which they are on it, each once; the first has the name of the program twice
		awk "{ sub(/^ */, \"\"); if (\$1 != last) print \$1; last = \$1 }" path | grep -v "^:" > threads
		printf "perf\nlink1\nlink2\nlink3\nperf\n" | same - threads
		awk "/link1 .*wait=timer/ { sub(/.* ns=/, \"\"); s += \$1 } END { exit s < 99000000 }" path
		# the parts are the elapsed time, but for other threads that end after the first one
		$PERF report --critical-path -i w.data --json > doc 2> err
		awk -F "[:,]" "/wall-elapsed-ns/ { a = \$2 } /event-count/ { b = \$2 } END { exit !b || b > a }" doc'
	check_live_if $needs 'a process that runs already, by '$by '
		sh -c "while :; do sleep 0.02; done" &
		pid=$!
		$PERF record -q --wall=$by -e cpu-clock -o a.data -p $pid sleep 0.3
		kill $pid
		slices a.data
		grep "^sh blocked child .* sleep" slices.out
		grep "^sleep blocked timer" slices.out
		# nobody else is in it
		not grep -v "^sh \|^sleep " slices.out'
	check_live_if $needs 'a process that sleeps before, after and all the time, by '$by '
		mkfifo $by.in $by.more || :
		sh -c "exec sleep 100" &
		all=$!
		sh -c "read a < $by.in; read a < $by.more" &
		some=$!
		sleep 0.1
		$PERF record -q --wall=$by -g -e cpu-clock -p $all,$some -o m.data \
			sh -c "sleep 0.2; echo x > $by.in; sleep 0.2"
		echo x > $by.more
		kill $all
		slices m.data
		# the first one from end to end, the other one but for what it did in between
		test "$(ns "^sleep blocked timer")" -ge 390000000
		test "$(ns "^sh blocked pipe")" -ge 380000000
		not grep -v "^sleep blocked timer\|^sh " slices.out
		$PERF script --wall=all -f -i m.data -F comm,ip,sym > stacks
		grep "nanosleep" stacks
		$PERF report --wall -i m.data --stdio > out 2> err
		grep "^# Elapsed: 0\.[4-9].*, 2 threads" out
		# each of several files has both ends
		sleep 100 &
		all=$!
		$PERF record -q --wall=$by -e cpu-clock -p $all -o s.data --switch-output=100ms sleep 0.25
		kill $all
		for f in s.data.*; do
			slices "$f"
			test "$(ns "^sleep blocked timer")" -gt 0
		done'
done
check_live_if ROOT,BPF 'a thread that waits for the ends of others' '
	# also as sums of slots
	for by in bpf slots:10ms; do
		$PERF record -q --wall=$by -e cpu-clock -o j.data $PERF test -w spinners 0.1
		$PERF script --wall=blocked -f -i j.data -G -F trace 2> err > waits
		grep " wait=join .* waker=spin\([12]:[0-9]*\) target=thread [0-9]*\$" waits
	done'
check_live_if ROOT,TRACEFS,BPF 'wakers that are not recorded have names' '
	rm -f in again
	mkfifo in again
	# it writes when it is told to that the command waits, and stays until it has been named
	sh -c "read a < again; sleep 0.1; echo x > in; read a < again" &
	$PERF record -q --wall=bpf -e cpu-clock -o k.data sh -c "exec 3<> in; echo x > again; read a <&3"
	echo x > again
	wait
	slices k.data
	grep "^sh blocked pipe [0-9]* sh$" slices.out'
# one run by two sources: files b.sums and t.sums. The outer recording is of the inner one, too
recorded_twice() {
	$PERF record -q --wall=bpf -e cpu-clock -o b.data \
		$PERF record -q --wall=tracepoints -e cpu-clock -o t.data $PERF test -w convoy > truth
	whole t.data
	for f in b t; do
		slices $f.data
		# the places, too
		$PERF report -i $f.data --wall=blocked --comm first --folded=- 2> /dev/null |
			sed -n "s/ [0-9]*\$//; /convoy_timed_lock/p" > $f.stacks
		awk '/^(first|second|third) / { s[$1 FS $2 FS $3] += $4 } END { for (k in s) print k, s[k] }' \
			slices.out | sort > $f.sums
	done
}
# within 2 %, and half a millisecond for the sources themselves; some kernels do not tell each switch to BPF
# programs: the time after the wake-up is unknown then
sums_agree() {
	test "$(awk '/unknown/ { s += $4 } END { print int(s) }' b.sums)" -le 60000000 &&
		awk 'NR == FNR { a[$1 FS $2 FS $3] = $4; next } { b[$1 FS $2 FS $3] = $4 }
			END { for (k in b) a[k] += 0; for (k in a) { d = a[k] - b[k]; d = d < 0 ? -d : d
				split(k, part); unknown = a[part[1] FS "unknown -"]
				if (part[2] != "unknown" && d > a[k] * 0.02 + 500000 + unknown) {
					print k, a[k], b[k]; bad = 1 } } exit bad }' b.sums t.sums
}
check_live_if ROOT,TRACEFS,BPF 'two sources tell the same of one run' '
	recorded_twice
	# again if the kernel told no switches for a while, as it does after programs at their tracepoint have ended
	for try in 1 2; do
		! sums_agree > why || break
		recorded_twice
	done
	sums_agree
	grep "convoy_first;convoy_timed_lock;.*futex" b.stacks
	same b.stacks t.stacks
	grep "^first blocked futex" b.sums
	grep "^third blocked timer" b.sums'
check_live_if ROOT,BPF,TRACEFS 'a source that cannot be used, and one that nobody knows' '
	fails_with 1 $PERF record --wall=bpf -D 1 -o x.data true 2> err
	says "--wall=bpf: BPF programs do not know -D" err
	fails_with 129 $PERF record --wall=magic -o x.data true 2> err
	says "takes any, bpf, tracepoints, switches or slots:TIME" err
	$PERF record --wall --call-graph dwarf -e cpu-clock -o x.data true 2> err
	says "by tracepoints of the scheduler" err'
check_live_if ROOT,BPF,TRACEFS 'in a PID namespace the numbers are those of the namespace' '
	unshare -pf --mount-proc true 2> /dev/null || skip "no PID namespaces"
	unshare -pf --mount-proc $PERF record -q --wall=bpf -e cpu-clock -o p.data $PERF test -w convoy > /dev/null
	$PERF script --wall=all -f -i p.data -G -F comm,tid,trace 2> /dev/null > out
	grep "^ *first  *[1-9] .*blocked wait=futex .* waker=second:[1-9] " out
	# some kernels do not tell of each switch
	awk "/state=unknown/ { sub(/.* ns=/, \"\"); s += \$1 } END { exit s > 20000000 }" out'
check_if NONROOT 'without rights: context switches, and a word about it' '
	mkdir own
	chmod 777 own
	(cd own && as_nobody $PERF_COPY record --wall -e cpu-clock:u -o n.data sleep 0.2) 2> err
	says "--wall records context switches, without reasons and wakers of waits" err
	slices own/n.data
	test "$(ns "^sleep blocked other")" -ge 199000000
	$PERF report -i own/n.data -f --stdio > out 2> err
	says "Without tracepoints: a wait has the last stack" out
	# of one that is there already, and does nothing
	(cd own && as_nobody sh -c "sleep 100 & $PERF_COPY record -q --wall -e cpu-clock:u -p \$! -o m.data sleep 0.2; kill \$!")
	slices own/m.data
	test "$(ns "^sleep blocked other")" -ge 190000000'
