#!/bin/sh
# Probes for the duration of a command: what is told while they run, and what a kill leaves.
# The probes that a killed command left are removed by any other that comes next, those of tests, too:
# serial
. "$(dirname "$0")/lib.sh"
need GCC ROOT TRACEFS UPROBES

prog=guard$$
cat > $prog.c <<-EOF
	__attribute__((noipa)) long step(long n) { return n * 2; }
	__attribute__((noipa)) long once(long n) { return n + 2; }
	int main(int argc, char **argv)
	{
		once(1);
		while (argc > 1)
			step(1);
		return 0;
	}
EOF
gcc -O1 -o $prog $prog.c
none_left() { $PERF probe -l "probe_$prog*:*" > left; test ! -s left; }

check 'a probe that occurs too often is told while it runs' '
	$PERF stat -e "probe(step)" ./$prog hot > out 2> err &
	pid=$!
	until_true grep -q "probe_$prog:step occurs [0-9]* times a second" err
	kill $(children $pid)
	wait $pid || true
	none_left
'
check 'probes of a command that was killed with its watch are removed by the next one' '
	$PERF stat -e "probe(-x ./$prog step)" sleep 100 > out 2> err &
	pid=$!
	until_true eval "$PERF probe -l probe_$prog:step | finds step"
	until_true test -s /run/perf-probes/$pid
	until_true eval '"'"'test -n "$(children $pid)"'"'"'
	workload=$(children $pid)
	# the watch has the file open, too
	find /proc/[0-9]*/fd -lname /run/perf-probes/$pid 2> err | cut -d/ -f3 | sort -u > owners
	kill -KILL $(cat owners)
	wait $pid || true
	kill $workload
	test -e /run/perf-probes/$pid
	$PERF probe -l "probe_$prog:step" | finds step
	$PERF stat -e "probe(-x ./$prog once)" true 2> err
	none_left
	test ! -e /run/perf-probes/$pid
'
check 'trace and top take them, too' '
	$PERF trace -e "probe(once n=\$arg1:s64)" ./$prog 2> out
	grep -q "probe_$prog:once(__probe_ip: [0-9a-f]*, n: 1)" out
	none_left
	$PERF trace -e "exit_group,probe(once)" ./$prog 2> out
	grep -q "probe_$prog:once(" out
	says "exit_group(" out
	$PERF top --stdio -d 100ms -e "probe(once)" ./$prog > out 2> err
	says "probe_$prog:once" out
	none_left
'
