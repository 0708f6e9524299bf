#!/bin/sh
# perf probe -m: places and variables of modules, which are relocatable files, by their own debug information;
# modules that are packed, compiled for other machines, loaded or not, given by file or by name.
. "$(dirname "$0")/lib.sh"
need GCC

have_CLANG() { command -v clang > /dev/null || { echo "needs clang"; return 1; }; }
have_X86() { [ "$(uname -m)" = x86_64 ] || { echo "needs an x86-64 CPU"; return 1; }; }
have_PACKERS() {
	for p in xz zstd gzip; do command -v $p > /dev/null || { echo "needs $p"; return 1; }; done
	"$PERF" check -q feature lzma && "$PERF" check -q feature zstd ||
		{ echo "built without lzma or zstd"; return 1; }
}

cat > mod.c <<-EOF
	struct inner { int tag; char name[8]; };
	struct item { long id; struct inner *in; unsigned short kind; };
	int mod_count;
	static struct item last;
	extern void outside(struct item *);
	extern int other;

	static inline __attribute__((always_inline)) long twice(long v) { outside(&last); return v * 2; }

	__attribute__((noinline)) long mod_work(struct item *it, int n, const char *why)
	{
		long sum = it->id + other;

		outside(it);
		for (int i = 0; i < n; i++) {
			sum += twice(i);
			mod_count++;
		}
		return sum + why[0];
	}

	long __attribute__((noinline, section(".text.unlikely"))) mod_cold(struct item *it)
	{
		outside(it);
		last = *it;
		return it->id;
	}
	static const char info[] __attribute__((section(".modinfo"), used)) = "license=GPL\0name=my_mod";
EOF
# a system that has loaded another module
mkdir -p fake/proc fake/sys/kernel/tracing/events
cat > fake/proc/kallsyms <<-EOF
	ffffffff81000000 T _text
	ffffffff81000110 T vfs_read
	ffffffffc0000000 t mod_fn	[ext4]
EOF
export PERF_FS_ROOT="$PWD/fake"
object() { out=$1; shift; "$@" -c -o "$out" mod.c; }
gives() { $PERF probe -m "$1" -D "$2" > got; echo "$3" | same - got; }
# FILE A B C: the definitions, with the registers of the first three arguments
definitions() {
	gives $1 "mod_work it->id it->in->name n why" \
		"p:probe/mod_work my_mod:mod_work+0 id=+0(%$2):s64 name=+4(+8(%$2)):string n=%$3:s32 why=+0(%$4):string"
	gives $1 "mod_cold it->kind mod_count last.id" \
		"p:probe/mod_cold my_mod:mod_cold+0 kind=+16(%$2):u16 mod_count=@mod_count+0:s32 id=@last+0:s64"
	gives $1 "mod_work%return \$retval" "r:probe/mod_work__return my_mod:mod_work+0 \$retval:s64"
	$PERF probe -m $1 -D "twice" -D "mod_work:4" -D mod.c:16 > got
	test "$(grep -c "my_mod:mod_work+[1-9]" got)" -ge 3
	$PERF probe -m $1 -L mod_work > got
	grep -q "^      4  .*outside(it);" got
	$PERF probe -m $1 -V mod_cold > got
	grep -q "	struct item\*	it$" got
	$PERF probe -m $1 -F > got
	printf "mod_cold\nmod_work\n" | same - got
}

for options in "-gdwarf-5" "-gdwarf-4" "-gdwarf-5 -gz" "-gdwarf-5 -ffunction-sections" "-gdwarf-5 -fno-pie -mcmodel=kernel"; do
	check_if X86 "a module compiled with $options" "options='$options'"'
		object my-mod.ko gcc -O2 $options
		definitions ./my-mod.ko di si dx
		definitions my-mod.ko di si dx
	'
done
check_if X86,PACKERS 'a packed module' '
	object my-mod.ko gcc -O2 -g
	xz -k my-mod.ko
	zstd -q my-mod.ko
	gzip -k my-mod.ko
	for end in xz zst gz; do definitions my-mod.ko.$end di si dx; done
'
# 32 bits, big-endian, and relocations that add and subtract
while read -r target a b c; do
	check_if CLANG "a module for $target" "set -- $target $a $b $c"'
		object my-mod.ko clang -O2 -g --target=$1 2> err || skip "needs clang for $1"
		definitions ./my-mod.ko $2 $3 $4
	'
done <<-EOF
	aarch64-linux-gnu x0 x1 x2
	riscv64-linux-gnu a0 a1 a2
	s390x-linux-gnu r2 r3 r4
	powerpc64le-linux-gnu gpr3 gpr4 gpr5
EOF
check_if CLANG 'relocations whose addends are in the section' '
	object my-mod.ko clang -O2 -g --target=armv7-linux-gnueabi 2> err || skip "needs clang for ARM"
	gives ./my-mod.ko "mod_work it->id n" "p:probe/mod_work my_mod:mod_work+0 id=+0(%r0):s32 n=%r1:s32"
	gives ./my-mod.ko "mod_cold it->kind" "p:probe/mod_cold my_mod:mod_cold+0 kind=+8(%r0):u16"
'
check_if X86 'an object file, whose name is that of the module' '
	sed "/modinfo/d" mod.c > other.c
	gcc -O2 -g -c -o some-part.o other.c
	gives some-part.o "mod_cold it->kind" "p:probe/mod_cold some_part:mod_cold+0 kind=+16(%di):u16"
'
check_if X86 'a module that is named is the one below /lib/modules, with its debug file' '
	dir=lib/modules/$(uname -r)
	mkdir -p fake/$dir/kernel
	object fake/$dir/kernel/my-mod.ko gcc -O2 -g
	echo "kernel/my-mod.ko:" > fake/$dir/modules.dep
	definitions my_mod di si dx
	definitions my-mod di si dx
	mkdir -p fake/usr/lib/debug/$dir/kernel
	mv fake/$dir/kernel/my-mod.ko fake/usr/lib/debug/$dir/kernel/my-mod.ko.debug
	objcopy --strip-debug fake/usr/lib/debug/$dir/kernel/my-mod.ko.debug fake/$dir/kernel/my-mod.ko
	definitions my_mod di si dx
	echo "r:probe/x my_mod:mod_work" > fake/sys/kernel/tracing/kprobe_events
	: > fake/sys/kernel/tracing/uprobe_events
	$PERF probe -l > out
	grep -q "probe:x *(on mod_work%return@.*/mod.c in my_mod)" out
	rm fake/sys/kernel/tracing/*_events
'
check 'without debug information symbols are taken, and the rest is refused with a remedy' '
	object my-mod.ko gcc -O2
	gives my-mod.ko "mod_work \$arg1" "p:probe/mod_work my_mod:mod_work+0 \$arg1"
	gives my-mod.ko "mod_cold%return" "r:probe/mod_cold__return my_mod:mod_cold+0"
	for d in "mod_work n" mod_work:3; do
		fails_with 1 $PERF probe -m my-mod.ko -D "$d" 2> err
		says "my-mod.ko has no debug information, which" err
		says "install the kernel'"'"'s debug symbols, or name a file: -m FILE.ko" err
	done
	fails_with 1 $PERF probe -m my-mod.ko -L mod_work 2> err
	says "-m FILE.ko" err
	fails_with 1 $PERF probe -m my-mod.ko -D mod_wrk 2> err
	says "did you mean '"'mod_work'"'" err
	fails_with 1 $PERF probe -m ext4 -D "mod_fn n" 2> err
	says "the debug information of module '"'ext4'"' is not installed" err
	says "-m FILE.ko" err
	fails_with 1 $PERF probe -m ext4 -V mod_fn 2> err
	says "module '"'ext4'"' has no file below /lib/modules" err
	fails_with 1 $PERF probe -m ./absent.ko -D mod_fn 2> err
	says "absent.ko" err
'
check_if X86 'functions of one name in a module are told apart' '
	cat > a.c <<-END
		__attribute__((noipa)) static long shared(long x) { return x + 1; }
		__attribute__((noipa)) long a_only(long x) { return shared(x) + 2; }
	END
	sed "s/a_only/b_only/" a.c > b.c
	dir=fake/lib/modules/$(uname -r)
	mkdir -p $dir
	echo "two.ko:" > $dir/modules.dep
	for debug in -g ""; do
		gcc -O2 -fno-toplevel-reorder $debug -c a.c
		gcc -O2 -fno-toplevel-reorder $debug -c b.c
		ld -r -o two.ko a.o b.o
		at() { nm two.ko | awk "/ $1\$/ { print \$1 }" | sort | sed $2\!d; }
		second=$((0x$(at shared 2) - 0x$(at a_only 1)))
		# nothing is before the first one, and the module is not loaded
		$PERF probe -m two.ko -D shared -D a_only > out 2> err
		printf "p:probe/shared two:a_only+$second\np:probe/a_only two:a_only+0\n" | same - out
		says "1 of 2 places of '"'shared'"' are left out: several functions of two are called '"'shared'"'" err
		$PERF probe -m two.ko -D shared%return > out 2> err
		echo "r:probe/shared__return two:a_only+$second" | same - out
		# the first one of a module that is loaded has an address
		cp two.ko $dir
		cp fake/proc/kallsyms saved
		nm -n two.ko | sed "s/^00000000/ffffffff/; s/\$/	[two]/" >> fake/proc/kallsyms
		$PERF probe -m two -D shared%return > out 2> err
		printf "r:probe/shared__return 0xffffffff00000000\nr:probe/shared__return_1 two:a_only+$second\n" |
			same - out
		says "holds until the module is unloaded" err
		cp out fake/sys/kernel/tracing/kprobe_events
		echo "p:probe/hidden 0x12345" >> fake/sys/kernel/tracing/kprobe_events
		: > fake/sys/kernel/tracing/uprobe_events
		$PERF probe -l > out
		grep -q "probe:shared__return *(on shared%return)" out
		grep -qE "probe:shared__return_1 *\(on shared%return(@.*b.c)? in two\)" out
		grep -q "probe:hidden *(on an address that the kernel hides)" out
		rm fake/sys/kernel/tracing/*_events
		mv saved fake/proc/kallsyms
		rm $dir/two.ko
	done
'
check 'a damaged module is refused' '
	object my-mod.ko gcc -O2 -g
	head -c 2000 my-mod.ko > cut.ko
	fails_with 1 $PERF probe -m ./cut.ko -D mod_work 2> err
	test -s err
	head -c 300 /dev/zero > zero.ko
	fails_with 1 $PERF probe -m ./zero.ko -L mod_work 2> err
	says "zero.ko: not an ELF file" err
'
