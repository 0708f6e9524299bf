#!/bin/sh
# perf report by fields of tracepoints: how many, the same ones twice, and as levels of a tree.
. "$(dirname "$0")/lib.sh"

# format NAME ID FIELD...: of numbers, one after the other
format() {
	name=$1 id=$2
	shift 2
	trace_format $name $id $(printf "4:%s " "$@")
}
# events: the formats in e.format and g.format, as a file has them
events() {
	cat <<-END
	event sys:e type=tracepoint config=5 sample=identifier|ip|tid|time|raw|period ids=1
	event sys:g type=tracepoint config=6 sample=identifier|ip|tid|time|raw|period ids=2
	feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,0,8 u32:4096
	feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
	feature tracing_data u32:1 text:"sys" u8:0 u32:2 u64:$(wc -c < e.format) file:e.format
	feature tracing_data u64:$(wc -c < g.format) file:g.format u32:0 u32:0 u64:0
	feature event_desc
	END
}
# rows ARGS...: titles and rows of the report, blanks squeezed
rows() {
	$PERF report --stdio -i x.data "$@" > out || return 1
	sed -n "s/^#* *\(Overhead .*\)/\1/p; s/^ *\([0-9.]*%.*\)/\1/p" out | tr -s " " | sed "s/ $//"
}
format e 5 f1 f2 > e.format
format g 6 f2 f3 > g.format
{
	events
	echo "sample id=1 tid=5 time=1 u16:5 u8:0,0 u32:5 u32:1,7"
	echo "sample id=2 tid=5 time=2 u16:6 u8:0,0 u32:5 u32:7,8"
} | mkdata x.data || exit 1

check 'a field that several words say is one column' '
	printf "%s\n" "Overhead f1 f2" "100.00% 1 7" "Overhead f2 f3" "100.00% 7 8" > want
	for words in f1,f2,f3,f2 trace_fields,f2 f1,f2,f3,%1.f2,e.f2/raw e.*,g.*,f3,sys:g.f2; do
		rows -s "$words" | diff want -
	done'
check 'of fields that no event has it says where they are listed' '
	for k in e.f9 f9 %7.f1 nosuch.f1; do
		fails_with 1 $PERF report --stdio -i x.data -s $k 2> err
		says "unknown --sort key" err
		says "evlist --trace-fields" err
		silent_about "did you mean" err
	done
	printf "event cycles type=hardware config=0 sample=ip|tid|time\nsample tid=1\n" | mkdata plain.data
	for k in e.f1 trace_fields; do
		fails_with 1 $PERF report --stdio -i plain.data -s $k 2> err
		says "the profile has no tracepoints" err
	done
	fails_with 1 $PERF report --stdio -i plain.data -s sys 2> err
	silent_about "did you mean" err'
check 'levels of a tree have the names of the event, which has no level for what it lacks' '
	printf "%s\n" "Overhead f1 / f2" "100.00% 1" "100.00% 7" "Overhead f2" "100.00% 7" > want
	rows -H -s f1,f2 | diff want -'
check 'all fields of an event with many, or why not' '
	many=$(seq -f f%g 1 200)
	format e 5 $many > e.format
	{ events; echo "sample id=1 tid=5 time=1 u16:5 u8:0,0 u32:5 u32:$(seq -s , 1 200)"; } | mkdata x.data
	echo "Overhead" $many > want
	echo "100.00%" $(seq 1 200) >> want
	rows -s "e.*" | diff want -
	format e 5 $(seq -f f%g 1 300) > e.format
	{ events; echo "sample id=1 tid=5 time=1 u16:5 u8:0,0 u32:5 u32:$(seq -s , 1 300)"; } | mkdata x.data
	fails_with 1 $PERF report --stdio -i x.data -s trace_fields 2> err
	grep -q "at most 256 sort keys: leave some out" err'
