#!/bin/sh
# perf probe: places and variables found by debug information. Definitions of fixtures whose layout the ABI
# fixes, for several compilers, versions of DWARF and machines; and the same values, recorded by probes, that
# the program prints.
. "$(dirname "$0")/lib.sh"
need GCC

have_CLANG() { command -v clang > /dev/null || { echo "needs clang"; return 1; }; }
have_CROSS() {
	command -v clang > /dev/null && command -v ld.lld > /dev/null || { echo "needs clang and lld"; return 1; }
}
have_GXX() { command -v g++ > /dev/null || { echo "needs g++"; return 1; }; }
have_X86() { [ "$(uname -m)" = x86_64 ] || { echo "needs an x86-64 CPU"; return 1; }; }
have_S390() {
	command -v s390x-linux-gnu-gcc > /dev/null ||
		{ echo "needs s390x-linux-gnu-gcc: lld does not link for s390x"; return 1; }
}

# names of their own, because probes are machine-wide
prog=var$$
cat > $prog.c <<-EOF
	#include <stdbool.h>
	#include <stdio.h>
	#include <stdlib.h>
	enum color { RED, GREEN = 5, BLUE = -1 };
	enum size { SMALL = 1, LARGE = 200 };
	struct inner { signed char tag; short c[4]; struct inner *next; };
	struct outer {
		unsigned a : 3, b : 7;
		unsigned long far : 40, top : 11;
		long l;
		struct inner *ptr;
		struct inner in;
		char name[16];
		const char *title;
		union { int number; float real; };
		bool flag;
		enum color col;
		enum size size;
		unsigned short *shorts;
		double real_one;
	};
	int counter = 42;
	static long hidden = -7;
	char global_name[12] = "global";
	struct inner global_in = { 3, { 9, 8, 7, 6 }, &global_in };
	__thread int own = 1;

	static inline __attribute__((always_inline)) int square(int x)
	{
		printf("square: x=%d\n", x);
		return x * x;
	}

	__attribute__((noinline)) long work(struct outer *o, int n, const char *text, unsigned char byte,
					    long long big)
	{
		long sum = 0;

		printf("work: n=%d text=\"%s\" byte=%u big=%lld a=%u b=%u far=%lu top=%u l=%ld tag=%d c1=%d ",
		       n, text, byte, big, o->a, o->b, (unsigned long)o->far, (unsigned)o->top, o->l,
		       o->ptr->tag, o->in.c[1]);
		printf("c2=%d name=\"%s\" title=\"%s\" number=%d flag=%d col=%d size=%u short=%u ",
		       o->ptr->next->c[2], o->name, o->title, o->number, o->flag, o->col, o->size,
		       o->shorts[1]);
		printf("counter=%d hidden=%ld global_name=\"%s\" gtag=%d gc=%d\n", counter, hidden, global_name,
		       global_in.tag, global_in.next->c[3]);
		for (int i = 0; i < n; i++) {
			sum += square(i + 3);
			printf("loop: i=%d sum=%ld\n", i, sum);
			counter++;
		}
		hidden += sum + own;
		return sum - n;
	}

	int main(int argc, char **argv)
	{
		unsigned short shorts[] = { 1, 65000 };
		struct inner second = { 'z', { 9, 8, 7, 6 }, NULL }, first = { 100, { 1 }, &second };
		struct outer o = { 1, 101, 0x8877665544, 2000, -77, &first, { 'q', { 1, 2, 3, 4 }, &second },
				   "bob", "mister", { 5 }, true, BLUE, LARGE, shorts, 1.5 };

		for (int k = 2; k < 4; k++)
			printf("return: %ld\n", work(&o, k, argv[0], 200, -5000000000));
		return 0;
	}
EOF
start=$(grep -n "long work(" $prog.c | cut -d: -f1)
loop=$(grep -n '"loop:' $prog.c | cut -d: -f1)
# gives DEFINITION ARGUMENTS: what follows the places
gives() {
	$PERF probe -x ./$prog -D "$1" > defined
	sed "s/^[^ ]* [^ ]*:0x[0-9a-f]* *//" defined > got
	echo "$2" | same - got
}

# the arguments at the entry of a function are in registers, and members are where the ABI wants them
for options in "gcc -gdwarf-4" "gcc -gdwarf-5" "gcc -gdwarf-2" "gcc -gdwarf-5 -no-pie" "gcc -gdwarf-5 -static" \
		"gcc -gz=zlib" "gcc -gdwarf-4 -fdebug-types-section" "gcc -gsplit-dwarf -gdwarf-5" \
		"gcc -gsplit-dwarf -gdwarf-4" "clang -gdwarf-4" "clang -gdwarf-5" \
		"clang -gsplit-dwarf -gdwarf-5"; do
	needs=X86
	case $options in clang*) needs=X86,CLANG ;; esac
	check_if $needs "definitions of a program compiled by $options" "options='$options'"'
		$options -g -O2 -o $prog $prog.c
		gives "work o n text byte big" "o=%di:x64 n=%si:s32 text=+0(%dx):string byte=%cx:u8 big=%r8:s64"
		gives "work \$params" "o=%di:x64 n=%si:s32 text=+0(%dx):string byte=%cx:u8 big=%r8:s64"
		gives "work o->a o->b o->far o->top" \
			"a=+0(%di):b3@0/8 b=+0(%di):b7@3/16 far=+0(%di):b40@10/64 top=+6(%di):b11@2/16"
		gives "work o->in.c o->ptr->c[1] o->ptr->next->tag o->name" \
			"c=+26(%di):s16[4] c_1=+4(+16(%di)):s16 tag=+0(+16(+16(%di))):s8 name=+48(%di):string"
		gives "work o->title o->title:x64 o->name[1]" \
			"title=+0(+64(%di)):string title_1=+64(%di):x64 name=+49(%di):s8"
		gives "work o->number o->real o->flag o->col o->size" \
			"number=+72(%di):s32 real=+72(%di):x32 flag=+76(%di):u8 col=+80(%di):s32 size=+84(%di):u32"
		gives "work o->shorts[1] *o->shorts o->real_one &o->ptr->tag" \
			"shorts=+2(+88(%di)):u16 shorts_1=+0(+88(%di)):u16 real_one=+96(%di):x64 tag=+16(%di):x64"
		gives "work%return \$retval r=\$retval" "\$retval:s64 r=\$retval:s64"
	'
done
check_if X86 'types that users choose' '
	gcc -g -O2 -o $prog $prog.c
	gives "work o:u64 n:x8 byte:s16 text:x64 text:ustring o->shorts:u16[2] o->in.c:[2]" \
		"o=%di:u64 n=%si:x8 byte=%cx:s16 text=%dx:x64 text_1=+0(%dx):ustring shorts=+0(+88(%di)):u16[2] c=+26(%di):s16[2]"
	gives "main argv[0] first=*argv all=argv argc" \
		"argv=+0(+0(%si)):string first=+0(+0(%si)):string all=%si:x64 argc=%di:s32"
'
check_if X86 'globals are found by their distance from the probe in the file' '
	symbol() { nm $prog | awk -v s="$1" "\$3 == s { print \"0x\" \$1 }"; }
	gcc -g -O2 -o $prog $prog.c
	# of a position-independent program, text lies in the file at its address
	gives "work counter global_in.c[3] global_in.next->c[3]" "$(printf \
		"counter=@+%#x:s32 c=@+%#x:s16 c_1=+8(@+%#x):s16" $(($(symbol counter))) \
		$(($(symbol global_in) + 8)) $(($(symbol global_in) + 16)))"
	gcc -g -O2 -no-pie -o $prog $prog.c
	gives "work counter" "$(printf "counter=@+%#x:s32" $(($(symbol counter) - 0x400000)))"
'
check_if X86 'places: functions, inlined copies, lines, patterns, files' '
	gcc -g -O0 -o $prog $prog.c
	places() { $PERF probe -x ./$prog -D "$1" > out 2> err; sed "s/.*:0x/0x/; s/ .*//" out; }
	entry=$(places work)
	test "$(places work@$prog.c)" = "$entry"
	test "$(places "wor*")" = "$entry"
	test $(($(places "work+4"))) = $((entry + 4))
	# after the prologue, where the parameters are stored
	test $(($(places "work n"))) -gt $((entry))
	test "$(places square | wc -l)" = 1
	line=$(places "$prog.c:$loop")
	test -n "$line"
	test "$(places "work:$((loop - start))")" = "$line"
	test "$(places "work;printf*loop:")" = "$line"
	test "$(places "work;loop:")" = "$line"
	test "$(places "work;printf(*,i,sum)")" = "$line"
	test "$(places "work;printf(*,\\ i,\\ sum)")" = "$line"
	test "$(places "square;return x")" != "$line"
	$PERF probe -x ./$prog -D "work:$((loop - start)) i sum o->in.tag" > out
	test "$(wc -l < out)" = "$(echo "$line" | wc -l)"
	fails_with 1 $PERF probe -x ./$prog --no-inlines -D square 2> err
	says "no-inlines" err
'
check 'mistakes name what is wrong and what is there' '
	gcc -g -O2 -o $prog $prog.c
	refused() {
		fails_with 1 $PERF probe -x ./$prog -D "$1" > out 2> err
		shift
		for t; do says "$t" err; done
	}
	q="'"'"'"
	refused "work o->nothing" "${q}o$q (struct outer) has no member ${q}nothing$q" "its members are: unsigned int a"
	refused "work o.l" "${q}o$q is a pointer (struct outer*): $q.l$q does not apply" "write ${q}o->l$q"
	refused "work n->l" "${q}n$q is not a pointer (it is int)"
	refused "work o->in->tag" "write ${q}o->in.tag$q"
	refused "work o->in.c[4]" "has no element [4]" "its last element is o->in.c[3]"
	refused "work o->in" "cannot be fetched as a whole" "name one of its members: signed char tag"
	refused "work &o->in" "the address of ${q}o->in$q has to be computed"
	refused "work nothing" "there is no variable ${q}nothing$q at work" "perf probe -V work"
	refused "work own" "thread-local"
	refused "work \$retval" "only known"
	refused "work%return n" "variables are gone where a function returns"
	refused "work:4 n" "work:4 has no code" "the next line that has code is work:5"
	refused "work:9999 n" "has no code" "the last line that has code is work:"
	refused "wrok n" "the nearest name is ${q}work$q"
	refused "printf" "${q}printf$q is a function of a library that this file uses: name the library by -x"
	refused "work@other.c n" "there is a function ${q}work$q in"
	refused "other.c:3" "source file ${q}other.c$q was not found"
	refused "square%return" "it has no return"
	refused "work;nosuchtext" "no line matches"
'
check_if GXX,X86 'a std::string is fetched as its text' '
	cat > text.cc <<-END
		#include <string>
		struct named { long id; std::string name; };
		__attribute__((noipa)) int work(const std::string &s, named *n) { return s.size() + n->name.size(); }
		int main() { named n{1, "x"}; return work("y", &n); }
	END
	g++ -O2 -g -o text text.cc
	$PERF probe -x ./text -D "work s n->name" -D "w=work n->name:string" > out
	grep -q "^p:probe_text/work [^ ]* s=+0(+0(%di)):string name=+0(+8(%si)):string\$" out
	grep -q " name=+0(+8(%si)):string\$" out
'
check_if X86 'arrays of several dimensions, of texts and of pointers, and strings of registers' '
	cat > arrays.c <<-END
		struct item { char name[16]; char names[3][8]; const char *ps[3]; short v[2][3][4]; int low:3; };
		__attribute__((noipa)) int work(struct item *it, char **argv)
		{
			return it->name[0] + argv[0][0] + it->v[0][0][0];
		}
		int main(int argc, char **argv) { return work((struct item[1]){ 0 }, argv); }
	END
	gcc -O2 -g -o arrays arrays.c
	fetches() { $PERF probe -x ./arrays -D "work x=$1" 2> err | finds " x=$2\$" || { echo "$1"; exit 1; }; }
	fetches "it->names[1]" "+24(%di):string"
	fetches "it->names[1][2]" "+26(%di):s8"
	fetches "it->v[1][2][3]" "+110(%di):s16"
	fetches "it->v[1][2]" "+104(%di):s16\\[4\\]"
	fetches "it->v[1]" "+88(%di):s16\\[12\\]"
	fetches "it->ps:string[3]" "+40(%di):string\\[3\\]"
	fetches "argv:string[2]" "+0(%si):string\\[2\\]"
	fetches "\$arg1:string" "+0(%di):string"
	fetches "%si:string" "+0(%si):string"
	fetches "it->low" "+112(%di):b3@0/8"
	says "shows without its sign: 7 is -1" err
	for a in "it->names[3]" "it->v[1][3]" "it->names[1][8]"; do
		fails_with 1 $PERF probe -x ./arrays -D "work $a" 2> err
		says "has no element" err
	done
	fails_with 1 $PERF probe -x ./arrays -D "work it->name:string[4]" 2> err
	says "the text is '"'it->name:string', its first 4 bytes are 'it->name:u8[4]'"'" err
	for a in "it->names" "it->names:string[3]"; do
		fails_with 1 $PERF probe -x ./arrays -D "work $a" 2> err
		says "name one of its elements" err
	done
'
check 'lines after the last one with code, and copies that begin outside of their ranges' '
	cat > one.c <<-EOF
		#include <stdlib.h>
		static __attribute__((noinline)) int helper(int a) { return a * 3; }
		static inline int small(int b) { int c = b + 1; return c * 2; }
		int work(int n)
		{
			int s = 0;
			for (int i = 0; i < n; i++)
				s += helper(i) + small(i);
			return s;
		}
		int main(int c, char **v) { return work(c > 1 ? atoi(v[1]) : 10) & 1; }
	EOF
	gcc -g -O2 -o one one.c
	$PERF probe -x ./one -D "helper:0" > out
	fails_with 1 $PERF probe -x ./one -D "helper:1" 2> err
	says "the last line that has code is helper:0" err
	# the variables of small, not those of work, into which it was inlined
	$PERF probe -x ./one -V small > vars
	fails_with 1 grep -q "int	[ins]$" vars
	if ! $PERF probe -x ./one -D "small b" > out 2> err; then
		says "is not available at small: it was optimised out" err
	fi
'
check_if X86 'units whose .dwo file is absent are told, and their lines are still found' '
	gcc -g -O2 -gsplit-dwarf -c $prog.c
	gcc -o $prog $prog.o
	$PERF probe -x ./$prog -D "work n" > out
	rm -f *.dwo
	fails_with 1 $PERF probe -x ./$prog -D "work n" 2> err
	says "units are split from it (-gsplit-dwarf), and neither their files nor a package" err
	says "$prog.dwp has them: $prog.dwo" err
	silent_about "nearest name" err
	$PERF probe -x ./$prog -D $prog.c:$loop > out
	test -s out
'
have_DWP() { command -v dwp > found || { echo 'no dwp'; return 1; }; }
check_if X86,DWP 'units in a package (.dwp) are as those in .dwo files' '
	gcc -gdwarf-4 -O2 -gsplit-dwarf -c $prog.c
	gcc -o $prog $prog.o
	$PERF probe -x ./$prog -D "work n o->in.tag" > want
	$PERF probe -x ./$prog -V work >> want
	dwp -e $prog -o $prog.dwp
	rm -f *.dwo
	$PERF probe -x ./$prog -D "work n o->in.tag" > got
	$PERF probe -x ./$prog -V work >> got
	rm $prog.dwp
	same want got
'
check_if X86 'an inlined copy is listed by its own start, also where its line is before that of the function' '
	gcc -g -O2 -o $prog $prog.c
	mkdir -p fake/sys/kernel/tracing/events
	: > fake/sys/kernel/tracing/kprobe_events
	$PERF probe -x ./$prog -D "sq=square" > fake/sys/kernel/tracing/uprobe_events
	PERF_FS_ROOT="$PWD/fake" $PERF probe -l > out
	grep -q "on square\(:[0-9]*\)\{0,1\}@$PWD/$prog.c in $PWD/$prog)" out
'
check_if GXX 'C++: members, references, base classes, overloads, templates, unnamed namespaces' '
	cat > c.cc <<-EOF
	namespace ns {
	struct Base { int id; };
	template <typename T> struct Box : Base {
		T value;
		__attribute__((noinline)) T add(T other) const { return value + other; }
	};
	class Widget {
	public:
		__attribute__((noinline)) int resize(int by, const Widget &other);
		__attribute__((noinline)) int resize(char by);
		const char *name_; int size_;
	};
	int Widget::resize(int by, const Widget &other) { size_ += by + other.size_; return size_; }
	int Widget::resize(char by) { size_ += by; return size_; }
	}
	namespace { __attribute__((noinline)) int secret(int k) { return k * 3; } }
	int main(int argc, char **argv)
	{
		ns::Widget w = { "alpha", 10 };
		ns::Box<long> b; b.id = 5; b.value = argc;
		return w.resize(argc, w) + w.resize((char)argc) + b.add(4) + secret(argc);
	}
	EOF
	g++ -g -O0 -o cplus c.cc
	count() { $PERF probe -x ./cplus -D "$1" > out 2> err && wc -l < out; }
	for name in resize Widget::resize ns::Widget::resize; do
		$PERF probe -x ./cplus -D "$name by" > out
		test "$(wc -l < out)" = 2
	done
	for name in "resize(char)" "ns::Widget::resize(char)" _ZN2ns6Widget6resizeEc; do
		$PERF probe -x ./cplus -D "$name by" > out
		test "$(wc -l < out)" = 1
	done
	for name in add "ns::Box<long>::add" Box::add; do
		$PERF probe -x ./cplus -D "$name other" > out
		test "$(wc -l < out)" = 1
	done
	fails_with 1 $PERF probe -x ./cplus -D "resize size_" 2> err
	says "it is a member of the object: write " err
	says "this->size_" err
	# names without template arguments, and the rest of the name
	$PERF probe -x ./cplus -D "ns::Box<long>::add" | finds "^p:probe_cplus/ns_Box_add "
	$PERF probe -x ./cplus -D "(anonymous namespace)::secret k" | finds "k=-[0-9]*(%[a-z]*):s32$"
	$PERF probe -x ./cplus -D "resize(int, ns::Widget const&) by other.size_ this->name_" > out
	grep -q "by=-[0-9]*(%bp):s32 size_=+8(-[0-9]*(%bp)):s32 name_=+0(+0(-[0-9]*(%bp))):string$" out
	$PERF probe -x ./cplus -D "Box::add other this->value this->id" > out
	grep -q "value=+8(-[0-9]*(%bp)):s64 id=+0(-[0-9]*(%bp)):s32$" out
	fails_with 1 $PERF probe -x ./cplus -D "ns::Gadget::resize by" 2> err
	fails_with 1 $PERF probe -x ./cplus -D "Box::add this->none" 2> err
	says "its members are: int id, long int value" err
'
check_if GXX 'C++: names are found as -F shows them, lambdas and patterns of template arguments, too' '
	cat > forms.cc <<-EOF
	struct Shift { int k; template <class T> __attribute__((noinline)) T operator<<(T by) { return by << k; } };
	template <class T, int N> struct Arr { T v[N]; __attribute__((noinline)) T at(int i) { return v[i]; } };
	template <class F> __attribute__((noinline)) int apply(F f, int x) { return f(x); }
	int main(int argc, char **argv)
	{
		Shift s = { argc };
		Arr<int, 2> a = { { 1, argc } };
		Arr<long, 2> b = { { 2, argc } };
		auto l = [argc](int q) __attribute__((noinline)) { return q * argc; };
		return (s << 5) + a.at(1) + b.at(1) + apply(l, 4);
	}
	EOF
	g++ -std=c++11 -g -O0 -o forms forms.cc
	g++ -std=c++11 -O0 -o plain forms.cc
	for program in forms plain; do
		$PERF probe -x ./$program -F "*Shift*|*Arr*|*apply*|*lambda*" > names
		test "$(wc -l < names)" = 5
		while IFS= read -r name; do
			test "$($PERF probe -x ./$program -D "'\''$name'\''" | wc -l)" = 1
		done < names
		for row in "apply 1" "apply<*> 1" "Arr::at 2" "Arr<*>::at 2" "Arr<*, 2>::at 2" "Arr<long,2>::at 1" \
				"Shift::operator<< 1" "main::{lambda(int)#1}::operator() 1"; do
			$PERF probe -x ./$program -D "${row% *}" > out 2> err || cat err
			test "$(wc -l < out)" = "${row##* }" || { echo "$program: $row"; cat out; false; }
		done
	done
	$PERF probe -x ./forms -D "main::{lambda(int)#1}::operator() q" | finds " q=.*:s32"
'
check_if GXX 'C++: functions of one name in several units, by name, by scope and by pattern' '
	cat > unit.cc <<-EOF
	namespace big { namespace PART {
	struct base { int all; };
	template <typename T> struct list {
		T sum;
		inline __attribute__((always_inline)) void twice(T nr) { sum += nr * 2; }
		__attribute__((noinline)) T insert(T nr) { sum += nr; return sum; }
	};
	struct table : base {
		list<int> l;
		int insert(int nr);
		static int count(int nr);
	};
	int table::insert(int nr) { l.twice(nr); return l.insert(nr); }
	int table::count(int nr) { return nr + 3; }
	int run(int nr) { table t = {}; return t.insert(nr) + table::count(nr); }
	} }
	EOF
	printf "%s\n" "namespace big { namespace one { int run(int); } namespace two { int run(int); } }" \
		"int main(int argc, char **argv) { return big::one::run(argc) + big::two::run(argc); }" > several.cc
	for options in "-O2 -gdwarf-5" "-O0 -gdwarf-4" "-O2 -g3 -fdebug-types-section"; do
		g++ $options -DPART=one -c -o one.o unit.cc
		g++ $options -DPART=two -c -o two.o unit.cc
		g++ $options -o several several.cc one.o two.o 2> log
		for row in "insert 4" "run 2" "big::one::run 1" "two::run 1" "table::insert 2" "big::two::table::insert 1" \
				"list::insert 2" "big::one::list<int>::insert 1" "big::one::table::* 2" "big::*::run 2" \
				"twice 2" "big::two::list::twice 1" "big::one::list<int>::twice 1"; do
			$PERF probe -x ./several -D "${row% *} nr" > out 2> err || cat err
			test "$(wc -l < out)" = "${row##* }" || { echo "$options: $row"; cat out; false; }
		done
	done
	fails_with 1 $PERF probe -x ./several -D "big::three::run nr" 2> err
	says "big::three::run" err
'
cat > m.c <<-EOF
	struct s { int a; long b; unsigned f : 3, g : 9; };
	int total;
	__attribute__((noinline)) long deep(struct s *p, int n) { total += n; return p->b + n + p->g; }
	int _start(void) { struct s x = { 1, 2, 3, 4 }; return deep(&x, 3); }
EOF
for row in "x86_64-linux-gnu di si 8 64" "aarch64-linux-gnu x0 x1 8 64" \
		"powerpc64le-linux-gnu gpr3 gpr4 8 64" "armv7-linux-gnueabihf r0 r1 4 32"; do
	check_if CROSS "registers have the names of ${row%%-*}" "set -- $row"'
		clang --target=$1 -g -O1 -ffreestanding -nostdlib -fuse-ld=lld -static -o m m.c
		$PERF probe -x ./m -D "deep p n p->b p->g" | sed "s/^[^ ]* [^ ]* //" > out
		echo "p=%$2:x$5 n=%$3:s32 b=+$4(%$2):s$5 g=+$((2 * $4))(%$2):b9@3/16" | same - out
		$PERF probe -x ./m -D "deep%return \$retval" | finds "\$retval:s$5$"
	'
done
check_if CROSS 'registers have the names of riscv64, in a frame' '
	clang --target=riscv64-linux-gnu -g -O0 -ffreestanding -nostdlib -fuse-ld=lld -static -o m m.c
	$PERF probe -x ./m -D "deep p n p->b p->g" > out
	grep -q " p=-[0-9]*(%s0):x64 n=-[0-9]*(%s0):s32 b=+8(-[0-9]*(%s0)):s64 g=+16(-[0-9]*(%s0)):b9@3/16$" out
'
check_if S390 'registers and bit fields of s390x, which counts bits from the other end' '
	s390x-linux-gnu-gcc -g -O1 -ffreestanding -nostdlib -static -o m m.c
	$PERF probe -x ./m -D "deep p n p->b p->g" | sed "s/^[^ ]* [^ ]* //" > out
	echo "p=%r2:x64 n=%r3:s32 b=+8(%r2):s64 g=+16(%r2):b9@4/16" | same - out
'
check_if X86 'a separate debug file is found by its link' '
	gcc -g -O2 -o $prog $prog.c
	objcopy --only-keep-debug $prog $prog.debug
	strip $prog
	fails_with 1 $PERF probe -x ./$prog -D "work n" 2> err
	objcopy --add-gnu-debuglink=$prog.debug $prog
	gives "work n o->l" "n=%si:s32 l=+8(%di):s64"
	gcc -g -O2 -o $prog $prog.c
	strip -g $prog		# its symbols do not end the search
	objcopy --add-gnu-debuglink=$prog.debug $prog
	gives "work n o->l" "n=%si:s32 l=+8(%di):s64"
'

live() { trap '$PERF probe -q -d "probe_$prog*:*" 2> /dev/null || true' EXIT; }
arguments="n text byte big o->a o->b o->far o->top o->l o->ptr->tag c1=o->in.c[1] c2=o->ptr->next->c[2] o->name"
arguments="$arguments o->title o->number o->flag o->col o->size short=o->shorts[1] counter hidden global_name"
arguments="$arguments gtag=global_in.tag gc=global_in.next->c[3]"
for options in "gcc -O0 -gdwarf-4" "gcc -O0 -gdwarf-5 -no-pie" "gcc -O1 -gdwarf-5 -static" "gcc -Og" \
		"gcc -O2 -gdwarf-4 -no-pie" "gcc -O3 -fomit-frame-pointer" "gcc -O2 -flto" "clang -O0" "clang -O2 -gdwarf-5" \
		"clang -Og -gdwarf-4"; do
	needs=ROOT,TRACEFS,UPROBES,X86
	case $options in clang*) needs=$needs,CLANG ;; esac
	check_if $needs "values that probes record are those that the program prints: $options" "options='$options'"'
		live
		$options -g -o $prog $prog.c
		$PERF probe -q -x ./$prog -a "work $arguments" -a "work%return \$retval"
		# clang computes x at the optimised copies, or forgets it
		case $options in clang*-O[2g]*) ;; *) $PERF probe -q -x ./$prog -a "square x" ;; esac
		case $options in
		*-O0*|*-Og*) $PERF probe -q -x ./$prog -a "loop=work:$((loop - start)) i sum" ;;
		esac
		$PERF record -q -o x.data -e "probe_$prog:*" ./$prog > printed
		$PERF script -i x.data -F event,trace |
			sed "s/^ *probe_$prog:\([a-z]*\)[^:]*: *([^)]*) */\1: /" > out
		grep "^work: n" printed > want
		grep "^work: n" out | same want -
		if grep -q "^square" out; then
			grep "^square" printed > want
			grep "^square" out | same want -
		fi
		sed -n "s/^return: //p" printed > want
		for v in $(sed -n "s/^work: arg1=//p" out); do echo $((v)); done | same want -
		if grep -q "^loop" out; then
			grep "^loop" printed > want
			grep "^loop" out | uniq | same want -
		fi
	'
done
check 'lines that are proposed for a variable have it' '
	cat > where.c <<-EOF
	#include <string.h>
	struct point { int x, y; };
	struct list { struct list *next; struct point *p; long v[4]; };
	int counter;
	__attribute__((noinline)) long weigh(struct list *l, int n, const char *label)
	{
		long s = 0;
		for (int i = 0; i < n; i++) {
			s += l->v[i % 4] * l->p->x;
			counter++;
		}
		return s + strlen(label);
	}
	int main(int argc, char **argv)
	{
		struct point p = { 3, 4 };
		struct list l = { NULL, &p, { 1, 2, argc, 4 } };
		return weigh(&l, argc, argv[0]);
	}
	EOF
	gcc -O2 -g where.c -o where
	: > proposed
	for line in 1 2 3 4 5 6 7; do
		$PERF probe -x where -D "weigh:$line i" > out 2> err || sed -n "s/.*; it is at //p" err >> proposed
	done
	test -s proposed
	tr -d "," < proposed | tr " " "\n" | sort -u > lines
	while read -r line; do
		$PERF probe -x where -D "$line i" > out
		says "i=" out
	done < lines'
