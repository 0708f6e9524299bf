#!/bin/sh
# perf script and report: user call chains that the kernel recorded on the way back to user space; records as
# the file has them.
. "$(dirname "$0")/lib.sh"

cat > top.mk <<-END
	event cycles type=0 config=0 sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2|defer_callchain|defer_output
	feature nrcpus u32:2,2
	comm tid=100 comm="w" time=1
	comm tid=200 comm="v" time=1
	mmap2 tid=100 addr=0x400000 len=0x1000 prot=5 flags=2 filename="/nowhere/w" time=2
END
cat > some.mk <<-END
	sample tid=100 ip=0xffffffff81000100 misc=kernel time=1000 chain=-128,0xffffffff81000100,0xffffffff81000200,-640,77
	sample tid=200 ip=0x400300 time=1001 chain=-512,0x400300
	callchain_deferred tid=200 time=1002 cookie=77 chain=-512,0x1600
	callchain_deferred tid=100 time=1002 cookie=77 chain=-512,0x400100,0x400200
	sample tid=100 ip=0xffffffff81000110 misc=kernel time=1003 chain=-128,0xffffffff81000110,-640,77
	sample tid=100 ip=0x400400 time=1004 chain=-512,0x400400
	END
cat top.mk some.mk | mkdata x.data

check 'a sample waits for the rest of its chain; one that waits in vain comes last' '
	"$PERF" script -i x.data -F tid,ip | tr -s "\n\t " " " > got
	printf " 200 400300 100 ffffffff81000100 ffffffff81000200 400100 400200 100 400400 100 ffffffff81000110 4d " | diff - got
	"$PERF" script -i x.data -F ip,sym,dso | finds "^	              4d (cookie) (\[unknown\])$"'
check 'or each is shown where it was recorded' '
	"$PERF" script -i x.data --no-merge-callchains -F tid,ip | tr -s "\n\t " " " > got
	{ printf " 100 ffffffff81000100 ffffffff81000200 4d 200 400300 200 DEFERRED CALLCHAIN [cookie: 4d] 1600"
	printf " 100 DEFERRED CALLCHAIN [cookie: 4d] 400100 400200 100 ffffffff81000110 4d 100 400400 "; } | diff - got'
check 'many that wait, more than fit into one batch; through a pipe, and with any number of threads' '
	{ cat top.mk; echo "repeat 40000"
	echo "sample tid=100 ip=0xffffffff81000100 misc=kernel time=1000+\$i chain=-128,0xffffffff81000100,-640,7"; echo end
	echo "callchain_deferred tid=100 time=50000 cookie=7 chain=-512,0x400100"; echo finished_round; cat some.mk; } > many.mk
	mkdata x.data < many.mk
	"$PERF" script -i x.data -F tid,ip > got
	test "$(grep -c 400100 got)" = 40001
	"$PERF" script -i x.data -F tid,ip -j1 | diff got -
	{ echo format pipe; cat many.mk; } | mkdata x.pipe
	cat x.pipe | "$PERF" script -i - -F tid,ip | diff got -'
check 'damaged records end nothing' '
	{ cat top.mk; echo "sample tid=100 ip=1 time=1000 chain=-640"; echo "sample tid=100 ip=1 time=1001 chain=-640,5"
	echo "record type=22 u64:5 u64:999999 u64:100 u64:1002"; echo "sample tid=100 ip=1 time=1003 chain=-512,0x1008"
	} | mkdata x.data
	for a in "" --no-merge-callchains; do "$PERF" script -i x.data -F ip $a > got 2> err; grep -q "  1008$" got; done'
check 'a dump in the order of the file' '
	mkdata x.data <<-END
	event cycles type=0 config=0 sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
	sample tid=100 ip=0x400100 time=3000
	sample tid=100 ip=0x400200 time=1000
	finished_round
	END
	"$PERF" script -i x.data --dump-unsorted-raw-trace -F ip | grep "^ *400" | tr -d " \n" > got
	test "$(cat got)" = 400100400200
	"$PERF" script -i x.data -D -F ip | grep "^ *400" | tr -d " \n" > got
	test "$(cat got)" = 400200400100'
check 'call graphs have the rest of a chain; where it never came they end in the kernel' '
	cat top.mk some.mk | mkdata x.data
	"$PERF" report -i x.data --no-children -g folded -s tid 2> err | sed "/^#/d; /^$/d; s/  */ /g; s/ $//" > got
	printf " 75.00%% 100:w\n25.00%% 0xffffffff81000100;0xffffffff81000200;0x400100;0x400200\n25.00%% 0x400400\n" > want
	printf "25.00%% 0xffffffff81000110\n 25.00%% 200:v\n25.00%% 0x400300\n" >> want
	sort want > a; sort got > b
	diff a b
	for j in 2 8; do "$PERF" report -i x.data -j$j --chunk-size 64 > got$j 2> err; done
	"$PERF" report -i x.data -j1 > got 2> err
	diff got got2
	diff got got8'
check 'rounds are shown where they are in the file, and so is what lies between them' '
	mkdata x.data <<-END
	event cycles type=0 config=0 sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
	sample tid=100 ip=0x400100 time=3000
	finished_round
	sample tid=100 ip=0x400200 time=1000
	finished_round
	END
	"$PERF" script -i x.data --show-round-events -F ip | tr -s "\n " " " > got
	printf " 400100 PERF_RECORD_FINISHED_ROUND 400200 PERF_RECORD_FINISHED_ROUND " | diff - got'
