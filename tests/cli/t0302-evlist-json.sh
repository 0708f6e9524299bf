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
check 'names of the fields of tracepoints' '
	mkdata tp.data < "$SRC/tests/fuzz/corpus/data/tracepoint-names.mk"
	$PERF evlist -i tp.data --json > out
	grep "\"type\": 2, .*\"fields\": null" out
	grep "\"name\": \"sys:e\", .*\"fields\": \[\]}" out
'
check 'forms of the text are refused' '
	for a in -F -v -g --trace-fields; do
		fails_with 129 $PERF evlist -i t.data --json $a > out 2> err
		grep "excludes" err
	done
'
check 'JSON to another reader, too' '
	echo "import json" | python3 2> err || skip "no python3 with its json module"
	for f in t.data tp.data; do
		$PERF evlist -i $f --json | python3 -m json.tool > pretty
	done
'
