#!/bin/sh
# Intel PT: samples of events that the processor writes into the trace (term aux-output, letter o).
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/pt-lib.sh"

fields="ip|tid|time|period|cpu|identifier|addr|weight"
events="event cycles:ppp type=0 config=0 period=10000 sample=$fields ids=9 flags=sample_id_all|aux_output"
# item ID VALUE: an item of a group, of 8 bytes
item() {
	printf "hex:%02x" $(($1 << 3 | 4))
	v=$2
	for i in 1 2 3 4 5 6 7 8; do
		printf "%02x" $((v & 255))
		v=$((v >> 8))
	done
	printf " "
}
# basic IP COUNTERS TIME: that group
basic() {
	printf "pt-bbp:4 "
	item 0 $1
	item 1 $2
	item 2 $3
}
# rows LETTERS
rows() {
	${perf-$PERF} script --ns --itrace=$1 -F event,time,ip,addr,period,weight -i x.data 2> err |
		sed "s/  */ /g; s/^ 0.00000//; s/:uh//; s/: cycles:*[p]*:/: cycles:/; s/instructions:*[p]*:/instructions:/; s/ *$//"
}

check 'address, time, memory; a record with an FUP; other groups and what is cut are left out' '
	{ pt_before; pt_trace $pt_start pt-pge:0x400080 pt-tnt:T pt-bbp:1 $(item 2 0x1111) $(basic 0x400091 1 1234) pt-bbp:5 \
		$(item 0 0x7fff1234) $(item 1 1) $(item 2 77) pt-bbp:8 $(item 0 5) pt-bep:0 pt-tsc:1500 pt-bbp:5 $(item 0 0x10) pt-bep-ip:0 \
		pt-fup:0x400094 pt-bep:0 pt-tnt:TN $(basic 0x400011 1 1700) pt-ovf:0 pt-psb:0 pt-tsc:2000 pt-mode:1 pt-psbend:0 pt-bep:0; } |
		mkdata x.data
	rows o > out
	printf "%s\n" "1234: 10000 cycles: 7fff1234 77 400091" "1500: 10000 cycles: 10 0 400094" | same - out
	rows obe > both
	test "$(grep -c branches both)" = 4
	$PERF report --itrace=o --stdio -s sym,dso -i x.data > report 2> err
	says "# Samples: 2  of event " report
	says "Event count (approx.): 20000" report
	silent_about "# Samples: 0" report
	$PERF inject --itrace=o --strip -i x.data -o y.data
	$PERF report --stdio -s sym -i y.data > report 2> err
	says "Event count (approx.): 20000" report
'
check 'several events: records of the kernel say whose counter it was' '
	events="$events
event instructions:ppp type=0 config=1 period=500 sample=$fields ids=8 flags=sample_id_all|aux_output"
	{ pt_before
	echo "aux_output_hw_id ev=cycles:ppp hw_id=2 time=14 cpu=0 s_id=9"
	echo "aux_output_hw_id ev=instructions:ppp hw_id=33 time=14 cpu=0 s_id=8"
	pt_trace $pt_start pt-pge:0x400080 $(basic 0x400080 4 1100) pt-bep:0 $(basic 0x400082 0x200000000 1200) pt-bep:0 \
		$(basic 0x400082 0x200000004 1300) pt-bep:0 $(basic 0x400082 1 1400) pt-bep:0; } | mkdata x.data
	rows o | sort > out
	cat > want <<-END
	1100: 10000 cycles: 0 0 400080
	1200: 500 instructions: 0 0 400082
	1300: 10000 cycles: 0 0 400082
	1300: 500 instructions: 0 0 400082
	END
	same want out
'
check_if NEWEST 'the rows of upstream' '
	{ pt_before; pt_trace $pt_start pt-pge:0x400080 pt-tnt:T $(basic 0x400091 1 1234) pt-bbp:5 $(item 0 0x7fff1234) $(item 2 77) \
		pt-bep-ip:0 pt-fup:0x400094 pt-tsc:1500 pt-bbp:4 $(item 0 0x400094) pt-bep:0; } | mkdata x.data
	rows oe > ours
	perf=$NEWEST rows oe > theirs
	same theirs ours
	test "$(wc -l < ours)" = 2
'
