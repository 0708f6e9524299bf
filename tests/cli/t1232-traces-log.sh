#!/bin/sh
# Intel PT: the debug log (letter d): packets, instructions, errors.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/pt-lib.sh"

{ config=0x2402 pt_before; pt_trace $pt_start pt-pge:0x400080 pt-cyc:100 pt-tnt:T pt-tsc:1500 pt-tnt:TN pt-tip:0x40008b pt-pgd:0,0 \
	pt-pge:0x500000 pt-tnt:T pt-pge:0x400080 pt-fup:0x400090 pt-pgd:0,0 pt-psb:0 pt-cbr:20 pt-psbend:0 hex:02ff; } | mkdata x.data

check 'packets with their bytes, instructions with their code, times and errors; the same from report' '
	$PERF script --itrace=ed -i x.data > out 2> err
	silent_about "no events" err
	sed "s, [^ ]*/prog, prog,; s/^event 0x[0-9a-f]*:/event:/" intel_pt.log > log
	expect log
	mv intel_pt.log script.log
	$PERF report --itrace=ed --stdio -j2 -i x.data > out 2> err
	same script.log intel_pt.log
	grep -c "^ERROR" intel_pt.log > nr
	test "$(cat nr)" = 2
'
check 'flags: only errors, standard output, records' '
	rm -f intel_pt.log
	$PERF script --itrace=ed+e -i x.data > out 2> err
	test "$(grep -c "Dumping debug log buffer" intel_pt.log)" = 2
	test "$(grep -c "End of debug log buffer dump" intel_pt.log)" = 2
	test "$(grep -c "^event" intel_pt.log)" = 0
	says "  00000010:  19 e8 03 00" intel_pt.log
	printf "[itrace]\n\tdebug-log-buffer-size = 200\n" > config
	PERF_CONFIG=config $PERF script --itrace=ed+e -i x.data > out 2> err
	silent_about "  00000010:  19 e8 03 00" intel_pt.log
	says "TNT T (1)" intel_pt.log
	cut -c 1 intel_pt.log | sort -u > first
	printf " \nD\nE\n" | same - first
	rm intel_pt.log
	$PERF script --itrace=ed+o -F event,ip,trace -i x.data > out 2> err
	says "  00000010:  19 e8 03 00" out
	says "event 0x" out
	says "instruction trace error" out
	$PERF script --itrace=ed+o-a -i x.data > out 2> err
	silent_about "event 0x" out
	says "Setting timestamp to 0x5dc" out
	$PERF script --itrace=ed+o+a -i x.data > out 2> err
	says "PERF_RECORD_AUXTRACE_INFO" out
	test ! -e intel_pt.log
'
check 'a log that cannot be written is an error; other kinds have none' '
	mkdir intel_pt.log
	fails_with 1 $PERF script --itrace=ed -i x.data 2> err
	says "cannot write the debug log intel_pt.log: Is a directory" err
	rmdir intel_pt.log
	if test -c /dev/full; then
		ln -s /dev/full intel_pt.log
		$PERF script --itrace=ed -i x.data > out 2> err
		says "writing the debug log intel_pt.log failed" err
		rm intel_pt.log
	fi
	{ echo "event a type=8 sample=ip|tid|time ids=1"; echo "auxtrace_info auxtrace_type=4 priv=8,0"; echo "auxtrace size=0 idx=0 tid=1 cpu=-1 spe-pad:0"; } | mkdata spe.data
	$PERF script --itrace=id -i spe.data > out 2> err
	says "Arm SPE has no events for the letters d" err
'
