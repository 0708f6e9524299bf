#!/bin/sh
# Intel PT beside the newest upstream: the same packets in the dump.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST

check 'the same packets, also damaged ones, and the same words of AUXTRACE_INFO' '
	{ cat <<-END
	event intel_pt// type=8 config=0x2400 period=1 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
	feature arch str:"x86_64"
	feature auxtrace u64:0
	auxtrace_info auxtrace_type=1 priv=8,10,512,0,1,0x400,0x800,0,0,0,0x200,0x3c000,168,2,2,20,11,0x6d207265746c6966,0x6e6961,1
	END
	# each byte as the first one and as the second one of a packet
	for payload in 0102030405060708090a 00000000000000000000 fffefdfcfbfaf9f8f7f6; do
		for i in $(seq 2 255); do
			printf "auxtrace offset=0 reference=9 idx=0 tid=100 cpu=-1 hex:%02x$payload pt-psb:0\n" $i
			printf "auxtrace offset=0 reference=9 idx=0 tid=100 cpu=-1 hex:02%02x$payload pt-bep:0 pt-tnt:N\n" $i
		done
	done; } | mkdata x.data
	for p in ours:$PERF theirs:$NEWEST; do
		${p#*:} script -D -i x.data 2> /dev/null | grep -e "^\.  0[0-9a-f]\{7\}:" -e "Processor Trace data" > ${p%%:*}
		${p#*:} script -D -i x.data 2> /dev/null | grep -A 20 "AUXTRACE_INFO type" | grep "^  [PTCNHSMF]" > ${p%%:*}.words
	done
	test "$(wc -l < ours)" -gt 5000
	same theirs ours
	test -s ours.words
	same theirs.words ours.words
'
