#!/bin/sh
# perf script: wall-clock times, branches, bytes of instructions, source lines.
. "$(dirname "$0")/lib.sh"

# shown ARGS...: what is behind it on stdin is printed for x.data
shown() {
	cat > want
	"$PERF" script -i x.data "$@" > got
	diff want got
}

check 'the time of day, by the clocks that the recorder compared' '
	mkdata x.data <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|period flags=sample_id_all|comm|mmap2 clockid=1
	feature clock_data u32:1 u32:1 u64:1795281060829396001 u64:5000000000
	sample tid=1 time=4000000000
	sample tid=1 time=6999999999
	END
	shown -F tod,time <<-END
	2026-11-21 17:10:59.829396     4.000000: 
	2026-11-21 17:11:02.829396     6.999999: 
	END
	shown -F pid,tod,misc --ns <<-END
	      1 U     2026-11-21 17:10:59.829396001 
	      1 U     2026-11-21 17:11:02.829396000 
	END
	TZ=UTC-3 "$PERF" script -i x.data -F tod | finds "^2026-11-21 20:10:59.829396 "'
check 'without these clocks it says what to record' '
	echo "event cpu-clock config=cpu-clock sample=ip|tid|time" | mkdata x.data
	not "$PERF" script -i x.data -F +tod 2> err
	says "record it with perf record -k CLOCK_MONOTONIC" err'
check 'branches that are samples of their own show where they go' '
	mkdata x.data <<-END
	event branches type=0 config=4 period=1 sample=ip|tid|time|addr|period flags=sample_id_all|comm|mmap2
	mmap2 tid=100 addr=0x400000 len=0x1000 prot=5 flags=2 filename="/nowhere/w" time=2
	sample tid=100 ip=0x400100 time=1000 addr=0x400200
	END
	shown <<-END
	            :100     100     0.000001:          1 branches:            400100 [unknown] (/nowhere/w) =>           400200 [unknown] (/nowhere/w)
	END
	shown -F ip,sym <<-END
	           400100 [unknown]
	END
	shown -F ip,sym,addr,callindent,ipc,synth <<-END
	           400100 [unknown] =>           400200 [unknown]
	END'
check 'branch stacks as offsets in their objects; letters of branch counters' '
	mkdata x.data <<-END
	event cycles type=0 config=0 sample=ip|tid|time|period|branch_stack branch=0x80008 flags=sample_id_all|comm|mmap2
	mmap2 tid=100 addr=0x400000 len=0x1000 prot=5 flags=2 filename="/nowhere/w" time=2
	sample tid=100 ip=0x400100 time=1000 branch=0x400200:0x400300:1,0xff:0x400310:33 counters=5,0x123
	END
	shown -F ip,brstackoff <<-END
	           400100 0x200/0x300/M/-/-/0//-  0xff/0x310/M/-/-/2//- 
	END
	shown -F tid,brcntr <<-END
	# Branch counter abbr list:
	# cycles = A
	# '"'-'"' No event occurs
	# '"'+'"' Event occurrences may be lost due to branch counter saturated
	    100 
	END'
check 'the flags of a transaction: if -F asks, in both byte orders' '
	for order in little big; do
		mkdata x.data <<-END
		order $order
		event tx-abort type=raw config=0x1c9 sample=ip|tid|time|transaction
		sample tid=100 ip=0x400100 time=1000 transaction=0x300000009
		sample tid=100 ip=0x400200 time=1001
		END
		shown -F ip,transaction <<-END
		           400100       300000009
		           400200               0
		END
		"$PERF" script -i x.data > got
		not grep -q 300000009 got || exit 1
	done'
check 'without these flags it says so' '
	printf "event tx-abort type=raw config=0x1c9 sample=ip|tid|time\nsample tid=1\n" | mkdata x.data
	not "$PERF" script -i x.data -F ip,transaction 2> err
	grep -q "do not have TRANSACTION attribute set. Cannot print .transaction. field" err
	says "record it with perf record --transaction" err'
check 'what a field lacks is said in a sentence' '
	printf "event cycles type=hardware config=0 sample=ip|tid|time\nsample tid=1\n" | mkdata x.data
	printf "event cycles type=hardware config=0 sample=tid|time\nsample tid=1\n" | mkdata noip.data
	refused() {
		fails_with 1 "$PERF" script -i "$1" -F "$2" > out 2> err
		grep -q "$3" err
		test ! -s out
	}
	refused x.data comm,symoff ".symoff. needs the field .sym., too"
	refused x.data comm,srcline ".srcline. needs the field .ip., too"
	refused x.data comm,srccode ".srccode. needs the field .ip., too"
	refused x.data comm,brcntr "no counters of branches for"
	refused x.data comm,tod "record it with perf record -k CLOCK_MONOTONIC"
	refused x.data phys_addr "record it with perf record --phys-data"
	refused noip.data comm,sym "samples of .cycles. have no address: .sym. has nothing to name"
	refused noip.data comm,dso "samples of .cycles. have no address: .dso. has nothing to name"'
check_if GCC 'bytes of instructions, source lines where they change' '
	printf "%s\n" "long leaf(long n)" "{" "	volatile long s = 0;" "	return s + n;	/* \\033[31m */" "}" \
		"long start(long n) { return leaf(n); }" > w.c
	gcc -g -O1 -fno-inline -nostartfiles -static -Wl,-Ttext=0x401000 -Wl,-estart "$PWD/w.c" -o w
	off=$(readelf -SW w | awk "{ sub(/^ *\\[ *[0-9]+\\]/, \"\") } \$1 == \".text\" { print \"0x\" \$4; exit }")
	leaf=$(readelf -sW w | awk "\$8 == \"leaf\" { print \"0x\" \$2 }")
	start=$(readelf -sW w | awk "\$8 == \"start\" { print \"0x\" \$2 }")
	mkdata x.data <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
	mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=$off prot=5 flags=2 filename="$PWD/w" time=2
	sample tid=100 ip=$start time=1000
	sample tid=100 ip=$start time=1001
	sample tid=100 ip=$leaf time=1002
	sample tid=100 ip=0x999 time=1003
	sample tid=100 ip=$leaf time=1004
	sample tid=7 ip=$start time=1005
	sample tid=100 ip=$start time=1006
	END
	"$PERF" script -i x.data -F sym,ip,srccode > got
	test "$(grep -c "^|6        long start(long n) { return leaf(n); }$" got)" = 2
	test "$(grep -c "^|" got)" = 3
	"$PERF" script -i x.data -j1 -F sym,ip,srccode | diff got -
	not grep -q "$(printf "\\033")" got
	"$PERF" script -i x.data -F sym,ip,insn,insnlen > got
	objdump -d --insn-width=16 w | awk -F "\t" "/<start>:/ { on = 1 } on && NF > 1 { gsub(/ +\$/, \"\", \$2); print \$2; exit }" > bytes
	grep -q " start ilen: $(wc -w < bytes) insn: $(cat bytes)$" got
	grep -q " \[unknown\] ilen: 0$" got'
check 'machine_pid and vcpu: of events of guests, by the ids of their recordings' '
	mkdata x.data <<-END
	event cycles sample=identifier|ip|tid|time|cpu ids=1,2 flags=sample_id_all|comm
	id_index entries=1:0:0:-1,2:0:1:-1 u64:0,0,77,3
	comm tid=5 comm="app" time=1
	sample id=1 tid=5 cpu=1 ip=0x2 time=3
	sample id=2 tid=5 cpu=1 ip=0x2 time=4
	END
	$PERF script -F comm,tid,machine_pid,vcpu,ip -i x.data > out
	same - out <<-END
	             app       5                 2
	VM:   77 VCPU:003              app       5                 2
	END
	$PERF script -F tid,vcpu -i x.data | finds -x "VCPU:003       5 "
	$PERF script --json -F tid,machine_pid,vcpu -i x.data > out
	says "{\"type\": \"sample\", \"tid\": 5, \"machine-pid\": 77, \"vcpu\": 3}" out
	says "{\"type\": \"sample\", \"tid\": 5}" out
'
