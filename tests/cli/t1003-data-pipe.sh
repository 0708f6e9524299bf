#!/bin/sh
# Pipe format: on standard input, as a file, without ids, with attributes in the middle.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/data-lib.sh"

check 'read from standard input' '
	{ echo format pipe; small; } | mkdata - | $PERF script -i - -F $FIELDS 2> err | sed "s/ *\$//" > out
	same "$TWO_SAMPLES" out
'
check 'read from a file' '
	{ echo format pipe; small; } | mkdata x.data
	shows_both x.data
'
check 'attributes without ids' '
	{ echo format pipe; small ids=none; } | mkdata x.data
	shows_both x.data
'
check 'a pipe that ends within a record' '
	{ echo format pipe; small; echo truncate -4; } | mkdata x.data
	$PERF script -i - -F $FIELDS < x.data 2> err | sed "s/ *\$//" > out
	head -n 1 "$TWO_SAMPLES" > want
	same want out
'
check 'an empty pipe' '
	fails_with 1 $PERF script -i - < /dev/null > out 2> err
	says "standard input is empty: the command before the pipe wrote nothing" err
'
check 'an endless input that is no profile is refused at once' '
	for cmd in "script -i -" "report --stdio -i -" "stat report -i -"; do
		timeout 20 $PERF $cmd < /dev/zero > out 2> err && exit 1
		test $? = 1
		grep -q "incompatible file format" err
	done
'
check 'the number behind the last feature, with nothing in it, ends the list and is no damage' '
	for bit in 23 32 35; do
		{ echo format pipe; small; echo "header_feature feat_id=$bit"; } | mkdata x.data
		shows_both x.data
		not grep -i "damaged" err
		$PERF report -i x.data --header-only > out
		not grep "CPU_DOMAIN_INFO\|clockid" out
	done
'
check 'a feature of a known name without its payload is damage' '
	{ echo format pipe; small; echo "header_feature feat_id=3"; } | mkdata x.data
	shows_both x.data
	grep -q "damaged" err
'
