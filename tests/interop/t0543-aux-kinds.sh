#!/bin/sh
# AMD IBS, Intel BTS, HiSilicon PTT, Power VPA DTL and s390 blocks beside the newest upstream: the same lines.
. "$(dirname "$0")/../cli/lib.sh"
. "$SRC/tests/cli/s390-lib.sh"
need NEWEST

# rows NR HIGH LOW: 40 samples with NR registers that look random; these bits are set in the first one
rows() {
	awk -v nr="$1" -v high="$2" -v low="$3" 'BEGIN {
		seed = 1
		for (n = 1; n <= 40; n++) {
			printf "sample tid=100 cpu=0 time=%d ip=0x401000 raw=\"\\x3f\\x01\\x00\\x00", 1000 + n
			for (w = 0; w < nr; w++)
				for (i = 0; i < 8; i++) {
					seed = (seed * 16807) % 2147483647
					byte = int(seed / 65536) % 256
					want = w ? 0 : int((i < 4 ? low : high) / 256 ^ (i % 4)) % 256
					for (bit = 1; bit < 256; bit *= 2)
						if (int(want / bit) % 2 && !(int(byte / bit) % 2))
							byte += bit
					printf "\\x%02x", byte
				}
			print "\""
		}
	}'
}
# ibs PMU CPUID REGISTERS HIGH LOW: a file
ibs() {
	cat <<-END
	event $1// type=11 config=0 period=100000 sample=ip|tid|time|cpu|raw|identifier ids=10 flags=sample_id_all
	feature arch str:"x86_64"
	feature nrcpus u32:4 u32:4
	feature cpuid str:"$2"
	feature pmu_mappings u32:3 u32:4 str:"cpu" u32:10 str:"ibs_other" u32:11 str:"$1"
	feature e_machine u32:62 u32:0
	END
	rows "$3" "$4" "$5"
}
registers() {
	"$@" script -D -i x.data 2> err | grep -a "^ib\|^Ibs\|^ic_"
}
check 'AMD IBS: registers' '
	for cpuid in AuthenticAMD,23,49,0 AuthenticAMD,25,1,1 AuthenticAMD,25,17,1 AuthenticAMD,26,2,1; do
		for zen4 in "" "feature pmu_caps u32:1 u32:1 str:\"zen4_ibs_extensions\" str:\"1\" str:\"ibs_op\""; do
			{ echo "$zen4"; ibs ibs_op $cpuid 8 0 393216; } | sed "1{h;d;}; /^feature cpuid/{x;p;x;}" | mkdata x.data
			registers $PERF > ours
			registers $NEWEST > theirs
			test "$(wc -l < ours)" -gt 160
			same theirs ours
			{ echo "$zen4"; ibs ibs_fetch $cpuid 4 196608 0; } | sed "1{h;d;}; /^feature cpuid/{x;p;x;}" | mkdata x.data
			registers $PERF > ours
			registers $NEWEST > theirs
			test "$(wc -l < ours)" -gt 80
			same theirs ours
		done
	done
'
# trace TYPE HEX: x.data, with the index of AUXTRACE records that upstream needs
trace() {
	text() {
		cat <<-END
		event x// type=9 config=0 period=1 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
		event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|comm
		feature arch str:"${4-aarch64}"
		feature nrcpus u32:4,4
		${cpuid+feature cpuid str:\"$cpuid\"}
		feature auxtrace u64:1,$1,48
		auxtrace_info auxtrace_type=$2 priv=9,1,2,3
		comm ev=dummy:u tid=100 comm="x" time=10 s_id=11
		auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=0 hex:$3
		END
	}
	text 0 "$1" "$2" | mkdata x.data
	$PERF report -D -i x.data > first
	text "$(sed -n 's/^\(0x[0-9a-f]*\)@x.data.*event: 71$/\1/p' first)" "$1" "$2" | mkdata x.data
}
texts() {
	"$@" script -D -i x.data 2> err | sed -n 's/^[.]  \([0-9a-f]\{8\}\):.*\(Format\|Header\|Prefix\|Time\|dispatch_reason\)/\1 \2/p'
}
check 'HiSilicon PTT, in both formats; upstream does not show the words Check and Reserved' '
	trace 6 0302010007060504"0b0a09080f0e0d0c"13121110ffffffffabcdef0112345678
	texts $PERF > ours
	texts $NEWEST > theirs
	test "$(wc -l < ours)" = 8
	same theirs ours
	trace 6 00f8ffff0100000002000000030000000400000005000000060000000700000000f8ffff010000000200000003000000040000000500000006000000ffffffff
	texts $PERF > ours
	texts $NEWEST > theirs
	test "$(wc -l < ours)" = 12
	same theirs ours
'
check 'Power VPA DTL: all reasons' '
	hex=$(for r in 0 1 2 3 4 5 6 7 8 9; do printf "%02x%02x0005%08x%08x%08x%016x%048x" $r $r $((r * 1000)) 200 300 400 0; done)
	trace 7 "$hex"
	text 0 7 "$hex" ppc64le | mkdata x.data		# without an index upstream only dumps
	texts $PERF > ours
	texts $NEWEST > theirs
	test "$(wc -l < ours)" = 10
	same theirs ours
'
check 's390 blocks: entries and trailers; upstream stops at a block that is not full, and leaves out H and LS' '
	base=d800000000000000 cpuid=IBM,3906,704,M03,3.5,6007
	entries() {
		i=0
		while test $i -lt 34; do basic $((0x1000100 + i)) $((0x28 + i % 8 * 2)) $((i % 4)) 0x7$i; diagnostic 85 $((i % 2)); i=$((i + 1)); done
	}
	trace 5 "$(block 85 d800000000001000 $base 5 "$(entries)")$(block 85 d800000000801000 $base 0 "$(entries)")"
	$PERF script -D -i x.data | sed -n "s/ H:[01] LS:[01]//; s/HPP:0x0000000000000000/HPP:000000000000000000/; s/GPP:0x0000000000000000/GPP:000000000000000000/
		s/^[.] .* \(Basic\|Diag\|Trailer\) /\1 /p" | sed "s/ *\$//" > ours
	$NEWEST script -D -i x.data 2> err | sed -n "/s390 AUX data/,/^$/p" | tr -d "\n" | sed "s/\t\t/ /g; s/ *\[[0-9a-fx]*\] /\n/g" |
		sed "s/0x[0-9a-f]*@x.data.*//" | grep "^[BDT]" | sed "s/ *\$//" > theirs
	test "$(wc -l < ours)" = 138
	same theirs ours
'
