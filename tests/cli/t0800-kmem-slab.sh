#!/bin/sh
# perf kmem: tables of slab allocations by call site and by address, from assembled files; recording, where
# the kernel lets it.
. "$(dirname "$0")/lib.sh"

# kmem_events [BITS]: what a file says about its events, with the formats in f1 to f5, as far as they are
# there. ENDIAN: 1 for big endian
kmem_events() {
	set -- "${1:-identifier|ip|tid|time|cpu|raw|period}" f[1-5]
	for n in 1:kmalloc 2:kfree 3:kmem_cache_alloc 4:kmem_cache_free 5:kmalloc_node; do
		echo "event kmem:${n#*:} type=tracepoint config=1${n%:*} sample=$1 ids=${n%:*}"
	done
	shift
	echo 'feature numa_topology u32:2,0 u64:1000,500 str:"0-1" u32:1 u64:1000,500 str:"2-3"'
	echo "feature tracing_data hex:170844 text:\"tracing\" text:\"0.6\" u8:0,${ENDIAN:-0},8 u32:4096"
	echo 'feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0'
	echo "feature tracing_data u32:1 text:\"kmem\" u8:0 u32:$#"
	for f; do
		echo "feature tracing_data u64:$(wc -c < $f) file:$f"
	done
	echo "feature tracing_data u32:0,0 u64:0"
	echo "feature event_desc"
}
# alloc EVENT CPU TIME SITE PTR REQ ALLOC NODE; release EVENT CPU TIME PTR
alloc() {
	echo "sample id=$1 pid=${PID:-5} tid=${PID:-5} cpu=$2 time=$3 u16:1$1 u8:0,0 u32:5 u64:$4,$5,$6,$7 u32:$8"
}
release() {
	echo "sample id=$1 pid=5 tid=5 cpu=$2 time=$3 u16:1$1 u8:0,0 u32:5 u64:0xf,$4"
}
samples() {
	echo 'comm pid=5 tid=5 comm="five"'
	echo 'comm pid=6 tid=6 comm="six"'
	alloc 1 0 1000 0xa0 0x1000 30 32 -1
	release 2 0 2000 0x1000
	alloc 3 0 3000 0xb0 0x1000 60 64 0
	release 4 1 4000 0x1000		# on another CPU
	release 2 1 5000 0x9000		# allocated before
	alloc 5 1 6000 0xb0 0x2000 40 64 1	# from the other node
	alloc 1 3 7000 0xc0 0x3000 8 8 1
	PID=6 alloc 1 3 8000 0xc0 0x4000 8 8 1
}
for f in 1:kmalloc 3:kmem_cache_alloc 5:kmalloc_node; do
	trace_format ${f#*:} 1${f%:*} 8:call_site 8:ptr 8:bytes_req 8:bytes_alloc -4:node > f${f%:*}
done
trace_format kfree 12 8:call_site 8:ptr > f2
trace_format kmem_cache_free 14 8:call_site 8:ptr > f4
{ kmem_events; samples; } | mkdata x.data || exit 1

check 'tables by call site and by address, and the summary' '
	$PERF kmem stat -i x.data --raw-ip --caller --alloc -l 2 > out
	expect tables out
	$PERF kmem -i x.data --caller --alloc -l 2 stat --raw-ip > out
	expect tables out'
check 'the same from a pipe, and of the other byte order' '
	cat x.data | $PERF kmem stat -i - --raw-ip --caller --alloc -l 2 > out
	expect tables out
	{ echo order big; ENDIAN=1 kmem_events; samples; } | mkdata big.data
	$PERF kmem stat -i big.data --raw-ip --caller --alloc -l 2 > out
	expect tables out'
check 'separated values: one number a column, the rest are comments' '
	$PERF kmem stat -i x.data --raw-ip --caller -x, > out
	printf "%s\n" 0xb0,128,64,100,50,2,1,21.875% 0xa0,32,32,30,30,1,0,6.250% 0xc0,16,8,16,8,2,0,0.000% > want.x
	grep -v "^#" out | grep . | diff want.x -
	says "# Callsite,Total_alloc,Alloc/Per,Total_req,Req/Per,Hit,Ping-pong,Frag" out
	says "# Total bytes freed:     96" out
	fails_with 129 $PERF kmem stat -i x.data -x ab 2> err
	says "one character" err'
check 'typed values as JSON' '
	$PERF kmem stat -i x.data --raw-ip --caller --alloc -s requested -l 1 --json > out
	cat > want.json <<-\EOF
	{
	  "perf": "kmem",
	  "version": 1,
	  "header": {
	    "file": "x.data",
	    "numa-nodes": [
	      {"node": 0, "memory-bytes": 1024000, "free-bytes": 512000, "cpus": "0-1"},
	      {"node": 1, "memory-bytes": 1024000, "free-bytes": 512000, "cpus": "2-3"}
	    ],
	    "lost-samples": 0
	  },
	  "tables": [
	    {
	      "name": "callsite",
	      "entries": 3,
	      "columns": [
	        {"key": "callsite", "title": "Callsite", "type": "text"},
	        {"key": "bytes", "title": "Total_alloc", "type": "number", "unit": "bytes"},
	        {"key": "bytes_per", "title": "Alloc/Per", "type": "number", "unit": "bytes"},
	        {"key": "requested", "title": "Total_req", "type": "number", "unit": "bytes"},
	        {"key": "requested_per", "title": "Req/Per", "type": "number", "unit": "bytes"},
	        {"key": "hit", "title": "Hit", "type": "number"},
	        {"key": "pingpong", "title": "Ping-pong", "type": "number"},
	        {"key": "frag", "title": "Frag", "type": "share", "unit": "percent"}],
	      "rows": [
	        {"callsite": "0xb0", "bytes": 128, "bytes_per": 64, "requested": 100, "requested_per": 50, "hit": 2, "pingpong": 1, "frag": 21.875},
	        {"callsite": "0xa0", "bytes": 32, "bytes_per": 32, "requested": 30, "requested_per": 30, "hit": 1, "pingpong": 0, "frag": 6.25},
	        {"callsite": "0xc0", "bytes": 16, "bytes_per": 8, "requested": 16, "requested_per": 8, "hit": 2, "pingpong": 0, "frag": 0}]
	    },
	    {
	      "name": "ptr",
	      "entries": 4,
	EOF
	sed "/\"entries\": 4/q" out | same want.json -
	grep -F "{\"ptr\": \"0x1000\", \"callsite\": \"0xb0\", \"bytes\": 96, " out
	sed -n "/^  .summary/,\$p" out | tr -d " \n" > sum
	printf "%s" "\"summary\":{\"bytes-requested\":146,\"bytes-allocated\":176,\"bytes-freed\":96,\"bytes-net\":80,\"bytes-wasted\":30," \
		"\"fragmentation\":17.0455,\"cross-cpu\":1,\"allocations\":5},\"notes\":[]}" | same - sum
	fails_with 129 $PERF kmem stat -i x.data --json -x, 2> err
	says "exclude each other" err
	echo "import json" | python3 2> err || skip "no python3 with its json module"
	$PERF kmem stat -i x.data --json | python3 -m json.tool | grep "tables.: \[\]"'
# first OPTIONS...: first column of the tables
first() {
	$PERF kmem stat -i x.data --raw-ip -x: "$@" | grep "^[0.]" | cut -d: -f1 | tr "\n" " "
}
check 'keys and numbers of rows are those of the table before them, or of both' '
	test "$(first --caller -s hit,callsite)" = "0xc0 0xb0 0xa0 "
	test "$(first --caller -s bytes)" = "0xb0 0xa0 0xc0 "
	test "$(first --alloc -s ptr)" = "0x4000 0x3000 0x2000 0x1000 "
	test "$(first --alloc -s pingpong,callsite)" = "0x1000 0x3000 0x4000 0x2000 "
	test "$(first --caller -l 1 --alloc -s ptr -l 2)" = "0xb0 0x4000 0x3000 "
	test "$(first -l 1 --alloc --caller)" = "0xb0 0x2000 "
	test "$(first --caller -s requested_per)" = "0xb0 0xa0 0xc0 "
	test "$(first --caller -s ptr)" = "0xa0 0xb0 0xc0 "
	for wrong in "-s page" "-s hit,hit" "-l x" "-l -1"; do
		fails_with 129 $PERF kmem stat -i x.data --caller $wrong 2> err
	done'
check 'filters by time, CPU, process, thread and name' '
	test "$(first --caller --time 0.000001500,0.000004)" = "0xb0 "
	test "$(first --caller -C 3)" = "0xc0 "
	test "$(first --alloc --pid 6)" = "0x4000 "
	test "$(first --alloc --tid 6)" = "0x4000 "
	test "$(first --alloc --comm six)" = "0x4000 "
	fails_with 1 $PERF kmem stat -i x.data --time x 2> err
	test -s err'
check 'memory that is not freed at the end, of the same tables' '
	$PERF kmem stat -i x.data --raw-ip --live --caller --alloc -x, > out
	{ echo 0xb0,64,64,40,40,1,1,37.500%; echo 0xc0,16,8,16,8,2,0,0.000%; } > want.live
	grep "^0x[abc]0," out | same want.live -
	grep "^0x[0-9]*000," out | cut -d, -f1,2,6 > ptrs
	printf "%s\n" 0x2000,64,1 0x3000,8,1 0x4000,8,1 | same ptrs -
	says "# Bytes not freed at the end: 80" out
	says "# Allocations not freed at the end: 3" out
	# freed without an event, and allocated again
	{ kmem_events; samples; alloc 1 3 9000 0xd0 0x3000 16 16 1; } | mkdata again.data
	$PERF kmem stat -i again.data --raw-ip --live --caller -x, > out
	says "0xc0,8,8,8,8,1,0,0.000%" out
	says "0xd0,16,16,16,16,1,0,0.000%" out'
check 'lost events are told' '
	{ kmem_events; samples; echo "lost_samples id=1 lost=7"; } | mkdata lost.data
	$PERF kmem stat -i lost.data > out
	says "Events lost while recording: 7" out
	$PERF kmem stat -i x.data > out
	silent_about "lost" out'
check 'the node may be missing, other fields may not' '
	trace_format kmalloc 11 8:call_site 8:ptr 8:bytes_req 8:bytes_alloc > f1
	{ kmem_events; samples; } | mkdata old.data
	cp f1 f1.old
	$PERF kmem stat -i old.data > out
	says "Cross CPU allocations: 1/5" out
	trace_format kmalloc 11 8:call_site 8:ptr 8:bytes_req > f1
	{ kmem_events; samples; } | mkdata bad.data
	mv f1.old f1
	fails_with 1 $PERF kmem stat -i bad.data 2> err
	says "the recorded format of event '\''kmem:kmalloc'\'' has no field '\''bytes_alloc'\''" err'
check 'samples that are too short are counted' '
	{ kmem_events; samples; echo "sample id=1 tid=5 cpu=0 time=9000 u16:11 u8:0,0 u32:5 u64:0xd0"; } | mkdata short.data
	$PERF kmem stat -i short.data > out 2> err
	says "Cross CPU allocations: 1/5" out
	says "1 tracepoint samples have no readable format" err'
check 'what a file lacks is one message' '
	{ kmem_events "identifier|ip|tid|time|cpu"; echo "sample id=1"; } | mkdata noraw.data
	fails_with 1 $PERF kmem stat -i noraw.data 2> err
	says "was recorded without its fields" err
	rm f1
	{ kmem_events; samples; } | mkdata noformat.data
	fails_with 1 $PERF kmem stat -i noformat.data 2> err
	says "the format of event '\''kmem:kmalloc'\'' is missing or damaged" err
	echo "event cycles" | mkdata other.data
	fails_with 1 $PERF kmem stat -i other.data 2> err
	says "other.data has none of the events kmem:kmalloc, " err
	says "perf kmem record" err'
check 'what is no word of kmem' '
	fails_with 129 $PERF kmem 2> err
	fails_with 129 $PERF kmem nonsense 2> err
	says "nonsense" err
	test "$($PERF kmem --list-cmds)" = "record stat "'
check_if ROOT,EVENTS,TRACEFS 'records what stat reads' '
	$PERF kmem record -q -o live.data ls / > ls.out
	$PERF evlist -i live.data > events
	for e in kmalloc kmem_cache_alloc kfree kmem_cache_free; do
		grep -qx "kmem:$e" events
	done
	$PERF kmem stat -i live.data --caller > out
	grep -q "^  [a-z_][a-zA-Z0-9_.]*+[0-9a-f]* " out
	grep -q "^Cross CPU allocations: [0-9]*/[1-9]" out'
