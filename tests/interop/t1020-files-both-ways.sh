#!/bin/sh
# Files we write are read by the other perfs, theirs by us, with the same counts and rows.
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS GCC

cat > w.c << 'END'
#include <stdio.h>
__attribute__((noinline)) long leaf(long n) { volatile long s = 0; for (long i = 0; i < n; i++) s += i * i; return s; }
__attribute__((noinline)) long left(long n) { return leaf(n) + 1; }
__attribute__((noinline)) long right(long n) { return leaf(2 * n) + 2; }
int main(void) { long s = 0; for (int i = 0; i < 40; i++) s += left(300000) + right(300000); printf("%ld\n", s); return 0; }
END
gcc -O1 -g -fno-omit-frame-pointer w.c -o w || exit 1

# samples TOOL FILE: the number of samples it counts
samples() {
	"$1" script -f -i "$2" -F ip 2> /dev/null | grep -c '[0-9a-f]'
}
# rows TOOL FILE ARGS...: the table without comments, blanks squeezed
rows() {
	tool=$1 file=$2
	shift 2
	"$tool" report --stdio -f -i "$file" "$@" 2> /dev/null | grep -v '^#' | sed 's/ *$//' | grep -v '^$' | tr -s ' '
}
ours_says() {
	sed -n 's/.*(\([0-9]*\) samples).*/\1/p' "$1"
}

check 'record says how many samples script shows' '
	"$PERF" record -e cpu-clock -F 2000 -o x.data ./w > /dev/null 2> log
	n=$(samples "$PERF" x.data)
	test "$n" -gt 20
	test "$(ours_says log)" = "$n"
'
for peer in PEER61 NEWEST; do
	check_if $peer "ours is read by $peer: same samples, events, processes" '
		tool=$([ -n "${NEWEST-}" ] && [ '$peer' = NEWEST ] && echo "$NEWEST" || echo "$PEER")
		"$PERF" record -e cpu-clock -F 2000 -o x.data ./w > /dev/null 2>&1
		upstream "$tool" script -i x.data -F ip > raw 2> err
		test "$(samples "$PERF" x.data)" = "$(grep -c "[0-9a-f]" raw)"
		"$PERF" evlist -i x.data > ours
		upstream "$tool" evlist -i x.data > theirs
		same theirs ours
		"$PERF" script -i x.data -F comm,tid,time,ip | tr -s " " > ours
		upstream "$tool" script -i x.data -F comm,tid,time,ip > raw 2> err
		tr -s " " < raw > theirs
		same theirs ours
	'
	check_if $peer "theirs ($peer) is read by ours: same rows" '
		tool=$([ -n "${NEWEST-}" ] && [ '$peer' = NEWEST ] && echo "$NEWEST" || echo "$PEER")
		upstream "$tool" record -q -e cpu-clock -F 2000 -o x.data ./w > /dev/null 2>&1
		rows "$PERF" x.data > ours
		rows "$tool" x.data > theirs
		test -s ours
		same theirs ours
		rows "$PERF" x.data -s comm,dso -n > ours
		rows "$tool" x.data -s comm,dso -n > theirs
		same theirs ours
	'
	check_if $peer "through a pipe, both ways ($peer)" '
		tool=$([ -n "${NEWEST-}" ] && [ '$peer' = NEWEST ] && echo "$NEWEST" || echo "$PEER")
		"$PERF" record -e cpu-clock -F 1000 -o - ./w 2> /dev/null > pipe.data
		upstream "$tool" script -i - -F comm,ip < pipe.data > theirs 2> err
		"$PERF" script -i - -F comm,ip < pipe.data > ours
		test $(wc -l < theirs) -gt 10
		same theirs ours
		upstream "$tool" record -q -e cpu-clock -F 1000 -o - ./w 2> /dev/null > pipe.data
		upstream "$tool" script -i - -F comm,ip < pipe.data > theirs 2> err
		"$PERF" script -i - -F comm,ip < pipe.data > ours
		test $(wc -l < theirs) -gt 10
		same theirs ours
	'
done
# Lines of call graphs without the drawing, sorted: which of two branches with equal shares comes first is
# nobody's promise. Upstream marks callers in the kernel as if they were in a program.
branches() {
	sed "s/\[k\]/[.]/;s/[|-]/ /g;s/  */ /g;s/^ //;s/ $//" | sort
}
# without a C library: all of its frames have frame pointers, so that no chain runs into garbage, which
# upstream shows as callers
{ sed '/stdio/d; s/^int main.*/void run(void) { for (int i = 0; i < 40; i++) left(300000) + right(300000); }/' w.c
  printf '%s\n' 'asm(".globl _start\n_start: xor %ebp, %ebp\n call run\n mov $60, %eax\n xor %edi, %edi\n syscall\n");'; } > alone.c
gcc -O1 -g -fno-omit-frame-pointer -nostdlib -static alone.c -o alone 2> /dev/null
check_if NEWEST 'call graphs: same trees' '
	test -x alone || skip "the program is of x86-64"
	"$NEWEST" record -q -g -e cpu-clock -F 2000 -o x.data ./alone > /dev/null 2>&1
	for a in "" --no-inline --no-children -gcaller "-gfolded --no-children" "-gflat --no-children" "-gfractal --no-children" "-G"; do
		rows "$PERF" x.data $a | branches > ours
		rows "$NEWEST" x.data $a | branches > theirs
		test -s theirs
		same theirs ours || { echo "differs with: $a"; exit 1; }
	done
'
check_if NEWEST 'the same lines before the table' '
	"$NEWEST" record -q -e cpu-clock -F 2000 -o x.data ./w > /dev/null 2>&1
	for a in "" --header "--comm w" "--header --comm w"; do
		"$PERF" report --stdio -i x.data $a 2> err | sed -n "s/ *$//; /[0-9]%/q; p" > ours
		"$NEWEST" report --stdio -i x.data $a 2> err | sed -n "s/ *$//; /[0-9]%/q; p" > theirs
		grep -q Overhead theirs
		same theirs ours || { echo "differs with: $a"; exit 1; }
	done
'
check_if NEWEST 'several events: same tables' '
	"$NEWEST" record -q -e cpu-clock/period=200000/,page-faults,context-switches -c 2000 -o x.data ./w > /dev/null 2>&1
	# upstream makes the column as wide as the last name of each task and cuts the earlier perf-exec
	rows "$PERF" x.data | grep -v perf-ex > ours
	rows "$NEWEST" x.data | grep -v perf-ex > theirs
	same theirs ours
'
check_if NEWEST,ROOT,TRACEFS 'system-wide tracepoints: same lines' '
	"$PERF" record -a -e sched:sched_switch -o x.data sleep 0.3 > /dev/null 2>&1
	"$PERF" script -i x.data > ours
	"$NEWEST" script -i x.data > theirs 2> err
	test -s theirs
	same theirs ours
'
