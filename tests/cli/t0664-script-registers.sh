#!/bin/sh
# Registers of recordings from each machine have that machine's names, whatever machine shows them.
. "$(dirname "$0")/lib.sh"

# names E_MACHINE ABI BITS: what -F uregs calls the first BITS registers, on one line
names() {
	values=$(seq -s, 1 "$3")
	mask=$(((1 << $3) - 1))
	mkdata regs.data <<-END
		event cycles sample=ip|tid|time|regs_user|regs_intr regs_user=$mask regs_intr=$mask
		feature e_machine u32:$1,0
		sample tid=1 ip=0x1000 time=1 regs_user=$2,$values regs_intr=$2,$values
	END
	"$PERF" script -i regs.data -F uregs > uregs && "$PERF" script -i regs.data -F iregs > iregs && diff uregs iregs || return 1
	tr -s " " "\n" < uregs | sed -n "/^ABI:$2\$/d; s/:0x[0-9a-f]*\$//p" | paste -sd " "
}
# is WANT E_MACHINE ABI BITS
is() {
	want=$1
	shift
	got=$(names "$@")
	[ "$got" = "$want" ] || { printf "got:  %s\nwant: %s\n" "$got" "$want"; return 1; }
}
# numbered PREFIX FROM TO
numbered() {
	seq -f "$1%g" "$2" "$3" | paste -sd " "
}

check 'x86' '
	is "AX BX CX DX SI DI BP SP IP FLAGS CS SS DS ES FS GS $(numbered R 8 15)" 62 2 24
	is "AX BX CX DX SI DI BP SP IP" 3 1 9
'
check 'arm and arm64' '
	is "$(numbered r 0 10) fp ip sp lr pc" 40 1 16
	is "$(numbered x 0 29) lr sp pc" 183 2 33
'
check 'riscv' '
	is "pc ra sp gp tp t0 t1 t2 s0 s1 $(numbered a 0 7) $(numbered s 2 11) t3 t4 t5 t6" 243 2 32
'
check 'powerpc and s390' '
	is "$(numbered r 0 31) nip msr orig_r3 ctr link xer ccr softe trap dar dsisr sier mmcra" 21 2 45
	is "$(numbered R 0 15) $(numbered FP 0 15) MASK PC" 22 2 34
'
check 'loongarch' '
	is "PC $(numbered %%r 1 31)" 258 2 32
'
check 'mips, where two belong to the kernel' '
	is "PC $(numbered "\$" 1 25) unknown unknown $(numbered "\$" 28 31)" 8 2 32
'
check 'csky, where copies that the kernel keeps have no names' '
	is "tls lr pc unknown sp unknown $(numbered a 0 3) $(numbered regs 0 9) $(numbered exregs 0 14) hi lo unknown" 252 1 38
'
check 'a machine that nobody knows' '
	is "unknown unknown" 4095 2 2
'
