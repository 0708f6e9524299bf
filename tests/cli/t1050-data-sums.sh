#!/bin/sh
# perf data convert: numbers of samples, periods and weights in every format are those of report, for
# recordings of every kind, in both byte orders
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/data-sums-lib.sh"

have_PYTHON() { python3 -c "import gzip, json, sqlite3, sys; sys.exit(sys.version_info < (3, 9))" 2> /dev/null ||
	skip "no python3 of version 3.9 or later"; }
sums() { python3 "$SRC/tests/tools/data-sums.py" "$@" 2> sums.err || { cat sums.err; exit 1; }; }
convert() { PERF_FS_ROOT="$PWD/root" timeout 100 $PERF data convert "$@" 2> err || { cat err; exit 1; }; }
# total: the sum of the last words
total() { awk '{ n += $NF } END { printf "%.0f\n", n }'; }

mkdir -p root/tmp
printf '1000 100 inner\n1100 100 outer\n1200 100 main\n' > root/tmp/perf-100.map
tasks='comm pid=100 tid=100 comm="shop" time=1
comm pid=100 tid=101 comm="worker" time=1
mmap2 pid=100 tid=100 addr=0x1000 len=0x2000 prot=5 flags=2 filename="//anon" time=2
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text" misc=kernel'
fields='ip|tid|time|cpu|id|period'
# events FIELDS: two events, each with the fields
events() {
	echo "event cpu-clock sample=$1 type=1 config=0 flags=sample_id_all|comm|mmap2${2:+ $2}"
	echo "event page-faults sample=$1 type=1 config=2 flags=sample_id_all|comm|mmap2${2:+ $2}"
}
# samples EVENT KEY=VALUE...: five samples with periods that differ, of two threads
samples() {
	ev=$1
	shift
	echo "repeat 4"
	echo "sample ev=$ev pid=100 tid=100+\$i/2 cpu=\$i time=1000+\$i*100 period=100+\$i*7 ip=0x1010+\$i*0x100 $*"
	echo end
	echo "sample ev=$ev pid=100 tid=101 cpu=1 time=5000 period=1000 ip=0xffffffff81000010 misc=kernel $*"
}
chain='chain=-512,0x1010+$i*0x100,0x1110,0x1210'
make_kinds() {
	{ events "$fields" | head -n 1; echo "$tasks"; samples cpu-clock; } > flat.txt
	{ events "$fields|callchain"; echo "$tasks"; samples cpu-clock "$chain"; samples page-faults "$chain"; } > events.txt
	{ events "$fields|weight"; echo "$tasks"; samples cpu-clock weight=3; samples page-faults weight=1000; } > weights.txt
	{
		events "$fields|callchain" | sed "2s/ sample=/ period=7 sample=/"
		echo 'feature group_desc u32:1 str:"both" u32:0,2'
		echo "$tasks"
		samples cpu-clock "$chain"
		samples page-faults "$chain"
	} > groups.txt
	{
		events "$fields|callchain|regs_user|stack_user" "regs_user=0x1ff stack_user=64"
		echo "$tasks"
		samples cpu-clock "chain= regs_user=2,1,2,3,4,5,6,7,0x7000,0x1010" 'stack="0123456789abcdef" dyn_size=16'
	} > dwarf.txt
	{
		events "$fields|callchain" | sed '2s/page-faults/off-cpu/; 2s/config=2/config=10/'
		echo 'feature event_desc'
		echo "$tasks"
		samples cpu-clock "$chain"
		samples off-cpu "chain=-512,0x1110,0x1210"
	} > off-cpu.txt
	{
		events "$fields|callchain"
		echo "$tasks"
		samples cpu-clock "misc=guest_kernel chain=-2048,0xffffffff81000010"
		samples page-faults "misc=guest_user chain=-2560,0x1010"
	} > guests.txt
	{ cat "$SRC/tests/fuzz/corpus/tracing/kmem-pages.mk"; } > tracepoints.txt
	for f in *.txt; do
		name=${f%.txt}
		archs="x86_64:little s390x:big"
		test $name != events || archs="$archs aarch64:little ppc64:big"
		for arch in $archs; do
			{ echo "order ${arch#*:}"; sed "/^order/d; /^feature arch/d; 0,/^comm\|^mmap/s/^\(comm\|mmap\)/feature arch str:\"${arch%:*}\"\n\1/" "$f"; } |
				mkdata "$name-${arch%:*}.data" 2> err || { echo "$f $arch"; cat err; exit 1; }
		done
	done
}
make_kinds
test "$(ls ./*.data | wc -l)" = 18 || exit 1

for kind in flat events weights groups dwarf off-cpu guests tracepoints; do
	check_if PYTHON "$kind" "
		kind=$kind"'
		for file in $kind-*.data; do
			sums_of_report $file > report
			test -s report
			rm -rf out.*
			convert --to rows -o out.rows $file
			set --
			for to in pprof speedscope callgrind; do
				convert --to $to -o out.$to $file
				set -- "$@" $to out.$to
			done
			for by in line address; do
				convert --to pprof --by $by -o out.$by $file
				set -- "$@" pprof out.$by
			done
			convert --to ctf -o out.ctf $file
			if $PERF check -q feature libsqlite3; then
				convert --to sqlite -o out.sqlite $file
				set -- "$@" sqlite out.sqlite
			fi
			sums rows out.rows ctf out.ctf "$@" > want
			cut -d" " -f-3 want | same report -
			for value in 2:sample 3:period; do
				cut -d" " -f${value%:*} want | total > total
				convert --to folded -F ${value#*:} $file | total | same total -
				convert --to gecko -F ${value#*:} -o out.gecko -f $file
				python3 "$SRC/tests/tools/gecko-dump.py" out.gecko | total | same total -
			done
		done'
done
check_if PYTHON 'elapsed time: slices are those of report --wall' '
	mkdata wall.data < "$SRC/tests/fuzz/corpus/sched/switches.mk"
	rm -rf out.*
	$PERF report --wall --folded -i wall.data 2> err | total > total
	test "$(cat total)" -gt 0
	convert --to rows --wall -o out.rows wall.data
	sums rows out.rows > want
	test "$(wc -l < want)" = 1
	cut -d" " -f1 want | finds -x wall:slice
	cut -d" " -f3 want | same total -
	for to in pprof speedscope callgrind; do
		convert --to $to --wall -o out.$to wall.data
	done
	sums rows out.rows pprof out.pprof speedscope out.speedscope callgrind out.callgrind > all
	convert --to folded --wall wall.data | total | same total -
	convert --to gecko --wall -o out.gecko wall.data
	python3 "$SRC/tests/tools/gecko-dump.py" out.gecko | total | same total -
	mkdata wall-big.data < "$SRC/tests/fuzz/corpus/sched/switches-big.mk"
	fails_with 1 $PERF data convert --to rows --wall -o out.big wall-big.data 2> err
	says "was recorded on a machine of the other byte order" err'
check_if PYTHON 'inlined functions, and a profile of another program' '
	zcat -f "$SRC/tests/fuzz/corpus/pprof/inlined.bin" > inlined.pb
	sums_of_report inlined.pb > report
	test -s report
	for by in function line address; do
		for to in pprof speedscope callgrind; do
			convert --to $to --by $by -f -o out.$to inlined.pb
		done
		rm -rf out.rows
		convert --to rows --by $by -o out.rows inlined.pb
		sums rows out.rows pprof out.pprof speedscope out.speedscope callgrind out.callgrind > got
		cut -d" " -f-3 got | same report -
		cut -d" " -f3 report | total > total
		convert --to folded --by $by inlined.pb | total | same total -
	done
	convert --to folded --by line inlined.pb | finds "(inlined)"'
