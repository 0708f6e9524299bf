#!/bin/sh
# Breakpoints on variables of a program: by name, in a program that is started and in one that runs.
. "$(dirname "$0")/lib.sh"
need GCC EVENTS

cat > p.c <<\END
#include <stdio.h>
volatile long counter;
int main(void) { getchar(); for (int i = 0; i < 500; i++) counter++; return 0; }
END
gcc -O1 -no-pie -o fixed p.c 2> err && gcc -O1 -pie -fPIE -o pie p.c 2>> err || { cat err; exit 1; }
mkfifo in

# a virtual machine can lack debug registers, or take breakpoints and never stop at one
cat > fires.c <<\END
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
volatile long place;
int main(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_BREAKPOINT, .size = sizeof(attr), .bp_type = HW_BREAKPOINT_W,
					.bp_addr = (unsigned long)&place, .bp_len = 8, .exclude_kernel = 1 };
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	long long n = 0;

	place = 1;
	return fd < 0 || read(fd, &n, sizeof(n)) != sizeof(n) || !n;
}
END
gcc -O1 -o fires fires.c && ./fires || skip_all "no hardware breakpoints that fire here"

check 'a program at a fixed address' '
	$PERF record -q -c 1 -o x.data -e mem:./fixed:counter:w:u ./fixed < /dev/null
	n=$($PERF script -i x.data -F event | grep -c mem:./fixed:counter:w)
	test $n -ge 500'
check 'a process that runs' '
	./pie < in & pid=$!
	exec 3> in
	while ! grep -q /pie "/proc/$pid/maps"; do sleep 0.05; done	# the shell is it now
	mkfifo ctl ack
	$PERF record -q -c 1 -o x.data -e mem:pie:counter:w:u -p $pid -D -1 --control fifo:ctl,ack 3>&- &
	exec 4<> ctl 5<> ack
	echo enable >&4
	read -r answer <&5
	test "$answer" = ack
	echo >&3
	exec 3>&-
	wait $!
	n=$($PERF script -i x.data -F event | grep -c mem:pie:counter:w)
	test $n = 500'
check 'what cannot be done is said' '
	rc=0; $PERF record -o y.data -e mem:./pie:counter:w ./pie > out 2>&1 || rc=$?
	test $rc != 0
	grep -q "no address before the program runs: the file is position-independent" out
	rc=0; $PERF record -o y.data -e mem:./fixed:conter:w ./fixed > out 2>&1 || rc=$?
	test $rc != 0
	grep -q "has no symbol .conter." out
	rc=0; $PERF record -o y.data -e mem:8:w,mem:16:w,mem:24:w,mem:32:w,mem:40:w true > out 2>&1 || rc=$?
	test $rc = 0 || grep -q "all hardware breakpoints are in use (x86 has 4" out'
