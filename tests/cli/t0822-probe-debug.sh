#!/bin/sh
# perf probe with debug information: the values that probes record are those that the program has.
. "$(dirname "$0")/lib.sh"
need GCC

prog=dbg$$
cat > $prog.c <<-EOF
	#include <stdio.h>
	struct item { int n; char tag[8]; struct item *next; unsigned low : 3, high : 5; };
	static __attribute__((noipa)) int work(struct item *it, const char *why, int times)
	{
		int sum = it->n * times;

		if (it->next)
			sum += it->next->n;
		return sum + why[0];
	}
	int main(void)
	{
		struct item last = { 7, "last", 0, 1, 2 }, first = { 5, "first", &last, 5, 17 };

		for (int i = 1; i <= 3; i++)
			printf("%d\n", work(&first, "why", i));
		return 0;
	}
EOF
live() { trap '$PERF probe -q -d "probe_$prog*:*" 2> /dev/null || true' EXIT; }

check 'lines, variables and definitions' '
	gcc -g -O1 -o $prog $prog.c
	$PERF probe -x ./$prog -L work > out
	head -n 1 out | finds -x "<work@$PWD/$prog.c:0>"
	grep -q "^      2  	int sum = it->n \* times;" out || grep -q "int sum = it->n" out
	$PERF probe -x ./$prog -V work > out
	printf "Available variables at work\n\t@<work+0>\n\t\tchar*\twhy\n\t\tint\ttimes\n\t\tstruct item*\tit\n" | sed "s/char\*\t/char*\t/" > want
	sed "s/const char/char/" out | same want -
	$PERF probe -x ./$prog -D "work:2 it->n" > out
	grep -q "^p:probe_$prog/work_L2 $PWD/$prog:0x[0-9a-f]* n=+0(%di):s32$" out
	$PERF probe -x ./$prog -D work:0 | finds "^p:probe_$prog/work $PWD/$prog:0x[0-9a-f]*$"
	$PERF probe -x ./$prog -D "work times:x t=times:u8 w=why:u" > out
	grep -q " times=%dx:x32 t=%dx:u8 w=%si:u64$" out
	fails_with 1 $PERF probe -x ./$prog -D "work it->nn" 2> err
	says "nn" err
	fails_with 1 $PERF probe -x ./$prog -D "work *it" 2> err
	says "'"'*it'"' (struct item) cannot be fetched" err
	fails_with 1 $PERF probe -x ./$prog -D "work:99" 2> err
	test -s err
'
check 'static functions of one name: all of them, or that of a file' '
	for i in 3 5; do
		echo "static __attribute__((noipa)) int same(int by$i) { return by$i * $i; }"
		echo "int call$i(int x) { return same(x); }"
	done | split -l 2 --additional-suffix=.c - $prog-
	echo "int call3(int), call5(int); int main(int n, char **v) { return call3(n) + call5(n); }" > $prog-main.c
	gcc -g -O1 -o same $prog-*.c
	nm same | sed -n "s/^0*\([0-9a-f]*\) t same$/0x\1/p" | sort > addresses
	first=$(sed -n 1p addresses) second=$(sed -n 2p addresses) at="$PWD/same"
	$PERF probe -x ./same -D same > out
	printf "p:probe_same/same %s\np:probe_same/same_1 %s\n" "$at:$first" "$at:$second" | same - out
	# what none of them has is searched for in other units once
	fails_with 1 $PERF probe -v -x ./same -D "call* absent" 2> err
	test "$(grep -c "'"'absent' may be in"'" err)" = 1
	$PERF probe -x ./same -D same%return > out
	printf "r:probe_same/same__return %s\nr:probe_same/same__return_1 %s\n" "$at:$first" "$at:$second" |
		same - out
	$PERF probe -x ./same -D "same@$prog-ab.c by5" > out
	grep -qx "p:probe_same/same $at:$second by5=%di:s32" out
	$PERF probe -x ./same -D "same by3" > out 2> err
	grep -qx "p:probe_same/same $at:$first by3=%di:s32" out
	says "1 of 2 places" err
'
check 'many definitions of one command are the same as each alone' '
	for i in $(seq 40); do
		echo "struct type$i { int step(int by$i); };"
		echo "__attribute__((noinline)) int type$i::step(int by$i) { return by$i * 3; }"
		echo "static __attribute__((noinline)) int function$i(int n$i) { type$i t; return t.step(n$i); }"
	done > many.cc
	{
		echo "int main(int n, char **v) { int sum = 0;"
		for i in $(seq 40); do echo "sum += function$i(n);"; done
		echo "return sum; }"
	} >> many.cc
	for cc in "g++ -gdwarf-4 -gz=none" "g++ -gdwarf-5 -gz" "clang++ -gdwarf-5"; do
		command -v "${cc%% *}" > /dev/null || continue
		$cc -O1 -o many many.cc
		set --
		for i in $(seq 40); do
			$PERF probe -x ./many -D "function$i n$i" -D "type$i::step by$i"
			set -- "$@" -D "function$i n$i" -D "type$i::step by$i"
		done > alone
		test "$(wc -l < alone)" = 80
		$PERF probe -f -x ./many "$@" > out
		sed "s/step_[0-9]* /step /" out | same alone -
		fails_with 1 $PERF probe -x ./many "$@" -D function41 2> err
		says "function41" err
	done
'
check 'functions to choose from are found without the version of a name' '
	cat > pick.c <<-EOF
		static int pick_fast(void) { return 1; }
		static int (*choose(void))(void) { return pick_fast; }
		int pick(void) __attribute__((ifunc("choose")));
	EOF
	echo "V1 { global: pick; local: *; };" > pick.map
	gcc -O1 -shared -fPIC -Wl,--version-script=pick.map -o libpick.so pick.c
	fails_with 1 $PERF probe -x ./libpick.so -D pick@@V1 2> err
	says "*pick*" err
	$PERF probe -x ./libpick.so -F --filter "*pick*" > out
	grep -qx pick_fast out
	# by debug information, which does not tell the name of the choice from a function
	gcc -g -O1 -shared -fPIC -o libpick.so pick.c
	fails_with 1 $PERF probe -x ./libpick.so -D pick 2> err
	says "*pick*" err
	$PERF probe -x ./libpick.so -D choose > out
	grep -q "^p:probe_libpick/choose " out
	# with an older version that chooses nothing, as memcpy has in libc
	sed -i "s/int pick(/int newest(/" pick.c
	cat >> pick.c <<-EOF
		int oldest(void) { return 3; }
		__asm__(".symver oldest, pick@V0");
		__asm__(".symver newest, pick@@V1");
	EOF
	echo "V0 { }; V1 { global: pick; local: *; };" > pick.map
	for options in -g -g0; do
		gcc $options -O1 -shared -fPIC -Wl,--version-script=pick.map -o libpick.so pick.c
		for name in pick "pick \$arg1" pick%return; do
			fails_with 1 $PERF probe -x ./libpick.so -D "$name" 2> err
			says "it chooses one when the program starts" err
		done
		$PERF probe -x ./libpick.so -D pick@V0 > out
		grep -q "^p:probe_libpick/pick " out
		# patterns leave out what chooses
		$PERF probe -x ./libpick.so -D "*pick*" > out 2> err
		grep -q "^p:probe_libpick/pick_fast " out
		$PERF probe -x ./libpick.so -D choose | sed "s/.*://" > chooser
		not grep -qF -f chooser out
		says "left out" err
	done
'
check 'a function that shares the code of an equal one is found by its symbol' '
	cat > equal.c <<-EOF
		int __attribute__((noinline)) first(int n) { asm volatile("nop" ::: "memory"); return n * 7; }
		static int __attribute__((noinline)) second(int n) { asm volatile("nop" ::: "memory"); return n * 7; }
		int main(int argc, char **argv) { return first(argc) + second(argc); }
	EOF
	gcc -g -O2 -fipa-icf -o equal equal.c
	for f in first second; do
		$PERF probe -x ./equal -D $f > out
		grep -q "^p:probe_equal/$f " out
		$PERF probe -x ./equal -D "$f n" > out
		grep -q "^p:probe_equal/$f .* n=%di:s32" out
	done
'
check 'source files by any path to them, also those that the compiler was given by a relative one' '
	mkdir -p src/lib elsewhere
	cp $prog.c src/lib/part.c
	gcc -g -O1 -o direct src/lib/part.c
	(cd elsewhere && gcc -g -O1 -o ../upward ../src/lib/part.c)
	for program in direct upward; do
		$PERF probe -x ./$program -D part.c:12 > want
		test -s want
		for path in lib/part.c ./src/lib/part.c "$PWD/src/lib/part.c" src/../src/lib/part.c; do
			$PERF probe -x ./$program -D "$path:12" | same want -
		done
		(cd elsewhere && $PERF probe -x ../$program -D "../src/lib/part.c:12") | same want -
		$PERF probe -x ./$program -D "work@$PWD/src/lib/part.c" > out
		grep -q "^p:probe_$program/work " out
		fails_with 1 $PERF probe -x ./$program -D other/part.c:12 2> err
		# the text is found from any directory
		(cd elsewhere && $PERF probe -x ../$program -L work) > out
		grep -q "^<work@$PWD/.*src/lib/part.c:0>" out
		grep -q "^ *0  .*work" out
	done
'
for options in "-O0" "-O2" "-Og -no-pie"; do
	check_if ROOT,TRACEFS,UPROBES "values of a program compiled with $options" "options='$options'"'
		live
		gcc -g $options -o $prog $prog.c
		$PERF probe -q -x ./$prog "work it->n it->tag next=it->next->n why times it->high %sp \$comm"
		$PERF probe -q -x ./$prog "work%return \$retval:s32"
		$PERF record -q -o x.data -e "probe_$prog:work*" ./$prog > printed
		$PERF script -i x.data -F trace > out
		grep -o "n=.*" out | sed "s/ sp=0x[0-9a-f]*//; s/ arg[0-9]=/ comm=/" > values
		for i in 1 2 3; do printf "n=5 tag=\"first\" next=7 why=\"why\" times=%d high=17 comm=\"%s\"\n" $i $prog; done | same - values
		sed -n "s/.*arg1=\([0-9]*\)$/\1/p" out > values
		same printed values
		$PERF probe -l "probe_$prog:*" > list
		grep -q "(on work[^ ]*@$PWD/$prog.c in $PWD/$prog with n tag" list
		grep -q "(on work%return@$PWD/$prog.c in $PWD/$prog with arg1)" list
	'
done
check_if ROOT,TRACEFS,UPROBES 'a line is listed by its number in the function' '
	live
	gcc -g -O1 -o $prog $prog.c
	$PERF probe -q -x ./$prog work:4
	$PERF probe -l "probe_$prog:*" > out
	grep -q "(on work:4@$PWD/$prog.c in $PWD/$prog)" out
'
check_if ROOT,TRACEFS,UPROBES,NEWEST 'upstream lists and removes our probes, we remove its probes' '
	live
	gcc -g -O1 -o $prog $prog.c
	$PERF probe -q -x ./$prog "work it->n"
	"$NEWEST" probe -l "probe_$prog:*" > out
	grep -q "probe_$prog:work .*work.*with n)" out
	"$NEWEST" probe -q -d "probe_$prog:work"
	"$NEWEST" probe -q -x ./$prog "work times"
	$PERF probe -l "probe_$prog:*" > out
	grep -q "probe_$prog:work .*(on work.* in $PWD/$prog with times)" out
	$PERF probe -q -d "probe_$prog:work"
	$PERF probe -l "probe_$prog:*" > out
	test ! -s out
'
