#!/bin/sh
# Intel PT: virtual machines, whose code is not read: never that of a process of the host at the same address.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/pt-lib.sh"

pt_program '\017\001\302\220\220\220\220\220\220' > prog	# 97: vmlaunch
start="pt-psb:0 pt-tsc:1000 pt-pip:0x1000 pt-cbr:20 pt-mode:1 pt-psbend:0"
inside="pt-psb:0 pt-tsc:2000 pt-pip:0x1001 pt-cbr:20 pt-mode:1 pt-psbend:0"
# rows LETTERS: event, flags, addresses
rows() {
	$PERF script --itrace=$1 -F event,ip,addr,flags -i x.data 2> err | sed "s/  */ /g; s/:uh//g; s/^ //; s/ *$//; s/4000//g"
}

check 'an event and an instruction lead into a virtual machine, an event leads out of it' '
	{ before; trace $start pt-pge:0x400080 pt-tnt:TTT pt-fup:0x400082 pt-pip:0x2001 pt-tip:0x400080 pt-tnt:TT pt-fup:0x400080 \
		pt-pip:0x1000 pt-tip:0x400087 pt-tnt:N pt-tip:0x400097 pt-pip:0x2001 pt-tip:0x400090 pt-tip:0x400080 pt-ptw-ip:5 \
		pt-fup:0x400091 pt-tnt:T pt-pip:0x1000 pt-tip:0x400087 pt-tnt:N pt-pgd:0,0; } | mkdata x.data
	cat > want <<-END
	branches: tr strt jmp 0 => 80
	branches: call 82 => 90
	branches: jcc 91 => 94
	branches: return 94 => 87
	branches: jcc 87 => 80
	branches: hw int 82 => 0
	branches: tr strt jmp 0 => 87
	branches: jmp 89 => 97
	branches: vmentry 97 => 0
	branches: tr strt jmp 0 => 87
	branches: tr end jmp 89 => 0
	END
	rows b > got
	same want got
	says "no code of [guest] for 2 places of the trace: code of virtual machines is not read; report --itrace=qi shows" err
	silent_about "do not match" err
	rows be | sed -n "s/.*\(ip.*code 5\).*/\1/p" > errors
	printf "%s\n" "ip 0x80 code 5" "ip 0x90 code 5" | same - errors
	rows bq > got
	printf "%s\n" "branches: tr strt jmp 0 => 80" "branches: hw int 82 => 0" "branches: tr strt jmp 0 => 87" \
		"branches: tr strt jmp 0 => 87" | same - got
	$PERF report --itrace=qi --stdio -s dso,sym -i x.data > out 2>&1
	grep "\[u\] 0x0000000000400090" out
	$PERF report --itrace=w --stdio -s dso,sym -i x.data > out 2> err
	says "[u] 0x0000000000400091" out
	silent_about "prog" out
'
check 'a piece that begins inside a virtual machine' '
	{ before; trace $inside pt-pge:0x400080 pt-tnt:TTT pt-tip:0x400080 pt-pgd:0,0 pt-pip:0x1000 pt-pge:0x400080 pt-tnt:T pt-pgd:0,0
		} | mkdata x.data
	rows i1i > got
	printf "%s\n" "instructions: 0 80" "instructions: call 90 82" "instructions: 0 90" "instructions: jcc 94 91" \
		"instructions: tr end return 0 94" | same - got
	{ before; trace $inside pt-pip:0x1000 $start pt-pge:0x400080 pt-tnt:T pt-pgd:0,0; } | mkdata x.data
	rows i1i > again
	same got again
'
