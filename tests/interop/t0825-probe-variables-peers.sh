#!/bin/sh
# perf probe with debug information beside upstream: the same definitions (-D), lines (-L), variables (-V)
# of one binary. Where they differ on purpose, the reason is in a table below.
. "$(dirname "$0")/../cli/lib.sh"
need GCC PEER61

have_X86() { [ "$(uname -m)" = x86_64 ] || { echo "needs an x86-64 CPU"; return 1; }; }

cat > f.c <<-EOF
	#include <stdio.h>
	struct inner { char tag; int c[4]; struct inner *next; };
	struct outer {
		long l;
		struct inner *ptr;
		struct inner in;
		unsigned short small;
		const char *title;
		union { int number; float real; };
		double d;
	};
	int global_count = 42;
	long global_long = 7;
	static inline __attribute__((always_inline)) int square(int x)
	{
		int y = x * x;
		global_count += y;
		return y;
	}

	__attribute__((noinline)) int work(struct outer *o, int n, const char *text, unsigned char byte)
	{
		int sum = 0;

		for (int i = 0; i < n; i++) {
			int t = square(i);
			sum += t + o->l;
		}
		global_long += sum;
		if (sum > 100)
			sum += square(sum);
		o->in.c[2] = sum;
		printf("%d %s %d\n", sum, text, byte);
		return sum;
	}

	__attribute__((noinline)) long other(long a, long b)
	{
		long c = a * b;

		printf("%ld\n", c);
		return c + a;
	}

	int main(int argc, char **argv)
	{
		struct inner second = { 'z', { 9, 8, 7, 6 }, NULL };
		struct outer o = { 77, &second, { 'q', { 1, 2, 3, 4 }, &second }, 7, "mister", { 5 }, 1.5 };

		return work(&o, argc + 3, argv[0], 200) + other(argc, 3) == 1;
	}
EOF
gcc -g -O0 -o p0 f.c
gcc -g -O2 -o p2 f.c
gcc -g -Og -gdwarf-4 -o pg f.c

# What upstream means by each text is the same, but for:
# - unsigned numbers: upstream shows them in hex (x32), we in decimal (u32), as the program would
# - names of arguments that have a type: upstream makes o_x64 of "o:x64", we keep o
# - $retval: we add the type of the function
# - events of one definition: upstream numbers them when it adds them, we also in -D
plain() {
	sed -e 's/:u\([0-9]\)/:x\1/g' -e 's/_[usx][0-9]*=/=/g' -e 's/_string=/=/g' -e 's/\$retval:[usx][0-9]*/$retval/' \
		-e '/^$/d' -e '/^Target program is compiled without/d' -e '/^Probe on address/d' -e 's,^\(p:[^ ]*\)_[0-9]* ,\1 ,' "$1"
}
# agree PEER BINARY ARGUMENTS: compares output and success, counts
agree() {
	peer=$1 bin=$2
	shift 2
	"$peer" probe -x ./$bin "$@" > theirs 2> theirs.err && status=0 || status=1
	$PERF probe -q -x ./$bin "$@" > ours 2> ours.err && own=0 || own=1
	if [ $status = $own ] && plain theirs > t && plain ours > o && same t o; then
		agreed=$((agreed + 1))
	else
		echo "$bin $*: differs from $peer"
		cat theirs.err ours.err
		false
	fi
}
definitions() {
	agreed=0
	for bin in p0 p2 pg; do
		for d in work "work o n byte" "work text:string" "work o->l" "work o->ptr->c[2]" "work o->in.c[1]" \
				"work o->ptr->next->tag" "work o->small" "work o->number o->real o->d" \
				"work o->title:string" "work text:u64" "work n:s32 byte:u8" "work+4 n" work@f.c \
				"work@f.c n" "other a b" "other+0" "main argc argv" \
				"square" "wor*" "work name=n other=o->l" "myevent=work n" \
				"grp:evt=other a"; do
			agree "$1" $bin -D "$d"
		done
	done
	test $agreed = 69
}
listed() {
	agreed=0
	for bin in p0 p2 pg; do
		for l in work main other f.c work@f.c; do agree "$1" $bin -L $l; done
		for v in work other main work+4 work@f.c; do
			case $bin$v in p2work*|pgwork*) continue ;; esac	# constants: see below
			agree "$1" $bin -V $v
			agree "$1" $bin -V $v --externs
		done
	done
	test $agreed -ge 30
}
check_if X86 'definitions agree with the packaged upstream perf' 'definitions "$PEER"'
check_if X86,NEWEST 'definitions agree with the newest upstream perf' '
	definitions "$NEWEST"
	for bin in p0 p2 pg; do agree "$NEWEST" $bin -D "work%return \$retval"; done
'
check_if X86 'lines and variables agree with the packaged upstream perf' 'listed "$PEER"'
check_if X86,NEWEST 'lines and variables agree with the newest upstream perf' 'listed "$NEWEST"'
# the newest one refuses every range (it prints its usage)
check_if X86 'ranges of lines agree with the packaged upstream perf' '
	agreed=0
	for bin in p0 p2 pg; do
		for l in work:3-7 work:3+2 work:4 main:0-3 other:1 f.c:20-40 f.c:35 f.c:20+5 work@f.c:3-5; do
			agree "$PEER" $bin -L $l
		done
	done
	test $agreed = 27
'

# What is different on purpose: program, arguments, what we print, why
cat > table <<-EOF
	p0|-D|work text|text=+0(-[0-9]*(%bp)):string|a char * is shown as text, not as an address
	p2|-D|work o->title|title=+0(+[0-9]*(%di)):string|a char * is shown as text, not as an address
	p0|-D|work:5|work_L5 |a line with an inlined call: upstream finds the copy and refuses the line
	p0|-D|main *argv|argv=+0(+0(-[0-9]*(%bp))):string|upstream passes *argv on, which no kernel knows
	p0|-D|work global_count|global_count=@+0x[0-9a-f]*:s32|upstream writes @SYMBOL, which uprobes do not know
	p2|-D|work:4|work_L4 |a shared address: upstream refuses the line, although the probe can be there
	p2|-V|work|int	sum|constants have a value, too
	p2|-L|square|^      3 .*global_count|upstream counts lines of callers as lines of the inlined function
	p0|-D|work o->in.c|c=+[0-9]*(-[0-9]*(%bp)):s32.4.|an array is fetched as one; upstream fetches its first bytes
EOF
check_if X86 'what differs from upstream on purpose' '
	while IFS="|" read -r bin what text want why; do
		$PERF probe -q -x ./$bin $what "$text" > out 2> err || { cat err; false; }
		grep -q -e "$want" out || { echo "$bin $what $text: $why"; cat out err; false; }
		"$PEER" probe -x ./$bin $what "$text" > theirs 2>&1 || true
		# a row without a difference has to be removed
		not same out theirs > diff
	done < table
'
