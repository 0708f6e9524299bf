#!/bin/sh
# Hardware traces that are dumped, but have no samples: HiSilicon PTT, Power VPA DTL.
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
entry() {
	printf "%02x%02x0005%08x%08x%08x" "$1" "$2" 100 200 300
	printf "%064x" 0
}
check 'Power VPA DTL: reasons and times' '
	file 7 "$(entry 0 0)$(entry 9 4)$(entry 11 10)0102"
	times="enqueue_to_dispatch_time:100, ready_to_enqueue_time:200, waiting_to_ready_time:300"
	printf "%s\n" "dispatch_reason:external_interrupt, preempt_reason:unused, $times" \
		"dispatch_reason:expropriated_adjunct, preempt_reason:time_slice, $times" "dispatch_reason:11, preempt_reason:10, $times" > want
	grep -o "dispatch_reason.*" dump | same want -
	says "entry without its end" dump
	says "VPA DTL PMU data: size 146 bytes" dump
'
check 'without -D users are told that there are no samples' '
	file 6 00010203
	$PERF script -i x.data > out 2> err
	says "holds a HiSilicon PTT trace, which this perf does not decode" err
	$PERF script -i x.data --dump-aux raw 2> err
	says "HiSilicon PTT" raw/trace.json
	printf "\000\001\002\003" | cmp - raw/cpu-0-0.aux
'
