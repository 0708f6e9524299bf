#!/bin/sh
# A recorder whose system calls fail ends, and what it wrote can be read.
. "$(dirname "$0")/lib.sh"

need PLAIN FAULTS
Q="'"

# each_fails CALL ERRNO COMMAND...: lets each of the calls fail in turn; the command ends in time
each_fails() {
	call=$1 errno=$2
	shift 2
	rm -rf out.data*
	"$O/tools/faults" -l "$call" "$@" > /dev/null 2> err 9> calls
	n=$(cut -d ' ' -f 2 calls)
	test "$n" -gt 0
	for i in $(seq "$n"); do
		rm -rf out.data*
		status=0
		timeout 30 "$O/tools/faults" -f "$call:$errno:$i" "$@" > /dev/null 2> err || status=$?
		test $status = 0 || test $status = 1 || { echo "call $i: status $status"; cat err; return 1; }
		test $status = 0 || says "Error: " err
		find . -name "out.data*" -type f -size 0 > empty
		not grep . empty
	done
}
check 'threads of a recorder end, though nobody wakes them' '
	each_fails 1 28 $PERF record --threads -q -e cpu-clock:u -c 1000000 -o out.data $PERF test -w deterministic 200
'
check 'a descriptor is closed, though the call fails' '
	each_fails 3 5 $PERF record -q -e cpu-clock:u -c 1000000 -o out.data $PERF test -w deterministic 200
'
check 'no empty file stays where it cannot be asked what an output is' '
	each_fails 262 13 $PERF record -q -e cpu-clock:u -c 1000000 --switch-output=1K --switch-max-files 2 -o out.data \
		$PERF test -w deterministic 2000
'
if command -v gcc > /dev/null && command -v python3 > /dev/null; then
	check 'areas of a trace that cannot be mapped' '
		"$SRC/tests/faults/run" -b 3 -k mmap record-trace record-trace-threads > out || { cat out; false; }
		finds ", 0 bad" < out
	'
fi
check_if ROOT 'a command that ends before its start' '
	fails_with 1 "$O/tools/faults" -f 1:28:1 $PERF stat -a -e task-clock true 2> err
	says "Error: cannot start ${Q}true$Q: Broken pipe" err
'
