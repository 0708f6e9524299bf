#!/bin/sh
# perf report --html and --flamegraph: many events and long names share the limits of one page.
. "$(dirname "$0")/lib.sh"

mkdir -p fs/tmp
awk 'BEGIN { for (x = "a<b>"; length(x) < 400;) x = x "c"
	     for (i = 0; i < 4000; i++) printf "%x 10 f%d%s\n", 4194304 + 16 * i, i, x }' > fs/tmp/perf-7.map
export PERF_FS_ROOT="$PWD/fs"
{
	for i in $(seq 40); do
		echo "event e$i type=software config=0 ids=$i sample=identifier|ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2"
	done
	echo 'mmap2 tid=7 addr=0x400000 len=0x100000 prot=5 filename="//anon" time=1'
	for i in $(seq 40); do
		echo "repeat 4000"
		echo "sample tid=7 id=$i time=1000+\$i*100 period=1+\$i ip=0x400000+\$i*16 chain=-512,0x400000+\$i*16"
		echo end
	done
} | mkdata x.data || exit 1

check 'a page of 40 events with long names stays below 20 MB, and says what is left out' '
	$PERF report -i x.data --html=x.html
	test "$(grep -c "^{\"event\":\"cpu-clock\",\"pruned\":[1-9]" x.html)" = 40
	test "$(wc -c < x.html)" -lt 20000000
	$PERF report -i x.data --flamegraph=f.html
	test "$(wc -c < f.html)" -lt 20000000'
check 'the page has the names of its frames alone' '
	test "$(grep -c "^{\"event\":\"cpu-clock\",\"pruned\"" f.html)" = 40
	test "$(grep -o "\"f[0-9]*a.u003cb" f.html | wc -l)" -lt 10000
	grep -q "\"f3999a" f.html'
# one large stack, two small ones that 20 and 1,900 samples share in part
{
	echo 'event cycles type=hardware config=0 sample=ip|tid|time|cpu|period|callchain flags=sample_id_all|comm|mmap2'
	echo 'comm tid=7 comm="prog" time=1'
	echo 'mmap2 tid=7 addr=0x400000 len=0x100000 prot=5 filename="//anon" time=1'
	echo 'sample tid=7 time=1000 period=1000000 ip=0x400010 chain=-512,0x400010,0x400004'
	echo 'repeat 20'
	echo 'sample tid=7 time=2000+$i period=1 ip=0x400020 chain=-512,0x400020,0x400004'
	echo end
	echo 'repeat 1900'
	echo 'sample tid=7 time=3000+$i period=1 ip=0x401000+$i*16 chain=-512,0x401000+$i*16,0x400034,0x400004'
	echo end
} | mkdata tail.data || exit 1
check 'frames with less than 0.001 % of an event are left out of pictures, with any number of threads' '
	$PERF report -i tail.data --flamegraph=tail.html
	says "frames with less than 0.001 % of cycles are left out; 0.19 % were counted in such frames" tail.html
	for f in 0 1 2 3; do grep -q "\"f${f}a.u003cb" tail.html; done
	silent_about "\"f300a" tail.html
	says "\"total\":[1001920,1001920,1001920,1000000,20,1900]" tail.html
	says "\"self\":[0,0,0,1000000,20,0]" tail.html
	for j in 1 3 8; do $PERF report -i tail.data -j $j --html=$j.html; done
	cmp 1.html 3.html
	cmp 1.html 8.html'
check 'what is left out is there by time, and in lines of stacks' '
	test "$(sed -n "s/.*\"slotPeriod\":\[\([0-9,]*\)\].*/\1/p" 1.html | tr , "\n" | awk "{ n += \$1 } END { print n }")" = 1001920
	$PERF report -i tail.data --folded=tail.txt
	test "$(wc -l < tail.txt)" = 1902'
