#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

# a build-id cache: links by build-id to directories with "probes", or with "elf" alone
entry() {
	mkdir -p "cache/.build-id/$2" "cache$1/$2$3"
	ln -s "../..$1/$2$3" "cache/.build-id/$2/$3"
}
entry /usr/lib/libone.so 12 3456789abcdef0
printf '%%sdt_one:start=start\np:sdt_one/start /usr/lib/libone.so:0x10 arg1=%%bx:u64 arg2=+8(%%sp):s32\n%%sdt_both:go=go\nfunc=func\n' \
	> cache/usr/lib/libone.so/123456789abcdef0/probes
entry /usr/lib/libtwo.so fe dcba9876543210
printf '%%sdt_both:go=go\n' > cache/usr/lib/libtwo.so/fedcba9876543210/probes
export PERF_BUILDID_DIR="$PWD/cache"

check 'markers of the build-id cache' '
	$PERF list sdt > out
	cat > want <<-EOF
	  sdt_both:go@/usr/lib/libone.so(123456789abc)       [SDT event]
	  sdt_both:go@/usr/lib/libtwo.so(fedcba987654)       [SDT event]
	  sdt_one:start                                      [SDT event]
	EOF
	diff want out
	$PERF list --desc sdt > out
	grep -qx "  sdt_one:start  *\[SDT event\]  arg1:u64 arg2:s32" out
'
check_if GCC 'markers of a cached file without a list of them' '
	cat > m.c <<-EOF
	asm(".pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 8, 2f - 1f, 3\n.asciz \"stapsdt\"\n"
	    "1: .8byte 0, 0, 0\n.asciz \"mine\"\n.asciz \"hello\"\n.asciz \"8@%%rbx -4@8(%%rsp) 8f@%%xmm0 -1@x\"\n2: .balign 4\n.popsection");
	int main(void) { return 0; }
	EOF
	gcc -o m m.c
	entry /tmp/m ab cdef0123456789
	cp m cache/tmp/m/abcdef0123456789/elf
	$PERF list --desc sdt > out
	grep -q "^  sdt_mine:hello  *\[SDT event\]  arg1:u64 arg2:s32 arg3:f64 arg4:s8$" out
'
check 'damaged files in the cache are passed over' '
	entry /tmp/bad 00 112233445566
	head -c 100 /bin/sh > cache/tmp/bad/00112233445566/elf
	entry /tmp/gone 00 99
	rm -r cache/tmp/gone
	$PERF list sdt > out
	grep -q "^  sdt_one:start" out
	PERF_BUILDID_DIR=/nonexistent $PERF list sdt 2> err > out
	test ! -s out
	says "no SDT markers are known" err
'
