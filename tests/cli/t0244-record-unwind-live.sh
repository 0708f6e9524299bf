#!/bin/sh
# perf record --unwind-live: chains instead of stacks, as large files would show them.
. "$(dirname "$0")/lib.sh"

check 'the file has chains alone, at most a twentieth as large, and those that dumps have' '
	$PERF record -q -e cpu-clock:u -F 2000 --call-graph dwarf,32768 -o dump.data $PERF test -w noploop 1 2> log
	$PERF record -q -e cpu-clock:u -F 2000 --call-graph dwarf,32768 --unwind-live -o live.data $PERF test -w noploop 1 2> log
	$PERF evlist -v -i live.data > got
	silent_about STACK_USER got
	silent_about REGS_USER got
	says CALLCHAIN got
	nr=$($PERF script -i live.data -F comm 2> err | wc -l)
	test ! -s err
	test "$nr" -gt 100
	test "$(($(stat -c %s live.data) * 20))" -lt "$(($(stat -c %s dump.data) + 20 * 65536))"
	for f in dump live; do
		$PERF report -i $f.data --folded -s comm 2> err | sed "s/ [0-9]*$//" | grep noploop > $f.stacks
	done
	test -s live.stacks
	grep -qxFf dump.stacks live.stacks'
check 'no record is lost on the way: as many samples as the recorder counted' '
	$PERF record -e cpu-clock:u -F 5000 --call-graph dwarf,1024 --unwind-live -o x.data sh -c "for i in 1 2 3 4 5 6 7 8 9 10; do $PERF --version; done" > out 2> log
	nr=$($PERF script -i x.data -F comm 2> err | wc -l)
	grep -q "($nr samples)" log
	test ! -s err'
check 'what cannot be combined is refused' '
	fails_with 1 $PERF record --unwind-live -e cpu-clock:u -o y.data true 2> err
	says "needs --call-graph dwarf" err
	for o in --threads --overwrite "--switch-output=1M"; do
		fails_with 1 $PERF record --unwind-live --call-graph dwarf $o -e cpu-clock:u -o y.data true 2> err
		says "cannot be combined with ${o%=*}" err
	done
	test ! -e y.data'
