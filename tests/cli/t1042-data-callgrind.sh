#!/bin/sh
# perf data convert --to callgrind: costs of functions, lines and calls; recursion; names like syntax
. "$(dirname "$0")/lib.sh"

# functions of 0x100 bytes from 0x1000 on
mkdir -p root/tmp
printf '1000 100 main\n1100 100 even\n1200 100 odd\n1300 100 (7)\n1400 100 fn=(1) a;b\n1500 100 leaf\n' > root/tmp/perf-100.map
cat > a.mk <<-EOF
	event cpu-clock sample=ip|tid|time|id|period|callchain type=1 config=0 flags=sample_id_all|comm|mmap2
	event page-faults sample=ip|tid|time|id|period|callchain type=1 config=2 flags=sample_id_all|comm|mmap2
	feature cmdline u32:2 str:"perf" str:"x\\ncalls=1 0"
	comm tid=100 comm="q\"\\x1b;x\\xff" time=1
	mmap2 tid=100 addr=0x1000 len=0x2000 prot=5 flags=2 filename="//anon" time=2
	default tid=100
	sample ev=cpu-clock time=10 period=100 ip=0x1510 chain=-512,0x1510,0x1110,0x1210,0x1110,0x1210,0x1110,0x1010
	sample ev=cpu-clock time=11 period=10 ip=0x1110 chain=-512,0x1110,0x1110,0x1110,0x1010
	sample ev=cpu-clock time=12 period=1 ip=0x1410 chain=-512,0x1410,0x1310,0x1010
	sample ev=cpu-clock time=13 period=1000 ip=0x1110 chain=-512,0x1110
	sample ev=page-faults time=14 period=7 ip=0x1210 chain=-512,0x1210,0x1110,0x1210,0x1010
	sample ev=page-faults time=15 period=2 ip=0x9010 chain=-512,0x9010,0x1010
EOF
mkdata a.data < a.mk || exit 1
sed 's/|callchain//; s/ chain=.*//' a.mk | mkdata flat.data || exit 1
convert() { PERF_FS_ROOT="$PWD/root" $PERF data convert "$@"; }
have_PYTHON() { python3 -c "import sys; sys.exit(sys.version_info < (3, 9))" 2> /dev/null ||
	skip "no python3 of version 3.9 or later"; }
have_ANNOTATE() { callgrind_annotate --version 2>&1 | finds "^callgrind_annotate" > found ||
	skip "no callgrind_annotate (of valgrind)"; }
dump() { python3 "$SRC/tests/tools/callgrind-dump.py" "$@"; }
# of folded stacks of several events: event, function, what it costs itself, and with what it calls
sums() {
	awk '{
		n = split(substr($0, 1, length($0) - length($NF) - 1), frame, ";")
		delete seen
		for (i = 3; i <= n; i++) {
			key = frame[1] " " frame[i]
			if (!seen[key]++) total[key] += $NF
		}
		self[key] += $NF
	} END { for (key in total) printf "%s %.0f %.0f\n", key, self[key], total[key] }' | LC_ALL=C sort
}
# the same of each number that stacks have
folded_sums() {
	{
		convert --to folded "$1"
		convert --to folded -F sample "$1" | sed 's/^[^;]*/&-samples/'
		convert --to folded -F weight "$1" 2> err | sed 's/^[^;]*/&-weight/'
	} | sums
}
# annotated FILE ARGS: rows of callgrind_annotate as "COST FILE:FUNCTION [MODULE]"
annotated() {
	callgrind_annotate --auto=no --threshold=100 --show-percs=no --show=cpuClock "$@" > annotated 2> warned
	test ! -s warned
	sed 's/^ *//; s/,//g; s/  */ /g' annotated
}

check 'costs and calls are written by function, with labels as callers' '
	convert --to callgrind -o out --label "host=x
calls=1 0" a.data 2> err
	says "6 samples, 6 stacks as callgrind into" err
	expect callgrind out'
check_if PYTHON 'sums are those of folded, by function and address, and of several files' '
	folded_sums a.data > want
	says "cpu-clock even 1010 1110" want
	says "cpu-clock-samples even 2 3" want
	says "page-faults odd 7 7" want
	for by in function address; do
		convert --to callgrind --by $by a.data > out
		dump out > all
		grep -v " comm=" all | same want -
	done
	says "0x1510 0 100" out
	convert --to callgrind a.data a.data > out
	dump out > twice
	says "cpu-clock even 2020 2220" twice'
check_if PYTHON 'weights are columns of the events that have them' '
	sed "/^event page/s/|callchain/|callchain|weight/; /ev=page/s/ period/ weight=9 period/" a.mk | mkdata w.data
	folded_sums w.data > want
	says "page-faults-weight odd 9 9" want
	silent_about "cpu-clock-weight" want
	convert --to callgrind w.data > out
	says "events: cpuClock pageFaults cpuClockSamples pageFaultsSamples pageFaultsWeight" out
	says "summary: 1111 9 4 2 18" out
	dump out > all
	grep -v " comm=" all | same want -'
check_if PYTHON 'without call chains there are functions and labels alone' '
	convert --to callgrind flat.data > out
	dump out > sums
	says "cpu-clock even 1010 1010" sums
	says "cpu-clock leaf 100 100" sums
	silent_about "odd'\''2" out
	test "$(grep -c "^calls=" out)" = "$(grep -c "^cfn=" out)"'
check 'names of events are letters and digits, each of its own' '
	{
		for name in a:b/c/ a-b-c 1x:ü aBC; do
			echo "event $name sample=ip|tid|id|period type=1 config=0"
		done
		echo "feature event_desc"
		for name in a:b/c/ a-b-c 1x:ü aBC; do
			echo "sample ev=$name tid=1 ip=0x10 period=5"
		done
	} | mkdata events.data
	convert --to callgrind events.data > out
	says "event: aBC : a:b/c/ (nanoseconds)" out
	says "event: aBCx1 : a-b-c (nanoseconds)" out
	says "event: e1x : 1x:ü (nanoseconds)" out
	says "events: aBC aBCx1 e1x aBCx2 aBCSamples aBCSamplesx3 e1xSamples aBCSamplesx4" out
	says "summary: 5 5 5 5 1 1 1 1" out'
check_if ANNOTATE 'callgrind_annotate finds the sums' '
	convert --to callgrind a.data > out
	annotated out > rows
	says "1111 PROGRAM TOTALS" rows
	says "1000 ???:even [/tmp/perf-100.map]" rows
	annotated --inclusive=yes out > rows
	says "1110 ???:even [/tmp/perf-100.map]" rows
	says "100 ???:odd [/tmp/perf-100.map]" rows
	says "1 ???:fn=(1) a;b [/tmp/perf-100.map]" rows
	says "111 ???:main [/tmp/perf-100.map]" rows'

have_LINES() {
	have_GCC || return 1
	[ "$(uname -m)" = x86_64 ] || skip "addresses are those of x86-64"
}
# shop.data: "work" has lines of two files
make_shop() {
	printf '%s\n' '#line 3 "/src/shop.c"' '__attribute__((noinline)) long leaf(volatile long *p) { return *p; }' \
		'long work(volatile long *p)' '{' '	*p = 1;' '	*p += leaf(p);' '#line 20 "/src/tax.h"' \
		'	*p = 7;' '#line 8 "/src/shop.c"' '	return *p;' '}' > shop.c
	gcc -g -O1 -fno-pie -no-pie -nostdlib -static -Wl,-Ttext=0x401000 -Wl,-ework shop.c -o shop
	off=$(readelf -SW shop | awk '{ sub(/^ *\[ *[0-9]+\]/, "") } $1 == ".text" { print "0x" $4; exit }')
	seq -f %.0f 4198400 4198500 | while read -r a; do printf "%x\n" "$a"; done | addr2line -e shop > lines
	at() { echo $((0x401000 + $(grep -n "$1" lines | head -n 1 | cut -d: -f1) - 1)); }
	mkdata shop.data <<-EOF
	event cpu-clock sample=ip|tid|time|period|callchain type=1 config=0 flags=sample_id_all|comm|mmap2
	comm tid=100 comm="shop" time=1
	mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=$off prot=5 flags=2 filename="$PWD/shop" time=2
	sample tid=100 ip=$(at shop.c:3) time=10 period=100 chain=-512,$(at shop.c:3),$(at shop.c:7)+1
	sample tid=100 ip=$(at shop.c:6) time=11 period=10 chain=-512,$(at shop.c:6)
	sample tid=100 ip=$(at tax.h:20) time=12 period=1 chain=-512,$(at tax.h:20)
	EOF
}
check_if LINES 'by line: files, lines of another file in a function, calls at their line' '
	make_shop
	$PERF data convert --to callgrind --by line shop.data > out
	sed "s,$PWD,DIR," out > shop.callgrind
	expect shop.callgrind'
check_if LINES,ANNOTATE 'callgrind_annotate reads lines' '
	make_shop
	$PERF data convert --to callgrind --by line shop.data > out
	annotated out > rows
	says "100 /src/shop.c:leaf [$PWD/shop]" rows
	says "10 /src/shop.c:work [$PWD/shop]" rows
	says "1 /src/tax.h:work" rows'
