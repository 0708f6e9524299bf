#!/bin/sh
# report, diff, annotate and top --json: every mode has the documented layout.
. "$(dirname "$0")/lib.sh"
have_PYTHON() {
	echo "import json" | python3 2> err || { echo "needs python3"; return 1; }
}
need PYTHON

mkdir -p root/tmp
printf '1000 20 main\n1020 20 work\n1040 10 leaf\n1050 10 begin\n' > root/tmp/perf-100.map
export PERF_FS_ROOT=$PWD/root
tasks() {
	echo 'comm tid=100 comm="app" time=1'
	echo 'mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2'
}
{
	echo 'event cycles type=hardware config=0 period=10 sample=identifier|ip|tid|time|cpu|period|callchain|branch_stack branch=9 flags=sample_id_all|comm|mmap2'
	tasks
	echo 'default tid=100 period=10 cpu=1'
	echo 'sample ip=0x1041 time=100 chain=-512,0x1041,0x1010 branch=0x102d:0x1040:0x31,0x1027:0x102d:0x51,0x102b:0x1024:0x62'
	echo 'sample ip=0x1024 time=300 chain=-512,0x1024 branch=0x102b:0x1024:0x62,0x100b:0x1020:0x91'
	echo 'sample ip=0x5000 time=2000000000 chain=-512,0x5000'
} | mkdata b.data
{
	echo 'event cpu/mem-loads/ type=raw config=0x1cd period=10 sample=ip|tid|time|cpu|addr|period|weight_struct|data_src|phys_addr flags=sample_id_all|comm|mmap2'
	tasks
	echo 'sample tid=100 ip=0x1010 time=100 addr=0x8010 weight=60 weight2=7 data_src=0x6a100842 phys_addr=0x123010'
	echo 'sample tid=100 ip=0x1030 time=110 addr=0x8018 weight=20 data_src=0x90102042'
} | mkdata m.data
{
	echo 'event cycles type=hardware config=0 sample=identifier|ip|tid|time|cpu|period flags=sample_id_all|comm|task|context_switch'
	echo 'event faults type=software config=page-faults sample=identifier|ip|tid|time|cpu|period flags=sample_id_all'
	echo 'feature nrcpus u32:3,3'
	echo 'feature group_desc u32:1 str:"both" u32:0,2'
	tasks
	echo 'sample tid=100 time=100 ip=0x1010'
	echo 'sample id=2 tid=100 time=120 ip=0x1030'
	echo 'switch tid=200 time=200'
	echo 'sample tid=100 time=300 ip=0x1030'
} | mkdata g.data
# right FILE...: all have the layout and rows
right() {
	python3 "$SRC/tests/tools/json-tables.py" "$@" > counts
	cat counts
	not grep -q " 0 rows" counts
}
# modes FILE OPTIONS...: report in each of these modes
modes() {
	file=$1
	shift
	for mode; do
		$PERF report --json $mode -i $file > out 2> err || { echo "report $mode"; cat err; exit 1; }
		echo "$mode" > mode
		right out
	done
}

check 'report: branches, blocks, histories, trees, call graphs, time' '
	modes b.data "" -b --branch-history --total-cycles "--branch-history -g flat" "-b -H" "-H -s comm,symbol_to" \
		"--no-branch-stack" "--no-branch-stack -g caller" "--no-branch-stack -g none -s time --time-quantum 1s" \
		"-b -s symbol_from,addr_to,cycles,mispredict" "-F overhead,sample,period,symbol_to" \
		"--no-branch-stack -s sym,addr,srcline,cpu,tgid -n --show-total-period"
'
check 'report: memory accesses, latency, groups, raw fields' '
	modes m.data --mem-mode "--mem-mode -s mem,phys_daddr" "-s local_weight,weight,ins_lat" \
		"--mem-mode -F overhead,op,cache,memory,snoop,dtlb,sym" "-F weight1,weight2,weight3,sym --raw-trace"
	modes g.data "" --group "--group -H -s comm,sym" --latency "-s parallelism,sym" "-F overhead,latency,sym" --no-group
'
check 'report: what is text beside the table, or instead of it' '
	modes g.data --tasks --mmaps --stats --header --header-only "--header --tasks --mmaps --stats" \
		"--header-only --stats" "-T --header"
	modes b.data --tasks --mmaps --stats --header "--header -H"
'
check 'report: an empty table, and --itrace' '
	$PERF report --json --comms nobody -i g.data > out 2> err
	python3 "$SRC/tests/tools/json-tables.py" out > counts
	says " 0 rows" counts
	modes g.data --itrace "--percent-limit 10" "-c app" "-U"
'
check 'diff: all ways to compare' '
	for c in delta delta-abs ratio wdiff:1,2; do
		$PERF diff --json -c $c g.data g.data > out 2> err
		right out
	done
	$PERF diff --json -b -p -F -o 1 g.data g.data g.data > out 2> err
	python3 "$SRC/tests/tools/json-tables.py" out > counts
	says "documents" counts
	$PERF diff --json --runs g.data,g.data:g.data,g.data > out 2> err
	right out
'
check_if EVENTS 'top: a document for each refresh, also with trees, call graphs and memory' '
	unset PERF_FS_ROOT
	for o in -n -H "-g --percent-limit 30" "-s pid,local_weight"; do
		$PERF top --json $o -e cpu-clock:u,page-faults:u -d 400ms -- $PERF test -w noploop 1 > out 2> err
		right out
	done
	$PERF top --json --mem-mode -e page-faults:u -c 1 -d 1 -- $PERF test -w noploop 1 > out 2> err
	right out
'
check 'the layout is refused where it is wrong' '
	$PERF report --json -i g.data > out 2> err
	for change in "s/\"version\": 1/\"version\": 2/" "s/\"overhead\": [0-9.]*/\"overhead\": \"much\"/" "s/\"rows\"/\"lines\"/" \
			"s/\"type\": \"share\"/\"type\": \"part\"/" "s/\"samples\": /\"sample\": /"; do
		sed "$change" out > wrong
		not python3 "$SRC/tests/tools/json-tables.py" wrong
	done
'
