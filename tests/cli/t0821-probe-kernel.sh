#!/bin/sh
# perf probe in the kernel: definitions, places that are refused, and the files of tracefs, on made systems.
. "$(dirname "$0")/lib.sh"

mkdir -p fake/proc fake/sys/kernel/tracing/events fake/sys/kernel/debug/kprobes
: > fake/sys/kernel/tracing/kprobe_events
: > fake/sys/kernel/tracing/uprobe_events
cat > fake/proc/kallsyms <<-EOF
	ffffffff81000000 T _text
	ffffffff81000100 T __pfx_vfs_read
	ffffffff81000110 T vfs_read
	ffffffff81000200 T vfs_write
	ffffffff81000300 t twice
	ffffffff81000400 t twice
	ffffffff81000500 T do_int3
	ffffffff81000600 D jiffies
	ffffffff82000000 T _sinittext
	ffffffff82000010 T start_kernel
	ffffffff82001000 T _einittext
	ffffffffc0000000 t mod_fn	[ext4]
	ffffffffc0000100 t other_fn	[snd_hda]
EOF
printf '0xffffffff81000500-0xffffffff81000600\tdo_int3\n' > fake/sys/kernel/debug/kprobes/blacklist
export PERF_FS_ROOT="$PWD/fake"
lists=fake/sys/kernel/tracing
define() { $PERF probe -D "$@"; }

check 'functions, offsets, returns, addresses and modules become definitions' '
	define vfs_read -D "vfs_read+0x10 %ax" -D "e=vfs_write%return r=\$retval" -D 0xffffffff81000208 \
		-D "vfs_write \$arg1 buf=+u0(\$arg2):ustring @jiffies" > out
	same - out <<-EOF
	p:probe/vfs_read vfs_read+0
	p:probe/vfs_read_1 vfs_read+16 ax=%ax
	r:probe/e vfs_write+0 r=\$retval
	p:probe/abs_ffffffff81000208 vfs_write+8
	p:probe/vfs_write vfs_write+0 \$arg1 buf=+u0(\$arg2):ustring @jiffies
	EOF
	define mod_fn -m ext4 > out
	echo "p:probe/mod_fn ext4:mod_fn+0" | same - out
	define other_fn -m /lib/modules/x/snd-hda.ko.xz > out
	echo "p:probe/other_fn snd_hda:other_fn+0" | same - out
'
check 'functions of one name are told apart by their addresses' '
	define twice > out
	printf "p:probe/twice _text+768\np:probe/twice_1 _text+1024\n" | same - out
'
check 'a pattern leaves out what cannot be probed' '
	define "*" > out
	not grep -q -e do_int3 -e start_kernel -e pfx out
	grep -q "vfs_write+0" out
	$PERF probe -F > out 2> err
	printf "mod_fn [ext4]\nother_fn [snd_hda]\ntwice\nvfs_read\nvfs_write\n" | same - out
	says "Functions that are left out: 2 whose names begin with" err
	says "2 that only exist while the kernel starts, 1 that the kernel forbids to probe" err
	$PERF probe -F --filter "_t*" > out 2> err
	echo _text | same - out
	test ! -s err
	$PERF probe -m ext4 -F > out
	echo mod_fn | same - out
	# functions that the kernel cannot trace
	printf "vfs_read\ntwice\nmod_fn [ext4]\n" > $lists/available_filter_functions
	define "vfs_*" > out
	echo "p:probe/vfs_read vfs_read+0" | same - out
	$PERF probe -F > out 2> err
	printf "mod_fn [ext4]\ntwice\nvfs_read\n" | same - out
	says "2 that the kernel cannot trace (notrace)" err
	define vfs_write > out
	echo "p:probe/vfs_write vfs_write+0" | same - out
	rm $lists/available_filter_functions
'
check 'what cannot be probed is said with the reason' '
	fails_with 1 define do_int3 2> err
	says "the kernel forbids it, because probes themselves may call it" err
	fails_with 1 define start_kernel 2> err
	says "it only exists while the kernel starts" err
	fails_with 1 define mod_fn 2> err
	says "'"'mod_fn' is not in the kernel, but in ext4"'" err
	says "add -m ext4" err
	fails_with 1 define mod_fn -m xfs 2> err
	says "the module '"'xfs'"' is not loaded" err
	fails_with 1 define vfs_rad 2> err
	says "did you mean '"'vfs_read'"'" err
	fails_with 1 define "vfs_read+4096" 2> err
	says "bytes, so it has no offset 4096" err
	fails_with 1 define "vfs_read:3" 2> err
	says "debug information" err
	fails_with 1 define "*" --max-probes 2 2> err
	says "more than 2" err
'
check 'the boot configuration has them, too' '
	define "e=vfs_write%return r=%ax" --bootconfig > out
	grep -qx "ftrace.event.kprobes.e.probes = .vfs_write+0%return r=%ax." out
	fails_with 129 $PERF probe --bootconfig vfs_write 2> err
	says "bootconfig is for --definition" err
	fails_with 1 define vfs_write -k ./absent 2> err
	says "./absent'"' cannot be read"'" err
'
check 'definitions are written to kprobe_events, and listed from there' '
	$PERF probe vfs_read -m ext4 2> err && exit 1
	$PERF probe -q "vfs_read a=\$arg1"
	$PERF probe -q -m ext4 mod_fn%return
	printf "p:probe/vfs_read vfs_read+0 a=\$arg1\nr:probe/mod_fn__return ext4:mod_fn+0\n" | same - $lists/kprobe_events
	$PERF probe -l > out
	printf "  %-20s (on %s)\n" probe:vfs_read "vfs_read with a" probe:mod_fn__return "mod_fn%return in ext4" | same - out
	$PERF probe -l "*:vfs*" > out
	test "$(wc -l < out)" = 1
	fails_with 1 $PERF probe vfs_read 2> err
	says "event '"'probe:vfs_read' already exists"'" err
	test "$(wc -l < $lists/kprobe_events)" = 2
	fails_with 1 $PERF probe vfs_write -a vfs_write 2> err
	says "two of the definitions make an event '"'probe:vfs_write': the first is on vfs_write+0"'" err
	says "Hint: give one of them a name" err
	silent_about "remove it" err
	$PERF probe -q -d vfs_read
	tail -n 1 $lists/kprobe_events | finds -x -e "-:probe/vfs_read"
'
check 'probes of other programs are listed with their values as they are' '
	printf "p:mine/a /nonexistent:0x0000000000001000(0x20) x=%%di y=+0(%%si):string\n" > $lists/uprobe_events
	printf "junk\np:\np:x\nr:a/b \np:k/evil vfs_read+0 x\033[31m=%%di\n" > $lists/kprobe_events
	$PERF probe -l > out
	grep -q "  mine:a               (on 0x1000 in /nonexistent with x y)" out
	not grep -q "$(printf "\033")" out
	test "$(wc -l < out)" = 2
'
check 'offsets from the start of the text are listed by their functions' '
	: > $lists/uprobe_events
	printf "p:probe/a _text+272\np:probe/b _text+520 x=%%di\np:probe/c _text+99999999999\n" > $lists/kprobe_events
	$PERF probe -l > out
	{
		printf "  %-20s (on vfs_read)\n" probe:a
		printf "  %-20s (on vfs_write+8 with x)\n" probe:b
		printf "  %-20s (on _text+99999999999)\n" probe:c
	} | same - out
	: > $lists/kprobe_events
'
check_if GCC 'inlined copies in functions that cannot be probed are left out' '
	cat > copies.c <<-EOF
		volatile int v;
		static inline __attribute__((always_inline)) void copied(void) { v++; v--; v++; }
		static inline __attribute__((always_inline)) void early(void) { v--; v++; v--; }
		__attribute__((noipa)) void vfs_read(void) { copied(); }
		__attribute__((noipa)) void start_kernel(void) { copied(); early(); }
		__attribute__((noipa)) void do_int3(void) { copied(); }
		int main(void) { vfs_read(); start_kernel(); do_int3(); return 0; }
	EOF
	gcc -g -O1 -o copies copies.c
	define copied -k ./copies > out 2> err
	grep -q "^p:probe/copied vfs_read+" out
	test "$(wc -l < out)" = 1
	says "2 of 3 places of '"'copied'"' are left out: " err
	fails_with 1 define early -k ./copies 2> err
	says "'"'start_kernel'"' cannot be probed: it only exists while the kernel starts" err
'
check_if GCC 'a file of another kernel is not judged by the running one' '
	gcc -g -O1 -Wl,--build-id=0x11223344 -o other copies.c
	printf "\4\0\0\0\4\0\0\0\3\0\0\0GNU\0\252\273\314\335" > fake/sys/kernel/notes
	define do_int3 -k ./other > out
	grep -q "^p:probe/do_int3 do_int3+" out
	fails_with 1 define vfs_write -k ./other 2> err
	says "'"'vfs_write' was not found in the debug information of the kernel"'" err
	$PERF probe -k ./other do_int3 2> err
	says "./other'"'"' is of another build than the running kernel" err
	printf "\4\0\0\0\4\0\0\0\3\0\0\0GNU\0\021\042\063\104" > fake/sys/kernel/notes
	fails_with 1 define do_int3 -k ./other 2> err
	says "the kernel forbids it" err
	rm fake/sys/kernel/notes
	: > $lists/kprobe_events
'
check_if GCC 'a function of a module is told to be there, with debug information of the kernel' '
	fails_with 1 define mod_fn -k ./copies 2> err
	says "'"'mod_fn' is not in the kernel, but in ext4"'" err
	says "add -m ext4" err
	fails_with 1 define "mod_fn x" -k ./copies 2> err
	says "add -m ext4" err
'
check 'a probe that the cache cannot keep is not made' '
	fails_with 1 env PERF_BUILDID_DIR=/dev/null/cache $PERF probe -q --cache vfs_read 2> err
	says "the running kernel does not tell its build-id" err
	tail -n 1 $lists/kprobe_events > out
	echo "-:probe/vfs_read" | same - out
	: > $lists/kprobe_events
'
check_if GCC 'places are listed by debug information, where a name is that of one function' '
	cat > a.c <<-EOF
		static __attribute__((noipa)) int twice(int x) { return 2 * x; }
		__attribute__((noipa)) int vfs_read(int n)
		{
			n = twice(n);
			return n + twice(3);
		}
		int other(int);
		int main(void) { return vfs_read(1) + other(2); }
	EOF
	echo "static __attribute__((noipa)) int twice(int x) { return x + x; } int other(int x) { return twice(x); }" > b.c
	echo "asm(\".globl _text; _text:\");" > text.c
	gcc -g -O0 -o vmlinux text.c a.c b.c
	# each function of a name by its address, and listed by its file
	$PERF probe -k ./vmlinux -D twice -D "twice@b.c x" > out
	from=$(nm vmlinux | awk "/ _text\$/ { print \$1 }")
	nm -n vmlinux | awk "/ twice\$/ { print \$1 }" > at
	test "$(wc -l < at)" = 2
	second=$((0x$(sed 1d\;q at) - 0x$from))
	grep -qx "p:probe/twice _text+$((0x$(sed q at) - 0x$from))" out
	grep -qx "p:probe/twice_1 _text+$second" out
	# where the parameter is stored: after the entry of an unoptimised function
	grep -qE "p:probe/twice_2 _text\+[0-9]+ x=" out
	test "$(sed -n "s/.*_2 _text+\([0-9]*\) .*/\1/p" out)" -ge $second
	sed 3d out > $lists/kprobe_events
	$PERF probe -k ./vmlinux -l > out
	grep -q "probe:twice  *(on twice@.*/a.c)" out
	grep -q "probe:twice_1 *(on twice@.*/b.c)" out
	$PERF probe -k ./vmlinux -q -D vfs_read:2 > $lists/kprobe_events
	grep -q "vfs_read+[1-9]" $lists/kprobe_events
	printf "p:probe/a vfs_read\nr:probe/b vfs_read x=\$retval\np:probe/c twice+0\np:probe/d gone+4\n" >> $lists/kprobe_events
	$PERF probe -k ./vmlinux -l > out
	grep -q "probe:vfs_read_L2 *(on vfs_read:2@.*/a.c)" out
	grep -q "probe:a *(on vfs_read@.*/a.c)" out
	grep -q "probe:b *(on vfs_read%return@.*/a.c with x)" out
	grep -q "probe:c *(on twice)" out
	grep -q "probe:d *(on gone+4)" out
	: > $lists/kprobe_events
'
check 'parameters are found by the type information of the kernel itself' '
	fails_with 1 define "vfs_read count" 2> err
	says "debug information is not installed" err
	printf "  fetcharg: (%%<register>)\n  <argname>,\n" > $lists/README
	define "vfs_read count n=pos:x64" -D "vfs_read%return buf r=\$retval" -D "vfs_write \$params" > out
	same - out <<-EOF
	p:probe/vfs_read vfs_read+0 count=count n=pos:x64
	r:probe/vfs_read__return vfs_read+0 buf=buf r=\$retval
	p:probe/vfs_write vfs_write+0 \$arg*
	EOF
	fails_with 1 define "vfs_read file->f_flags" 2> err
	says "knows names of parameters, but no members" err
	printf "  <argname>[->field[->field|.field...]],\n" > $lists/README
	define "vfs_read file->f_path.dentry q=file->f_flags:u32" > out
	echo "p:probe/vfs_read vfs_read+0 dentry=file->f_path.dentry q=file->f_flags:u32" | same - out
	fails_with 1 define "vfs_read+8 count" 2> err
	says "needs debug information" err
	fails_with 1 define "vfs_read a[3]" 2> err
	says "needs debug information" err
'
have_BTF() {
	echo "int f(int a) { return a; }" > btf.c
	gcc -gbtf -c btf.c 2> /dev/null && objcopy --dump-section .BTF=btf btf.o ||
		{ echo "needs gcc that writes BTF"; return 1; }
}
check_if BTF 'parameters are found by types where the kernel does not find them itself' '
	cat > types.c <<-EOF
		typedef unsigned long size_t;
		struct inner { int tag; short c[4]; char name[8]; };
		struct file { unsigned flags : 3, mode : 7; struct inner *in; struct inner own; const char *title;
			union { int number; long big; }; };
		long vfs_read(struct file *file, char *buf, size_t count, long *pos) { return count; }
		void vfs_write(void) { }
		int mod_fn(struct file *f, int on) { return on; }
	EOF
	gcc -gbtf -c types.c
	mkdir -p fake/sys/kernel/btf
	objcopy --dump-section .BTF=fake/sys/kernel/btf/vmlinux types.o
	cp fake/sys/kernel/btf/vmlinux fake/sys/kernel/btf/ext4
	mv $lists/README README
	define "vfs_read count file buf pos" -D "vfs_read file->own.c file->in->c[1] file->own.name t=file->title" \
		-D "vfs_read file->number buf buf:x64 buf[2] *pos f=file->in->name:u8" > out
	same - out <<-EOF
	p:probe/vfs_read vfs_read+0 count=\$arg3:u64 file=\$arg1:x64 buf=+0(\$arg2):string pos=\$arg4:x64
	p:probe/vfs_read_1 vfs_read+0 c=+20(\$arg1):s16[4] c_1=+6(+8(\$arg1)):s16 name=+28(\$arg1):string t=+0(+40(\$arg1)):string
	p:probe/vfs_read_2 vfs_read+0 number=+48(\$arg1):s32 buf=+0(\$arg2):string buf_1=\$arg2:x64 buf_2=+2(\$arg2):s8 pos=+0(\$arg4):s64 f=+12(+8(\$arg1)):u8
	EOF
	define "vfs_read%return \$retval" -D "vfs_read%return \$retval:x32" -D "vfs_write \$params" -D "vfs_read \$params" > out
	same - out <<-EOF
	r:probe/vfs_read__return vfs_read+0 \$retval:s64
	r:probe/vfs_read__return_1 vfs_read+0 \$retval:x32
	p:probe/vfs_write vfs_write+0
	p:probe/vfs_read vfs_read+0 file=\$arg1:x64 buf=+0(\$arg2):string count=\$arg3:u64 pos=\$arg4:x64
	EOF
	if [ $(uname -m) = x86_64 ]; then
		define "vfs_read file->mode" > out
		echo "p:probe/vfs_read vfs_read+0 mode=+0(\$arg1):b7@3/16" | same - out
	fi
	$PERF probe -V vfs_read > out
	printf "Available variables at vfs_read\n\t@<vfs_read+0>\n\t\tstruct file*\tfile\n\t\tchar*\tbuf\n\t\tsize_t\tcount\n\t\tlong int*\tpos\n" | same - out
	for d in "vfs_read nope|its parameters are: file, buf, count, pos" "vfs_read file->nope|members are flags, mode, in" \
			"vfs_read file.own|is not a struct" "vfs_read count->x|is not a pointer" \
			"vfs_read file->own|cannot be shown as a whole" "vfs_read+8 count|needs debug information" \
			"vfs_read \$vars|needs debug information" "twice x|do not know function"; do
		fails_with 1 define "${d%|*}" 2> err
		says "${d#*|}" err
	done
	# a kernel that finds parameters, but no members or elements
	printf "  fetcharg: (%%<register>)\n  <argname>,\n" > $lists/README
	define "vfs_read count file->number buf[1]" > out
	echo "p:probe/vfs_read vfs_read+0 count=count number=+48(\$arg1):s32 buf=+1(\$arg2):s8" | same - out
	# modules; their types, here, do not count on after those of the kernel
	rm fake/sys/kernel/btf/vmlinux $lists/README
	define "mod_fn f->number on" -m ext4 > out
	echo "p:probe/mod_fn ext4:mod_fn+0 number=+48(\$arg1):s32 on=\$arg2:s32" | same - out
	rm -r fake/sys/kernel/btf
	define "mod_fn on" -m ./types.o > out
	echo "p:probe/mod_fn types:mod_fn+0 on=\$arg2:s32" | same - out
	mv README $lists
'
check 'without the files of tracefs the reason is said' '
	rm $lists/kprobe_events
	fails_with 1 $PERF probe vfs_read 2> err
	says "this kernel has no probes in itself" err
	says "CONFIG_KPROBE_EVENTS" err
	sed "s/^[0-9a-f]*/0000000000000000/" fake/proc/kallsyms > zero
	cp zero fake/proc/kallsyms
	fails_with 1 define vfs_read 2> err
	says "kptr_restrict" err
'
check 'a kernel that is locked down says so' '
	mkdir -p locked/sys/kernel/security locked/sys/kernel/tracing locked/proc
	echo "none integrity [confidentiality]" > locked/sys/kernel/security/lockdown
	echo "nodev /sys/kernel/tracing tracefs rw 0 0" > locked/proc/mounts
	printf "%s\n" "ffffffff81000000 T _text" "ffffffff81000100 T vfs_read" "ffffffff81000200 T vfs_write" > locked/proc/kallsyms
	export PERF_FS_ROOT=$PWD/locked
	for words in "probe vfs_read" "record -e sched:sched_switch true" "ftrace trace true" "sched record true"; do
		$PERF $words 2> err > out && { echo "$words: no error"; exit 1; }
		says "locked down (confidentiality)" err
		says "boot without lockdown=confidentiality" err
	done
'
