#!/bin/sh
# Fields that few ask for: the same bytes as from the newest upstream, on files that are put together.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST GCC

# same ARGS...: the two outputs are the same
same() {
	"$PERF" script -i x.data "$@" > ours 2> ours.err || { cat ours.err; return 1; }
	"$NEWEST" script -i x.data "$@" > theirs 2> theirs.err
	cmp ours theirs || { echo "$@"; diff ours theirs | head -n 20; return 1; }
}
printf "%s\n" "long leaf(long n)" "{" "	volatile long s = 0;" "	for (long i = 0; i < n; i++)" "		s += i * i;" "	return s;" "}" \
	"long start(long n) { return leaf(n); }" > w.c
gcc -g -O1 -nostartfiles -static -Wl,-Ttext=0x401000 -Wl,-estart "$PWD/w.c" -o w 2> gcc.err || { cat gcc.err; exit 1; }
off=$(readelf -SW w | awk '{ sub(/^ *\[ *[0-9]+\]/, "") } $1 == ".text" { print "0x" $4; exit }')
# walk SAMPLE-BITS KEYS: samples over the whole program, by two tasks
walk() {
	cat <<-END
	event cpu-clock sample=ip|tid|time|cpu|period$1 flags=sample_id_all|comm|mmap2 clockid=1 ${2:-config=cpu-clock}
	feature event_desc
	feature nrcpus u32:2,2
	feature clock_data u32:1 u32:1 u64:1795281060829396001 u64:5000000000
	comm tid=100 comm="w" time=1
	mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=$off prot=5 flags=2 filename="$PWD/w" time=2
	fork pid=200 tid=200 ppid=100 ptid=100 time=3
	repeat 40
	sample tid=100+\$i%2*100 ip=0x401000+\$i time=5000000000+\$i*1001001 $3
	end
	END
}

check 'instructions, source lines, wall-clock times' '
	walk "" "" "" | mkdata x.data
	for f in +insn +insnlen ip,insn,insnlen,sym insn +srccode ip,sym,srccode ip,srcline,srccode +srccode,+insn tod +tod \
			tod,cpu,misc +callindent +ipc,+synth; do
		same -F $f
		same -F $f --ns
	done
	same -F +tod --reltime
	same -F +srccode --time 5.01,5.03'
check 'the same behind call chains' '
	walk "|callchain" "" "chain=-512,0x401000+\$i,0x401008" | mkdata x.data
	for f in +insn +srccode ip,sym,srccode +insn,+srccode; do
		same -F $f --no-inline
		same -F $f -G
	done'
check 'branch stacks' '
	walk "|branch_stack|phys_addr" "config=cpu-clock branch=8" "branch=0x401000:0x401010:1,0xff:0x40101f:33 phys_addr=5" | mkdata x.data
	for f in +brstack +brstacksym +brstackoff +brstackoff,+dsoff +brstackoff,-dso +brstacksym,+brstackoff +brstack,+insn,+phys_addr; do
		same -F $f
	done
	walk "|branch_stack" "config=cpu-clock branch=0x80008" "branch=0x401000:0x401010:1 counters=5" | mkdata x.data
	same -F +brcntr
	same -F +brstack,+brcntr
	# of a file without any, upstream prints empty lines
	walk "" "config=cpu-clock" "" | mkdata x.data
	fails_with 1 "$PERF" script -i x.data -F +brstack 2> err
	says "no event of the file has branch stacks" err'
check 'branch trace store' '
	walk "|addr" "type=0 config=4 period=1" "addr=0x401000+\$i*3" | mkdata x.data
	for f in +addr +callindent +flags ip,sym,addr comm,time,sym,symoff,dso,ip,addr +insn; do
		same -F $f
	done
	same'
check 'source lines in reports, times in nanoseconds' '
	walk "" "" "" | mkdata x.data
	for a in "-s srcline" "-s srcfile" "-s comm,srcfile" "-s srcline --full-source-path" "-s time --ns" "-s time --time-quantum 1ms"; do
		"$PERF" report --stdio -i x.data $a 2> ours.err | grep -v "^# (Tip" > ours
		"$NEWEST" report --stdio -i x.data $a 2> theirs.err | grep -v "^# (Tip" > theirs
		diff ours theirs
	done'
