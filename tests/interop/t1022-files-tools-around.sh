#!/bin/sh
# What people build around perf: stacks collapsed for flame graphs, closed pipes, a recorder that is killed.
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS GCC

cat > w.c << 'END'
__attribute__((noinline)) long leaf(long n) { volatile long s = 0; for (long i = 0; i < n; i++) s += i * i; return s; }
__attribute__((noinline)) long middle(long n) { return leaf(n) + 1; }
int main(int argc, char **argv) { long s = 0; for (int i = 0; i < (argc > 1 ? 100000 : 60); i++) s += middle(300000); return s == 1; }
END
gcc -O1 -fno-omit-frame-pointer w.c -o w || exit 1

check 'stacks of script collapse to one line each' '
	"$PERF" record -g -e cpu-clock:u -F 2000 -o x.data ./w > /dev/null 2>&1
	"$PERF" script -i x.data | awk "
		/^[^ \t].*:[ ]*\$/ || /^ *[^ \t].*cpu-clock/ { comm = \$1; stack = \"\"; next }
		/^[ \t]+[0-9a-f]+ / { sub(/\\+0x.*/, \"\", \$2); stack = stack == \"\" ? \$2 : \$2 \";\" stack; next }
		/^\$/ { if (stack != \"\") n[comm \";\" stack]++ }
		END { for (s in n) print s, n[s] }" > folded
	cat folded
	grep -q "^w;.*main;middle;leaf [0-9]*\$" folded
'
check 'a closed pipe is no error' '
	"$PERF" record -e cpu-clock -F 5000 -o x.data ./w > /dev/null 2>&1
	"$PERF" script -i x.data 2> err | head -n 1 > out
	test $(wc -l < out) = 1
	test ! -s err
	"$PERF" report --stdio -i x.data 2> err | head -n 1 > out
	# notes on files without names belong there: the loader is stripped on some machines
	grep -v " is stripped: " err > complaints || :
	test ! -s complaints
'
check 'killed with SIGKILL: what was flushed is read, here and by others' '
	rm -f k.data
	"$PERF" record -e cpu-clock -F 5000 -m 8 -o k.data ./w forever > /dev/null 2>&1 &
	recorder=$!
	until_true has_samples k.data 200
	kill_recorder $recorder
	"$PERF" script -i k.data -F ip > out 2> err
	wc -l out
	test $(wc -l < out) -gt 100
	"$PERF" report --stdio -i k.data > out 2> err
	grep -q leaf out
'
check_if NEWEST 'killed with SIGKILL: the newest upstream reads it too' '
	rm -f k.data
	"$PERF" record -e cpu-clock -F 5000 -m 8 -o k.data ./w forever > /dev/null 2>&1 &
	recorder=$!
	until_true has_samples k.data 1000
	until_true header_covers k.data "$(stat -c %s k.data)"	# others read no more than that
	kill_recorder $recorder
	"$NEWEST" script -i k.data -F ip > theirs 2> err || true
	test $(wc -l < theirs) -gt 100
'
check 'status and signals of the workload' '
	fails_with 0 "$PERF" record -e cpu-clock -o x.data true > /dev/null 2>&1
	fails_with 7 "$PERF" record -e cpu-clock -o x.data sh -c "exit 7" > /dev/null 2>&1
	test "$(stat -c %a x.data)" = 600
'
check 'the previous file is kept' '
	rm -f x.data x.data.old
	"$PERF" record -e cpu-clock -o x.data true > /dev/null 2>&1
	"$PERF" record -e cpu-clock -o x.data true > /dev/null 2>&1
	test -s x.data.old
'
