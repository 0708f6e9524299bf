#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

cat > head.mk <<'END'
event cpu-clock config=cpu-clock sample=ip|tid|time flags=sample_id_all|mmap2
comm tid=7 comm="x" time=1
mmap2-buildid tid=7 addr=0x1000 len=0x1000 prot=5 flags=2 id=0102030405060708090a0b0c0d0e0f1011121314 filename="/bin/hit" time=2
mmap2-buildid tid=7 addr=0x3000 len=0x1000 prot=5 flags=2 id=ffff030405060708090a0b0c0d0e0f1011121314 filename="/bin/missed" time=2
mmap2 tid=7 addr=0x5000 len=0x1000 prot=5 flags=2 filename="/bin/anonymous" time=2
sample tid=7 ip=0x1100 time=5
sample tid=7 ip=0x5100 time=6
END

check 'without a list in the header: files with samples' '
	$MKDATA -o h.data head.mk
	$PERF buildid-list -i h.data > out
	printf "%40s /bin/anonymous\n0102030405060708090a0b0c0d0e0f1011121314 /bin/hit\n" "" | cmp - out
	$PERF buildid-list -H -i h.data | cmp - out
'
check 'code and memory without a file: a map of a JIT, the heap, the stack' '
	{ cat head.mk; echo "mmap2 tid=7 addr=0x8000 len=0x1000 prot=5 flags=2 filename=\"//anon\" time=3"
	  echo "mmap2 tid=7 addr=0x9000 len=0x1000 prot=3 flags=2 filename=\"[stack]\" time=3"
	  echo "sample tid=7 ip=0x8100 time=7"; echo "sample tid=7 ip=0x9100 time=8"; } | $MKDATA -o a.data
	$PERF buildid-list -i a.data > out
	{ printf "%40s /bin/anonymous\n0102030405060708090a0b0c0d0e0f1011121314 /bin/hit\n" ""
	  printf "%40s /tmp/perf-7.map\n%40s [stack]\n" "" ""; } | cmp - out
'
check 'the list of the header, by name, short ids filled up' '
	{ cat head.mk; echo "buildid id=aa02030405060708090a0b0c0d0e0f1011121314 name=\"/z\""
	  echo "buildid id=bb02030405060708 id_size=8 name=\"/a\""; } > l.mk
	$MKDATA -o l.data l.mk
	$PERF buildid-list -i l.data > out
	printf "%-40s /a\n%s /z\n" bb02030405060708 aa02030405060708090a0b0c0d0e0f1011121314 | cmp - out
'
check 'records of a file or a pipe name builds, whether the map came before or after, and are no list of the header' '
	{ cat head.mk; echo "build_id misc=0x8002 pid=-1 id_size=20 id=cc02030405060708090a0b0c0d0e0f1011121314 filename=/bin/anonymous"
	  echo "build_id misc=0x8002 pid=-1 id_size=20 id=dd02030405060708090a0b0c0d0e0f1011121314 filename=/bin/anonymous"
	  echo "build_id misc=0x8002 pid=-1 id_size=20 id=ee02030405060708090a0b0c0d0e0f1011121314 filename=/bin/hit"
	  echo "build_id misc=0x8001 pid=-1 id_size=20 id=ff02030405060708090a0b0c0d0e0f1011121314 filename=/bin/late"
	  echo "build_id misc=0x8002 pid=-1 id_size=20 id=aa02030405060708090a0b0c0d0e0f1011121314 filename=/bin/late"
	  echo "mmap2 tid=7 addr=0x7000 len=0x1000 prot=5 flags=2 filename=\"/bin/late\" time=8"
	  echo "sample tid=7 ip=0x7100 time=9"; } > r.mk
	{ echo "format pipe"; cat r.mk; } > p.mk
	$MKDATA -o r.data r.mk
	$MKDATA -o p.data p.mk
	{ echo "cc02030405060708090a0b0c0d0e0f1011121314 /bin/anonymous"
	  echo "0102030405060708090a0b0c0d0e0f1011121314 /bin/hit"
	  echo "aa02030405060708090a0b0c0d0e0f1011121314 /bin/late"; } > want
	$PERF buildid-list -i r.data | cmp - want
	$PERF buildid-list -i p.data | cmp - want
'
check 'the vdso of a 32-bit program on a 64-bit machine is another file than the one of 64-bit programs' '
	{ echo "event cpu-clock config=cpu-clock sample=ip|tid|time flags=sample_id_all|mmap2"
	  echo "feature arch str:\"x86_64\""
	  echo "build_id misc=0x8002 pid=-1 id_size=20 id=6402030405060708090a0b0c0d0e0f1011121314 filename=[vdso]"
	  echo "build_id misc=0x8002 pid=-1 id_size=20 id=3202030405060708090a0b0c0d0e0f1011121314 filename=[vdso32]"
	  echo "mmap2 tid=7 addr=0xffffe000 len=0x2000 prot=5 flags=2 filename=\"[vdso]\" time=2"
	  echo "mmap2 tid=8 addr=0x7fff12345000 len=0x2000 prot=5 flags=2 filename=\"[vdso]\" time=2"
	  echo "sample tid=7 ip=0xffffe100 time=5"
	  echo "sample tid=8 ip=0x7fff12345100 time=6"; } > v.mk
	$MKDATA -o v.data v.mk
	{ echo "3202030405060708090a0b0c0d0e0f1011121314 [vdso32]"
	  echo "6402030405060708090a0b0c0d0e0f1011121314 [vdso]"; } > want
	$PERF buildid-list -i v.data | cmp - want
	sed "s/x86_64/i686/" v.mk | $MKDATA -o o.data
	test "$($PERF buildid-list -i o.data)" = "6402030405060708090a0b0c0d0e0f1011121314 [vdso]"
'
check 'control characters in names do not reach the terminal' '
	echo "buildid id=aa02030405060708090a0b0c0d0e0f1011121314 name=\"/e\e[31mvil\"" | cat head.mk - > e.mk
	$MKDATA -o e.data e.mk
	$PERF buildid-list -i e.data > out
	not grep -q "$(printf "\033")" out
	grep -q "/e.x1b.31mvil" out
'
check_if NEWEST,ROOT 'the running kernel and ELF files, as the newest upstream shows them' '
	for o in -k -m "-i /bin/ls"; do
		$PERF buildid-list $o > a; $NEWEST buildid-list $o > b; cmp a b
	done
'
