#!/bin/sh
# report: what it advises can be done
. "$(dirname "$0")/lib.sh"
cat > x.mk <<'END'
event cpu-clock type=software config=cpu-clock period=10 sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
comm tid=100 comm="app" time=1
mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
default period=10
sample tid=100 ip=0x1210 time=100
END
$MKDATA -o x.data x.mk

check 'java writes a perf map only where diagnostic options are unlocked, or when it is asked' '
	mkdir -p empty
	PERF_FS_ROOT=$PWD/empty $PERF report -i x.data > out 2> err
	says "java: -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit, or jcmd PID Compiler.perfmap" err
'
