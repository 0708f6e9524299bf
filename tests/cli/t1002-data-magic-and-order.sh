#!/bin/sh
# The two magics, both byte orders.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/data-lib.sh"

check 'version 1 (PERFFILE)' '
	{ echo magic PERFFILE; small; } | mkdata x.data
	shows_both x.data
	"$PERF" report --header-only -i x.data | finds "^# header version : 0$"
	small | mkdata y.data
	"$PERF" report --header-only -i y.data | finds "^# header version : 1$"
'
check 'the other byte order' '
	{ echo order big; small; } | mkdata x.data
	shows_both x.data
'
check 'the other byte order in a pipe' '
	{ echo order big; echo format pipe; small; } | mkdata x.data
	shows_both x.data
'
check 'version 1 in the other byte order' '
	{ echo order big; echo magic PERFFILE; small; } | mkdata x.data
	shows_both x.data
'
check 'flags, misc and every sample field survive the swap' '
	cat > all.mk <<-END
	event all config=cpu-clock sample=0x1edbfff read=enabled|running|id|lost branch=0x20001 regs_user=0xff regs_intr=0x3 stack_user=16 size=136 flags=sample_id_all|exclude_kernel|comm
	feature nrcpus u32:2,2
	comm tid=7 comm="x" time=1
	sample tid=7 ip=0x401000 time=2000 addr=0x1234 cpu=1 period=7 read=5:1:2 enabled=9 running=8 chain=-512,0x401000,0x401010 raw="hello" branch=0x401000:0x401010:1,0x401020:0x401030:18 regs_user=2,1,2,3,4,5,6,7,8 stack="0123456789abcdef" dyn_size=8 weight=4 data_src=0x68100142 transaction=1 regs_intr=2,5,6 phys_addr=0x7000 cgroup=8 data_page_size=4096 code_page_size=4096
	END
	mkdata l.data < all.mk
	{ echo order big; cat all.mk; } | mkdata b.data
	for f in comm,tid,time,addr,period,ip phys_addr,data_page_size,code_page_size brstack data_src,weight iregs,uregs; do
		$PERF script -i l.data -F $f > l.out 2> l.err || cat l.err
		$PERF script -i b.data -F $f > b.out 2> b.err || cat b.err
		test -s l.out
		same l.out b.out
	done
'
check 'something else is refused by name' '
	for text in "" PERF PERFILE3xxxxxxxxxxxxxxxx "some text of a hundred bytes, which is more than the magic and the header size need together"; do
		printf %s "$text" > x.data
		fails_with 1 $PERF script -i x.data > out 2> err
		says x.data err
	done
'
