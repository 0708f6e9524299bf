#!/bin/sh
# script --graph-function: of a trace, what threads do in some functions and what these call.
. "$(dirname "$0")/lib.sh"
need GCC PTGEN

cat > prog.c <<'EOF'
volatile int sum;
__attribute__((noinline)) void leaf(void) { sum++; }
__attribute__((noinline)) void inner(void) { leaf(); sum++; leaf(); }
__attribute__((noinline)) void other(void) { inner(); sum++; }
int main(void) { other(); inner(); leaf(); return 0; }
EOF
gcc -O1 -fno-optimize-sibling-calls -o prog prog.c
$PTGEN -o x.data -- ./prog 2> made

# calls ARGS...: the names of functions that are called or returned from
calls() {
	$PERF script "$@" -i x.data 2> err | awk '{ print $NF }' | tr "\n" " "
}
check 'calls in a function and in what it calls' '
	test "$(calls --call-trace --graph-function=inner)" = "inner leaf leaf inner leaf leaf "
	test "$(calls --call-trace --graph-function=other)" = "other inner leaf leaf "
	test "$(calls --call-trace --graph-function=leaf)" = "leaf leaf leaf leaf leaf "
	test "$(calls --call-trace --graph-function=leaf,other)" = "other inner leaf leaf leaf leaf leaf "
	test "$(calls --call-trace --graph-function=nothing)" = ""
	test "$(calls --call-ret-trace --graph-function=other)" = "other inner leaf leaf leaf leaf inner other "
'
check 'instructions, too: of the call, and of the functions' '
	$PERF script --itrace=i0ns --graph-function=inner -F ip,sym -i x.data | awk "{ print \$2 }" | uniq > out
	printf "%s\n" other inner leaf inner leaf inner main inner leaf inner leaf inner | same - out
	$PERF script --itrace=i0ns --graph-function=inner -F ip,sym -j4 -i x.data > four
	$PERF script --itrace=i0ns --graph-function=inner -F ip,sym -j1 -i x.data | same - four
'
