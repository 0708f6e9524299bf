#!/bin/sh
# Intel PT: packets in the dump, and the words of AUXTRACE_INFO.
. "$(dirname "$0")/lib.sh"

words=8,10,512,0,1,0x400,0x800,0,0,0,0x200,0x3c000,168,2,2,20
# before [WORDS]: what comes before the trace
before() {
	cat <<-END
	event intel_pt// type=8 config=0x2400 period=1 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
	event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
	feature arch str:"x86_64"
	feature auxtrace u64:0
	auxtrace_info auxtrace_type=1 priv=${1-$words,0,0}
	END
}
# trace PACKETS: an AUXTRACE record of thread 100
trace() {
	echo "auxtrace offset=${off-0} reference=${reference-9} idx=0 tid=100 cpu=-1 $*"
}

check 'each packet by name' '
	{ before
	trace pt-psb:0 pt-tsc:0xff665544332211 pt-tma:0x2211:0x133 pt-mode:0x01 pt-mode:0x02 pt-mode:0x04 pt-mode:0x20 pt-mode:0x21 \
		pt-mode:0x22 pt-pip:0x3fd43401 pt-vmcs:0x504030201 pt-cbr:0xa14 pt-fup:0x401000 pt-psbend:0 pt-pad:0 \
		pt-pge:0x401000 pt-tnt:T pt-tnt:TTNTNT pt-tnt8:TN pt-tnt:TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTN \
		pt-tip:0x1234,1 pt-tip:0x12345678,2 pt-tip:0xffff81000000 pt-tip:0xffff81000000,4 pt-tip:0xffffffff81000000,6 \
		pt-tip:0,0 pt-pgd:0,0 pt-pge:0,0 pt-fup:0,0 pt-mtc:0x11 pt-cyc:31 pt-cyc:32 pt-cyc:0x407fffffffffff pt-ovf:0 \
		pt-tracestop:0 pt-mnt:0x123456789abcdef pt-ptw4:10 pt-ptw:11 pt-ptw4-ip:0x4030201 pt-ptw-ip:0x807060504030201 \
		pt-exstop:0 pt-exstop-ip:0 pt-mwait:0xf0:1 pt-pwre:0x2380 pt-pwre:0xf103 pt-pwrx:0x2f31 \
		pt-bbp:1 hex:040102030405060708 hex:fc01000000000000ff pt-bep:0 pt-bbp:0x9f hex:04efbeadde pt-bep-ip:0 pt-tnt:N \
		pt-cfe:0x87:3 pt-cfe:3 pt-evd0:0x8877665544332211
	# bytes that are not a packet, and packets without their end
	trace hex:02 hex:a9 hex:02fe hex:9903 hex:99ff hex:ad11 hex:ffffffffffffffffffffff01 hex:02a3000000000000 hex:02c389
	for cut in 0203 024301 02a3ffff 02c38801 0282028202 2d12 cd11 19112233 59 99 07 ff 02630104; do
		trace hex:$cut
	done; } | mkdata x.data
	for cmd in report script; do
		$PERF $cmd -D -i x.data > out
		grep -e "^\.  0[0-9a-f]\{7\}:" -e "Processor Trace data" out > packets
		expect packets
	done
	$PERF report -D --json -i x.data > json
	says "\"packet\": \"TMA CTC 0x2211 FC 0x133\"" json
'
check 'each word of AUXTRACE_INFO by name, as far as there are words' '
	{ before $words,11,0x6d207265746c6966,0x6e6961,1; trace pt-psb:0; } | mkdata x.data
	$PERF script -D -i x.data > out
	sed -n "/AUXTRACE_INFO/,/^$/p" out | grep "^  " > words
	expect words
	{ before 8,10,512; trace pt-psb:0; } | mkdata x.data
	$PERF script -D -i x.data > out
	says "  Time Multiplier     512" out
	silent_about "Time Zero" out
	# a length of more than there is
	{ before $words,0xffffffffffffffff,0x4141414141414141; trace pt-psb:0; } | mkdata x.data
	$PERF script -D -i x.data > out
	says "  Filter string       AAAAAAAA" out
'
