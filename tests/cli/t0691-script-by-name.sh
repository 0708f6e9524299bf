#!/bin/sh
# perf script NAME: scripts in folders of the user and of packages, with their wrappers; the list of names.
. "$(dirname "$0")/lib.sh"

mkdata x.data <<'END'
event cycles type=hardware config=0 period=10 sample=ip|tid|time|cpu|period flags=sample_id_all|comm
comm tid=100 comm="app" time=1
sample tid=100 ip=0x1010 time=100 cpu=1
sample tid=200 ip=0x1110 time=200 cpu=2
END
mkdir -p "$HOME/.config/perf/scripts/bin" own/bin exec/scripts/python/bin exec/scripts/perl/bin
export PERF_EXEC_PATH=$PWD/exec PERF_CONFIG=$PWD/config
printf '[script]\n\tpath = nothing:%s/own:~/more\n' "$PWD" > config
user=$HOME/.config/perf/scripts

# script NAME: prints NAME, its arguments, and the number of samples. For both languages, so that each has a
# test where only one is installed
python() {
	printf '%s\n' 'import sys' 'n = 0' 'def process_event(e):' '    global n' '    n += 1' \
		"def trace_end(): print('$1', sys.argv[1:], n)"
}
perl() {
	printf '%s\n' 'my $n = 0;' 'sub process_event { $n++; }' "sub trace_end { print \"$1 @ARGV \$n\\n\"; }" '1;'
}
# wrapper FILE TEXT...
wrapper() {
	file=$1
	shift
	{ echo '#!/bin/sh'; printf '%s\n' "$@"; } > "$file"
	chmod 755 "$file"
}
python first > own/first.py
python second > "$user/first.py"
{ echo '# description: those of the user'; echo '# args: <word> [more]'; python second; } > "$user/second.py"
perl pearl > "$user/pearl.pl"
python packaged > exec/scripts/python/packaged.py
python module > exec/scripts/python/module.py
python syscalls > own/syscall-counts.py
printf '%s\n' 'def trace_begin():' '    pass' ' def sched__no(): pass' 'def __init__(): pass' 'defsched__no()' \
	'def end__(): pass' 'def a__b: pass' 'def process_event_1(e): pass' > own/mute.py
printf '%s\n' 'sub stat::cycles {' '}' 'my $sched::no = 1;' > own/counted.pl
cat > own/tasks.py <<'END'
import sys
names = {}
def	sched__sched_process_exit  (event, context, cpu, s, ns, pid, comm, *more):
    names[comm] = 1
def sched__sched_switch(*all): pass
def sched__sched_switch(*all): pass
def none__such(*all): pass
def trace_end(): print(sys.argv[1:], sorted(names))
END
wrapper exec/scripts/python/bin/packaged-record 'echo "record $*"' 'echo "$PERF_EXEC_PATH" > exec_path' 'command -v perf > which'
# as packages have it: an argument, and what follows it are options of perf script
wrapper exec/scripts/python/bin/packaged-report "$(printf '# description: of a package\033')" '# args: [comm]' \
	'case ${1-} in -* | "") ;; *) comm=$1; shift ;; esac' \
	'echo "report $comm"; exec "$PERF" script "$@" -s "$PERF_EXEC_PATH/scripts/python/packaged.py" $comm'
perl old > exec/scripts/perl/old.pl
python old > exec/scripts/python/old.py
wrapper exec/scripts/perl/bin/old-record 'exit 3'
chmod -x exec/scripts/perl/bin/old-record

check 'all are listed, with what their comments say; of a package only scripts with wrappers; completion, too' '
	$PERF script -l > out 2> err
	says "script.path: '\''nothing'\'' is not used" err
	sed "1,/wakeup-latency/d" out > list
	same - list <<-\END
	  counted
	  first
	  mute
	  old
	  packaged [comm]                      of a package\x1b
	  pearl
	  second <word> [more]                 those of the user
	  tasks
	END
	test "$(grep -c syscall-counts\  out)" = 1
	$PERF --list-words script-names 2> err > words
	tail -n +2 out | sed "s/^  //; s/ .*//" | same words -
'
check_if PYTHON 'report NAME and -i: in the order of the folders, with arguments' '
	$PERF script -i x.data report first a -b > out 2> err
	echo "first ['\''a'\'', '\''-b'\''] 2" | same - out
	$PERF script --tid 100 -i x.data first > out 2> err
	echo "first [] 1" | same - out
	$PERF script report second -i x.data w > out 2> err
	echo "second ['\''w'\''] 2" | same - out
	cat x.data | $PERF script second -i - w > out 2> err
	echo "second ['\''w'\''] 2" | same - out
	cp x.data perf.data
	$PERF script report module > out 2> err
	echo "module [] 2" | same - out
	rm perf.data
	fails_with 129 $PERF script --json -i x.data report first 2> err
	says "excludes --json" err
'
check_if PERL 'scripts in Perl' '
	$PERF script -i x.data report pearl a > out 2> err
	echo "pearl a 2" | same - out
'
check_if PYTHON 'a wrapper NAME-report is given the arguments, then the options' '
	$PERF script --tid 200 report packaged app -i x.data > out 2> err
	same - out <<-END
	report app
	packaged ['\''app'\''] 1
	END
	$PERF script --tid 200 -i x.data report packaged > out 2> err
	same - out <<-END
	report 
	packaged [] 1
	END
'
check 'a wrapper NAME-record is given options and command, and finds this perf' '
	$PERF script -a record packaged -o y.data -- true > out 2> err
	echo "record -a -o y.data -- true" | same - out
	test "$(cat exec_path)" = "$PERF_EXEC_PATH"
	test "${PERF##*/}" != perf || test "$(cat which)" = "$(readlink -f "$PERF")"
	fails_with 3 $PERF script record old 2> err
	fails_with 129 $PERF script --json record packaged 2> err
	says "json has no effect on '\''perf script record packaged'\''" err
'
check_if PYTHON 'the live form: recorder and script beside each other' '
	wrapper own/bin/first-record "echo \"\$*\" > args" "cat x.data"
	$PERF script first true 1 > out 2> err
	echo "first [] 2" | same - out
	test "$(cat args)" = "-o - true 1"
	$PERF script first a b -- true > out 2> err
	echo "first ['\''a'\'', '\''b'\''] 2" | same - out
	test "$(cat args)" = "-o - true"
	$PERF script first > out 2> err
	test "$(cat args)" = "-o - -a"
	wrapper exec/scripts/python/bin/packaged-record "cat x.data"
	$PERF script packaged app -- true > out 2> err
	same - out <<-END
	report app
	packaged ['\''app'\''] 2
	END
	wrapper $HOME/.config/perf/scripts/bin/second-record "echo \"\$*\" > args" "cat x.data"
	$PERF script second must true > out 2> err
	echo "second ['\''must'\''] 2" | same - out
	fails_with 1 $PERF script first no-such-program 2> err
	says "is not a program" err
	rm own/bin/first-record
'
check_if PYTHON,SIGINT 'Ctrl-C ends the recorder, and all that it wrote is shown' '
	for report in no yes; do
		wrapper own/bin/first-record "trap \"cat x.data; exit\" INT" "echo \$\$ > recorder" \
			"while :; do sleep 0.05; done"
		[ $report = no ] || wrapper own/bin/first-report "exec \"\$PERF\" script \"\$@\" -s own/first.py"
		rm -f recorder
		as_foreground $PERF script first -- true > out 2> err &
		pid=$!
		until_true test -s recorder
		kill -INT $pid $(cat recorder)
		wait $pid
		echo "first [] 2" | same - out
	done
	rm own/bin/first-record own/bin/first-report
'
check_if ROOT,EVENTS,TRACEFS,PYTHON 'without a wrapper, the names of functions say what is recorded' '
	$PERF script record tasks -o tasks.data true 2> err || { cat err; false; }
	says "not recorded: none:such, which this kernel does not have" err
	$PERF evlist -i tasks.data > out
	test "$(grep -c : out)" = 3
	says sched:sched_switch out
	says sched:sched_process_exit out
	$PERF script report tasks -i tasks.data | finds "\[\].*true"
	$PERF script -a tasks a -- true > out 2> err || { cat err; false; }
	silent_about "a does nothing" err
	grep -q "\['\''a'\''\].*true" out'
check_if EVENTS,PYTHON 'a script for samples has the usual event' '
	$PERF script record first -o samples.data true 2> err || { cat err; false; }
	$PERF script -i samples.data report first | finds "^first \[\] "
	silent_about "tracepoint" err'
check 'says what is missing, near names, and which files it does not trust' '
	for form in "record mute true" "mute true" mute; do
		fails_with 1 $PERF script $form 2> err
		says "own/mute.py has no function that is called for an event, such as sched__sched_switch" err
		says "bin/mute-record beside it, or '\''perf record -e EVENT'\'' records" err
	done
	fails_with 1 $PERF script record counted true 2> err
	says "own/counted.pl has functions for counts, which perf record does not record" err
	says "perf stat record -e EVENT" err
	fails_with 1 $PERF script record first no-such-program 2> err
	says "is not a program" err
	fails_with 129 $PERF script -i x.data packagex 2> err
	says "did you mean '\''packaged'\''" err
	fails_with 129 $PERF script -i x.data ../own/first 2> err
	says "no analysis or script has the name" err
	fails_with 129 $PERF script -a -i x.data report first 2> err
	says "all-cpus has no effect" err
	chmod o+w own/first.py
	fails_with 1 $PERF script -i x.data report first 2> err
	says "own/first.py is not run: it and its folder must belong to you or to root" err
	$PERF script -l > out 2> err
	silent_about "  first" out
	chmod o-w own/first.py
	wrapper own/bin/first-report "echo bad"
	chmod o+w own/bin
	fails_with 1 $PERF script -i x.data report first 2> err
	says "own/bin/first-report is not run" err
	chmod o-w own/bin
	$PERF script -i x.data report first > out 2> err
	echo bad | same - out
	rm own/bin/first-report
'
