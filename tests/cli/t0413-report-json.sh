#!/bin/sh
# threads
# perf report --json: typed cells, call graphs as trees, rows inside rows
. "$(dirname "$0")/../cli/lib.sh"

mkdir -p root/tmp
printf '1000 100 main\n1100 100 work\n1200 100 le"af\n' > root/tmp/perf-100.map
cp root/tmp/perf-100.map root/tmp/perf-200.map
export PERF_FS_ROOT=$PWD/root
mkdata t.data <<'EOT'
event cpu-clock type=software config=cpu-clock period=10 sample=identifier|ip|tid|time|cpu|period|callchain flags=sample_id_all|comm|mmap2
event page-faults type=software config=page-faults period=1 sample=identifier|ip|tid|time|cpu|period|callchain flags=sample_id_all
comm tid=100 comm="app" time=1
comm tid=200 comm="b\e[31m" time=1
repeat 2
mmap2 tid=100+$i*100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
end
default period=10 cpu=1
sample tid=100 ip=0x1210 time=100 chain=-512,0x1210,0x1110,0x1010
sample tid=100 ip=0x1220 time=200 chain=-512,0x1220,0x1010
sample tid=100 ip=0x5000 time=400 cpu=0 chain=-512,0x5000
sample id=2 tid=200 ip=0x1110 time=600 period=3 chain=-512,0x1110
EOT
report() { $PERF report -i t.data --json "$@" 2> err; }
# the lines of the first event's rows
rows() { report "$@" | sed -n '/"rows"/,/^    }/p' | sed '/^    }/,$d'; }

check 'one document: header, events with totals, columns with types, rows' '
	report -g none --no-children -s comm,cpu,sym,addr,code_page_size > out
	expect document out
	report -g none --no-children -s cpu,sym,addr,code_page_size | grep -F "\"overhead\": 33.3333, \"cpu\": 0, \"symbol\": null, \"symbol-reason\": \"no symbol at 0x5000\", \"addr\": \"0x5000\", \"code_page_size\": null, \"code_page_size-reason\": \"not recorded\"}"
	report -g none --no-children -s sym,comm | grep -F "\"symbol\": \"le\\\"af\", \"comm\": \"app\"}"
	tail -n 1 out | grep "^}$"
'
check 'call graphs are trees with what ends at each node' '
	rows --no-children -s dso -g graph,0,caller > out
	cat > want <<-EOF
	      "rows": [
	        {"overhead": 66.6667, "dso": "[JIT] tid 100", "callgraph": [{"name": "main", "period": 20, "samples": 2, "self-period": 0, "self-samples": 0, "children": [{"name": "le\"af", "period": 10, "samples": 1, "self-period": 10, "self-samples": 1}, {"name": "work", "period": 10, "samples": 1, "self-period": 0, "self-samples": 0, "children": [{"name": "le\"af", "period": 10, "samples": 1, "self-period": 10, "self-samples": 1}]}]}]},
	        {"overhead": 33.3333, "dso": "[unknown]", "callgraph": [{"name": "0x5000", "period": 10, "samples": 1, "self-period": 10, "self-samples": 1}]}]
	EOF
	sed "s/\"le\"af\"/\"le\\\\\\\\\"af\"/g" want | same - out
'
check 'rows of a hierarchy hold rows, without the remarks of the text; groups have a value for each event' '
	rows -H -g none -s comm,sym --percent-limit 70 > out
	cat > want <<-EOF
	      "rows": [
	        {"overhead": 100, "comm": "app"}]
	EOF
	same want out
	rows --group -g none --no-children -s comm > out
	grep -F "{\"overhead\": [100, 0], \"comm\": \"app\"}," out
	grep -F "{\"overhead\": [0, 100], \"comm\":" out
'
check 'the same bytes however many threads count' '
	report > one
	grep -q period one
	report -j 3 --chunk-size 64 > three
	cmp one three
'
check 'a dump and separated values are no such document' '
	for a in --header --header-only --stats --tasks --mmaps -T; do
		fails_with 129 $PERF report -i t.data --json -D $a > out 2> err
		says "-D --json excludes --header, --stats, --tasks, --mmaps and -T" err
		test ! -s out
	done
	fails_with 129 $PERF report -i t.data --json -t , > out 2> err
	says "--json and -t exclude each other" err
'
check 'the dump is a line for each record' '
	report -D > out
	$PERF report -i t.data -D > text
	test "$(wc -l < out)" = $((1 + $(grep -c "PERF_RECORD_[A-Z0-9]*[ (:]" text)))
	head -n 1 out > line
	printf "{\"perf\": \"report\", \"version\": 1}\n" | same - line
	grep "\"name\": \"COMM\"" out | head -n 1 | sed "s/.*\"time\"/\"time\"/" > line
	printf "\"time\": 1, \"name\": \"COMM\", \"record\": {\"exec\": false, \"comm\": \"app\", \"pid\": 100, \"tid\": 100}}\n" | same - line
	grep "\"name\": \"SAMPLE\"" out | tail -n 1 | sed "s/.*\"cpu\"/\"cpu\"/" > line
	cat > want <<-\EOF
	"cpu": 1, "time": 600, "name": "SAMPLE", "record": {"misc": 2, "pid": 200, "tid": 200, "ip": "0x1110", "period": 3, "addr": "0x0", "chain": [{"ip": "0xfffffffffffffe00", "marker": "PERF_CONTEXT_USER"}, {"ip": "0x1110"}]}, "where": [{"comm": "b\u001b[31m", "tid": 200, "dso": "/tmp/perf-200.map"}]}
	EOF
	same want line
	bytes=$(sed -n "s/.*\"size\": \([0-9]*\), .*\"bytes\": \"\([0-9a-f]*\)\".*/\1 \2/p" out | head -n 1)
	test $((${bytes%% *} * 2)) = "$(expr length "${bytes#* }")"
'
check 'numbers of records by type, and of samples by event' '
	report --stats > out
	sed -n "/\"rows\"/,/\]/p" out | tr -d " \n" > rows
	$PERF report -i t.data --stats | sed -n "s/^ *\([A-Z0-9_]*\) events: *\([0-9]*\) *(.*/{\"record\":\"\1\",\"count\":\2}/p" | paste -sd, > want
	grep -F "\"rows\":[$(cat want)]" rows
	grep -F "\"rows\":[{\"event\":\"cpu-clock\",\"samples\":3,\"lost-samples\":0,\"filtered-samples\":0}," rows
	grep -F "\"file\": \"t.data\"" out
'
check 'tasks, their maps and counts, and attributes of events' '
	mkdata tasks.data <<-\EOF
	event cpu-clock type=software config=cpu-clock period=10 sample=identifier|ip|tid|time|period flags=sample_id_all|comm|mmap2|inherit_stat read=id
	event "page\"s" type=software config=page-faults period=4 sample=identifier|ip|tid|time|period flags=sample_id_all|freq
	comm tid=100 comm="app" time=1
	mmap2-buildid tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 id=00112233445566778899aabbccddeeff00112233 id_size=20 filename="/bin/a\"b" time=2
	mmap2 tid=100 addr=0x4000 len=0x1000 pgoff=0x3000 prot=3 flags=1 ino=77 filename="/dev/shm/x" time=2
	fork pid=100 tid=101 ppid=100 ptid=100 time=3
	fork pid=200 tid=200 ppid=100 ptid=100 time=4
	comm tid=200 comm="b\e[31m" time=5
	sample tid=100 ip=0x1210 time=100
	read pid=100 tid=101 values=7,1 time=200
	read pid=100 tid=101 values=3,2 s_id=2 time=201
	read pid=200 tid=200 values=18446744073709551615,1 time=202
	EOF
	# sections OPTION...: the keys of arrays
	sections() {
		$PERF report -i tasks.data --json -s comm "$@" > out 2> err
		sed -n "s/^  \"\([a-z]*\)\": \[.*/\1/p" out | paste -sd " "
	}
	test "$(sections --header --stats --mmaps)" = "attributes tasks stats notes"
	sed -n "/^  \"attributes\"/,\$p" out > tables
	expect tasks tables
	test "$(sections -T --header)" = "events attributes threads notes"
	sed -n "/^  \"threads\"/,\$p" out > tables
	expect threads tables
	test "$(sections --tasks)" = "tasks notes"
	silent_about "\"maps\"" out
	test "$(sections --header-only --stats --mmaps -T)" = "attributes notes"
	test ! -s err
	$PERF report -i t.data --json -T > out 2> err
	says "no counts of threads in this file: record with -s" err
	says "\"entries\": 0" out
'
check 'every form is JSON to another reader' '
	echo "import json" | python3 2> err || skip "no python3 with its json module"
	for a in "" "-H" "-H --percent-limit 70 -s comm,sym" "--group" "-g flat" "-g none -s trace,sym_from" "-s cpu,socket,time -n" \
		"--comms nobody" "--time 0,1"; do
		report $a > out || continue
		python3 -m json.tool < out > pretty
		echo "$a" >> forms
	done
	test "$(wc -l < forms)" -ge 5
'
