#!/bin/sh
# perf buildid-cache --kcore: copies of the kernel's code, in upstream's layout, and perf annotate with them
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/jitdump-lib.sh"

HOME=$PWD/home
export HOME
unset PERF_BUILDID_DIR
mkdir home
ID=0102030405060708090a0b0c0d0e0f1011121314
COPIES=$HOME/.debug/[kernel.kcore]/$ID
page=$(getconf PAGESIZE)

# a system whose kernel has one page of code: push %rax, push %rcx, ret
mkdir -p root/proc root/sys/kernel
{ le 4 4 20 3; printf 'GNU\0'; le 1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; } > root/sys/kernel/notes
{ printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0'; le 2 4 62; le 4 1; le 8 0 64 0; le 4 0; le 2 64 56 1 0 0 0
  le 4 1 7; le 8 $page -0x7f000000 0 $page $page $page; } > head
{ cat head; head -c $((page - $(wc -c < head))) /dev/zero; printf 'PQ\303'; head -c $((page - 3)) /dev/zero; } > root/proc/kcore
# kernel WHERE: its symbols at that address
kernel() {
	printf "ffffffff%s000000 T _text\nffffffff%s000000 T _stext\nffffffff%s000000 T work\nffffffff%s000003 T rest\nffffffff%s000fff T _etext\n" \
		"$1" "$1" "$1" "$1" "$1"
}
kernel 81 > root/proc/kallsyms
echo "ext4 4096 1 - Live 0xffffffffc0200000" > root/proc/modules

check 'a copy of the code, symbols and modules is added, where upstream has it' '
	$PERF buildid-cache -v -k root/proc/kcore > out
	test "$(sed "s/[0-9]\{16\}$/TIME/" out)" = "added $COPIES/TIME"
	dir=$(sed "s/^added //" out)
	test "$(ls -a "$dir" | tr "\n" " ")" = ". .. kallsyms kcore modules "
	same root/proc/kallsyms "$dir/kallsyms"
	same root/proc/modules "$dir/modules"
	test "$(stat -c %a "$dir/kcore")" = 400
	tail -c $page root/proc/kcore > want
	tail -c $page "$dir/kcore" | cmp - want'
check 'it is not added again while symbols and modules have the same addresses' '
	echo "ext4 4096 7 - Live 0xffffffffc0200000" > root/proc/modules
	$PERF buildid-cache -v -k root/proc/kcore > out
	grep -q "^in the cache already: " out
	test "$(ls "$COPIES" | wc -l)" = 1
	echo "ext4 4096 7 - Live 0xffffffffc0400000" > root/proc/modules
	$PERF buildid-cache -k root/proc/kcore
	test "$(ls "$COPIES" | wc -l)" = 2'
have_DISASM() {
	"$PERF" check -q feature libcapstone || { echo "needs libcapstone"; return 1; }
}
# recording ADDRESS [FEATURE...]: of work() in a kernel at that address
recording() {
	addr=$1
	shift
	set -- "feature arch str:\"x86_64\"" "$@"
	printf "%s\n" "$@" "event cpu-clock sample=ip|tid|time|period" \
		"buildid id=$ID name=\"[kernel.kallsyms]\" misc=kernel" \
		"mmap tid=-1 misc=kernel addr=0xffffffff${addr}000000 len=0x1000 pgoff=0xffffffff${addr}000000 filename=\"[kernel.kallsyms]_text\" time=1" \
		"sample tid=7 misc=kernel ip=0xffffffff${addr}000001 time=2" | mkdata x.data
}
check_if DISASM 'perf annotate reads names from the copy, and code if the kernel was at its address' '
	recording 81
	$PERF annotate --stdio -i x.data work > out 2> err
	tr -s " \t" " " < out > got
	says "100.00 : ffffffff81000001: pushq %rcx" got
	recording 92
	$PERF annotate --stdio -i x.data work > out 2>&1
	says "there is no code of the kernel" out'
check 'copies count for --gc, and --purge-all removes them' '
	$PERF buildid-cache -v --gc $((page * 3)) > out
	test "$(ls "$COPIES" | wc -l)" = 1
	$PERF buildid-cache -P
	test ! -e "$HOME/.debug/[kernel.kcore]"'
check 'what is not the code of a kernel is refused, and leaves nothing' '
	mkdir -p bad/proc
	cp root/proc/k* bad/proc/
	fails_with 1 $PERF buildid-cache -k bad/proc/kcore 2> err
	says "cannot read the build-id of the kernel in bad/proc/../sys/kernel/notes" err
	cp -r root/sys bad/
	fails_with 1 $PERF buildid-cache -k bad/proc/kallsyms 2> err
	says "is not named kcore" err
	echo "not ELF" > bad/proc/kcore
	fails_with 1 $PERF buildid-cache -k bad/proc/kcore 2> err
	says "not the 64-bit ELF core file" err
	rm bad/proc/kcore
	fails_with 1 $PERF buildid-cache -k bad/proc/kcore 2> err
	says "this kernel has no bad/proc/kcore" err
	test -z "$(find "$HOME/.debug" -name ".tmp*" -o -name kallsyms)"'
check_if DISASM 'without a copy, and in a kernel without /proc/kcore, rights are not what is missing' '
	mkdir none none/proc none/sys
	cp root/proc/kallsyms none/proc/
	cp -r root/sys/kernel none/sys/
	[ "$(uname -m)" = x86_64 ] || skip "needs x86-64"
	recording 81 "feature hostname str:\"$(uname -n)\"" "feature osrelease str:\"$(uname -r)\""
	PERF_FS_ROOT=none $PERF annotate --stdio -i x.data work > out 2>&1
	says "this kernel has no /proc/kcore (CONFIG_PROC_KCORE)" out
	says "name the kernel with its symbols by --vmlinux" out
	silent_about "as root" out'
