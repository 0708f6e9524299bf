#!/bin/sh
# The exit status of a command that perf runs is passed on by every command of perf that runs one.
. "$(dirname "$0")/lib.sh"

have_SCHEDSTAT() {
	[ -e /proc/schedstat ] || { echo "needs a kernel with CONFIG_SCHEDSTATS"; return 1; }
}

# what it needs, then the command of perf up to the program that it runs
cat > commands <<'X'
ROOT record -e cpu-clock -o x.data
ROOT stat -e task-clock
ROOT top --stdio -e cpu-clock
SCHEDSTAT sched stats
SCHEDSTAT sched stats record -o y.data
TRACEFS trace -o lines
TRACEFS trace -s -o lines
TRACEFS trace record -o x.data
TRACEFS sched record -o x.data
TRACEFS lock contention -ab
BPF,TRACEFS kwork latency -b
X

while read -r right command; do
	TESTED=$command
	check_if ROOT,"$right" "perf $command passes on the status of a program" '
		fails_with 4 $PERF $TESTED -- sh -c "exit 4" > out 2>&1
		fails_with 137 $PERF $TESTED -- sh -c "kill -9 \$\$" > out 2>&1
		$PERF $TESTED -- true > out 2>&1
	'
done < commands

check_if ROOT,TRACEFS 'a program that perf itself ends has no status' '
	$PERF trace --max-events 1 -o lines -- sh -c "exec sleep 1000" 2> err
'

check_if ROOT,TRACEFS 'a program that cannot be executed is 255' '
	fails_with 255 $PERF top --stdio -e cpu-clock -- ./no-such-program 2> err
	fails_with 255 $PERF trace -o lines -- ./no-such-program 2> err
'

check 'why a program cannot be executed, and what to do' '
	printf "#!/no/such/interp -x\n" > no-interp
	printf "exit 0\n" > plain
	chmod +x no-interp
	fails_with 255 $PERF stat -- ./no-interp 2> err
	says "its interpreter /no/such/interp does not exist" err
	fails_with 255 $PERF stat -- ./plain 2> err
	says "chmod +x ./plain" err
	fails_with 255 $PERF stat -- no-interp 2> err
	says "./no-interp" err
	fails_with 255 $PERF stat -- "sleep 1" 2> err
	says "leave out the quotes" err
	fails_with 255 $PERF stat -- ulimit 2> err
	says "is built into the shell" err
'

check_if ROOT,TRACEFS 'a tracefs that another mount covers is not mounted' '
	unshare -m true || skip "no mount namespaces"
	for command in "stat -e sched:sched_switch" "trace" "sched record -o x.data"; do
		not unshare -m sh -c "mount -t tmpfs none /sys/kernel && exec $PERF $command true" 2> err
		says "mount -t tracefs" err
	done
'
