#!/bin/sh
# DWARF stacks through a program whose file is not here: callers are guessed by the frame pointer, and only
# where that leads to code.
. "$(dirname "$0")/lib.sh"

# registers BP, SP, IP of x86-64; a stack at 0x7000, with a frame record at each of its first words: the next
# one, a return address
cat > top.mk <<-END
	feature arch str:"x86_64"
	event cpu-clock type=software config=cpu-clock sample=ip|tid|time|period|callchain|regs_user|stack_user regs_user=0x1c0 stack_user=64 flags=sample_id_all|comm|mmap2
	comm tid=100 comm="w" time=1
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/nowhere/w" time=2
	mmap2 tid=100 addr=0x2000 len=0x1000 prot=3 flags=2 filename="/nowhere/w" time=2
	mmap2 tid=100 addr=0x3000 len=0x1000 prot=5 flags=2 filename="/nowhere/late" time=5000
END
le() { # VALUE...: eight bytes of each, lowest first
	for v; do
		printf %016x "$v" | sed 's/\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)/\8\7\6\5\4\3\2\1/'
	done
}
# guess ADDRESS: the caller of the caller is that
guess() {
	{ cat top.mk; echo "sample tid=100 ip=0x1010 time=1000 period=1 chain=-512 regs_user=2,0x7000,0x7000,0x1010 stack=$(le 0x7010 0x1021 0 "$1")"; } | mkdata x.data
}
# frames: what script shows, and report too
frames() {
	"$PERF" script -v -i x.data -F ip 2> err | tr -s "\n\t " " " > got
	"$PERF" report -v -i x.data --no-children -g folded,address,callee -s comm 2> err.report > out
	tr "; " "\n" < out | sed -n "s/^0x//p" | tr "\n" " " | sed "s/^/ /" | diff - got
	cat got
}

check 'a caller in mapped code is taken, and -v says how many were guessed' '
	guess 0x1031
	test "$(frames)" = " 1010 1020 1030 "
	grep -q "guessed 2 callers of code in /nowhere/w by" err
	grep -q "guessed 2 callers of code in /nowhere/w by" err.report'
check 'the stack ends before an address that is not code, or was not at that time' '
	for garbage in 0xb7ace770fe30acff 0x5000 0x2010 0x3010 1; do
		guess $garbage
		test "$(frames)" = " 1010 1020 "
		grep -q "guessed 1 caller of" err
	done'
