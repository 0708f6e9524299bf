#!/bin/sh
# Pipes that do not block, as node, ssh and tmux hand out: perf waits for the other side, and nothing is lost
. "$(dirname "$0")/lib.sh"

have_PYTHON3() { command -v python3 > /dev/null || { echo "needs python3"; return 1; }; }
need PYTHON3
{ echo "event e config=cpu-clock sample=ip|tid|time"
  printf "repeat 3000\nsample ip=0x1000+\$i*64 tid=7 time=\$i\nend\n"; } | mkdata x.data
$PERF inject < x.data > x.pipe

slowly() {
	python3 "$SRC/tests/tools/nonblocking.py" $PERF "$@"
}
check 'what is printed is whole' '
	for command in "script" "script --json" "report --stdio --sort sym,time" "report -D" \
		       "report --json"; do
		$PERF $command -i x.data > want 2> err
		test "$(wc -c < want)" -gt 5000
		slowly $command -i x.data < /dev/null > got 2> err
		same want got
	done
'
check 'a recording that is written to such a pipe is whole' '
	slowly inject -i x.data -o - < /dev/null > got.pipe
	same x.pipe got.pipe
'
check 'a recording is read from such a pipe' '
	$PERF script -i x.data -F ip > want
	slowly script -i - -F ip < x.pipe > got
	same want got
'
check_if EVENTS 'a recorder waits, too' '
	slowly record -q -e cpu-clock:u -o - $PERF test -w deterministic 2 < /dev/null > r.pipe
	$PERF script -i - -F ip < r.pipe > got
	test -s got
'
