#!/bin/sh
# threads
# perf report -b: the branches of branch stacks as rows
. "$(dirname "$0")/../cli/lib.sh"

mkdir -p root/tmp
printf '1000 100 main\n1100 100 work\n1200 100 leaf\n' > root/tmp/perf-100.map
cp root/tmp/perf-100.map root/tmp/perf-200.map
export PERF_FS_ROOT=$PWD/root
# head EVENT-KEYS
head_of() {
	cat <<-END
	event cycles type=hardware config=0 period=10 sample=ip|tid|time|cpu|period|branch_stack flags=sample_id_all|comm|mmap2 $1
	feature branch_stack
	comm tid=100 comm="app" time=1
	comm tid=200 comm="bee" time=1
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	mmap2 tid=200 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	default period=10 cpu=1
	END
}
{
	head_of branch=1
	cat <<-END
	sample tid=100 ip=0x1210 time=100 branch=0x1110:0x1200:2,0x1010:0x1100:1,0x1220:0x1110:34
	sample tid=100 ip=0x1220 time=200 branch=0x1110:0x1200:2,0x1018:0x1100:1
	sample tid=100 ip=0x1230 time=300 branch=0x1110:0x1200:10,0x1010:0x1100:4
	sample tid=100 ip=0x1230 time=400
	sample tid=200 ip=0x1010 time=500 branch=0x1010:0x1100:0,0x9999:0x1100:161
	END
} | mkdata b.data
report() { $PERF report -i b.data "$@" 2> err; }
rows() { report "$@" | grep -v '^#' | grep -v '^$' | sed 's/ *$//'; }

check 'a file with branch stacks is about branches, each counted once; samples without are none' '
	report > out
	cat > want <<-EOF
	# Samples: 4  of event "cycles"
	# Event count (approx.): 9
	#
	# Overhead  Command  Source Shared Object  Source Symbol           Target Symbol  Basic Block Cycles
	# ........  .......  ....................  ......................  .............  ..................
	#
	    33.33%  app      [JIT] tid 100         [.] main                [.] work       -
	    33.33%  app      [JIT] tid 100         [.] work                [.] leaf       -
	    11.11%  app      [JIT] tid 100         [.] leaf                [.] work       2
	    11.11%  bee      [unknown]             [H] 0x0000000000009999  [.] work       10
	    11.11%  bee      [JIT] tid 200         [.] main                [.] work       -
	EOF
	sed -n "/^# Samples/,\$p" out | grep -v "^\$" | head -11 | sed "s/ *\$//;s/'"'"'/\"/g" | diff want -
	report -b > b.out
	cmp out b.out
	report -j 3 --chunk-size 64 > b.out
	cmp out b.out
'
check '--no-branch-stack: the samples themselves' '
	rows --no-branch-stack -s comm > out
	printf "%s\n" "    80.00%  app" "    20.00%  bee" | diff - out
	fails_with 1 $PERF report -i b.data --no-branch-stack -s symbol_from 2> err
	says "no branch stacks are counted here" err
'
check 'keys of one branch' '
	rows -s abort > out
	printf "%s\n" "    88.89%  ." "    11.11%  A" | diff - out
	rows -s in_tx > out
	printf "%s\n" "    88.89%  ." "    11.11%  T" | diff - out
	rows -s cycles > out
	printf "%s\n" "    77.78%  -" "    11.11%  10" "    11.11%  2" | diff - out
	rows -s mispredict > out
	printf "%s\n" "    44.44%  N" "    33.33%  Y" "    22.22%  N/A" | diff - out
	rows -s addr_from,addr_to | finds -x "    22.22%  \[.\] main+0x10           \[.\] work"
	rows -s srcline_from,srcline_to | finds -x "    33.33%  work+16           leaf+0"
	rows -s dso_to,comm > out
	printf "%s\n" "    77.78%  [JIT] tid 100         app" "    22.22%  [JIT] tid 200         bee" | diff - out
'
check 'keys of the sample are those of what the branch went to' '
	rows -s sym > out
	printf "%s\n" "    44.44%  [.] work" "    33.33%  [.] leaf" "    22.22%  [.] work" | diff - out
	rows -s addr | finds -x "    55.56%  0x1100"
'
check 'filters ask where the sample was taken; -U wants both ends named' '
	rows -S leaf -s comm > out
	printf "%s\n" "    77.78%  app" | diff - out
	rows -S leaf -s comm --percentage relative > out
	printf "%s\n" "   100.00%  app" | diff - out
	report -S leaf --percentage relative | finds "^# Samples: 3  of"
	report -U -s comm > out
	grep -q "^# Samples: 3  of" out
	grep -q "^# Event count (approx.): 8\$" out
'
check 'a file without, and one with call stacks of the processor' '
	head_of "sample=ip|tid|time|cpu|period" | mkdata none.data
	fails_with 1 $PERF report -i none.data -b 2> err
	says "the profile has no branch stacks" err
	{ head_of branch=0x801 | grep -v ^feature; echo "sample tid=100 ip=0x1210 time=100 branch=0x1110:0x1200:2"; } | mkdata lbr.data
	$PERF report -i lbr.data -s sym 2> err | finds "100.00%  \[.\] leaf"
'
check 'call stacks of the processor are the user part of call chains' '
	{
		head_of "branch=0x801 sample=ip|tid|time|cpu|period|callchain|branch_stack" | grep -v ^feature
		cat <<-END
		sample tid=100 ip=0x1210 time=100 chain=-512,0x1211,0x1 branch=0x1110:0x1200:2,0x1010:0x1100:1
		sample tid=100 ip=0xffffffff81001010 misc=1 time=200 chain=-128,0xffffffff81001010,-512,0x1220 branch=0x1120:0x1200:2
		sample tid=100 ip=0x1210 time=300 chain=-512,0x1210,0x1018
		sample tid=100 ip=0xffffffff81001010 misc=1 time=400 chain=-128,0xffffffff81001010 branch=0x1120:0x1200:2
		END
	} | mkdata lbr.data
	$PERF script -i lbr.data -F ip,sym 2> err | sed "s/^[[:space:]]*//" | tr "\n" "," > out
	printf "%s" ",1210 leaf,1110 work,1010 main,,,ffffffff81001010 [unknown],1220 leaf,1120 work,,,1210 leaf,1018 main,,," \
		"ffffffff81001010 [unknown],," | diff - out
	$PERF report -i lbr.data --no-children -g folded -s sym 2> err | finds -x "25.00% leaf;work;main"
'
check 'the other byte order; events without branch stacks; call graphs' '
	{ echo "order big"; head_of branch=1; echo "sample tid=100 ip=0x1210 time=100 branch=0x1110:0x1200:34"; } | mkdata big.data
	$PERF report -i big.data -s mispredict,cycles,symbol_from 2> err | finds "100.00%  N  *2  *\[.\] work"
	{
		bits="ip|tid|time|cpu|period|callchain"
		echo "event cycles type=hardware config=0 period=10 sample=identifier|$bits|branch_stack branch=1 flags=sample_id_all"
		echo "event faults type=software config=page-faults sample=identifier|$bits flags=sample_id_all"
		head_of branch=1 | tail -n +2
		echo "sample id=1 tid=100 ip=0x1210 time=100 chain=-512,0x1210 branch=0x1110:0x1200:34,0x1010:0x1110:1"
		echo "sample id=2 tid=100 ip=0x1210 time=100 chain=-512,0x1210"
	} | mkdata two.data
	$PERF report -i two.data -s symbol_to > out 2> err
	grep -q "^# Samples: 1  of event .cycles" out
	grep -q "^# Samples: 0  of event .page-faults" out
	$PERF report -i two.data -s symbol_to --group > out 2> err
	grep -q "50.00%   0.00%  \[.\] leaf" out
	$PERF report -g -i two.data -s symbol_to > out 2> err
	says "branches have no call graphs" err
	$PERF report -g none -i two.data -s symbol_to > out 2> err
	silent_about "call graphs" err
'
check 'a branch stack that ends before its length says' '
	{ head_of branch=1; echo "sample tid=100 ip=0x1210 time=100 branch_nr=1000000 branch=0x1110:0x1200:2"; } | mkdata bad.data
	$PERF report -i bad.data > out 2> err
	grep -q "^# Samples: 0  of" out
'
