#!/bin/sh
# perf c2c: lines, offsets and their code, filters, machine-readable output, what record does
. "$(dirname "$0")/lib.sh"

cat > c.mk <<'END'
event cpu/mem-loads/ type=raw config=0x1cd sample=identifier|ip|tid|time|cpu|addr|period|weight|data_src|phys_addr flags=sample_id_all|comm|mmap2
event cpu/mem-stores/ type=raw config=0x82d0 sample=identifier|ip|tid|time|cpu|addr|period|weight|data_src|phys_addr flags=sample_id_all|comm|mmap2
feature event_desc
feature numa_topology u32:2 u32:0 u64:1000 u64:500 str:"0-1" u32:1 u64:1000 u64:500 str:"2-3"
feature mem_topology u64:1 u64:0x100000 u64:2 u64:0 u64:4 u64:4 u64:3 u64:1 u64:4 u64:4 u64:12
comm tid=100 comm="reader" time=1
comm tid=101 comm="writer" time=1
mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
mmap2 tid=101 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
mmap2 tid=100 addr=0x20000 len=0x1000 prot=3 flags=1 maj=8 min=1 ino=77 filename="/shm" time=3
mmap2 tid=101 addr=0x30000 len=0x1000 prot=3 flags=1 maj=8 min=1 ino=77 filename="/shm" time=3
# the reader finds what the writer of the other node modified, at another offset of the line
repeat 3
sample tid=100 cpu=0 time=10+$i ip=0x1010 addr=0x20008 weight=100+$i*10 data_src=0x808042 phys_addr=0x20008
end
sample tid=100 cpu=1 time=20 ip=0x1010 addr=0x20008 weight=60 data_src=0x800842 phys_addr=0x20008
repeat 5
sample ev=cpu/mem-stores/ tid=101 cpu=2+$i/4 time=30+$i ip=0x1110 addr=0x30030 data_src=0x144 phys_addr=0x20030
end
sample tid=100 cpu=0 time=40 ip=0x1020 addr=0x20048 weight=30 data_src=0x800842 phys_addr=0x220048
sample tid=100 cpu=0 time=41 ip=0x1020 addr=0x20088 weight=4 data_src=0x100142
END
mkdata c.data < c.mk || exit 1
mkdir -p root/tmp
printf '1000 100 consume\n' > root/tmp/perf-100.map
printf '1100 100 produce\n' > root/tmp/perf-101.map
c2c() { PERF_FS_ROOT=$PWD/root $PERF c2c report -i c.data "$@" 2> err; }
rows() { c2c "$@" | sed -n '/Pareto/,$p' | sed '1d; /^#/d; /^=/d; /^ *$/d; /^  --/d; s/  */ /g; s/^ //; s/ $//'; }

check 'lines and their offsets; a mapping of the same file elsewhere is the same line' '
	rows > out
	cat > want <<-EOF
	0 3 1 5 0 0 0x20000
	100.00% 100.00% 0.00% 0.00% 0.00% 0x8 0 1 0x1010 110 60 0 4 2 [.] consume [JIT] tid 100 consume+16 0
	0.00% 0.00% 100.00% 0.00% 0.00% 0x30 0 1 0x1110 0 0 0 5 2 [.] produce [JIT] tid 101 produce+16 1
	1 0 1 0 0 0 0x20040
	0.00% 100.00% 0.00% 0.00% 0.00% 0x8 1 1 0x1020 0 30 0 1 1 [.] consume [JIT] tid 100 consume+32 0
	EOF
	same want out
	c2c | grep "0x20000" | head -n 1 | tr -s " " > out
	echo " 0 0x20000 0 2 80.00% 4 1 3 9 4 5 5 0 0 0 0 0 0 1 0 3 0 0" | diff - out'
check 'statistics alone' '
	c2c --stats > out
	says "  Load Remote HITM                  :          3" out
	says "  Store Operations                  :          5" out
	says "  Total Shared Cache Lines          :          2" out
	says "  Cachelines sort on                : Total HITMs" out
	silent_about "Pareto" out
	not grep -q "^#" out'
check 'two neighbouring lines as one; other keys; nodes' '
	rows --double-cl -c tid > out
	cat > want <<-EOF
	0 3 2 5 0 0 0x20000
	100.00% 50.00% 0.00% 0.00% 0.00% 0x8 0 1 100:reader 110 60 0 4 2 0
	0.00% 0.00% 100.00% 0.00% 0.00% 0x30 0 1 101:writer 0 0 0 5 2 1
	0.00% 50.00% 0.00% 0.00% 0.00% 0x48 1 1 100:reader 0 30 0 1 1 0
	EOF
	same want out
	rows -N -c dso > out
	says "0x30 0 1 0 0 0 5 2 [JIT] tid 101 1{ 2 n/a 100.0%}" out
	rows -NN -c pid > out
	says "0x8 0 1 100 110 60 0 4 2 0{0-1}" out'
check 'only some HITMs, all lines, no source lines' '
	rows -d rmt > out
	says "0x20000" out
	silent_about "0x20040" out
	c2c -d peer > out
	says "Peer Snoop" out
	silent_about "0x20000" out
	c2c --show-all > out
	says "0x20080" out
	c2c --no-source > out
	silent_about "Source:Line" out
	silent_about "consume+16" out'
check 'filters' '
	rows --tid 101 > out
	test ! -s out
	rows --comm reader --time ,0.000000015 > out
	says "0 3 0 0 0 0 0x20000" out
	rows -C 1 > out
	says "0 0 1 0 0 0 0x20000" out'
check 'separated values say of which line an offset is' '
	c2c -x, > out
	grep -q "^# Index,Cacheline,HITM RmtHitm" out
	grep -q "^0,0x20000,100.00%,100.00%,0.00%,0.00%,0.00%,0x8,0,1,0x1010,110,60,0,4,2,consume," out
	grep -q "^1,0x20040,80.00%" out || grep -q "^1,0x20040," out'
check 'JSON has all numbers' '
	echo "import json" | python3 2> err || skip "no python3 with its json module"
	c2c --json -c tid,iaddr > out
	python3 - out <<-EOF
	import json, sys
	d = json.load(open(sys.argv[1]))
	assert d["perf"] == "c2c" and d["header"]["cacheline-size"] == 64
	assert d["trace-events"]["remote-hitm"] == 3 and d["trace-events"]["records"] == 11
	assert d["shared-lines"]["lines"] == 2
	line, offsets = d["tables"]
	assert line["name"] == "lines" and line["rows"][0]["cacheline"] == "0x20000"
	assert line["rows"][0]["share"] == 80 and line["rows"][0]["rmt_peer"] == 0
	row = offsets["rows"][0]
	assert row["index"] == 0 and row["rmt_hitm"] == 3 and row["lcl_hitm"] == 1 and row["cpus"] == 2
	assert row["tid"] == 100 and row["comm"] == "reader" and row["symbol"] == "consume"
	assert row["cycles_rmt_hitm"] == 110 and row["nodes"] == "0"
	EOF'
check 'a file without data sources, wrong words' '
	printf "event a sample=ip\nsample ip=1\n" | mkdata a.data
	fails_with 1 $PERF c2c report -i a.data 2> err
	says "no event of this file has data sources" err
	says "perf c2c record" err
	fails_with 129 $PERF c2c report -i c.data -c foo 2> err
	says "is not pid, tid, iaddr or dso" err
	fails_with 129 $PERF c2c report -i c.data -d foo 2> err
	says "is not tot, lcl, rmt or peer" err
	fails_with 129 $PERF c2c report -i c.data -gaddress 2> err
	says "those of functions" err
	fails_with 129 $PERF c2c 2> err
	says "a subcommand is missing: record or report" err'
check 'record: memory events with addresses, weights, CPUs and physical addresses' '
	dir=machine/sys/bus/event_source/devices/cpu
	mkdir -p $dir/format $dir/events
	echo 4 > $dir/type
	echo config:0-7 > $dir/format/event
	echo config:8-15 > $dir/format/umask
	echo config1:0-15 > $dir/format/ldlat
	echo "event=0xcd,umask=0x1,ldlat=3" > $dir/events/mem-loads
	echo "event=0xd0,umask=0x82" > $dir/events/mem-stores
	PERF_FS_ROOT=$PWD/machine $PERF c2c record -e list > out
	says "ldlat-loads   : available (cpu/mem-loads,ldlat=30/P)" out
	PERF_FS_ROOT=$PWD/machine $PERF c2c record -vv -l 50 -u --dry-run true > out 2>&1 || :
	grep "config1 .*0x32$" out
	grep "exclude_kernel  *1$" out
	grep "sample_type .*CPU.*DATA_SRC.*PHYS_ADDR.*WEIGHT" out
	PERF_FS_ROOT=$PWD/nothing fails_with 1 $PERF c2c record true 2> err
	says "no PMU here has events of memory accesses" err'
