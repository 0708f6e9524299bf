#!/bin/sh
# perf mem: which events are recorded on which machine, which options report gets, lines for other programs.
. "$(dirname "$0")/lib.sh"

# pmu NAME TYPE FORMAT:BITS... EVENT=TERMS...
pmu() {
	dir=root/sys/bus/event_source/devices/$1
	mkdir -p $dir/format $dir/events
	echo $2 > $dir/type
	shift 2
	for e; do
		case $e in
		*:*) echo "${e#*:}" > $dir/format/${e%%:*} ;;
		*) echo "${e#*=}" > $dir/events/${e%%=*} ;;
		esac
	done
}
mem() { PERF_FS_ROOT=$PWD/root $PERF mem "$@"; }
cat > m.mk <<'END'
event cpu/mem-loads/ type=raw config=0x1cd period=10 sample=ip|tid|time|cpu|addr|period|weight_struct|data_src|phys_addr|data_page_size flags=sample_id_all|comm|mmap2
comm tid=100 comm="app" time=1
mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
default tid=100 period=10 cpu=1
sample ip=0x1010 time=100 addr=0x8010 weight=60 data_src=0x6a100842 phys_addr=0x123010 data_page_size=0x200000
sample ip=0x1110 time=120 addr=0x8040 weight=15 data_src=0x90102042 cpu=0
sample ip=0x2000 time=130 addr=0x8048 weight=5
END
mkdata m.data < m.mk || exit 1
mkdir -p root/tmp
printf '1000 100 main\n' > root/tmp/perf-100.map

check 'Intel: loads above a latency, and stores' '
	rm -rf root/sys
	pmu cpu 4 event:config:0-7 umask:config:8-15 ldlat:config1:0-15 mem-loads=event=0xcd,umask=0x1,ldlat=3 mem-stores=event=0xd0,umask=0x82
	mem record -e list > out
	printf "ldlat-loads   : available (cpu/mem-loads,ldlat=30/P)\nldlat-stores  : available (cpu/mem-stores/P)\n" | diff - out
	mem -vv record --ldlat 50 -p -U --dry-run true > out 2>&1 || :
	grep "config  *0x1cd$" out
	grep "config1 .*0x32$" out
	grep "exclude_kernel  *1$" out
	grep "sample_type .*ADDR.*DATA_SRC.*PHYS_ADDR.*WEIGHT" out
	grep "config  *0x82d0$" out
	mem -vv record -t load --dry-run true > out 2>&1 || :
	grep "config  *0x1cd$" out
	not grep "0x82d0" out'
check 'an event that leads the group; two kinds of cores; AMD' '
	rm -rf root/sys
	pmu cpu_core 4 event:config:0-7 umask:config:8-15 ldlat:config1:0-15 mem-loads=event=0xcd,umask=0x1,ldlat=3 mem-loads-aux=event=0x03,umask=0x82
	pmu cpu_atom 10 event:config:0-7 mem-stores=event=0xd0
	pmu ibs_op 11 cnt_ctl:config:19
	mem record -e list > out
	cat > want <<-EOF
	ldlat-stores  : available (cpu_atom/mem-stores/P)
	ldlat-loads   : available ({cpu_core/mem-loads-aux/,cpu_core/mem-loads,ldlat=30/}:P)
	mem-ldst      : available (ibs_op//)
	EOF
	diff want out
	mem -vv record -e mem-ldst --dry-run true > out 2>&1 || :
	grep "type  *11 (ibs_op)" out
	not grep "cpu_core" out'
check 'no events, no such event, no such word' '
	rm -rf root/sys
	fails_with 1 mem record true 2> err
	says "Error: no PMU here has events of memory accesses" err
	fails_with 1 mem record -e list 2> err
	says "Error: no PMU here has events of memory accesses" err
	pmu cpu_atom 10 event:config:0-7 mem-stores=event=0xd0
	fails_with 1 mem record -e ldlat-loads true 2> err
	grep "this machine has no memory event .ldlat-loads" err
	fails_with 1 mem -t load record true 2> err
	says "this machine cannot sample loads" err
	fails_with 129 mem -t fetch report 2> err
	grep "fetch. is not a type of memory accesses" err
	fails_with 129 mem top 2> err
	grep "unknown subcommand .top" err
	fails_with 129 mem reprot 2> err
	grep "did you mean .report" err'
check 'the columns of report' '
	mem report -i m.data > out 2> err
	says "# Total weight : 80" out
	says "# Sort order   : local_weight,mem,sym,dso," out
	mem -t store report -i m.data > out 2> err
	grep -x "# Sort order   : mem,sym,dso,symbol_daddr,dso_daddr,tlb,locked" out
	mem report -p --data-page-size -i m.data > out 2> err
	grep "blocked,phys_daddr,data_page_size$" out
	mem report -s sym -U -C 1 -x: -i m.data > out 2> err
	says "100.00%:1:[.] main" out
	not grep "unknown" out'
check 'lines for other programs' '
	mem report -D -i m.data > out 2> err
	cat > want <<-EOF
	# PID, TID, IP, ADDR, LOCAL WEIGHT, DSRC, SYMBOL
	100 100 0x1010 0x8010 60 0x6a100842 /tmp/perf-100.map:main
	100 100 0x1110 0x8040 15 0x90102042 /tmp/perf-100.map:???
	100 100 0x2000 0x8048 5 0x0 ???:???
	EOF
	diff want out
	mem report -D -p --data-page-size -x, -U -i m.data > out 2> err
	cat > want <<-EOF
	# PID, TID, IP, ADDR, PHYS ADDR, DATA PAGE SIZE, LOCAL WEIGHT, DSRC, SYMBOL
	100,100,0x1010,0x8010,0x0000000000123010,2M,60,0x6a100842,/tmp/perf-100.map:main
	EOF
	diff want out
	mem report -D -C 0 -i m.data > out 2> err
	test "$(grep -c "^100" out)" = 1'
check 'lines for each member of a group that counted' '
	mkdata s.data <<-END
	event cpu/mem-loads/ type=raw config=0x1cd period=10 sample=ip|tid|time|cpu|addr|period|weight_struct|data_src|read|identifier read=id|group flags=sample_id_all|mmap2 ids=7
	event cpu/mem-stores/ type=raw config=0x82d0 sample=ip|tid|time|cpu|addr|period|weight_struct|data_src|read|identifier read=id|group flags=sample_id_all ids=8
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	default tid=100 period=10 cpu=1
	sample ip=0x1010 time=100 addr=0x8010 weight=60 data_src=0x6a100842 id=7 read=10:7,3:8
	sample ip=0x1020 time=120 addr=0x8040 weight=15 data_src=0x90102042 id=7 read=20:7,3:8
	sample ip=0x1030 time=130 addr=0x8044 weight=15 data_src=0x90102042 id=7 read=30:7,5:8
	END
	mem report -D -i s.data > out 2> err
	sed 1d out | cut -d" " -f3,4 > got
	printf "0x1010 0x8010\n0x1010 0x8010\n0x1020 0x8040\n0x1030 0x8044\n0x1030 0x8044\n" | same - got'
