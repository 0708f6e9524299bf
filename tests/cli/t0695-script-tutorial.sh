#!/bin/sh
# The tutorial's own analyses, as they are printed there: in Python with and without the module, and in C.
. "$(dirname "$0")/lib.sh"

# shown FIRST LAST: the lines of the tutorial from one to the other, without their indentation
shown() {
	awk -v first="	$1" -v last="	$2" '$0 == first { on = 1 } on { print substr($0, 2) } on && $0 == last { exit }' \
		"$SRC/Documentation/tutorial.txt"
}
mkdata perf.data <<'END'
event cycles type=hardware config=0 period=10 sample=ip|tid|time|period flags=sample_id_all|comm
comm pid=100 tid=100 comm="app" time=1
comm pid=200 tid=200 comm="other" time=1
sample pid=100 tid=100 ip=0x1010 time=100 period=7
sample pid=200 tid=200 ip=0x1010 time=200 period=20
sample pid=100 tid=100 ip=0x1010 time=300 period=5
END

check_if MODULE 'a program with the module' '
	shown "import collections, perf" "	print(period, comm, symbol)" > ten.py
	test "$(wc -l < ten.py)" -le 10
	python ten.py > out
	printf "%s\n" "20 other None" "12 app None" | same - out
'
check_if PYTHON 'a script with a name, of a file' '
	mkdir -p "$HOME/.config/perf/scripts"
	shown "import collections" "		print(nr, comm)" > "$HOME/.config/perf/scripts/opens.py"
	test "$(wc -l < "$HOME/.config/perf/scripts/opens.py")" = 9
	trace_format sys_enter_openat 11 4:fd > format
	{
		echo "feature tracing_data hex:170844 text:\"tracing\" text:\"0.6\" u8:0,0,8 u32:4096"
		echo "feature tracing_data text:\"header_page\" u8:0 u64:2 text:\"ab\" text:\"header_event\" u8:0 u64:0 u32:0"
		echo "feature tracing_data u32:1 text:\"syscalls\" u8:0 u32:1 u64:$(wc -c < format) file:format"
		echo "feature tracing_data u32:0,0 u64:0"
		echo "event syscalls:sys_enter_openat type=tracepoint config=11 sample=identifier|ip|tid|time|cpu|raw|period ids=11"
		echo "feature event_desc"
		echo "comm pid=5 tid=5 comm=\"cat\""
		for time in 1 2 3; do
			echo "sample id=11 pid=5 tid=5 cpu=0 time=$time u16:11 u8:0,0 u32:5 u32:0"
		done
	} | mkdata opens.data
	$PERF script -i opens.data report opens > out
	echo "3 cat" | same - out
'
check_if ROOT,EVENTS,TRACEFS,PYTHON 'a script with a name, live' '
	mkdir -p "$HOME/.config/perf/scripts"
	shown "import collections" "		print(nr, comm)" > "$HOME/.config/perf/scripts/opens.py"
	$PERF script opens -- cat /dev/null > out 2> err || { cat err; false; }
	grep -q "^[1-9][0-9]* cat" out
'
check_if GCC 'a filter in C' '
	shown "#include <stdio.h>" "	return 0;" > slow.c
	echo "}" >> slow.c
	mkdir -p include/perf
	cp "$SRC/util/script/perf_dlfilter.h" include/perf
	gcc -Wall -Wextra -Wno-unused-parameter -Werror -O2 -shared -fPIC -I include -o slow.so slow.c
	$PERF script --dlfilter ./slow.so > out
	printf "%s\n" "12 app" "20 other" | same - out
'
