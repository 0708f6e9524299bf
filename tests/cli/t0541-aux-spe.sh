#!/bin/sh
# Arm SPE: packets in the dump, samples of synthesized events, and what is said of damage.
# threads
. "$(dirname "$0")/lib.sh"

# before [CPUID]: what comes before the trace
before() {
	cat <<-END
	event arm_spe_0// type=9 config=0x300000001 period=1024 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
	event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
	feature arch str:"aarch64"
	feature cpuid str:"${1-0x00000000410fd0c0}"
	feature auxtrace u64:0
	time_conv time_shift=1 time_mult=4 time_zero=100
	auxtrace_info auxtrace_type=4 priv=9,1
	comm ev=dummy:u tid=100 comm="spetest" time=1000 s_id=11
	comm ev=dummy:u tid=200 comm="other" time=1000 s_id=11
	mmap2 ev=dummy:u tid=100 addr=0x400000 len=0x10000 prot=5 flags=2 filename="/bin/spetest" time=1001 s_id=11
	END
}
# trace PACKETS: an AUXTRACE record of CPU 0
trace() {
	echo "auxtrace offset=${off-0} reference=9 idx=0 tid=-1 cpu=0 $*"
}
load="spe-pc:0x400100 spe-context:100 spe-ldst:0 spe-events:0x16 spe-va:0x7f0012345678 spe-pa:0x81234678:128 spe-latency:300
	spe-issue:20 spe-translation:5 spe-source:8 spe-time:2000"
branch="spe-pc:0x400200 spe-context:100 spe-branch:3 spe-events:0x82 spe-target:0x400800 spe-latency:30 spe-time:2100"
store="spe-pc:0xffff800000000300:1 spe-context:200 spe-ldst:1 spe-events:0x52e spe-va:0xff0000000010 spe-latency:9 spe-time:2200"
far="spe-pc:0x400300 spe-ldst:0 spe-events:0x73e spe-va:0x7f0012345680 spe-time:2300"
other="spe-pc:0x400400 spe-context:100 spe-other:0 spe-events:2 spe-end:0"
fields=comm,pid,tid,cpu,time,event,period,ip,addr,phys_addr,data_src,weight

check 'each packet and each word of AUXTRACE_INFO by name' '
	{ before; trace $load spe-target:0x1:1 spe-previous:0x1234:2 spe-context-el2:7 spe-source2:0x123 spe-address9:5 spe-counter9:7 \
		spe-other:0x0e spe-other:1 spe-other:6 spe-ldst:4 spe-ldst:0x1e spe-ldst:0xdd spe-ldst:0x25 spe-branch:9 \
		spe-branch:0x17 spe-branch:0x18 spe-events1:0xff spe-events4:0xffffff00 spe-events8:0x8000000000000000 spe-pad:0 \
		spe-pad:0 spe-pad:0 spe-end:0 hex:ff spe-align:0 spe-align:0 hex:4b0371; } | mkdata x.data
	for cmd in report script; do
		$PERF $cmd -D -i x.data > out
		sed -n "/SPE data/,/^$/p" out > packets
		expect packets
		says "PMU Type           :9" out
		says "Per CPU mmaps      :1" out
	done
	$PERF report -D --json -i x.data > json
	says "\"packet\": \"LAT 300 TOT\"" json
	says "\"pmu-type\": 9" json
'
check 'samples of each event, with time, thread, addresses, latency and data source' '
	{ before; echo "switch ev=arm_spe_0// tid=100 time=4400 cpu=0 s_id=10"; trace $load $branch $store $far $other; } | mkdata x.data
	$PERF script -F $fields -i x.data > out 2> err
	sed "s/ *\$//" out > samples
	expect samples
	test ! -s err
	$PERF report --stdio -s sym,mem --mem-mode -i x.data > out 2> err
	says "# Samples: 3  of event '"'"'memory'"'"'" out
	silent_about arm_spe out
'
check 'what branches did: conditional, calls, returns, indirect ones; not taken, mispredicted' '
	{ before; trace "$(for branch in 0:2 1:0x42 2:2 3:2 8:0x82 9:0xc2 10:2 16:2; do
		echo spe-pc:0x400100 spe-context:100 spe-branch:${branch%:*} spe-events:${branch#*:} spe-time:2000; done |
		tr "\n" " ")" $load; } | mkdata x.data
	$PERF script -F event,flags --itrace=b -i x.data | tr -d "\n" | tr -s " " > out
	echo " branch: jmp branch: jcc/not_taken/ branch: return branch: bro branch: call/miss/ branch: /miss,not_taken/ branch: call" \
		"branch: return " | tr -d "\n" | same - out
	$PERF script -F event,flags --itrace=fbi1i -i x.data | tail -2 | tr -d "\n" | tr -s " " > out
	printf " l1d-access: instructions: " | same - out
'
# packets that most records consist of have a way of their own
check 'long headers of packets mean what short ones mean' '
	{ before; trace $load $branch; } | mkdata short.data
	{ before; trace $load $branch; } | sed "s/spe-pc:0x400100/hex:20b00001400000000000/; s/spe-latency:300/hex:20982c01/
		s/spe-va:0x7f0012345678/hex:20b278563412007f0000/; s/spe-target:0x400800/hex:20b10008400000000000/
		s/spe-events:0x82/spe-events8:0x82/; s/spe-source:8/spe-source2:8/; s/spe-time:2000/spe-pad:0 spe-time:2000/" | mkdata long.data
	for f in short long; do
		$PERF script -F $fields -i $f.data > $f.out 2> err
		says "400800" $f.out
	done
	same short.out long.out
'
check 'words of the second version: a unit for each CPU, whose data sources are known by its MIDR' '
	unit=0x1010101010101010
	{ before; trace $load $store; } | mkdata v1.data
	{ before 0x00000000410fd030; trace $load $store; } | mkdata other.data
	{ before 0x00000000410fd030; trace $load $store; } |
		sed "s/priv=9,1/priv=2,4,9,2,$unit,1,4,0x410fd030,9,1024,5,$unit,0,4,0x410fd0c0,9,1024,0/" | mkdata v2.data
	for f in v1 v2 other; do
		$PERF script -F $fields -i $f.data > $f.out 2> err
		test -s $f.out
	done
	same v1.out v2.out
	not cmp -s v1.out other.out
	$PERF script -D -i v2.data > out
	says "  PMU type v2        :9" out
	says "    MIDR             :0x410fd0c0" out
	says "    Event Filter     :0x5" out
	# units that are cut off, or whose sizes are wrong, are not there
	for words in 2,4,9,2 2,4,9,1,$unit,0,99,0x410fd0c0,9 2,99,9,1,$unit,0,4,0x410fd0c0,9 2,4,9,1,$unit,0,0xffffffffffffffff; do
		{ before; trace $load; } | sed "s/priv=9,1/priv=$words/" | mkdata x.data
		$PERF script -F event,ip -i x.data > out 2> err
		says "memory:" out
		$PERF script -D -i x.data > out
		silent_about MIDR out
	done
'
check '--itrace chooses events and the period; --no-itrace none' '
	{ before; trace $load $branch $store $far $other; } | mkdata x.data
	for want in "f l1d-access,l1d-miss" "m llc-access,llc-miss" "t tlb-access,tlb-miss" "b branch" "a remote-access" "M memory" \
			"i instructions" "bM branch,memory" "c branch"; do
		$PERF script --itrace=${want% *} -F event -i x.data > out
		tr -d " :" < out | sort -u | tr "\n" "," > names
		test "$(cat names)" = "${want#* },"
	done
	$PERF script --itrace=i2i -F period,ip -i x.data > out
	printf "  2  400200\n  2  400300\n" > want
	tr -s " " < out | sed "s/^ //; s/ /  /; s/^/  /; s/ *$//" | same want -
	$PERF script --no-itrace -i x.data > out 2> err
	test ! -s out
	silent_about decode err
	fails_with 255 $PERF script --itrace=i100us -i x.data 2> err || fails_with 1 $PERF script --itrace=i100us -i x.data 2> err
	says "Arm SPE samples operations by their number" err
	$PERF script --itrace=Mg -i x.data > out 2> err
	says "Arm SPE has no events for the letters g" err
'
check 'data sources by CPU, and by events where they are not known' '
	one() {
		echo "spe-pc:0x400000 spe-context:100 spe-ldst:$1 $2 spe-va:9 spe-time:9"
	}
	for s in 0 8 9 10 11 12 13 14 15; do
		one 0 "spe-events:0x16 spe-source:$s"
	done > loads
	for e in 0x2 0x6 0xe 0x10e 0x30e 0x406 0x12 0x32 0x8000e 0x18000e 0x400006 0x40000e 0x80000e 0xa0000e; do
		one 0 spe-events4:$e
		one 1 spe-events4:$e
	done > events
	{ before; trace $(cat loads); } | mkdata x.data
	$PERF script --itrace=M -F data_src -i x.data | sed "s/ *\$//" > neoverse
	expect neoverse
	{ before 0x0000000051000000; trace $(cat events) $(one 0 "spe-events:0x16 spe-source:8"); } | mkdata x.data
	$PERF script --itrace=M -F data_src -i x.data | sed "s/ *\$//" > unknown
	expect unknown
'
check 'any cut into AUXTRACE records and any -j give the same samples' '
	{ before; i=0; while test $i -lt 400; do trace $load $branch $store; i=$((i + 1)); done; } > lines
	sed "s/^auxtrace .*cpu=0 //; t; d" lines | tr "\n" " " > packets
	{ before; trace $(cat packets | cut -c 1-60000); } | mkdata whole.data
	$PERF script --ns -F $fields -j1 -i whole.data > want
	test "$(wc -l < want)" -gt 1000
	# the payload again, in pieces of 37 bytes that follow each other
	{ before; trace $(cut -c 1-60000 packets); } > text
	mkdata x.data < text
	$PERF report -D -i x.data > dump
	sed -n "s/^\.  [0-9a-f]\{8\}:  \([0-9a-f ]*[0-9a-f]\) .*/\1/p" dump | tr -d " \n" | fold -w 74 > hex
	{ before; n=0; while read -r h || test -n "$h"; do echo "auxtrace offset=$n reference=9 idx=0 tid=-1 cpu=0 data=$h"; n=$((n + 37)); done < hex; } \
		| mkdata cut.data
	for j in 1 2 4; do
		$PERF script --ns -F $fields -j$j -i cut.data | same want -
	done
	$PERF report --stdio -i whole.data | grep -v "^#" > want
	$PERF report --stdio -j4 -i cut.data | grep -v "^#" | same want -
'
check 'a damaged place costs its record, and is counted; lost parts are told' '
	{ before; trace $load spe-pc:0x400500 hex:ffff spe-time:2000 $branch spe-pc:0x400700 hex:b0; } | mkdata x.data
	$PERF script --itrace=i -F ip -i x.data > out 2> err
	printf "400100\n400200\n" > want
	tr -d " " < out | same want -
	says "2 places of the trace are damaged and were skipped" err
	{ before; echo "aux ev=arm_spe_0// aux_size=64 flags=9 time=3 s_id=10"; trace $load; } | mkdata x.data
	$PERF script --itrace=i -F ip -i x.data > out 2> err
	says "buffer of the trace was full" err
	says "record with a larger period" err
'
check 'a trace without time stamps; of a thread; in the other byte order; from a pipe' '
	{ before | sed "s/0x300000001/0x300000000/"; echo "auxtrace reference=9 idx=0 tid=200 cpu=-1 spe-pc:0x400100 spe-ldst:0 spe-events:2 spe-end:0"; } | mkdata x.data
	$PERF script --itrace=i -F comm,tid,ip -i x.data > out
	says "other     200" out
	{ echo order big; before; trace $load; } | mkdata x.data
	{ before; trace $load; } | mkdata y.data
	$PERF script -F $fields -i x.data > big
	$PERF script -F $fields -i y.data | same big -
	test -s big
	{ echo format pipe; before; trace $load; } | grep -v "^feature" | mkdata x.data
	$PERF report --stdio -i - < x.data > out
	says "of event '"'"'memory'"'"'" out
'
check 'c2c and annotate read the samples' '
	{ before; trace $load $store; } | mkdata x.data
	$PERF c2c report --stdio -i x.data > out
	says "  Total records                     :          2" out
	says "  Load L2D hit                      :          1" out
'
