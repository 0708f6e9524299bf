#!/bin/sh
# perf annotate of profiles with branch stacks: cycles and instructions per cycle of basic blocks.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/x86-code-lib.sh"
need X86_CODE

x86_code > prog.s
link_x86_code

# flags of a branch: 1 mispredicted, 2 predicted, cycles from bit 4 on; the oldest one has no start
profile() {
	off=$(readelf -lW prog | awk '$1 == "LOAD" && $7 ~ /E/ { print $2; exit }')
	cat <<-END
	event cycles type=hardware config=0 period=10 sample=ip|tid|time|period|branch_stack branch=$1 flags=sample_id_all|comm|mmap2
	feature branch_stack
	mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=${off:-0x1000} prot=5 flags=2 filename="$PWD/prog" time=1
	sample tid=100 ip=0x401004 time=10 period=10 branch=0x401007:0x401002:0x41,0x401007:0x401002:0x61,0x401007:0x401002:0x31
	sample tid=100 ip=0x401004 time=20 period=10 branch=0x401009:0x40100f:0x51,0x401007:0x401002:0x21,0x40200f:0x401000:0x21
	END
}
profile 9 | mkdata x.data

check 'blocks have average, smallest and largest cycles, and instructions per cycle' '
	$PERF annotate -i x.data -s _start --stdio2 > out
	sed -n "3,\$p" out | sed "s/ *\$//" > got
	same - got <<-END
	Percent    IPC    Cycle(min/max)  IPC 0.82, coverage 83.3%
	                                         xorl   %eax,%eax
	                                    2:   incl   %eax
	  100.00                                 cmpl   \$0xa,%eax
	          0.83          4.0(2/6)       ↑ jne    2
	          0.80          5.0(5/5)       → callq  40100f <leaf>
	                                       ← retq

	END
	$PERF annotate -i x.data -s _start > text
	says "jne    401002 <_start+0x2>	# cycles: 4.0 (2 to 6), IPC: 0.83" text
'
check 'JSON has the sums' '
	$PERF annotate -i x.data -s _start --json > out
	python3 -c "
import json
f = json.load(open(\"out\"))[\"functions\"][0]
assert (f[\"covered-instructions\"], f[\"all-instructions\"]) == (5, 6), f
b = [l[\"block\"] for l in f[\"lines\"] if \"block\" in l]
assert b[0] == {\"branches\": 3, \"cycles\": 12, \"min\": 2, \"max\": 6, \"instructions\": 10}, b
assert b[1] == {\"branches\": 1, \"cycles\": 5, \"min\": 5, \"max\": 5, \"instructions\": 4}, b
"
'
check 'the same from a pipe, and with any number of threads' '
	$PERF annotate -i x.data --stdio2 -j 1 > one
	$PERF annotate -i x.data --stdio2 -j 8 --no-source > eight
	same one eight
	$PERF annotate -i - --stdio2 < x.data > piped
	same one piped
'
check "report shows these of the function to which branches went, as the sort key ipc_lbr" '
	$PERF report -i x.data -s symbol_from,symbol_to,ipc_lbr 2> err > out
	says "# Overhead  Source Symbol           Target Symbol  IPC   [IPC Coverage]" out
	grep -Eq "^ +66.67%  [[]\.[]] _start +[[]\.[]] _start +0\.82  [[] 83\.3%[]]$" out
	grep -Eq "^ +16.67%  [[]\.[]] _start +[[]\.[]] leaf +-      -$" out
	$PERF report -i x.data -j 3 --chunk-size 64 -s symbol_from,symbol_to,ipc_lbr 2> err | cmp - out
	$PERF report -i x.data -s symbol_to,ipc_lbr --json > out
	python3 -c "
import json
r = json.load(open(\"out\"))[\"events\"][0][\"rows\"]
assert abs(r[0][\"ipc_lbr\"] - 14 / 17) < 1e-9 and r[1][\"ipc_lbr\"] is None, r
"
	$PERF report -i x.data -s symbol_to,ipc_lbr --time 0,0.000000011 2> err > out
	grep -Eq "_start +0\.60  [[] 50\.0%[]]$" out
	fails_with 1 $PERF report -i x.data --no-branch-stack -s ipc_lbr 2> err
	says "is a key of branches" err
'
check 'no columns without cycles, or where only calls were recorded' '
	profile 9 | sed "s/:0x[0-9]1/:0x1/g" | mkdata none.data
	$PERF annotate -i none.data --stdio2 -s _start > out
	silent_about IPC out
	profile 0x11 | mkdata calls.data
	$PERF annotate -i calls.data --stdio2 -s _start > out
	silent_about IPC out
'
check_if TUI 'in the terminal' '
	cat > steps <<-END
	size 20 90
	wait IPC 0.82, coverage 83.3%
	wait 0.83          4.0(2/6)
	key q q
	ends 0
	END
	tui $PERF annotate -i x.data -s _start < steps > out
'
