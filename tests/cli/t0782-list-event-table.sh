#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

have_JSON_PLUGIN() {
	[ -e "$O/lib/perf/jansson.so" ] || { echo "built without jansson"; return 1; }
}
need JSON_PLUGIN
mkdir table
cat > table/cache.json <<'EOF'
[
{ "EventName": "L9.MISS", "EventCode": "0x24", "UMask": "0x3f", "SampleAfterValue": "200003",
  "BriefDescription": "short\u001b[2Jtext", "PublicDescription": "a long text" },
{ "EventName": "L9.OLD", "EventCode": "0x25", "Deprecated": "1" },
{ "MetricName": "l9_rate", "MetricExpr": "l9.miss / cpu\\-clock", "MetricGroup": "L9;Cache", "BriefDescription": "rate" }
]
EOF

check 'a table that is named is listed' '
	$PERF list --event-table table l9 > out
	grep -q "^  l9.miss  *\[Kernel PMU event\]$" out
	grep -q "^  l9_rate  *\[Metric\]$" out
	not grep -q l9.old out
	$PERF list --event-table table --deprecated l9.old | finds "^  l9.old "
	$PERF list --event-table table --details l9.miss | finds "event=0x24,umask=0x3f,period=200003/"
	$PERF list --event-table table metricgroup | finds "^  L9  *\[Metric group\]$"
	$PERF list --event-table table -v l9.miss | finds "a long text"
	PERF_EVENT_TABLES=$PWD/table $PERF list metric | finds "^  l9_rate"
'
check 'text from a table cannot drive a terminal' '
	$PERF list --event-table table -d l9.miss > out
	grep -q "short.x1b.2Jtext" out
	not grep -q "$(printf "\033")" out
'
check 'what is wrong with a table is said with file and line' '
	mkdir bad
	printf "[\n{ \"EventName\": \"x\" }\n{ \"EventName\": \"y\" }]\n" > bad/a.json
	fails_with 1 $PERF list --event-table bad pmu 2> err
	says "bad/a.json:3: " err
	says "is expected" err
	fails_with 1 $PERF list --event-table nowhere 2> err
	says "cannot read the directory nowhere" err
	# one that is found by the way hides nothing
	PERF_EVENT_TABLES=$PWD/bad $PERF list sw pmu 2> err | finds "^  task-clock"
	says "no event table is listed: $PWD/bad/a.json:3" err
'
check 'a row that cannot be right is named and left out' '
	mkdir rows
	printf "[\n{ \"EventName\": \"good\", \"EventCode\": \"1\" },\n{ \"EventName\": \"x\", \"EventCode\": \"y\" },\n{ \"EventName\": \"a/b\" }]\n" > rows/a.json
	$PERF list --event-table rows metric 2> err > out
	says "rows/a.json:3: an event code should be a number, not " err
	says ": left out, and 1 more" err
	$PERF list --event-table rows good 2> /dev/null > out
	[ ! -e /sys/bus/event_source/devices/cpu ] || grep -q "^good " out
'
have_MSR_PMU() {
	have_ROOT && [ -e /sys/bus/event_source/devices/msr/events/tsc ] || { echo "needs root and the PMU msr"; return 1; }
}
check_if MSR_PMU 'a name of a table counts, alone and with its PMU' '
	mkdir count
	echo "[{ \"EventName\": \"MY.TSC\", \"EventCode\": \"0\", \"Unit\": \"msr\" }]" > count/a.json
	$PERF list --event-table count "my*" | finds "^  my.tsc  *\[Kernel PMU event\]$"
	$PERF stat --event-table count -x, -a -e my.tsc,msr/my.tsc/ -o out true
	test "$(grep -Ec "^[1-9][0-9]*,,(my.tsc|msr/my.tsc/)," out)" = 2
	# wherever it stands; behind the command it is the command'"'"'s
	$PERF stat -x, -a -e my.tsc --event-table count -o out true
	grep -Eq "^[1-9][0-9]*,,my.tsc," out
	fails_with 129 $PERF stat -x, -a -e my.tsc true --event-table count 2> err
	PERF_EVENT_TABLES=$PWD/count $PERF stat -x, -a -e my.tsc -o out true
	grep -Eq "^[1-9][0-9]*,,my.tsc," out
	fails_with 129 $PERF stat --event-table table -e l9.mis true 2> err
	says "event '"'l9.mis'"' not found" err
'
