#!/bin/sh
# Numbers and names of system calls and of their flags are those of the installed kernel headers. What a
# header does not have is newer than it.
. "$(dirname "$0")/lib.sh"
need GCC

have_X86_HEADERS() {
	echo "#include <asm/unistd_64.h>" | gcc -E - > /dev/null 2>&1 || { echo "needs kernel headers of x86-64"; return 1; }
}
# the directory of <asm/unistd_64.h>
asm_dir() {
	echo "#include <asm/unistd_64.h>" | gcc -E - | sed -n 's|^# 1 "\(.*\)/asm/unistd_64.h".*|\1|p' | head -n 1
}
numbers=$SRC/util/syscall/numbers.def

check_if X86_HEADERS 'numbers of x86-64, i386 and x32 are those of the kernel headers' '
	dir=$(asm_dir)
	for id in x86_64 i386 x32; do
		"$SRC/config/syscall-numbers.sh" --check "$numbers" "$id=$dir"
	done > wrong
	same /dev/null wrong
'
check_if X86_HEADERS 'a number that differs is found' '
	dir=$(asm_dir)
	sed "s/NR(257, openat)/NR(257, open)/" "$numbers" > other.def
	"$SRC/config/syscall-numbers.sh" --check other.def "x86_64=$dir" > found
	says "number 257 is openat, not open" found
'

# a program that compares each name that is a macro of a kernel header
comparison() {
	for h in fcntl mman prctl sched wait resource fs falloc stat openat2 eventpoll inotify fanotify xattr \
			mempolicy memfd socket in netlink if_ether tcp udp if_packet net capability ptrace \
			personality seccomp landlock time timerfd futex keyctl io_uring random reboot module \
			kexec quota mount magic ipc msg sem membarrier userfaultfd close_range securebits \
			perf_event; do
		printf "#if __has_include(<linux/%s.h>)\n#include <linux/%s.h>\n#endif\n" "$h" "$h"
	done
	printf "#include <asm/signal.h>\n#include <asm/socket.h>\n#include <asm/poll.h>\n"
	echo "int printf(const char *, ...);"
	echo "int main(void) { int nr = 0;"
	cat "$SRC"/util/syscall/names-*.def | awk -F\" '
		/^NAMES\(/ { prefix = $2; next }
		/^N\(/ || /^N_ON\(~ON_[A-W]/ || /^N_ON\(.*ON_X86/ {
			if ($0 ~ /^N_ON\(~ON_X86/)
				next
			name = $2 ~ /^=/ ? substr($2, 2) : prefix $2
			value = $1
			sub(/^N_ON\([^,]*,/, "", value)
			sub(/^N\(/, "", value)
			sub(/, *$/, "", value)
			print "#ifdef " name
			print "nr++; if ((unsigned)(" name ") != (unsigned)(" value "))"
			print "\tprintf(\"%s is %#x\\n\", \"" name "\", (unsigned)(" name "));"
			print "#endif"
		}'
	printf "%s\n" "printf(\"%d names\\n\", nr); return 0; }"
}
check_if X86_HEADERS 'names of flags and numbers are those of the kernel headers' '
	comparison > names.c
	gcc -w -o names names.c
	./names > out
	grep -v " names\$" out > wrong || true
	same /dev/null wrong
	nr=$(sed -n "s/ names\$//p" out)
	test "$nr" -gt 900
'
# "name argument argument..." of the rows, and of the tracepoints: without a leading "_"
of_rows() {
	sed -n "/^SYSCALL(/,\$p" "$SRC/util/syscall/syscalls.def" | tr "\n\t" "  " | sed "s/SYSCALL/\n&/g" |
		sed -n "s/^SYSCALL(\([a-z0-9_]*\),[^,]*,[^,]*\(.*\)) *\$/\1\2/p" |
		sed "s/, *[A-Z_]*([A-Z0-9_]*, \([a-z0-9_]*\)\(, [0-9]\)\{0,1\})/ \1/g; s/ *\$//"
}
of_tracepoints() {
	dir=/sys/kernel/tracing/events/syscalls
	[ -d $dir ] || dir=/sys/kernel/debug/tracing/events/syscalls
	for d in $dir/sys_enter_*; do
		case ${d##*/sys_enter_} in
		newstat | newlstat | newfstat | newuname) name=${d##*/sys_enter_new} ;;
		sendfile64) name=sendfile ;;
		umount) name=umount2 ;;
		*) name=${d##*/sys_enter_} ;;
		esac
		sed -n "/common_/d; /__syscall_nr/d; s/.*field:[^;]*[ *]_*\([a-z0-9_]*\);.*/\1/p" "$d/format" |
			tr "\n" " " | sed "s/^/$name /; s/ *\$//"
		echo
	done
}
have_SYSCALL_TRACEPOINTS() {
	have_TRACEFS > /dev/null && [ "$(uname -m)" = x86_64 ] &&
		[ -e /sys/kernel/tracing/events/syscalls/sys_enter_openat ] ||
		{ echo "needs tracepoints of system calls, on x86-64"; return 1; }
}
check_if SYSCALL_TRACEPOINTS 'arguments are those of the tracepoints of system calls' '
	of_rows | LC_ALL=C sort > rows
	of_tracepoints | LC_ALL=C sort > tracepoints
	test "$(wc -l < tracepoints)" -gt 250
	# a call that is newer than the rows is none of theirs
	cut -d " " -f 1 rows > known
	awk "FNR == NR { known[\$1] = 1; next } \$1 in known" known tracepoints > both
	test "$(wc -l < both)" -gt 250
	LC_ALL=C comm -23 both rows > wrong
	same /dev/null wrong
'
check 'rows of system calls are in the order of their names' '
	sed -n "s/^SYSCALL\(_AS\)\{0,1\}(\([a-z0-9_]*\),.*/\2/p" "$SRC/util/syscall/syscalls.def" > rows
	test "$(wc -l < rows)" -gt 400
	LC_ALL=C sort -u rows > sorted
	same sorted rows
'
