#!/bin/sh
# perf c2c report of the same files, by upstream: statistics, lines, offsets and call graphs
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST

# what belongs to one of them: widths, titles of columns, shares of nothing, ranges of nodes
plain() {
	sed -e '/^#/d; /^ *$/d; /^=*$/d; s/  */ /g; s/^ //; s/ $//; s/-nan%/0.0%/' "$1"
}

# compare FILE OPTION...
compare() {
	file=$1
	shift
	$PERF c2c report -i $file --stdio "$@" > ours 2> err
	"$NEWEST" c2c report -i $file --stdio "$@" > theirs 2> /dev/null
	test -s theirs
	plain theirs > want
	plain ours > got
	diff want got || { echo "with $*"; false; }
}

SAMPLE="identifier|ip|tid|time|cpu|addr|period|weight|data_src|phys_addr"
head_of() {
	cat <<-EOF
	event cpu/mem-loads,ldlat=30/P type=raw config=0x1cd period=10 sample=$1 flags=sample_id_all|comm|mmap2
	event cpu/mem-stores/P type=raw config=0x82d0 period=10 sample=$1 flags=sample_id_all|comm|mmap2
	feature nrcpus u32:4 u32:4
	feature arch str:"x86_64"
	feature event_desc
	feature numa_topology u32:2  u32:0 u64:1000 u64:500 str:"0-1"   u32:1 u64:1000 u64:500 str:"2-3"
	feature mem_topology u64:1 u64:0x100000 u64:2  u64:0 u64:4 u64:4 u64:3   u64:1 u64:4 u64:4 u64:12
	comm tid=100 comm="app" time=1
	comm tid=101 comm="appb" time=1
	mmap2 tid=100 addr=0x1000 len=0x2000 prot=5 flags=2 maj=8 min=1 ino=5 filename="/nowhere/app" time=2
	mmap2 tid=101 addr=0x1000 len=0x2000 prot=5 flags=2 maj=8 min=1 ino=5 filename="/nowhere/app" time=2
	mmap2 tid=100 addr=0x8000 len=0x1000 prot=3 flags=2 filename="//anon" time=2
	mmap2 tid=101 addr=0x8000 len=0x1000 prot=3 flags=2 filename="//anon" time=2
	mmap2 tid=100 addr=0x20000 len=0x1000 prot=3 flags=1 maj=8 min=1 ino=77 gen=5 filename="/shm" time=3
	mmap2 tid=101 addr=0x30000 len=0x1000 prot=3 flags=1 maj=8 min=1 ino=77 gen=5 filename="/shm" time=3
	default tid=100 period=10 cpu=1
	EOF
}

# accesses of random kinds: the number of samples, a seed
random_accesses() {
	awk -v nr="$1" -v seed="$2" 'BEGIN {
		srand(seed)
		for (i = 0; i < nr; i++) {
			# operation, level, snoop, lock, number, remote, peer, blocked, hops
			op = rand() < .6 ? 2 : rand() < .7 ? 4 : int(rand() * 32)
			lvl = int(rand() * 16384)
			if (rand() < .8)
				lvl = 2 + 2 ^ (3 + int(rand() * 11))
			src = op + lvl * 32 + 2 ^ (19 + int(rand() * 5)) + int(rand() * 4) * 2 ^ 24
			src += int(rand() * 1.2) * 2 ^ 37 + int(rand() * 4) * 2 ^ 38 + int(rand() * 8) * 2 ^ 40
			src += rand() < .3 ? int(rand() * 8) * 2 ^ 43 : 0
			tid = 100 + int(rand() * 2)
			where = int(rand() * 4)
			addr = where == 0 ? 32768 : where == 1 ? 1048576 : 0
			if (where == 2)
				addr = tid == 100 ? 131072 : 196608
			if (where < 3)
				addr += int(rand() * 3) * 64 + int(rand() * 4) * 8
			phys = int(rand() * 3) * 1048576 + addr
			printf "sample ev=\"%s\" ip=%d tid=%d time=%d cpu=%d addr=%d weight=%d data_src=%.0f phys_addr=%d\n",
				op == 4 ? "cpu/mem-stores/P" : "cpu/mem-loads,ldlat=30/P",
				4100 + int(rand() * 5) * 4, tid, 1000 + i, int(rand() * 4), addr,
				int(rand() * 400) * 2 + 1, src, phys
		}
	}'
}

for seed in 1 2; do
	{ head_of "$SAMPLE"; random_accesses 300 $seed; } | mkdata r$seed.data || exit 1
done

# lines with equal numbers stand in another order: without their place in it
sorted() {
	plain "$1" | sed '/^-----/d; s/^[0-9][0-9]* //' | sort
}

check 'statistics' '
	for seed in 1 2; do
		compare r$seed.data --stats
		compare r$seed.data --stats --double-cl
		compare r$seed.data --stats -d peer
	done'
check 'lines and offsets of random accesses, by all keys' '
	for seed in 1 2; do
		for options in "" "-d lcl" "-d rmt" "-d peer" "-c pid" "-c pid,iaddr" "-c dso" \
			       "--double-cl" "-N" "-N -N" "-N -d peer" "--no-source"; do
			$PERF c2c report -i r$seed.data --stdio $options > ours 2> err
			"$NEWEST" c2c report -i r$seed.data --stdio $options > theirs 2> /dev/null
			grep -q "Pareto" theirs
			sorted theirs > want
			sorted ours > got
			diff want got || { echo "seed $seed with $options"; false; }
		done
	done'

{
	head_of "$SAMPLE|callchain"
	cat <<-EOF
	mmap2 tid=100 addr=0x500000 len=0x1000 prot=5 flags=2 filename="//anon" time=4
	default tid=100 period=10 cpu=1 ip=0x500110 phys_addr=0x100000
	EOF
	# a local HITM twice with one chain, and a remote one; stores; another line
	for chain in 0x500110,0x500210,0x500310 0x500110,0x500210,0x500310 0x500110,0x500310; do
		echo "sample time=10 addr=0x20008 weight=60 data_src=0x800842 chain=-512,$chain"
	done
	echo "sample time=11 addr=0x20008 weight=300 data_src=0x808042 period=70 chain=-512,0x500110,0x500210"
	for ip in 0x500118 0x500114 0x500110; do
		echo "sample ev=cpu/mem-stores/P time=12 ip=$ip addr=0x20010 data_src=0x144 chain=-512,$ip,0x500210"
	done
	echo "sample time=13 addr=0x20048 weight=60 data_src=0x800842 chain=-512,0x500110,0x500310"
} | sed "s/tid=100/tid=$$/" | mkdata chains.data || exit 1
printf '500100 100 inner\n500200 100 middle\n500300 100 outer\n' > /tmp/perf-$$.map

check 'call graphs, and the order of rows' '
	for options in "" "-g" "-g caller" "-g callee,percent" "-g graph,10,callee,count" "-g folded" "-g flat" \
		       "-g none" "-d lcl -g period" "-g fractal"; do
		compare chains.data $options
	done
	grep -q inner theirs'
check 'threads as rows' '
	compare chains.data -c tid,iaddr -g none
	compare r1.data -c tid --stats'
rm -f /tmp/perf-$$.map
