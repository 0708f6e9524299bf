#!/bin/sh
# threads
# perf report --total-cycles: basic blocks, the code between two branches, by their cycles
. "$(dirname "$0")/../cli/lib.sh"

mkdir -p root/tmp
printf '1000 20 main\n1020 20 work\n1040 10 leaf\n1050 10 begin\n' > root/tmp/perf-100.map
cp root/tmp/perf-100.map root/tmp/perf-200.map
export PERF_FS_ROOT=$PWD/root
# samples BRANCH-KEY
samples() {
	cat <<-END
	event cycles type=hardware config=0 period=10 sample=ip|tid|time|cpu|period|branch_stack $1 flags=sample_id_all|comm|mmap2
	feature branch_stack
	comm tid=100 comm="app" time=1
	comm tid=200 comm="bee" time=1
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	mmap2 tid=200 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	default period=10 cpu=1
	sample tid=100 ip=0x1041 time=100 branch=0x102d:0x1040:0x31,0x1027:0x102d:0x51,0x102b:0x1024:0x62,0x100b:0x1020:0x91
	sample tid=100 ip=0x1024 time=300 branch=0x102b:0x1024:0x62,0x100b:0x1020:0x91
	sample tid=200 ip=0x1020 time=500 branch=0x100b:0x1020:0x32,0x1050:0x1000:0x12
	END
}
samples branch=9 | mkdata x.data
report() { $PERF report -i x.data --total-cycles "$@" 2> err; }
rows() { report "$@" | grep -v '^#' | grep -v '^$' | sed 's/ *$//'; }

check 'rows are blocks; the first one of a stack has no known start' '
	report | sed -n "s/ *\$//;/^# Sampled Cycles/,\$p" | grep -v "^\$" | head -8 > out
	cat > want <<-EOF
	# Sampled Cycles%  Sampled Cycles  Avg Cycles  Block Start  Block End  Source Shared Object
	# ...............  ..............  ..........  ...........  .........  ....................
	#
	           42.86%              18           9  -            main+11    [JIT] tid 100
	           28.57%              12           6  work+0       work+11    [JIT] tid 100
	           11.90%               5           5  work+4       work+7     [JIT] tid 100
	            7.14%               3           3  main+0       main+11    [JIT] tid 200
	            7.14%               3           3  work+13      work+13    [JIT] tid 100
	EOF
	diff want out
	report > out
	report -j 3 --chunk-size 64 | cmp - out
'
check 'shares of what filters keep; other columns' '
	rows -c bee --percentage relative -F block_share,block_end > out
	printf "%s\n" "           75.00%  main+11" "           25.00%  begin+0" | diff - out
	rows -F block_cycles,block_average,comm | finds -x "  *38  *6  app"
	$PERF report -i x.data -s block_start,block_end 2> err | finds "^    25.00%  -            main+11"
	report --json > out
	grep -q "\"block_share\": *42.8571" out
'
check 'if only some kinds of branches were recorded, no start is known' '
	samples branch=0x11 | mkdata x.data
	rows -F block_cycles,block_start,block_end | head -n 1 > out
	printf "%s\n" "              21  -            main+11" | diff - out
'
check 'what excludes it' '
	fails_with 1 $PERF report -i x.data --total-cycles -s sym 2> err
	says "choose columns with -F" err
	fails_with 1 $PERF report -i x.data --total-cycles --branch-history 2> err
	says "exclude each other" err
	fails_with 1 $PERF report -i x.data --no-branch-stack -F block_cycles 2> err
	says "no branch stacks are counted here" err
	samples | sed "s/|branch_stack//;s/ branch=.*//;/^feature/d" | mkdata none.data
	fails_with 1 $PERF report -i none.data --total-cycles 2> err
	says "total-cycles: the profile has no branch stacks" err
	samples branch=9 | sed "s/:0x[0-9a-f]\([0-9a-f]\)\([,]\)/:0x\1\2/g;s/:0x[0-9a-f]\([0-9a-f]\)\$/:0x\1/" | mkdata untimed.data
	fails_with 1 $PERF report -i untimed.data --total-cycles > out 2> err
	says "the branch stacks of the profile have no cycles" err
	test ! -s out
	samples branch=0x801 | mkdata calls.data
	for option in -b --branch-history --total-cycles; do
		fails_with 1 $PERF report -i calls.data $option 2> err
		says "$option: the branch stacks of the profile are call stacks" err
		silent_about "no branch stacks" err
	done
'
