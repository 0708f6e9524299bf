#!/bin/sh
# Some system calls fail while files are written: what was there before stays, or the new one is whole.
. "$(dirname "$0")/lib.sh"

need PLAIN PYTHON FAULTS

check 'one call fails, and is counted' '
	"$O/tools/faults" -l 1,82 $PERF version > out 9> calls
	same calls - <<-END
		1 1
		82 0
	END
	fails_with 1 "$O/tools/faults" -f 1:28:1 $PERF version > out 2> err
	says "No space left on device" err
'
check 'outputs are whole or what they were' '
	"$SRC/tests/faults/run" -b 1 -k write,rename,close,openat convert-json convert-pprof merge config list > out ||
		{ cat out; false; }
	finds ", 0 bad" < out
'
check_if EVENTS 'a recording ends though the process that folds cannot be told so' '
	"$SRC/tests/faults/run" -b 1 -k shutdown record-fold-pprof > out || { cat out; false; }
	finds "^1 faults: 1 went on" < out
'
