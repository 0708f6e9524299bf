#!/bin/sh
# Intel PT without conversion of times: maps of the end of the recording count, and samples have no time.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/pt-lib.sh"

# before TIME: words without time conversion, and the map of the program at that time
before() {
	pt_before | sed "s/priv=8,0,1,0,1,/priv=8,0,0,0,0,/; s/time=11 /time=$1 /"
}
packets="$pt_start pt-pge:0x400080 pt-tnt:TTTNTN pt-tip:0x40008b pt-pgd:0,0"

check 'maps that appear later than the counter says are found' '
	for time in 11 500000; do
		{ before $time; pt_trace $packets; } | mkdata x.data
		$PERF script --itrace=bei1i -F event,ip,dso,sym -i x.data > out 2> err
		silent_about "left out" err
		test "$(grep -c instructions out)" = 15
		test "$(grep -c "branches.* ([^ ]*/prog)" out)" = 8
		$PERF report --itrace=i1i --stdio -s dso -i x.data > report 2> err
		says "100.00%  prog" report
	done
	$PERF script --itrace=b -i x.data > out
	silent_about "0.00" out
'
check 'the thread of a CPU is the one that ran when the kernel announced the bytes' '
	for case in 1500000:100 2500000:200; do
		{ before 500000
		for pid in 100 200; do
			echo "comm ev=dummy:u pid=$pid tid=$pid comm=prog$pid time=20 s_id=11"
			echo "mmap2 ev=dummy:u pid=$pid tid=$pid addr=0x400000 len=0x1000 prot=5 flags=2 filename=\"$(pwd)/prog\" time=11 s_id=11"
			echo "itrace_start ev=intel_pt// pid=$pid tid=$pid time=$((pid * 10000)) cpu=3 s_id=10"
		done
		echo "aux ev=intel_pt// aux_offset=0 aux_size=64 flags=0 time=${case%:*} cpu=3 s_id=10"
		pt_trace $packets | sed "s/tid=100 cpu=-1/tid=-1 cpu=3/"; } | mkdata x.data
		$PERF script --itrace=b -F tid -i x.data > out 2> err
		sort -u out | tr -d " " > threads
		echo ${case#*:} | same - threads
	done
'
