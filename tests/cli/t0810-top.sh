#!/bin/sh
# perf top: live tables through a pipe and on a terminal.
. "$(dirname "$0")/lib.sh"
need EVENTS

# tables FILE: how many there are; last FILE: the rows of the last one
tables() {
	grep -c "^   PerfTop:" "$1"
}
last() {
	awk '/^   PerfTop:/ { text = "" } !/^#|^$|^-|PerfTop/ { text = text $0 "\n" } END { printf "%s", text }' "$1"
}
# until_shown TEXT ARGS...: top until it has shown that, then Ctrl-C. Not in the background: what a shell
# starts there ignores SIGINT
until_shown() {
	rm -f out pid
	{ until_true grep -q "$1" out || :; kill -INT "$(cat pid)"; } &
	shift
	sh -c 'echo $$ > pid; exec "$@"' sh $PERF top "$@" > out 2> err
	wait $!
}
# a shell that runs a loop of a known name, and then does nothing
loop_then_sleep="$PERF test -w noploop 1 > /dev/null 2>&1; sleep"

check 'shows a command, refreshes, and ends with it; through a pipe there are no escape sequences' '
	$PERF top --stdio -e cpu-clock:u -d 300ms -- sh -c "$loop_then_sleep 0.5" > out 2> err
	test "$(tables out)" -ge 3
	grep -Eq "^   PerfTop: +[0-9]+ irqs/sec  kernel: *0.0%  exact: .*% lost: 0/0 drop: 0/0 \[4000Hz cpu-clock:u\],  \(command: sh\)$" out
	says "# Overhead  Shared Object" out
	last out | head -n 1 > rows
	grep -Eq "^ +[0-9.]+%  perf +\[\.\] noploop *$" rows
	not grep -q "$(printf "\033")" out
'
check '-g: call graphs, also of what is carried' '
	$PERF top -g -e cpu-clock:u -d 300ms --percent-limit 30 -- sh -c "$loop_then_sleep 0.5" > out 2> err
	last out > rows
	grep -Eq "^ +[0-9.]+% +[0-9.]+%  perf +\[\.\] noploop *$" rows
	grep -Eq "^ +[0-9.]+% +0[.][0-9]+%  perf +\[\.\] cmd_test *$" rows
	grep -Eq "^ +cmd_test$" rows
	$PERF top --call-graph fp --no-children -e cpu-clock:u -d 300ms -- $PERF test -w noploop 1 > out 2> err
	grep -q -- "---noploop" out
	not grep -q Children out
'
check '-H: rows as a tree; control groups and namespaces as keys; --ignore-callees' '
	$PERF top --stdio -H -s comm,dso,sym -e cpu-clock:u -d 1 --percent-limit 30 -- $PERF test -w noploop 1 > out 2> err
	last out > rows
	grep -Eq "^ +[0-9.]+% +perf-noploop *$" rows
	grep -Eq "^ +[0-9.]+% +\[\.\] noploop *$" rows
	$PERF top --stdio --all-cgroups --namespaces -s cgroup,cgroup_id -e cpu-clock:u -d 1 -- $PERF test -w noploop 1 > out 2> err
	last out > rows
	grep -Eq "^ +[0-9.]+% +(/[^ ]*|unknown) +[0-9]+/0x[0-9a-f]+ *$" rows
	$PERF top -g --no-children --ignore-callees cmd_test -e cpu-clock:u -d 1 -- $PERF test -w noploop 1 > out 2> err
	last out > rows
	grep -Eq "^ +[0-9.]+% +perf +\[\.\] cmd_test *$" rows
	not grep -q noploop rows
	fails_with 1 $PERF top --stdio --ignore-callees x -e cpu-clock:u -- true > out 2> err
	says "call chains" err
'
check 'a target that exists: ends with it' '
	$PERF test -w noploop 60 & target=$!
	rm -f out
	$PERF top -p $target -e cpu-clock:u -d 0.5 > out 2> err & top=$!
	until_true has_lines noploop out 1
	kill $target
	wait $top
	says "(target_pid: $target)" out
	last out | head -n 1 > rows
	grep -q "perf  *\[\.\] noploop" rows
'
check 'Ctrl-C ends it in good order' '
	$PERF test -w noploop 60 & target=$!
	until_shown noploop -p $target -e cpu-clock:u -d 200ms
	kill $target
	test "$(tables out)" -ge 1
	last out > rows
	grep -q noploop rows
	test ! -s err
'
check 'its status is 0 when a signal ends it' '
	$PERF test -w noploop 60 & target=$!
	rm -f out	# it has the tables of the check before until top begins
	$PERF top -p $target -e cpu-clock:u -d 200ms > out 2> err & top=$!
	until_true has_lines noploop out 1
	kill -TERM $top
	wait $top
	kill $target
'
check 'ends when the reader of the pipe has ended' '
	$PERF test -w noploop 60 & target=$!
	( rc=0; timeout 30 $PERF top -p $target -e cpu-clock:u -d 100ms 2> err || rc=$?; echo $rc > status ) | head -n 1 > out
	kill $target
	test "$(cat status)" = 0
	test ! -s err
'
check 'counts fade by an eighth at each refresh, and -z begins anew' '
	$PERF top -e cpu-clock:u -d 400ms -n --symbols noploop -- sh -c "$loop_then_sleep 4" > out 2> err
	awk "/noploop/ { print \$2 }" out > counts
	tail -n 4 counts > tail
	test "$(wc -l < tail)" = 4
	awk "NR > 1 && \$1 != int(last * 7 / 8) { print \"after \" last \": \" \$1; bad = 1 } { last = \$1 } END { exit bad }" tail
	$PERF top -z -e cpu-clock:u -d 400ms -n -- sh -c "$loop_then_sleep 4" > out 2> err
	grep -q noploop out
	last out > rows
	not grep noploop rows
'
check 'programs that are started while it runs have their names' '
	cp $PERF copied
	$PERF top -e cpu-clock:u -d 300ms -s comm,dso,sym -- sh -c "sleep 0.5; ./copied test -w noploop 1; :" > out 2> err
	last out | head -n 1 > rows
	grep -Eq "^ +[0-9.]+%  perf-noploop +copied +\[\.\] noploop" rows
	# of many that live shortly
	$PERF top -e page-faults:u -c 1 -d 300ms -s comm,dso -- sh -c "for i in 1 2 3 4 5 6 7 8; do cat /dev/null; uname > /dev/null; done" > out 2> err
	last out > rows
	grep -Eq "  cat +(ld|libc)" rows
	grep -Eq "  uname +(ld|libc)" rows
	not grep -q -e ":[0-9]" -e unknown rows
'
check_if PLAIN 'a storm of short processes: memory does not grow with their number' '
	# a table that is being made takes memory for a moment: the least of some moments counts
	cat > storm <<-END
	memory() {
		sleep 1		# until the next refresh, whose table takes memory
		for moment in 1 2 3 4 5 6 7 8; do
			cat /proc/\$PPID/status
			sleep 0.07
		done > \$1
	}
	i=0
	while [ \$i -lt 1500 ]; do
		[ \$i != 300 ] || memory early
		uname > uname.out
		( : ) & ( : ) & wait
		i=\$((i + 1))
	done
	memory late
	END
	$PERF top -e page-faults:u -c 1 -s comm,dso -d 200ms -- sh ./storm > out 2> err
	grep -q "  uname  *libc" out
	for when in early late; do
		awk "/^VmRSS/ && (!least || \$2 < least) { least = \$2 } END { print least }" $when
	done > rss
	# a refresh that comes late has more records at once, for which memory was taken: up to 2.4 MB were seen.
	# A kilobyte that each of the 3600 processes left would be more
	awk "NR == 1 { early = \$1 } END { print early, \$1; exit !(NR == 2 && early > 0 && \$1 < early + 3600) }" rss
'
check 'a program that was deleted is called so' '
	cp $PERF gone
	./gone test -w noploop 60 & target=$!
	until_true grep noploop /proc/$target/comm
	rm gone
	until_shown noploop -p $target -e cpu-clock:u -d 500ms
	kill $target
	last out | head -n 1 > rows
	grep -q "%  gone (deleted) " rows
'
check 'rows and columns: -E, -n, -w, -q, -f, --percent-limit, --fields' '
	cmd="-- $PERF test -w noploop 1"
	$PERF top -e cpu-clock:u -E 1 -n -d 60 $cmd > out 2> err
	last out > rows
	test "$(wc -l < rows)" = 1
	test "$(tables out)" = 1
	says "Overhead       Samples  Shared Object" out
	$PERF top -q -e cpu-clock:u -d 60 $cmd > out 2> err
	not grep "^#" out
	$PERF top -e cpu-clock:u -f 1000000 -d 60 $cmd > out 2> err
	last out > rows
	test "$(wc -l < rows)" = 0
	$PERF top -e cpu-clock:u --percent-limit 50 -d 60 $cmd > out 2> err
	last out > rows
	test "$(wc -l < rows)" = 1
	$PERF top -e cpu-clock:u -w 10,3 -d 60 $cmd > out 2> err
	last out | head -n 1 > rows
	grep -q "%  per  \[\.\] noploop" rows
	$PERF top -e cpu-clock:u --fields comm,overhead -d 60 $cmd > out 2> err
	last out > rows
	# the program names itself before it counts
	grep -Eq "^  perf[a-z-]* +[0-9.]+%" rows
'
check 'filters: --comms, --dsos, --symbols, and the percentages they leave' '
	cmd="-- $PERF test -w noploop 1"
	$PERF top -e cpu-clock:u --dsos no-such -d 60 $cmd > out 2> err
	last out > rows
	test "$(wc -l < rows)" = 0
	$PERF top -e cpu-clock:u --comms perf-noploop --symbols noploop --percentage relative -d 60 $cmd > out 2> err
	last out > rows
	grep -q "100.00%  perf  *\[\.\] noploop" rows
'
check 'several events: a table each, which says of which' '
	$PERF top -e cpu-clock:u,page-faults:u -d 60 -- $PERF test -w noploop 1 > out 2> err
	says "# Samples: " out
	says "of event '"'cpu-clock:u'"'" out
	says "of event '"'page-faults:u'"'" out
	says "[cpu-clock:u, page-faults:u]" out
	$PERF top -e page-faults:u -c 1 -d 60 -- $PERF test -w noploop 1 > out 2> err
	says "[1 page-faults:u]" out
'
check '--overwrite: rings that keep the newest samples, read at each refresh' '
	$PERF top --overwrite -m 1 -F 20000 -n -z -e cpu-clock:u -d 300ms -- sh -c "$loop_then_sleep 2" > out 2> err
	test "$(tables out)" -ge 3
	awk "\$3 == \"perf\" && /noploop/ { if (\$2 > most) most = \$2 } END { exit !(most > 20 && most < 1000) }" out
	last out > rows
	not grep -q noploop rows
'
check '-D: the symbol tables that were used' '
	$PERF top -D -E 1 -e cpu-clock:u -d 60 -- $PERF test -w noploop 1 > out 2> err
	grep -q "^dso: .*perf ([0-9]* symbols of .*perf)$" out
	grep -Eq "^ +[0-9a-f]+-[0-9a-f]+ [glw] noploop$" out
'
check '--mem-mode and keys of samples: samples have what they need' '
	$PERF top --mem-mode -E 100000 -w 0 -e page-faults:u -c 1 -d 60 -- $PERF test -w noploop 1 > out 2> err
	says "Data Symbol" out
	last out > rows
	grep -Eq " [[]stack[]]|/perf|perf +N/A| perf " rows
	grep -q "libc" rows
	# each page once in each of several refreshes, of which the last may be empty; pages of sanitizers are at the
	# same addresses in all programs
	if have_PLAIN > why; then
		$PERF top --mem-mode -s dcacheline -n -e page-faults:u -c 1 -d 100ms -E 1000 -- $PERF test -w noploop 1 > out 2> err
		awk "/^   PerfTop:/ { table++ } /%/ && !/PerfTop/ && /\[.\] 0x/ { rows++; if (seen[table, \$0]++) exit again = 1 }
			END { exit again || !rows }" out
	fi
	$PERF top -s local_weight,transaction,sym --percent-limit 50 -e cpu-clock:u -d 300ms -- $PERF test -w noploop 1 > out 2> err
	last out > rows
	grep -Eq "% +0 +[[]\.[]] noploop" rows
'
check_if ROOT,TRACEFS 'fields of tracepoints as keys, and their text, also after refreshes' '
	runs="for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do uname > /dev/null; done; sleep 1; :"
	$PERF top -n -e sched:sched_process_exec -s filename -d 200ms -- sh -c "$runs" > out 2> err
	says filename out
	grep -E "[0-9]+ +/[a-z/]*uname *$" out > rows
	test "$(wc -l < rows)" -ge 2
	$PERF top -e sched:sched_process_exec -s trace -d 200ms -- sh -c "$runs" > out 2> err
	grep -Eq "filename=/[a-z/]*uname pid=[0-9]+ old_pid=[0-9]+" out
	$PERF top --raw-trace -e sched:sched_process_exec -s trace -d 200ms -- sh -c "$runs" > out 2> err
	grep -Eq "%   filename=/[a-z/]*uname pid=[0-9]+" out
'
check_if ROOT 'the whole system is the default; -C names CPUs' '
	$PERF test -w noploop 30 & target=$!
	until_shown "perf  *\[\.\] noploop" -d 1
	grep -Eq ",  \(all, [0-9]+ CPUs?\)$" out
	grep -q "perf  *\[\.\] noploop" out
	until_shown "all, CPU: 0" -e cpu-clock -C 0 -d 500ms
	kill $target
	says "[4000Hz cpu-clock],  (all, CPU: 0)" out
'
check_if ROOT '-K and -U leave out a side' '
	cmd="-- $PERF test -w traploop 300000"
	$PERF top -e cpu-clock -E 1000 -d 60 $cmd > both 2> err
	$PERF top -e cpu-clock -E 1000 -d 5 -K $cmd > user 2> err
	$PERF top -e cpu-clock -E 1000 -d 5 -U $cmd > kernel 2> err
	grep -q "\[k\]" both
	grep -q "\[\.\]" both
	not grep "\[k\]" user
	grep -q "\[\.\]" user
	not grep "\[\.\]" kernel
	grep -q "\[k\]" kernel
'
check_if NONROOT 'without rights: a command can be observed' '
	as_nobody sh -c "cd / && $PERF_COPY top -e cpu-clock:u -d 60 -- $PERF_COPY test -w noploop 1" > out 2> err ||
		{ says perf_event_paranoid err && skip "kernel.perf_event_paranoid refuses"; }
	last out | head -n 1 > rows
	grep -q "perf  *\[\.\]" rows
'
check_if NONROOT 'without rights: a message if the whole system is asked for' '
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 1 ] || skip "kernel.perf_event_paranoid lets everybody observe the system"
	fails_with 1 as_nobody $PERF_COPY top -a > out 2> err
	says "Error: " err
	test ! -s out
'
check_if PTY 'on a terminal: the screen is redrawn, lines are cut, q ends, and keys are shown again' '
	rm -f out
	{ until_true has_lines PerfTop out 3 || :; printf q; } | timeout 100 script -qec "
		stty rows 14 cols 50
		$PERF top -e cpu-clock:u -d 500ms -- $PERF test -w noploop 90
		echo status \$?; stty -a" typescript > out
	tr -d "\r" < out > text
	has_lines "^$(printf "\033")\[H$(printf "\033")\[2J   PerfTop" text 3
	says "status 0" text
	grep -q "[ ;]icanon" text
	grep -Eq "[ ;]echo[ ;]" text
	test "$(grep -c noploop text)" -ge 1
	not grep "^   PerfTop.\{48\}" text
'
check 'options that are wrong or not built say so' '
	fails_with 129 $PERF top -d 0 2> err
	says "is not between 1 ms and 49 days" err
	fails_with 129 $PERF top -d 0.2x 2> err
	says "is neither a number of seconds, such as 0.5, nor a time such as 500ms" err
	fails_with 129 $PERF top -s no-such-key -- true 2> err || fails_with 1 $PERF top -s no-such-key -- true 2> err
	says no-such-key err
	fails_with 1 $PERF top -s parallelism -- true 2> err
	says "the sort key '"'parallelism'"' is not available in live tables yet" err
	for o in --branch-history -b "-j any,u" "--call-graph lbr --stitch-lbr"; do
		fails_with 1 $PERF top -e cpu-clock:u $o -- true 2> err
		says "branch stacks (-b, -j, --call-graph lbr) are not supported by this event or CPU" err
	done
	fails_with 1 $PERF top --stitch-lbr -g -- true 2> err
	says "call chains of --call-graph lbr" err
	fails_with 1 $PERF top --mem-mode -b -- true 2> err
	says "exclude each other" err
	fails_with 1 $PERF top -s symbol_from -- true 2> err
	says "is a key of branches" err
	fails_with 255 $PERF top -e cpu-clock:u no-such-command 2> err
	says "no-such-command" err
	fails_with 1 $PERF top -p 999999999 2> err
'
check 'a full disk is an error' '
	[ -c /dev/full ] || skip "needs /dev/full"
	fails_with 1 $PERF top -e cpu-clock:u -d 100ms -- $PERF test -w noploop 1 > /dev/full 2> err
	says "cannot write to standard output: No space left on device" err
'
check_if EVENTS,TUI 'in the terminal: live tables with keys, frozen, and the terminal as it was after q' '
	cat > steps <<-END
	size 20 120
	wait irqs/sec
	wait h: keys
	wait noploop
	key f
	wait stays as it is
	key f
	wait goes on
	key z
	wait its own interval
	key h
	wait freeze the table
	key q
	gone freeze the table
	key /
	wait Show names with: _
	type noploop
	key ENTER
	wait contains
	wait noploop
	key i
	wait no such key
	key q
	ends 0
	clean
	END
	tui $PERF top -e cpu-clock -d 1 $PERF test -w noploop 100 < steps
'
check_if ROOT,TRACEFS '--switch-on, --switch-off: samples between two events, also in later intervals' '
	events=cpu-clock:u,sched:sched_process_exec,sched:sched_process_exit
	run="$PERF test -w noploop 1"
	$PERF top --stdio -n -e $events -d 300ms --switch-on sched:sched_process_exit --comms perf-noploop -- sh -c "$run; $run & wait" > out 2> err
	awk "/noploop/ && /%/ { nr = \$2 } END { exit !(nr > 0) }" out
	$PERF top --stdio -n -z -e $events -d 60 --switch-off sched:sched_process_exec --switch-on sched:sched_process_exit -- $run > out 2> err
	not grep -q noploop out
	fails_with 1 $PERF top --stdio -e cpu-clock:u --switch-on nothing -- true 2> err
	says "event not found (nothing)" err
'
have_PYTHON() {
	command -v python3 > /dev/null || { echo "needs python3"; return 1; }
}
check_if PYTHON '--json: a document for each refresh' '
	$PERF top --json -g -e cpu-clock:u -d 300ms --percent-limit 30 -- $PERF test -w noploop 1 > out 2> err
	python3 -c "if True:
		import json, sys
		text, nr, noploop = sys.stdin.read().strip(), 0, 0
		while text:
			doc, end = json.JSONDecoder().raw_decode(text)
			text, nr = text[end:].lstrip(), nr + 1
			assert doc[\"perf\"] == \"top\" and doc[\"version\"] == 1 and doc[\"header\"][\"interval-ns\"] > 0
			noploop += sum(r[\"symbol\"] == \"noploop\" and \"callgraph\" in r for r in doc[\"events\"][0][\"rows\"])
		assert nr > 1 and noploop > 0, (nr, noploop)" < out
	fails_with 1 $PERF top --json --sym-annotate x -- true 2> err
	says "--json and --sym-annotate exclude each other" err
'
check '--sym-annotate: the code of a function, with what was counted since the start' '
	$PERF top --stdio -e cpu-clock:u -d 300ms --asm-raw --sym-annotate noploop -- sh -c "$loop_then_sleep 0.5" > out 2> err
	test "$(tables out)" -ge 3
	says "no sample is in a function .noploop. yet" out || says "Source code & Disassembly of perf for cpu-clock:u" out
	sed -n "s/.*for cpu-clock:u (\([0-9]*\) samples.*/\1/p" out | sort -n | tail -n 1 > most
	test "$(cat most)" -gt 20
	grep -Eq "^ +[0-9]{2,3}\.[0-9]+ : +[0-9a-f]+: +[0-9a-f]{2} " out
'
check_if EVENTS,TUI 'in the terminal: the code of a row, and call graphs and trees' '
	cat > steps <<-END
	size 24 120
	wait noploop
	key DOWN
	key UP
	key a
	wait samples of cpu-clock
	wait noploop
	key q
	gone samples of cpu-clock
	key q
	ends 0
	END
	$PERF test -w noploop 300 & target=$!
	tui $PERF top -e cpu-clock -d 1 --symbols noploop -M att -p $target < steps
	cat > steps <<-END
	size 24 120
	wait irqs/sec
	wait Children
	wait noploop
	type +
	wait perf_of_name
	key f
	wait stays as it is
	screen
	key q
	ends 0
	END
	tui $PERF top -g -e cpu-clock -d 1 --symbols noploop -p $target < steps > screen
	grep -Eq "^- +[0-9.]+%.*noploop" screen
	sed -i "s/perf_of_name/perf-noploop/; s/wait Children/wait Overhead/" steps
	tui $PERF top -H -s comm,sym -e cpu-clock -d 1 --symbols noploop -p $target < steps > screen
	kill $target
	grep -Eq "^ +[0-9.]+%.* - perf-noploop" screen
'
