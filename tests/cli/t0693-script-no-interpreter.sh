#!/bin/sh
# perf script NAME: the classic names in list, record, report and live form, where no language has a plug-in.
. "$(dirname "$0")/lib.sh"

have_CALL_EVENTS() {
	for d in /sys/kernel/tracing /sys/kernel/debug/tracing; do
		[ -d $d/events/raw_syscalls ] && return 0
	done
	echo "the kernel has no raw_syscalls events (CONFIG_FTRACE_SYSCALLS)"
	return 1
}
have_PLUGINS() {
	[ -e "$O/lib/perf/libtraceevent.so" ] || { echo "the plug-ins are not built"; return 1; }
}
need ROOT EVENTS TRACEFS CALL_EVENTS PLUGINS

check 'names that everybody knows, where there is no interpreter' '
	mkdir -p alone/lib/perf
	cp "$PERF" alone/perf
	cp "$O/lib/perf/libtraceevent.so" alone/lib/perf
	alone/perf script -l > list
	for name in rwtop rw-by-pid rw-by-file wakeup-latency failed-syscalls failed-syscalls-by-pid net_dropmonitor \
		    netdev-times event_analyzing_sample sctop sched-migration futex-contention syscall-counts \
		    syscall-counts-by-pid; do
		args=
		[ $name != rw-by-file ] || args=cat
		says "  $name" list
		alone/perf script record $name -o alone.data cat /dev/null > out 2> err || { cat err; false; }
		for form in "report $name $args -i alone.data" "$name $args -- cat /dev/null"; do
			alone/perf script $form > out 2> err || { cat err; false; }
			test -s out
		done
	done
	: > none.py
	fails_with 1 alone/perf script -i alone.data -s none.py 2> err
	says "scripts in Python need a library: install" err'
