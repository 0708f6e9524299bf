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
