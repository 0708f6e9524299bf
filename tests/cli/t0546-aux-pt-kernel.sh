#!/bin/sh
# Intel PT: where the code of kernels and of JIT compilers comes from.
# threads
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/jitdump-lib.sh"
need GCC

# a kernel of two functions, linked at the address at which it runs; and one linked 0x1000 lower
cat > k.s <<END
.globl _stext, _stext, work
_text: _stext:
	nop
	call work
	ret
work:
	test %eax, %eax
	je 1f
	nop
1:	ret
END
link() {
	gcc -nostdlib -static -Wl,-Ttext=$1 -Wl,--build-id=none -Wl,-e0 -o $2 k.s 2> gcc.log || skip_all "gcc cannot link: $(head -1 gcc.log)"
}
link 0xffffffff81001000 vmlinux
link 0xffffffff81000000 moved

k=0xffffffff81001
# the program calls the kernel at _text and returns; reference: of the symbol in the recording
before() {
	cat <<-END
	event intel_pt// type=8 config=0x2400 period=1 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all
	event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
	feature hostname str:"elsewhere"
	feature osrelease str:"4.1"
	feature arch str:"x86_64"
	feature auxtrace u64:0
	auxtrace_info auxtrace_type=1 priv=8,0,1,0,1,0x400,0x800,0,0,0,0x200,0x3c000,16,1,2,20,0,0
	mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81001000 filename="[kernel.kallsyms]_text" misc=kernel time=1 s_id=11
	comm ev=dummy:u tid=100 comm="pttest" time=10 s_id=11
	END
}
trace() {
	echo "auxtrace offset=0 reference=9 idx=0 tid=100 cpu=-1 $*"
}
start="pt-psb:0 pt-tsc:1000 pt-cbr:20 pt-mode:1 pt-psbend:0"
want="000 001 007 009 00c 006"
list() {
	$PERF script --itrace=i1i -F ip,sym -i $1 2> err > out
	test "$(sed "s/^ *ffffffff81001//" out | cut -c 1-3 | tr "\n" " ")" = "$want "
}
{ before; trace $start pt-pge:${k}000 pt-tnt:TT pt-pgd:0,0; } | mkdata x.data

check 'the vmlinux that users name, also where the kernel ran at other addresses than it was linked for' '
	$PERF script --itrace=i1i -F ip,sym --vmlinux vmlinux -i x.data 2> err > out
	test "$(sed "s/^ *ffffffff81001//" out | tr "\n" "," | tr -s " ")" = "000 _stext,001 _stext,007 work,009 work,00c work,006 _stext,"
	silent_about "left out" err
	$PERF script --itrace=i1i -F ip,sym --vmlinux moved -i x.data 2> err > out
	test "$(sed "s/^ *ffffffff81001//" out | tr "\n" "," | tr -s " ")" = "000 _stext,001 _stext,007 work,009 work,00c work,006 _stext,"
	$PERF report --itrace=i1i --stdio -s sym --vmlinux vmlinux -i x.data 2> err > out
	says "50.00%  [k] _stext" out
	$PERF script --insn-trace -F ip,sym,insn --vmlinux moved -i x.data > out
	says "ffffffff81001009 work insn: 74 01" out
'
check 'the copy of record --kcore is preferred, and needs no symbols in it' '
	mkdir -p dir/kcore_dir
	cp x.data dir/data
	strip -o dir/kcore_dir/kcore vmlinux
	printf "%s t %s\n" ffffffff81001000 _text ffffffff81001000 _stext ffffffff81001007 work > dir/kcore_dir/kallsyms
	list dir
	says "work" out
	silent_about "left out" err
	$PERF script --insn-trace -F ip,insnlen,insn -i dir > out
	says "ffffffff81001006 ilen: 1 insn: c3" out
	# a copy that ends in its code, or is no copy, costs what it lacks
	size=$(wc -c < dir/kcore_dir/kcore)
	head -c $((size - 100)) dir/kcore_dir/kcore > cut
	for f in cut /dev/null k.s; do
		cat "$f" > dir/kcore_dir/kcore
		$PERF script --itrace=i1i -F ip -i dir 2> err > out
	done
	test ! -s out
	says "no code of [kernel.kallsyms] for 1 places of the trace: give --vmlinux, or record with --kcore" err
'
check 'never the kernel that runs now, for a file of another machine' '
	$PERF script --itrace=i1i -F ip -i x.data 2> err > out
	test ! -s out
	says "no code of [kernel.kallsyms] for 1 places" err
'
check 'generated code that a jitdump file has' '
	# push %rax; je past the next one; push %rcx; pop %rax
	{ jit_header 100; jit_load 100 20 0x7000 1 first "$(printf "Pt\\001QX")"; } > jit-100.dump
	{ before | sed "s/flags=sample_id_all$/&|exclude_kernel/"
	  echo "mmap2 ev=dummy:u tid=100 addr=0xf0000 len=0x1000 prot=5 flags=2 filename=\"$(pwd)/jit-100.dump\" time=11 s_id=11"
	  trace $start pt-pge:0x7000 pt-tnt:T pt-fup:0x7005 pt-pgd:0,0; } | mkdata x.data
	$PERF script --itrace=i1i -F ip,sym -i x.data > out 2> err
	test "$(tr -s " " < out | tr "\n" ",")" = " 7000 first, 7001 first, 7004 first,"
	silent_about "left out" err
'
