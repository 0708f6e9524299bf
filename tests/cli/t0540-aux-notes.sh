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
	for kind in "6:a HiSilicon PTT trace" "99:an AUX trace of an unknown kind"; do
		aux "${kind%%:*}"
		note "${kind#*:}" script -i x.data
		note "${kind#*:}" report -i x.data
	done'
check 'of a pipe too; and nothing of other files' '
	aux 6 pipe
	cat x.data > piped
	note "a HiSilicon PTT trace" script -i - < piped
	note "a HiSilicon PTT trace" report -i - < piped
	aux 4 pipe
	cat x.data | $PERF script -i - > out 2> err
	says "Arm SPE data, which this command does not decode" err
	{ echo "event cycles type=0 config=0 sample=ip|tid|time"; echo "sample tid=1 ip=2 time=3"; } | mkdata x.data
	not note ".*" script -i x.data'
check '--itrace: the letters are checked; a file without a trace is shown, with a note' '
	{ echo "event cycles type=0 config=0 sample=ip|tid|time"; echo "sample tid=1 ip=2 time=3"; } | mkdata x.data
	for o in --itrace --itrace=i100usg16l --itrace=cewp --itrace=e+o-l; do
		for cmd in report script; do
			$PERF $cmd $o -i x.data > out 2> err
			says "Warning: --itrace: x.data has no hardware trace to decode" err
			$PERF $cmd -i x.data 2> /dev/null | cmp - out
		done
	done
	$PERF report --no-itrace -i x.data > out 2> err
	silent_about itrace err
	for cmd in report script annotate; do
		fails_with 129 $PERF $cmd --itrace=n -i x.data 2> err
		says "is not a list of trace options" err
	done
	aux 6
	note "a HiSilicon PTT trace" script --itrace=i -i x.data
	silent_about "to decode" err
'
check '--insn-trace, --call-trace, --call-ret-trace choose fields; calls alone need a trace' '
	{ echo "event cycles type=0 config=0 sample=ip|tid|time"; echo "sample tid=1 ip=2 time=3"; } | mkdata x.data
	$PERF script --call-trace -i x.data > out 2> err
	says "has no hardware trace to decode" err
	$PERF script --ns -F -ip,-event,-period,+callindent -i x.data | cmp - out
	grep -q " 0.000000003: $" out
	$PERF script --call-ret-trace -i x.data > out 2> err
	grep -q " 0.000000003:  \{24\}$" out
	$PERF script --insn-trace -i x.data > out 2> err
	$PERF script --ns -F +insn,-event,-period -i x.data | cmp - out
	$PERF script --insn-trace=disasm -i x.data > out 2> err
	$PERF script --ns -F +disasm,-event,-period -i x.data | cmp - out
	fails_with 129 $PERF script --insn-trace=all -i x.data 2> err
	says "takes raw or disasm" err
	fails_with 129 $PERF script --call-trace=n -i x.data 2> err
	says "is not a list of trace options" err
'
