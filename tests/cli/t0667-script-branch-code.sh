#!/bin/sh
# script: the code between the branches of a sample
. "$(dirname "$0")/lib.sh"
have_GCC_X86() {
	have_GCC && [ "$(uname -m)" = x86_64 ] || { echo "needs gcc for x86-64"; return 1; }
}
have_DISASM() {
	"$PERF" check -q feature libcapstone || { echo "needs libcapstone"; return 1; }
}
need GCC_X86

cat > b.s <<'END'
.globl _start
.type _start,@function
_start:	mov $10,%ecx
.Ll:	nop
	add $1,%eax
	dec %ecx
	jnz .Ll
	call f
	jmp _start
.size _start,.-_start
.globl f
.type f,@function
f:	xor %eax,%eax
	cmp $3,%ecx
	je 1f
	nop
	nop
1:	ret
.size f,.-f
END
gcc -g -nostdlib -static -Wl,-Ttext=0x401000 b.s -o b
off=$(readelf -SW b | awk '{ sub(/^ *\[ *[0-9]+\]/, "") } $1 == ".text" { print "0x" $4; exit }')
data() {
	mkdata "$1" <<-END
	event cycles type=hardware config=0 period=10 sample=ip|tid|time|period|branch_stack branch=$2 flags=sample_id_all|comm|mmap2
	mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=$off prot=5 flags=2 filename="$PWD/b" time=2
	$3
	END
}
script() {
	"$PERF" script -i b.data -F "$@" > out 2> err
}

check 'blocks of code in the order of execution, their cycles, and functions where they change' '
	data b.data 0x9 "sample tid=100 ip=0x401015 time=3 branch=0x40101d:0x401012:2+16*7,0x401019:0x40101d:1+16*3,0x40100d:0x401014:2+16*12,0x40100b:0x401005:2+16*2,0x40100b:0x401005:2+16*9"
	script ip,sym,brstackinsn
	sed -n 2,17p out | tr "\t" "|" | sed "s/ *|# /|# /; s/ *$//" > got
	diff - got <<-END
	|_start+11:
	|000000000040100b|insn: 75 f8|# PRED 9 cycles [9]
	|0000000000401005|insn: 90
	|0000000000401006|insn: 83 c0 01
	|0000000000401009|insn: ff c9
	|000000000040100b|insn: 75 f8|# PRED 2 cycles [11] 2.00 IPC
	|0000000000401005|insn: 90
	|0000000000401006|insn: 83 c0 01
	|0000000000401009|insn: ff c9
	|000000000040100b|insn: 75 f8
	|000000000040100d|insn: e8 02 00 00 00|# PRED 12 cycles [23] 0.42 IPC
	|f:
	|0000000000401014|insn: 31 c0
	|0000000000401016|insn: 83 f9 03
	|0000000000401019|insn: 74 02|# MISPRED 3 cycles [26] 1.00 IPC
	|000000000040101d|insn: c3|# PRED 7 cycles [33] 0.14 IPC
	END
	script ip,sym,brstackinsnlen
	grep -q "insn: 83 c0 01 	ilen: 3$" out
	script ip,sym,srcline,brstackinsn
	grep -q "^	_start+11:	b.s:7$" out
	grep -q "^	000000000040100d	insn: .*	 srcline: b.s:8	# PRED 12 cycles" out'

check '--max-blocks: the newest branches, before them one that begins the first block' '
	"$PERF" script -i b.data -F ip,brstackinsn --max-blocks 2 > out
	test "$(grep -c "#" out)" = 3
	grep -q "# PRED 7 cycles \[22\]" out'

check_if DISASM 'instructions as text, of blocks and of the sampled address; the end of what runs straight' '
	script ip,sym,brstackdisasm
	grep -Eq "^	0000000000401009	decl? +%ecx *$" out
	tail -n 2 out | finds "not reaching sample"
	data b.data 0x9 "sample tid=100 ip=0x401009 time=3 branch=0x401012:0x401000:2"
	script ip,disasm
	grep -Eq "401009.*decl? +%ecx$" out
	"$PERF" script -i b.data --json -F ip,brstackdisasm,disasm | tail -n 1 > json
	python3 -c "import json; d = json.load(open(\"json\")); assert d[\"disasm\"].split()[1] == \"%ecx\"; assert [i[\"addr\"] for i in d[\"brstackinsn\"]] == [\"0x401012\", \"0x401000\", \"0x401005\", \"0x401006\", \"0x401009\"]; assert [i[\"branch\"] for i in d[\"brstackinsn\"]] == [True] + [False] * 4"'

check 'damage: addresses in the wrong order, without code, far from each other, inside of instructions' '
	data b.data 0x9 "sample tid=100 ip=0x900000 time=3 branch=0x40100d:0x401014:10,0x600000:0x40100d:2,0x40100b:0xffffffffffffff00:2,0x401001:0x40100b:1,0x401ffe:0x401000:2"
	script ip,sym,brstackinsn
	test "$(grep -c "#" out)" -ge 2
	not grep -q "reaching" out
	data b.data 0x9 "sample tid=100 ip=0x401015 time=3 branch=0x40100d:0x401014:2"
	script ip,sym,brstackinsn
	tail -n 2 out | head -n 1 | finds "0000000000401014"'

check 'needs all branches' '
	data b.data 0x1 "sample tid=100 ip=0x401015 time=3 branch=0x40100d:0x401014:2"
	fails_with 1 script ip,brstackinsn
	says "need all branches of" err'
