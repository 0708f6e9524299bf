#!/bin/sh
# Several unwinders on the same recordings of real programs: perf's own, libdw and libunwind agree about at
# least 99.5 % of the frames.
. "$(dirname "$0")/lib.sh"

# What remains different was looked at, and is one of:
# - code without unwind rules (_init and _fini, a page of generated code): perf's own follows the frame
#   pointer where that leads to code, the others guess in their own ways or stop;
# - the last instructions of _Unwind_RaiseException and _Unwind_Resume, which switch to the stack of the
#   handler that catches: the rules do not describe them, and libunwind returns a value that is no code
#   where the others end;
# - libdw alone: it takes rbx for a register that every function may change, so it ends at a frame that is
#   found by rbx, such as that of _dl_runtime_resolve.

cat > throws.cc <<'END'
#include <stdexcept>
#include <string>
#include <vector>
struct guard { std::vector<int> v; guard(int n) : v(n) {} ~guard() { v[0]++; } };
__attribute__((noinline)) int deep(int n, unsigned x)
{
	guard g(n + 1);
	if (!n) {
		for (int i = 0; i < 300; i++)
			x = x * 1664525 + 1013904223;
		if (x & 1)
			throw std::runtime_error("odd " + std::to_string(x));
		return x >> 1;
	}
	return deep(n - 1, x + g.v[0]) + g.v[n];
}
int main()
{
	unsigned sum = 0;
	for (int i = 0; i < 20000; i++) {
		try {
			sum += deep(i % 12, i * 2654435761u + sum);
		} catch (std::exception &e) {
			sum += e.what()[4];
		}
	}
	return sum == 1;
}
END
cat > omit.c <<'END'
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
static volatile unsigned sink;
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
__attribute__((noinline)) static unsigned leaf(unsigned x)
{
	for (int i = 0; i < 20000; i++)
		x = x * 1664525 + i;
	return x;
}
__attribute__((noinline)) static unsigned dynamic(unsigned n)
{
	char *p = alloca(n % 512 + 16);
	memset(p, n, 16);
	return leaf(n) + p[n % 16];
}
__attribute__((noinline)) static unsigned sorts(unsigned n)
{
	int v[256];
	for (int i = 0; i < 256; i++)
		v[i] = (n = n * 1664525 + 7) >> 8;
	qsort(v, 256, sizeof(*v), cmp);
	return v[3];
}
static void handler(int sig) { sink += dynamic(sig); }
static void *thread(void *arg)
{
	for (int i = 0; i < 400; i++) {
		sink += sorts(i) + dynamic(i);
		if (i % 16 == 0)
			raise(SIGUSR1);
	}
	return arg;
}
int main(void)
{
	struct sigaction sa = { .sa_handler = handler };
	pthread_t t[3];
	sigaction(SIGUSR1, &sa, NULL);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	thread(NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
END
# frames that are the same, from the sampled one on, out of the frames of the longer stack. A sample can hit
# one of the few instructions whose rules only some unwinders follow: two such stacks are taken
cat > agree.awk <<'EOF'
FNR == 1 { f++; n = 0 }
/^[^\t]/ && NF { head[f, ++n] = $0 }
/^\t/ { ip[f, n, ++len[f, n]] = $1 }
END {
	for (s = 1; s <= n; s++) {
		a = len[1, s] + 0; b = len[2, s] + 0; m = a > b ? a : b
		for (i = 1; i <= m && ip[1, s, i] == ip[2, s, i]; i++)
			;
		all += m; same += i - 1
		bad += i <= m
		if (i <= m)
			print head[1, s] " | " head[2, s] ": frame " i ": " ip[1, s, i] " " ip[2, s, i]
	}
	printf "%d of %d frames\n", same, all
	exit !(all >= least && (bad <= 2 || same >= 0.995 * all))
}
EOF
styles=libdw
[ ! -e "$O/lib/perf/libunwind.so" ] || styles="$styles libunwind"
# agree LEAST COMMAND...: records it, and compares all unwinders with perf's own on at least so many frames
agree() {
	least=$1
	shift
	$PERF record -q -F 2000 -e cpu-clock:u --call-graph dwarf -o x.data "$@" > log 2>&1
	for style in fast $styles; do
		$PERF script -i x.data --no-inline --unwind-style=$style -F comm,tid,time,stack_end,ip > $style.txt 2> err
	done
	for style in $styles; do
		echo "$style:"
		awk -v least="$least" -f agree.awk fast.txt $style.txt
	done
}

check_if GCC 'a program without frame pointers, with threads, a signal handler, alloca and callbacks' '
	gcc -O2 -fomit-frame-pointer -pthread -o omit omit.c
	agree 10 ./omit
	for style in fast $styles; do	# with the frame of the trampoline, which nobody called
		$PERF script -i x.data --no-inline --unwind-style=$style -F ip,sym > $style.syms
		cmp fast.syms $style.syms
	done'
check_if GCC 'a C++ program that throws' '
	command -v g++ > has || skip "needs g++"
	g++ -O2 -o throws throws.cc
	agree 10 ./throws'
check_if GCC 'a compiler: several processes, shared libraries, PLTs' '
	agree 10 gcc -O2 -c -o omit.o omit.c'
check 'an interpreter' '
	command -v python3 > has || skip "needs python3"
	agree 10 python3 -c "import json, re
for i in range(20): json.loads(json.dumps([{\"a\": j, \"b\": [str(j)] * 5} for j in range(400)]))"'
# as programs of Go have it
check_if GCC 'rules that are only in .debug_frame, compressed in each way, when read and when recorded' '
	printf "%s\n" "volatile unsigned sink;" "__attribute__((noinline)) static unsigned leaf(unsigned n)" "{" \
		"	for (int i = 0; i < 20000; i++)" "		n = n * 1664525 + i;" "	return n;" "}" \
		"__attribute__((noinline)) static unsigned middle(unsigned n) { return leaf(n) + 1; }" \
		"int main(void)" "{" "	for (int i = 0; i < 2000; i++)" "		sink += middle(i);" "	return 0;" "}" > rules.c
	kinds="none zlib zlib-gnu"
	[ ! -e "$O/lib/perf/zstd.so" ] || kinds="$kinds zstd"
	for kind in $kinds; do
		gcc -O2 -g -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables -o rules rules.c \
			-Wl,--compress-debug-sections=$kind || { test $kind = zstd; continue; }
		for style in fast $styles; do
			$PERF record -q -F 2000 -e cpu-clock:u --call-graph dwarf -o x.data ./rules > log 2>&1
			$PERF script -i x.data --unwind-style=$style -F ip,sym > out 2> err
			says leaf out
			# libunwind reads .eh_frame alone
			test $style = libunwind || sed "s/.* //" out | tr "\n" " " | grep "leaf middle main" > has
		done
		$PERF record -q -F 2000 -e cpu-clock:u --call-graph dwarf --unwind-live -o x.data ./rules > log 2>&1
		$PERF script -i x.data -F ip,sym > out 2> err
		sed "s/.* //" out | tr "\n" " " | grep "leaf middle main" > has
	done'
check_if GIT 'git' '
	git init -q repo
	seq 200000 > repo/a
	sed 3d repo/a > repo/b
	agree 1 git -C repo add a b'

printf '%s\n' 'event cpu-clock config=cpu-clock period=1 sample=ip|tid' 'sample tid=1' | mkdata plain.data
check 'report and script take all of them, and the first of a list that can be loaded' '
	for cmd in report script; do
		for style in fast libdw libdw,libunwind libunwind,libdw,fast; do
			$PERF $cmd --unwind-style=$style -i plain.data > out 2> err
			test ! -s err
		done
		for style in nosuch fast,nosuch; do
			fails_with 129 $PERF $cmd --unwind-style=$style -i plain.data 2> err
			says "--unwind-style: '"'"'nosuch'"'"' is not one of fast,libdw,libunwind" err
		done
	done'
check 'one that is not built in is refused in a sentence' '
	mkdir bin
	cp "$PERF" bin/perf
	fails_with 129 bin/perf report --unwind-style=libunwind -i plain.data 2> err
	says "--unwind-style: libunwind: this needs the plug-in '"'"'libunwind'"'"'" err
	bin/perf report --unwind-style=libunwind,fast -i plain.data > out 2> err'
check 'libunwind does not unwind stacks of other machines' '
	test -e "$O/lib/perf/libunwind.so" || skip "built without libunwind"
	printf "%s\n" "feature arch str:\"riscv64\"" "event cpu-clock config=cpu-clock period=1 sample=ip|tid" "sample tid=1" |
		mkdata far.data
	not $PERF report --unwind-style=libunwind -i far.data 2> err
	says "only unwinds stacks of this machine" err
	$PERF report --unwind-style=libdw -i far.data > out'
