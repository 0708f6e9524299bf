#!/bin/sh
# Intel PT: samples of cycles (letter y), whose period is the number of cycles since the sample before.
# threads
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/pt-lib.sh"

packets="pt-pge:0x400080 pt-cyc:100 pt-tnt:T pt-cyc:40 pt-tnt:TTTTTT pt-cyc:60 pt-tnt:TN pt-cyc:8 pt-tip:0x400080 pt-tsc:2000
	pt-cyc:50 pt-tnt:TT pt-cyc:9 pt-fup:0x400087 pt-pgd:0,0"
trace() {
	{ config=0x2402 pt_before; pt_trace "$@"; } | mkdata x.data
}
# rows LETTERS: "PERIOD EVENT IP [INSNS/CYCLES]"
rows() {
	${perf-$PERF} script --itrace=$1 ${j:+-j$j} -F period,event,ip,ipc -i x.data 2> err |
		sed "s/  */ /g; s/:uh:*//; s/^ //; s/:* 4000/ /; s/IPC.*(\(.*\))/\1/; s/[[:space:]]*$//; s/[[:space:]][[:space:]]*/ /g"
}

check 'where cycles are exact, and not more often than the period of instructions' '
	trace $pt_start $packets
	rows y0ns > all
	printf "%s\n" "100 cycles 91 4/100" "40 cycles 94 1/40" "60 cycles 94 12/60" "8 cycles 89 2/8" "50 cycles 91 4/50" | same - all
	rows y5i > some
	printf "%s\n" "140 cycles 94 5/140" | same - some
	rows yi0ns > both
	test "$(grep -c instructions both)" = 24
	test "$(grep -c cycles both)" = 5
	rows y > long
	test ! -s long
	$PERF script --itrace=y0nsg2l2 -F period,ip,brstack -i x.data > history
	says 400087 history
	says 0x400082/0x400090 history
	$PERF report --itrace=y0ns --stdio -s sym -i x.data > report 2> err
	says "Event count (approx.): 258" report
'
check 'q makes them of packets with an address, A where they are not exact' '
	trace $pt_start $packets
	rows qy > quick
	printf "%s\n" "208 cycles 80 0/208" "59 cycles 87 0/59" | same - quick
	rows Ay3i > approx
	printf "%s\n" "140 cycles 87 6/140" "60 cycles 87 12/60" "8 cycles 82 3/8" "50 cycles 94 3/50" | same - approx
'
check 'none is lost between two pieces of a trace, with any number of threads' '
	pad=0000000000000000000000000000000000000000000000000000000000000000
	for i in 1 2 3 4 5 6 7 8 9 10 11; do pad=$pad$pad; done
	trace $pt_start pt-pge:0x400080 hex:$pad pt-cyc:100 pt-tnt:T pt-cyc:40 pt-tnt:TT pt-psb:0 pt-tsc:2000 pt-mode:1 pt-fup:0x400080 \
		pt-psbend:0 hex:$pad pt-cyc:7 pt-psb:0 pt-tsc:2100 pt-mode:1 pt-fup:0x400080 pt-psbend:0 pt-cyc:5 pt-tnt:T
	for j in 1 3; do
		for letters in y10i y2i; do
			rows $letters > $letters
			$PERF report --itrace=$letters --stdio -s sym -j$j -i x.data > report-$letters 2> err
		done
		printf "%s\n" "152 cycles 91 4/5" | same - y10i
		says "Event count (approx.): 152" report-y10i
		printf "%s\n" "100 cycles 91 4/100" "52 cycles 91 4/5" | same - y2i
		says "Event count (approx.): 152" report-y2i
	done
	$PERF inject --itrace=y2i --strip -i x.data -o y.data
	$PERF report --stdio -s sym -i y.data > report 2> err
	says "Event count (approx.): 152" report
'
check_if NEWEST 'as upstream has it' '
	trace $pt_start $packets
	for letters in y0ns y5i y64t yi0ns yi3i y2i Ayi3i Ay4i; do
		rows $letters > ours
		perf=$NEWEST rows $letters | same - ours
	done
'
check 'without CYC packets cycles are the ticks between MTC packets, at the frequency; TSC packets are too rare' '
	for clock in "pt-tma:62:3 pt-psbend:0" ""; do
		{ config=0x2400 pt_before; pt_trace pt-psb:0 pt-tsc:1000 pt-cbr:40 pt-mode:1 $clock pt-psbend:0 pt-pge:0x400080 pt-mtc:63 \
			pt-tnt:T pt-mtc:65 pt-tnt:TTT pt-tsc:1100 pt-tnt:TT pt-pgd:0,0; } | mkdata x.data
		rows y0ns > "with$clock"
	done
	# 13 ticks at twice the frequency of the counter, and 32; 55 to the TSC packet are told at the next MTC packet
	printf "%s\n" "26 cycles 91 4/26" "64 cycles 94 1/64" | same - "with$clock"*psbend*
	test ! -s with
'
