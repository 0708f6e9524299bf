# shellcheck shell=sh
# data-sums-lib.sh: sums of recordings, for tests of formats (t104x). Sourced after lib.sh.

# of a recording: a line of each event with samples, their number and their period
sums_of_report() {
	$PERF report --stdio -g none --no-children --no-group --no-branch-stack -s comm -F sample,period,comm -t "|" -i "$1" 2> err < /dev/null |
		awk -F "|" -v q="'" '/^# Samples:/ { split($0, part, q); event = part[2]; next } /^#/ || NF < 3 { next }
			{ n[event] += $1; sum[event] += $2 }
			END { for (e in sum) if (sum[e]) printf "%s %d %.0f\n", e, n[e], sum[e] < 2 ^ 57 ? sum[e] : 2 ^ 57 }' | sort
}
