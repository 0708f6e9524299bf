#!/bin/sh
# threads
# perf script --json: an object per line, with typed values
. "$(dirname "$0")/../cli/lib.sh"

mkdir -p root/tmp
printf '1000 100 main\n1100 100 work\n1200 100 le"af\n' > root/tmp/perf-100.map
export PERF_FS_ROOT=$PWD/root
mkdata t.data <<'EOT'
event cpu-clock type=software config=cpu-clock period=10 sample=identifier|ip|tid|time|cpu|period|callchain flags=sample_id_all|comm|mmap2|task
event page-faults type=software config=page-faults period=1 sample=identifier|ip|tid|time|cpu|period|addr flags=sample_id_all
comm tid=100 comm="a\"\e[31m\xff" time=1 cpu=1
mmap2 tid=100 addr=0x1000 len=0x1000 pgoff=0x2000 prot=5 flags=2 filename="//anon" time=2 cpu=1
default period=10 cpu=1
sample tid=100 ip=0x1210 time=100 chain=-512,0x1210,0x1110,0x9000
sample tid=100 ip=0x5000 time=18000000000000000001 chain=-512,0x5000
sample ev=page-faults cpu=1 tid=7 ip=0x1110 addr=0x1234 time=18000000000000000002 period=3
EOT
json() { $PERF script -i t.data --json "$@" 2> err; }

check 'a header, then a line per sample: fields, frames, what is absent and why' '
	json > out
	cat > want <<-\EOF
	{"type": "header", "perf": "script", "version": 1, "file": "t.data", "lost-samples": 0}
	{"type": "sample", "comm": "a\"\u001b[31m@", "tid": 100, "cpu": 1, "time": 100, "event": "cpu-clock", "period": 10, "ip": "0x1210", "callchain": [{"ip": "0x1210", "sym": "le\"af", "symoff": 16, "dso": "/tmp/perf-100.map"}, {"ip": "0x1110", "sym": "work", "symoff": 16, "dso": "/tmp/perf-100.map"}, {"ip": "0x9000", "sym": null, "sym-reason": "no map at this address", "dso": null, "dso-reason": "no map at this address"}]}
	{"type": "sample", "comm": "a\"\u001b[31m@", "tid": 100, "cpu": 1, "time": 18000000000000000001, "event": "cpu-clock", "period": 10, "ip": "0x5000", "callchain": [{"ip": "0x5000", "sym": null, "sym-reason": "no map at this address", "dso": null, "dso-reason": "no map at this address"}]}
	{"type": "sample", "comm": ":7", "tid": 7, "cpu": 1, "time": 18000000000000000002, "event": "page-faults", "period": 3, "ip": "0x1110", "sym": null, "sym-reason": "no map at this address", "dso": null, "dso-reason": "no map at this address"}
	EOF
	# the byte that is not UTF-8 is U+FFFD
	sed "s/@/$(printf "\357\277\275")/" want | same - out'
check 'fields are those of -F; without chains the frame stands on the line' '
	json -F ip,sym,symoff -G | sed -n 2p > out
	echo "{\"type\": \"sample\", \"ip\": \"0x1210\", \"sym\": \"le\\\"af\", \"symoff\": 16}" | same - out
	json -F comm,pid --tid 7 | tail -n 1 > out
	echo "{\"type\": \"sample\", \"comm\": \":7\", \"pid\": 7}" | same - out
	json -F sw:time --reltime | cut -d, -f 2 > out
	printf "%s\n" " \"perf\": \"script\"" " \"time\": 0}" " \"time\": 17999999999999999901}" " \"time\": 17999999999999999902}" | same - out
	json -F addr,dsoff,misc,ip -G -c :7 > out || :
	mkdata pf.data <<-\EOF
	event page-faults type=software config=page-faults sample=ip|tid|time|addr flags=sample_id_all|mmap2
	mmap2 tid=100 addr=0x1000 len=0x1000 pgoff=0x2000 prot=5 flags=2 filename="//anon" time=2
	sample tid=100 ip=0x1210 addr=0x1110 time=100
	EOF
	$PERF script -i pf.data --json -F addr,ip,sym,symoff,dsoff,misc | tail -n 1 > out
	echo "{\"type\": \"sample\", \"misc\": \"U\", \"addr\": \"0x1110\", \"addr-sym\": \"work\", \"addr-symoff\": 16, \"addr-dso\": \"/tmp/perf-100.map\", \"addr-dsoff\": \"0x1110\", \"ip\": \"0x1210\", \"sym\": \"le\\\"af\", \"symoff\": 16, \"dso\": \"/tmp/perf-100.map\", \"dsoff\": \"0x1210\"}" | same - out'
check 'filters, and a pipe' '
	json -F tid -S work | grep -c "\"sample\"" | finds -x 0
	json -F tid -S "le\"af" | grep -c "\"sample\"" | finds -x 1
	json -F tid --time ,0.001 | grep -c "\"sample\"" | finds -x 1
	json --stop-bt work | grep -c "\"dso\": \"/tmp/perf-100.map\"}]}$"
	json > want
	$PERF script -i - --json < t.data | sed "s/\"file\": \"-\"/\"file\": \"t.data\"/" | same want -
	json -j 3 | same want -'
check 'side-band records have their type and a group of their own' '
	mkdata side.data <<-\EOF
	event cycles sample=ip|tid|time|cpu flags=sample_id_all
	default tid=5 pid=5 cpu=2
	comm comm="c\n" misc=comm_exec time=10
	fork ppid=1 ptid=1 time=11
	mmap addr=0x1000 len=16 pgoff=8 filename="/f" time=12
	mmap2 addr=0x2000 len=16 pgoff=8 maj=8 min=1 ino=77 gen=3 prot=5 flags=2 filename="/g" time=13
	mmap2-buildid addr=0x3000 len=16 id=0102 id_size=2 prot=1 flags=1 filename="/h" time=14
	switch misc=switch_out time=15
	switch_cpu_wide next_prev_pid=8 next_prev_tid=9 time=16
	namespaces ns=4:5,6:7 time=17
	lost id=3 lost=18446744073709551615 time=18
	ksymbol addr=0xffffffff81000000 len=32 ksym_type=1 flags=0 name="bpf_prog" time=19
	bpf_event bpf_type=1 flags=0 id=9 tag=0102030405060708 time=20
	cgroup id=12 path="/a\tb" time=21
	text_poke addr=0xffffffff81000010 old_len=2 new_len=1 bytes=0102ff time=22
	exit ppid=1 ptid=1 time=23
	EOF
	$PERF script -i side.data --json -F tid,time --show-task-events --show-mmap-events --show-switch-events --show-namespace-events \
		--show-lost-events --show-bpf-events --show-cgroup-events --show-text-poke-events 2> err | sed 1d > out
	cat > want <<-\EOF
	{"type": "comm", "tid": 5, "time": 10, "record": {"exec": true, "comm": "c\u000a", "pid": 5, "tid": 5}}
	{"type": "fork", "tid": 5, "time": 11, "record": {"pid": 5, "tid": 5, "ppid": 1, "ptid": 1}}
	{"type": "mmap", "tid": 5, "time": 12, "record": {"pid": 5, "tid": 5, "addr": "0x1000", "len": 16, "pgoff": "0x8", "prot": "x", "data": false, "filename": "/f"}}
	{"type": "mmap2", "tid": 5, "time": 13, "record": {"pid": 5, "tid": 5, "addr": "0x2000", "len": 16, "pgoff": "0x8", "major": 8, "minor": 1, "inode": 77, "generation": 3, "prot": "r-xp", "filename": "/g"}}
	{"type": "mmap2", "tid": 5, "time": 14, "record": {"pid": 5, "tid": 5, "addr": "0x3000", "len": 16, "pgoff": "0x0", "build-id": "0102", "prot": "r--s", "filename": "/h"}}
	{"type": "switch", "tid": 5, "time": 15, "record": {"out": true, "preempt": false}}
	{"type": "switch_cpu_wide", "tid": 5, "time": 16, "record": {"out": false, "preempt": false, "prev-pid": 8, "prev-tid": 9}}
	{"type": "namespaces", "tid": 5, "time": 17, "record": {"pid": 5, "tid": 5, "nr": 2, "namespaces": [{"index": 0, "name": "net", "device": 4, "inode": 5}, {"index": 1, "name": "uts", "device": 6, "inode": 7}]}}
	{"type": "lost", "tid": 5, "time": 18, "record": {"id": 3, "lost": 18446744073709551615}}
	{"type": "ksymbol", "tid": 5, "time": 19, "record": {"addr": "0xffffffff81000000", "len": 32, "ksym-type": 1, "flags": "0x0", "name": "bpf_prog"}}
	{"type": "bpf_event", "tid": 5, "time": 20, "record": {"bpf-type": 1, "flags": 0, "id": 9, "tag": "0102030405060708"}}
	{"type": "cgroup", "tid": 5, "time": 21, "record": {"id": 12, "path": "/a\u0009b"}}
	{"type": "text_poke", "tid": 5, "time": 22, "record": {"addr": "0xffffffff81000010", "old-len": 2, "new-len": 1, "old": "0102", "new": "ff", "sym": "bpf_prog", "symoff": 16}}
	{"type": "exit", "tid": 5, "time": 23, "record": {"pid": 5, "tid": 5, "ppid": 1, "ptid": 1}}
	EOF
	same want out'
check 'branches, registers, memory accesses' '
	mkdata b.data <<-\EOF
	event cycles sample=ip|tid|time|branch_stack|regs_user|regs_intr|data_src|weight|phys_addr|data_page_size|transaction branch=1 regs_user=3 regs_intr=1 flags=sample_id_all|mmap2
	feature e_machine u32:62,0
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	sample tid=100 ip=0x1210 time=100 branch=0x1110:0x1200:1,0x9010:0x1100:0x36 regs_user=2,1,255 data_src=0x68100142 weight=9 phys_addr=0x10 data_page_size=4096 transaction=0x21
	EOF
	b() { $PERF script -i b.data --json "$@" 2> err | tail -n 1; }
	b -F brstack > out
	echo "{\"type\": \"sample\", \"brstack\": [{\"from\": \"0x1110\", \"to\": \"0x1200\", \"mispredicted\": true, \"in-tx\": false, \"abort\": false, \"cycles\": 0}, {\"from\": \"0x9010\", \"to\": \"0x1100\", \"mispredicted\": false, \"in-tx\": true, \"abort\": false, \"cycles\": 3}]}" | same - out
	b -F brstacksym > out
	grep -F "{\"from\": \"0x1110\", \"from-sym\": \"work\", \"from-symoff\": 16, \"to\": \"0x1200\", \"to-sym\": \"le\\\"af\", \"to-symoff\": 0, " out
	grep -F "{\"from\": \"0x9010\", \"from-sym\": null, \"from-sym-reason\": \"no symbol at this address\", \"to\": " out
	b -F uregs,iregs,weight,phys_addr,data_page_size,data_src,transaction > out
	cat > want <<-\EOF
	{"type": "sample", "data_src": {"raw": "0x68100142", "op": "LOAD", "level": "L1 hit", "snoop": "None", "tlb": "L1 or L2 hit", "lock": "No", "blocked": "N/A"}, "weight": 9, "iregs": null, "iregs-reason": "not recorded", "uregs": {"abi": 2, "AX": "0x1", "BX": "0xff"}, "phys_addr": "0x10", "data_page_size": 4096, "transaction": "0x21"}
	EOF
	same want out'
check 'tracepoints: their text, and their fields as values' '
	trace_format ev 11 8:a -4:b 8:p 8:s | sed "s/unsigned long p/void * p/; s/unsigned long s/char s[8]/" > f
	{
		echo "event kmem:ev type=tracepoint config=11 sample=ip|tid|time|raw flags=sample_id_all"
		echo "feature tracing_data hex:170844 text:\"tracing\" text:\"0.6\" u8:0,0,8 u32:4096"
		echo "feature tracing_data text:\"header_page\" u8:0 u64:2 text:\"ab\" text:\"header_event\" u8:0 u64:0 u32:0"
		echo "feature tracing_data u32:1 text:\"kmem\" u8:0 u32:1 u64:$(wc -c < f) file:f u32:0,0 u64:0"
		echo "feature event_desc"
		echo "sample tid=5 time=3 u16:11 u8:0,0 u32:5 u64:9,-2,0x77 hex:78220a0000000000"
		echo "sample tid=5 time=4 u16:11 u8:0,0 u32:5"
	} | mkdata tp.data
	$PERF script -i tp.data --json -F trace > out
	sed -n 2p out | grep -F "\"trace\": \""
	sed -n 2p out | grep -F "\"fields\": {\"a\": 9, \"b\": -2, \"p\": \"0x77\", \"s\": \"x\\\"\\u000a\"}}"
	sed -n 3p out | grep -F "\"fields\": {\"a\": null, \"a-reason\": \"it is outside of the sample\", \"b\": null, "'
check 'a name of any length leaves the line whole' '
	mkdir -p long/tmp
	{ printf "1100 100 "; head -c 29000 /dev/zero | tr "\0" "\""; echo; } > long/tmp/perf-100.map
	PERF_FS_ROOT=$PWD/long json -F ip,sym > out
	grep -F "\"sym\": null, \"sym-reason\": \"the name is too long\"" out
	sed -n 2p out | grep "}]}$"'
check 'metrics and deferred chains are lines of their own types' '
	mkdata d.data <<-\EOF
	event cycles type=0 config=0 sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2|defer_callchain|defer_output
	sample tid=100 ip=0xffffffff81000100 misc=kernel time=1000 chain=-128,0xffffffff81000100,-640,77
	callchain_deferred tid=200 time=1002 cookie=77 chain=-512,0x1600
	EOF
	$PERF script -i d.data --json -F tid,ip --no-merge-callchains 2> err | sed 1d > out
	cat > want <<-\EOF
	{"type": "sample", "tid": 100, "ip": "0xffffffff81000100", "callchain": [{"ip": "0xffffffff81000100"}, {"cookie": "0x4d"}]}
	{"type": "callchain_deferred", "tid": 200, "cookie": "0x4d", "callchain": [{"ip": "0x1600"}]}
	EOF
	same want out'
check 'its first line is the header, with and without --header; --header-only is that line alone' '
	$PERF script -i t.data --json > out
	$PERF script -i t.data --json --header -I | same - out
	$PERF script -i t.data --json --header-only > line
	head -1 out | same - line
	grep -q "^{.type.: .header., .perf.: .script., .version.: 1" line'
check 'what prints other text excludes it; a file of counts' '
	for a in -D -L --per-event-dump --dump-unsorted-raw-trace; do
		fails_with 129 $PERF script -i t.data --json $a > out 2> err
		grep "exclude each other" err
		test ! -s out
	done
	$PERF stat record -o counts.data -e task-clock true 2> err || skip "no counters here"
	$PERF script -i counts.data --json > out
	head -n 1 out | grep "\"type\": \"header\""
	sed 1d out | grep -E "^.\"type\": \"count\", \"time\": [0-9]+, \"tid\": [0-9]+, \"event\": \"task-clock(:u)?\", \"value\": [0-9]+, \"time-enabled\": [0-9]+, \"time-running\": [0-9]+.$"
	value=$($PERF script -i counts.data | awk "/task-clock/ { print \$3 }")
	says "\"value\": $value," out
	$PERF data convert --to-json - -i counts.data > doc 2> err
	tr -d "\n\t" < doc > flat
	says "\"value\": $value," flat
	says "\"samples\": []" flat
	says "(0 samples, 1 count)" err'
check 'every line is JSON to another reader' '
	echo "import json" | python3 2> err || skip "no python3 with its json module"
	for f in t side b tp d pf; do
		$PERF script -i $f.data --json --show-task-events --show-mmap-events --show-namespace-events --show-cgroup-events > out 2> err
		python3 -c "import json, sys
nr = 0
for line in sys.stdin:
    nr += \"type\" in json.loads(line)
assert nr >= 2 or \"$f\" == \"side\"" < out
	done'
