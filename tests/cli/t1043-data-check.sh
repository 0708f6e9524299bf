#!/bin/sh
# perf data check and repair: what of files can be read, and copies of it
. "$(dirname "$0")/lib.sh"

cat > whole.mk <<-\EOF2
	event a sample=ip|tid|time|id|period|callchain type=1 config=0 flags=sample_id_all|comm|mmap2
	event b sample=ip|tid|time|id|period|callchain type=1 config=2 flags=sample_id_all|comm|mmap2
	comm tid=100 comm="work" time=1
	repeat 20
	sample ev=a tid=100 time=10+$i period=7 ip=0x1010 chain=-512,0x1010,0x1110
	end
EOF2
{ cat whole.mk; cat <<-\EOF2
	sample ev=a tid=100 time=50 period=7 ip=0x1010 chain=-512,0x1010 chain_nr=999
	sample ev=a tid=100 time=51 id=77 ip=0x1010 chain=-512,0x1010
	sample ev=b tid=100 time=52 period=5 ip=0x1010 chain=-512,0x1010,0x1110
EOF2
} > usable.mk
for f in whole usable; do
	mkdata $f.data < $f.mk || exit 1
done
printf 'event a sample=ip\ncomm tid=1 comm=x\n' | mkdata empty.data || exit 1
head -c 60 whole.data > lost.data

check 'whole, usable and lost, with numbers by kind of damage' '
	$PERF data check whole.data empty.data > out
	says "whole.data: whole, 20 samples" out
	says "empty.data: whole, 0 samples" out
	says "2 files: 2 whole, 0 usable, 0 lost" out
	fails_with 1 $PERF data check whole.data usable.data > out
	says "usable.data: usable, 21 samples" out
	says "  1 records are shorter than their fields" out
	says "  1 samples have an event id that the file does not declare" out
	fails_with 2 $PERF data check usable.data lost.data none.data > out
	says "lost.data: lost: lost.data: file ends inside its header" out
	says "none.data: lost: failed to open none.data" out
	says "3 files: 0 whole, 1 usable, 2 lost" out
	fails_with 2 $PERF data check lost.data > out
	silent_about "files:" out'
check 'the same as JSON' '
	fails_with 2 $PERF data check --json whole.data usable.data lost.data > out
	expect check.json out'
check 'files that are cut are read as far as they go, and names cannot drive a terminal' '
	size=$(wc -c < whole.data)
	head -c $((size - 3000)) whole.data > cut.data
	for f in *.data; do
		$PERF data check "$f" > out || test $? -le 2
		test -s out
	done
	fails_with 1 $PERF data check --json cut.data > out
	says "{\"kind\": \"truncated-file\", \"number\": 1," out
	fails_with 2 $PERF data check "$(printf "x\\033[2J")" > out
	says "x\\x1b[2J: lost" out
	not grep -q "$(printf "\\033")" out'
check 'other profiles and recordings of counts are checked, too' '
	printf "a;b 5\\n" > stacks
	$PERF data check stacks > out
	says "stacks: whole, 1 sample" out
	printf "a;b 5\\nnothing\\n" > stacks
	fails_with 1 $PERF data check - < stacks > out
	says "lines are not stacks" out'
check 'what is repaired is whole, and has the samples that could be read' '
	$PERF report -i usable.data --folded > want 2> err
	test -s want
	$PERF data repair -o repaired.data usable.data 2> err
	says "21 samples in " err
	says "2 samples, 0 other records" err
	$PERF data check repaired.data > out
	says "repaired.data: whole, 21 samples" out
	$PERF report -i repaired.data --folded > out 2> err
	test ! -s err
	same want out
	$PERF data repair -o - usable.data > piped.data
	$PERF data check piped.data > out
	says "whole, 21 samples" out
	$PERF data repair -o same.data whole.data
	$PERF script -i whole.data > want
	$PERF script -i same.data | same want -'
check 'what cannot be repaired is said, and a file that exists is kept' '
	fails_with 1 $PERF data repair -o no.data lost.data 2> err
	says "file ends inside its header" err
	test ! -e no.data
	echo mine > there
	fails_with 1 $PERF data repair -o there whole.data 2> err
	says "there exists already" err
	echo mine | same - there
	$PERF data repair --force -o there whole.data
	$PERF data check there > out
	fails_with 129 $PERF data repair whole.data 2> err
	says "needs a file and -o" err
	fails_with 129 $PERF data repair -o x whole.data usable.data 2> err
	says "one file can be repaired" err
	fails_with 129 $PERF data check 2> err
	says "needs the names of files" err
	fails_with 129 $PERF data --to folded check whole.data 2> err
	says "follow its name" err
	fails_with 129 $PERF data check --to folded whole.data 2> err'
