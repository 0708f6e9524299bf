#!/bin/sh
# perf script -s: the scripts that 6.1 packages print the same with ours, for the same recordings.
. "$(dirname "$0")/../cli/lib.sh"
need PYTHON PEER61 ROOT TRACEFS

scripts=/usr/lib/perf-core/scripts
test -d "$scripts/python" || skip_all "the other perf came without scripts"
# rows with equal numbers are in the order of the interpreter's hashes
export PYTHONHASHSEED=0 PERL_HASH_SEED=0 PERF_EXEC_PATH=/usr/lib/perf-core

cat > load.py <<'EOF'
import socket, subprocess, threading
for name in ("/etc/passwd", "/nonexistent", "/proc/self/stat"):
	try:
		open(name, "rb").read()
	except OSError:
		pass
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(20):
	s.sendto(b"x", ("127.0.0.1", 9))
def run():
	subprocess.run(["cat", "/etc/passwd"], stdout=subprocess.DEVNULL)
threads = [threading.Thread(target=run) for i in range(3)]
for t in threads:
	t.start()
for t in threads:
	t.join()
EOF

# compare FILE SCRIPT [ARG...]: what both print, but for the advice to install names of system calls
compare() {
	file=$1 script=$scripts/$2
	shift 2
	test -f "$script" || { echo "no $script"; return; }
	$PEER script -i "$file" -s "$script" "$@" > theirs 2> theirs.err
	$PERF script -i "$file" --no-inline -s "$script" "$@" > ours 2> ours.err
	sed '/^Install the audit-libs-python/,/^$/d' theirs > want
	if test -n "$only"; then
		for f in want ours; do grep "^$only" $f > $f.only; done
		same want.only ours.only
	elif test -z "$numbers"; then
		same want ours
	else
		for f in want ours; do awk '/syscall: / { print 1; next } { print NF, $NF }' $f > $f.numbers; done
		same want.numbers ours.numbers
	fi
}
numbers= only=

check 'scripts on system calls: theirs have no names without another package' '
	numbers=1
	$PERF record -q -e "raw_syscalls:*" -o calls.data python3 load.py
	for name in syscall-counts syscall-counts-by-pid failed-syscalls-by-pid powerpc-hcalls; do
		compare calls.data python/$name.py
		compare calls.data python/$name.py python3
	done
	numbers=
	compare calls.data perl/failed-syscalls.pl
'
check 'scripts on reads and writes' '
	$PERF record -q -e syscalls:sys_enter_read,syscalls:sys_exit_read,syscalls:sys_enter_write,syscalls:sys_exit_write \
		-o rw.data python3 load.py
	compare rw.data perl/rw-by-pid.pl
	compare rw.data perl/rw-by-file.pl python3
	compare rw.data python/check-perf-trace.py
'
check 'scripts on locks, switches and memory' '
	$PERF record -q -e syscalls:sys_enter_futex,syscalls:sys_exit_futex -o futex.data python3 load.py
	compare futex.data python/futex-contention.py
	$PERF record -q -e sched:sched_switch,sched:sched_wakeup -o sched.data python3 load.py
	compare sched.data perl/wakeup-latency.pl
	compare sched.data python/check-perf-trace.py
	$PERF record -q -e "compaction:*" -o none.data true
	compare none.data python/compaction-times.py
'
check_if EVENTS 'scripts on samples' '
	$PERF record -q -F 999 -g -e cpu-clock:u -o s.data $PERF test -w noploop 0.2
	# not of the loader: a return address at the start of a function is in the function before, which called
	only="perf-noploop;"
	compare s.data python/stackcollapse.py
	only=
	compare s.data python/mem-phys-addr.py
	compare s.data python/arm-cs-trace-disasm.py
'
check 'scripts on counts' '
	$PERF stat record -I 50 -e task-clock -o st.data $PERF test -w noploop 0.2 > out 2>&1
	compare st.data python/stat-cpi.py
'
