#!/bin/sh
# Files with counts in the commands that are not stat: script prints them, report points to stat report.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/data-lib.sh"

# counts ORDER FORMAT: two events (one of them could not be opened) on two CPUs, two rounds
counts() {
	cat <<-END
	order $1
	format $2
	event task-clock config=task-clock sample=identifier read=enabled|running ids=11,12
	event cycles:u type=hardware config=0 sample=identifier read=enabled|running ids=none
	event faults config=page-faults sample=identifier read=enabled|running ids=13
	feature stat
	feature event_desc
	thread_map nr=1 u64:-1 zero:16
	cpu_map u16:0,2,0,5,0,0
	stat_config data=3:0,0:0,1:1,2:1,3:5
	stat id=11 cpu=0 val=100 ena=10 run=9
	stat id=12 cpu=5 val=200 ena=20 run=19
	stat id=13 cpu=5 val=7 ena=20 run=20
	stat_round round_type=0 time=1000
	stat id=11 cpu=0 val=101 ena=11 run=10
	stat_round round_type=0 time=2000
	END
}

check 'script prints the counters of each round, in either byte order, from files and pipes' '
	for order in little big; do
		for format in file pipe; do
			counts $order $format | mkdata x.data
			$PERF script -i x.data > got
			expect counters got
			$PERF script -i - < x.data > got
			expect counters got
		done
	done
'
check 'script -D dumps the records as well' '
	counts little file | mkdata x.data
	$PERF script -D -i x.data > got
	grep -q "PERF_RECORD_STAT_ROUND" got
	grep -q "^  5       -1             200 .* task-clock" got
'
check 'script --header-only prints no counters' '
	$PERF script --header-only -i x.data > got
	grep -q "contains stat data" got
	not grep -q THREAD got
'
check 'report points to stat report, and still dumps' '
	not $PERF report --stdio -i x.data > out 2> err
	grep -q "holds counts, not samples: .perf stat report. shows them" err
	test ! -s out
	$PERF report -D -i x.data | finds "value 101, enabled 11, running 10"
	$PERF report --stats -i x.data | finds "STAT events: *4"
'
check 'counts of CPUs, threads and events that nobody declared are left out and said' '
	{ counts little file; echo "stat id=11 cpu=4 val=99999"; echo "stat id=11 cpu=0 thread=1 val=99999"; echo "stat id=99 cpu=0 val=99999";
		echo "stat_round round_type=1 time=3000"; } | mkdata x.data
	$PERF script -i x.data > got 2> err
	grep -q "3 recorded counts are of an event, CPU or thread" err
	not grep -q 99999 got
'
check 'a CPU map that claims more than the file can hold' '
	counts little file | sed "s/cpu_map.*/cpu_map u16:2,0,0,65535/; s/thread_map.*/thread_map nr=2 u64:5 zero:16 u64:6 zero:16/" | mkdata x.data
	survives $PERF script -i x.data
	grep -q "it is damaged" err
'
