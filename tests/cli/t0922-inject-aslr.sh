#!/bin/sh
# perf inject --aslr: other addresses, the same names and relations
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/jitdump-lib.sh"

cat > x.mk <<'END'
feature arch str:"x86_64"
feature event_desc
event cpu-clock type=software config=cpu-clock sample=identifier|ip|tid|time|addr|cpu|period|read|callchain|raw|branch_stack|regs_user|stack_user|weight|data_src|regs_intr|phys_addr|data_page_size read=group|id regs_user=0x1c0 regs_intr=0x100 stack_user=16 branch=0x20001 flags=sample_id_all|comm|mmap2|exclude_callchain_user
comm tid=7 comm="prog" time=1
mmap tid=-1 misc=kernel addr=0xffffffff94200000 len=0x1000000 pgoff=0xffffffff94200000 filename="[kernel.kallsyms]_text" time=1
ksymbol addr=0xffffffffc0345110 len=0x80 ksym_type=1 name="bpf_prog_first" time=1
ksymbol addr=0xffffffffc0345190 len=0x80 ksym_type=1 name="bpf_prog_second" time=1
mmap2 tid=7 addr=0x55d1c3a41000 len=0x3000 pgoff=0x1000 prot=5 flags=2 filename="/nowhere/prog" time=2
mmap2 tid=7 addr=0x55d1c3a43000 len=0x2000 pgoff=0x9000 prot=5 flags=2 filename="/nowhere/over" time=3
mmap2 tid=7 addr=0x7f13b2c55000 len=0x1000 pgoff=0x7f13b2c55000 prot=7 flags=2 filename="//anon" time=3
fork pid=8 tid=8 ppid=7 ptid=7 time=4
default period=3 misc=user regs_user=2,0x7ffd31e7a010,0x7ffd31e7a010,0x55d1c3a41123 regs_intr=2,0x55d1c3a41123 stack="01020304a1a2a3a4" raw="abcd" phys_addr=0x3b2a1000 weight=9 data_src=0x5080021 data_page_size=4096
sample tid=7 ip=0x55d1c3a41123 addr=0x7ffd31e7a2f0 time=10 read=5:1 chain=-128,0xffffffff94234567,0xffffffffc0345120,-512,0x55d1c3a41123,0x55d1c3a43456,0x44a32b2000000000 branch=0x55d1c3a41123:0x55d1c3a41456:2,0xffffffff94234567:0x7f13b2c55678:1 hw_idx=3
sample tid=8 ip=0x55d1c3a43456 addr=0x7ffd31e7a2f8 time=11 read=9:1 chain=-512,0x55d1c3a43456,0x123 branch=0x55d1c3a43456:0xffffffffff600010:1
sample tid=7 misc=kernel ip=0xffffffffc03451a0 addr=0xffff9a8d12345678 time=12 read=14:1 chain=-128,0xffffffffc03451a0,0xffffffffff600010
text_poke addr=0xffffffff94234567 old_len=1 new_len=1 bytes=9090 time=13
END
mkdata x.data < x.mk
$PERF inject --aslr -i x.data -o y.data 2> err
# former FILE: all words in which a number of one of the former pages is
former() {
	od -An -v -tx8 -w8 "$1" | grep -E '(55d1c3a4[1-4]|7f13b2c55|7ffd31e7a|fffff942[0-9a-f]{2}|fffffc0345|9a8d12345|3b2a1|44a32b2)'
}
# as standard input, but for addresses
relative() {
	sed "s/\(^\|[[:blank:]/]\)\(0x\)\?[0-9a-f]\{8,\}\b/\1ADDRESS/g" | tr -s " "
}

check 'no former address is in the copy' '
	test "$(former x.data | wc -l)" -gt 20
	not former y.data'
check 'names, tasks and positions in files are the same' '
	for o in "-F comm,tid,time,period,dso,sym,symoff,weight,data_src,data_page_size" "-F tid,ip,sym,dso" \
			"-F tid,addr" "-F tid,brstacksym"; do
		$PERF script $o -i x.data | relative > want
		test -s want
		$PERF script $o -i y.data | relative | same want -
	done
	$PERF script -F ip,sym,symoff,dso -i y.data > got
	says bpf_prog_first+0x10 got
	says bpf_prog_second+0x10 got
	says /nowhere/over got
	for o in "-s dso,sym" "-s comm,dso -g caller --no-children" "-b -s dso_from,dso_to"; do
		$PERF report $o -i x.data | grep -v "^# .Tip" | relative > want
		$PERF report $o -i y.data | grep -v "^# .Tip" | relative > got
		grep -q "over\|prog" got
		same want got
	done'
check 'equal addresses and those of one page stay together, and NULL and vsyscall where they are' '
	$PERF script -F addr -i y.data > got
	test "$(sed -n "1s/2f0$//p" got)" = "$(sed -n "2s/2f8$//p" got)"
	test "$(sed -n 1p got)" != "$(sed -n 2p got)"
	$PERF script -F ip -i y.data > got
	test "$(grep -c "456$" got)" = 2
	test "$(grep "456$" got | sort -u | wc -l)" = 1
	grep -q ffffffffff600010 got
	$PERF report -D -i y.data > got
	grep -q " 0000000000000123$" got'
check 'what may contain addresses is left out, and this is said' '
	says "leaves out stacks: --convert-callchain" err
	says "fields of tracepoints" err
	says "left out, because they may contain addresses: 1" err
	$PERF evlist -v -i y.data > got
	for w in RAW REGS STACK_USER PHYS_ADDR exclude_callchain_user; do silent_about $w got; done
	says "CALLCHAIN|" got'
check 'call chains of copied stacks are kept by --convert-callchain' '
	$PERF inject --convert-callchain --aslr -i x.data -o z.data 2> err
	silent_about "leaves out stacks" err
	$PERF inject --convert-callchain -i x.data -o z.want
	$PERF script -F tid,ip,sym,dso -i z.want | relative > want
	$PERF script -F tid,ip,sym,dso -i z.data | relative > got
	says /nowhere/prog got
	same want got
	not former z.data'
check 'as a pipe, too, and from one' '
	$PERF inject --aslr < x.data > y.pipe 2> err
	not former y.pipe
	$PERF script -F tid,time,ip,addr,sym,dso -i y.data > want
	$PERF script -F tid,time,ip,addr,sym,dso -i y.pipe | same want -'
check 'a breakpoint has its new address, in its name as well' '
	printf "%s\n" "feature event_desc" \
		"event mem:0x55d1c3a41123/4:w type=breakpoint config1=0x55d1c3a41123 bp_type=2 sample=ip|tid|time" \
		"mmap2 tid=7 addr=0x55d1c3a41000 len=0x3000 prot=5 flags=2 filename=\"/nowhere/prog\"" \
		"sample tid=7 ip=0x55d1c3a41123 time=1" | mkdata b.data
	$PERF inject --aslr -i b.data -o c.data
	not former c.data
	$PERF script -F event,ip -i c.data > got
	grep -q "^ *mem:0x\([0-9a-f]*\)\(/4\)\?:w: *\1$" got'
check 'generated code keeps its names with -j' '
	mkdir jit
	{ jit_header 9; jit_load 9 2000 0x7f13b2c55010 1 first aaaaaaaa; } > jit/jit-9.dump
	printf "%s\n" "event cpu-clock sample=ip|tid|time flags=sample_id_all|mmap2|use_clockid clockid=1" \
		"mmap2 tid=9 addr=0xf0000 len=0x1000 prot=5 flags=2 filename=\"$PWD/jit/jit-9.dump\" time=1000" \
		"sample tid=9 ip=0x7f13b2c55012 time=3000" | mkdata jit.data
	$PERF inject -j --aslr -i jit.data -o out.data
	rm -r jit
	$PERF script -F ip,sym,symoff,dso -i out.data > got
	grep -q "first+0x2 (.*/jitted-9-1.so)" got
	not former out.data'
check 'packed symbols and hardware traces are refused, and wrong maps have no room' '
	$PERF pack -i x.data -o p.data 2> err
	fails_with 1 $PERF inject --aslr -i p.data -o q.data 2> err
	says "inject --aslr first" err
	printf "%s\n" "event cpu-clock sample=ip|tid" "mmap tid=7 addr=0x1000 len=0x7fffffffffffffff filename=\"/x\"" |
		mkdata m.data
	fails_with 1 $PERF inject --aslr -i m.data -o q.data 2> err
	says "too large to be moved" err'
