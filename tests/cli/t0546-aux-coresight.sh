#!/bin/sh
# Arm CoreSight: words of AUXTRACE_INFO, frames, and packets of ETMv4 and ETE in the dump.
. "$(dirname "$0")/lib.sh"

v3=0x3030303030303030 v4=0x4040404040404040 ete=0x5050505050505050
# before WORDS: what comes before the trace
before() {
	cat <<-END
	event cs_etm// type=8 config=0x4000 period=1 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
	event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
	feature arch str:"aarch64"
	feature auxtrace u64:0
	auxtrace_info auxtrace_type=3 priv=$1
	END
}
# trace PACKETS: an AUXTRACE record of CPU 0
trace() {
	echo "auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 $*"
}
# with context IDs of 4 bytes, packets that commit, at most 3 atoms that are not committed
unit=$ete,0,9,0xc1,0x10,0,0,0x1088,3,0,0x47705a13,1

check 'each word of AUXTRACE_INFO by name, in both versions' '
	{ before "1,0x800000004,1,$unit,$v3,1,4,1,2,3,4,$v4,2,8,0x40,0x12,3,4,5,6,7,3,$v4,3,9,1,2,3,4,5,6,7,8,9"
	trace etm-async:0; } | mkdata x.data
	$PERF script -D -i x.data > out
	sed -n "/AUXTRACE_INFO/,/^$/p" out > words-1
	expect words-1
	{ before "0,0x800000003,0,$v4,0,1,0x10,3,4,5,6,7,$v3,1,1,2,3,4,$v4,2,1"; trace etm-async:0; } | mkdata x.data
	$PERF report -D -i x.data > out
	sed -n "/AUXTRACE_INFO/,/^$/p" out > words-0
	expect words-0
'
check 'each packet by name' '
	{ before "1,0x800000001,0,$unit"
	# trace info with each field; ASYNC, then addresses in each form, and three that were there before
	trace etm-async:0 hex:010101 hex:011f4102030405 etm-addr:0x7f8e58fd80 hex:95ef89 hex:9565 hex:96ef89 hex:9a46060550 \
		hex:9b46860550 hex:9e46860500c0ffffff hex:90 hex:91 hex:92 hex:8246060550b1 hex:2a000000 hex:8346860550e12a0000002b000000 \
		etm-context:0xffff000000001000,2,7 hex:8646860500c0ffffff39 hex:80 hex:8100 hex:8138 \
		hex:b0 hex:b1 hex:b2 hex:b4ef89 hex:b565 hex:b646060550 hex:b746060550 etm-source:0x401000 hex:b946060500c0ffffff \
		hex:04 hex:0003 hex:0005 hex:05 hex:07 hex:08 hex:0902efcdab8967452301 hex:0a hex:0b hex:88 hex:70 hex:71 hex:7f \
		hex:02ff01 hex:0281828384858687888f hex:0305818203 hex:0610 hex:0601 hex:061d hex:0658 hex:06bc01 hex:0600 \
		hex:f6 hex:f7 hex:d8 hex:d9 hex:da hex:db hex:f8 hex:fe hex:dc hex:dd hex:de hex:df hex:f5 hex:d5 hex:d6 hex:d7 \
		hex:c0 hex:d4 hex:e0 hex:f4 hex:0c25 hex:0dd5 hex:0d35 hex:0e0305 hex:0f03 hex:10 hex:1f \
		hex:2d05 hex:2e02 hex:2f03 hex:30 hex:31 hex:32 hex:33 hex:34 hex:35 hex:36 hex:37 hex:38 hex:3f \
		hex:a003 hex:a56503 hex:a6ef8903 hex:aa4606055004 hex:ab4686055004 hex:ac8501 hex:af hex:20 hex:2c hex:40 hex:6c05 hex:6d01 hex:5001 hex:00
	# bytes that are not a packet, and packets without their end
	trace etm-async:0 hex:0001 hex:93 hex:a3 hex:b3 hex:000000000000000000000081
	for cut in 0000 01 0181 02ff 06 0680 09 0d 0e01 81 81c0 82010203 95 9581 9d010203040506 2d a5; do
		trace etm-async:0 hex:${cut}
	done; } | mkdata x.data
	for cmd in report script; do
		$PERF $cmd -D -i x.data > out
		grep -e "^\.  0[0-9a-f]\{7\}:" -e "CoreSight trace data" -e "trace ID" out > packets
		expect packets
	done
	$PERF report -D --json -i x.data > json
	says "\"packet\": \"ATOM_F5 NEEEE\"" json
	says "\"name\": \"TRCDEVARCH\"" json
'
check 'ETMv4 has fewer packets than ETE; no commits where the trace unit makes none' '
	{ before "1,0x800000001,0,$v4,0,7,1,0x10,0x20000000,0,0x1088,0,0"; trace etm-async:0 hex:09 hex:0a hex:b1 hex:0c25 hex:0e05 hex:1f; } | mkdata x.data
	$PERF script -D -i x.data > out
	grep -e "^\.  0[0-9a-f]\{7\}:" out > etmv4
	expect etmv4
'
check 'packets of ETMv3 are not taken for others' '
	{ before "1,0x800000001,0,$v3,0,4,1,0x10,3,4"; trace etm-async:0 hex:f7f7; } | mkdata x.data
	$PERF script -D -i x.data > out
	says "packets of ETMv3 or PTM, which perf does not dump" out
	silent_about ATOM out
'
check 'frames: sources are taken apart, by ID bytes in any place; a barrier, bytes of nobody' '
	{ before "1,0x800000001,0,$unit"
	trace etm-frames:0x10,0,0,0,0,0,0,0,0,0,0,0,0x80,1,0 etm-frames:0x12,4,0xf7,0xf6,0,5,0,5,0,5,0,5,0,5,0xdb \
		hex:2104f6f725c2f624f7f7f604f60400f5 hex:ffffff7fffffff7fffffff7fffffff7f hex:040404040404040404040404040404ff; } | mkdata x.data
	$PERF script -D -i x.data > out
	grep -e "^\.  0[0-9a-f]\{7\}:" -e "trace ID" out > frames
	expect frames
'
