#!/bin/sh
# Arm SPE beside the newest upstream: the same packets in the dump, and the same samples.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST

# make_file PACKETS: x.data, with the index of AUXTRACE records that upstream needs
make_file() {
	text() {
		cat <<-END
		event arm_spe_0// type=9 config=0x300000001 period=1024 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
		event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
		feature arch str:"aarch64"
		feature nrcpus u32:4,4
		feature cpuid str:"$cpuid"
		feature auxtrace u64:1,$1,48
		time_conv time_shift=0 time_mult=1 time_zero=0 cap=1
		auxtrace_info auxtrace_type=4 priv=9,1
		comm ev=dummy:u tid=100 comm="spetest" time=1000 s_id=11
		mmap2 ev=dummy:u tid=100 addr=0x400000 len=0x10000 prot=5 flags=2 filename="/bin/spetest" time=1001 s_id=11
		auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 $packets pad:8
		finished_round
		END
	}
	packets=$1
	text 0 | mkdata x.data
	$PERF report -D -i x.data > first
	text "$(sed -n 's/^\(0x[0-9a-f]*\)@x.data.*event: 71$/\1/p' first)" | mkdata x.data
}
compare() {
	$PERF script -F comm,pid,tid,cpu,time,event,period,ip,addr,phys_addr,data_src,weight -i x.data > ours
	$NEWEST script -F comm,pid,tid,cpu,time,event,period,ip,addr,phys_addr,data_src,weight -i x.data > theirs 2> err
	test -s ours
	same theirs ours
	$PERF report -D -i x.data | sed -n '/SPE data/,/^$/p' > ours
	$NEWEST report -D -i x.data 2> err | sed -n '/SPE data/,/^$/p' > theirs
	test -s ours
	same theirs ours
}
# access OPERATION PACKETS
access() {
	n=$((n + 1))
	echo "spe-pc:$((0x400000 + n * 16)) spe-context:100 spe-ldst:$1 $2 spe-va:$((0x10000 + n)) spe-pa:$((n * 64)):128 \
spe-latency:$n spe-time:$((2000 + n))"
}
n=0

check 'loads by data sources of Neoverse' '
	cpuid=0x00000000410fd0c0
	make_file "$(for s in 0 8 9 10 11 12 13 14 15; do access 0 "spe-events:0x16 spe-source:$s"; done | tr "\n" " ")"
	compare
'
check 'loads and stores by events' '
	cpuid=0x0000000051000000
	make_file "$(for e in 0x2 0x6 0xe 0x106 0x10e 0x30e 0x40e 0x406 0x12 0x32 0x22 0x402 0x302 0x102 0x8000e 0x18000e 0x20000e \
			0x80000e 0xa0000e 0x400002 0x40000e 0x8010e 0x18030e; do
		access 0 spe-events4:$e
		access 1 spe-events4:$e
	done | tr "\n" " ")"
	compare
'
check 'branches and other operations' '
	cpuid=0x00000000410fd0c0
	make_file "spe-pc:0x400200 spe-context:100 spe-branch:3 spe-events:0x82 spe-target:0x400800 spe-latency:30 spe-time:2100 \
		spe-pc:0x400400 spe-context:100 spe-other:0 spe-events:2 spe-time:2300 spe-pc:0x400400 spe-context:100 spe-other:1 \
		spe-events:2 spe-time:2301 spe-pc:0xffff800000400400:6 spe-context:100 spe-branch:2 spe-events:2 \
		spe-target:0xffff800000400400:5 spe-time:2302"
	compare
'
