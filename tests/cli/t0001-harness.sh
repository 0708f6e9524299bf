#!/bin/sh
# The test helper itself, and mkdata.
. "$(dirname "$0")/../cli/lib.sh"

check 'mkdata writes a file with the right magic and sizes' '
	mkdata x.data <<-END
	event cpu-clock sample=ip|tid|time
	sample ip=0x1234 tid=7 time=99
	END
	test "$(head -c 8 x.data)" = PERFILE2
	test "$(stat -c %s x.data)" = $((104 + 8 + 144 + 32))
'
check 'mkdata writes the other byte order' '
	printf "order big\nevent a sample=ip\nsample ip=0x1122334455667788\n" | mkdata b.data
	test "$(head -c 8 b.data)" = 2ELIFREP
	test "$(tail -c 8 b.data | od -An -tx1 | tr -d " ")" = 1122334455667788
'
check 'mkdata names the line of a mistake' '
	fails_with 1 $MKDATA -o y.data <<-END 2> err
	event a
	nonsense
	END
	says "line 2: '\''nonsense'\'' is not known" err
'
check 'damage: patch and truncate at labels' '
	mkdata z.data <<-END
	event a sample=ip
	sample ip=1
	label here
	sample ip=2
	patch @here+8 u64:0x77
	truncate @here+12
	END
	test "$(tail -c 4 z.data | od -An -tx1 | tr -d " ")" = 77000000
'
check 'a test that leaves a process behind has failed, and the process is ended' '
	printf "setsid sleep 300 & echo \$! > $PWD/pid; echo ok 1 - fine; echo 1..1\n" > leaves.sh
	rc=0; "$SRC/tests/run" "$PWD/leaves.sh" > out || rc=$?
	test $rc = 1
	says "leaves process $(cat pid) behind" out
	says "sleep 300" out
	test "$(tail -n 1 out)" = "1 passed, 1 failed, 0 skipped"
	while kill -0 "$(cat pid)" 2> /dev/null; do sleep 0.1; done
'
check 'a test that is ended because it takes too long has failed' '
	printf ". $SRC/tests/cli/lib.sh\ncheck one true\ncheck two \"sleep 60\"\ncheck three true\n" > long.sh
	rc=0; TEST_TIMEOUT=1 "$SRC/tests/run" "$PWD/long.sh" > out || rc=$?
	test $rc = 1
	says "ended early with status 124" out
	test "$(tail -n 1 out)" = "1 passed, 1 failed, 0 skipped"
'
check 'what passed is not run again for the same programs, unless asked for' '
	mkdir notes
	printf "echo ran >> $PWD/runs; echo ok 1; echo 1..1\n" > one.sh
	for i in 1 2; do TEST_PASSED=$PWD/notes "$SRC/tests/run" "$PWD/one.sh" > out; done
	test "$(wc -l < runs)" = 1
	says "not run again" out
	test "$(tail -n 1 out)" = "0 passed, 0 failed, 0 skipped"
	"$SRC/tests/run" "$PWD/one.sh" > out
	test "$(wc -l < runs)" = 2
	for i in 1 2; do
		echo $i > other
		PERF=$PWD/other TEST_PASSED=$PWD/notes "$SRC/tests/run" "$PWD/one.sh" > out
	done
	test "$(wc -l < runs)" = 4
'
