#!/bin/sh
# Recorders that were killed and files that were cut: what is there is shown, and one line says what is
# missing.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/data-lib.sh"

check 'data size 0: the recorder was killed before it wrote the header again' '
	{ small; echo header data_size=0; echo truncate @data_end; } | mkdata x.data
	shows_both x.data
	test -s err
'
check 'data size 0 with the last record cut' '
	{ small; echo header data_size=0; echo truncate @data_end-4; } | mkdata x.data
	script_lines x.data -F $FIELDS > out
	head -n 1 "$TWO_SAMPLES" > want
	same want out
'
check 'a file cut within its data' '
	{ small; echo truncate @data_end-4; } | mkdata x.data
	script_lines x.data -F $FIELDS > out
	head -n 1 "$TWO_SAMPLES" > want
	same want out
	test -s err
'
check 'a file cut anywhere: no crash, no hang, a message where nothing is left' '
	small > t.mk
	mkdata whole.data < t.mk
	size=$(stat -c %s whole.data)
	at=0
	survives $PERF script -i whole.data
	test "$(wc -l < out)" = 2
	while [ $at -lt $size ]; do
		head -c $at whole.data > x.data
		survives $PERF script -i x.data
		[ -s out ] || [ -s err ]
		at=$((at + 7))
	done
'
check 'feature table cut off: samples are shown all the same' '
	{ small; echo truncate @features; } | mkdata x.data
	shows_both x.data
'
