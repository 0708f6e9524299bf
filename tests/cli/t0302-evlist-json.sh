#!/bin/sh
# perf evlist --json
. "$(dirname "$0")/../cli/lib.sh"

mkdata t.data <<'EOT'
event cpu-clock type=software config=cpu-clock period=4000 sample=identifier|ip|tid|time flags=freq
event page-faults type=software config=page-faults period=1 sample=identifier|ip|tid|time
EOT

check 'an object for each event' '
	$PERF evlist -i t.data --json > out
	cat > want <<-EOF
	{
	  "perf": "evlist",
	  "version": 1,
	  "header": {
	    "file": "t.data"
	  },
	  "events": [
	    {"name": "cpu-clock", "type": 1, "config": "0x0", "sample-frequency": 4000, "sample-type": "0x10007", "leader": 0},
	    {"name": "page-faults", "type": 1, "config": "0x2", "sample-period": 1, "sample-type": "0x10007", "leader": 1}
	  ]
	}
	EOF
	same want out
'
mkdata facts.data <<'EOT'
event cpu-clock type=software config=cpu-clock period=4000 sample=identifier|ip|tid|time
sample tid=1 ip=0x1000 time=1500000000
feature hostname str:"box"
feature nrcpus u32:2,3
feature total_mem u64:3
feature cmdline u32:2 str:"perf" str:"a b"
feature sample_time u64:1500000000,2500000000
EOT
check 'what the header says, with the same values as --header-only' '
	$PERF evlist -i facts.data --json > out
	sed -n "/\"header\"/,/}/p" out > header
	cat > want <<-EOF
	  "header": {
	    "file": "facts.data",
	    "hostname": "box",
	    "cpus-online": 3,
	    "cpus-available": 2,
	    "memory-bytes": 3072,
	    "command-line": "perf a b",
	    "first-sample-ns": 1500000000,
	    "last-sample-ns": 2500000000
	  },
	EOF
	same want header
	$PERF report -i facts.data --header-only > text
	grep -x "# hostname : box" text
	grep -x "# nrcpus online : 3" text
	grep -x "# nrcpus avail : 2" text
	grep -x "# total memory : 3 kB" text
	grep -x "# time of first sample : 1.500000" text
	$PERF report -i facts.data --json > report
	sed -n "/\"header\"/,/}/p" report | grep -v lost-samples | sed "s/2500000000,/2500000000/" > header
	same want header
'
mkdata lists.data <<'EOT'
event a sample=ip|time|identifier ids=1 flags=sample_id_all
event b sample=ip|time|identifier ids=2
sample ip=1 time=1000 id=1
feature nrcpus u32:2,2
feature cpu_topology u32:1 str:"0-1" u32:2 str:"0" str:"1" u32:0,0,1,0xffffffff u32:1 str:"0-1" u32:0,0
feature numa_topology u32:1 u32:0 u64:16,8 str:"0-1"
feature branch_stack
feature pmu_mappings u32:2 u32:1 str:"software" u32:2 str:"trace\e[31mpoint"
feature group_desc u32:2 str:"{a,b}" u32:0,2 str:"far" u32:7,9
feature auxtrace u64:0
feature event_desc
feature cache u32:1,2 u32:1,64,64,8 str:"Data" str:"32K" str:"0-1" u32:2,64,64,8 str:"Unified" str:"many" str:"0"
feature mem_topology u64:1,0x1000,2 u64:0,64,70 u64:0x70b,0x21 u64:3,64,0
feature clock_data u32:1 u32:1 u64:1600000000000000000,5000
feature bpf_btf u32:2 u32:7,4 u32:0 u32:8,0
feature cpu_pmu_caps u32:1 str:"branches" str:"16"
feature hybrid_topology u32:1 str:"cpu_core" str:"0-1"
feature pmu_caps u32:2 u32:2 str:"branches" str:"32" str:"max" str:"3" str:"cpu" u32:0 str:"none"
feature cpu_domain_info u32:17,2 u32:0,2 u32:0 str:"SMT" str:"3" str:"0-1" u32:1 str:"MC" str:"f" str:"0-3" u32:1,0
EOT
check 'lists of the header are objects; what is not known is left out' '
	$PERF evlist -i lists.data --json > out
	sed -n "/\"header\"/,/^  }/p" out > header
	expect lists header
	$PERF report -i lists.data --json > report
	sed -n "/\"header\"/,/^  }/p" report | sed "/lost-samples/d; s/,$//" > other
	sed "s/,$//" header | same - other
	$PERF script -i lists.data --json | head -n 1 > line
	grep -F "\"cpus\": [{\"cpu\": 0, \"core\": 0, \"die\": 0, \"socket\": 0}, {\"cpu\": 1, \"core\": 1, \"die\": 0}], \"numa-nodes\": [" line
	grep -F "[{\"pmu\": \"cpu\", \"capabilities\": [{\"name\": \"branches\", \"value\": \"32\"}, {" line
'
check 'names of the fields of tracepoints' '
	mkdata tp.data < "$SRC/tests/fuzz/corpus/data/tracepoint-names.mk"
	$PERF evlist -i tp.data --json > out
	grep "\"type\": 2, .*\"fields\": null" out
	grep "\"name\": \"sys:e\", .*\"fields\": \[\]}" out
'
check 'forms of the text are refused' '
	for a in -F -v -g --trace-fields; do
		fails_with 129 $PERF evlist -i t.data --json $a > out 2> err
		grep "exclude each other" err
	done
'
check 'JSON to another reader, too' '
	echo "import json" | python3 2> err || skip "no python3 with its json module"
	for f in t.data tp.data lists.data; do
		$PERF evlist -i $f --json | python3 -m json.tool > pretty
	done
'
