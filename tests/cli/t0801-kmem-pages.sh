#!/bin/sh
# perf kmem --page: allocations of pages by call site, page, call chain and order, from assembled files;
# recording, where the kernel lets it.
. "$(dirname "$0")/lib.sh"

flags='(REC->gfp_flags) ? __print_flags(REC->gfp_flags, "|", {0x100ccaUL, "GFP_HIGHUSER_MOVABLE"}, {0xcc0UL, "GFP_KERNEL"}, {0x100UL, "__GFP_ZERO"}, {0x40000UL, "__GFP_COMP"}, {0x800000UL, "__GFP_ZEROTAGS"}) : "none"'
trace_format mm_page_alloc 11 8:pfn 4:order 8:gfp_flags -4:migratetype | sed "/^print fmt/d" > f1
printf 'print fmt: "pfn=0x%%lx order=%%d gfp_flags=%%s", REC->pfn, REC->order, %s\n' "$flags" >> f1
trace_format mm_page_free 12 8:pfn 4:order > f2

page_events() {
	for n in 1:mm_page_alloc 2:mm_page_free; do
		echo "event kmem:${n#*:} type=tracepoint config=1${n%:*} sample=identifier|ip|tid|time|cpu|raw|period${CHAIN-|callchain} ids=${n%:*}"
	done
	echo "feature tracing_data hex:170844 text:\"tracing\" text:\"0.6\" u8:0,${ENDIAN:-0},8 u32:${PAGE:-4096}"
	echo 'feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0'
	echo "feature tracing_data u32:1 text:\"kmem\" u8:0 u32:2"
	for f in f1 f2; do
		echo "feature tracing_data u64:$(wc -c < $f) file:$f"
	done
	echo "feature tracing_data u32:0,0 u64:0"
	echo "feature event_desc"
	echo 'mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text" misc=kernel time=0'
}
# get TIME PFN ORDER GFP TYPE [SITE]; put TIME PFN ORDER
get() {
	[ -n "${CHAIN-x}" ] && chain="chain=-128,0xffffffff81000010,${6:-0xffffffff81000110},0xffffffff81000310" || chain=
	echo "sample id=1 pid=5 tid=5 cpu=0 time=$1 $chain u16:11 u8:0,0 u32:5 u64:$2 u32:$3,0 u64:$4 u32:$5"
}
put() {
	[ -n "${CHAIN-x}" ] && chain="chain=-128,0xffffffff81000200" || chain=
	echo "sample id=2 pid=5 tid=5 cpu=1 time=$1 $chain u16:12 u8:0,0 u32:5 u64:$2 u32:$3"
}
samples() {
	echo 'comm pid=5 tid=5 comm="five"'
	get 1000 100 0 0xcc0 0
	put 2000 100 0
	get 3000 100 0 0x100cca 1 0xffffffff81000220
	get 4000 -1 3 0xcc0 0			# it fails
	get 5000 512 2 0xdc0 2
	put 6000 513 0				# a part
	put 6500 512 0				# another part
	put 7000 900 1				# allocated before
	get 8000 1024 10 0 4
	put 9000 1024 10
	get 9500 2048 11 0x80800cc0 3
}
cat > list <<-EOS
	ffffffff81000000 T _text
	ffffffff81000000 T _stext
	ffffffff81000000 T __alloc_frozen_pages_noprof
	ffffffff81000100 T pgd_alloc
	ffffffff81000200 T do_anonymous_page
	ffffffff81000300 T handle_mm_fault
	ffffffff81001000 T _etext
EOS
{ page_events; samples; } | mkdata x.data || exit 1
# pages FILE ARGS...
pages() {
	pages_of=$1
	shift
	$PERF kmem --page stat --kallsyms list -i "$pages_of" "$@"
}
check 'tables by call site and by page, flags, orders, the summary' '
	pages x.data --caller --alloc > out
	expect tables out
	cat x.data | $PERF kmem -i - --kallsyms list --caller --alloc --page stat | same out -'
check 'the same of the other byte order' '
	pages x.data --caller --alloc > out
	{ echo order big; ENDIAN=1 page_events; samples; } | mkdata big.data
	pages big.data --caller --alloc | same out -'
check 'what is not freed, by call chain, too' '
	pages x.data --live --caller --alloc --stacks -x: > out
	expect live out'
check 'a page that is allocated twice was freed without an event' '
	{ page_events; samples; get 9600 100 0 0xcc0 0; } | mkdata twice.data
	pages twice.data --live --alloc -x: > out
	says "100:4096:1:0:UNMOVABL:K:" out
	silent_about "MOVABLE:HUM" out
	says "Allocated again without being freed: 1" out'
check 'sizes of pages are those of the recorded machine' '
	{ PAGE=65536 page_events; samples; } | mkdata large.data
	pages large.data --caller -x: > out
	says "65536:1:0:UNMOVABL:K:pgd_alloc+10" out'
check 'typed values as JSON' '
	pages x.data --caller --json > out
	says "{\"bytes\": 16384, \"hit\": 1, \"order\": 2, \"migtype\": \"RECLAIM\", \"gfp\": \"K|Z\", \"callsite\": \"pgd_alloc+10\"}" out
	says "{\"flags\": \"0xdc0\", \"gfp\": \"K|Z\", \"names\": \"GFP_KERNEL|__GFP_ZERO\"}" out
	says "\"failures\": 1," out
	says "\"failed-bytes\": 32768" out
	echo "import json" | python3 2> err || skip "no python3 with its json module"
	python3 -m json.tool < out > /dev/null'
# keys ARGS...: the pages in the order of a table
keys() {
	pages x.data --alloc -x: "$@" | grep "^[0-9]" | cut -d: -f1 | tr "\n" " "
}
check 'sort keys, numbers of rows, filters' '
	test "$(keys -s page -l 3)" = "2048 1024 512 0 1 2 3 4 5 6 7 8 9 10 11 "
	test "$(keys -s migtype,page -l 2)" = "1024 2048 0 1 2 3 4 5 6 7 8 9 10 11 "
	test "$(keys -s order -l 1)" = "2048 0 1 2 3 4 5 6 7 8 9 10 11 "
	test "$(keys -s gfp -l 1)" = "2048 0 1 2 3 4 5 6 7 8 9 10 11 "
	test "$(keys -s callsite,page -l 1)" = "100 0 1 2 3 4 5 6 7 8 9 10 11 "
	test "$(keys --time 0.000005,0.0000051)" = "512 0 1 2 3 4 5 6 7 8 9 10 "
	for wrong in frag ptr hit,hit; do
		fails_with 129 $PERF kmem --page stat -i x.data -s $wrong 2> err
	done
	says "the sort key '\''hit'\'' is given twice" err
	fails_with 129 $PERF kmem --page stat -i x.data -s ptr 2> err
	says "they are page, bytes, hit, order, migtype, gfp, callsite" err
	fails_with 129 $PERF kmem --slab stat -i x.data -s page 2> err'
check 'the configuration chooses the allocator' '
	printf "[kmem]\n\tdefault = page\n" > config
	PERF_CONFIG=$PWD/config $PERF kmem stat -i x.data > out
	says "SUMMARY (page allocator)" out
	fails_with 1 env PERF_CONFIG=$PWD/config $PERF kmem --slab stat -i x.data 2> err
	says "has none of the events kmem:kmalloc" err
	printf "[kmem]\n\tdefault = heap\n" > config
	fails_with 1 env PERF_CONFIG=$PWD/config $PERF kmem stat -i x.data 2> err
	says "'\''heap'\'' is not slab or page" err'
check 'without call chains; impossible values are counted' '
	{ CHAIN= page_events; CHAIN= samples; CHAIN= get 9900 4096 77 0xcc0 0; CHAIN= put 9950 4096 4000000000; } | mkdata nochain.data
	pages nochain.data --caller --stacks -x: > out
	says "4096:1:0:MOVABLE:HUM:[unknown]" out
	says "Events with an impossible order: 2" out'
check 'names of flags from the file cannot reach the terminal' '
	sed "s/GFP_KERNEL\"/GFP_\\\\\\\\033[31m\"/" f1 > f1.new
	mv f1 f1.saved
	printf "%b" "$(cat f1.new)" > f1
	{ page_events; samples; } | mkdata evil.data
	mv f1.saved f1
	pages evil.data --caller > out
	not grep -q "$(printf "\033")" out
	says "GFP flags" out'
check_if ROOT,EVENTS,TRACEFS 'records what stat --page reads' '
	$PERF kmem --page record -q -o live.data ls / > ls.out
	$PERF evlist -i live.data > events
	printf "%s\n" kmem:mm_page_alloc kmem:mm_page_free > want.events
	grep kmem: events | same want.events -
	$PERF kmem --page stat -i live.data --caller --live > out
	grep -q "GFP_HIGHUSER_MOVABLE" out
	grep -q "^Total allocation requests  *: *[1-9]" out
	$PERF kmem record --page --slab -q -o both.data ls / > ls.out
	$PERF kmem --page --slab stat -i both.data > out
	grep -q "^Cross CPU allocations: [0-9]*/[1-9]" out
	grep -q "^Total free requests  *: *[1-9]" out'
