#!/bin/sh
# Files with AUX data: report and script say once which kind of trace they do not decode.
. "$(dirname "$0")/lib.sh"

# aux TYPE [FORMAT]: x.data
aux() {
	{ echo "format ${2-file}"; echo "event cycles type=0 config=0 sample=ip|tid|time flags=sample_id_all"
	echo "auxtrace_info auxtrace_type=$1"; echo "sample tid=1 ip=2 time=3"; } | mkdata x.data
}
# note TEXT COMMAND...: the note is the only one and has that text
note() {
	text=$1
	shift
	"$PERF" "$@" > got 2> err
	test "$(grep -c "does not decode" err)" = 1
	grep -q "^Warning: the file holds $text, which this perf does not decode" err
}

check 'each kind by its name' '
	for kind in "1:an Intel PT trace" "2:an Intel BTS trace" "3:an Arm CoreSight trace" "4:Arm SPE data" \
			"5:s390 CPU measurement data" "6:a HiSilicon PTT trace" "99:an AUX trace of an unknown kind"; do
		aux "${kind%%:*}"
		note "${kind#*:}" script -i x.data
		note "${kind#*:}" report -i x.data
	done'
check 'of a pipe too; and nothing of other files' '
	aux 4 pipe
	cat x.data > piped
	note "Arm SPE data" script -i - < piped
	note "Arm SPE data" report -i - < piped
	{ echo "event cycles type=0 config=0 sample=ip|tid|time"; echo "sample tid=1 ip=2 time=3"; } | mkdata x.data
	not note ".*" script -i x.data'
