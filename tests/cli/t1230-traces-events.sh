#!/bin/sh
# Intel PT: events of Event Trace (letter I): interrupts and the like, and whether interrupts are enabled.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/pt-lib.sh"

# what a CPU with Event Trace writes: the words say so, and bit 31 of the configuration
before() {
	: "${event_trace=1}" "${config=0x80002400}"
	pt_before
}
start="pt-psb:0 pt-tsc:1000 pt-cbr:20 pt-mode:5 pt-psbend:0"
# rows LETTERS: event, flags, text, addresses
rows() {
	$PERF script --itrace=$1 -F event,ip,addr,flags,synth -i x.data 2> err |
		sed "s/  */ /g; s/:uh//g; s/^ //; s/ *$//; s/4000//g"
}

check 'each kind of event, with its vector and data' '
	{ before; trace="$start pt-pge:0x400080"
	for type in 0 1 2 3 4 5 6 7 8 9 10 31; do
		trace="$trace pt-cfe:$((0x80 + type)):$type pt-fup:0x400080"
	done
	for type in 00 01 02 3f; do
		trace="$trace hex:0253${type}8877665544332211"
	done
	pt_trace $trace pt-cfe:0x81:14 pt-fup:0x400080 pt-cfe:0x81 pt-fup:0x400080 pt-fup:0x400082 pt-pgd:0,0; } | mkdata x.data
	rows I > kinds
	cat > want <<-END
	evt: cfe: 0 IP: 1 vector: 0 0 80
	evt: cfe: INTR IP: 1 vector: 1 0 80
	evt: cfe: IRET IP: 1 vector: 2 0 80
	evt: cfe: SMI IP: 1 vector: 3 0 80
	evt: cfe: RSM IP: 1 vector: 4 0 80
	evt: cfe: SIPI IP: 1 vector: 5 0 80
	evt: cfe: INIT IP: 1 vector: 6 0 80
	evt: cfe: VMENTRY IP: 1 vector: 7 0 80
	evt: cfe: VMEXIT IP: 1 vector: 8 0 80
	evt: cfe: VMEXIT_INTR IP: 1 vector: 9 0 80
	evt: cfe: SHUTDOWN IP: 1 vector: 10 0 80
	evt: cfe: 31 IP: 1 vector: 31 0 80
	evt: cfe: INTR IP: 1 vector: 14 PFA: 0x1122334455667788 VMXQ: 0x1122334455667788 VMXR: 0x1122334455667788 EVD_63: 0x1122334455667788 0 80
	evt: cfe: INTR IP: 1 vector: 0 0 80
	END
	same want kinds
	$PERF script --itrace=I --json -F +synth -i x.data > json
	says "\"synth\": \"cfe: SMI IP: 1 vector: 3\"" json
'
check 'an event has the addresses of the branch that it causes; without a traced program it has none' '
	{ before; pt_trace $start pt-cfe:7 pt-cfe:0x82 pt-fup:0x400080 pt-pge:0x400080 pt-tnt:T pt-evd0:0x1234 pt-cfe:1:33 \
		pt-fup:0x400094 pt-tip:0x400080 pt-cfe:1:5 pt-ovf:0 pt-fup:0x400080 pt-fup:0x400080 pt-tip:0x400097 pt-cfe:1:2 \
		pt-fup:0x400098 pt-pgd:0,0; } | mkdata x.data
	rows Ib > out
	cat > want <<-END
	evt: cfe: VMENTRY IP: 0 vector: 0 0 0
	evt: cfe: IRET IP: 1 vector: 0 0 80
	branches: tr strt jmp 0 => 80
	branches: call 82 => 90
	branches: jcc 91 => 94
	evt: hw int cfe: INTR IP: 1 vector: 33 PFA: 0x1234 80 94
	branches: hw int 94 => 80
	branches: tr strt jmp 0 => 80
	branches: hw int 80 => 97
	evt: tr end async cfe: INTR IP: 1 vector: 2 0 98
	branches: tr end async 98 => 0
	END
	same want out
	silent_about "code\|match" err
'
check 'interrupts are disabled and enabled, by a branch and by other instructions' '
	{ before; pt_trace $start pt-pge:0x400097 pt-mode:1 pt-fup:0x400097 pt-mode:5 pt-fup:0x400099 pt-tnt:N pt-mode:1 pt-tip:0x400080 \
		pt-tnt:T pt-cfe:1:5 pt-fup:0x400094 pt-mode:5 pt-tip:0x40008b pt-mode:1 pt-tip:0x400097 pt-fup:0x400099 pt-pgd:0,0; } | mkdata x.data
	rows Ii1i > insns
	cat > want <<-END
	iflag: (t) IFLAG: 1->0 non branch 0 97
	instructions: (t) 0 97
	instructions: (D) 0 98
	iflag: (Dt) IFLAG: 0->1 non branch 0 99
	instructions: (Dt) 0 99
	instructions: jmp 90 9a
	instructions: 0 90
	instructions: jcc 0 91
	instructions: 0 93
	iflag: return (t) IFLAG: 1->0 via branch 80 94
	instructions: return (t) 80 94
	instructions: (D) 0 80
	instructions: call (D) 90 82
	instructions: (D) 0 90
	instructions: jcc (D) 94 91
	evt: hw int (Dt) cfe: INTR IP: 1 vector: 5 8b 94
	iflag: hw int (Dt) IFLAG: 0->1 via branch 8b 94
	iflag: syscall (t) IFLAG: 1->0 via branch 97 8b
	instructions: syscall (t) 97 8b
	instructions: (D) 0 97
	instructions: (D) 0 98
	END
	same want insns
	rows b | grep t\) > branches
	printf "%s\n" "branches: return (t) 94 => 80" "branches: hw int (Dt) 94 => 8b" "branches: syscall (t) 8b => 97" | same - branches
	rows I | grep -c iflag > nr
	test "$(cat nr)" = 5
	rows qI > quick
	test "$(grep -c evt quick)" = 1
	test "$(grep -c iflag quick)" = 5
	$PERF script --itrace=b --json -F +flags -i x.data > json
	says "\"flags\": \"hw int (Dt)\"" json
'
check 'the bit means nothing without Event Trace, on the CPU or in the recording; I is not for inject' '
	packets="$start pt-pge:0x400097 pt-mode:1 pt-fup:0x400097 pt-pgd:0,0"
	for words in 0:0x80002400 1:0x2400; do
		{ event_trace=${words%:*} config=${words#*:} before; pt_trace $packets; } | mkdata x.data
		rows Ib > out
		says "branches: tr strt jmp 0 => 97" out
		silent_about "iflag\|D" out
	done
	{ event_trace=1 config=0x80002400 before; pt_trace $packets; } | mkdata x.data
	rows Ib > out
	says iflag out
	$PERF inject --itrace=iI -i x.data -o y.data 2> err
	says "no events for the letters I" err
'
# upstream shows the same, except for jmp after tr strt, which only newer ones show, and parentheses
check_if PEER61 'the rows of upstream' '
	{ before; pt_trace $start pt-pge:0x400097 pt-mode:1 pt-fup:0x400098 pt-mode:5 pt-fup:0x400098 pt-tnt:N pt-mode:1 pt-tip:0x400080 \
		pt-tnt:T pt-evd0:0x1234 hex:025302000000000000aabb pt-cfe:1:5 pt-fup:0x400094 pt-mode:5 pt-tip:0x400097 pt-cfe:0x8a pt-fup:0x400098 \
		pt-fup:0x400098 pt-pgd:0,0; } | mkdata x.data
	for perf in $PERF $PEER; do
		$perf script --itrace=Ibe -F event,time,ip,addr,flags,synth -i x.data 2> err |
			sed "s/  */ /g; s/jmp//; s/ $//; s/: *\(Dt*\|t\) /: (\1) /; s/  */ /g" > ${perf##*/}.$(test $perf = $PERF && echo ours || echo theirs)
	done
	cat ./*.ours > ours
	cat ./*.theirs > theirs
	test "$(grep -c "evt\|iflag" theirs)" = 6
	same theirs ours
'
