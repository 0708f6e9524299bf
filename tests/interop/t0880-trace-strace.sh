#!/bin/sh
# Text of system calls beside strace: names, flags, strings, structures and results of one run of one program,
# which prints each call by the rules and printers of util/syscall. Where the text differs by intent,
# t0880-trace-strace.txt says why.
. "$(dirname "$0")/../cli/lib.sh"
have_X86_64() {
	[ "$(uname -m)" = x86_64 ] || { echo "the workload makes system calls of x86-64"; return 1; }
}
have_STRACE61() {
	have_STRACE > /dev/null && strace -V | finds "version 6\.1" || { echo "needs strace 6.1"; return 1; }
}
need STRACE61 X86_64
REASONS=$SRC/tests/interop/t0880-trace-strace.txt

# our lines in the words of strace: fields "name=", addresses of sockets, names of signals in sets
as_strace() {
	sed -E '
		s/\{ \./{/g; s/ \}/}/g; s/, \.([a-z_]+): /, \1=/g; s/\{([a-z_]+): /{\1=/g
		s/\{family=AF_UNIX, path: /{sa_family=AF_UNIX, sun_path=/
		s/\{family=AF_INET, port: ([0-9]+), addr: ([0-9.]+)/{sa_family=AF_INET, sin_port=htons(\1), sin_addr=inet_addr("\2")/
		s/\{family=AF_INET6, port: ([0-9]+), addr: ([0-9a-f:]+)/{sa_family=AF_INET6, sin6_port=htons(\1), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "\2", \&sin6_addr), sin6_scope_id=0/
		s/\{family=AF_NETLINK, pid: ([0-9]+), groups: 0x([0-9a-f]+)/{sa_family=AF_NETLINK, nl_pid=\1, nl_groups=0x00000\2/
		s/RLIM_INFINITY/RLIM64_INFINITY/; s/FUTEX_WAKE\|FUTEX_PRIVATE_FLAG/FUTEX_WAKE_PRIVATE/
		s/\[exited with ([0-9]+)\]/[{WIFEXITED(s) \&\& WEXITSTATUS(s) == \1}]/
		s/(sa_flags=[A-Z_|0-9]+), (sa_mask=\[[^]]*\])/\2, \1/g
		:sets
		s/(\[([A-Z0-9_]+ )*)SIG([A-Z0-9_]+[] ])/\1\3/
		t sets' "$1"
}
# lines of strace without its comments, and what it says twice
plain() {
	grep -v -e '^---' -e '^+++' "$1" | sed -E '
		s/\) +=/) =/; s| /\* [^*]* \*/||g; s/\[[0-9]+ => ([0-9]+)\]/[\1]/
		s/ = (0x)?[0-9a-f]+ \((flags )?([A-Z_|]+)\)$/ = \3/'
}
# calls that differ, with both lines
differences() {
	as_strace ours.txt > ours
	awk '/^close\(-77\)/ { on = 1; next } /^close\(-78\)/ { on = 0 } on' strace.txt > between
	plain between > theirs
	test "$(wc -l < ours)" -gt 250
	same "$(wc -l < theirs)" "$(wc -l < ours)" 2> /dev/null || test "$(wc -l < ours)" = "$(wc -l < theirs)"
	paste -d "\n" ours theirs | awk '
		NR % 2 { ours = $0; next }
		{ name = $0; sub(/\(.*/, "", name); calls[name]++ }
		$0 == ours { equal[name]++; next }
		{ print name; print "  ours:   " ours; print "  strace: " $0 }
		END { for (n in equal) nr++; print nr + 0, "calls are equal" > "equal" }' > differences
}
# not in the background, and with the same calls: nothing else runs in this process
strace -o strace.txt -e trace='!process_vm_readv' "$PERF" test -w syscalls ours.txt 2> err ||
	skip_all "strace cannot run the workload: $(tail -n 1 err)"

check 'at least 120 different calls are printed as strace prints them' '
	differences
	read -r nr rest < equal
	test "$nr" -ge 120
'
check 'each other difference has a reason' '
	differences
	test -s differences
	sed -n "s/^\([a-z0-9_]*\):.*/\1/p" "$REASONS" | sort > known
	grep -v "^ " differences | sort -u > names
	comm -13 known names > new
	test ! -s new || { grep -A 2 -w -F -f new differences; exit 1; }
'
check 'each reason has a difference' '
	differences
	sed -n "s/^\([a-z0-9_]*\):.*/\1/p" "$REASONS" | sort > known
	test -s known
	grep -v "^ " differences | sort -u > names
	comm -23 known names > gone
	same /dev/null gone
'
