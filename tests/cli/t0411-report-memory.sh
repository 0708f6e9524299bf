#!/bin/sh
# threads
# perf report --mem-mode: what data was accessed, and where it came from
. "$(dirname "$0")/../cli/lib.sh"

mkdir -p root/tmp
printf '1000 100 main\n1100 100 work\n' > root/tmp/perf-100.map
export PERF_FS_ROOT=$PWD/root
mkdata m.data <<'EOT'
event cpu/mem-loads/ type=raw config=0x1cd period=10 sample=ip|tid|time|cpu|addr|period|weight_struct|data_src|phys_addr|data_page_size|code_page_size|transaction flags=sample_id_all|comm|mmap2|mmap_data
feature nrcpus u32:2,2
comm tid=100 comm="app" time=1
mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
mmap2 tid=100 addr=0x8000 len=0x1000 prot=3 flags=2 filename="[heap]" time=2
default tid=100 period=10 cpu=1
# L3 hits, locked; remote memory behind a TLB miss; a line that another cache had modified; nothing known
sample ip=0x1010 time=100 addr=0x8010 weight=60 weight2=7 weight3=2 data_src=0x6a100842 phys_addr=0x123010 data_page_size=0x1000 code_page_size=0x200000
sample ip=0x1010 time=110 addr=0x8018 weight=20 weight2=7 weight3=2 data_src=0x6a100842 phys_addr=0x123018 data_page_size=0x1000 code_page_size=0x200000
sample ip=0x1110 time=120 addr=0x8040 weight=15 weight2=5 data_src=0x90102042 transaction=3
sample ip=0x1120 time=130 addr=0x9999999 data_src=0x20001800882
sample ip=0xffffffff81000000 misc=1 time=140 addr=0x8010 weight=4
EOT
report() { $PERF report -i m.data --mem-mode "$@" 2> err; }
rows() { report "$@" | grep -v '^#' | grep -v '^$' | sed 's/ *$//;s/\([^ ]\)   */\1  /g'; }

check 'callers have no rows: they accessed nothing' '
	mkdata chains.data <<-\EOF
	event cpu/mem-loads/ type=raw config=0x1cd period=10 sample=ip|tid|time|addr|weight|data_src|callchain flags=sample_id_all|comm|mmap2
	comm tid=100 comm="app" time=1
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	sample tid=100 ip=0x1110 time=100 addr=0x8010 weight=6 data_src=0x6a100842 chain=-512,0x1110,0x1010
	EOF
	$PERF report --stdio -i chains.data --mem-mode -s mem,sym > out 2> err
	grep -v "^#\|^\$" out | sed "s/ *\$//;s/   */  /g" > got
	printf "%s\n" "  100.00%  L3 hit  [.] work" "  |" "  ---main" "  work" | same - got
	silent_about Children out
	$PERF report -i chains.data --mem-mode --children --json -g none -s sym 2> err > out
	test "$(grep -c "\"overhead\":" out)" = 1
'
check 'samples count by their weights, one at least; the heading says so' '
	report -s comm > out
	grep -qx "# Total weight : 100" out
	grep -qx "# Sort order   : comm" out
	says "   100.00%  app" out
	report -n > out
	grep -q "^# Sort order   : local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,local_ins_lat,local_p_stage_cyc\$" out
	says "# Overhead       Samples  Local Weight  Memory access    " out
	report -n -j 3 --chunk-size 64 > more
	cmp out more
'
check 'parts of the data source' '
	rows -s mem > out
	cat > want <<-EOF
	    80.00%  L3 hit
	    15.00%  Remote RAM (1 hop) hit
	     4.00%  N/A
	     1.00%  L3 miss
	EOF
	diff want out
	rows -s locked | finds -x "    80.00%  Yes"
	rows -s tlb | finds -x "    80.00%  L1 or L2 hit"
	rows -s snoop | finds -x "     1.00%  HitM"
	rows -s blocked | finds -x "     1.00%  Data"
'
check 'columns of how accesses are divided: those that occur, below the title of their group' '
	report -F overhead,op,cache,memory,snoop,dtlb,comm > out
	sed -n "s/ *\$//; /^#  .*Mem Op/,/^\$/p" out | grep -v -e "^#\$" -e "^\$" > got
	cat > want <<-EOF
	#           --- Mem Op ---  --- Cache ----  --- Memory ---  --- Snoop ----  ------- D-TLB -------
	# Overhead     Load  Other       L3  Other      RAM  Other     HitM  Other   L?-Hit   Miss  Other  Command
	# ........  ..............  ..............  ..............  ..............  .....................  .......
	   100.00%    96.0%   4.0%    81.0%  19.0%    15.0%  85.0%     1.0%  99.0%    80.0%  15.0%   5.0%  app
	EOF
	diff want got
	report -F overhead,op_load,symbol_daddr -t , | finds -x "60.00%,60.0%,.*8010"
	report -F overhead,op,comm,sym --hierarchy > out
	grep -q "^#  *--- Mem Op ---\$" out
	grep -q "96.0%  *4.0%  *app" out
	report -F overhead,op,comm --json > out
	grep -q "\"op_other\": *4[,}]" out
	report -F overhead,op,cache,memory,snoop,dtlb,sym -j 3 --chunk-size 64 > out
	report -F overhead,op,cache,memory,snoop,dtlb,sym | cmp - out
	fails_with 1 report -s op
	says "use it with --mem-mode and --fields" err
	fails_with 1 $PERF report -i m.data -F overhead,op 2> err
	says "is a column of memory accesses" err
'
check 'data by address, by cache line, by file' '
	rows -s symbol_daddr,dso_daddr > out
	cat > want <<-EOF
	    60.00%  [.] 0x0000000000008010  [heap]
	    20.00%  [.] 0x0000000000008018  [heap]
	    15.00%  [.] 0x0000000000008040  [heap]
	     4.00%  [k] 0x0000000000008010  [unknown]
	     1.00%  [.] 0x0000000009999999  [unknown]
	EOF
	diff want out
	rows -s dcacheline > out
	cat > want <<-EOF
	    80.00%  [.] 0x0000000000008000
	    15.00%  [.] 0x0000000000008040
	     4.00%  [X] 0x0000000000008000
	     1.00%  [X] 0x0000000009999980
	EOF
	diff want out
	rows -s symbol_iaddr | grep -c work | finds -x 2
	rows -s phys_daddr | finds -x "    60.00%  \[.\] 0x0000000000123010"
	rows -s data_page_size,code_page_size | finds -x "    80.00%  4K  2M"
'
check 'weights: of one sample, and times the samples' '
	rows -s local_ins_lat,ins_lat | finds -x "    80.00%  7  14"
	rows -s local_p_stage_cyc,p_stage_cyc,local_retire_lat,retire_lat | finds -x "    80.00%  2  4  2  4"
	rows -F overhead,ins_lat,retire_lat,comm | finds -x "   100.00%  3.8  0.8  app"
	rows -s transaction | finds "15.00%  EL TX NEITHER"
'
check 'keys of memory accesses want --mem-mode, which does not go with branches' '
	fails_with 1 $PERF report -i m.data -s tlb 2> err
	says "use it with --mem-mode" err
	fails_with 1 $PERF report -i m.data -b --mem-mode 2> err
	says "exclude each other" err
	printf "event cycles type=hardware config=0 sample=ip|tid|time\nsample ip=1 tid=1 time=1\n" | mkdata plain.data
	fails_with 1 $PERF report -i plain.data --mem-mode > out 2> err
	test ! -s out
	says "the profile has no data of memory accesses" err
'
