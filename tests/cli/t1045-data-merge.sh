#!/bin/sh
# perf data merge: recordings of one machine and boot as one
. "$(dirname "$0")/lib.sh"

# part FROM COMM IDS [EVENT]: a recording with two samples, at times FROM and FROM + 10
part() {
	cat <<-EOF2
	event ${4:-cycles} ids=$3 sample=identifier|ip|tid|time|period type=0 config=0 flags=sample_id_all|comm|mmap2
	feature hostname str:"box"
	feature osrelease str:"6.1"
	mmap misc=kernel pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text"
	comm tid=$1 comm="$2" time=1
	sample tid=$1 time=$1 period=$1 ip=0xffffffff81000010 misc=kernel id=${3%%,*}
	sample tid=$1 time=$(($1 + 10)) period=1 ip=0xffffffff81000010 misc=kernel id=${3##*,}
	EOF2
}
part 100 first 1,2 > a.mk
part 105 second 3,4 > b.mk
part 200 first 1,2 > c.mk
part 107 third 5,6 instructions | sed 's/config=0/config=1/' > d.mk
sed 's/"box"/"crate"/' b.mk > host.mk
sed 's/0xffffffff81/0xffffffff91/g' b.mk > boot.mk
sed 's/"6.1"/"6.2"/' b.mk > kernel.mk
sed 's/ config=0/ config=1/' a.mk > ids.mk
sed 's/|time//' b.mk > timeless.mk
sed 's/identifier|/id|/; s/|period/|period|cpu/' d.mk > place.mk
sed '1i order big' b.mk > big.mk
for f in a b c d host boot kernel ids timeless place big; do
	mkdata $f.data < $f.mk || exit 1
done
merge() { $PERF data merge "$@"; }

check 'recorders beside each other: all samples in the order of time, and equal events are one' '
	merge -o ab.data a.data b.data 2> err
	says "4 samples of 2 files in" err
	$PERF script -i ab.data -F comm,tid,time,period,event > out
	awk "{ print \$1, \$2 }" out > order
	printf "first 100\nsecond 105\nfirst 100\nsecond 105\n" | same - order
	$PERF evlist -i ab.data > events
	echo cycles | same - events
	$PERF report -i ab.data -s comm -t, -F period,comm 2> err > out
	test ! -s err
	says "106,second" out
	says "101,first" out
	$PERF data check ab.data > out
	says "whole, 4 samples" out'
check 'files that a recorder switched between, and the order of inputs' '
	merge -o ac.data a.data c.data
	merge -o ca.data c.data a.data
	$PERF script -i ac.data > want
	test "$(wc -l < want)" = 4
	$PERF script -i ca.data | same want -
	$PERF script -i ab.data > ab
	$PERF script -i c.data | cat ab - > want
	merge -o abc.data ab.data c.data
	$PERF script -i abc.data | same want -
	$PERF evlist -i abc.data > events
	echo cycles | same - events'
check 'other events are kept apart, and sums are those of the parts' '
	merge -o all.data a.data b.data c.data d.data
	$PERF evlist -i all.data > events
	printf "cycles\ninstructions\n" | same - events
	for f in a b c d; do
		$PERF script -i $f.data
	done | tr -s " " | sort > want
	$PERF script -i all.data | tr -s " " | sort | same want -
	merge -o - a.data d.data | $PERF script -i - > out
	test "$(wc -l < out)" = 4'
check 'why others cannot be one' '
	for why in "host: different machines: box and crate" "kernel: different kernels: 6.1 and 6.2" \
		   "boot: the machine was booted between them" "ids: one id to different events" \
		   "timeless: have no times" "place: do not say of which they are" "big: the other byte order"; do
		fails_with 1 merge -o no.data a.data ${why%%:*}.data 2> err
		says "${why#*: }" err
		test ! -e no.data
	done
	fails_with 1 merge -o no.data a.data host.data 2> err
	says "adds up profiles of any machines" err
	$PERF pack -o packed.data a.data 2> err
	fails_with 1 merge -o no.data packed.data b.data 2> err
	says "has packed symbols" err
	fails_with 1 merge -o no.data a.data none.data 2> err
	says "none.data" err
	fails_with 129 merge a.data b.data 2> err
	says "merge needs recordings and -o" err
	echo mine > there
	fails_with 1 merge -o there a.data b.data 2> err
	says "there exists already" err
	echo mine | same - there'
check 'a recording that is named twice, also by another name or as a copy, is refused' '
	cp a.data copy.data
	ln -s a.data link.data
	for again in a.data ./a.data link.data copy.data; do
		fails_with 1 merge -o no.data a.data b.data $again 2> err
		says "a.data'"'"' and '"'"'$again'"'"' are the same recording: its samples would count twice" err
		says "name each recording once: leave out '"'"'$again'"'"'" err
		test ! -e no.data
	done
	# two files of a recorder that slept
	sed "/^sample/d" a.mk | mkdata idle.data
	cp idle.data idle2.data
	merge -o idles.data idle.data idle2.data'
# program ID TAG LOADED RUNS: a BPF program with one array of 8 bytes, and its types
program() {
	cat <<-EOF2
	feature bpf_prog_info u32:48,8 u64:0 u32:1,$1 hex:$2 u32:0,0 u64:0,0 u64:$3 u64:$4
	EOF2
}
check 'BPF programs of all recordings, though some came or went between them' '
	{ cat a.mk; echo "feature bpf_prog_info u32:2"; program 7 0102030405060708 100 1; program 8 0102030405060709 200 1
		echo "feature bpf_btf u32:1 u32:70,4 u32:0"; } | mkdata bpf1.data
	{ cat c.mk; echo "feature bpf_prog_info u32:2"; program 7 0102030405060708 100 5; program 9 0102030405060709 300 1
		echo "feature bpf_btf u32:2 u32:70,4 u32:0 u32:71,4 u32:0"; } | mkdata bpf2.data
	merge -o bpf.data bpf1.data bpf2.data 2> err
	$PERF evlist --header -i bpf.data > header 2> err || $PERF report --header-only -i bpf.data > header
	grep "bpf_prog_info of id" header > programs
	printf "# bpf_prog_info of id %s\n" 7 8 9 | same - programs
	test "$(grep -c "btf info of id" header)" = 2
	# the same number after another boot, at which the kernel got the same addresses
	{ cat c.mk; echo "feature bpf_prog_info u32:1"; program 7 0102030405060708 101 1; } | mkdata bpf3.data
	fails_with 1 $PERF data merge -o x.data bpf1.data bpf3.data 2> err
	says "they have different BPF programs of one number" err
	# one that ends within a program gives those before it
	{ cat c.mk; echo "feature bpf_prog_info u32:2"; program 9 0102030405060708 101 1; echo "feature bpf_prog_info u32:48"; } |
		mkdata bpf4.data
	merge -o cut.data bpf1.data bpf4.data 2> err
	$PERF report --header-only -i cut.data | grep -c "bpf_prog_info of id" > nr
	echo 3 | same - nr'
