#!/bin/sh
# perf explain: words of the command line and of the output, messages, similar words.
. "$(dirname "$0")/lib.sh"

check 'a sort key by its name and by the title of its column' '
	$PERF explain overhead_children > out
	says "overhead_children: sort key of report and top, column '"'Children'"'" out
	says "share with everything that was called" out
	$PERF explain Children > out
	says "overhead_children: sort key" out
	says "perf report --no-children" out
'
check 'a word with several meanings gets all of them' '
	$PERF explain comm > out
	says "comm: sort key" out
	says "comm: field of perf script" out
'
check 'commands, generic events by both names, also where the machine does not count them' '
	$PERF explain record > out
	says "record: command" out
	silent_about message out
	$PERF explain cs > out
	says "context-switches: software event" out
	says "switches of the CPU from one task to another" out
	$PERF explain cycles > out
	says "cpu-cycles: hardware event" out
'
check 'every field of script is explained' '
	sed -n "s/^[A-Z]*(\"\([a-z_-]*\)\".*/\1/p" "$SRC/util/script/fields.def" > names
	test "$(wc -l < names)" -gt 40
	while read -r name; do
		$PERF explain "$name" > out
		grep -q "^$name: field of perf script" out || { echo "$name"; exit 1; }
	done < names
'
check 'messages as they were printed, or a word of them' '
	$PERF explain "12 samples were lost because the ring buffers were full. Larger ones" > out
	says "faster than perf could read them" out
	says "fail-on-loss" out
	$PERF explain 12 samples were lost > out2
	same out out2
	$PERF explain Paranoid > out
	says "sysctl kernel.perf_event_paranoid=1" out
	$PERF explain "[unknown]" > out
	says "perf doctor" out
	$PERF explain "<not counted>" > out
	says "The counter never ran" out
'
check_if TRACEFS,ROOT 'a tracepoint of this machine' '
	$PERF explain sched:sched_switch > out
	says "sched:sched_switch: Tracepoint event" out
	says "perf list --fields sched:sched_switch" out
'
check 'similar words; nothing; no word' '
	fails_with 1 $PERF explain overhaed 2> err
	says "did you mean '"'overhead'"'" err
	fails_with 1 $PERF explain "$(printf "qx\033z")" 2> err
	says "is not known" err
	LC_ALL=C grep -c "$(printf "\033")" err > n || :
	test "$(cat n)" = 0
	fails_with 129 $PERF explain 2> err
'
