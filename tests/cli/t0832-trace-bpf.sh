#!/bin/sh
# perf trace by BPF programs: calls are paired in the kernel, and what arguments point to is shown.
. "$(dirname "$0")/lib.sh"

have_CALLS() {
	"$PERF" trace -v -e getppid true 2> calls.log
	! grep -q "without BPF" calls.log || { sed -n 's/.*without BPF: //p' calls.log; return 1; }
}
need ROOT TRACEFS BPF CALLS
have_X86_64() {
	[ "$(uname -m)" = x86_64 ] || { echo "the workload makes system calls of x86-64"; return 1; }
}

check 'strings, buffers and structs are shown, of a command and its children' '
	echo hello > file
	$PERF trace -o out sh -c "cat file; cat gone 2> /dev/null; exit 0" > /dev/null
	grep -E "cat/[0-9]+ openat\(dfd: CWD, filename: \"file\", flags: RDONLY\) += 3" out
	grep -E "cat/[0-9]+ openat\(dfd: CWD, filename: \"gone\", flags: RDONLY\) += -1 ENOENT" out
	grep -F "buf: \"hello\\n\"" out
	grep -E "sh/[0-9]+ execve\(filename: \".*/sh\", argv: \[\"sh\", \"-c\", " out
	grep -E "sh/[0-9]+ wait4\(.*stat_addr: \[exited with 0\]" out
	grep -E "exit_group\(.*\) += \?$" out
'
have_PIDNS() {
	unshare -pf --mount-proc true 2> /dev/null || { echo "needs to make pid and mount namespaces"; return 1; }
}
# what perf prints of ids are those of its namespace, and the kernel's own are others
check_if PIDNS 'in a PID namespace, as in a container, the same calls are seen' '
	unshare -pf --mount-proc $PERF trace -e openat,exit_group -o out sh -c "cat /dev/null; exit 0"
	grep -Eq "^.*: cat/[0-9]{1,2} openat\(.*\"/dev/null\"" out
	test "$(grep -c exit_group out)" = 2
	unshare -pf --mount-proc $PERF trace -s --bpf-summary -o out sh -c "cat /dev/null; exit 0"
	grep -Eq "^ *sh \([0-9]{1,2}\)" out
	grep -q "^ *exit_group  *1 " out
'
check 'calls of a cgroup and those below it, and of no other' '
	at=$(sed -n "s/^[^ ]* \([^ ]*\) cgroup2 .*/\1/p" /proc/mounts | head -n 1)
	grep -q " cgroup .*perf_event" /proc/mounts && at=
	[ -n "$at" ] && mkdir -p "$at/perf-test.$$/below" 2> /dev/null || skip "no cgroup of version 2 can be made"
	trap "rc=\$?; rmdir $at/perf-test.$$/below $at/perf-test.$$; tell_failure \$rc" EXIT
	sh -c "echo \$\$ > $at/perf-test.$$/below/cgroup.procs" 2> /dev/null || skip "a task cannot be moved"
	echo hello > file
	echo "echo \$\$ > $at/perf-test.$$/below/cgroup.procs; cat file; echo \$\$ > $at/cgroup.procs" > inside
	$PERF trace -a -G perf-test.$$ -e openat -o out sh -c "sh inside; cat out 2> /dev/null; exit 0" > /dev/null
	grep -E "cat/[0-9]+ openat\(dfd: CWD, filename: \"file\", flags: RDONLY\) += 3" out
	silent_about "\"out\"" out
	$PERF trace -a -G perf-test.$$ -e openat -s -o out sh -c "sh inside; cat out 2> /dev/null; exit 0" > /dev/null
	test "$(grep -c "^ cat ([0-9]*)" out)" = 1
'
check_if X86_64 'structs that perf does not know are printed by the types of the kernel' '
	$PERF trace -o out -e adjtimex,name_to_handle_at,prlimit64 $PERF test -w syscalls texts > /dev/null
	grep -E "adjtimex\(txc_p: \{ .*\.time: \{ \.tv_sec: [0-9]+, \.tv_usec: [0-9]+ \}, .*\.tick: [0-9]+, " out
	grep -E "name_to_handle_at\(.*handle: \{ \.handle_bytes: [0-9]+, \.handle_type: [0-9]+, \.\.\. \}" out
	grep -E "rlim_cur: [0-9]+\*1024" out
	$PERF trace --no-bpf -o out -e adjtimex $PERF test -w syscalls texts > /dev/null 2> err
	grep -E "adjtimex\(txc_p: 0x[0-9a-f]+\)" out'
check_if X86_64 'buffers of vectors and all parts of messages are shown' '
	$PERF trace -o out -e writev,preadv2,sendmsg,recvmsg $PERF test -w syscalls texts > /dev/null
	grep -F "vec: [{ .iov_base: \"hell\", .iov_len: 4 }, { .iov_base: \"worl\\0\", .iov_len: 5 }]" out
	grep -F "preadv2(fd: 3" out | grep -F ".iov_base: \"o, \\\"w\", .iov_len: 5 }]"
	grep -F ".msg_name: { .family: INET, port: 0, addr: 127.0.0.1 }, .msg_namelen: 16, " out
	grep "sendmsg(" out | grep -F ".msg_control: [{ .cmsg_len: 24, .cmsg_level: SOCKET, .cmsg_type: RIGHTS, "
	# what the kernel has filled ends with the result
	grep -F ".msg_iov: [{ .iov_base: \"par\", .iov_len: 3 }, { .iov_base: \"tpart \", .iov_len: 200 }]" out'
check_if X86_64 '--force-btf prints all structs by the types of the kernel' '
	$PERF trace --force-btf -o out -e prlimit64,uname $PERF test -w syscalls texts > /dev/null
	grep -E "rlim_cur: [0-9]+, " out
	silent_about "[0-9]\*1024" out
	grep -E "uname\(.*\.sysname: \"Linux\", \.nodename: " out
	for o in --no-bpf --print-sample; do
		fails_with 1 $PERF trace --force-btf $o true 2> err
		says "force-btf needs BPF programs" err
	done
	fails_with 1 $PERF trace --force-btf -i x.data 2> err
	says "does not apply to a file" err'
# the program of calls is attached last
sees_calls() { grep -qs "tp_name:.*sys_enter" "/proc/$1/fdinfo/"*; }
check 'tasks that --filter-pids leaves out, and those of a user' '
	mkfifo turn
	sh -c "read go; cat file; cat file; exec cat file" < turn > /dev/null & pid=$!
	exec 3> turn
	$PERF trace -p $pid --filter-pids $pid -e openat -o out 2> err & perf=$!
	until_true sees_calls $perf
	echo go >&3
	exec 3>&-
	wait $pid $perf
	silent_about "pointers" err
	test "$(grep -c "filename: \"file\"" out)" = 2
	silent_about "/$pid " out
	sh -c "while :; do cat file; echo round >> rounds; sleep 0.05; done" > /dev/null & loop=$!
	# a whole round, and the end of the one before
	echo ": > rounds; until [ \$(wc -l < rounds) -ge 2 ]; do sleep 0.1; done" > await.sh
	$PERF trace -u $(id -u) -e openat -o out sh await.sh 2> err
	silent_about "pointers" err
	grep -E "cat/[0-9]+ openat\(dfd: CWD, filename: \"file\"" out
	$PERF trace -s -u $(id -u) -o out sh await.sh
	kill $loop
	grep -E "^ cat \([0-9]+\), [0-9]+ events" out
	silent_about "^ perf " out'
check 'a command that $PATH finds is one exec' '
	PATH=/nowhere:$PWD:$PATH $PERF trace -e execve -o out cat file > /dev/null
	grep -E "cat/[0-9]+ execve\(.*cat\", argv: \[\"cat\", \"file\"\].* += 0" out
	test $(wc -l < out) = 1
	# a script without #! still runs, by the shell
	echo "cat file" > script
	chmod +x script
	PATH=$PWD:$PATH $PERF trace -o out script > stdout
	same stdout file'
check_live_if GCC 'strings of an exec that are not in memory when it starts' '
	cat > child.c <<-END
	#include <unistd.h>
	#include <sys/wait.h>
	int main(int argc, char **argv)
	{
		if (!fork()) {
			if (argc > 1)
				execl("./run-script", "zero", "an argument", (char *)0);
			execl("/bin/true", "other name", "an argument", (char *)0);
			_exit(1);
		}
		wait(0);
		return 0;
	}
	END
	gcc -o child child.c
	$PERF trace -e execve -o out ./child
	grep -F "execve(filename: \"/bin/true\", argv: [\"other name\", \"an argument\"], " out
	# a program without an environment, and one with a large one
	env -i $PERF trace -e execve -o out ./child
	grep -F "execve(filename: \"/bin/true\", argv: [\"other name\", \"an argument\"], " out
	env $(seq -f "variable%g=x" 100) $PERF trace -e execve -o out ./child
	grep -F "execve(filename: \"/bin/true\", argv: [\"other name\", \"an argument\"], " out
	# what the kernel makes of a script was not given
	printf "#!/bin/sh -e\nexit 0\n" > run-script
	chmod +x run-script
	$PERF trace -e execve -o out ./child script
	grep -F "execve(filename: \"./run-script\", argv: " out
	silent_about "[\"/bin/sh\"" out'
check_if GCC 'calls that have no name, by number' '
	printf "#include <unistd.h>\n#include <sys/syscall.h>\nint main(void) { syscall(999, 1); syscall(5000, 2); syscall(100000, 3); return 0; }\n" > unknown.c
	gcc -o unknown unknown.c
	$PERF trace -o out ./unknown
	for n in "999(arg0: 0x1" "5000(arg0: 0x2" "100000(arg0: 0x3"; do
		says " syscall_$n, " out
	done'
check 'call chains are below lines with strings' '
	$PERF trace --call-graph dwarf -e openat -o out cat file > /dev/null 2> err
	silent_about "pointers" err
	grep -F -A 1 "filename: \"file\"" out > file.lines
	grep -E "^ {39}[^ ]+ \(/.*\)$" file.lines
	silent_about "bpf_" out'
check 'times begin with the first call, which an exec is' '
	$PERF trace -o out cat file > /dev/null
	# "( 0.100 ms)", "(10.000 ms)"
	tr "(" " " < out | awk "NR == 1 { print \$1, \$2 } NR == 2 { print \$1 }" | paste -s -d " " > times
	read -r start duration next < times
	test "$start" = 0.000
	awk "BEGIN { exit !($next >= $duration) }"'
check 'only calls that are named, that failed or that took long' '
	$PERF trace -o out -e openat sh -c "cat file gone 2> /dev/null" > /dev/null || :
	grep -F "filename: \"file\"" out
	silent_about "read(" out
	$PERF trace -o out --failure sh -c "cat file gone 2> /dev/null" > /dev/null || :
	grep -F "filename: \"gone\"" out
	silent_about "filename: \"file\"" out
	# long enough that no other call takes it on a busy machine
	$PERF trace -o out --duration 1000 sh -c "sleep 1.1; cat file" > /dev/null
	grep -F "nanosleep(" out
	silent_about "openat(" out
'
check 'the number of lines is that of calls without BPF' '
	for how in --bpf --no-bpf; do
		$PERF trace -m 16M $how -o out$how -e read,write dd if=/dev/zero of=/dev/null bs=1 count=2000 2> err
		grep -c " dd/" out$how > nr$how
	done
	same nr--bpf nr--no-bpf
	grep -E "read\(fd: 0.*, buf: \"\\\\0\", count: 1\)" out--bpf
	# an open says what the descriptor is, and a copy of it is the same
	$PERF trace -o out dd if=/dev/zero of=/dev/null bs=1 count=3 2> err
	grep -F "read(fd: 0</dev/zero>, buf: " out
'
check 'a summary counts in both ways the same calls' '
	for how in --bpf --no-bpf; do
		$PERF trace -m 16M -s $how -o sum$how dd if=/dev/zero of=/dev/null bs=1 count=2000 2> err
		awk "\$1 == \"write\" { print \$2, \$3 }" sum$how > nr$how
	done
	test -s nr--bpf
	same nr--bpf nr--no-bpf
	# a call is two events, however they were recorded
	$PERF trace -S -e read -o sum dd if=/dev/zero of=/dev/null bs=1 count=2000 2> err
	events=$(sed -n "s/^ dd ([0-9]*), \([0-9]*\) events.*/\1/p" sum)
	calls=$(awk "\$1 == \"read\" { print \$2 }" sum)
	test "$events" = $((2 * calls))
'
counted() { $PERF trace --bpf-summary -s -o sum "$@" > /dev/null 2> err; }
have_SUMMARY() {
	counted true || { sed -n "s/^Error: //p" err; return 1; }
}
check_if SUMMARY 'calls are counted by BPF programs as by tracepoints' '
	counted dd if=/dev/zero of=/dev/null bs=1 count=2000
	$PERF trace -m 16M -s --no-bpf -o other dd if=/dev/zero of=/dev/null bs=1 count=2000 2> err
	for f in sum other; do
		awk "\$1 ~ /^(write|close|read)\$/ { print \$1, \$2, \$3 }" $f | sort > nr.$f
	done
	test $(wc -l < nr.sum) = 3
	same nr.sum nr.other
	grep "^ dd ([0-9]*), [0-9]* events, 100.0%" sum'
check_if GCC,SUMMARY 'calls that have no name are counted by number' '
	printf "#include <unistd.h>\n#include <sys/syscall.h>\nint main(void) { syscall(1023); syscall(1024); syscall(1024); syscall(-7); return 0; }\n" > odd.c
	gcc -o odd odd.c
	counted ./odd
	for row in "1023 *1" "1024 *2" "-7 *1"; do
		grep -E "syscall_$row " sum
	done'
check_if SUMMARY 'errors, selected calls, groups; the numbers of a row fit together' '
	counted --errno-summary -e openat,close cat file gone || :
	grep "ENOENT: [0-9]" sum
	silent_about "execve" sum
	counted --summary-mode total sh -c "cat file; cat file"
	grep " total, [0-9]* events" sum
	counted --summary-mode cgroup sh -c "cat file"
	grep " cgroup " sum
	$PERF trace --bpf-summary -s --json -o sum cat file > /dev/null
	tr "{" "\n" < sum | grep "\"syscall\": \"openat\"" | tr -d "\",:}]" > row
	awk "{ for (i = 1; i < NF; i++) v[\$i] = \$(i + 1); if (v[\"min\"] > v[\"p50\"] || v[\"p50\"] > v[\"p99\"] || v[\"p99\"] > v[\"max\"] || v[\"max\"] > v[\"total\"]) exit 1 }" row'
check_if SUMMARY 'the calls of lines are counted in the kernel, once' '
	$PERF trace --bpf-summary -S -e read -o sum dd if=/dev/zero of=/dev/null bs=1 count=2000 2> err
	awk "/ read\\(/ { lines++ } \$1 == \"read\" { n = \$2 } /^ dd / { events = \$3 + 0 }
		END { print lines, n, events; exit n < 2000 || lines != n || events != 2 * n }" sum'
check 'what BPF programs cannot count is refused' '
	for o in "" "-s --no-bpf" "-s --failure" "-s -F all" "-s --sched"; do
		fails_with 1 $PERF trace --bpf-summary $o true 2> err
		says "BPF programs count calls" err
	done'
check 'a task that runs already, until it ends, and its children' '
	rm -f out
	sh -c "until [ -e go ]; do sleep 0.05; done; cat file > /dev/null" &
	$PERF trace -o out -p $! 2> err &
	pid=$!
	until_true test -s out
	touch go
	wait $pid
	grep -F "filename: \"file\"" out
	silent_about "Error" err
'
check 'a call that has not returned at the end' '
	$PERF trace -o out -a -e clock_nanosleep sh -c "sleep 1000 & echo \$! > late
		until grep -qx sleep /proc/\$!/comm && grep -q ^State:.S /proc/\$!/status; do sleep 0.1; done; sleep 0.1" 2> err
	kill $(cat late)
	grep -E "sleep/[0-9]+ clock_nanosleep\(.*\)\.\.\.$" out
'
check 'with -C only calls that end on these CPUs' '
	$PERF trace -a -C 0 --show-cpu -o out sh -c "for i in 1 2 3 4 5; do taskset -c 0 true; done" 2> err
	test -s out
	test "$(grep -c -v -F "[000]" out)" = 0
	fails_with 1 $PERF trace --bpf-summary -a -s -C 0 true 2> err
	says "not with -C" err'
check_if SUMMARY 'the whole system: more threads than one command has' '
	seq 900 > list
	$PERF trace -a -s -o sum sh -c "while read -r n; do echo | cat > /dev/null; done < list" 2> err
	awk "/^ cat \\(/ { n++ } END { exit n < 900 }" sum
	awk "\$2 == 0 && \$4 ~ /^[0-9.]+\$/" sum > without_calls
	test ! -s without_calls'
check 'other users of a tracepoint have all of its events' '
	rm -f out
	$PERF trace -o out sh -c "until [ -e end ]; do sleep 0.1; done" &
	pid=$!
	until_true grep -q nanosleep out
	$PERF stat -x, -e sched:sched_process_fork -o forks sh -c "true & true & wait"
	: > end
	wait $pid
	grep "^2,,sched:sched_process_fork" forks'
check 'no program stays behind' '
	$PERF trace -o out true
	$PERF trace -e getppid true 2> err
	silent_about "Error" err
'
have_INT80() {
	$PERF test -w int80 2> /dev/null || { echo "no calls of 32-bit programs by 64-bit ones here"; return 1; }
}
check_if INT80 'calls of 64-bit programs by int 0x80 are those of 32-bit programs' '
	$PERF trace -o out $PERF test -w int80
	grep -F " getpgid()" out
	not grep -F " utime(" out
	$PERF trace -s -o out $PERF test -w int80
	grep -E "^ +getpgid +1 " out
	not grep -F " utime " out'
check 'nobody waits while the kernel lets the program at new tasks go' '
	$PERF trace -v -e getppid true 2> err
	grep "1 tracepoint is closed" err'
check 'a picture of the calls of a command and its children' '
	echo hello > hello
	$PERF trace --timeline live.json -- sh -c "cat hello; sleep 0.01" > stdout 2> err
	test "$(cat stdout)" = hello
	silent_about cat/ err
	grep -q "\"name\": \"cat:[0-9]*\"" live.json
	grep -q "\"name\": \"openat\", \"ph\": \"X\".*\"files\"" live.json
	grep -q "\"name\": \"clock_nanosleep\", \"ph\": \"X\".*\"waiting\"" live.json
	$PERF trace --timeline live.json -- sh -c "exit 0" 2> err
	test -s live.json'
