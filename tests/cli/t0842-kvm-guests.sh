#!/bin/sh
# Names of functions in a guest's kernel, from files that were copied out of the guest.
. "$(dirname "$0")/lib.sh"

cat > kallsyms <<'END'
ffffffff81000000 T _stext
ffffffff81000000 T _text
ffffffff81001000 T guest_one
ffffffff81002000 T guest_two
ffffffff82000000 T _etext
ffffffffc0000000 t ext4_one	[ext4]
ffffffffc0000100 t ext4_two	[ext4]
END
echo 'ext4 8192 0 - Live 0xffffffffc0000000' > modules
# guest MAPS: a recording with these records
guest() {
	mkdata g.data <<END
event cpu-clock type=software config=cpu-clock sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
comm tid=100 comm="qemu" time=1
$1
sample tid=100 ip=0xffffffff81001010 period=1 time=100 misc=guest_kernel
sample tid=100 ip=0xffffffffc0000110 period=1 time=101 misc=guest_kernel
sample tid=100 ip=0x1220 period=1 time=102 misc=guest_user
END
}
map='mmap pid=0 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 time=2 misc=guest_kernel
	filename="[guest.kernel.kallsyms]_text"'
map=$(echo $map)
# names ARGS...: what script shows of the samples
names() {
	$PERF script -i g.data -F ip,sym,symoff,dso "$@" | tr -s " " | sed "s/^ //"
}

check 'without files of the guest script leaves its samples out, and report tells what would help' '
	guest ""
	test -z "$(names)"
	$PERF report -i g.data --stdio -F dso,sym > out
	says "[unknown]         [g] 0xffffffff81001010" out
	guest "$map"
	test -z "$(names)"
	$PERF report -i g.data --stdio -F dso,sym > out 2> err
	says "no symbol list of the guest'\''s kernel was found; give a copy of the guest'\''s /proc/kallsyms with --guestkallsyms FILE" err
'
check 'kernel and modules, with and without maps in the recording' '
	cat > want <<-END
	ffffffff81001010 guest_one+0x10 ([guest.kernel.kallsyms])
	ffffffffc0000110 ext4_two+0x10 ([ext4])
	1220 [unknown] ([unknown])
	END
	guest ""
	names --guestkallsyms kallsyms --guestmodules modules > got
	same want got
	guest "$map
	mmap pid=0 tid=0 addr=0xffffffffc0000000 len=0x2000 time=2 misc=guest_kernel filename=\"[ext4]\""
	names --guestkallsyms kallsyms > got
	same want got
	$PERF kvm -i g.data --guestkallsyms kallsyms report --stdio -F dso,sym > out
	says "[guest.kernel.kallsyms]  [g] guest_one" out
	says "[ext4]                   [g] ext4_two" out
'
check 'without a list of modules their code has no name' '
	guest ""
	test "$(names --guestkallsyms kallsyms | sed -n 2p)" = "ffffffffc0000110 [unknown] ([unknown])"
'
check 'a recording of another boot: the kernel moves, modules do not' '
	guest "$(echo "$map" | sed "s/0xffffffff81000000/0xffffffff80ff0000/g")"
	names --guestkallsyms kallsyms > got
	test "$(head -n 1 got)" = "ffffffff81001010 guest_two+0xf010 ([guest.kernel.kallsyms])"
'
check_if GCC 'vmlinux' '
	cat > k.s <<-END
	.globl _stext, guest_vm, _etext
	.type guest_vm, @function
	_stext: .skip 0x1000
	guest_vm: .skip 0x1000
	.size guest_vm, 0x1000
	_etext:
	END
	gcc -nostdlib -static -Wl,-Ttext=0xffffffff81000000,-e,_stext,--build-id=none -o vmlinux k.s
	guest ""
	test "$(names --guestvmlinux vmlinux | head -n 1)" = "ffffffff81001010 guest_vm+0x10 ([guest.kernel.kallsyms])"
	guest "$(echo "$map" | sed "s/]_text/]_stext/; s/0xffffffff81000000/0xffffffff80fffff0/g")"
	test "$(names --guestvmlinux vmlinux --guestkallsyms kallsyms | head -n 1)" = \
		"ffffffff81001010 guest_vm+0x20 ([guest.kernel.kallsyms])"
'
check 'files that do not fit' '
	guest ""
	fails() { not $PERF "$@" > out 2> err && test "$(grep -c "^Error" err)" = 1; }
	fails script -i g.data --guestkallsyms none
	says "--guestkallsyms: none: No such file or directory" err
	sed "s/^[0-9a-f]*/0000000000000000/" kallsyms > hidden
	fails report -i g.data --guestkallsyms hidden
	says "copy /proc/kallsyms as root" err
	sed /text/d kallsyms > part
	fails record -o r.data --guestkallsyms part true
	says "has no symbol _text or _stext" err
	test ! -e r.data
	echo "ext4 8192 0 - Live 0x0000000000000000" > hidden
	fails top --stdio --guestmodules hidden
	says "has no addresses of modules: copy /proc/modules of the guest as root" err
	fails script -i g.data --guestvmlinux kallsyms
	fails kvm --guestkallsyms kallsyms diff
	says "--guestkallsyms has no meaning before" err
	fails kvm --guestkallsyms kallsyms stat report
	says "--guestkallsyms has no meaning with report" err
	fails kvm --guestmount . report
	says "not available yet" err
	: > none
	names --guestkallsyms kallsyms --guestmodules none > out
	test "$(wc -l < out)" = 3
'
check_if EVENTS 'record writes where the guest is' '
	$PERF record -q -e cpu-clock --guestkallsyms kallsyms --guestmodules modules -o r.data true
	$PERF script -i r.data --show-mmap-events > out
	says "0/0: [0xffffffff81000000(0x1000000) @ 0xffffffff81000000 00:00 0 0]: ---p [guest.kernel.kallsyms]_text" out
	says "[0xffffffffc0000000(0x2000) @ 0 00:00 0 0]: ---p [ext4]" out
'
