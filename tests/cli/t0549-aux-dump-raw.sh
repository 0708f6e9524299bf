#!/bin/sh
# perf script --dump-aux: the raw bytes of a trace in files, and what other decoders must know of it.
. "$(dirname "$0")/lib.sh"

before() {
	cat <<-END
	event intel_pt// type=8 config=0x2402 period=1 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
	event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
	feature hostname str:"host"
	feature osrelease str:"6.0"
	feature arch str:"x86_64"
	feature auxtrace u64:0
	auxtrace_info auxtrace_type=1 priv=8,0,1,0,1,0x400,0x800,0,0,0,0x200,0x3c000,16,1,2,20,0,0
	comm ev=dummy:u tid=100 comm="pttest" time=10 s_id=11
	mmap2 ev=dummy:u tid=100 addr=0x400000 len=0x1000 prot=5 flags=2 filename="/bin/prog" time=11 s_id=11
	END
}
first="auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=3 pt-psb:0 pt-tsc:1000"
second="auxtrace offset=16 reference=9 idx=0 tid=-1 cpu=3 pt-tsc:1000 pt-psbend:0"
other="auxtrace offset=0 reference=9 idx=1 tid=-1 cpu=7 hex:0102030405060708"

check 'bytes of each CPU, what records have twice only once; words, maps, times, events' '
	{ before; echo "aux offset=0 size=26 flags=0 tid=100 cpu=3 time=50 s_id=10"; echo "$first"; echo "$second"; echo "$other"; } | mkdata x.data
	$PERF script -i x.data --dump-aux raw > out 2> err
	test ! -s out
	says "wrote 34 bytes of 2 streams to raw" err
	ls raw > got
	printf "%s\n" cpu-3-0.aux cpu-7-1.aux trace.json words.txt | same - got
	{ before; echo "auxtrace offset=0 reference=9 idx=0 tid=-1 cpu=3 pt-psb:0 pt-tsc:1000 pt-psbend:0"; } | mkdata whole.data
	$PERF script -i whole.data --dump-aux whole 2> err
	cmp raw/cpu-3-0.aux whole/cpu-3-0.aux
	test "$(wc -c < raw/cpu-3-0.aux)" = 26
	printf "\001\002\003\004\005\006\007\010" | cmp - raw/cpu-7-1.aux
	says "  MTC freq bits       0x3c000" raw/words.txt
	says "\"kind\": \"Intel PT\"" raw/trace.json
	says "\"words\": [8, 0, 1, 0, 1, 1024, 2048, 0, 0, 0, 512, 245760, 16, 1, 2, 20, 0, 0]" raw/trace.json
	says "{\"at\": 0, \"size\": 16, \"offset\": 0, \"follows\": false, \"time\": 50, \"flags\": 0}" raw/trace.json
	says "{\"at\": 16, \"size\": 10, \"offset\": 16, \"follows\": true" raw/trace.json
	says "\"name\": \"pttest\"" raw/trace.json
	says "\"start\": 4194304, \"size\": 4096, \"offset\": 0, \"prot\": 5, \"file\": \"/bin/prog\"" raw/trace.json
	says "\"type\": 8, \"config\": 9218" raw/trace.json
	cat x.data | $PERF script -i - --dump-aux pipe 2> err
	for f in raw/*; do cmp "$f" "pipe/${f#raw/}"; done
'
check 'nothing is replaced, and nothing is left after an error' '
	{ before; echo "$first"; echo "$other"; } | mkdata x.data
	mkdir full empty
	echo mine > full/trace.json
	not $PERF script -i x.data --dump-aux full 2> err
	says "full is not empty" err
	test "$(cat full/trace.json)" = mine
	test "$(ls full)" = trace.json
	$PERF script -i x.data --dump-aux empty 2> err
	test -s empty/trace.json
	not $PERF script -i x.data --dump-aux no/where 2> err
	says "cannot make no/where" err
	echo file > file
	not $PERF script -i x.data --dump-aux file 2> err
	test "$(cat file)" = file
	before | grep -v auxtrace | mkdata none.data
	not $PERF script -i none.data --dump-aux none 2> err
	says "none.data has no hardware trace" err
	test ! -e none
'
check 'kinds that perf does not know, and what excludes it' '
	{ before | sed "s/auxtrace_type=1 /auxtrace_type=77 /"; echo "$first"; } | mkdata x.data
	$PERF script -i x.data --dump-aux unknown 2> err
	says "\"kind\": null" unknown/trace.json
	says "\"type\": 77" unknown/trace.json
	test ! -e unknown/words.txt
	for o in -D --json --tid=3 --call-timeline=x.svg; do
		status=0
		$PERF script -i x.data --dump-aux other $o > out 2> err || status=$?
		test $status = 129 || { echo "$o: $status"; false; }
	done
	test ! -e other
'
