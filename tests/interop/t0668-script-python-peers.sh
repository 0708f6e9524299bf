#!/bin/sh
# perf script --script: functions are given what 6.1 gives them.
. "$(dirname "$0")/../cli/lib.sh"
need PYTHON PEER61

$PEER version --build-options 2> /dev/null | finds "libpython: \[ on" || skip_all "the other perf was built without Python"
mkdir -p "$TMP/home"
cat > dump.py <<'EOF'
import json, sys
from perf_trace_context import *

def known(value):
	if isinstance(value, (bytes, bytearray)):
		return value.hex()
	return repr(value)

# of 6.1: keys that it does not have, or has without a value
new = ('attr', 'iregs', 'uregs', 'map_pgoff', 'dso_map_end', 'sym_srcline', 'id', 'stream_id', 'ins_lat', 'datasrc')

def old(value):
	if isinstance(value, dict):
		return { k: old(v) for k, v in value.items() if k not in new }
	return [old(v) for v in value] if isinstance(value, (list, tuple)) else value

def dump(*values):
	print(json.dumps([old(v) for v in values], default=known, indent=0, sort_keys=True))

# callers are named by the call, not by the address behind it
def process_event(event):
	event['callchain'] = event['callchain'][:1]
	dump(event)

def trace_unhandled(name, context, fields, sample):
	dump(name, fields, common_pc(context), common_flags(context), common_lock_depth(context))

def context_switch(*values):
	dump(*values)
EOF

check_if EVENTS 'samples with call chains' '
	$PERF record -q -F 999 -g -e cpu-clock:u -o s.data $PERF test -w noploop 0.3
	# 6.1 has other names in procedure linkage tables and in the loader
	$PEER script -i s.data -S noploop -s dump.py > theirs
	$PERF script -i s.data -S noploop --no-inline -s dump.py > ours
	test "$(wc -l < ours)" -gt 10
	same theirs ours
'
check_if ROOT,TRACEFS 'tracepoints and switches' '
	$PERF record -q --switch-events -e sched:sched_switch,sched:sched_wakeup,raw_syscalls:sys_enter -o t.data \
		$PERF test -w context_switch_loop 50
	$PEER script -i t.data -s dump.py > theirs
	$PERF script -i t.data -s dump.py > ours
	test "$(wc -l < ours)" -gt 10
	same theirs ours
'
check_if ROOT 'counts of perf stat record: of a command, by CPU, by interval' '
	cat > counts.py <<-END
	def stat__faults_u(*values): print("faults:u", values)
	def stat__cs(*values): print("cs", values)
	def stat__interval(time): print("interval", time)
	END
	for options in "" "-I 20" "-a -A"; do
		# shellcheck disable=SC2086
		$PERF stat record -o s.data $options -e faults:u,cs $PERF test -w context_switch_loop 20 > stat.out 2>&1
		$PEER script -i s.data -s counts.py > theirs
		$PERF script -i s.data -s counts.py > ours
		says interval ours
		same theirs ours
	done
'
