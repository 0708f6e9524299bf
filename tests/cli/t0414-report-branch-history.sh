#!/bin/sh
# threads
# perf report --branch-history: the branches before a sample as the innermost part of its call graph
. "$(dirname "$0")/../cli/lib.sh"

mkdir -p root/tmp
printf '1000 20 main\n1020 20 work\n1040 10 leaf\n1050 10 begin\n' > root/tmp/perf-100.map
export PERF_FS_ROOT=$PWD/root
# head_of SAMPLE-BITS
head_of() {
	cat <<-END
	event cycles type=hardware config=0 period=10 sample=ip|tid|time|cpu|period|branch_stack$1 branch=1 flags=sample_id_all|comm|mmap2
	feature branch_stack
	comm tid=100 comm="app" time=1
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	default tid=100 period=10 cpu=1
	END
}
# calls from begin to main to work to leaf; 0x1027 and 0x102b jump
{
	head_of '|callchain'
	cat <<-END
	sample ip=0x1041 time=100 chain=-512,0x1041,0x1032,0x1010,0x1055 branch=0x102d:0x1040:0x31,0x1027:0x102d:0x51,0x102b:0x1024:0x62,0x100b:0x1020:0x91
	sample ip=0x1041 time=101 chain=-512,0x1041,0x1032,0x1010,0x1055 branch=0x102d:0x1040:0x51,0x1027:0x102d:0x5a
	sample ip=0x1024 time=102 chain=-512,0x1024,0x1010,0x1055 branch=0x1027:0x102d:0x51
	sample ip=0x1009 time=103 chain=-512,0x1009,0x1055
	END
} | mkdata h.data
report() { $PERF report -i h.data "$@" 2> err; }
rows() { report "$@" | grep -v '^#' | grep -v '^$' | sed 's/ *$//'; }

check 'branches, the last one first, then callers whose calls are not among them' '
	rows --branch-history --no-children > out
	cat > want <<-EOF
	    50.00%  leaf+1       [.] leaf  [JIT] tid 100      33.3%      1       5
	            |
	            ---leaf +0 (predicted:0.0%)
	               work +13 (cycles:4)
	               work +13 (predicted:50.0% abort:50.0%)
	               work +7 (cycles:5)
	               |
	               |--25.00%--work +4
	               |          work +11 (cycles:6)
	               |          work +0 (predicted:0.0%)
	               |          main +11 (cycles:9)
	               |          begin +5 (calltrace)
	               |
	                --25.00%--main +16 (calltrace)
	                          begin +5 (calltrace)
	    25.00%  main+9       [.] main  [JIT] tid 100       0.0%      0       0
	            |
	            ---main +9 (calltrace)
	               begin +5 (calltrace)
	    25.00%  work+4       [.] work  [JIT] tid 100       0.0%      0       5
	            |
	            ---work +13 (predicted:0.0%)
	               work +7 (cycles:5)
	               main +16 (calltrace)
	               begin +5 (calltrace)
	EOF
	diff want out
	report --branch-history --no-children | finds "^# Overhead  Source:Line  Symbol    Shared Object  Predicted  Abort  Cycles"
	report --branch-history > out
	report --branch-history -j 3 --chunk-size 64 | cmp - out
'
check 'rows of callers and of ends of branches count the branches of their samples' '
	rows --branch-history -s sym,callchain_branch_predicted,callchain_branch_cycles -g none > out
	grep -qx "    75.00%    25.00%  \[.\] work       28.6%       5" out
	grep -qx "   100.00%     0.00%  \[.\] begin      28.6%       5" out
'
check 'formats: flat, folded, JSON' '
	rows --branch-history --no-children -g flat -S main > out
	grep -qx " *main +9 (calltrace)" out
	rows --branch-history --no-children -g folded | finds -x "25.00% work +13;work +7;main +16;begin +5"
	report --branch-history --no-children --json > out
	says "\"note\":\"predicted:50.0% abort:50.0%\"" out || says "\"note\": \"predicted:50.0% abort:50.0%\"" out
'
check 'limits of frames, and callers that are looked for' '
	rows --branch-history --no-children --max-stack 2 -s sym -S work -g folded > out
	grep -qx "25.00% work +13;work +7" out
	rows --branch-history --no-children --ignore-callees "^main\$" -s sym -g none > out
	grep -qx "   100.00%  \[.\] main" out
	rows --branch-history --no-children -p "^leaf" -x -s sym -g none | finds -x "    50.00%  \[.\] leaf  *leaf"
'
check '-g branch: the same call graphs for other rows' '
	rows --no-branch-stack --no-children -g callee,function,branch,folded -s comm,sym > out
	grep -qx "25.00% leaf;work;work;work;work;work;work;main;begin" out
	grep -qx "25.00% work;work;main;begin" out
'
check 'without call chains; without branch stacks; keys without the option' '
	{ head_of; echo "sample ip=0x1041 time=100 branch=0x102d:0x1040:0x31"; } | mkdata b.data
	$PERF report -i b.data --branch-history --no-children -s sym -g folded 2> err | finds -x "100.00% leaf +0;work +13"
	head_of | sed "s/|branch_stack//;s/branch=1//;/^feature/d" | mkdata none.data
	fails_with 1 $PERF report -i none.data --branch-history 2> err
	says "the profile has no branch stacks" err
	fails_with 1 $PERF report -i h.data -s callchain_branch_abort 2> err
	says "use it with --branch-history" err
	fails_with 1 $PERF report -i h.data --branch-history --mem-mode 2> err
	says "exclude each other" err
'
check 'a branch stack of thousands, and none at all in some samples' '
	{ head_of "|callchain"; echo "repeat 3"; printf "%s" "sample ip=0x1041 time=100+\$i chain=-512,0x1041,0x1032 branch=0x102d:0x1040:0x31"
	  awk "BEGIN { for (i = 1; i <= 2000; i++) printf \",0x%x:0x1040:0x31\", 4096 + i % 40 }"; echo; echo end
	  echo "sample ip=0x1041 time=200 chain=-512,0x1041"; } | mkdata many.data
	$PERF report -i many.data --branch-history --no-children -g folded 2> err > out
	grep -q "^75.00% leaf +0;work +13;leaf +0;main +1;leaf +0;main +2;" out
'
# one_path BRANCHES: the call graph of a sample with them, without the lines between its frames
one_path() {
	{ head_of "|callchain"; echo "sample ip=0x1041 time=100 chain=-512,0x1041,0x1032 branch=0x102d:0x1040:0x31,$1,0x100b:0x1020:0x91"; } |
		mkdata loop.data
	$PERF report -i loop.data --branch-history --no-children -g folded -s sym 2> err | sed -n 's/^100.00% //p'
	$PERF report -i loop.data --branch-history --no-children -s sym 2> err | sed -n 's/^ *work/work/p'
}
check 'loops are folded: iterations, cycles of each, all predictions' '
	one_path 0x102b:0x1024:0x51,0x102b:0x1024:0x62,0x102b:0x1024:0x71,0x102b:0x1024:0x81 > out
	cat > want <<-EOF
	leaf +0;work +13;work +4;work +11;work +0;main +11
	work +13 (cycles:3)
	work +4 (predicted:25.0% iter:4 avg_cycles:6)
	work +11 (cycles:6)
	work +0 (predicted:0.0%)
	EOF
	same want out'
check 'an iteration of two branches; one of them is not a loop, nor are two loops one' '
	one_path 0x102b:0x1024:0x51,0x1027:0x1029:0x61,0x102b:0x1024:0x71,0x1027:0x1029:0x81 > out
	says "work +4 (predicted:0.0% iter:2 avg_cycles:13)" out
	grep -qx "leaf +0;work +13;work +4;work +11;work +9;work +7;work +0;main +11" out
	one_path 0x102b:0x1024:0x51,0x1027:0x1029:0x61,0x102b:0x1024:0x71 > out
	grep -qx "leaf +0;work +13;work +4;work +11;work +9;work +7;work +4;work +11;work +0;main +11" out
	silent_about iter out
	one_path 0x102b:0x1024:0x2,0x102b:0x1024:0x2,0x1027:0x1022:0x2,0x1027:0x1022:0x2,0x1027:0x1022:0x2 > out
	says "work +4 (iter:2)" out
	says "work +2 (iter:3)" out'
check 'samples with other numbers of iterations share a node' '
	{ head_of "|callchain"
	  echo "sample ip=0x1024 time=100 chain=-512,0x1024 branch=0x102b:0x1024:0x42,0x102b:0x1024:0x42"
	  echo "sample ip=0x1024 time=101 chain=-512,0x1024 branch=0x102b:0x1024:0x82,0x102b:0x1024:0x82,0x102b:0x1024:0x82,0x102b:0x1024:0x82"
	} | mkdata two.data
	$PERF report -i two.data --branch-history --no-children -s sym > out 2> err
	says "work +4 (iter:3 avg_cycles:6)" out
	test "$(grep -c "work +11" out)" = 1'
