#!/bin/sh
# perf data convert --to gecko: single samples in the order of time, for the Firefox Profiler
. "$(dirname "$0")/lib.sh"

# two events, three threads, chains, a sample without chain, comms with hostile bytes, records out of order
cat > a.mk <<-EOF
	event a sample=ip|tid|time|cpu|id|period|callchain type=1 config=0 flags=sample_id_all|comm|mmap2
	event b sample=ip|tid|time|cpu|id|period|callchain type=1 config=2 flags=sample_id_all|comm|mmap2
	feature hostname str:"box"
	feature cmdline u32:2 str:"perf" str:"record"
	comm pid=100 tid=100 comm="q\"\\x1b;x\\xff" time=1
	comm pid=100 tid=101 comm="worker" time=1
	comm pid=200 tid=200 comm="other" time=1
	mmap2 pid=100 tid=100 addr=0x1000 len=0x2000 prot=5 flags=2 filename="//anon" time=2
	sample ev=a pid=100 tid=100 cpu=3 time=1000010 period=100 ip=0x1010 chain=-512,0x1010,0x1110,0x1210
	sample ev=a pid=100 tid=101 cpu=2 time=1500000 period=250 ip=0x1110 chain=-512,0x1110,0x1210
	sample ev=b pid=100 tid=100 cpu=2 time=1700000 period=7 ip=0x1010 chain=-512,0x1010,0x1110,0x1210
	sample ev=a pid=100 tid=100 cpu=3 time=1200020 period=300 ip=0x1014 chain=-512,0x1014,0x1110,0x1210
	sample ev=a pid=100 tid=100 cpu=1 time=3000000 period=50 ip=0x9000 chain=-512,0x9000
	sample ev=a pid=200 tid=200 cpu=0 time=2000000 period=10 ip=0x1010
EOF
sed '/callchain/s/|callchain//; s/ chain=.*//' a.mk > flat.mk
sed 's/|time//; s/ time=[0-9]*//' a.mk > timeless.mk
for f in a flat timeless; do
	mkdata $f.data < $f.mk || exit 1
done
mkdir -p root/tmp
printf '1000 100 inner\n1100 100 outer<a;b>\n1200 100 main\n' > root/tmp/perf-100.map
export PERF_FS_ROOT="$PWD/root"
convert() { $PERF data convert "$@"; }
have_PYTHON() { python3 -c "import gzip, json, decimal" 2> /dev/null || skip "no python3"; }
dump() { python3 "$SRC/tests/tools/gecko-dump.py" "$@"; }

check 'the document: tables that threads share, libraries, threads' '
	touch -d 2026-11-28T10:00:00Z a.data
	convert --to gecko -o a.json a.data 2> err
	says "6 samples, 5 stacks as gecko into" err
	expect gecko.json a.json'
check_if PYTHON 'samples are those of script, thread by thread, in the order of time' '
	dump --times a.json > out
	expect times out
	convert --to gecko -j 1 a.data | same a.json -'
check_if PYTHON 'the sums are those of folded, by function, line and address' '
	for f in a flat; do
		for by in function line address; do
			convert --to gecko --by $by --cpu 1-3 $f.data > x.json
			dump x.json > got
			test -s got
			grep cpu-clock got | awk "{ n += \$NF } END { print n }" > sum
			echo 700 | same - sum
			grep page-faults got | awk "{ n += \$NF } END { print n }" > sum
			echo 1 | same - sum
		done
	done
	convert --to folded --pid 100 a.data | sed -n "s/^cpu-clock;\([^;]*\)\(.*\)/\1 (cpu-clock)\2/p" | LC_ALL=C sort > want
	convert --to gecko --pid 100 a.data > x.json
	dump x.json | grep cpu-clock | same want -'
check_if PYTHON 'periods or numbers of samples as weights' '
	for value in period sample; do
		convert --to folded -F $value --pid 100 a.data | sed -n "s/^\([^;]*\);\([^;]*\)\(.*\)/\2 (\1)\3/p" | LC_ALL=C sort > want
		test -s want
		convert --to gecko -F $value --pid 100 a.data > x.json
		dump x.json | same want -
	done
	fails_with 129 convert --to gecko -F weight a.data 2> err
	says "to gecko has no weights of single samples" err'
check_if PYTHON 'filters leave samples out' '
	convert --to gecko --symbols inner a.data > x.json
	dump --times x.json > out
	test "$(wc -l < out)" = 3
	silent_about 3000000 out
	convert --to gecko --comms worker a.data > x.json
	dump x.json > out
	test "$(wc -l < out)" = 1
	says "worker" out
	convert --to gecko --comms nobody a.data > x.json 2> err
	dump x.json | same /dev/null -'
check_if PYTHON 'labels that are asked for are in the names of threads' '
	convert --to gecko --labels cpu a.data > x.json
	dump x.json > out
	says "worker (cpu-clock) cpu=2;" out
	says "(cpu-clock) cpu=3;" out'
check_if PYTHON 'a name that ends in .gz is compressed, and pipes are read' '
	convert --to gecko -o a.json.gz a.data
	dump a.json.gz > zipped
	dump a.json | same zipped -
	cat a.data | convert --to gecko -o piped.json -
	dump piped.json | same zipped -'
check 'what has no times, and several inputs, are refused' '
	fails_with 1 convert --to gecko -o no.json timeless.data 2> err
	says "timeless.data has no times of samples" err
	test ! -e no.json
	fails_with 1 convert --to gecko -o no.json a.data flat.data 2> err
	says "gecko takes one input" err
	says "perf data merge" err
	test ! -e no.json'
check 'perf script gecko says where it is' '
	fails_with 1 $PERF script gecko 2> err
	says "perf data convert --to gecko" err'
