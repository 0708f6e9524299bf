#!/bin/sh
# perf report --wall, perf script --wall: where elapsed time went, from assembled files with known times.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/sched-lib.sh"

wall_symbols
have_LIBSQLITE() {
	$PERF check -q feature libsqlite3 || skip "built without libsqlite3"
	test "$(sqlite3 :memory: "SELECT sqlite_version() >= '3.33'" 2> /dev/null)" = 1 || skip "no sqlite3 of version 3.33 or later"
}
samples() {
	kernel_chain __schedule schedule do_nanosleep
	wall_samples
}
{
	sched_formats
	sched_events 'identifier|ip|tid|time|cpu|raw|period|callchain'
	samples
} > made.txt
mkdata made.data < made.txt
grep -v 'sample id=6' made.txt | mkdata sleepless.data
sed '/sample id=6/s/^/lost lost=3 time=1000300000 ev=sched:sched_switch\n/' made.txt | mkdata lost.data
{
	sched_formats
	sched_events
	samples | sed 's/chain=[^ ]*//'
} | mkdata plain.data

# slices as "COMM:STATE:WAIT:MICROSECONDS:WAKER", in the order of time
slices() {
	$PERF script --wall=all -i "$1" -G -F comm,trace --kallsyms syms | sed -E \
		's/^ *([^ ]*) +state=([^ ]*) wait=([^ ]*) ns=([0-9]*)000 waker=(.*) target=.*/\1:\2:\3:\4:\5/'
}

check 'slices of known times' '
	slices made.data > out
	sort out > got
	sort > want <<-END
	a:on:-:100:
	a:blocked:futex:500:b:6
	a:run:-:100:
	a:on:-:100:
	a:blocked:disk:100:interrupt
	a:on:-:100:
	b:on:-:600:
	b:idle:epoll:350:interrupt
	b:on:-:50:
	END
	same want got'
check 'a table of functions with a column for each state' '
	$PERF report --wall -i made.data --kallsyms syms -g none --stdio > out
	says "# Elapsed: 0.001 s, 2 threads, 0.95 CPUs used on average" out
	says "of it on a CPU 57.6 %, waiting for a CPU 6.1 %, blocked 36.4 %; beside it 0.000 s idle (17.5 % of all)" out
	says "Without samples of a clock or cycles" out
	says "# Children      Self    On-CPU  Runnable   Blocked  Symbol" out
	grep "work_a" out > row
	says "60.61%     0.00%    18.18%     6.06%    36.36%" row
	# b was idle: it ran before that, but not while it waited
	grep "ep_poll" out > row
	says "39.39%    39.39%    39.39%     0.00%     0.00%" row'
check 'chosen states' '
	$PERF report --wall=idle -i made.data --kallsyms syms -g none --stdio -s wait,comm -F overhead,wall_idle,wait,comm > out
	grep "100.00% *100.00% *epoll *b" out
	$PERF report --wall=on,run -i made.data --kallsyms syms -g none --stdio > out
	says "Self    On-CPU  Runnable  Symbol" out
	fails_with 129 $PERF report --wall=off -i made.data 2> err
	says "takes on, run, blocked, idle, unknown or all, not '"'off'"'" err
	fails_with 1 $PERF report --no-wall -F wall_on -i made.data 2> err
	says "is a column of wall time: use it with perf report --wall" err'
check 'the critical path' '
	$PERF script --critical-path -i made.data -G -F comm,trace --kallsyms syms | sed -E \
		"s/^ *([^ ]*) +state=([^ ]*) wait=([^ ]*) ns=([0-9]*)000 .*/\1:\2:\3:\4/" > out
	# b let a run on; until then it had run from the beginning
	cat > want <<-END
	b:on:-:600
	a:run:-:100
	a:on:-:100
	a:blocked:disk:100
	a:on:-:100
	END
	same want out
	$PERF report --critical-path -i made.data --kallsyms syms -g none --stdio > out
	says "The table is of the critical path" out
	says "Event count (approx.): 1000000" out
	# a is on it for 400 us, of which it waited 100 for the disk
	says "Saves at most" out
	grep " 0.400 ms *\[k\] work_a" out
	$PERF report --critical-path -i made.data --kallsyms syms --stdio -s comm,wait -g none > out
	grep " 0.600 ms *b *-" out
	grep " 0.100 ms *a *disk" out
	$PERF report --wall -i made.data --stdio -g none > out
	silent_about "Saves at most" out'
check 'the critical path of a part of the time' '
	path_of() {
		$PERF script --critical-path=$1 -i made.data -G -F comm,trace --kallsyms syms 2> err | sed -E \
			"s/^ *([^ ]*) +state=([^ ]*) wait=([^ ]*) ns=([0-9]*)000 .*/\1:\2:\3:\4/"
	}
	path_of 1.00065..1.00085 > out
	printf "a:run:-:50\na:on:-:100\na:blocked:disk:50\n" | same - out
	path_of 85%.. > out
	printf "a:blocked:disk:50\na:on:-:100\n" | same - out
	# a waits then, for b to let it run on
	path_of ..1.0005 > out
	printf "b:on:-:500\n" | same - out
	path_of 2..1 > out
	says "critical-path: " err
	path_of 2..3 > out
	says "critical-path=2..3: the recording is from 1.000000 to 1.001000 s" err
	$PERF report --wall=unknown -i made.data --stdio > out 2> err
	says "made.data has no time in the states of --wall (all: the time in any state)" err
	$PERF report --critical-path=..50% -i made.data --kallsyms syms -g none --stdio > out
	says "The table is of the critical path of ..50%" out'
check 'keys: state, wait, waker' '
	$PERF report --wall -i made.data --kallsyms syms -g none --stdio -s state,wait,waker -F overhead,state,wait,waker > out
	grep "30.30% *blocked *futex *b:6" out
	grep "57.58% *on *-" out'
check 'JSON has the times, folded stacks have the states' '
	$PERF report --wall -i made.data --kallsyms syms --json > out
	says "\"wall-elapsed-ns\": 1000000" out
	says "\"wall-idle-ns\": 350000" out
	$PERF report --wall --folded -i made.data --kallsyms syms > out
	grep "^a;blocked;work_a;futex_wait_queue 500000" out'
check 'what a recording lacks is said, not guessed' '
	slices sleepless.data > out
	grep -x "a:blocked:futex:600:" out	# and 100 of it waited for a CPU
	not grep ":run:" out
	$PERF report --wall -i sleepless.data --kallsyms syms --stdio > out
	says "Wake-ups are not recorded (sched:sched_waking)" out
	slices plain.data > out
	grep -x "a:blocked:other:500:b:6" out
	$PERF report --wall -i plain.data --stdio > out
	says "Switches have no call chains (record -g)" out'
check 'switches of some tasks alone do not say when these got a CPU again' '
	grep -v "tid=0 " made.txt | grep -v "sample id=6" | mkdata tasks.data
	$PERF report --wall -i tasks.data --kallsyms syms --stdio > out
	says "but not when these get a CPU again: their waits are unknown" out
	slices tasks.data > slices
	grep "^a:unknown:-:" slices
	not grep "blocked\|run" slices'
check 'threads may run on CPUs that are not recorded' '
	sed "/ cpu=1 /d" made.txt | mkdata cpu.data
	$PERF report --wall -i cpu.data --stdio > out
	says "# Switches of 1 of 2 CPUs are recorded: threads seem to wait while they run on the others" out
	$PERF report --wall -i made.data --stdio > out
	silent_about "CPUs are recorded" out'
check 'the time around lost records is unknown' '
	slices lost.data > out
	grep -x "a:unknown:-:500:" out
	$PERF report --wall -i lost.data --kallsyms syms --stdio > out
	says "Records were lost at" out'
check 'records of context switches alone' '
	mkdata s.data <<-END
	event cpu-clock type=software config=cpu-clock period=1000 sample=identifier|ip|tid|time|period ids=1 flags=sample_id_all|context_switch
	event wall type=software config=dummy sample=identifier|ip|tid|time|period ids=2 flags=sample_id_all
	feature event_desc
	comm pid=5 tid=5 comm="a" time=0
	switch pid=5 tid=5 time=1000000
	sample id=1 pid=5 tid=5 ip=0x1000 time=1500000
	switch pid=5 tid=5 time=2000000 misc=0x2000
	switch pid=5 tid=5 time=5000000
	switch pid=5 tid=5 time=6000000 misc=0x6000
	switch pid=5 tid=5 time=8000000
	exit pid=5 tid=5 time=9000000
	END
	# the event "wall" says that this is meant
	$PERF report -i s.data --stdio > out
	says "of event '"'wall:slice'"'" out
	says "Without tracepoints: a wait has the last stack" out
	says "on a CPU 37.5 %, waiting for a CPU 25.0 %, blocked 37.5 %" out
	$PERF report --no-wall -i s.data --stdio > out
	says "Samples: 1  of event '"'cpu-clock'"'" out'
check 'files that say nothing of the kind are refused' '
	printf "event a sample=ip|tid|time flags=sample_id_all\nsample ip=1\n" | mkdata x.data
	fails_with 1 $PERF report --wall -i x.data 2> err
	says "does not say when threads ran" err
	says "record with perf record --wall" err
	printf "event a sample=ip\nsample ip=1\n" | mkdata y.data
	fails_with 1 $PERF report --wall -i y.data 2> err
	says "records have no times or no thread ids" err'
check 'slices are samples of an ordinary event' '
	$PERF report --wall --flamegraph=f.svg -i made.data --kallsyms syms
	says futex_wait_queue f.svg
	$PERF script --wall -i made.data --kallsyms syms --json > out
	says "futex_wait_queue" out
	# that events of other kinds lack a field is not told
	$PERF script --wall -i made.data -G -F comm,trace > out 2> err
	test ! -s err'
check 'flame graphs are colored by state' '
	$PERF report --wall --flamegraph=f.svg -i made.data --kallsyms syms
	sed -n "s/.*<g class=.legend.*>\([^<]*\)<.text>.*/\1/p" f.svg > out
	printf "on a CPU 57.58%%\nwaits for a CPU 6.06%%\nblocked 36.36%%\n" | same - out
	# what is above the frame of a state has its hue
	grep -c "<title>io_schedule.*fill=.rgb(2[23].,1[1-4].,1[1-4]." f.svg'
check_if CHROMIUM 'pages show when threads were in which state' '
	$PERF report --wall=all --html=p.html -i made.data --kallsyms syms
	in_browser p.html "
		spans.list.forEach(lane => tints.rows.forEach((row, i) => {
			let sum = 0;
			eachSpan(lane, 0, spans.ticks, k => { sum += spans.state[k] == i ? spans.busy[k] : 0; });
			if (sum)
				say([lane.name, row[0], sum * spans.tick / 1000].join(\":\"));
		}));
		say(colors.value + \" \" + legend.textContent);" > lanes
	sort > want <<-END
	a 5:blocked:600
	a 5:on a CPU:300
	a 5:waits for a CPU:100
	b 6:idle:350
	b 6:on a CPU:650
	state on a CPU 47.50 %waits for a CPU 5.00 %blocked 30.00 %idle 17.50 %
	END
	sort lanes | same want -'
check_if TUI 'the terminal shows the same first lines and columns, and folds call graphs of CPU time and waits' '
	cat > steps <<-END
	size 24 120
	wait 18.18%
	wait 1 of 5
	key +
	wait 42.42% futex_wait_queue
	screen
	key q
	ends 0
	END
	tui "$PERF" report --wall -G -i made.data --kallsyms syms < steps > out
	says "Elapsed: 0.001 s, 2 threads, 0.95 CPUs used on average" out
	says "Their time: 0.002 s, of it on a CPU 57.6 %, waiting for a CPU 6.1 %, blocked 36.4 %; beside it 0.000 s idle" out
	says "Without samples of a clock or cycles" out
	grep "Children *Self *On-CPU *Runnable *Blocked *Symbol" out
	grep "^- *60.61% .* 18.18% *6.06% *36.36% .*work_a" out
	grep "^ *+* *42.42% futex_wait_queue" out'
check 'comparing, and converting for other programs' '
	# the second run lacks who woke whom: a waits for a CPU then as long as for the lock
	$PERF diff --wall --kallsyms syms -s comm,state made.data sleepless.data > out
	grep "^# Baseline  Delta Abs  Command *state" out
	grep "^ *36.36%  *+6.06%  *a  *blocked" out
	grep "^ *39.39% .* b  *on" out
	grep "^ *6.06%  *a  *run" out
	$PERF diff --kallsyms syms made.data sleepless.data > out 2> err || :
	silent_about "wall:slice" out
	$PERF data convert --wall -i made.data --kallsyms syms --to folded > out 2> err
	grep "a;blocked;work_a;futex_wait_queue 500000" out
	silent_about idle out
	$PERF data convert --wall=idle -i made.data --kallsyms syms --to folded > out 2> err
	grep "b;idle;work_b;ep_poll 350000" out'
# the slices of perf data convert --to-json OPTIONS..., as those of slices() but with the time
json_slices() {
	$PERF data convert --kallsyms syms --to-json - "$@" 2> err > out.json
	tr -d "\n\t \"" < out.json | sed "s/{timestamp:/\n&/g" | sed -nE \
		"s/.*timestamp:([0-9]*)000,.*comm:([^,]*),.*state:([^,]*),wait:([^,]*),.*,ns:([0-9]*)000,waker:([^,}]*)[,}].*/\1:\2:\3:\4:\5:\6/p"
}
check 'JSON for other programs has slices, with the words of states and waits' '
	json_slices --wall=run,blocked,idle -i made.data > out
	cat > want <<-END
	1000100:a:blocked:futex:500:b:6
	1000600:a:run:-:100:
	1000600:b:idle:epoll:350:interrupt
	1000800:a:blocked:disk:100:interrupt
	END
	sort out | same want -
	grep -c "\"symbol\": \"io_schedule\"" out.json
	json_slices --wall -i made.data --time 1.0005,1.0007 > out
	grep -x "1000600:a:run:-:100:" out
	not grep blocked out
	# without --wall the samples of files that perf record --wall did not make
	$PERF data convert --to-json - -i made.data > out 2> err
	says "prev_state" out
	not grep "\"state\"" out'
check 'JSON of recordings of elapsed time' '
	json_slices -i s.data > out
	grep ":a:blocked:other:3000:" out
	$PERF data convert --to-json - --no-wall -i s.data > out 2> err
	grep -c timestamp out > nr
	echo 1 | same - nr
	fails_with 1 $PERF data convert --to-json new.json --wall -i x.data 2> err
	says "does not say when threads ran" err
	test ! -e new.json
	fails_with 129 $PERF data convert --from folded --wall x.data 2> err
	says "--from excludes --wall" err'
check 'tables have one profile of slices, in nanoseconds, with state and wait' '
	$PERF data convert --wall=all -i made.data --kallsyms syms --to rows --samples -o rows 2> err
	says "1 profile, 5 frames, 3 stacks, 7 samples, 9 times" err
	cut -f 6,7 rows/profile.tsv > out
	printf "event\tunit\nwall:slice\tnanoseconds\n" | same - out
	sed 1d rows/sample.tsv | cut -f 3- | sort > out
	sort > want <<-END
	{"comm":"a","state":"blocked","wait":"disk"}	1	100000
	{"comm":"a","state":"blocked","wait":"futex"}	1	500000
	{"comm":"a","state":"on","wait":"-"}	1	100000
	{"comm":"a","state":"on","wait":"-"}	2	200000
	{"comm":"a","state":"run","wait":"-"}	1	100000
	{"comm":"b","state":"idle","wait":"epoll"}	1	350000
	{"comm":"b","state":"on","wait":"-"}	2	650000
	END
	same want out
	# a recording of elapsed time needs no option, and its samples are not among its slices
	$PERF data convert -i s.data --to rows -o own 2> err
	cut -f 6 own/profile.tsv | sed 1d > out
	echo wall:slice | same - out
	$PERF data convert --no-wall -i s.data --to rows -o raw 2> err
	cut -f 6 raw/profile.tsv | sed 1d > out
	echo cpu-clock | same - out'
check_if LIBSQLITE 'the same in a database' '
	$PERF data convert --wall=blocked -i made.data --kallsyms syms --to sqlite -o wall.db 2> err
	says "1 profile" err
	sqlite3 wall.db "SELECT json_extract(labels, \"\$.wait\"), sum(value) FROM sample GROUP BY 1" > out
	printf "disk|100000\nfutex|500000\n" | same - out'
check 'time of waits is not CPU time elsewhere' '
	$PERF data convert --wall -i made.data --kallsyms syms --to gecko -o - > out 2> err
	says "\"weight\": [0.1,0.5,0.1,0.1,0.1,0.1]" out
	not grep "\"threadCPUDelta\": \[" out
	fails_with 1 $PERF data convert --wall -i x.data --to rows -o none 2> err
	says "does not say when threads ran" err'
check 'comparing stacks: states are the first frames' '
	$PERF diff --wall --kallsyms syms --folded made.data sleepless.data > out
	sort > want <<-END
	a;blocked;work_a;futex_wait_queue 500000 600000
	a;blocked;work_a;io_schedule 100000 100000
	a;on;work_a;futex_wait_queue 100000 100000
	a;on;work_a;io_schedule 200000 200000
	a;run;work_a;futex_wait_queue 100000 0
	b;on;work_b;ep_poll 650000 650000
	END
	sort out | same want -
	$PERF diff --wall=run,blocked --kallsyms syms --flamegraph=d.svg made.data sleepless.data
	says "<title>blocked 700000, 100%, before 85.71%" d.svg
	says "<title>futex_wait_queue [[kernel.kallsyms]] 600000, 85.71%, before 71.43%, itself +14.29%" d.svg'
check 'comparing elapsed time with samples is refused' '
	for how in "" --folded "-s comm"; do
		fails_with 1 $PERF diff $how made.data s.data 2> err
		says "s.data has elapsed time by state, and the file before it has samples" err
		says "--wall compares all files as elapsed time, --no-wall as samples" err
		fails_with 1 $PERF diff $how s.data made.data 2> err
		says "made.data has samples, and the file before it has elapsed time by state" err
	done
	$PERF diff --wall --folded s.data made.data > out
	grep "^a;blocked;\[unknown\] 3000000 0" out
	fails_with 1 $PERF diff --folded --no-wall s.data made.data 2> err
	silent_about "elapsed" err'
# sums FILE: "COMM STATE MICROSECONDS" of all slices
sums() {
	slices "$1" | awk -F : '{ s[$1 " " $2] += $4 } END { for (k in s) print k, s[k] }' | sort
}
check 'time that goes backwards on one CPU' '
	# a leaves the CPU for the disk before it got it: the file is read in the order of time, so this contradicts
	# what comes before
	sed "s/time=1000800000/time=1000650000/" made.txt > back.txt
	not cmp -s made.txt back.txt
	mkdata back.data < back.txt
	sums back.data > out
	# no time is counted twice, and none is lost: each thread has its 1000 us
	awk "{ s[\$1] += \$3 } END { for (c in s) print c, s[c] }" out | sort > elapsed
	printf "a 1000\nb 1000\n" | same - elapsed
	# from its wake-up to its leaving, and until the idle task has its CPU
	grep -x "a unknown 250" out
	grep -x "b on 650" out'
check 'a tid that is used again' '
	{
		sed "/time=1001000000/d" made.txt
		CHAIN=
		echo "sample id=1 cpu=1 time=1001000000 tid=5 pid=5 u16:11 u8:0,0 u32:5 $(comm a) u32:5,120 u64:16 $(comm swapper/1) u32:0,120"
		echo "exit pid=5 tid=5 ppid=1 ptid=1 time=1001000001"
		echo "fork pid=5 tid=5 ppid=5 ptid=6 time=1001200000"
		echo "comm pid=5 tid=5 comm=\"new\" time=1001200000"
		switch 1 1300 $IDLE1 0 5:new
		switch 1 1400 5:new 32 $IDLE1
	} > again.txt
	sed "s/ chain=[^ ]*//" again.txt | sed "s/|callchain//" | mkdata again.data
	sums again.data > out
	# between them there is nobody; the new one waited for a CPU from its fork on
	grep -x "new on 100" out
	grep -x "new run 100" out
	awk "/^a / { s += \$3 } END { print s }" out > sum
	echo 1000 | same - sum'
check 'threads that never ran' '
	{
		cat made.txt
		echo "comm pid=7 tid=7 comm=\"silent\" time=3"
		echo "comm pid=8 tid=8 comm=\"woken\" time=3"
		wakes 0 400 6:b 8:woken
	} | mkdata never.data
	slices never.data > out
	# of the first nothing is known but its name; the other one slept, and then waited for a CPU to the end
	not grep silent out
	grep -x "woken:blocked:earlier:400:b:6" out
	grep -x "woken:run:-:600:" out
	# nor is more known of a process that hangs
	{ sched_formats; sched_events; echo "comm pid=7 tid=7 comm=\"silent\" time=3"; } | mkdata hangs.data
	$PERF report --wall -i hangs.data --stdio > out 2> err
	says "no thread ran or was woken while it was recorded" err'
check 'a thread that can run, and leaves its CPU with nothing to do, is throttled' '
	{
		sed "/^sample/d" made.txt
		CHAIN=
		switch 1 0 $IDLE1 0 5:a
		switch 1 100 5:a 0 $IDLE1
		switch 1 300 $IDLE1 0 5:a
		switch 1 400 5:a 0 6:b
		switch 1 500 6:b 1 5:a
		switch 1 600 5:a 32 $IDLE1
	} > quota.txt
	sed "s/|callchain//" quota.txt | mkdata quota.data
	slices quota.data > out
	grep "^a:" out > got
	printf "a:%s\n" on:-:100: blocked:throttled:200: on:-:100: run:-:100: on:-:100: | same - got
	# its wake-up is not missing
	$PERF report -i quota.data --wall --stdio --kallsyms syms > out 2> err
	silent_about "wake-ups of" out'
check 'equal slices are added up where times are not shown' '
	{
		sched_formats
		sched_events "identifier|ip|tid|time|cpu|raw|period|callchain"
		samples
		for i in $(seq 20 10 300); do
			# names change on the way: of the one who waits, and of the one who wakes it
			[ $i != 120 ] || echo "comm pid=5 tid=5 comm=\"later\" time=1011995000"
			[ $i != 220 ] || echo "comm pid=5 tid=6 comm=\"other\" time=1021995000"
			CHAIN=
			switch 1 ${i}00 $IDLE1 0 5:a
			kernel_chain __schedule schedule futex_wait_queue work_a
			switch 1 ${i}10 5:a 1 $IDLE1
			CHAIN=
			wakes 0 ${i}50 6:b 5:a
		done
	} > many.txt
	mkdata many.data < many.txt
	for keys in comm,state,wait,waker,sym tid,cpu,wait_target state; do
		for how in "" --wakers --critical-path "--critical-path=30%..80%" "--wall=all --no-children"; do
			# a filter of the time that keeps all needs the slices one by one
			for all in "" "--time 0%-100%"; do
				$PERF report --wall $how -i many.data --kallsyms syms --stdio -n -g caller -s $keys $all |
					sed "s/ (time slices: .*)//" > "out$all"
			done
			grep "^ .*[0-9]%" out > some
			same out "out--time 0%-100%"
		done
	done
	$PERF report --wall -i many.data --kallsyms syms -g none -n --stdio -s comm,waker,state -F sample,comm,waker,state > out
	grep "10 *later *b:6 *blocked" out'
check 'whole CPUs are known where none was idle and all threads have names' '
	busy() {
		echo "$kernel"
		echo "comm pid=5 tid=5 comm=\"a\" time=1"
		echo "comm pid=5 tid=6 comm=\"b\" time=2"
		CHAIN=
		for i in 1 3 5 7 9; do
			switch 0 ${i}00 5:a 0 6:b
			switch 0 $((i + 1))00 6:b 0 5:a
		done
	}
	{
		sched_formats
		sched_events
		busy
	} > busy.txt
	mkdata busy.data < busy.txt
	$PERF report --wall -i busy.data --kallsyms syms --stdio > out
	silent_about "Switches of some tasks" out
	slices busy.data > out
	grep -x "a:run:-:100:" out
	not grep unknown out
	# a file that names the threads that were recorded has no others
	for tid in 5 -1; do
		{ cat busy.txt; echo "thread_map nr=1 u64:$tid text:\"a\" zero:15"; } | mkdata named.data
		$PERF report --wall -i named.data --kallsyms syms --stdio > out$tid
	done
	says "Switches of some tasks are recorded" out5
	silent_about "Switches of some tasks" out-1'
check 'work after the record of a task that ends' '
	{
		sched_formats
		sched_events
		echo "$kernel"
		echo "comm pid=5 tid=5 comm=\"a\" time=1"
		CHAIN=
		switch 1 0 $IDLE1 0 5:a
		echo "exit pid=5 tid=5 ppid=1 ptid=1 time=1000100000"
		switch 1 300 5:a 2 $IDLE1
		wakes 0 400 $IDLE0 5:a
		switch 1 450 $IDLE1 0 5:a
		switch 1 500 5:a 32 $IDLE1
	} | mkdata ending.data
	sums ending.data > out
	printf "a blocked 100\na on 350\na run 50\n" | same - out'

# mark TID US LETTER ARG: of a thread of process 5 that sleeps with the stack $CHAIN
mark() {
	echo "sample ev=wall id=9 pid=5 tid=$1 time=$((1000000000 + $2 * 1000)) ip=1 chain=${CHAIN:-0} u32:$3,$4,0"
}
check 'threads that were seen asleep when the recording began and ended' '
	{
		sched_formats
		sched_events | sed "/^feature event_desc/ievent wall type=software config=dummy sample=identifier|ip|tid|time|callchain|raw ids=9 flags=sample_id_all"
		echo "$kernel"
		for t in 5:a 6:b 7:c 8:d; do echo "comm pid=5 tid=${t%:*} comm=\"${t#*:}\" time=1"; done
		kernel_chain do_nanosleep
		mark 5 0 0x53 0
		kernel_chain ep_poll
		mark 6 0 0x53 0
		CHAIN=
		mark 7 0 0x54 0
		wakes 0 300 6:b 5:a
		switch 1 400 $IDLE1 0 5:a
		switch 1 500 5:a 1 $IDLE1
		# one that nobody had seen
		mark 8 900 0x53 0
		kernel_chain do_nanosleep
		mark 5 1000 0x53 0
	} > marks.txt
	mkdata marks.data < marks.txt
	slices marks.data > out
	sort out > got
	sort > want <<-END
	a:blocked:timer:300:b:6
	a:run:-:100:
	a:on:-:100:
	a:blocked:other:500:
	b:idle:epoll:1000:
	c:blocked:stopped:1000:
	d:blocked:other:1000:
	END
	sed "s/:unknown\$/:/" got | same want -
	# raw data that is too short is of no use
	sed "s/ u32:\(0x5[34]\),.*/ u32:\1/" marks.txt | mkdata short.data
	slices short.data > out
	not grep "^[bcd]:" out'
