#!/bin/sh
# The test helper itself, and mkdata.
. "$(dirname "$0")/../cli/lib.sh"
export TEST_KEEP="$TMP/kept"

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
	# on a busy machine the first check alone may take longer than a second
	for seconds in 1 20; do
		rc=0; TEST_TIMEOUT=$seconds "$SRC/tests/run" "$PWD/long.sh" > out || rc=$?
		grep -q "^1 passed" out && break
	done
	test $rc = 1
	says "ended early with status 124" out
	test "$(tail -n 1 out)" = "1 passed, 1 failed, 0 skipped"
'
check 'a test with a mistake in its shell text has failed, whatever passed before' '
	printf ". $SRC/tests/cli/lib.sh\ncheck one true\nif then\ncheck two true\n" > mistake.sh
	rc=0; "$SRC/tests/run" "$PWD/mistake.sh" > out || rc=$?
	test $rc = 1
	says "ended early with status 2" out
	test "$(tail -n 1 out)" = "1 passed, 1 failed, 0 skipped"
	printf "echo ok 1; echo 1..1; exit 3\n" > status.sh
	rc=0; "$SRC/tests/run" "$PWD/status.sh" > out || rc=$?
	test $rc = 1
	says "ended early with status 3" out
	test "$(tail -n 1 out)" = "1 passed, 1 failed, 0 skipped"
'
check 'make test-bare says what it needs' '
	mkdir tools
	for tool in bash dirname id; do ln -s "$(command -v $tool)" tools/$tool; done
	rc=0; PATH=$PWD/tools "$SRC/tests/bare/run" > out 2> err || rc=$?
	test $rc = 1
	if have_ROOT; then says "needs the program mmdebstrap" err; else says "needs root" err; fi
	test ! -s out
'
check 'tests/run says where the files of a failure are, and how to run it again' '
	printf ". $SRC/tests/cli/lib.sh\ncheck one \"echo hello > out; false\"\n" > keeps.sh
	rc=0; "$SRC/tests/run" "$PWD/keeps.sh" > got || rc=$?
	test $rc = 1
	says "# files: $TEST_KEEP/keeps" got
	echo hello | same - "$TEST_KEEP/keeps/out"
	says "# again: O=$O PERF=$PERF tests/run -v $PWD/keeps.sh" got
'
check '--hostile runs a script several times, and its processes are stopped now and then' '
	cat > stopped.sh <<-\END
	echo round >> "$ROUNDS_FILE"
	for i in $(seq 200); do
		sleep 300 & pid=$!
		for i in $(seq 100); do
			grep -q "^State:.T" /proc/$pid/status && break 2
			sleep 0.05
		done
		kill $pid
	done
	kill $pid
	echo ok 1
	echo 1..1
	END
	ROUNDS=2 ROUNDS_FILE=$PWD/rounds "$SRC/tests/run" --hostile "$PWD/stopped.sh" > got
	test "$(wc -l < rounds)" = 2
	test "$(tail -n 1 got)" = "2 passed, 0 failed, 0 skipped"
'
check 'what was skipped: a line for each reason, the count as before' '
	printf "echo ok 1; echo ok 2 - x \# SKIP no moon; echo ok 3 - y \# SKIP no moon; echo 1..3\n" > some.sh
	printf "echo 1..0 \# SKIP no moon\n" > all.sh
	printf "echo ok 1 \# SKIP no sun; echo 1..1\n" > other.sh
	"$SRC/tests/run" "$PWD/some.sh" "$PWD/all.sh" "$PWD/other.sh" > out
	printf "skipped 3: no moon\nskipped 1: no sun\n1 passed, 0 failed, 4 skipped\n" | same - out
	"$SRC/tests/run" -v "$PWD/some.sh" > out
	says "some.sh: ok 2 - x # SKIP no moon" out
'
check 'a failing check shows its line and what that saw; one that skips is no failure' '
	cat > fails.sh <<-\END
	. "$SRC/tests/cli/lib.sh"
	check one "
		echo hello > out
		n=3
		test \$n = 4
	"
	check two "
		for i in 1 2; do
			cat > out <<-\"EOF\"
			text of the file
			EOF
			grep -q nothing out
		done
	"
	check three "
		skip \"no moon\" > out
		exit 0
	"
	END
	rc=0; sh fails.sh > got || rc=$?
	test $rc = 1
	sed -i "s|$TEST_KEEP/|KEPT/|" got
	same - got <<-\END
	not ok 1 - one
	# fails.sh:5: test $n = 4
	# test 3 = 4
	# status 1; printed:
	not ok 2 - two
	# fails.sh:12: grep -q nothing out
	# out:
	#   text of the file
	# status 1; printed:
	ok 3 - three # SKIP no moon
	1..3
	# files: KEPT/fails
	END
'
check 'a failure shows the beginning of regular files, and does not follow links' '
	cat > links.sh <<-\END
	. "$SRC/tests/cli/lib.sh"
	check one "
		ln -s /proc/self/fd/1 fd1.data
		echo hello > out
		head -c 1000000 /dev/zero | tr \\\\000 x > long
		not cat fd1.data out long
	"
	END
	rc=0; timeout 20 sh links.sh > got 2>&1 || rc=$?
	test $rc = 1
	grep -q "^#   hello" got
	not grep -q "^# fd1.data:" got
	test "$(wc -c < got)" -lt 2000
'
check 'expect: what is printed is compared with a file, which --regen writes' '
	cat > long-output.sh <<-\END
	. "$SRC/tests/cli/lib.sh"
	check one "
		seq \$LAST > numbers
		expect numbers
		cp numbers again
		expect numbers again
	"
	check two "echo hello > out; expect greeting out"
	END
	expectations=$PWD/long-output.expect
	rc=0; LAST=100 "$SRC/tests/run" "$PWD/long-output.sh" > got || rc=$?
	test $rc = 1
	says "no expectation file $expectations/numbers: tests/run --regen $PWD/long-output.sh makes it" got
	says "0 passed, 2 failed, 0 skipped" got
	not test -e "$expectations"

	LAST=100 "$SRC/tests/run" --regen "$PWD/long-output.sh" > got
	same - got <<-END
	new: $expectations/greeting
	new: $expectations/numbers
	2 passed, 0 failed, 0 skipped
	END
	seq 100 | same - "$expectations/numbers"
	LAST=100 "$SRC/tests/run" "$PWD/long-output.sh"

	rc=0; LAST=99 "$SRC/tests/run" "$PWD/long-output.sh" > got || rc=$?
	test $rc = 1
	says "#   -100" got
	says "#   1 lines of difference from $expectations/numbers" got
	says "1 passed, 1 failed, 0 skipped" got
	seq 100 | same - "$expectations/numbers"

	rc=0; LAST=1000 "$SRC/tests/run" "$PWD/long-output.sh" > got || rc=$?
	test "$(wc -l < got)" -lt 100

	rc=0; "$SRC/tests/run" --regen > got 2>&1 || rc=$?
	test $rc = 129
'
check 'expect: --regen shows by git what changed, and fails where two outputs have one name' '
	command -v git > /dev/null || skip "needs git"
	mkdir -p tree/tests/cli
	cp "$SRC/tests/run" tree/tests/
	cp "$SRC/tests/cli/lib.sh" tree/tests/cli/
	cat > tree/tests/cli/t0000-x.sh <<-\END
	. "$(dirname "$0")/lib.sh"
	check one "seq 3 > numbers; expect numbers; seq \$LAST > numbers; expect numbers"
	END
	(
		unset GIT_DIR GIT_WORK_TREE
		cd tree
		git init -q .
		LAST=3 tests/run --regen tests/cli/t0000-x.sh > ../got
		git add tests
		sed -i s/3/4/ tests/cli/t0000-x.sh
		LAST=4 tests/run --regen tests/cli/t0000-x.sh > ../changed
		LAST=4 tests/run --regen tests/cli/t0000-x.sh > ../unchanged
		LAST=5 tests/run --regen tests/cli/t0000-x.sh > ../two && exit 1
		true
	)
	says "new: tests/cli/t0000-x.expect/numbers" got
	says "+4" changed
	says "+++ b/tests/cli/t0000-x.expect/numbers" changed
	says "+4" unchanged
	says "lines of difference from tests/cli/t0000-x.expect/numbers" two
'
check '"not" wants a command that ran and said no' '
	not false
	not grep nothing /dev/null
	for cmd in true nosuch "grep x nosuch" "cmp nosuch /dev/null" "diff nosuch /dev/null" "sh -c \"kill -SEGV \\\$\\\$\""; do
		rc=0
		(eval "not $cmd") > out 2>&1 || rc=$?
		test $rc = 1
	done
'
check 'marks of lines stay out of quotes, here-documents and what goes on' '
	cat > text <<-\EOF
	a "b
	c" # it is
	cat <<-END
	text
	END
	d |
	e
	case x in
	y) f ;;
	esac
	awk '"'"'{
	print }'"'"' x
	if g; then
	h
	fi
	test $? = 1
	i || rc=$?
	EOF
	mark_lines < text > got
	same - got <<-\EOF
	AT=1; a "b
	c" # it is
	AT=3; cat <<-END
	text
	END
	AT=6; d |
	e
	AT=8; case x in
	y) f ;;
	esac
	AT=11; awk '"'"'{
	print }'"'"' x
	AT=13; if g; then
	AT=14; h
	fi
	test $? = 1
	AT=17; i || rc=$?
	EOF
'
