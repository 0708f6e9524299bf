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
	  "events": [
	    {"name": "cpu-clock", "type": 1, "config": "0x0", "sample-frequency": 4000, "sample-type": "0x10007", "leader": 0},
	    {"name": "page-faults", "type": 1, "config": "0x2", "sample-period": 1, "sample-type": "0x10007", "leader": 1}
	  ]
	}
	EOF
	same want out
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
