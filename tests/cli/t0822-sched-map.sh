#!/bin/sh
# perf sched map: what each CPU runs, from an assembled file.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/sched-lib.sh"

{
	sched_formats
	sched_events
	switch 0 0 5:a 1 $IDLE0
	switch 2 100 7:x 0 6:bc
	switch 0 200 $IDLE0 0 5:a
	switch 2 300 6:bc 1 8:b
	switch 0 400 5:a 0 5:a		# nothing changes
	switch 0 500 5:a 0 9:c
	switch 0 600 9:d 1 5:a		# 9 got another name
	switch 0 700 5:a 0 9:d
} | mkdata x.data || exit 1

check 'a column per CPU, a short name per thread' '
	$PERF sched map -i x.data > out
	expect map out
	$PERF sched map --compact -i x.data > out
	expect compact out'
check 'CPUs, names, colours' '
	$PERF sched map --cpus 2 -i x.data > out
	test "$(wc -l < out)" = 2
	grep -q "^  \*A0 *1.000100" out
	$PERF sched map --task-name b,c -i x.data > out
	grep -q "A0 => b:8" out
	silent_about "bc:6" out
	$PERF sched map --task-name b --fuzzy-name -i x.data > out
	says "bc:6" out
	silent_about "a:5" out
	printf "[color]\n\tui = always\n" > color.config
	PERF_CONFIG=$PWD/color.config $PERF sched map --color-cpus 2 --color-pids 5 -i x.data > out
	grep -q "$(printf "\033\[34m")\*A0" out
	grep -q "$(printf "\033\[31m")\*B0" out
	fails_with 129 $PERF sched map --fuzzy-name -i x.data 2> err'
check 'separated values, and lines of JSON' '
	$PERF sched map -x, -i x.data > out
	grep -qx "1000100000,2,A0,bc,6" out
	$PERF sched map --json -i x.data > out
	grep -qxF "{\"type\": \"switch\", \"time\": 1000100000, \"cpu\": 2, \"short\": \"A0\", \"comm\": \"bc\", \"tid\": 6}" out
	test "$(wc -l < out)" = 7'
