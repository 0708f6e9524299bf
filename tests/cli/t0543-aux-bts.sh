#!/bin/sh
# Intel BTS: rows of branches in the dump, and as samples.
. "$(dirname "$0")/lib.sh"

before() {
	cat <<-END
	event intel_bts// type=9 config=0 period=1 sample=ip|tid|identifier ids=10 flags=sample_id_all
	event dummy:u type=software config=9 sample=ip|tid|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
	feature arch str:"x86_64"
	auxtrace_info auxtrace_type=2 priv=9,10,512,0,1,0
	comm ev=dummy:u tid=100 comm="btstest" s_id=11
	mmap2 ev=dummy:u tid=100 addr=0x400000 len=0x10000 prot=5 flags=2 filename="/bin/btstest" s_id=11
	END
}
trace() {
	echo "auxtrace offset=${off-0} reference=9 idx=0 tid=100 cpu=-1 $*"
}

check 'rows and words by name' '
	{ before; trace bts:0x401010,0x401000,0 bts:0x401020,0xffffffff81000000,16 hex:0102; } | mkdata x.data
	$PERF script -D -i x.data > out
	says ".  00000000:  10 10 40 00 00 00 00 00 00 10 40 00 00 00 00 00 00 00 00 00 00 00 00 00 401010 -> 401000 miss" out
	says " 401020 -> ffffffff81000000 pred" out
	says "row without its end" out
	says "  PMU Type           9" out
	says "  Time Multiplier    512" out
	says "  Snapshot mode      0" out
'
check 'a sample for each branch' '
	{ before; trace bts:0x401010,0x401000,0 bts:0x401020,0xffffffff81000000,16 bts:0xffffffff81000010,0x401030,0; } | mkdata x.data
	$PERF script -F comm,pid,tid,event,ip,addr -i x.data > out 2> err
	sed "s/  */ /g; s/^ //; s/ *$//" out > got
	cat > want <<-END
	btstest 100/100 branches: 401010 => 401000
	btstest 100/100 branches: 401020 => ffffffff81000000
	btstest 100/100 branches: ffffffff81000010 => 401030
	END
	same want got
	silent_about trace err
	$PERF report --stdio -s comm,dso -i x.data > out 2> err
	says "# Samples: 3  of event '"'"'branches'"'"'" out
	$PERF script --itrace=x -i x.data > out 2> err
	test ! -s out
	says "Intel BTS has no events for the letters x" err
	$PERF script --no-itrace -i x.data > out 2> err
	test ! -s out
	silent_about trace err
'
check 'rows are cut into pieces anywhere; what is not a whole row is counted' '
	{ before; trace bts:0x401010,0x401000,0 hex:201040000000000000104000; off=36; trace hex:000000000000000000000000; \
		off=48; trace bts:0x401030,0x401000,0 hex:0203; } | mkdata x.data
	$PERF script -F ip -i x.data > out 2> err
	printf "401010\n401020\n401030\n" > want
	tr -d " " < out | same want -
	says "1 places of the trace are damaged" err
'
