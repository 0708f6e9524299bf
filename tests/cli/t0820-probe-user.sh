#!/bin/sh
# perf probe in programs without debug information: places, names, arguments, adding and removing.
. "$(dirname "$0")/lib.sh"
need GCC

# a name of its own, because probes are machine-wide
prog=prg$$
cat > $prog.c <<-EOF
	#include <stdio.h>
	#include <stdlib.h>
	long counter = 40;
	__attribute__((noinline)) long add(long a, const char *s, long b) { counter++; return a + b + s[0]; }
	__attribute__((noinline)) long add_more(long a) { return a * 3; }
	int main(int argc, char **argv)
	{
		for (long i = 0; i < 3; i++)
			printf("%ld\n", add(i, "text", 10 * i) + add_more(i));
		return 0;
	}
EOF
gcc -O1 -o $prog $prog.c
gcc -O1 -no-pie -o $prog-fixed $prog.c
file=$PWD/$prog
# hex address as linked of a symbol
svma() { nm "${2:-$prog}" | awk -v s="$1" '$3 == s { sub("^0*", "", $1); print $1 }'; }
# the file offset of code of the position-independent program is its address
define() { $PERF probe -x ./$prog -D "$@"; }

check 'functions, offsets, returns and addresses become definitions' '
	a=$(svma add)
	test -n "$a"
	define add > out
	echo "p:probe_$prog/add $file:0x$a" | same - out
	define "add%return \$retval" > out
	echo "r:probe_$prog/add__return $file:0x$a \$retval" | same - out
	define "0x$a" > out
	echo "p:probe_$prog/abs_$a $file:0x$a" | same - out
	define "g:e=add x=%rdi:u32 +0(%si):string" > out
	echo "p:g/e $file:0x$a x=%di:u32 +0(%si):string" | same - out
	define "add*" > out
	test "$(wc -l < out)" = 2
	grep -q "^p:probe_$prog/add_more $file:0x$(svma add_more)$" out
'
check 'the file offset of a program at fixed addresses comes from its headers' '
	$PERF probe -x $prog-fixed -D add > out
	a=$(svma add $prog-fixed)
	echo "p:probe_$prog/add $file-fixed:$(printf "%#x" $((0x$a - 0x400000)))" | same - out
'
check 'options stand before or after a definition, and blanks around it' '
	define add > want
	test -s want
	$PERF probe -D add -x ./$prog > out
	same want out
	$PERF probe --definition "  add  " --exec=$file > out
	same want out
	$PERF probe -D add -x $prog-fixed -x ./$prog > out
	grep -q -e "-fixed:" out
	cd / && $PERF probe -D "add -8(%sp) -u0(%si)" -x "$file" | finds -e "-8(%sp) +u0(%si)$" ||
		$PERF probe -D "add -8(%sp)" -x "$file" | finds -e "-8(%sp)$"
'
check 'links are followed, libraries and programs are found by name' '
	ln -s $prog link
	$PERF probe -x link -D add > out
	define add | same - out
	$PERF probe -x libc.so.6 -D malloc > out
	grep -q "^p:probe_libc/malloc /[^ ]*/libc[.-][^ ]*:0x[0-9a-f]*$" out
	$PERF probe -x libc -D malloc | same out -
	PATH=$PWD:$PATH $PERF probe -x $prog -D add > out
	grep -q " $file:" out
	fails_with 1 $PERF probe -x no-such-file -D add 2> err
	says "is not a file here, a program in \$PATH or a library that the loader knows" err
	fails_with 1 $PERF probe -x /tmp -D add 2> err
	says "is not a regular file" err
'
check 'mistakes are explained before anything is written' '
	fails_with 1 define adder 2> err
	says "has no function '"'adder' (did you mean 'add'"'" err
	fails_with 1 define add+9999 2> err
	says "bytes, so it has no offset 9999" err
	fails_with 1 define "add %zz" 2> err
	says "x86 has no register '"'zz'"' that a probe can read" err
	fails_with 1 define "add \$retval" 2> err
	says "\$retval is only known at the return of a function" err
	fails_with 1 define "add a" 2> err
	says "has no debug information" err
	fails_with 1 define "$prog.c:4" 2> err
	says "needs for source lines" err
	fails_with 1 define "@nothing" 2> err
	fails_with 1 define "add @nothing" 2> err
	says "has no variable or function '"'nothing'"'" err
	fails_with 1 define 0x1 2> err
	fails_with 129 $PERF probe -x ./$prog 2> err
	fails_with 129 $PERF probe -l -d x 2> err
	says "only one of --add" err
'
have_X86() { [ "$(uname -m)" = x86_64 ] || { echo "needs an x86-64 CPU"; return 1; }; }
check_if X86 'a place inside an instruction is refused' '
	step=$(objdump -d --no-show-raw-insn $prog | awk "/<main>:/ { on = 1; next } on && NF { print \$1; if (++n == 9) exit }" | tr -d :)
	for x in $step; do define "main+0x$(printf %x $((0x$x - 0x$(svma main))))" > out; done
	bad=0
	for n in 1 2 3 4 5 6 7 8 9 10 11 12; do define main+$n > out 2> err || { says "is inside an instruction" err; bad=$((bad + 1)); }; done
	test $bad -gt 3
'
check 'a path that the kernel cannot take is refused with a remedy' '
	cp $prog "a b"
	fails_with 1 $PERF probe -x "./a b" -D add 2> err
	says "the kernel cannot probe a file whose path contains '"' '"'" err
'
check 'functions are listed, by filters' '
	$PERF probe -x ./$prog -F > out
	grep -qx main out
	grep -qx add_more out
	not grep -q "^_" out
	not grep -qx counter out
	$PERF probe -x ./$prog -F --filter "add* & !*more | main" > out
	printf "add\nmain\n" | same - out
	$PERF probe -x ./$prog -F "add*" > out
	printf "add\nadd_more\n" | same - out
	fails_with 1 $PERF probe -x ./$prog -F --filter "add &" 2> err
	says "a name or pattern is expected here" err
	$PERF probe -x ./$prog -F none$prog > out 2> err
	same err - <<-EOF
		No function matches '\''none$prog'\''
	EOF
	gcc -s -o bare $prog.c
	fails_with 1 $PERF probe -x ./bare -F 2> err
	says "bare has no symbols of functions" err
	says "the file is stripped" err
'
check 'bytes of names that would drive a terminal are shown as such wherever they stand' '
	printf "int an_eX(int a) { return a; }\nint in_the_tail_of_a_nameX(int a) { return a; }\n" > odd.c
	printf "int plain_name_of_22_bytes(int a) { return a; }\n" >> odd.c
	gcc -shared -fPIC -o odd.so odd.c
	LC_ALL=C sed "s/an_eX/a\x1b[1X/; s/of_a_nameX/of_a_name\x7f/" odd.so > odd-names.so
	$PERF probe -x ./odd-names.so -F > out
	says "a\\x1b[1X" out
	says "in_the_tail_of_a_name\\x7f" out
	says plain_name_of_22_bytes out
	test "$(LC_ALL=C tr -d "\\n -~" < out | wc -c)" = 0
'
check 'probed returns of a file that can throw exceptions are warned of' '
	echo "extern char __gxx_personality_v0[]; char *p = __gxx_personality_v0; int f(int n) { return n; }" > throws.c
	gcc -shared -fPIC -o throws.so throws.c
	$PERF probe -x ./throws.so -D f%return -D e=f%return > out 2> err
	echo "Warning: $PWD/throws.so can throw exceptions: one that leaves a function whose return is probed ends the program" |
		same - err
	$PERF probe -x ./throws.so -D f 2> err
	test ! -s err
	$PERF probe -x ./$prog -D add%return 2> err
	test ! -s err
'
have_GXX() { command -v g++ > /dev/null || { echo "needs g++"; return 1; }; }
check_if GXX 'functions of C++ are found by what people call them' '
	cat > c.cc <<-EOF
	namespace ns { struct A { int n(const char *s) const; }; __attribute__((noinline)) int A::n(const char *s) const { return s[0]; }
	template <class T> __attribute__((noinline)) T add(T a) { return a + 1; } }
	__attribute__((noinline)) int f(int x, char *s) { return x + s[0]; }
	int main(int c, char **v) { ns::A a; return a.n(v[0]) + f(c, v[0]) + ns::add(c); }
	EOF
	g++ -O1 -o cplus c.cc
	a=0x$(svma _ZNK2ns1A1nEPKc cplus)
	for name in ns::A::n A::n "ns::A::n(char const*) const" _ZNK2ns1A1nEPKc "ns::*::n"; do
		$PERF probe -x ./cplus -D "$name" > out
		echo "p:probe_cplus/$(echo "$name" | sed "s/^A.*/A_n/; s/^ns.*/ns_A_n/; s/^_Z.*/ns_A_n/") $PWD/cplus:$a" | same - out
	done
	$PERF probe -x ./cplus -D "f(int, char*) %di" > out
	echo "p:probe_cplus/f $PWD/cplus:0x$(svma _Z1fiPc cplus) di=%di" | same - out
	$PERF probe -x ./cplus -D "A::*" > out
	echo "p:probe_cplus/ns_A_n $PWD/cplus:$a" | same - out
	$PERF probe -x ./cplus -D "ns::*add<*" > out
	echo "p:probe_cplus/ns_add $PWD/cplus:0x$(svma _ZN2ns3addIiEET_S1_ cplus)" | same - out
	g++ -g -O1 -o cplus c.cc
	fails_with 1 $PERF probe -x ./cplus -D B::n 2> err
	says "the nearest name is '"'A::n'"'" err
	fails_with 1 $PERF probe -x ./cplus -D na::A::n 2> err
	says "the nearest name is '"'ns::A::n'"'" err
'

live() { trap '$PERF probe -q -d "probe_$prog:*" 2> /dev/null || true' EXIT; }
check_if ROOT,TRACEFS,UPROBES 'probes are added, listed, recorded with their values, and removed' '
	live
	$PERF probe -x ./$prog "add a=\$arg1 s=+0(\$arg2):string b=%dx:s64 n=@counter:s64" 2> err
	{
		printf "Added new event:\n  %-20s (on add in $file with a=\$arg1 s=+0(\$arg2):string " probe_$prog:add
		printf "b=%%dx:s64 n=@counter:s64)\n\nYou can now use it in all perf tools, such as:\n\n"
		printf "\tperf record -e probe_$prog:add -aR sleep 1\n\n"
	} > want
	same want err
	$PERF probe -x ./$prog "add%return r=\$retval:s64" 2> err
	$PERF probe -l "probe_$prog:*" > out
	{
		printf "  %-20s (on add in $file with a s b n)\n" probe_$prog:add
		printf "  %-20s (on add%%return in $file with r)\n" probe_$prog:add__return
	} | same - out
	$PERF record -q -o x.data -e probe_$prog:add -e probe_$prog:add__return ./$prog > printed
	$PERF script -i x.data -F trace > out
	grep "s=" out | sed "s/.*) //" > values
	printf "a=0x%x s=\"text\" b=%d n=%d\n" 0 0 40 1 10 41 2 20 42 | same - values
	grep "r=" out | sed "s/.*r=//" > values
	printf "%d\n" 116 127 138 | same - values
	$PERF probe -d "probe_$prog:add*" 2> err
	printf "Removed event: probe_%s:add\nRemoved event: probe_%s:add__return\n" $prog $prog | same - err
	$PERF probe -l "probe_$prog:*" > out
	test ! -s out
	fails_with 1 $PERF probe -d "probe_$prog:*" 2> err
	says "no probe matches" err
'
check_if ROOT,TRACEFS,UPROBES 'an event is never replaced, and several are added all or none' '
	live
	$PERF probe -q -x ./$prog add
	fails_with 1 $PERF probe -x ./$prog add 2> err
	says "event '"'probe_$prog:add' already exists: it is on $file"'" err
	fails_with 1 $PERF probe -x ./$prog -a add_more -a "add:" 2> err
	fails_with 1 $PERF probe -x ./$prog -a add_more -a add 2> err
	$PERF probe -l "probe_$prog:*" > out
	test "$(wc -l < out)" = 1
	$PERF probe -f -x ./$prog "add*" 2> err
	$PERF probe -l "probe_$prog:*" > out
	test "$(wc -l < out)" = 3
	says "probe_$prog:add_1" out
	# what only the kernel finds: the second definition is refused, the first one is taken back
	fails_with 1 $PERF probe -x ./$prog -a "one=add" -a "two=add x=%di x=%si" 2> err
	says "the kernel refuses the probe: " err
	says "x=%si" err
	$PERF probe -l "probe_$prog:one" > out
	test ! -s out
'
check_if ROOT,TRACEFS,UPROBES 'with -n nothing changes, with -q nothing is said' '
	live
	$PERF probe -n -x ./$prog add 2> err
	says "Added new event:" err
	$PERF probe -l "probe_$prog:*" > out
	test ! -s out
	$PERF probe -q -x ./$prog add > out 2>&1
	test ! -s out
	$PERF probe -n -d "probe_$prog:add" 2> err
	says "Removed event: probe_$prog:add" err
	$PERF probe -l "probe_$prog:*" > out
	test -s out
'
check_if ROOT,TRACEFS,UPROBES 'a probe that is in use is not removed' '
	live
	$PERF probe -q -x ./$prog add
	$PERF record -q -o busy.data -e probe_$prog:add sleep 60 2> err &
	pid=$!
	until_true test -s busy.data
	fails_with 1 $PERF probe -d "probe_$prog:add" 2> err
	kill_recorder $pid
	says "is in use" err
	$PERF probe -q -d "probe_$prog:add"
'
check_if NONROOT,TRACEFS 'without permission this is said' '
	chmod 755 . "$TMP"
	as_nobody $PERF probe -l > out 2> err && exit 1
	says "no permission to use probe events of " err
	says "run as root" err
'
