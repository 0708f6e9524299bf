#!/bin/sh
# threads
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS

said() {
	sed -n 's/.*(\([0-9]*\) samples).*/\1/p' "$1"
}
# as often as $1 says, or once
echo 'i=0; while [ $i -lt $((${1:-1} * 100000)) ]; do i=$((i + 1)); done' > busy.sh

for n in '' =1 =4; do
	check "--aio$n: exactly the samples of the closing line" '
		$PERF record -F 20000 -m 8 --aio'$n' -e cpu-clock:u -o x.data sh busy.sh 2> log
		test "$(said log)" -gt 0
		test "$($PERF script -i x.data -F comm | wc -l)" = "$(said log)"
		test -z "$($PERF report --stats -i x.data 2>&1 > /dev/null)"
	'
done
check_if PEER61 'the packaged upstream reads the file' '
	upstream "$PEER" script -i x.data -F comm > out
	test "$(wc -l < out)" = "$(said log)"
'
check 'with compression' '
	$PERF record -F 20000 -m 8 --aio=2 -z -e cpu-clock:u -o z.data sh busy.sh 2> log
	test "$($PERF script -i z.data -F comm | wc -l)" = "$(said log)"
'
check 'several outputs' '
	$PERF record -F 10000 -m 8 --aio=3 --switch-output=20K -e cpu-clock:u -o s.data sh busy.sh 2> log
	n=0
	for f in s.data*; do
		n=$((n + $($PERF script -i "$f" -F comm | wc -l)))
	done
	test $n -gt 0
'
check 'killed: what was written is readable' '
	rm -f k.data
	$PERF record -F 20000 -m 8 --aio=4 -e cpu-clock:u -o k.data sh -c "echo \$\$ > pid; while :; do :; done" 2> log &
	pid=$!
	until_true has_samples k.data 0
	kill -9 $pid
	wait $pid || :
	kill "$(cat pid)"	# the command outlives its recorder
	test "$($PERF script -i k.data -F comm 2> err | wc -l)" -gt 0
'
check 'a full disk: said, and the file is readable' '
	rc=0
	(ulimit -f 200; trap "" XFSZ; $PERF record -c 20000 -m 8 --aio=4 -e cpu-clock:u -o f.data sh busy.sh 4) 2> log || rc=$?
	test $rc = 1 || { cat log; exit 1; }
	says "cannot write to f.data" log
	test "$($PERF script -i f.data -F comm 2> err | wc -l)" -gt 0
	test "$($PERF script -i f.data -F comm 2> err | wc -l)" = "$(said log)"
'
check 'not into a pipe, not in threads; a number from 1 to 4' '
	fails_with 1 $PERF record --aio -o - -e cpu-clock true > out 2> err
	says "cannot be combined with a pipe" err
	fails_with 1 $PERF record --aio --threads -o d -e cpu-clock true 2> err
	says "cannot be combined with --threads" err
	fails_with 129 $PERF record --aio=5 -e cpu-clock true 2> err
	fails_with 129 $PERF record --aio=0 -e cpu-clock true 2> err
'
