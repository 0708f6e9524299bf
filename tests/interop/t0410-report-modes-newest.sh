#!/bin/sh
# What report counts beside samples: the same rows as from the newest upstream, on files that are put
# together.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST

# /tmp/perf-PID.map of processes that cannot exist: both read them there. Another run beside this one has
# others
APP=$((5000000 + $$ * 4)) BEE=$((5000001 + $$ * 4)) THR=$((5000002 + $$ * 4))
MAPS="/tmp/perf-$APP.map /tmp/perf-$BEE.map"
on_end 'rm -f $MAPS'
for map in $MAPS; do
	printf '%s\n' '1000 c0 main' '1100 c0 work' '1200 c0 leaf' '1300 c0 Alpha' '1400 c0 _under' '1500 c0 read_it' > $map
done
printf 'ffffffff8100%s\n' '0000 T _text' '1000 T sys_b' '2000 T do_c' '3000 T entry_d' '4000 T _etext' > kallsyms

# the table without what stands around it
table() { sed '/^# To display/d; /^# (Tip/d; /^#$/d; /^$/d'; }
# same ARGS...: both print the same
same() {
	"$PERF" report --stdio -i x.data --kallsyms kallsyms "$@" 2> ours.err | table > ours || { cat ours.err; return 1; }
	"$NEWEST" report --stdio -i x.data --kallsyms kallsyms "$@" 2> theirs.err | table > theirs
	[ -s ours ] || { echo "nothing: $*"; cat ours.err; return 1; }
	cmp ours theirs || { echo "$@"; diff ours theirs | head -n 20; return 1; }
}
# samples NR SAMPLE-BITS EVENT-KEYS SAMPLE-KEYS: of two processes and a thread, in user space, libraries, the
# kernel, nowhere
samples() {
	cat <<-END
	event cycles type=hardware config=0 period=10 sample=ip|tid|time|cpu|period$2 flags=sample_id_all|comm|mmap2 $3
	feature event_desc
	feature nrcpus u32:4,4
	mmap misc=1 pid=-1 tid=0 addr=0xffffffff81000000 len=0x4000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text"
	comm tid=$APP comm="app" time=1
	comm pid=$APP tid=$THR comm="thr" time=1
	comm tid=$BEE comm="bee" time=1
	repeat 2
	mmap2 tid=$APP+\$i addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	mmap2 tid=$APP+\$i addr=0x100000 len=0x10000 prot=5 flags=2 filename="/nonexist/libx.so" time=2
	mmap2 tid=$APP+\$i addr=0x300000 len=0x10000 prot=3 flags=2 filename="[heap]" time=2
	end
	repeat $1
	sample tid=$APP+\$i%2 cpu=\$i%3 ip=0x1000+\$i*37%0x600 time=1000+\$i*10 period=1+\$i%4 $4
	sample pid=$APP tid=$THR cpu=0 ip=0x1300+\$i time=1005+\$i*10 period=3 $4
	sample tid=$BEE cpu=1 misc=1 ip=0xffffffff81001000+\$i%3*0x1000 time=1006+\$i*10 period=2 $4
	end
	END
}
USER='0x1000+$i*72%0x600' LIB='0x100010+$i%3' KERNEL='0xffffffff81001000+$i*5%3*0x1000' NOWHERE='0x5000000+$i%2'
check 'branch stacks' '
	{ samples 20 "|branch_stack" branch=1 "branch=$USER:$LIB:2+\$i%5*16,$KERNEL:$USER:1,$NOWHERE:$KERNEL:10,$LIB:$NOWHERE:4"
	  echo "feature branch_stack"; } | mkdata x.data
	same
	same -b -n --show-total-period
	same --no-branch-stack
	same -F overhead,sample,period,overhead_us,symbol_from,dso_from,symbol_to,dso_to
	for k in dso_from dso_to,dso_from comm,dso pid,cpu srcline_to,comm cycles cycles,comm; do
		same -s $k
	done
	same -S leaf,sys_b
	same -d libx.so,[kernel.kallsyms]
	same -c bee --percentage relative
	same --percent-limit 2'
check 'branch histories: the same call graphs' '
	samples 20 "|branch_stack|callchain" branch=1 "chain=-512,0x1210 branch=0x1110:0x1200:0x31,0x1410:0x1100:0x7a" | sed "s/^event cycles/feature branch_stack\n&/" | mkdata x.data
	same -g callee,branch --no-children --no-branch-stack'
check 'memory accesses' '
	samples 20 "|addr|weight_struct|data_src|phys_addr|data_page_size|code_page_size" "" "addr=0x300000+\$i*24 weight=1+\$i*7%30 weight2=\$i%4 weight3=\$i%2 data_src=0x5080022+\$i%7*32+\$i%3*0x4000000 phys_addr=0x1000+\$i%5 data_page_size=4096 code_page_size=\$i%2*4096" | mkdata x.data
	same --mem-mode
	same --mem-mode -n -c bee
	for k in tlb,comm locked,mem blocked snoop,sym dso_daddr,comm comm,dcacheline data_page_size,code_page_size \
			local_weight weight,comm ins_lat,local_ins_lat p_stage_cyc,local_p_stage_cyc retire_lat,local_retire_lat; do
		same --mem-mode -s $k
	done
	same --mem-mode -F overhead,sample,period,weight1,ins_lat,retire_lat
	same -s weight,local_weight
	same -s code_page_size,ins_lat
	samples 20 "|addr|weight_struct|data_src|callchain" "" "addr=0x300000+\$i*24 weight=1+\$i*7%30 data_src=0x5080022+\$i%7*32 chain=-512,0x1110,0x1210" | mkdata x.data
	same --mem-mode
	same --mem-mode -g callee'
check 'numbers among the keys' '
	samples 20 "" "" "" | mkdata x.data
	for k in sample,comm comm,sample overhead,comm comm,overhead +overhead overhead_us,comm comm,overhead_us; do
		same -s $k
		same -n -s $k
	done
	for s in overhead comm sample,comm; do
		same -F comm,sample -s $s
		same -F +sample -s $s
	done
	samples 20 "|callchain" "" "chain=-512,0x1010+\$i%4*256,0x1210" | mkdata x.data
	for k in overhead,sym sym,overhead overhead_children,sym overhead_children,overhead,sym; do
		same -g none -s $k
	done
	same -g none -F overhead_children,overhead,sym
	for a in "-s sample,sym" "-s overhead,sym" "-F overhead,sym" "-F +sample -s sym"; do
		same -g callee $a
	done'
check 'rows as a tree' '
	samples 20 "" "" "" | mkdata x.data
	same -H
	for k in comm dso,comm comm,cpu,sym pid,comm,dso,sym,addr; do
		same -H -s $k
		same -H -n --show-total-period --percent-limit 6 -s $k
	done
	same -H --percent-limit 90
	same -H -c bee
	same -H -F overhead,overhead_us,sample,comm,dso
	samples 20 "|branch_stack" branch=1 "branch=$USER:$LIB:2,$KERNEL:$USER:1" | sed "\$ a feature branch_stack" | mkdata x.data
	same -H'
check 'rows as a tree, events side by side' '
	{ samples 1 "|identifier"; samples 20 "|identifier" "" "id=1+\$i%2" | grep -v "^event\|^feature"; } |
		sed "1{p;s/cycles/instructions/;s/config=0/config=1/;}" | mkdata x.data
	same -H --group
	same -H --group --percent-limit 3
	same -H'
check 'call stacks of the processor' '
	samples 20 "|callchain|branch_stack" branch=0x801 "chain=-512,0x1000 branch=0x1000+\$i%6*256+\$i:$LIB:2,0x1080:$USER:1" | sed "/misc=1 ip/d;s/ip=0x1000[^ ]*/ip=0x1210/" | mkdata x.data
	same --no-children -g caller
	same -g none
	"$PERF" script -i x.data > ours 2> ours.err
	"$NEWEST" script -i x.data > theirs 2> theirs.err
	cmp ours theirs'
# upstream pads cells to a width in bytes, so that what follows names in other scripts is not aligned
squash() { sed "s/  */ /g; s/ *\$//; s/\.\.*\$//" "$1"; }
check 'names in other scripts are the same rows, but aligned' '
	mkdata x.data <<-END
	event cycles type=0 config=0 sample=ip|tid|time|period
	feature event_desc
	comm tid=100 comm="naïvé" time=1
	comm tid=101 comm="日本語" time=1
	comm tid=102 comm="ascii" time=1
	mmap2 tid=100 addr=0x400000 len=0x1000 prot=5 flags=2 filename="/opt/bibliothèque.so" time=2
	sample tid=100 ip=0x400100 time=2000 period=3000
	sample tid=101 ip=0x400110 time=3000 period=2000
	sample tid=102 ip=0x400110 time=3000 period=1000
	END
	for keys in comm,dso dso,comm; do
		not same -s $keys > differ
		squash theirs > want
		squash ours > got
		cmp want got
	done'
check 'samples that a filter left out are counted apart' '
	mkdata x.data <<-END
	event cs config=3 period=1 sample=ip|tid|time|period|identifier flags=sample_id_all ids=1
	event pf config=2 period=1 sample=ip|tid|time|period|identifier flags=sample_id_all ids=2
	feature event_desc
	comm tid=5 comm="five"
	sample ev=cs tid=5 time=5 ip=0x1000
	lost_samples ev=cs lost=7
	lost_samples misc=ext ev=cs lost=70
	lost_samples misc=ext ev=pf lost=700
	END
	"$PERF" report -i x.data --stats | grep LOST > ours
	"$NEWEST" report -i x.data --stat 2> err | grep LOST > theirs
	cmp ours theirs
	grep -q "(BPF) events: *700" ours'
