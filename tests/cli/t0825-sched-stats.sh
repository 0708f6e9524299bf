#!/bin/sh
# perf sched stats: recording and comparing what a kernel counts in /proc/schedstat, from made folders.
. "$(dirname "$0")/lib.sh"

# stat_file VERSION MULTIPLE: a /proc/schedstat with two CPUs of one domain
stat_file() {
	awk -v v="$1" -v m="$2" -f "$SRC/tests/cli/schedstat.awk"
}
mkdir -p root/proc
# record VERSION FILE [OPTION...]: from 10 to 30 times the numbers
record() {
	stat_file "$1" 10 > root/proc/schedstat
	stat_file "$1" 30 > next
	file=$2
	shift 2
	PERF_FS_ROOT=$PWD/root $PERF sched stats record "$@" -o "$file" -- cp next root/proc/schedstat
}
check 'report: means of all CPUs, each CPU, each domain; version 17' '
	record 17 a.data
	$PERF sched stats report -i a.data > out
	expect version17 out
	$PERF sched stats report -i a.data -x, > out
	grep -q "^all,,sched_goidle,120,133.33,$" out
	grep -q "^0,,sched_goidle,80,133.33,$" out
	grep -q "^1,MC,idle_lb_count,480,,41.67$" out'
check 'versions 15 and 16, which differ in the order of idle and busy' '
	record 15 b.data
	$PERF sched stats report -i b.data -x, > out
	grep -q "^0,0,idle_lb_count,20,,1000.00$" out
	grep -q "^0,0,busy_lb_count,180,,111.11$" out
	record 16 c.data
	$PERF sched stats report -i c.data -x, > out
	grep -q "^0,0,busy_lb_count,20,,1000.00$" out
	grep -q "^0,0,busy_lb_imbalance,80,,$" out
	grep -q "^0,0,ttwu_move_balance,720,,$" out'
check 'diff, explanations, JSON, CPUs' '
	stat_file 17 100 > next2
	stat_file 17 10 > root/proc/schedstat
	PERF_FS_ROOT=$PWD/root $PERF sched stats record -o d.data -- cp next2 root/proc/schedstat
	$PERF sched stats diff a.data d.data -x, > out
	grep -q "^0,,yld_count,20,90,350.00,,,,$" out
	$PERF sched stats report -v -i a.data > out
	says "calls of sched_yield()" out
	$PERF sched stats report --json -i a.data > out
	says "{\"cpu\": \"0\", \"domain\": \"\", \"field\": \"sched_goidle\", \"count\": 80, \"percent\": \"133.33\", \"jiffies\": \"\"}" out
	$PERF sched stats report -C 1 -x, -i a.data > out
	grep -q "^all,,yld_count,40,,$" out
	not grep -q "^0,,yld_count" out
	record 17 one.data -C 0
	$PERF sched stats report -x, -i one.data > out
	grep -q "^0,,yld_count" out
	not grep -q "^1,,yld_count" out'
check 'without a file: around a command' '
	stat_file 17 10 > root/proc/schedstat
	PERF_FS_ROOT=$PWD/root $PERF sched stats cp next2 root/proc/schedstat > out
	says "Time elapsed (in jiffies): 90000" out
	grep -q " all *yld_count *135" out'
check 'the kernel counts meanwhile, and no longer than before' '
	mkdir -p root/proc/sys/kernel
	stat_file 17 10 > root/proc/schedstat
	for setting in 0 1; do
		echo $setting > root/proc/sys/kernel/sched_schedstats
		PERF_FS_ROOT=$PWD/root $PERF sched stats record -o e.data \
			cp root/proc/sys/kernel/sched_schedstats meanwhile
		test "$(cat meanwhile)" = 1
		test "$(cat root/proc/sys/kernel/sched_schedstats)" = $setting
	done
	rm -r root/proc/sys'
check 'counters of 32 bits that wrap' '
	printf "version 15\ntimestamp 1\ncpu0 4294967290 0 0 0 0 0 0 0 0\n" > root/proc/schedstat
	printf "version 15\ntimestamp 2\ncpu0 4 0 0 0 0 0 0 0 0\n" > next
	PERF_FS_ROOT=$PWD/root $PERF sched stats -x, -- cp next root/proc/schedstat > out
	grep -q "^0,,yld_count,10,,$" out'
check 'what is not there is one message' '
	PERF_FS_ROOT=$PWD/empty fails_with 1 $PERF sched stats record -- true 2> err
	says "cannot read /proc/schedstat" err
	says "CONFIG_SCHEDSTATS" err
	echo "version 99" > root/proc/schedstat
	PERF_FS_ROOT=$PWD/root fails_with 1 $PERF sched stats record -- true 2> err
	says "unknown version: '\''version 99'\''" err
	printf "event a sample=ip\nsample ip=1\n" | mkdata x.data
	fails_with 1 $PERF sched stats report -i x.data 2> err
	says "has no readings of /proc/schedstat" err
	fails_with 129 $PERF sched stats report nonsense 2> err'
