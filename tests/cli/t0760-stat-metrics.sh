#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS

have_JSON_PLUGIN() {
	[ -e "$O/lib/perf/jansson.so" ] || { echo "built without jansson"; return 1; }
}

check 'derived values stand beside their events' '
	$PERF stat -x, -e task-clock,page-faults,cpu-clock true 2> err
	grep -Eq "^[0-9.]*,msec,task-clock(:u)?,[0-9]*,100.00,[0-9.]*,CPUs utilized$" err
	grep -qE "^[0-9]+,,page-faults(:u)?,[0-9]+,100.00,[0-9.]+,[KMG]?/sec$" err
	$PERF stat -x, -e page-faults true 2> err
	grep -Eq "^[0-9]*,,page-faults(:u)?,[0-9]*,100.00,,$" err
'
check 'CPUs utilized is what the numbers say' '
	$PERF stat -j -e task-clock,duration_time sh -c "i=0; while [ \$i -lt 20000 ]; do i=\$((i + 1)); done" 2> err
	sed -n "s/.*\"counter-value\" : \"\([0-9.]*\)\".*\"event\" : \"\([a-z_-]*\)\".*/\2 \1/p" err > counts
	used=$(sed -n "s/.*\"metric-value\" : \"*\([0-9.]*\)\"*, \"metric-unit\" : \"CPUs utilized\".*/\1/p" err)
	awk -v used="$used" "{ v[\$1] = \$2 } END { d = v[\"task-clock\"] * 1e6 / v[\"duration_time\"] - used;
		exit !(used > 0 && d < 0.1 && d > -0.1) }" counts
'
check 'metrics by name bring their events' '
	$PERF stat -M CPUs_utilized,cs_per_second true 2> err
	grep -Eq "msec task-clock(:u)?  *# .* CPUs  CPUs_utilized *$" err
	grep -Eq "context-switches(:u)?  *# .* cs/sec  cs_per_second *$" err
	not grep -q instructions err
	$PERF stat -x, -e page-faults -M CPUs_utilized true 2> err
	test "$(wc -l < err)" = 2
'
check 'groups, globs, and metrics alone' '
	$PERF stat -j -M "*_per_second" true 2> err
	for m in cs_per_second migrations_per_second page_faults_per_second; do grep -q "  $m\"" err; done
	$PERF stat -M Default true 2> err
	grep -q CPUs_utilized err
	grep -q page_faults_per_second err
	$PERF stat --metric-only -x, -M page_faults_per_second true 2> err
	head -n 1 err | finds "^faults/sec  page_faults_per_second"
'
check_if ROOT 'each CPU' '
	$PERF stat -a -A -x, -M CPUs_utilized sleep 0.05 2> err
	grep -q "^CPU" err
	test "$(grep -c "^CPU[0-9]*,.*,CPUs  CPUs_utilized$" err)" = "$(grep -c "^CPU" err)"
'
check 'each interval' '
	$PERF stat -I 500 --interval-count 2 -x, -M page_faults_per_second sleep 20 2> err
	test "$(grep -c page_faults_per_second err)" = 2
'
check 'what was not counted has no number' '
	mkdir -p root/sys root/proc/sys/kernel
	cp /proc/sys/kernel/perf_event_paranoid root/proc/sys/kernel
	PERF_FS_ROOT=root $PERF stat -M insn_per_cycle true 2> err
	grep -q instructions err
	! grep -qE "[0-9] +instructions +insn_per_cycle" err || grep -qE "[1-9][0-9,]* +instructions" err
'
check 'unknown names are named, with the nearest' '
	rc=0; $PERF stat -M insn_per_cycles true 2> err || rc=$?
	test $rc = 1
	head -n 1 err | finds "there is no metric or group .insn_per_cycles. (did you mean .insn_per_cycle.?)$"
	rc=0; $PERF stat -M CPUs_utilized,, true 2> err || rc=$?
	test $rc = 1
	test "$(cat err)" = "Error: a metric is missing in '"'CPUs_utilized,,'"'"
'
check 'a machine without the events says so' '
	for opt in --topdown -T --smi-cost; do
		rc=0; PERF_FS_ROOT=root $PERF stat $opt true 2> err || rc=$?
		test $rc = 1
		grep -q "^Error: " err
	done
'
check_if JSON_PLUGIN 'metrics of an event table' '
	mkdir -p table/v
	echo "Family-model,Version,Filename,EventType" > table/mapfile.csv
	echo "Some-6-1,v1,/v/m.json,core" >> table/mapfile.csv
	cat > table/v/m.json <<-END
	[ { "MetricName": "faults_a_task", "MetricExpr": "page\\\\-faults / (half * 2)", "MetricGroup": "own", "ScaleUnit": "1faults" },
	  { "MetricName": "half", "MetricExpr": "0.5", "MetricGroup": "other" },
	  { "MetricName": "circle", "MetricExpr": "round + 1" }, { "MetricName": "round", "MetricExpr": "circle" } ]
	END
	PERF_CPUID=Some-6-1-1 $PERF stat --event-table table -x, -M own true 2> err
	grep -qE "^([0-9]+),,page-faults(:u)?,[0-9]+,100.00,[0-9.]+,faults  faults_a_task$" err
	rc=0; PERF_CPUID=Some-6-1-1 $PERF stat --event-table table -M circle true 2> err || rc=$?
	test $rc = 1
	grep -q "^Error: metric .circle. depends on itself$" err
'
check '--cputype=cpu means what cpu/.../ does, also where no PMU is called so' '
	d=none/sys/bus/event_source/devices/software
	mkdir -p $d
	echo 1 > $d/type
	export PERF_FS_ROOT=$PWD/none
	$PERF stat --cputype=cpu -e cpu/cycles/,cpu-clock true 2> err
	grep -q cpu/cycles/ err
	fails_with 1 $PERF stat --cputype=core -e cycles true 2> err
	says "no PMU called" err
	$PERF list --cputype=cpu > out 2> err
	says "no hardware counters" err
	silent_about "no kind of core" err
	mkdir -p none/sys/bus/event_source/devices/cpu
	echo 4 > none/sys/bus/event_source/devices/cpu/type
	$PERF stat --cputype=cpu -e cpu/cycles/,cpu-clock true 2> err
	grep -q cpu/cycles/ err
'
