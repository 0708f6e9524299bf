#!/bin/sh
# perf probe -D and -F on programs: the same places and arguments as upstream's; probes of one for the other.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST GCC
prog=inter$$
cat > $prog.c <<-EOF
	#include <stdio.h>
	struct item { int n; char tag[8]; struct item *next; };
	__attribute__((noipa)) int leaf(int a, short b, const char *s) { return a + b + s[0]; }
	__attribute__((noipa)) int leaf_two(struct item *it)
	{
		int twice = it->n * 2;

		if (it->next)
			twice += leaf(it->next->n, 3, it->tag);
		return twice;
	}
	int main(int argc, char **argv)
	{
		struct item b = { 2, "b", 0 }, a = { 1, "a", &b };

		printf("%d\n", leaf_two(&a));
		return 0;
	}
EOF
gcc -g -O0 -o $prog $prog.c
gcc -O1 -o plain-$prog $prog.c
gcc -O1 -no-pie -o fixed-$prog $prog.c

# one DEFINITION FILE: the lines of both, sorted; names of several places as upstream prints them
one() {
	"$NEWEST" probe -x ./$2 -D "$1" 2> theirs.err | sort > theirs
	$PERF probe -q -x ./$2 -D "$1" 2> ours.err | sed -E "s/(_L[0-9]+)_[0-9]+ /\\1 /" | sort > ours
}
agree() {
	nr=0
	while IFS= read -r def; do
		one "$def" "$1"
		test -s ours || { echo "nothing for: $def"; cat ours.err; return 1; }
		same theirs ours || { echo "differs: $def"; return 1; }
		nr=$((nr + 1))
	done
	test $nr -ge "$2"
}
check 'places and raw arguments without debug information' '
	for f in plain-$prog fixed-$prog; do
		agree $f 14 <<-EOF
		leaf
		leaf%return
		leaf+0
		main
		e=leaf
		g:e=leaf_two
		leaf r=%di
		leaf r=%di x=%si:u8
		leaf%return \$retval
		leaf%return r=\$retval:s32
		leaf +0(%dx):string
		leaf -8(%sp):x64
		leaf +8(+16(%di)):u16
		leaf \$comm \$stack \$stack2
		leaf \\5
		EOF
	done
'
check 'variables and lines with debug information' '
	agree $prog 10 <<-EOF
	leaf a
	leaf a b
	leaf x=a:u8
	leaf y=a:x
	leaf_two \$params
	leaf_two it->n
	leaf_two x=it->next->n
	leaf_two:2 it->n
	leaf_two:4 twice
	leaf_two%return r=%ax
	EOF
'
check 'functions of a filter' '
	for f in "leaf*" "main" "*two | main"; do
		"$NEWEST" probe -x ./$prog "--funcs=$f" | sort > theirs
		$PERF probe -x ./$prog "--funcs=$f" > ours
		test -s ours
		same theirs ours
	done
'
check_if ROOT,TRACEFS,UPROBES 'probes of one are listed, recorded and removed by the other' '
	trap "$PERF probe -q -d \"probe_*$prog:*\" 2> /dev/null || true" EXIT
	$PERF probe -q -x ./$prog "leaf a b"
	"$NEWEST" probe -q -x ./$prog "leaf_two n=it->n"
	"$NEWEST" probe -l "probe_$prog:*" > theirs
	$PERF probe -l "probe_$prog:*" > ours
	sed "s/ *(on \([a-z_]*\)[^ ]* / (on \1 /" theirs > theirs.short
	sed "s/ *(on \([a-z_]*\)[^ ]* / (on \1 /" ours | same theirs.short -
	"$NEWEST" record -q -o x.data -e "probe_$prog:*" ./$prog > out
	$PERF script -i x.data -F trace > out
	grep -q "a=2 b=3" out
	grep -q "n=1" out
	"$NEWEST" probe -q -d "probe_$prog:leaf"
	$PERF probe -q -d "probe_$prog:leaf_two"
	$PERF probe -l "probe_$prog:*" > out
	test ! -s out
'
