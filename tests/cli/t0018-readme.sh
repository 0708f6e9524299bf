#!/bin/sh
# What README.md shows is what happens.
. "$(dirname "$0")/lib.sh"
need EVENTS PLAIN

# the lines after "$ ./perf WORD"
shown() {
	awk -v cmd="\$ ./perf $1 " 'index($0, cmd) == 1 { on = 1; next } /^(\$|```)/ { on = 0 } on' "$SRC/README.md"
}
check 'as many samples as the recording takes in its time, and the table of that report' '
	line=$(grep "^\$ ./perf record " "$SRC/README.md")
	seconds=${line##* }
	ln -s "$PERF" perf
	eval "$(echo "${line#??}" | sed "s/ $seconds\$/ 0.2/")" > log 2>&1
	eval "$(sed -n "s/^\$ \(.*perf report .*\)/\1/p" "$SRC/README.md")" > real
	shown record | finds "Captured and wrote"
	samples=$(shown record | sed -n "s/.*(\([0-9]*\) samples).*/\1/p")
	grep -q "# Samples: .* of event .cpu-clock" real || skip "a PMU samples by another clock than the one shown"
	# the same period: neither more than the time that passed, nor less than half of it
	period=$($PERF script -F period | head -n 1 | tr -d " ")
	shown report | finds -x "# Samples: $((samples / 1000))K of event .cpu-clock."
	shown report | finds -x "# Event count (approx.): $((samples * period))"
	test $((samples * period)) -le $((seconds * 1000000000))
	test $((samples * period * 2)) -ge $((seconds * 1000000000))
	for f in shown real; do
		if [ $f = real ]; then cat real; else shown report; fi |
			sed -n "/^# Overhead/p; /^#/d; /%/{p;q}" | tr -s " " | sed "s/ *\$//; s/[0-9.]*%/N/" > $f.table
	done
	test -s shown.table
	same shown.table real.table
'
