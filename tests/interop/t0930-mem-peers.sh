#!/bin/sh
# perf mem report of the same file, by upstream: the lines of -D, and the columns.
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST

cat > m.mk <<'END'
event cpu/mem-loads/ type=raw config=0x1cd period=10 sample=ip|tid|time|cpu|addr|period|weight_struct|data_src|phys_addr|data_page_size flags=sample_id_all|comm|mmap2
comm tid=100 comm="app" time=1
mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/nowhere/app" time=2
default tid=100 period=10 cpu=1
sample ip=0x1010 time=100 addr=0x8010 weight=60 data_src=0x6a100842 phys_addr=0x123010 data_page_size=0x200000
sample ip=0x1110 time=120 addr=0x8040 weight=15 data_src=0x90102042 cpu=0
sample ip=0x2000 time=130 addr=0x8048 weight=5
END
mkdata m.data < m.mk || exit 1

# lines with one blank between cells; upstream pads the first line, and writes "0x016" before an address in it
lines() { sed 's/^ *//; s/ 0x016/ 0x/; s/  */ /g; s/0x0*\([0-9a-f]\)/0x\1/g' "$1"; }

check 'a line per sample' '
	for options in "" "-p" "-p --data-page-size" "-x, -p"; do
		$PERF mem report -D $options -i m.data > ours 2> err
		"$NEWEST" mem report -D $options -i m.data > theirs 2> /dev/null
		grep -q "/nowhere/app" theirs
		lines theirs > want
		lines ours > got
		diff want got || { echo "with $options"; false; }
	done'
check 'the columns' '
	for options in "" "-t load" "-t store" "-p" "--data-page-size"; do
		$PERF mem report $options -i m.data --stdio > ours 2> err
		"$NEWEST" mem report $options -i m.data --stdio > theirs 2> /dev/null
		grep "^# Sort order" theirs | sed "s/,ipc_null//" > want
		test -s want
		grep "^# Sort order" ours | diff want -
	done'
