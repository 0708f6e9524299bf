#!/bin/sh
# Traces that readers in the order of time decode as they go: streams merged, any -j, bounded memory.
# threads
. "$(dirname "$0")/lib.sh"

z4='\000\000\000\000'
# a program whose code, at 0x400080, is a loop with a call
program() {
	printf "\177ELF\002\001\001\000$z4$z4\002\000\076\000\001\000\000\000\200\000\100\000$z4"
	printf "\100\000\000\000$z4\240\000\000\000$z4$z4\100\000\070\000\001\000\100\000\002\000\000\000"
	printf "\001\000\000\000\005\000\000\000$z4$z4\000\000\100\000$z4\000\000\100\000$z4"
	printf "\240\000\000\000$z4\240\000\000\000$z4$z4$z4$z4$z4"
	printf '\061\300'			# 80 xor  %eax,%eax
	printf '\350\011\000\000\000'		# 82 call 90
	printf '\165\367'			# 87 jne  80
	printf '\377\340\017\005\353\361\220'	# 89 jmp *%rax, syscall, jmp 80, nop
	printf '\220'				# 90 nop
	printf '\164\001'			# 91 je   94
	printf '\220'				# 93 nop
	printf '\303'				# 94 ret
	printf '\353\376\355\355\355\355\355\355\006\006\006'
	printf "$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4"
	printf "$z4\001\000\000\000\006\000\000\000$z4\200\000\100\000$z4\200\000\000\000$z4\040\000\000\000$z4$z4$z4$z4$z4$z4$z4"
}
program > prog

before() {
	cat <<-END
	event intel_pt// type=8 config=0x2400 period=1 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all|exclude_kernel
	event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
	feature arch str:"x86_64"
	feature auxtrace u64:0
	auxtrace_info auxtrace_type=1 priv=8,0,1,0,1,0x400,0x800,0,0,0,0x200,0x3c000,16,1,2,20,0,0
	END
	for tid in 100 101 102; do
		echo "comm ev=dummy:u tid=$tid comm=\"t$tid\" time=10 s_id=11"
		echo "mmap2 ev=dummy:u tid=$tid addr=0x400000 len=0x1000 prot=5 flags=2 filename=\"$(pwd)/prog\" time=11 s_id=11"
	done
}
# traces PSBS BYTES: threads 100 to 102, whose times overlap: as many PSB packets, each with BYTES of loops
traces() {
	awk -v psbs="$1" -v bytes="$2" 'BEGIN {
		for (i = 0; i < bytes; i++)
			loop = loop "fe"
		for (tid = 100; tid < 103; tid++) {
			text = ""
			for (i = 0; i < psbs; i++) {
				at = 1000 + i * 300 + (tid - 100) * 100
				text = text " pt-psb:0 pt-tsc:" at " pt-cbr:20 pt-mode:1 pt-fup:0x400080 pt-psbend:0 hex:" loop " pt-ovf:0 pt-fup:0x400080"
			}
			print "auxtrace offset=0 reference=9 idx=" tid - 100 " tid=" tid " cpu=-1" text
		}
	}'
}

check 'streams of threads are merged by time, as in a report of all samples; -j changes nothing' '
	{ before; traces 40 40; } | mkdata x.data
	for letters in i1i i7igl8 bcel4 i10nse; do
		fields=tid,time,event,ip,sym,addr,flags,period
		case $letters in *l*) fields=$fields,brstack ;; esac
		$PERF script --itrace=$letters --ns -F $fields -j1 -i x.data > one 2> err
		test "$(wc -l < one)" -gt 1000
		sed -n "s/^ *[0-9]*  *\([0-9]*\.[0-9]*\):.*/\1/p" one > times
		test "$(wc -l < times)" -gt 1000
		sort -c times
		$PERF script --itrace=$letters --ns -F $fields -j4 -i x.data 2> err | same one -
		# with parts of the recording, all samples are made before the first line
		$PERF script --itrace=$letters --ns -F $fields --time 0%-100% -i x.data > all 2> err
		sort one > a
		sort all | same a -
	done
	for tid in 100 101 102; do
		test "$(grep -c "^ *$tid " one)" -gt 300
	done
'
check 'inject writes the same samples' '
	{ before; traces 40 40; } | mkdata x.data
	$PERF inject --itrace=i7il8 --strip -i x.data -o y.data
	$PERF script -F tid,ip,time,brstack -i y.data > copy
	$PERF script --itrace=i7il8 -F tid,ip,time,brstack -i x.data | same - copy
	test "$(wc -l < copy)" -gt 1000
'
check 'filters count samples that were decoded on the way' '
	{ before; traces 4 30; } | mkdata x.data
	nr=$($PERF script --itrace=b -F ip -i x.data | wc -l)
	$PERF script --itrace=b -F ip -S nothing -i x.data > out 2> err
	test ! -s out
	$PERF script --itrace=b --tid 100 -F ip -i x.data > out
	test "$(wc -l < out)" = $((nr / 3))
	$PERF script --itrace=b -S nothing -F ip -i x.data > out 2> err
	says "none of the $nr samples passes" err
	$PERF script --itrace=b --tid 7 -F ip -i x.data > out 2> err
	says "no sample passes the filter --tid" err
'
# pieces are of 64 KB: some do not reach into the time that is asked for
check 'what a filter of times leaves out is not decoded, and changes no line' '
	{ before; traces 30 12000; } | mkdata x.data
	for letters in i200ns i1000il4; do
		fields=tid,time,ip,period
		case $letters in *l*) fields=$fields,brstack ;; esac
		$PERF script --itrace=$letters --ns -F $fields -i x.data | awk "\$2 + 0 >= 0.000003 && \$2 + 0 <= 0.0000034" > want
		test "$(wc -l < want)" -gt 2
		$PERF script --itrace=$letters --ns -F $fields --time 0.000003000,0.000003400 -i x.data | same want -
	done
'
# the same trace in samples, each with the last bytes of its thread; the second one repeats the first one
check 'parts of a trace in samples are decoded; what two have, once' '
	a="pt-psb:0 pt-tsc:1000 pt-cbr:20 pt-mode:1 pt-psbend:0 pt-pge:0x400080 pt-tnt:TTT pt-psb:0 pt-tsc:1400 pt-cbr:20 pt-mode:1
		pt-fup:0x400080 pt-psbend:0 pt-tnt:TTT pt-tnt:TTTTTT"
	b="pt-tnt:TTTTTT pt-tnt:TTT pt-fup:0x400080 pt-pgd:0,0"
	a=$(echo $a)
	{ before; echo "auxtrace offset=0 reference=9 idx=0 tid=100 cpu=-1 $a $b"; } | mkdata x.data
	$PERF script --itrace=i1i --ns -F tid,time,ip -i x.data > want
	test "$(wc -l < want)" -gt 30
	event="event cycles:u type=hardware config=0 period=1000 sample=ip|tid|time|cpu|identifier|aux ids=12 flags=sample_id_all"
	awk "{ print \$1, \$2, \$3 }" want > words
	pads=
	for i in 1 2 3 4 5 6 7 8; do	# with one of these lengths the first part is not padded
		{ before; echo "$event"
		  echo "sample ev=cycles:u ip=1 tid=100 time=1500 id=12 $pads$a"
		  echo "sample ev=cycles:u ip=1 tid=100 time=2500 id=12 $pads$a $b"; } | mkdata x.data
		$PERF script --itrace=i1i --ns -F tid,time,event,ip -i x.data | sed -n "s/ *instructions:[a-zA-Z]*:/ /p" > got
		awk "{ print \$1, \$2, \$3 }" got > got.words
		! cmp -s words got.words || break
		pads="$pads""pt-pad:0 "
	done
	same words got.words
	$PERF report --stdio --itrace=i1i -i x.data > out
	says "instructions" out
'
check_if PLAIN 'memory does not grow with the number of samples' '
	{ before; traces 40 2000; } | mkdata x.data
	(ulimit -v 200000; exec $PERF script --itrace=i1i -F ip -j1 -i x.data) | wc -l > nr
	test "$(cat nr)" -gt 2500000
'
