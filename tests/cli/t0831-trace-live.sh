#!/bin/sh
# perf trace of what runs: a command, processes, the whole system; what the kernel filters; files of its own.
. "$(dirname "$0")/lib.sh"
need ROOT EVENTS TRACEFS

echo hello > hello
mkfifo fifo
check 'the calls of a command and its children, in the order of time' '
	$PERF trace --no-bpf -o out sh -c "cat hello; exit 3" | cat > stdout
	test "$(cat stdout)" = hello
	grep -E "^ *[0-9]+\.[0-9]{3} \( *[0-9.]+ ms\): cat/[0-9]+ openat\(dfd: CWD, filename: 0x.*\) += [0-9]+$" out
	grep -E "cat/[0-9]+ write\(fd: 1.*, count: 6\) += 6$" out
	grep -E "sh/[0-9]+ exit_group\(error_code: 3\) += \?$" out
	# a call has its line when it ends: by ends, nothing goes backwards
	grep -v -e "\.\.\." -e "(   " out | sed -E "s/^ *([0-9.]+) \( *([0-9.]+) ms\).*/\1 \2/" > times
	test "$(wc -l < times)" -gt 20
	awk "{ end = \$1 + \$2; if (end < last - 0.002) exit 1; last = end }" times
	$PERF trace -o out true
	test -s out.old'
check '--tod is the time of the clock on the wall, with BPF programs and without' '
	before=$(date +%s)
	$PERF trace --tod -e exit_group -o with sh -c "exit 0"
	$PERF trace --tod --no-bpf -e exit_group -o without sh -c "exit 0"
	after=$(date +%s)
	for f in with without; do
		t=$(sed -n "s/^\([0-9:]\{8\}\)\.[0-9]\{6\} (.*exit_group(.*/\1/p" $f)
		t=$(date -d "$t" +%s)
		# the day may end in between
		test $(((t - before + 86400) % 86400)) -le $((after - before))
	done'
check 'a device or pipe is written to, not renamed' '
	cat fifo > got &
	$PERF trace -o fifo true
	wait $!
	test -p fifo
	test ! -e fifo.old
	grep "exit_group" got
	ln -s /dev/null sink
	$PERF trace -o sink true
	test -c sink'
check 'names, globs, groups and ! choose calls, in the kernel' '
	$PERF trace --no-bpf -v -e openat,close -o out cat hello > stdout 2> err
	grep -E "id (==|>=) [0-9]+" err
	test "$(grep -c -v -e " openat(" -e " close(" out)" = 0
	has_lines " openat(" out 1
	has_lines " close(" out 1
	$PERF trace -e "!openat,close,exit_group" -o out cat hello > stdout
	silent_about " openat(" out
	silent_about " close(" out
	silent_about " exit_group(" out
	has_lines " read(" out 1
	$PERF trace -e file -o out cat hello > stdout
	has_lines " openat(" out 1
	silent_about " read(" out
	$PERF trace -e "*stat*" -o out stat hello > stdout
	test -s out
	test "$(grep -c -v stat out)" = 0
	fails_with 129 $PERF trace -e opnat true 2> err
	says "opnat" err
	says "openat" err'
check 'tracepoints and calls are mixed; tracepoints alone show no calls' '
	$PERF trace -e close,sched:sched_process_exec -o out cat hello > stdout
	has_lines " close(" out 1
	grep -E "cat/[0-9]+ sched:sched_process_exec\(filename: \"/.*cat\", pid: [0-9]+ \(cat\)" out
	$PERF trace -e sched:sched_process_exec -o out cat hello > stdout
	test "$(wc -l < out)" = 1
	$PERF trace -e sched:sched_process_exec --filter "pid == 1" -o out cat hello > stdout
	test ! -s out
	$PERF trace -e raw_syscalls:sys_enter --filter "id == 231" -o out cat hello > stdout
	has_lines "raw_syscalls:sys_enter(id: 231, " out 1
	test "$(wc -l < out)" = 1
	$PERF trace --no-syscalls -e timer:hrtimer_start -o out sleep 0.01 > stdout
	[ ! -e /sys/kernel/btf/vmlinux ] || grep "mode: HRTIMER_MODE_[A-Z_]*" out
	# those of one call show its arguments and its result as lines of calls do
	$PERF trace -e syscalls:sys_enter_openat,syscalls:sys_exit_openat -o out cat absent 2> stderr > stdout || :
	grep -Eq "sys_enter_openat\(dfd: CWD, filename: 0x[0-9a-f]+, flags: RDONLY\|CLOEXEC\)$" out
	grep -Eq "sys_exit_openat\(ret: [0-9]+\)$" out
	grep -Fq "sys_exit_openat(ret: -1 ENOENT (No such file or directory))" out'
check 'descriptors have the names of their files' '
	dd if=/dev/zero of=/dev/null bs=1 2> err & pid=$!
	until_true eval "ls -l /proc/$pid/fd/0 | finds /dev/zero"
	$PERF trace --no-bpf -p $pid -e read --max-events 50 -o out
	kill $pid
	grep -E "read\(fd: 0</dev/zero>, buf: 0x" out
	# what /proc says is newer than the call: nothing is shown of what was just opened
	$PERF trace -e openat,read,close -o out sh -c "for i in 1 2 3; do cat hello; done" > stdout
	has_lines " openat(.* = [0-9]*$" out 3
	test "$(grep -c " openat(.* = [0-9]*<" out)" = 0'
check 'processes that run: all that they do, until Ctrl-C' '
	sh -c "while :; do echo hello | cat > /dev/null; echo round >> rounds; done" & pid=$!
	$PERF trace -s -p $pid -o out & perf=$!
	until_true has_events $perf
	: > rounds
	until_true has_lines round rounds 3
	kill -INT $perf
	wait $perf
	kill $pid
	says "Summary of events" out
	grep -E "^ cat \([0-9]+\), [0-9]+ events" out
	grep -E "^   write +[0-9]+ +0 " out
	fails_with 1 $PERF trace -p seven 2> err
	test -s err'
check 'the whole system, but not perf itself; a number of lines' '
	$PERF trace -a -e write,openat -o out sh -c "cat hello; sleep 0.3; cat hello" > fifo & perf=$!
	cat fifo > stdout
	wait $perf
	has_lines "cat/[0-9]* write(" out 1
	not grep "^[^:]*): [^ ]*/$perf " out	# others may write lines of a trace
	$PERF trace -a --max-events 5 -o out sh -c "while :; do cat hello; done" > stdout
	test "$(wc -l < out)" = 5'
check 'page faults' '
	$PERF trace -F all --no-syscalls -o out cat hello > stdout
	grep -E "cat/[0-9]+ minfault \[.*\] => .*ld-.*@0x[0-9a-f]+ \([dx]\.\)" out
	silent_about "read(" out'
check 'call chains below calls' '
	$PERF trace --call-graph dwarf -e openat -o out cat hello > stdout
	grep -E "^ {39}[^ ]+ \(/.*\)$" out
	$PERF trace --call-graph fp --kernel-syscall-graph -e openat -o out cat hello > stdout
	grep -E "^ {39}.* \(\[kernel.kallsyms\]\)$" out
	$PERF trace --no-bpf --call-graph fp -e openat -o out cat hello > stdout 2> err
	says "shown as pointers: BPF programs copy them, but not with --no-bpf" err
	grep -E "^ {39}[^ ]+ \(/.*\)$" out
	$PERF trace --call-graph fp --min-stack 200 -e openat -o out cat hello > stdout
	test ! -s out'
check 'summaries by thread and in total; by control group; of errors' '
	$PERF trace -s -o out sh -c "cat hello nothing; true" > stdout 2>&1
	grep -E "^ cat \([0-9]+\), [0-9]+ events, [0-9.]+%$" out
	$PERF trace -s -o out sh -c "exec cat hello" > stdout
	grep -E "^ cat \([0-9]+\), [0-9]+ events, 100.0%$" out
	$PERF trace -s --errno-summary --summary-mode total -o out sh -c "cat hello nothing; true" > stdout 2>&1
	grep -E "^ total, [0-9]+ events$" out
	grep -E "	ENOENT: [0-9]+" out
	$PERF trace -a -s --summary-mode cgroup -e write -o out cat hello | cat > stdout
	grep -E "^ cgroup /" out
	silent_about "cgroup:" out
	$PERF trace -s --sched -o out cat hello > stdout
	grep -E "^ cat .*%, [0-9]+\.[0-9]{3} msec$" out'
check 'an event that counts nanoseconds is one line, and is added up once' '
	$PERF trace -e sched:sched_stat_runtime -o out $PERF test -w context_switch_loop 50 > stdout
	has_lines "runtime: [0-9]" out 1
	sort out | uniq -d > twice
	same /dev/null twice'
check 'a full ring is told, and the remedy' '
	$PERF trace -m 1 -s --no-bpf -o out dd if=/dev/zero of=/dev/null bs=1 count=100000 2> err
	says "events were lost" err
	says "-m 16M" err'
check 'perf trace record makes files that perf trace reads' '
	$PERF trace record -q -o x.data cat hello | cat > stdout
	$PERF trace -i x.data -o out
	grep -E "cat/[0-9]+ write\(fd: 1.*, count: 6\) += 6$" out
	$PERF trace -i x.data -e openat -o out
	test -s out
	test "$(grep -c -v " openat(" out)" = 0'
check 'what cannot be traced is said in one sentence' '
	fails_with 255 $PERF trace -o out /no/such/program 2> err
	says "No such file" err
	fails_with 1 $PERF trace --no-syscalls true 2> err
	says "leaves nothing to trace" err'
check_if NONROOT 'a user without rights is told what is missing' '
	as_nobody $PERF_COPY trace true 2> err && skip "this kernel lets everybody trace"
	says "Error: " err'
check 'a picture of the calls of a command and its children' '
	$PERF trace --no-bpf --timeline live.json -- sh -c "cat hello; sleep 0.01" > stdout 2> err
	test "$(cat stdout)" = hello
	silent_about cat/ err
	grep -q "\"name\": \"cat:[0-9]*\"" live.json
	grep -q "\"name\": \"openat\", \"ph\": \"X\".*\"files\"" live.json
	grep -q "\"name\": \"clock_nanosleep\", \"ph\": \"X\".*\"waiting\"" live.json
	$PERF trace --no-bpf --timeline live.json -- sh -c "exit 0" 2> err
	test -s live.json'
