#!/bin/sh
# perf doctor symbols: what was found for each file with samples, and what to do where something is missing.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/jitdump-lib.sh"

# 8 samples in a program whose file is not here, through a chain without callers, 2 where nothing is mapped
cat > x.mk <<-END
	feature arch str:"x86_64"
	event cpu-clock type=software config=cpu-clock period=1 sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/nowhere/w" time=2
	repeat 8
	sample tid=100 time=100+\$i ip=0x1010 period=1 chain=-512,0x1010
	end
	repeat 2
	sample tid=100 time=200+\$i ip=0x9010 period=1 chain=-512,0x9010
	end
END

check 'a missing file: its share, its samples without a name, and what to do' '
	mkdata x.data < x.mk
	"$PERF" doctor symbols x.data > out 2> err
	grep -q "^ *80.00%  w  *100.00%  *8  -  *-  " out
	says "/nowhere/w was not found" out
	says "symfs" out
	test "$(grep -c "%" out)" = 1'
check 'JSON and separated values have the same' '
	mkdata x.data < x.mk
	"$PERF" doctor symbols --json -i x.data > out 2> err
	says "\"overhead\": 80, \"samples\": 8, \"dso\": \"w\", \"unnamed\": 100, \"cut\": 8," out
	says "\"symbols\": null, \"symbols-reason\": \"no symbols were found\"" out
	"$PERF" doctor symbols "-x;" x.data > out 2> err
	says "80.00%;8;w;100.00%;8;-;-;-;;/nowhere/w was not found" out'
check 'a program with symbols and without lines' '
	mkdata x.data <<-END
	event cpu-clock config=cpu-clock period=1 sample=ip|tid|time|period
	mmap2 tid=100 addr=0x10000000 len=0x10000000 prot=5 flags=2 filename="$(command -v "$PERF")" time=1
	sample tid=100 time=100 ip=0x10000010 period=1
	END
	"$PERF" doctor symbols x.data > out 2> err
	grep -q "^ *100.00%  perf  .* yes  .*perf" out'
check 'generated code has the lines that its jitdump file has' '
	jit_recording() { # PID
		{ echo "event cpu-clock config=cpu-clock sample=ip|tid|time|identifier flags=sample_id_all|mmap2|comm|use_clockid clockid=1 ids=7"
		  echo "mmap2 tid=$1 addr=0xf0000 len=0x1000 prot=5 flags=2 filename=\"$PWD/jit-$1.dump\" time=1000"
		  echo "sample tid=$1 ip=0x7002 time=3000"; } | mkdata "$1.data"
	}
	{ jit_header 9; jit_debug 2000 0x7000 /src/a.js 10:0 11:2; jit_load 9 2000 0x7000 1 first aaaaaaaa; } > jit-9.dump
	{ jit_header 8; jit_load 8 2000 0x7000 1 first aaaaaaaa; } > jit-8.dump
	jit_recording 9
	jit_recording 8
	"$PERF" doctor symbols 9.data > out 2> err
	grep -q "100.00%  jit-9.dump .* yes " out
	silent_about "no source lines" out
	"$PERF" doctor symbols 8.data > out 2> err
	says "no source lines: the JIT compiler wrote none to this file" out'
check 'names of files cannot drive a terminal' '
	sed "s|/nowhere/w|/nowhere/w\\\\x1b[31m|" x.mk | mkdata x.data
	"$PERF" doctor symbols x.data > out 2> err
	says "/nowhere/w" out
	test "$(tr -d "\n\t -~" < out | wc -c)" = 0'
check 'wrong words are refused' '
	fails_with 129 "$PERF" doctor symbols a b 2> err
	fails_with 129 "$PERF" doctor bones 2> err
	says "unknown subcommand" err
	fails_with 129 "$PERF" doctor symbols --json -x, 2> err'
