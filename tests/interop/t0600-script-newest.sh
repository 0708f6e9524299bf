#!/bin/sh
# perf script prints, byte for byte, what the newest upstream prints for the same file.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST EVENTS GCC

cat > w.c << 'EOF'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) long leaf(long n) { volatile long s = 0; for (long i = 0; i < n; i++) s += i * i; return s; }
__attribute__((noinline)) long mid(long n) { return leaf(n) + 1; }
__attribute__((noinline)) long rec(int d, long n) { return d ? rec(d - 1, n) + 1 : mid(n); }
/* touches no memory: a page fault there would be a sample in it */
static inline __attribute__((always_inline)) void inlined(void) { __asm__ volatile("nop"); }
int main(void)
{
	for (int i = 0; i < 30; i++) {
		rec(i % 10, 200000);
		inlined();	/* its code is where rec() returns to */
		free(memset(malloc(1 << 20), 1, 1 << 20));
		if (i % 10 == 0 && !fork())
			_exit(mid(100000) & 1);
	}
	return 0;
}
EOF
gcc -g -O1 -fno-omit-frame-pointer w.c -o w || exit 1

# record ARGS...: x.data
record() {
	rm -f x.data
	"$NEWEST" record -q -o x.data "$@" > /dev/null 2> rec.err || { cat rec.err; return 1; }
}
# alike OURS THEIRS: OURS.chains and THEIRS.chains, without what the manual of script lists as a difference:
# in user space the kernel follows frame pointers wherever they lead. A chain ends at the first value that is
# not an address; upstream shows such values, and drops the chains in which one looks like a context marker.
# Inlined functions of callers are those of the call; upstream looks for them at the return address
alike() {
	# headings of samples without a chain
	awk '/^$/ && heading != "" { print heading } { heading = /: $/ ? $0 : "" }' "$2" > chainless
	for out in "$1" "$2"; do
		awk '
			BEGIN {
				while ((getline line < "chainless") > 0) chainless[line]
				while ((getline line < "begins") > 0) begins[line]
			}
			!/^\t/ { sampled = "" }
			/^\t/ && sampled == "" { sampled = $1 }
			/^\t/ && /[(]inlined[)]$/ && $1 != sampled { next }
			/^\t/ && $1 in begins { $2 = "?" }
			/^\t/ && $1 ~ /^[0-9a-f]+$/ {
				if (length($1) < 4) garbage = 1	# in the first page, which has no code
				else if (length($1) < 15) user = 1
				else if ($1 !~ /^ffff/ || (user && $1 !~ /^ffffffffff600/)) garbage = 1
			}
			/^$/ { user = garbage = 0 }
			!garbage
			$0 in chainless { garbage = 1 }
		' "$out" > "$out.chains"
	done
}
# same ARGS...: the two outputs are the same; status 2 if upstream cannot read the file
same() {
	"$PERF" script -i x.data "$@" > ours 2> ours.err || { cat ours.err; return 1; }
	"$NEWEST" script -i x.data "$@" > theirs 2> theirs.err || { echo "upstream: status $?"; tail -n 5 theirs.err; return 2; }
	beginnings "$NEWEST" x.data > begins
	alike ours theirs
	cmp ours.chains theirs.chains || { diff ours.chains theirs.chains | head -n 20; return 1; }
}

# garbage VALUE: a chain with that value in its middle
garbage() {
	"$MKDATA" -o x.data <<-END
	event cpu-clock type=software config=cpu-clock sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
	comm tid=100 comm="w" time=1
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/nowhere/w" time=2
	sample tid=100 ip=0x1010 time=1000 period=1 chain=-128,0xffffffff81000000,-512,0x1010,$1,0x1020
	sample tid=100 ip=0x1010 time=2000 period=1 chain=-512,0x1010,0x1020
	END
}
check 'call chains differ in what the manual says, and in nothing else' '
	for value in 0x485441505f595241 -1 -10000; do
		garbage $value
		same
		not cmp ours theirs
		test "$(grep -c 1010 ours)" = 2
	done
	garbage 0x1018
	same
	cmp ours theirs
	sed "s/1018/1019/" theirs > other
	alike ours other
	not cmp ours.chains other.chains
'

check 'flat samples, many options' '
	record -e cpu-clock -F 2000 ./w
	for a in "" --ns --reltime --deltatime "--time 10%/2" "--time 0%-50%" "-S leaf" "--dsos w" "-c w" "-F comm,ip" \
			"-F comm,tid,pid,time" "-F ip,sym,dso,dsoff" "-F -symoff" "-F +misc,+pid,+flags" "-F sw:ip" \
			--show-task-events --show-mmap-events; do
		same $a
	done'
check 'call chains' '
	record -e cpu-clock -F 2000 -g ./w
	same
	grep " inlined[+]" theirs
	not grep " inlined[+]" ours
	not grep " inlined[+]" theirs.chains
	same --max-stack 2
	same --stop-bt leaf
	same -F time,ip,sym
	same -G'
check 'several events of different names' '
	record -e cpu-clock/period=200000/,page-faults,context-switches -c 1000 ./w
	same'
check 'page faults with addresses' '
	record -e page-faults -c 1 -d ./w
	same
	same -F comm,addr'
check 'registers and weights' '
	record -e cpu-clock -W -d -P --intr-regs=ax,bx,ip,sp --user-regs=ip,sp ./w
	same -F +iregs,+uregs,+weight,+addr'
check 'switches, namespaces, cgroups' '
	record -e cpu-clock -T --switch-events --namespaces --all-cgroups ./w
	same --show-switch-events
	same --show-namespace-events
	same --show-cgroup-events'
check 'a file without times' '
	record -e cpu-clock --no-timestamp ./w
	same
	record -e cpu-clock --per-thread ./w
	same'
check_if TRACEFS 'tracepoints' '
	record -e "sched:*" ./w
	same
	same -F trace:comm,trace
	# of a busy machine upstream has once not read what it had recorded
	for try in 1 2 3; do
		record -a -e "syscalls:sys_enter_*,irq:*,timer:*,kmem:*,task:*" ./w
		rc=0
		same || rc=$?
		test $rc = 2 || break
	done
	test $rc = 0
	record -g -e sched:sched_switch -e sched:sched_process_fork ./w
	same
	same -F +period'
check 'errors are the same, but for hints' '
	record -e cpu-clock ./w
	for f in addr cpu cgroup weight; do
		"$PERF" script -i x.data -F ip,$f > ours 2> ours.err && exit 1
		"$NEWEST" script -i x.data -F ip,$f > theirs 2> theirs.err && exit 1
		sed -i "s/^Error: //;/^Hint: /d" ours.err
		sed -i "/^Hint: /d" theirs.err
		test -s ours.err
		diff ours.err theirs.err
	done'
check 'any number of threads gives the same bytes' '
	record -a -e cpu-clock,sched:sched_switch -g sleep 0.3
	for j in 1 2 8; do "$PERF" script -i x.data -j $j > out.$j; done
	cmp out.1 out.2
	cmp out.1 out.8
	test -s out.1'
