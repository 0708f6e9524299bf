#!/bin/sh
# Recordings that become unreadable while they are read: what was read is shown, one sentence says why it is
# not all, and the status is 1.
. "$(dirname "$0")/lib.sh"

{ echo "event e config=cpu-clock sample=ip|tid|time"
  printf "repeat 200000\nsample ip=0x1000+\$i tid=7 time=\$i\nend\n"; } | mkdata whole.data
{ echo "event e config=cpu-clock sample=ip|tid|time ids=77"
  printf "repeat 200000\nsample ip=0x1000+\$i tid=7 time=\$i\nend\n"; } | mkdata other.data
mkfifo out.fifo

# changed_while WHAT ARGS...: the pipe is full, and perf waits, when WHAT is done to x.data
changed_while() {
	what=$1
	shift
	cp whole.data x.data
	rc=0
	{ $PERF "$@" > out.fifo 2> err || echo $? > rc; } &
	exec 3< out.fifo
	read -r line <&3
	test -n "$line"
	$what
	cat <&3 > out
	exec 3<&-
	wait
	test "$(cat rc)" = 1
}
cut() { truncate -s 8192 x.data; }
overwrite() { cat other.data > x.data; }
COMMANDS="script
script --json
report -D
report -D --json"

check 'a file that is cut' '
	echo "$COMMANDS" | while read -r command; do
		changed_while cut $command -i x.data
		says "x.data was cut to 8192 of" err
	done
'
check 'a file that is replaced in place' '
	changed_while overwrite script -i x.data
	says "x.data was changed while it was read" err
'
check 'a file that a recorder still writes to is read without complaint' '
	cp whole.data x.data
	{ $PERF script -i x.data -F ip > out.fifo 2> err; echo $? > rc; } &
	exec 3< out.fifo
	read -r line <&3
	echo more >> x.data
	cat <&3 > out
	exec 3<&-
	wait
	test "$(cat rc)" = 0
	test ! -s err
'
