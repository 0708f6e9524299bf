#!/bin/sh
# perf report: files of folded stacks, from this perf and from other programs.
. "$(dirname "$0")/lib.sh"

cat > x.folded <<-\EOF2
	# written by hand
	prog;main;work 50
	prog;main;wait;deep 40
	other;main 10

	prog;main;work 3
EOF2

check 'the call graph of each outermost frame' '
	$PERF report -i x.folded | grep -v "(Tip:" > out
	expect text out
	$PERF report -i x.folded -g folded,0 | grep -v "(Tip:" > out
	expect folded-graph out
	$PERF report -i x.folded --no-call-graph -t, | grep -v "(Tip:" > out
	expect rows out
	$PERF report -i x.folded --json > out
	says "\"event-count\": 103" out'
check 'pictures: what is written folded is read back as the same' '
	$PERF report -i x.folded --folded > out
	expect folded out
	$PERF report -i x.folded --folded=again
	$PERF report -i again --folded | same again -
	$PERF report -i x.folded --flamegraph=x.svg
	says "<title>work [folded] 53, 51.45%</title>" x.svg
	$PERF report -i x.folded --flamegraph=x.html
	grep -q "\"total\":\[103," x.html'
check 'what is written folded is UTF-8' '
	printf "a\\377b;\\303\\244;\\342\\202 7\\n" > bytes.folded
	printf "a%sxffb;\\303\\244;%sxe2%sx82 7\\n" "\\" "\\" "\\" > want
	$PERF report -i bytes.folded --folded > out
	same want out'
check 'lines that are no stacks are counted, terminal escapes are shown' '
	{ cat x.folded; echo nothing; printf "\\033[2J;x 5\\r\\n"; } > bad.folded
	$PERF report -i bad.folded --folded > out 2> err
	says "1 lines are not stacks" err
	says "\\x1b[2J;x 5" out
	not grep -q "$(printf "\\033")" out'
check 'a mark for missing callers does not take the place of the sampled function' '
	chain=$(for i in $(seq 127); do printf ",%d" $((0x1000 + 2 * i)); done)
	mkdir -p root/tmp
	mkdata deep.data <<-EOF2
	event a sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
	comm tid=1 comm="deep" time=1
	mmap2 tid=1 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	sample tid=1 time=3 ip=0x1002 chain=-512$chain
	EOF2
	printf "1000 3 inner\\n1003 ffd outer\\n" > root/tmp/perf-1.map
	PERF_FS_ROOT=$PWD/root $PERF report -i deep.data --folded > out
	says "deep;[stack depth-limit];outer;" out
	says ";outer;inner 1" out'
check 'stacks are samples: tables, filters and scripts work' '
	$PERF report -i x.folded -s sym -t, --no-children -g none > out
	says "51.46%,[.] work" out
	$PERF report -i x.folded --comms other --folded > out
	echo "other;main 10" | same - out
	$PERF script -i x.folded -F comm,ip,sym > out
	says deep out
	test "$(grep -c ^prog out)" = 3
	$PERF report -i - --folded < x.folded > piped
	cat x.folded | $PERF report -i - --folded | same piped -
	test -s piped
	{ cat x.folded; echo "k;sys;read_[k] 5"; } > kernel.folded
	$PERF report -i kernel.folded -s dso -t, --no-children -g none > out
	says "[kernel.kallsyms]" out'
check 'stacks are not cut, though they are deeper than those of the kernel' '
	awk "BEGIN { printf \"deep\"; for (i = 0; i < 500; i++) printf \";f%d\", i; print \" 3\" }" > deep.folded
	$PERF report -i deep.folded --folded | same deep.folded -
	awk "BEGIN { printf \"deep\"; for (i = 0; i < 5000; i++) printf \";f%d\", i; print \" 3\" }" > deep.folded
	$PERF report -i deep.folded --folded | finds "^deep;f0;.*;f2047 3" > out
	silent_about "f2048" out'
check 'a file without stacks is refused, and a text that never ends is not read' '
	echo "# there is nothing in here" > empty.folded
	fails_with 1 $PERF report -i empty.folded 2> err
	says "is a text file" err
	yes nothing 2> yes.err | { fails_with 1 $PERF report -i - 2> err; }
	says "not a perf.data file" err'
