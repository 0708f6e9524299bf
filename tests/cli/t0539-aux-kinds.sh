#!/bin/sh
# Small hardware traces: HiSilicon PTT, which is dumped, but has no samples; Power VPA DTL.
. "$(dirname "$0")/lib.sh"

# file TYPE HEX: x.data with a trace of that type
file() {
	mkdata x.data <<-END
	event x// type=9 config=0 period=1 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
	event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|comm
	feature arch str:"aarch64"
	auxtrace_info auxtrace_type=$1 priv=9
	comm ev=dummy:u tid=100 comm="x" time=10 s_id=11
	auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:$2
	END
	$PERF script -D -i x.data > dump 2> err
	sed -n "/^[.]  0000[0-9a-f]*:/s/^[.]  \([0-9a-f]\{8\}\): [ 0-9a-f.]*  *\([A-Zcdew]\)/\1 \2/p" dump > packets
}

check 'HiSilicon PTT: packets of 4 words, and of 8' '
	file 6 0302010007060504"0b0a09080f0e0d0c"13121110ffffffff
	printf "%s\n" "00000000 Format 0 Type 0 T9 0 T8 0 TH 0 SO 0 Length 20 Time 203" "00000004 Header DW1" "00000008 Header DW2" \
		"0000000c Header DW3" "00000010 Format 0 Type 8 T9 0 T8 0 TH 0 SO 0 Length 222 Time 213" "00000014 Header DW1" > want
	same want packets
	says "HISI PTT data: size 24 bytes" dump
	says "  PMU Type           9" dump
	silent_about trace err
	file 6 00f8ffff0100000002000000030000000400000005000000060000000700000000f8ffff01
	printf "%s\n" "00000000 Check" "00000004 Prefix" "00000008 Header DW0" "0000000c Header DW1" "00000010 Header DW2" \
		"00000014 Header DW3" "00000018 Reserved" "0000001c Time" "00000020 Check" "00000024 word without its end" > want
	same want packets
'
# entry DISPATCH-REASON PREEMPT-REASON TIMEBASE; clock: the kernel's, 1000 ticks a second from 5000 on
entry() {
	printf "%02x%02x0005%08x%08x%08x%016x" "$1" "$2" 100 200 300 "$3"
	printf "%016x%s%016x" 0 c000000000001000 0
}
clock() {
	printf "8813000000000000e803000000000000%064x" 0
}
check 'Power VPA DTL: reasons and times' '
	file 7 "$(clock)$(entry 0 0 1)$(entry 9 4 1)$(entry 11 10 1)0102"
	times="enqueue_to_dispatch_time:100, ready_to_enqueue_time:200, waiting_to_ready_time:300"
	printf "%s\n" "dispatch_reason:external_interrupt, preempt_reason:unused, $times" \
		"dispatch_reason:expropriated_adjunct, preempt_reason:time_slice, $times" "dispatch_reason:11, preempt_reason:10, $times" > want
	grep -o "dispatch_reason.*" dump | same want -
	says "entry without its end" dump
	says "VPA DTL PMU data: size 194 bytes" dump
	says "boot_tb: 5000, tb_freq: 1000" dump
'
check 'Power VPA DTL: samples of dispatches, with the time since the machine booted' '
	file 7 "$(clock)$(entry 11 10 4000)$(entry 0 0 6500)$(entry 9 4 8000)0102"
	$PERF script -F pid,tid,cpu,time,event,period,synth,ip -i x.data > out 2> err
	times="enqueue_to_dispatch_time:100, ready_to_enqueue_time:200,waiting_to_ready_time:300, processor_id: 5 c000000000001000"
	line=" 0/0 [000] %s: 1 vpa-dtl: timebase: %u dispatch_reason:%s, preempt_reason:%s,\n$times\n"
	printf "$line" 0.000000 4000 11 10 1.500000 6500 external_interrupt unused 3.000000 8000 expropriated_adjunct time_slice > want
	sed "s/  */ /g" out > got
	same want got
	says "1 places of the trace are damaged" err
	$PERF report --stdio -s sym,pid -n -i x.data > table
	says "100.00%             3  [k] 0xc000000000001000        0:swapper" table
	file 7 "$(entry 0 0 6500)"
	$PERF script -F time,event -i x.data > timeless
	says "0.000000: " timeless
	$PERF inject --itrace -i x.data -o injected.data
	$PERF script -F synth -i injected.data > injected
	says "processor_id: 5" injected
'
check 'without -D users are told that there are no samples' '
	file 6 00010203
	$PERF script -i x.data > out 2> err
	says "holds a HiSilicon PTT trace, which this perf does not decode" err
	$PERF script -i x.data --dump-aux raw 2> err
	says "HiSilicon PTT" raw/trace.json
	printf "\000\001\002\003" | cmp - raw/cpu-0-0.aux
'
