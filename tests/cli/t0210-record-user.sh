#!/bin/sh
# record -u: the samples of one user
. "$(dirname "$0")/lib.sh"
need EVENTS

# a user that nobody else is
user=$((20000 + $$ % 40000))

have_USER_FILTER() {
	have_NONROOT || return 1
	"$PERF" record -u 0 -e cpu-clock -o probe.data true > /dev/null 2> filter.log
	! grep -q 'need a BPF program' filter.log || { echo "no BPF programs may be loaded here"; return 1; }
}

check_if USER_FILTER 'a process that starts later is recorded, and no other' '
	chmod 755 "$TMP"
	echo "i=0; while [ \$i -lt 100000 ]; do i=\$((i + 1)); done" > "$TMP/busy.sh"
	$PERF record -a -u $user -e cpu-clock -F 5000 -o x.data -- setpriv --reuid $user --clear-groups sh "$TMP/busy.sh" 2> log
	silent_about overriding log
	has_samples x.data 1
	$PERF script -i x.data --show-task-events -F comm,tid,time,event > all
	# samples of other tasks. Between its EXIT record and its last switch the kernel goes on with a task,
	# on a CPU that is sampled: such a sample comes after the end of a task of ours, and script shows it as
	# nameless, :TID
	awk "{ comm = \$1; tid = \$2 }
	     /PERF_RECORD_COMM/ { split(\$NF, named, /[:\/]/); name[named[3]] = named[1]; next }
	     /PERF_RECORD_EXIT/ { split(\$NF, ended, /[():]/); ends[ended[3]] = 1; next }
	     /PERF_RECORD/ || comm == \"sh\" || comm == \"setpriv\" { next }
	     comm == \":\" tid && (tid in ends) && (name[tid] == \"sh\" || name[tid] == \"setpriv\") { next }
	     { print }" all > foreign
	same /dev/null foreign
'

check_if USER_FILTER 'a user without any process is no mistake: nothing is recorded' '
	$PERF record -u $((user + 1)) -e cpu-clock -o y.data -- true 2> log
	$PERF evlist -i y.data | finds cpu-clock
	not has_samples y.data 0
'

check_if ROOT,TRACEFS 'tracepoints follow the processes of the start, and a line says so' '
	$PERF record -u 0 -e sched:sched_switch -o z.data -- true 2> log
	says "cannot be filtered by user: only the user'"'"'s current processes" log
'

check_if NONROOT 'without the right to load programs as well' '
	as_nobody $PERF_COPY record -u $user -e cpu-clock -o /dev/null -- true 2> log
	says "later processes need a BPF program" log
'

check_if ROOT 'root of a user namespace is told so, and not of seccomp' '
	test "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 0 || skip "kernel.perf_event_paranoid allows all"
	unshare -r true || skip "no user namespaces here"
	unshare -r $PERF record -a -e cpu-clock -o /dev/null true 2> log && false
	says "this is a user namespace" log
	silent_about seccomp log
'
