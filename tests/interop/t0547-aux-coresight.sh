#!/bin/sh
# Arm CoreSight beside the newest upstream: the same instructions and branches.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST
. "$SRC/tests/cli/coresight-lib.sh"
program > prog

v4=0x4040404040404040 ete=0x5050505050505050
before() {
	cat <<-END
	event cs_etm// type=8 config=0x4000 period=1 sample=ip|tid|identifier ids=10 flags=sample_id_all|exclude_kernel
	event dummy:u type=software config=9 sample=ip|tid|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
	feature arch str:"aarch64"
	feature nrcpus u32:6 u32:6
	feature cpuid str:"0x00000000410fd030"
	feature auxtrace u64:1 u64:${at-0} u64:48
	auxtrace_info auxtrace_type=3 priv=1,0x800000001,0,$unit
	comm ev=dummy:u tid=100 comm="etmtest" s_id=11
	mmap2 ev=dummy:u tid=100 addr=0x400000 len=0x1000 prot=5 flags=2 filename="$(pwd)/prog" s_id=11
	itrace_start ev=cs_etm// pid=100 tid=100 s_id=10
	END
}
# framed PACKETS: an AUXTRACE record with them in frames of trace ID 0x10, the last one filled with events
framed() {
	{ echo "event a type=8 sample=ip"; echo "auxtrace_info auxtrace_type=3 priv=0"; echo "auxtrace $*"; } | mkdata packets.data
	$PERF script -D -i packets.data | sed -n "s/^\.  [0-9a-f]\{8\}:  \([0-9a-f ]*[0-9a-f]\) .*/\1/p" | tr " " "\n" |
		awk '{ printf "%s%s", NR % 14 == 1 ? " etm-frames:0x10,0x" : ",0x", $1 } END { while (NR++ % 14) printf ",0x71" }' > frames
	n=$(tr " " "\n" < frames | grep -c etm)
	echo "aux ev=cs_etm// aux_offset=0 aux_size=$((16 * n)) flags=0 tid=100 s_id=10"
	echo "auxtrace offset=0 reference=9 idx=0 tid=100 cpu=-1 $(cat frames)"
}
at() { echo "etm-addr:0x4000$1"; }
start="etm-async:0 hex:0100 hex:04 etm-context:0x400080,0"
loop="etm-atoms:ENE $(at 88) etm-atoms:EEEE $(at 88) etm-atoms:NE $(at 98) etm-atoms:E"
# made PACKETS: x.data, whose index has the offset of the AUXTRACE record
made() {
	framed "$@" > trace
	{ at=0; before; cat trace; } | mkdata x.data
	at=$($PERF script -D -i x.data 2> /dev/null | sed -n "s/.* \(0x[0-9a-f]*\) \[.*PERF_RECORD_AUXTRACE size.*/\1/p; s/^\(0x[0-9a-f]*\) \[.*PERF_RECORD_AUXTRACE size.*/\1/p")
	{ before; cat trace; } | mkdata x.data
}
# both FIELDS ARGS...: what both print of x.data. Upstream leaves out the branch with which the trace ends
both() {
	fields=$1
	shift
	$PERF script --symfs / "$@" -F $fields -i x.data 2> ours.err | tr -s " " > ours
	case "$*" in *itrace=b) sed -i "\$d" ours ;; esac
	$NEWEST script "$@" -F $fields -i x.data 2> theirs.err | tr -s " " > theirs
	same theirs ours
	test -s ours
}

check 'every instruction, every branch, and periods of instructions' '
	unit=$v4,0,7,0,0x10,0x28000ea1,0x4100f400,0x488,0,0xcc
	made $start $(for i in $(seq 300); do echo $loop; done)
	both ip,tid --itrace=i1i
	test "$(wc -l < ours)" = 4500
	both ip,addr --itrace=b
	both ip,period --itrace=i7i
	both ip,period --itrace=i1000i
'
check 'returns without an address' '
	unit=$v4,0,7,0x1000,0x10,0x28000ea1,0x4100f400,0x488,0,0xcc
	made $start $(for i in $(seq 300); do echo etm-atoms:ENEEEEENE $(at 98) etm-atoms:E; done)
	both ip --itrace=i1i
	both ip,addr --itrace=b
'
