#!/bin/sh
# Some system calls fail while files are written: what was there before stays, or the new one is whole.
. "$(dirname "$0")/lib.sh"

have_X86_64() {
	[ "$(uname -m)" = x86_64 ] || { echo "tests/tools/faults knows the registers of x86-64 only"; return 1; }
}
have_TRACED() {
	"$O/tools/faults" -l 1 true 9> calls 2> err || { echo "processes cannot be traced here: $(cat err)"; return 1; }
}
need PLAIN X86_64 PYTHON TRACED

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
