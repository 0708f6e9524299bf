#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

# those that need no rights, so that they pass or skip everywhere
check 'lists tests by number and name' '
	$PERF test list > all
	grep -q "^  1: " all
	grep -q "^  1\.1: " all
	$PERF test list symbols > some
	grep -q ": symbols$" some
	test "$(grep -c "^ *[0-9]*: " some)" = 1
	n=$(sed -n "s/^ *\([0-9]*\): symbols$/\1/p" some)
	$PERF test list "$n" | same some -
	fails_with 1 $PERF test list no-such-test 2> err
	says "no test '"'no-such-test'"'" err
'
check 'runs, repeats, skips' '
	$PERF test functions_of_a_file > out
	grep -q ": Ok$" out
	grep -Eq "^1 passed, 0 failed, 0 skipped$" out
	$PERF test -S -r 2 -F functions_of_a_file -v > out
	grep -Eq "^1 passed, 0 failed" out
	n=$($PERF test list symbols | sed -n "s/^ *\([0-9]*\): symbols$/\1/p")
	$PERF test -s "$n.1,$n.2,$n.3" "$n" > out
	grep -q "Skip (user override)" out
	grep -q "^0 passed, 0 failed, 3 skipped$" out
'
check 'writes JUnit XML' '
	$PERF test -j functions_of_a_file > /dev/null
	grep -q "<testcase classname=\"symbols\"" test.xml
	$PERF test --junit=x.xml functions_of_a_file > /dev/null
	grep -q "failures=\"0\"" x.xml
	fails_with 1 $PERF test --junit=none/x.xml functions_of_a_file > /dev/null 2> err
	says "cannot write none/x.xml" err
'
check 'all tests of this machine pass, or say what is missing' '
	$PERF test > out || { cat out; exit 1; }
	grep -q " passed, 0 failed, " out
	grep "Skip" out | not grep -v "Skip (..*)"
'
check 'what the machine lacks is a skip with the reason and the remedy' '
	mkdir -p root/proc/sys/kernel root/sys/kernel
	echo 2 > root/proc/sys/kernel/perf_event_paranoid
	PERF_FS_ROOT=$PWD/root $PERF test hardware > out
	grep -q "Skip (this machine has no hardware counters .*; use -e cpu-clock" out
	PERF_FS_ROOT=$PWD/root $PERF test tracepoints > out
	grep -q "0 passed, 0 failed, 1 skipped" out
'
check 'a command that does not find what is there is a failure, with its output' '
	mkdir -p lists/proc
	echo "ffffffff81000000 T another_function" > lists/proc/kallsyms
	fails_with 1 env PERF_FS_ROOT="$PWD/lists" $PERF test kernel_functions > out
	grep -q "kernel_functions.*FAILED" out
	grep -q "perf kallsyms schedule" out
'
check 'every workload runs and checks its arguments' '
	$PERF test --list-workloads > workloads
	test "$(wc -l < workloads)" -gt 10
	for w in $(cat workloads); do
		case $w in
		brstack | traploop | deterministic | deep_naps) $PERF test -w "$w" 10 ;;
		named_threads) $PERF test -w "$w" 2 1000 ;;
		context_switch_loop) $PERF test -w "$w" 5 ;;
		epoll_pool) $PERF test -w "$w" 5 ;;
		direct_reader | fault_storm) $PERF test -w "$w" 5 2> err || grep -q "this folder has no file" err ;;
		landlock) $PERF test -w "$w" ;;
		quota) $PERF test -w "$w" 0.02 2> err || grep -q "no control group with a quota can be made" err ;;
		kvm_exits) $PERF test -w "$w" 10 2> err || { grep -q "no virtual machine runs\|is for x86" err && not grep Success err; } ;;
		int80) $PERF test -w "$w" 2> err || grep -q "takes no calls of 32-bit programs\|is made for x86" err ;;
		*) $PERF test -w "$w" 0.02 ;;
		esac || { echo "$w: $?"; exit 1; }
	done
	fails_with 1 $PERF test -w nosuch 2> err
	says "no workload '"'nosuch'"'" err
	fails_with 1 $PERF test -w noploop x 2> err
	says "not a number of seconds" err
	$PERF test --list-workloads -v | finds "callchain .*SECONDS"
'
check 'a workload tells the recorder through pipes when it runs' '
	mkfifo ctl ack
	( read -r a; echo ack >&3; read -r b; echo ack >&3; echo "$a $b" > said ) < ctl 3<> ack &
	$PERF test --record-ctl fifo:ctl,ack -w noploop 0.02
	wait $!
	test "$(cat said)" = "enable disable"
	fails_with 1 $PERF test --record-ctl pipe:x -w noploop 2> err
	says "is not fifo:" err
'
check 'make bench: a row, and the names of all rows' '
	cd "$SRC"
	mkdir "$TMP/bin" && ln -s "$PERF" "$TMP/bin/reference"
	PERF_NEWEST="$TMP/bin/reference" PERF_BENCH_DIR="$TMP/bench" BENCH_ROUNDS=1 tests/bench/run version > "$TMP/out"
	grep -q "^reference: perf version" "$TMP/out"
	grep -Eq "^--version +[0-9. ]+ +[0-9.]+ x +[0-9.]+ x +[0-9.]+ x +5 x +1$" "$TMP/out"
	fails_with 129 tests/bench/run no-such-row 2> "$TMP/err"
	says "no row '"'no-such-row'"'; there are: version " "$TMP/err"
'
# names WORKLOAD ARGS...: the functions of perf that samples of it fell in, callers too
# shows WORKLOAD NAMES ARGUMENT...: of the functions NAMES (a|b|c, sorted) call chains show all; what is seen
# depends on how much CPU time the workload gets, so later arguments are larger
shows() {
	workload=$1 names=$2
	shift 2
	printf "%s\n" "$names" | tr "|" "\n" > want
	for arg; do
		$PERF record -g -e cpu-clock -F 2000 -o x.data $PERF test -w "$workload" "$arg" > log 2>&1
		$PERF script -i x.data -F ip,sym > script
		sed -n "s/^[	 ]*[0-9a-f]* \([a-z_]*\)\$/\1/p" script | sort -u > out
		grep -xE "$names" out | cmp -s - want && return 0
	done
	cat out
	return 1
}
check_if EVENTS 'functions of workloads have the names that scripts for upstream look for' '
	shows thloop "test_loop|thfunc|thloop" 0.1 1 5
	shows leafloop "leaf|leafloop|parent" 0.1 1 5
	for w in noploop sqrtloop inlineloop; do shows $w $w 0.1 1 5; done
	shows brstack brstack_bench 1000000 10000000
	shows deterministic deterministic 20000 200000
'
