#!/bin/sh
# threads
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS

# the sample count of the closing line
said() {
	sed -n 's/.*(\([0-9]*\) samples).*/\1/p' "$1"
}
# user-space load of some tenths of a second
echo 'i=0; while [ $i -lt $((${1:-1} * 300000)) ]; do i=$((i + 1)); done' > busy.sh

check 'records a command; the closing lines count exactly what is in the file' '
	$PERF record -e cpu-clock:u -o x.data sh busy.sh 2> log
	grep -q "^\[ perf record: Woken up [0-9]* times to write data \]$" log
	grep -Eq "^\[ perf record: Captured and wrote [0-9.]* MB x.data \([0-9]+ samples\) \]$" log
	test "$(stat -c %a x.data)" = 600
	test "$($PERF script -i x.data -F comm | wc -l)" = "$(said log)"
'
check 'passes the exit status of the command on' '
	rc=0; $PERF record -e cpu-clock:u -o x.data sh -c "exit 7" 2> log || rc=$?
	test $rc = 7
	rc=0; $PERF record -e cpu-clock:u -o x.data sh -c "kill -TERM \$\$" 2> log || rc=$?
	test $rc = 143
'
check 'a command that is not there: a message and 255' '
	rc=0; $PERF record -e cpu-clock:u -o none.data no-such-command 2> log || rc=$?
	test $rc = 255
	grep -q "no-such-command.*No such file or directory" log
	# nor where a directory of PATH may not be entered
	mkdir -p closed; chmod 0 closed
	rc=0; PATH=$PWD/closed:$PATH $PERF record -e cpu-clock:u -o none.data no-such-command 2> log || rc=$?
	chmod 700 closed
	test $rc = 255
	grep -q "no-such-command.*No such file or directory" log
'
check 'what else is not there: 1' '
	fails_with 1 $PERF record -e cpu-clock:u -o no/where true 2> log
	says "cannot create no/where: No such file or directory" log
	fails_with 1 $PERF record -e cpu-clock:u --control fifo:no/where -o none.data true 2> log
	says "cannot open the fifo no/where" log
	if [ -c /dev/full ]; then
		fails_with 1 $PERF record -e cpu-clock:u -o /dev/full true 2> log
		says "choose another disk" log
	fi
'
check 'an empty size or mode is shown as such' '
	fails_with 129 $PERF record -m "" true 2> log
	says "'"'' is neither a number of pages"'" log
	fails_with 129 $PERF record --call-graph= true 2> log
	says "unknown call-graph mode '"''"': fp" log
'
check '--control fd: is a descriptor of the caller, and one to wait for' '
	fails_with 1 $PERF record -e cpu-clock:u --control fd:3 -o none.data true 2> log 3>&-
	says "descriptor 3 is not open" log
	fails_with 1 $PERF record -e cpu-clock:u --control fd:3 -o none.data true 2> log 3< /dev/null
	says "descriptor 3 is a file, a directory or /dev/null" log
	fails_with 1 $PERF stat -e page-faults --control fd:3 true 2> log 3>&-
	says "descriptor 3 is not open" log
'
check 'keeps the previous file' '
	rm -f x.data x.data.old
	$PERF record -q -e cpu-clock:u -o x.data true
	ino=$(stat -c %i x.data)
	$PERF record -q -e cpu-clock:u -o x.data true
	test "$(stat -c %i x.data.old)" = "$ino"
'
check 'a link to the previous file is kept, what it leads to is not touched' '
	echo precious > target
	ln -s target link.data
	$PERF record -e cpu-clock:u -o link.data true 2> log
	test "$(readlink link.data.old)" = target
	test "$(cat target)" = precious
	test ! -h link.data
	# where it leads nowhere yet, it says where to write; so do those of /dev
	ln -s new dangling.data
	$PERF record -e cpu-clock:u -o dangling.data true 2> log
	test -s new
	echo precious > out
	$PERF record -e cpu-clock:u -o /dev/stdout true 2> log >> out
	test -h /dev/stdout
'
check 'does not write over a directory that is none of its own' '
	mkdir -p d/keep
	rc=0; $PERF record -e cpu-clock:u -o d true 2> log || rc=$?
	test $rc = 1
	grep -q "is a directory" log
	test -d d/keep
'
check '-q says nothing' '
	rm -f x.data
	$PERF record -q -e cpu-clock:u -o x.data true 2> log
	test ! -s log
	test -s x.data
'
check 'no samples: no parenthesis' '
	$PERF record -n -e cpu-clock:u -o x.data true 2> log
	says "Captured and wrote" log
	not grep -q samples log
'
check 'pipes: to a file, to a reader, and where standard output is one' '
	$PERF record -e cpu-clock:u -o - sh busy.sh 2> log > p.data
	test "$($PERF script -i p.data -F comm | wc -l)" -gt 10
	$PERF record -e cpu-clock:u -o - sh busy.sh 2> log | $PERF script -i - -F comm > out
	test "$(wc -l < out)" -gt 10
	$PERF record -e cpu-clock:u sh busy.sh 2> log | $PERF evlist -i - | finds cpu-clock:u
'
check 'the output of the command does not get into the data' '
	$PERF record -e cpu-clock:u -o - echo hello 2> log > p.data
	grep -q hello log
	not grep -aq "^hello" p.data
	$PERF evlist -i p.data | finds cpu-clock:u
'
check 'quiet when the reader goes away' '
	$PERF record -e cpu-clock:u -F 20000 -o - sh busy.sh 2> log | head -c 8 > got
	test "$(cat got)" = PERFILE2
	not grep -qi "signal\|core dumped" log
'
check '-g dwarf is understood, with a hint' '
	$PERF record -g dwarf -e cpu-clock:u -o x.data true 2> log
	grep -q -e "--call-graph dwarf" log
	$PERF evlist -v -i x.data | finds STACK_USER
	$PERF record -g --call-graph dwarf -e cpu-clock:u -o x.data true 2> log
	$PERF evlist -v -i x.data | finds STACK_USER
'
check '-g does not swallow the command' '
	$PERF record -g -e cpu-clock:u -o x.data true 2> log
	$PERF evlist -v -i x.data | finds CALLCHAIN
'
check '-F above the limit is lowered, or refused with --strict-freq' '
	$PERF record -F 99999999 -e cpu-clock:u -o x.data true 2> log
	grep -q "perf_event_max_sample_rate" log
	rc=0; $PERF record --strict-freq -F 99999999 -e cpu-clock:u -o x.data true 2> log || rc=$?
	test $rc = 1
'
check 'an option that is not available says so' '
	for o in --vmlinux=x --setup-filter=pin; do
		rc=0; $PERF record $o -e cpu-clock:u -o x.data true 2> log || rc=$?
		test $rc = 1
		grep -q "not available yet" log
	done
'
check 'ends when the observed process ends, without a command' '
	rm -f x.data
	sh -c "until [ -s x.data ]; do sleep 0.05; done; sleep 0.1" &
	timeout 60 $PERF record -e cpu-clock:u -p $! -o x.data 2> log
	grep -q Captured log
'
check 'an interrupt ends it; the file is complete' '
	$PERF record -e cpu-clock:u -o x.data sh -c ": > up; exec sleep 60" 2> log &
	pid=$!
	until_true test -e up
	kill -INT $pid
	rc=0; wait $pid || rc=$?
	test $rc = 143	# the command was ended by SIGTERM
	grep -q Captured log
	$PERF evlist -i x.data | finds cpu-clock:u
'
check 'a command that does not heed signals is killed by the second interrupt' '
	rm -f up
	$PERF record -e cpu-clock:u -o x.data sh -c "trap : TERM; echo > up; for i in \$(seq 200); do sleep 0.1; done" 2> log &
	pid=$!
	until_true test -e up
	kill -INT $pid
	until_true grep -q "Ctrl-C kills it" log
	kill -INT $pid
	rc=0; wait $pid || rc=$?
	test $rc = 137
	$PERF evlist -i x.data | finds cpu-clock:u
'
check '-D: nothing before, everything after; ranges' '
	$PERF record -e cpu-clock:u -F 1000 -D 100000 -o x.data sh busy.sh 2> log
	not grep -q samples log
	# of 20 tenths of a second; a busy machine may switch late
	$PERF record -e cpu-clock:u -F 1000 -D 10-400,1000-1100 -o x.data timeout 2 sh -c "while :; do :; done" 2> log || test $? = 124
	n=$($PERF script -i x.data -F time | sed "s/^ *\([0-9]*[.][0-9]\).*/\1/" | sort -u | wc -l)
	test "$n" -gt 0
	test "$n" -lt 15
'
check '--max-size stops' '
	rc=0; timeout 100 $PERF record -e cpu-clock:u -F 20000 -m 8 -g --max-size 100K -o x.data sh -c "while :; do :; done" 2> log || rc=$?
	grep -q "perf size limit reached (100 KB)" log
	test "$(stat -c %s x.data)" -lt 400000
'
check 'an output that is to be small: the rings wake the recorder early' '
	$PERF record -e cpu-clock:u --max-size 100K -o x.data true 2> log
	$PERF evlist -v -i x.data | finds "watermark: 1,.*wakeup_watermark }: 12800"
	$PERF record -e cpu-clock:u -m 4 --switch-output=1M -o w.data true 2> log
	$PERF evlist -v -i w.data.2* | finds "wakeup_watermark }: $((2 * $(getconf PAGESIZE)))"
	$PERF record -e cpu-clock:u --max-size 1G -o x.data true 2> log
	not sh -c "$PERF evlist -v -i x.data | grep watermark"
	$PERF record -e cpu-clock:u --switch-max-files 2 -o x.data true 2> log
	says "--switch-max-files has no effect without --switch-output" log
'
check '--timestamp-filename' '
	$PERF record -e cpu-clock:u --timestamp-filename -o t.data true 2> log
	test ! -e t.data
	f=$(ls t.data.2*)
	$PERF evlist -i "$f" | finds cpu-clock:u
	grep -q "Dump $f" log
'
check '--switch-output by size, keeping some' '
	$PERF record -e cpu-clock:u -F 20000 -m 8 -g --switch-output=64K --switch-max-files 2 -o s.data sh busy.sh 2> log
	n=$(ls s.data.2* | wc -l)
	test "$n" -ge 1
	test "$n" -le 2	# a slow (instrumented) recorder may fill one only
	for f in s.data.2*; do
		$PERF script -i $f -F comm > out 2> err
		$PERF evlist -i $f | finds cpu-clock:u
	done
'
check 'what is lost while overwritten rings are written out is no matter of their size' '
	$PERF record -F 50000 --overwrite --switch-output=20ms --switch-max-files 1 -e cpu-clock:u -o ow.data \
		timeout 1 sh -c "while :; do :; done" 2> log || test $? = 124
	silent_about "Larger ones" log
'
check 'options that would do nothing say so' '
	mkfifo aio.fifo
	fails_with 1 $PERF record -e cpu-clock:u --aio -o aio.fifo true 2> log
	says "--aio writes at offsets of one file, which aio.fifo is not" log
	$PERF record -e cpu-clock:u -D -1 -o x.data true 2> log
	says "nothing will be recorded" log
'
check 'what is no file is not renamed' '
	mkfifo pipe.data
	for o in --switch-output=1M --timestamp-filename; do
		fails_with 1 $PERF record -e cpu-clock:u $o -o pipe.data true 2> log
		says "pipe.data is not a regular file and cannot be renamed" log
		test -p pipe.data
	done
	ln -s /proc/self/fd/1 fd1.data
	fails_with 1 $PERF record -e cpu-clock:u --timestamp-filename -o fd1.data true 2> log > stdout.data
	says "fd1.data is not a regular file" log
	test -L fd1.data
	fails_with 1 $PERF record -e cpu-clock:u --timestamp-filename -o - true 2> log > stdout.data
	says "cannot be combined with a pipe" log
'
check '--switch-output at a signal' '
	$PERF record -e cpu-clock:u --switch-output -o s2.data sh -c ": > up2; until [ -e go2 ]; do sleep 0.05; done" 2> log &
	pid=$!
	until_true test -e up2
	kill -USR2 $pid
	until_true has_lines "Dump s2.data" log 1
	: > go2
	wait $pid
	test "$(ls s2.data.2* | wc -l)" = 2
'
check '--switch-output: each file has the names of children, whenever they were started' '
	echo ": > up4; until [ -e go4 ]; do :; done; . ./busy.sh" > child.sh
	for o in "" --overwrite --tail-synthesize; do
		rm -f up4 go4 s4.data*
		$PERF record -e cpu-clock:u --switch-output $o -o s4.data sh -c "sh child.sh; true" 2> log &
		pid=$!
		until_true test -e up4
		kill -USR2 $pid
		until_true has_lines "Dump s4.data" log 1
		: > go4
		wait $pid
		test "$(ls s4.data.2* | wc -l)" = 2
		for f in s4.data.2*; do
			$PERF script -i $f -F comm,dso,ip > out
			test -s out
			# without the names of children all would be so
			test "$(grep -cE ":[0-9]|unknown" out)" -lt "$(grep -cvE ":[0-9]|unknown" out)"
		done
	done
'
check_if ROOT,TRACEFS '--switch-output-event: a new file when it occurs' '
	$PERF record -e dummy:u --switch-output-event sched:sched_process_exec -o e.data sh -c "
		for i in \$(seq 300); do [ \$(ls e.data.2* | wc -l) -ge 2 ] && break; sleep 0.2; done" 2> log
	test "$(ls e.data.2* | wc -l)" -ge 3
	test "$(ls e.data.2* | wc -l)" = "$(grep -c "Dump e.data" log)"
	for f in e.data.2*; do
		test "$($PERF evlist -i $f | head -n 1)" = dummy:u
	done
	rm -f e.data*
	fails_with 1 $PERF record -e dummy:u --switch-output-event cpu-clock -o e.data true 2> log
	says "needs a period" log
	$PERF record -e dummy:u --switch-output-event cpu-clock/period=10000000/ -o e.data sh busy.sh 2> log
	test "$(ls e.data.2* | wc -l)" -ge 2
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 0 ] && have_NONROOT > why; then
		mkdir -p own && chmod 777 own && cp $PERF own/perf
		if (cd own && as_nobody ./perf record -e dummy:u --switch-output-event faults -o x.data true) 2> log; then
			false
		fi
		says "works now: --switch-output with a size" log
	fi
	fails_with 129 $PERF record --switch-output-event nosuchevent true 2> log
	says "nosuchevent" log
'
check 'switched outputs: not into a pipe' '
	fails_with 1 $PERF record -e cpu-clock:u --switch-output=1M -o - true 2> log > out
	says "cannot be combined with a pipe" log
'
check '--overwrite keeps the newest samples and all side-band' '
	# each CPU that it comes to has a ring
	cpu=$(taskset -cp $$ | sed "s/.*: //; s/[-,].*//")
	taskset -c "$cpu" $PERF record -e cpu-clock:u -F 10000 -m 1 --overwrite -o o.data sh busy.sh 2> log
	n=$(said log)
	test "$n" -gt 5
	test "$n" -lt 1000
	test "$($PERF script -i o.data -F comm | grep -c sh)" = "$n"
'
check '--control: commands through a fifo, each answered' '
	mkfifo ctl ack
	$PERF record -e cpu-clock:u -D -1 --control fifo:ctl,ack -o c.data sh -c "until [ -e go3 ]; do sleep 0.05; done
		. ./busy.sh; : > ran; exec sleep 60" 2> log &
	pid=$!
	exec 3<> ctl 4<> ack
	for c in ping enable; do
		echo $c >&3
		read -r answer <&4
		test "$answer" = ack
	done
	: > go3
	until_true test -e ran
	echo stop >&3
	read -r answer <&4
	rc=0; wait $pid || rc=$?
	grep -q Captured log
	test "$(said log)" -gt 10
'
check 'tasks that were started while events were off have names and parents' '
	mkfifo begin off.ctl off.ack
	# the second one runs as sh, too, until it is observed again
	sh -c "read a < begin; sh -c \"read a < begin; :\"; :" &
	pid=$!
	exec 3<> off.ctl 4<> off.ack 5<> begin
	$PERF record -q -e cpu-clock:u --control fd:3,4 -o off.data -p $pid &
	for c in ping disable; do
		echo $c >&3
		read -r answer <&4
	done
	echo >&5
	until_true grep -q . /proc/$pid/task/$pid/children
	for c in enable stop; do
		echo $c >&3
		read -r answer <&4
	done
	echo >&5
	wait
	exec 5>&-
	$PERF report --tasks -i off.data > tasks
	grep " $pid  *sh\$\|$pid .*|  *sh\$" tasks
	test "$(grep -c "|  *sh\$" tasks)" = 2
'
check_if ROOT 'lost samples are said, with a remedy, and are in the file' '
	$PERF record -a -m 1 -F 50000 -g -e cpu-clock -o l.data sleep 0.3 2> log
	grep -q "samples were lost because the ring buffers were full.*-m" log || skip "no sample was lost: a fast machine"
	n=$(sed -n "s/.*Warning: \([0-9]*\) samples were lost.*/\1/p" log)
	$PERF script -i l.data --show-lost-events 2> err | finds "PERF_RECORD_LOST lost"
	test "$n" -gt 0
'
check_if ROOT '--fail-on-loss: the status and a sentence tell of lost samples, a share of them may be allowed' '
	rc=0; $PERF record -a -m 1 -F 50000 -g -e cpu-clock --fail-on-loss -o l.data sleep 0.3 2> log || rc=$?
	grep -q "samples were lost because" log || skip "no sample was lost: a fast machine"
	test $rc = 1
	grep "^Error: .* samples (.*%) were lost, more than --fail-on-loss allows (0%)" log
	$PERF script -i l.data > out
	$PERF record -a -m 1 -F 50000 -g -e cpu-clock --fail-on-loss=100% -o l.data sleep 0.3 2> log
	silent_about Error log
	# the status of a command that fails stays
	fails_with 7 $PERF record -a -m 1 -F 50000 -g -e cpu-clock --fail-on-loss -o l.data sh -c "sleep 0.3; exit 7" 2> log
'
check 'the rate is told with -v, and on a terminal if there is no command' '
	$PERF record -v -e cpu-clock:u -F 100 -o x.data sh -c "while [ ! -e go ]; do :; done" 2> log &
	pid=$!
	until_true says "MB per hour" log
	touch go
	wait $pid
	grep "[0-9]* s: [0-9]* samples ([0-9]* per second), [0-9.]* MB ([0-9.]* MB per hour)" log
	$PERF record -e cpu-clock:u -F 100 -o x.data true 2> log
	silent_about "per hour" log
	rm go
'
check_if PTY 'the line on a terminal is removed at the end' '
	sh -c "while :; do :; done" &
	busy=$!
	script -qfc "$PERF record -e cpu-clock:u -F 100 -o t.data -p $busy" typed < /dev/null > out &
	until_true says "MB per hour" out
	kill $busy
	wait
	says "per hour)$(printf "\033")[K" out
	tail -n 1 out > last
	silent_about "per hour" last
	says Captured last
'
check '--fail-on-loss without a lost sample' '
	$PERF record -e cpu-clock:u -F 100 --fail-on-loss -o x.data true
	fails_with 129 $PERF record --fail-on-loss=some true 2> log
	says "not a share in percent" log
'
check 'compressed records' '
	$PERF record -z -e cpu-clock:u -F 10000 -o z.data sh busy.sh 2> log
	grep -q "compressed (original [0-9.]* MB, ratio is" log
	test "$($PERF script -i z.data -F comm | wc -l)" = "$(said log)"
'
check 'SIGKILL: what was written can be read' '
	rm -f k.data
	$PERF record -e cpu-clock:u -F 20000 -m 4 -o k.data sh -c "while :; do :; done" 2> log &
	pid=$!
	until_true has_samples k.data 1000
	kill_recorder $pid
	test "$($PERF script -i k.data -F comm | wc -l)" -gt 1000
'
check 'SIGKILL of a recorder of rare events: all but the last second can be read' '
	rm -f k.data
	$PERF record -e cpu-clock:u -F 50 -o k.data sh -c "while :; do :; done" 2> log &
	pid=$!
	until_true has_samples k.data 5
	kill_recorder $pid
	test "$($PERF script -i k.data -F comm | wc -l)" -gt 5
'
check 'without a command: 0 where the process has ended, 128 and the signal where one ended the recording' '
	$PERF test -w noploop 60 & busy=$!
	for signal in INT:130 TERM:143; do
		rm -f s.data
		$PERF record -q -e cpu-clock:u -p $busy -o s.data 2> log &
		pid=$!
		until_true has_events $pid
		until_true test -s s.data
		kill -${signal%:*} $pid
		rc=0; wait $pid || rc=$?
		test $rc = ${signal#*:}
	done
	rm -f s.data
	$PERF record -q -e cpu-clock:u -p $busy -o s.data 2> log &
	pid=$!
	until_true has_events $pid
	kill $busy
	wait $busy || true
	wait $pid
'
check_if ROOT 'the whole system' '
	$PERF record -a -e cpu-clock -o a.data sleep 0.2 2> log
	$PERF script -i a.data -F comm,cpu > out
	test -s out
'
check_if ROOT,TRACEFS 'tracepoints with a filter, described in the file' '
	$PERF record -a -e sched:sched_switch --filter "prev_pid != 0" -o f.data sleep 0.2 2> log
	$PERF script -i f.data -F event,trace > out
	test -s out
	not grep "prev_pid=0 " out
'
check_if ROOT 'a full disk: one message, and what was written can be read' '
	mkdir -p full
	mount -t tmpfs -o size=256k none full || skip "no tmpfs can be mounted"
	rc=0; $PERF record -e cpu-clock:u -F 20000 -m 4 -g -o full/x.data sh -c "while :; do :; done" 2> log || rc=$?
	n=$($PERF script -i full/x.data -F comm | wc -l)
	$PERF evlist -i full/x.data > out || true
	umount full
	test $rc = 1
	grep -q "No space left on device" log
	test "$n" -gt 100
	grep -q cpu-clock:u out
	test "$n" = "$(said log)"
'
check_if ROOT 'a full disk: half of what a ring held is kept, of each thread as well' '
	mkdir -p full
	mount -t tmpfs -o size=256k none full || skip "no tmpfs can be mounted"
	rc=0; $PERF record -e cpu-clock:u -F 20000 -m 256 -g -o full/x.data sh -c "while :; do :; done" 2> log || rc=$?
	n=$($PERF script -i full/x.data -F comm | wc -l)
	size=$(stat -c %s full/x.data)
	rm full/x.data
	trc=0; $PERF record --threads -e cpu-clock:u -F 20000 -m 256 -g -o full/dir sh -c "while :; do :; done" 2> tlog || trc=$?
	$PERF script -i full/dir -F comm > out 2> err
	umount full
	test $rc = 1
	test "$n" = "$(said log)"
	test "$size" -gt 200000
	test $trc = 1
	says "No space left on device" tlog
	test "$(said tlog)" -gt 100
	test "$(wc -l < out)" = "$(said tlog)"
'
check 'a limit of file sizes: said, and what was written can be read' '
	rc=0; (ulimit -f 200; exec $PERF record -e cpu-clock:u -F 20000 -m 4 -g -o lim.data sh busy.sh 20) 2> log || rc=$?
	test $rc = 1
	says "ulimit -f" log
	test "$($PERF script -i lim.data -F comm 2> err | wc -l)" = "$(said log)"
	test ! -s err	# all is where the header says
'
check_if ROOT 'a limit of file sizes: of compressed records each whole piece that found room is kept, and counted' '
	$PERF check -q feature zstd || skip "built without zstd"
	for o in "" --aio=4 "--call-graph dwarf,16384"; do
		rc=0; (ulimit -f 300; exec $PERF record -z -g -e cpu-clock:u -c 20000 -m 64 $o -o lim.data sh busy.sh 30) 2> log || rc=$?
		test $rc = 1
		says "ulimit -f" log
		test "$($PERF script -i lim.data -F comm 2> err | wc -l)" = "$(said log)"
		test "$(said log)" -gt 0
		test ! -s err	# no piece of a record
		test "$(stat -c %s lim.data)" -gt 50000
	done
'
check_if NONROOT 'a program that the kernel does not let be observed is named, with the reason' '
	mkdir -p progs && chmod 755 progs && cp /bin/true progs/plain && cp /bin/true progs/secret && cp /bin/true progs/suid
	chmod 711 progs/secret; chmod 4755 progs/suid; chmod 755 progs/plain
	for p in record "stat -e page-faults"; do
		as_nobody $PERF_COPY $p -o /dev/null progs/secret 2> log || true
		says "does not allow perf to observe '"'progs/secret'"': you may not read its file; it can be observed as root with -a" log
		as_nobody env PATH=progs $PERF_COPY $p -o /dev/null suid 2> log || true
		says "does not allow perf to observe '"'suid'"': it becomes another user" log
		as_nobody $PERF_COPY $p -o /dev/null progs/plain 2> log || true
		silent_about "be observed" log
		$PERF $p -o /dev/null progs/suid 2> log || true
		silent_about "be observed" log
	done
'
check_if NONROOT,TRACEFS 'tracepoints that are out of reach: what, where in the string, what to do, in this order' '
	for e in "sched:*" sched:sched_switch; do
		not as_nobody $PERF_COPY record -e "$e" -o /dev/null true 2> log
		if grep -q "no permission to read" log; then
			sed -n 4p log | grep "^Hint: run as root, or"
		fi
	done
'
check_if NONROOT 'what an ordinary user may not: the rule, and what works' '
	mkdir -p own closed && chmod 777 own && chmod 755 closed && cp $PERF own/perf
	cd own
	not as_nobody ./perf record -e cpu-clock:u -o ../closed/x.data true 2> log
	says "cannot create ../closed/x.data: Permission denied" log
	says "another place with -o" log
	not as_nobody ./perf record --namespaces -e cpu-clock:u -o x.data true 2> log
	says "needs CAP_PERFMON" log
	says "works now: the same without --namespaces" log
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 2 ]; then
		not as_nobody ./perf record --phys-data -e cpu-clock:u -o x.data true 2> log
		says "physical addresses (--phys-data) needs CAP_PERFMON, because kernel.perf_event_paranoid is" log
		says "works now: the same without --phys-data" log
	fi
	not as_nobody ./perf record -r 5 -e cpu-clock:u -o x.data true 2> log
	says "works now: the same without -r" log
	# the size that is named does work, whatever the limits are
	rc=0
	as_nobody ./perf record -m 1G -e cpu-clock:u -o x.data true 2> log || rc=$?
	pages=$(sed -n "s/.*like -m \([0-9]*\);.*/\1/p" log)
	test $rc = 0 || test -z "$pages" || as_nobody ./perf record -m $pages -e cpu-clock:u -o x.data true
'
check 'a priority or a clock that there is not: refused' '
	fails_with 1 $PERF record -r 200 -e cpu-clock:u -o x.data true 2> log
	says "from 1 to 99" log
	for k in 99 2 foo; do
		fails_with 129 $PERF record -k $k -e cpu-clock:u -o x.data true 2> log
		says "not a clock that the kernel supports for events" log
	done
'
check_if NONROOT 'an ordinary user records own programs' '
	mkdir -p own && chmod 777 own && cp busy.sh own
	cd own
	as_nobody $PERF_COPY record -e cpu-clock:u -o x.data sh busy.sh 2> log || { says perf_event_paranoid log; skip "kernel.perf_event_paranoid refuses"; }
	grep -q samples log
'
check 'threads: a directory, of a command, of a process; not together with other outputs' '
	$PERF record --threads -e cpu-clock:u -o td sh busy.sh 2> log
	test "$($PERF script -i td -F comm | wc -l)" = "$(said log)"
	$PERF record --threads --per-thread -e cpu-clock:u -o td true 2> log
	$PERF evlist -v -i td | finds "sample_type: [^,]*TIME"	# files have an order among each other by it alone
	$PERF record --threads -e cpu-clock:u -o td true 2> log
	test -d td.old
	rm -rf td
	sh -c "until [ -s td/data ]; do sleep 0.05; done; sleep 0.1" &
	timeout 60 $PERF record --threads -e cpu-clock:u -p $! -o td 2> log
	grep -q Captured log
	rc=0; $PERF record --threads --overwrite -e cpu-clock:u -o td true 2> log || rc=$?
	test $rc = 1
	grep -q "cannot be combined" log
	rc=0; $PERF record --threads=x -e cpu-clock:u -o td true 2> log || rc=$?
	test $rc = 1
	grep -q "cpu, core, package, numa" log
	for spec in 0:0 0/9999 0/ /0; do
		fails_with 1 $PERF record --threads=$spec -e cpu-clock:u -o td true 2> log
		says "0/1:1/0" log
	done
	fails_with 1 $PERF record --threads --affinity=cpu -e cpu-clock:u -o td true 2> log
	says "cannot be combined with --affinity" log
'
check 'threads: no device or fifo gives way to the directory' '
	mkfifo fifo
	for o in --threads; do
		fails_with 1 $PERF record $o -e cpu-clock:u -o fifo true 2> log
		says "cannot replace fifo with a directory" log
		test -p fifo
	done
'
check_if CPUS2 'threads run near the CPUs that they serve, or where they were sent' '
	# WHAT: until that is so, for some seconds: threads may come to it late
	echo "for try in \$(seq 50); do
		for t in /proc/\$PPID/task/*; do sed -n s/^Cpus_allowed_list:.//p \$t/status; done > where
		! eval \"\$1\" || break; sleep 0.1; done" > where.sh
	two="test \$(grep -cx 0 where) = 2"
	each="grep -qx 0 where && grep -qx 1 where"
	$PERF record -q --threads=0/0:1/0 -e cpu-clock:u -o td sh where.sh "$two"
	eval "$two"
	$PERF record -q --threads=cpu -e cpu-clock:u -o td sh where.sh "$each"
	eval "$each"
'
check 'the configuration says what -g means' '
	printf "[call-graph]\n\trecord-mode = dwarf\n\tdump-size = 4096\n" > conf
	PERF_CONFIG=$PWD/conf $PERF record -g -e cpu-clock:u -o x.data true 2> log
	$PERF evlist -v -i x.data | finds "sample_stack_user: 4096"
	PERF_CONFIG=$PWD/conf $PERF record -g --call-graph fp -e cpu-clock:u -o x.data true 2> log
	$PERF evlist -v -i x.data | not grep -q STACK_USER
	PERF_CONFIG=$PWD/conf $PERF record -e cpu-clock:u -o x.data true 2> log
	$PERF evlist -v -i x.data | not grep -q CALLCHAIN
'
check_if EVENTS,STRACE 'children of a process are looked for once, not once for each of its threads' '
	$PERF test -w thloop 60 12 &
	pid=$!
	until_true sh -c "test \$(ls /proc/$pid/task | wc -l) = 12" || :
	strace -f -e trace=openat -o calls $PERF record -q -e dummy:u -o threads.data -p $pid true || :
	kill $pid
	grep -c "/task/.*/children" calls > nr || :
	test "$(cat nr)" -le 30'
