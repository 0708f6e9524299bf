#!/bin/sh
# Metrics by name: the names and units that users know from upstream.
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS NEWEST

# one field of what "perf list -j metric" says about the metrics of generic events, with the name in front
metrics() {
	"$NEWEST" list -j metric 2> /dev/null | awk -v field="$1" '
		/^\{/ { group = name = value = "" }
		match($0, /"MetricGroup": "[^"]*"/) { group = substr($0, RSTART + 16, RLENGTH - 17) }
		match($0, /"MetricName": "[^"]*"/) { name = substr($0, RSTART + 15, RLENGTH - 16) }
		match($0, "\"" field "\": \"[^\"]*\"") { value = substr($0, RSTART + length(field) + 5, RLENGTH - length(field) - 6) }
		/^\}/ && group ~ /^Default/ && name !~ /^tma_|_bound$|^retiring$|^bad_speculation$/ { print name, value }' | sort -u
}

check 'every metric of generic events is known here by its name' '
	metrics MetricName | cut -d" " -f1 > names
	test "$(wc -l < names)" -ge 10
	while read -r name; do
		$PERF stat -M "$name" true 2> err || { echo "$name"; cat err; exit 1; }
	done < names
'
check 'and has the same unit' '
	metrics ScaleUnit | awk "\$2 != \"\" { sub(/^[0-9.]*/, \"\", \$2); print }" > units
	test "$(wc -l < units)" -ge 5
	while read -r name unit; do
		$PERF stat -j -M "$name" true 2> err
		grep -qF "\"metric-unit\" : \"$unit  $name\"" err || { echo "$name $unit"; cat err; exit 1; }
	done < units
'
check 'the numbers of one count are the same' '
	for m in page_faults_per_second cs_per_second; do
		for p in "$PERF" "$NEWEST"; do
			# shellcheck disable=SC2086
			"$p" stat -a -x, -M $m sleep 0.2 2> err
			awk -F, -v m="$m" "
				/clock/ { ns = \$1 * 1e6 }
				\$0 ~ m && \$1 ~ /^[0-9]/ { n = \$1; for (i = 2; i <= NF; i++) if (index(\$i, m)) v = \$(i - 1) }
				END { want = n * 1e9 / ns; d = v - want; if (d < 0) d = -d; if (v == \"\" || d > want / 50 + 0.1) { print m, n, ns, v; exit 1 } }" err ||
				{ cat err; exit 1; }
		done
	done
'
