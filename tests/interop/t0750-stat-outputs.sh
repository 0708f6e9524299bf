#!/bin/sh
# The outputs of perf stat that programs read, beside those of upstream: the same columns and keys in every
# mode, the same numbers where they are fixed. Metrics are left out: the newest release derives none where
# events are named with -e.
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS ROOT
have_NEWEST > /dev/null || need PEER61
have_NEWEST > /dev/null || NEWEST=
have_PEER61 > /dev/null || PEER=

# shape_csv: what does not change from run to run: every number is N, of the last two columns (metrics) only
# that they are there
shape_csv() {
	awk -F, -v OFS=, '{
		for (i = 1; i <= NF - 2; i++) {
			if ($i ~ /^[0-9.]+$/)
				$i = $i ~ /\./ ? "N.N" : "N"
			gsub(/-[0-9]+$/, "-N", $i)
			if ($i ~ /%$/)
				$i = "N%"
		}
		$(NF - 1) = $NF = "";
		print
	}'
}
# shape_json: numbers are N, metrics are dropped
shape_json() {
	sed -E 's/, "metric-[a-z]*" : ("[^"]*"|[^",}]*)//g; s/"[0-9]+\.[0-9]+"/"N.N"/g; s/ : [0-9]+\.[0-9]+/ : N.N/g; s/ : [0-9]+/ : N/g
		s/-[0-9]+"/-N"/; s/"aggregate-number"/"counters"/'
}
# whether a task ran in one of the intervals depends on how busy the machine is
any_state() {
	sed "s/\"<not counted>\"/\"N.N\"/; s/<not counted>/N/"
}
# beside WHICH ARGS...: ours and WHICH print the same shape, for -x and -j
beside() {
	which=$1
	shift
	for f in csv json; do
		o=-x,
		[ $f = csv ] || o=-j
		$PERF stat $o "$@" 2>&1 >/dev/null | shape_$f | ${blur-cat} | sort -u > ours
		"$which" stat $o "$@" 2>&1 >/dev/null | shape_$f | ${blur-cat} | sort -u > theirs
		test -s theirs
		same theirs ours || { echo "stat $o $*"; return 1; }
	done
}
# options that make the columns; all events are software events
EV='-e task-clock,dummy,context-switches,cycles:u'
check_if NEWEST 'the newest: columns and keys of every mode' '
	beside "$NEWEST" $EV true
	beside "$NEWEST" $EV -r 2 true
	beside "$NEWEST" $EV -a -A true
	for m in socket die core node; do
		beside "$NEWEST" $EV -a --per-$m true
	done
	blur=any_state beside "$NEWEST" $EV -a -G / true
	beside "$NEWEST" -e dummy,cycles:u -a --summary true
	beside "$NEWEST" -e dummy -a -r 2 -A true
	beside "$NEWEST" -e dummy/percore/,cs -a -A true
	beside "$NEWEST" -e dummy/percore/ -a -A --percore-show-thread true
	blur=any_state beside "$NEWEST" -e dummy,cs -a --for-each-cgroup / true
'
check_if NEWEST 'the newest: caches' '
	[ -e /sys/devices/system/cpu/cpu0/cache/index0/id ] || skip "this kernel tells no caches"
	beside "$NEWEST" $EV -a --per-cache true
	beside "$NEWEST" $EV -a --per-cache=L1 true
'
check_if NEWEST 'the newest: clusters' '
	[ -e /sys/devices/system/cpu/cpu0/topology/cluster_id ] || skip "this kernel tells no clusters"
	beside "$NEWEST" $EV -a --per-cluster true
'
check_if NEWEST 'the newest: a thread' '
	sleep 600 &
	pid=$!
	until_true grep -qx sleep /proc/$pid/comm
	# stopped, it does not run any more
	kill -STOP $pid
	until_true grep -q "^State:.T" /proc/$pid/status
	beside "$NEWEST" -e dummy,cycles:u --per-thread -p $pid true
	kill -9 $pid
'
check_if NEWEST 'the newest: intervals' '
	blur=any_state
	for w in "-A -a" "" "-a --per-core"; do
		beside "$NEWEST" -e dummy,cs $w -I 30 sleep 0.4
		beside "$NEWEST" -e dummy,cs $w -I 30 --summary sleep 0.4
		[ "$w" ] || beside "$NEWEST" -e dummy,cs -I 30 --summary --no-csv-summary sleep 0.4
	done
'
check_if NEWEST 'the newest: other separators' '
	for s in ";" "::" "\\t"; do
		$PERF stat -x "$s" -e dummy,cycles:u true 2>&1 | sed "s/[0-9][0-9.]*/N/g; s/^N\([;:\t]*\)dummy.*/N\1dummy/" > ours
		"$NEWEST" stat -x "$s" -e dummy,cycles:u true 2>&1 | sed "s/[0-9][0-9.]*/N/g; s/^N\([;:\t]*\)dummy.*/N\1dummy/" > theirs
		same theirs ours
	done
'
# 6.1 pads the time of intervals, shows metrics, has no clusters and caches
check_if PEER61 'the packaged one: columns of every mode' '
	columns() { sed "s/^ *//" | shape_csv | any_state | sort -u; }
	for o in "true" "-r 2 true" "-a -A true" "-a --per-socket true" "-a --per-die true" "-a --per-core true" "-a --per-node true" \
			"-a -G / true" "-I 30 sleep 0.4" "-I 30 --summary sleep 0.4" "-I 30 -a -A --summary sleep 0.4"; do
		$PERF stat -x, -e task-clock,dummy,cs $o 2>&1 > /dev/null | columns > ours
		"$PEER" stat -x, -e task-clock,dummy,cs $o 2>&1 > /dev/null | columns > theirs
		same theirs ours || { echo "$o"; exit 1; }
	done
'
check 'page faults of a fixed workload agree' '
	value() { "$@" stat -x, -e page-faults sh -c "i=0; while [ \$i -lt 300 ]; do i=\$((i+1)); (:); done" 2>&1 | cut -d, -f1; }
	ours=$(value $PERF)
	for p in "$PEER" "$NEWEST"; do
		[ -n "$p" ] || continue
		theirs=$(value "$p")
		echo "$p: $theirs, ours: $ours"
		# how many pages the kernel maps at once depends on what is in its cache
		test $((ours * 4)) -gt $((theirs * 3))
		test $((ours * 3)) -lt $((theirs * 4))
	done
'
have_PYTHON3() {
	command -v python3 > /dev/null || { echo "python3 is not installed"; return 1; }
}
check_if PYTHON3 'every output is what it says: JSON lines, a document, rectangular columns' '
	cat > check.py <<-END
	import csv, json, sys
	kind, name = sys.argv[1:]
	text = open(name).read()
	if kind == "doc":
	    doc = json.loads(text)
	    assert doc["version"] == 1 and doc["blocks"]
	    for b in doc["blocks"]:
	        for c in b["counts"]:
	            assert c["value"] is not None or c["reason"]
	            assert isinstance(c["run-ns"], int)
	elif kind == "lines":
	    for line in text.splitlines():
	        assert isinstance(json.loads(line), dict)
	else:
	    rows = list(csv.reader(text.splitlines()))
	    assert len(rows) > 1 and len({len(r) for r in rows}) == 1, rows
	END
	for o in "" "-r 2" "-a" "-a -A" "-a --per-core" "-I 60000 --summary" "-a -I 60000 -A --summary" "-a -G / -e dummy,cs" "-M CPUs_utilized" \
			"-n" "-d -d" "-e {dummy,cs}:u" "--metric-only" "--metric-only -a --per-socket -I 60000"; do
		$PERF stat --json=doc $o true > /dev/null 2> doc || continue
		python3 check.py doc doc || { cat doc; exit 1; }
		echo "$o" >> forms
		$PERF stat -j $o true > /dev/null 2> lines
		python3 check.py lines lines || { cat lines; exit 1; }
		[ "$o" = -n ] || {
			$PERF stat -x, --header $o true > /dev/null 2> csv
			python3 check.py csv csv || { cat csv; exit 1; }
		}
	done
	test "$(wc -l < forms)" -ge 10
'
