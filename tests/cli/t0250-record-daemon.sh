#!/bin/sh
# perf daemon: sessions are started, listed, asked, changed and ended.
. "$(dirname "$0")/lib.sh"
need EVENTS

# the fields of daemons and sessions that differ from run to run
PLAIN="s/^\[[0-9]*:/[PID:/; s/^[0-9]*,/PID,/; s/[0-9]* minutes/N minutes/"
RECORD="-e cpu-clock -- sleep 1000"
Q="'"
mkdir -m 700 base
config() {
	{ printf "[daemon]\nbase = base\n"; printf "[session-%s]\nrun = %s\n" "$@"; } > cfg.new
	mv cfg.new cfg
}
daemon() {
	$PERF daemon --config cfg "$@"
}
plain() {
	daemon "$@" > plain.raw && sed "$PLAIN" plain.raw
}
pid_of() {
	daemon -x | sed -n "s/^\([0-9]*\),$1,.*/\1/p"
}
# the list becomes these lines
lists() {
	plain > lists.out && printf "%s\n" "[PID:daemon] base: $PWD/base" "$@" | cmp - lists.out
}
gone() {
	not kill -0 "$1" 2> /dev/null
}
# a check that failed leaves none
on_end 'kill $(cat base/lock 2> /dev/null) 2> /dev/null'

check 'without a daemon' '
	config one "$RECORD"
	for word in list stop signal ping; do
		fails_with 1 $PERF daemon $word --config cfg 2> err
		says "Error: no perf daemon uses $PWD/base" err
		says "Hint: ${Q}perf daemon start$Q starts one" err
	done
	daemon start
	daemon stop
	fails_with 1 $PERF daemon --config cfg 2> err
	says "no perf daemon uses" err
	test ! -e base/control -a ! -s base/lock
'
check_if FAULTS 'a recorder that cannot be watched is ended, and the daemon ends, too' '
	config one "$RECORD"
	fails=0
	for n in 1 2 3 4 5 6; do
		"$O/tools/faults" -f 233:28:$n $PERF daemon start -f --config cfg > /dev/null 2> err.$n &
		until_true grep -q "running session\|could not be started\|Error" err.$n
		! grep -q "could not be started" err.$n || fails=$((fails + 1))
		pid=$(children $!)
		test -z "$pid" || kill $pid 2> /dev/null || true
		wait $! || true
		silent_about "does not end" err.$n
	done
	test $fails -gt 0
'
check 'start returns when the sessions record; list, in three forms' '
	config one "-e cpu-clock --overwrite --switch-output -- sleep 1000" Two "$RECORD"
	daemon start > out 2>&1
	test ! -s out
	plain > out
	same - out <<-END
	[PID:daemon] base: $PWD/base
	[PID:one] perf record -e cpu-clock --overwrite --switch-output -- sleep 1000
	[PID:two] perf record -e cpu-clock -- sleep 1000
	END
	plain -v > out
	same - out <<-END
	[PID:daemon] base: $PWD/base
	  output:  $PWD/base/output
	  lock:    $PWD/base/lock
	  up:      N minutes
	[PID:one] perf record -e cpu-clock --overwrite --switch-output -- sleep 1000
	  base:    $PWD/base/session-one
	  output:  $PWD/base/session-one/output
	  control: $PWD/base/session-one/control
	  ack:     $PWD/base/session-one/ack
	  up:      N minutes
	[PID:two] perf record -e cpu-clock -- sleep 1000
	  base:    $PWD/base/session-two
	  output:  $PWD/base/session-two/output
	  control: $PWD/base/session-two/control
	  ack:     $PWD/base/session-two/ack
	  up:      N minutes
	END
	daemon -x > out
	same - out <<-END
	$(cat base/lock),daemon,$PWD/base,$PWD/base/output,$PWD/base/lock,0
	$(pid_of one),one,-e cpu-clock --overwrite --switch-output -- sleep 1000,$PWD/base/session-one,$PWD/base/session-one/output,$PWD/base/session-one/control,$PWD/base/session-one/ack,0
	$(pid_of two),two,-e cpu-clock -- sleep 1000,$PWD/base/session-two,$PWD/base/session-two/output,$PWD/base/session-two/control,$PWD/base/session-two/ack,0
	END
	test "$(stat -c %a base/session-one base/session-one/control base/control base/output base/lock | tr "\n" " ")" = "700 600 600 600 600 "
	tr "\0" "\n" < /proc/$(pid_of two)/cmdline > out
	printf "%s\n" perf record --control=fifo:control,ack -e cpu-clock -- sleep 1000 | same - out
'
check 'ping and signal' '
	daemon ping > out
	printf "OK   one\nOK   two\n" | same - out
	daemon ping --session Two > out
	printf "OK   two\n" | same - out
	fails_with 1 $PERF daemon ping --session foo --config cfg > out
	printf "FAIL foo (not found)\n" | same - out
	daemon signal --session one > out
	printf "signal 12 sent to session \047one [%d]\047\n" "$(pid_of one)" | same - out
	until_true grep -q "Dump perf.data" base/session-one/output
	for f in base/session-one/perf.data.*[0-9]; do $PERF evlist -i "$f" >> events; done
	says cpu-clock events
	fails_with 1 $PERF daemon signal --session foo --config cfg 2> err
	says "the daemon has no session ${Q}foo$Q" err
'
check 'a recorder without --switch-output ignores the signal, and this is said; its command gets it' '
	two=$(pid_of two)
	fails_with 1 $PERF daemon signal --config cfg > out 2> err
	says "signal 12 sent to session ${Q}two [$two]$Q" out
	says "Warning: session ${Q}two$Q ignores the signal: its run has neither --switch-output nor --overwrite" err
	silent_about "session ${Q}one$Q" err
	daemon ping --session two
	test "$(pid_of two)" = "$two"
	grep SigIgn "/proc/$(children "$two" | head -n 1)/status" > set
	test $((0x$(sed "s/.*\t//" set) >> 11 & 1)) = 0
'
check 'a directory has one daemon' '
	fails_with 1 $PERF daemon start --config cfg 2> err
	says "Error: another perf daemon (pid $(cat base/lock)) uses $PWD/base" err
'
check 'the configuration is followed; what is not understood changes nothing' '
	one=$(pid_of one) two=$(pid_of two)
	config one "-e cpu-clock --overwrite --switch-output -- sleep 1000" two "-e task-clock -- sleep 1000" new "$RECORD"
	until_true lists "[PID:one] perf record -e cpu-clock --overwrite --switch-output -- sleep 1000" \
		"[PID:two] perf record -e task-clock -- sleep 1000" "[PID:new] perf record $RECORD"
	test "$(pid_of one)" = "$one" -a "$(pid_of two)" != "$two"
	printf "[daemon]\nbase = base\n[session-x]\nruns = y\n" > cfg
	until_true grep -q "sessions are left as they are: .*cfg:4: sessions of perf daemon have only the key" base/output
	test "$(pid_of one)" = "$one"
	config new "$RECORD"
	until_true lists "[PID:new] perf record $RECORD"
	$PERF evlist -i base/session-two/perf.data > events
	says task-clock events
'
check 'stop ends all, and the files are complete' '
	pid=$(cat base/lock) new=$(pid_of new)
	daemon stop > out 2>&1
	test ! -s out
	until_true gone $pid
	until_true gone $new
	$PERF report -i base/session-new/perf.data --header-only > out
	says "sleep 1000" out
	says "daemon exited" base/output
'
check 'a session that ends at once: its status, and where its output is' '
	config bad "--nosuch" good "$RECORD" done "-e cpu-clock true"
	daemon start 2> err
	says "Warning: session ${Q}bad$Q exited with status 129: see $PWD/base/session-bad/output" err
	silent_about "session ${Q}done$Q" err
	says "unknown option" base/session-bad/output
	until_true grep -q "session .done. exited, status=0" base/output
	lists "[PID:good] perf record $RECORD" 2> err
	fails_with 1 $PERF daemon ping --config cfg > out 2> err
	printf "FAIL bad\nOK   good\nFAIL done\n" | same - out
	says "session ${Q}done$Q exited with status 0" err
	# it is started again when the configuration changes, whatever changed
	echo "# changed" >> cfg
	until_true has_lines "running session .bad" base/output 2
	daemon stop
'
check 'a daemon that is killed leaves no recorder, and does not hinder the next one' '
	config one "$RECORD"
	daemon start
	one=$(pid_of one)
	sleep=$(children "$one")
	test -n "$sleep"
	kill -9 "$(cat base/lock)"
	until_true gone "$one"
	until_true gone "$sleep"
	test -e base/control
	fails_with 1 $PERF daemon --config cfg 2> err
	says "no perf daemon uses" err
	daemon start
	lists "[PID:one] perf record $RECORD"
	daemon stop
'
check 'in the foreground: messages, and Ctrl-C ends it' '
	config one "$RECORD"
	$PERF daemon start -f --config cfg 2> err &
	until_true daemon ping
	one=$(pid_of one)
	kill -INT $!
	wait $!
	until_true gone "$one"
	says "daemon started (pid $!)" err
	says "daemon exited" err
'
check 'a recorder that does not answer does not hold up others' '
	config one "$RECORD" two "$RECORD"
	daemon start
	kill -STOP "$(pid_of one)"
	fails_with 1 $PERF daemon ping --config cfg > out 2> err
	printf "FAIL one\nOK   two\n" | same - out
	grep -q "session .one. (pid [0-9]*) does not answer" err
	daemon stop
'
check 'directories and files that cannot be used' '
	config one "$RECORD"
	fails_with 1 $PERF daemon start 2> err
	says "no base directory is set" err
	fails_with 1 $PERF daemon start --config cfg --base none 2> err
	says "cannot use ${Q}none$Q as the base directory: No such file" err
	says "Hint: mkdir -m 700 none" err
	fails_with 1 $PERF daemon start --config cfg --base cfg 2> err
	says "Not a directory" err
	fails_with 1 $PERF daemon start --config none 2> err
	says "/none: No such file" err
	mkdir -m 777 open
	chmod 777 open
	fails_with 1 $PERF daemon start --config cfg --base open 2> err
	says "other users can write to $PWD/open" err
	mkdir -m 700 link
	ln -s /nonexistent link/lock
	fails_with 1 $PERF daemon start --config cfg --base link 2> err
	says "cannot open the file ${Q}lock$Q" err
	ln -sf "$PWD/open" link/session-one
	rm link/lock
	daemon start --base link 2> err
	says "session ${Q}one$Q could not be started: cannot open $PWD/link/session-one: " err
	daemon stop --base link
'
check 'no sessions: the daemon waits for some' '
	printf "[daemon]\nbase = base\n" > cfg
	daemon start 2> err
	says "Warning: nothing is recorded" err
	config one "$RECORD"
	until_true lists "[PID:one] perf record $RECORD"
	daemon stop
'
check 'words and options without a meaning' '
	fails_with 129 $PERF daemon foo 2> err
	says "unknown subcommand ${Q}foo$Q" err
	fails_with 129 $PERF daemon start foo 2> err
	says "unexpected argument ${Q}foo$Q" err
	fails_with 129 $PERF daemon -f 2> err
	says "-f has no meaning with ${Q}list$Q" err
	fails_with 129 $PERF daemon stop --session x 2> err
	says "--session has no meaning with ${Q}stop$Q" err
'
check 'a path longer than an address of a socket' '
	long=$(printf "%0100d" 0)
	mkdir -m 700 -p "$long/$long"
	config one "$RECORD"
	daemon start --base "$long/$long"
	daemon ping --base "$long/$long" > out
	echo "OK   one" | same - out
	daemon stop --base "$long/$long"
'
check_if NONROOT 'of another user' '
	config one "$RECORD"
	daemon start
	mkdir -p sub
	chmod 755 . base
	fails_with 1 as_nobody $PERF_COPY daemon --base "$PWD/base" 2> err
	says "$PWD/base belongs to another user (0)" err
	daemon stop
'
# the user of as_nobody
have_OTHER() {
	have_NONROOT && mkdir -p other && as_nobody sh -c "id -u" > uid && chown "$(cat uid)" other && chmod 700 other
}
check_if OTHER 'root asks the daemon of another user' '
	printf "[session-one]\nrun = -e cpu-clock -- sleep 1000\n" > other/cfg
	chown "$(cat uid)" other/cfg
	as_nobody $PERF_COPY daemon start --base other --config other/cfg
	$PERF daemon ping --base other > out
	echo "OK   one" | same - out
	$PERF daemon stop --base other
'
have_FILECAPS() {
	have_OTHER && command -v setcap > /dev/null && setcap cap_perfmon+ep "$PERF_COPY" 2> /dev/null ||
		{ echo "needs setcap"; return 1; }
}
check_if FILECAPS 'a daemon with the capabilities of its file leaves no recorder when it is killed, either' '
	as_nobody $PERF_COPY daemon start --base other --config other/cfg
	one=$($PERF daemon -x --base other | sed -n "s/,one,.*//p")
	test -n "$one"
	kill -9 "$(cat other/lock)"
	until_true gone "$one"
'
