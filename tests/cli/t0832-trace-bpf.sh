#!/bin/sh
# perf trace by BPF programs: calls are paired in the kernel, and what arguments point to is shown.
. "$(dirname "$0")/lib.sh"

have_CALLS() {
	"$PERF" trace -v -e getppid true 2> calls.log
	! grep -q "without BPF" calls.log || { sed -n 's/.*without BPF: //p' calls.log; return 1; }
}
need ROOT TRACEFS BPF CALLS

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
check 'only calls that are named, that failed or that took long' '
	$PERF trace -o out -e openat sh -c "cat file gone 2> /dev/null" > /dev/null || :
	grep -F "filename: \"file\"" out
	silent_about "read(" out
	$PERF trace -o out --failure sh -c "cat file gone 2> /dev/null" > /dev/null || :
	grep -F "filename: \"gone\"" out
	silent_about "filename: \"file\"" out
	$PERF trace -o out --duration 20 sh -c "sleep 0.05; cat file" > /dev/null
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
'
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
	$PERF trace -o out -a -e clock_nanosleep sh -c "sleep 1000 & echo \$! > late; sleep 0.1" 2> err
	kill $(cat late)
	grep -E "sleep/[0-9]+ clock_nanosleep\(.*\)\.\.\.$" out
'
check 'no program stays behind' '
	$PERF trace -o out true
	$PERF trace -e getppid true 2> err
	silent_about "Error" err
'
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
