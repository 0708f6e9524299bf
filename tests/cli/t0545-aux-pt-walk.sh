#!/bin/sh
# Intel PT: the walk from packets and code to instructions and branches, and what is said where it stops.
# threads
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/pt-lib.sh"

# 97: in, and bytes that are no instruction
pt_program '\355\355\355\355\355\355\006\006\006' > prog

start="pt-psb:0 pt-tsc:1000 pt-cbr:20 pt-mode:1 pt-psbend:0"
loop="pt-pge:0x400080 pt-tnt:TTTNTN pt-tip:0x40008b "
# script LETTERS: a line of time and ip, or of time, source and target of a branch
script() {
	fields=time,ip
	case $1 in
	*[bcr]*) fields=time,ip,addr ;;
	esac
	$PERF script --itrace=$1 --ns -F $fields -j${j-1} -i x.data 2> err | tr -d " " | sed "s/=>/>/; s/4000//g" > out
}
# list LETTERS: the same without times, in one line
list() {
	script $1
	sed "s/.*://" out | tr "\n" " "
}

check 'every instruction and every branch, with times' '
	{ before; trace $start $loop pt-tsc:2000 pt-pgd:0,0; } | mkdata x.data
	test "$(list i1i)" = "80 82 90 91 94 87 80 82 90 91 93 94 87 89 8b "
	silent_about trace err
	test "$(list b)" = "0>80 82>90 91>94 94>87 87>80 82>90 94>87 89>8b 8b>0 "
	test "$(list c)" = "82>90 82>90 8b>0 "
	test "$(list r)" = "0>80 94>87 94>87 "
	test "$(list i0ns)" = "$(list i1i)"
	test "$(list i4i)" = "91 82 94 "
	script b
	says "0.000001000:0>80" out
	says "0.000002000:8b>0" out
	$PERF report --itrace=i1i --stdio -s comm,dso -i x.data > out 2>&1
	says "# Samples: 15  of event " out
	says "pttest   prog" out
'
check 'the trace of a thread has no CPU, unless -F names it; the trace of a CPU does' '
	{ before; trace $start $loop; } | mkdata x.data
	$PERF script --itrace=b -F -dso,-sym,-symoff,-comm,-addr -i x.data > out
	test "$(sed -n "1s/  */ /gp" out)" = " 100 0.000001: 1 branches:uh: 0"
	$PERF script --itrace=b -F cpu,ip -i x.data > out
	says "[-01]            400082" out
	{ before; trace $start $loop | sed "s/cpu=-1/cpu=3/"; } | mkdata x.data
	$PERF script --itrace=b -F -dso,-sym,-symoff,-comm,-addr -i x.data > out
	test "$(sed -n "1s/  */ /gp" out)" = " 100 [003] 0.000001: 1 branches:uh: 0"
'
check 'what interrupts a program; the trace ends and begins again' '
	{ before; trace $start pt-pge:0x400080 pt-fup:0x400090 pt-tip:0x400080 pt-fup:0x400082 pt-pgd:0,0 pt-pge:0x400082 pt-tnt:NT \
		pt-tnt:N pt-tip:0x40008b pt-pgd:0xffffffff81000000,6; } | mkdata x.data
	test "$(list i1i)" = "80 82 80 82 90 91 93 94 87 89 8b "
	test "$(list b)" = "0>80 82>90 90>80 82>0 0>82 82>90 94>87 89>8b 8b>ffffffff81000000 "
	silent_about trace err
'
check 'returns that are not compressed; a TNT of 8 bytes; a PSB inside code' '
	{ config=0x2c00; before; trace $start pt-pge:0x400080 pt-tnt8:T pt-tip:0x400087 pt-tnt:T \
		pt-psb:0 pt-tsc:1500 pt-mode:1 pt-fup:0x400090 pt-psbend:0 pt-tnt:N pt-tip:0x400087 pt-pgd:0x400080; } | mkdata x.data
	test "$(list i1i)" = "80 82 90 91 94 87 80 82 90 91 93 94 87 "
	silent_about trace err
'
check 'times of MTC and CYC packets' '
	{ config=0x2402 before; trace $start pt-tma:62:3 pt-psbend:0 pt-pge:0x400080 pt-tnt:T pt-cyc:40 pt-tnt:T pt-mtc:63 pt-tnt:N \
		pt-mtc:65 pt-cyc:5 pt-tip:0x40008b; } | mkdata x.data
	script b
	# from 997 on, 16 ticks for each MTC; 40 cycles are the 13 ticks up to the first one
	printf "%s\n" 1000:0\>80 1000:82\>90 1000:91\>94 1013:94\>87 1050:89\>8b | sed "s/^/0.00000/" | same - out
'
check 'cycles are the ticks up to the next MTC packet, or by the frequency; the next piece is not before the end of this one' '
	{ config=0x2402 before; trace $start pt-tma:62:3 pt-psbend:0 pt-pge:0x400080 pt-cyc:40 pt-tnt:T pt-mtc:63 pt-cyc:7 pt-tnt:T \
		pt-cyc:40 pt-tnt:N pt-tip:0x400080 pt-psb:0 pt-tsc:1050 pt-mode:1 pt-fup:0x400080 pt-psbend:0 pt-cyc:20 pt-tnt:T; } |
		mkdata x.data
	script b
	# the MTC is at 1013, so 40 cycles after 7 are at 1060; 20 after the TSC at 1070
	printf "%s\n" 1000:0\>80 1000:82\>90 1013:91\>94 1020:94\>87 1060:89\>80 1060:82\>90 1070:91\>94 | sed "s/^/0.00000/" | same - out
	# the clock goes on where the trace does not: cycles are by the frequency, and time does not go back to 1013
	{ config=0x2402 before; trace $start pt-tma:62:3 pt-psbend:0 pt-pge:0x400080 pt-cyc:40 pt-tnt:T pt-pgd:0,0 pt-pge:0x400094 \
		pt-mtc:63 pt-cyc:7 pt-tip:0x400087 pt-cyc:2 pt-mtc:67 pt-cyc:9 pt-tnt:T; } | mkdata x.data
	script b
	printf "%s\n" 1000:0\>80 1000:82\>90 1040:91\>94 1040:94\>0 1040:0\>94 1068:94\>87 1086:87\>80 |
		sed "s/^/0.00000/" | same - out
	pad=0000000000000000000000000000000000000000000000000000000000000000
	for i in 1 2 3 4 5 6 7 8 9 10 11; do pad=$pad$pad; done
	{ config=0x2402 before; trace $start pt-pge:0x400080 hex:$pad pt-cyc:40 pt-tnt:N pt-psb:0 pt-tsc:1020 pt-mode:1 pt-fup:0x400094 \
		pt-psbend:0 pt-fup:0x400094 pt-tip:0x400080 pt-fup:0x400082 pt-pgd:0,0; } | mkdata x.data
	script i1i
	printf "%s\n" 1000:80 1000:82 1000:90 1020:91 1020:93 1020:80 | sed "s/^/0.00000/" | same - out
'
check 'flags, lengths, cycles, transactions, ptwrite and power events' '
	{ config=0x2402 before; trace $start pt-pge:0x400080 pt-cyc:100 pt-tnt:T pt-ptw:0x1234 pt-ptw-ip:0x5678 pt-fup:0x400094 \
		pt-mode:0x21 pt-fup:0x400094 pt-tnt:T pt-cyc:40 pt-tnt:N pt-mode:0x22 pt-fup:0x400089 pt-tip:0x400090 pt-cbr:10 \
		pt-mwait:0x60:1 pt-pwre:0x2080 pt-exstop:0 pt-exstop-ip:0 pt-fup:0x400091 pt-pwrx:0x422 pt-fup:0x400091 pt-tip:0x400080 \
		pt-fup:0x400082 pt-pgd:0,0 pt-pge:0x40008b pt-pgd:0,0; } | mkdata x.data
	$PERF script --itrace=bxwp -F event,ip,addr,flags,insnlen,ipc,synth -i x.data > events
	expect events
	$PERF script --itrace=i1i -F event,ip,addr,flags,insnlen,ipc,synth -i x.data > insns
	expect insns
	$PERF script --itrace=bp --json -F +flags,+ipc,+synth -i x.data > json
	says "\"flags\": \"tr strt jmp\"" json
	says "\"synth\": \"psb offs: 0\"" json
	says "\"ipc-cycles\": 100" json
'
check 'cycles are those of the first branch of a packet; with A also of the first line after it' '
	{ config=0x2402 before; trace $start pt-pge:0x400080 pt-cyc:100 pt-tnt:NTTTT pt-cyc:40 pt-tnt:TN pt-tip:0x40008b pt-pgd:0,0; } |
		mkdata x.data
	for letters in b Ab; do
		$PERF script --itrace=$letters -F ip,ipc -i x.data | sed -n "s/^ *4000\([0-9a-f]*\).*(\(.*\)).*/\1 \2/p" > $letters
	done
	printf "%s\n" "87 13/140" | same - b
	printf "%s\n" "94 6/100" "87 7/40" | same - Ab
'
check 'without CYC packets cycles are those of the instruction at a PSB, too' '
	{ config=0x2400 before; trace $start pt-tma:62:3 pt-psbend:0 pt-pge:0x400080 pt-mtc:63 pt-tnt:NT pt-psb:0 pt-tsc:1100 pt-mode:1 \
		pt-fup:0x400087 pt-psbend:0 pt-tnt:T pt-fup:0x400082 pt-pgd:0,0; } | mkdata x.data
	$PERF script --itrace=y0ns --ns -F time,ip,ipc -i x.data 2> err | sed -n "s/^ *\(.*:\) *4000\([0-9a-f]*\).*(\(.*\)).*/\1 \2 \3/p" > out
	printf "%s\n" "0.000001013: 91 4/13" "0.000001100: 87 3/87" | same - out
	silent_about trace err
'
check 'only the first branch after a CYC packet uses its cycles; where the trace begins again, those of a branch that was not taken' '
	{ config=0x2402 before; trace $start pt-pge:0x400080 pt-cyc:100 pt-tnt:N pt-tnt:T pt-cyc:40 pt-tnt:TTT pt-cyc:5 pt-tnt:N \
		pt-tip:0x40008b pt-pgd:0,0 pt-cyc:9 pt-pge:0x400080 pt-tnt:T; } | mkdata x.data
	$PERF script --itrace=b -F ip,ipc -i x.data | sed -n "s/^ *\([0-9a-f]*\).*(\(.*\)).*/\1 \2/p" > out
	printf "%s\n" "400087 7/140" "0 8/5" | same - out
'
check 'without CYC packets, samples have the cycles at the last packet whose first branch was taken' '
	{ config=0x2400 before; trace $start pt-tma:62:3 pt-psbend:0 pt-pge:0x400080 pt-mtc:63 pt-tnt:NTTT pt-mtc:64 pt-tnt:TTTTT \
		pt-mtc:65 pt-tnt:NTTNTTT pt-mtc:66 pt-tnt:TNT; } | mkdata x.data
	$PERF script --itrace=y3i -F ip,ipc -i x.data | sed -n "s/^ *4000\([0-9a-f]*\).*(\(.*\)).*/\1 \2/p" > out
	printf "%s\n" "94 12/29" "87 27/32" | same - out
	$PERF script --itrace=b -F ip,ipc -i x.data | sed -n "s/^ *4000\([0-9a-f]*\).*(\(.*\)).*/\1 \2/p" > out
	printf "%s\n" "94 12/29" "94 26/32" | same - out
'
check_if GCC 'filters in shared objects see flags, instructions and cycles' '
	cat > f.c <<-\EOF
	#include <stdio.h>
	#include "perf_dlfilter.h"
	int filter_event(void *data, const struct perf_dlfilter_sample *s, void *ctx)
	{
		printf("%s %x %llu %llu\n", s->event, s->flags, s->insn_cnt, s->cyc_cnt);
		return 1;
	}
	EOF
	gcc -shared -fPIC -I "$SRC/util/script" -o f.so f.c
	{ config=0x2402 before; trace $start pt-pge:0x400080 pt-cyc:100 pt-tnt:T pt-cyc:40 pt-tnt:TTN pt-tip:0x40008b pt-pgd:0,0; } |
		mkdata x.data
	$PERF script --itrace=bp --dlfilter ./f.so -i x.data | sed "s/branches:u/b/" > dlfilter
	expect dlfilter
'
# a line for each call chain
join_chains() {
	awk 'NF { s = s (s ? "<" : "") substr($1, 5); next } s { print s; s = "" } END { if (s) print s }'
}
check 'call chains: calls, returns, interrupts, depth; a call that is known only from the piece before' '
	{ before; trace $start pt-pge:0x400080 pt-tnt:N pt-fup:0x400094 pt-tip:0x400090 pt-tnt:T pt-fup:0x400094 pt-tip:0x400080 \
		pt-tnt:TTN pt-tip:0x40008b pt-pgd:0,0; } | mkdata x.data
	$PERF script --itrace=i1ig -F ip -i x.data | join_chains > chains
	expect chains
	$PERF script --itrace=i1ig1 -F ip -i x.data | grep -c . > nr
	test "$(cat nr)" = "$(wc -l < chains)"
	# the call is before the PSB at which the second piece begins
	pad=0000000000000000000000000000000000000000000000000000000000000000
	for i in 1 2 3 4 5 6 7 8 9 10 11; do pad=$pad$pad; done
	{ before; trace $start pt-pge:0x400080 hex:$pad pt-tnt:N pt-psb:0 pt-tsc:2000 pt-mode:1 pt-fup:0x400094 pt-psbend:0 pt-fup:0x400094 \
		pt-tip:0x400080 pt-fup:0x400082 pt-pgd:0,0; } | mkdata x.data
	$PERF script --itrace=i1ig -F ip -i x.data | join_chains > pieces
	printf "%s\n" 80 82 "90<87" "91<87" "93<87" "80<94<87" | same - pieces
	$PERF report --itrace=i1i --stdio -g none -i x.data > /dev/null 2> err
	silent_about frame err
'
check 'last branches, also those of the piece before' '
	pad=0000000000000000000000000000000000000000000000000000000000000000
	for i in 1 2 3 4 5 6 7 8 9 10 11; do pad=$pad$pad; done
	{ before; trace $start pt-pge:0x400080 hex:$pad pt-tnt:N pt-psb:0 pt-tsc:2000 pt-mode:1 pt-fup:0x400094 pt-psbend:0 pt-fup:0x400094 \
		pt-tip:0x400080 pt-fup:0x400082 pt-pgd:0,0; } | mkdata x.data
	$PERF script --itrace=i2il -F ip,brstack -i x.data | sed "s/0x//g; s/4000//g; s,/-/-/-/0//-,,g; s/  */ /g; s/^ //; s/ *$//" > out
	printf "%s\n" "82 0/80" "91 82/90 0/80" "80 94/80 82/90 0/80" | same - out
	$PERF script --itrace=i2il1 -F ip,brstack -i x.data | sed "s/0x//g; s/4000//g; s,/-/-/-/0//-,,g; s/  */ /g; s/^ //; s/ *$//" > out
	printf "%s\n" "82 0/80" "91 82/90" "80 94/80" | same - out
	fails_with 1 $PERF script --itrace=i2i -F ip,brstack -i x.data > out 2> err
	says "--itrace=il decodes those of the trace" err
'
check 'quick decoding needs no code: packets with an address; with qq only those of PSB packets' '
	{ before | sed "/^mmap2/d"; trace $start pt-pge:0x400080 pt-tnt:TTT pt-tip:0x40008b pt-mode:0x21 pt-fup:0x400093 \
		pt-tip:0x400090 pt-fup:0x400094 pt-tip:0x400080 pt-psb:0 pt-tsc:2000 pt-cbr:10 pt-mode:1 pt-fup:0x400082 pt-psbend:0 \
		pt-fup:0x400091 pt-pgd:0,0; } | mkdata x.data
	test "$(list qi1i)" = "80 8b 93 90 94 80 82 91 "
	test "$(list qqi1i)" = "82 "
	test "$(list qb)" = "0>80 94>80 91>0 "
	test "$(list qc)" = "94>80 91>0 "
	test "$(list qr)" = "0>80 "
	silent_about "left out" err
	$PERF script --itrace=qpx -F event,ip,flags -i x.data | sed "s/  */ /g; s/ *$//" > out
	printf " %s\n" "psb: 0" "cbr: 0" "transactions:uh: (x) 400093" "psb: 400082" "cbr: 400082" | sed s/:uh// > want
	sed s/:uh// out | same want -
	$PERF script --itrace=qi1igl -F ip -i x.data 2>&1 > out | tee err > /dev/null
	says "--itrace: Intel PT has no events for the letters g, l" err
	test "$(tr -d " " < out | tr "\n" " ")" = "400080 40008b 400093 400090 400094 400080 400082 400091 "
'
check 'fields that only the samples of the trace have can be asked for' '
	{ echo "event cycles type=0 config=0 sample=ip|tid|time|identifier ids=9 flags=sample_id_all"; before
	  echo "sample ev=cycles id=9 ip=0x400080 tid=100 time=12"; trace $start $loop; } | mkdata x.data
	test "$(list b | wc -w)" = 9
	says ">80" out
'
check 's leaves out the first samples by time, of all threads and events together' '
	other() { trace "$@" | sed "s/tid=100/tid=200/; s/idx=0/idx=1/"; }
	{ before; trace $start pt-pge:0x400080 pt-tsc:3000 pt-tnt:TTTNTN pt-tip:0x40008b pt-tsc:5000 pt-pgd:0,0
	  other pt-psb:0 pt-tsc:2000 pt-cbr:20 pt-mode:1 pt-psbend:0 pt-pge:0x500000 pt-tsc:4000 pt-tip:0x500010 pt-pge:0x400080 \
		pt-fup:0x400082 pt-tsc:6000 pt-pgd:0,0; } | mkdata x.data
	script bp
	cp out all
	for nr in 1 5 9 12 14; do
		for j in 1 2; do
			script bps$nr
			tail -n +$((nr + 1)) all | same - out
		done
		$PERF script --itrace=ebps$nr -i x.data 2> err > rows
		test "$(grep -c "code 5" rows)" = 2
	done
	script bps1000
	test ! -s out
	$PERF script --itrace=i2is2b -F ip -i x.data > out 2> err
	$PERF inject --itrace=i2is2b --strip -i x.data -o y.data 2> err
	$PERF script -F ip -i y.data | same out -
	test -s out
	$PERF report -D -i y.data > dump
	silent_about FINISHED_INIT dump
'
check 'Z: samples without times, in the order of the trace' '
	{ before; trace $start pt-pge:0x400080 pt-tsc:3000 pt-tnt:TTTNTN pt-tip:0x40008b pt-tsc:2000 pt-pgd:0,0; } | mkdata x.data
	$PERF script --itrace=b -F ip,addr -i x.data > want
	$PERF script --itrace=Zb -F ip,addr -i x.data > out
	same want out
	$PERF script --itrace=Zb -i x.data > out
	test "$(sed -n "1s/ *1  *branches.*//p" out | tr -s " ")" = " pttest 100"
'
check 'configuration: how long a loop may be, and marks of last branches' '
	{ before; trace $start pt-pge:0x400095 pt-tnt:T; } | mkdata x.data
	printf "[intel-pt]\n\tmax-loops = 7\n\tmispred-all = on\n" > config
	PERF_CONFIG=config $PERF script --itrace=b -F ip -i x.data > out 2> err
	test "$(wc -l < out)" = 8
	PERF_CONFIG=config $PERF script --itrace=i3il1 -F ip,brstack -i x.data > out 2> err
	says "0x400095/0x400095/M/-/-/0//-" out
	$PERF script --itrace=i3il1 -F ip,brstack -i x.data > out 2> err
	says "0x400095/0x400095/-/-/-/0//-" out
'
check 'inject writes the samples in place of the trace; --strip leaves the others out' '
	{ echo "event cycles type=0 config=0 sample=ip|tid|time|identifier ids=9 flags=sample_id_all"; before
	  echo "sample ev=cycles id=9 ip=0x400080 tid=100 time=12"
	  trace $start $loop pt-pge:0x500000 pt-tnt:T pt-pgd:0,0; } | mkdata x.data
	$PERF inject --itrace=i2il --strip -i x.data -o y.data 2> err
	says "the code of their program is missing" err
	$PERF script -F ip,brstack,time -i y.data > out
	test "$(wc -l < out)" = 7
	$PERF script --itrace=i2il -F ip,time -i x.data 2> err | sed 1d > want
	$PERF script -F ip,time -i y.data | same want -
	$PERF report -D -i y.data > dump
	silent_about AUXTRACE_INFO dump
	silent_about "RECORD_AUXTRACE " dump
	$PERF inject --itrace=ew -i x.data -o y.data 2> err
	says "no events for the letters w" err
	$PERF script -i y.data > out 2> err
	says "code 5: Failed to get instruction" out
	says cycles out
	silent_about trace err
'
check '--insn-trace shows every instruction, --call-ret-trace calls and returns' '
	{ before; trace $start $loop pt-tsc:2000 pt-pgd:0,0; } | mkdata x.data
	$PERF script --insn-trace -F ip,insn -i x.data | sed "s/ *//; s/ *insn: /:/; s/ *$//" > out
	sed -n 1,3p out > first
	printf "%s\n" "400080:31 c0" "400082:e8 09 00 00 00" 400090:90 | same - first
	test "$(wc -l < out)" = 15
	$PERF script --call-ret-trace -i x.data > out
	sed -n "s/^.*0.00000[0-9]*:  *//p" out | grep -v "psb\|cbr" | sed "s/  */ /g; s,$(pwd)/,," > calls
	tab=$(printf "\t")
	cat > want <<-END
	tr strt jmp ([unknown])${tab}400080 
	call (prog)${tab} 400090 
	return (prog)${tab} 400094 
	call (prog)${tab} 400090 
	return (prog)${tab} 400094 
	tr end syscall (prog)${tab} 
	END
	same want calls
	grep -o "${tab} *" out | awk "{ print length(\$0) }" | tr "\n" " " > indent
	test "$(cut -d " " -f 2-5 indent)" = "5 5 5 5"
	$PERF script --call-trace --json -i x.data > json
	says "\"call-depth\": 0" json
	$PERF script --call-trace -F event -i x.data > out
	test "$(grep -c branches out)" = 3
'
check 'packets that do not match the code: the rest is left out, until a packet says where it goes on' '
	{ before; trace $start pt-pge:0x400080 pt-tnt:TT pt-tip:0x400090 pt-tnt:T pt-fup:0x400094; } | mkdata x.data
	test "$(list b)" = "0>80 82>90 91>94 94>87 0>90 91>94 "
	says "1 places of the trace are left out: the packets do not match the code" err
	# a return that nothing was called for
	{ before; trace $start pt-pge:0x400094 pt-tnt:T pt-tip:0x400080,6 pt-fup:0x400082; } | mkdata x.data
	test "$(list i1i)" = "80 "
	says "1 places of the trace are left out: the packets do not match the code" err
	# code that never ends, is missing, or no code
	{ before; trace $start pt-pge:0x400095 pt-tnt:T pt-pge:0x500000 pt-tnt:T pt-pge:0x400097 pt-tnt:T pt-pge:0x400080 pt-fup:0x400082; } |
		mkdata x.data
	test "$(list b | cut -c 1-16)" = "0>95 95>95 95>95"
	says "1 places of the trace are left out: the code goes on without a packet" err
	says "2 places of the trace are left out: the code of their program is missing" err
	# overflow: an FUP says where it goes on; and damage, until the next PSB
	{ before; trace $start pt-pge:0x400080 pt-ovf:0 pt-fup:0x400090 pt-tnt:T hex:02ff pt-tnt:T pt-psb:0 pt-tsc:1000 pt-mode:1 \
		pt-fup:0x400080 pt-psbend:0 pt-fup:0x400082; } | mkdata x.data
	test "$(list b)" = "0>80 0>90 91>94 "
	says "1 times the processor could not write the trace fast enough" err
	says "1 places of the trace are damaged" err
'
# errors LETTERS: the rows of errors, without what is the same in all of them
errors() {
	$PERF script --itrace=$1 -i x.data 2> err | sed -n "s/^ instruction trace error type 1 time 0.00000\([0-9]*\) cpu \(-*[0-9]*\) pid 100 tid 100 ip \(0x\)*/\1 \2 /p"
}
check 'each place that is left out is a row: when, where and why; -o and -l leave rows out' '
	{ before; echo "aux offset=0 size=64 flags=1 tid=100 time=1500 s_id=10"
	  trace $start pt-pge:0x400080 pt-tnt:TT pt-tip:0x400090 pt-ovf:0 pt-tsc:2000 pt-fup:0x400090 hex:02ff pt-tnt:T pt-psb:0 \
		pt-tsc:3000 pt-mode:1 pt-fup:0x400089 pt-psbend:0 pt-tip:0x500000 pt-tnt:T pt-tip:0x500010 pt-tnt:T pt-tip:0x400095 pt-tnt:T \
		pt-tsc:4000 pt-pgd:0,0; } | mkdata x.data
	errors e > out
	cat > want <<-END
	1012 -1 400087 code 6: Trace doesn\047t match instruction
	1010 -1 400090 code 7: Overflow packet
	1500 0 0 code 8: Lost trace data
	2000 -1 400090 code 3: Bad packet
	3002 -1 500000 code 5: Failed to get instruction
	3000 -1 400095 code 10: Never-ending loop (refer perf config intel-pt.max-loops)
	END
	printf "$(cat want)\n" | same - out
	errors e-o-l | wc -l > nr
	test "$(cat nr)" = $(($(wc -l < out) - 2))
	test "$(errors bi1i)" = ""
	says "1 times the processor could not write the trace fast enough" err
	says "% of the traced time)" err
	says "no code of [unknown] for 2 places of the trace: no file was mapped there" err
	$PERF script --json -i x.data 2> /dev/null > json
	says "\"message\": \"Overflow packet\"" json
	$PERF report --stdio -i x.data 2> err > /dev/null
	says "a larger one, such as -m ,64M" err
	# a file without the program says why its code is not there
	sed -i "s,$(pwd)/prog,$(pwd)/gone," x.data
	errors e > /dev/null
	says "gone: No such file or directory" err
'
check 'a file without the program: no invented rows; a trace whose reference is 0' '
	{ before | sed "/^mmap2/d"; reference=0; trace $start $loop; } | mkdata x.data
	test "$(list i1i)" = ""
	test "$(list b)" = "0>80 0>8b "
	says "the code of their program is missing" err
	$PERF script --no-itrace -i x.data > out 2> err
	silent_about trace err
	silent_about decode err
'
check 'any cut into AUXTRACE records and any -j give the same samples; no instruction is lost between pieces' '
	h=fe
	for i in 1 2 3 4 5 6 7 8 9 10 11; do h=$h$h; done
	# 40 x 4096 times around the loop, in 82 KB
	many() {
		for i in $(seq 40); do
			printf " pt-psb:0 pt-tsc:%s pt-mode:1 pt-fup:0x400080 pt-psbend:0 hex:%s" $((i * 100000)) $h
		done
	}
	{ before; trace $start pt-pge:0x400080 $(many) pt-tnt:NTN pt-tip:0x40008b pt-pgd:0,0; } | mkdata x.data
	for letters in i1000i i10us; do
		j=1 script $letters
		mv out want.$letters
		for j in 2 4; do
			script $letters
			same want.$letters out
		done
	done
	test "$(wc -l < want.i1000i)" -eq $(((40 * 4096 * 6 + 9) / 1000))
	$PERF report --itrace=b --stdio -s sym -i x.data > out
	says "Event count (approx.): $((40 * 4096 * 4 + 5))" out
	$PERF report --itrace=i1000i --stdio -i x.data > out
	says "Event count (approx.): 983000" out
	# the payload again, in records of 32749 bytes
	$PERF report -D -i x.data | sed -n "s/^\.  [0-9a-f]\{8\}:  \([0-9a-f ]*[0-9a-f]\) .*/\1/p" | tr -d " \n" | fold -w 65498 > hex
	{ before; n=0; while read -r l || test -n "$l"; do off=$n trace hex:$l; n=$((n + 32749)); done < hex; } | mkdata x.data
	for letters in i1000i i10us; do
		script $letters
		same want.$letters out
	done
'
have_LIBIPT() {
	$PERF check feature libipt > /dev/null 2>&1 || { echo "built without libipt"; return 1; }
}
# second LETTERS: what libipt decodes is what perf decodes
second() {
	for letters; do
		$PERF script --itrace=$letters -F ip,addr,flags,insnlen -i x.data > own 2> own.err
		PERF_CONFIG=config $PERF script --itrace=$letters -F ip,addr,flags,insnlen -i x.data > other 2> err
		same own other || { echo "$letters"; return 1; }
	done
}
check_if LIBIPT 'libipt decodes the same' '
	printf "[intel-pt]\n\tdecoder = libipt\n" > config
	{ before; trace $start $loop pt-tsc:2000 pt-pgd:0,0; } | mkdata x.data
	second b i1i i4i cr i2il4
	test -s other
	{ before; trace $start pt-pge:0x400080 pt-fup:0x400090 pt-tip:0x400080 pt-fup:0x400082 pt-pgd:0,0 pt-pge:0x400082 pt-tnt:NT \
		pt-tnt:N pt-tip:0x40008b pt-pgd:0,0; } | mkdata x.data
	second b i1i
	# after an overflow both go on at the same address, by an FUP or where the trace begins again
	{ before; trace $start pt-pge:0x400080 pt-tnt:TT pt-ovf:0 pt-fup:0x400090 pt-tnt:T pt-tip:0x400080 pt-tnt:T pt-ovf:0 \
		pt-pge:0x400091 pt-tnt:N pt-pgd:0,0; } | mkdata x.data
	$PERF script --itrace=i1i -F ip -i x.data > own 2> err
	PERF_CONFIG=config $PERF script --itrace=i1i -F ip -i x.data 2> err | same own -
	test "$(wc -l < own)" = 15
	{ config=0x2c00; before; trace $start pt-pge:0x400080 pt-tnt8:T pt-tip:0x400087 pt-tnt:T \
		pt-psb:0 pt-tsc:1500 pt-mode:1 pt-fup:0x400090 pt-psbend:0 pt-tnt:N pt-tip:0x400087 pt-pgd:0x400080; } | mkdata x.data
	second b i1i
	$PERF script --itrace=i1ig -F ip -i x.data > own 2> err
	PERF_CONFIG=config $PERF script --itrace=i1ig -F ip -i x.data | cmp - own
	PERF_CONFIG=config $PERF report --itrace=i1i --stdio -s dso -i x.data > out 2>&1
	says "# Samples: 13 " out
'
check_if LIBIPT 'libipt says where code is missing, or the trace damaged' '
	printf "[intel-pt]\n\tdecoder = libipt\n" > config
	{ before; trace $start $loop pt-tip:0x700000 pt-tnt:T; } | mkdata x.data
	PERF_CONFIG=config $PERF script --itrace=be -F ip,addr -i x.data > out 2> err
	says "code 5: Failed to get instruction" out
	says "the code of their program is missing" err
	{ before; trace $start $loop hex:0203ffff $start $loop; } | mkdata x.data
	PERF_CONFIG=config $PERF script --itrace=i1i -F ip -i x.data > out 2> err
	says "400080" out
'
check 'decoders that are not there' '
	{ before; trace $start $loop; } | mkdata x.data
	printf "[intel-pt]\n\tdecoder = other\n" > config
	PERF_CONFIG=config not $PERF script --itrace=b -i x.data 2> err
	says "is not a decoder of Intel PT" err
'
