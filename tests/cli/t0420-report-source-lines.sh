#!/bin/sh
# perf report: source lines and files as keys, times in nanoseconds.
. "$(dirname "$0")/lib.sh"

# rows ARGS...: the table's rows, blanks squeezed
rows() {
	"$PERF" report --stdio -i x.data "$@" 2> err | sed '/^#/d; /^$/d; s/  */ /g; s/ $//'
}

check 'times in nanoseconds' '
	mkdata x.data <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
	sample tid=1 time=14391153722927
	sample tid=1 time=14391272664868
	sample tid=1 time=14391272664869
	END
	rows -s time --ns --time-quantum 1us > got
	printf " 66.67%% 14391.272664000\n 33.33%% 14391.153722000\n" | diff - got
	rows -s time > got
	printf " 66.67%% 14391.200000\n 33.33%% 14391.100000\n" | diff - got'
check_if GCC 'source lines and files, of the function that is inlined too' '
	mkdir -p src
	printf "%s\n" "static inline __attribute__((always_inline)) long add(long n)" "{" "	volatile long s = n;" "	return s + n;" "}" > src/add.h
	printf "%s\n" "#include \"add.h\"" "long plain(long n)" "{" "	volatile long s = n;" "	return s;" "}" \
		"long start(long n)" "{" "	return add(n);" "}" > src/w.c
	gcc -g -O1 -nostartfiles -static -Wl,-Ttext=0x401000 -Wl,-estart "$PWD/src/w.c" -o w
	off=$(readelf -SW w | awk "{ sub(/^ *\\[ *[0-9]+\\]/, \"\") } \$1 == \".text\" { print \"0x\" \$4; exit }")
	plain=$(readelf -sW w | awk "\$8 == \"plain\" { print \"0x\" \$2 }")
	start=$(readelf -sW w | awk "\$8 == \"start\" { print \"0x\" \$2 }")
	inlined=$(addr2line -e w $(seq -f "%.0f" $((start)) $((start + 12)) | while read -r a; do printf "%x\n" $a; done) |
		grep -n "add.h:[34]" | head -n 1 | cut -d: -f1)
	mkdata x.data <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
	mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=$off prot=5 flags=2 filename="$PWD/w" time=2
	mmap2 tid=100 addr=0x7000 len=0x1000 pgoff=0x3000 prot=5 flags=2 filename="/nowhere/lib.so" time=2
	sample tid=100 ip=$plain time=1000 period=5
	sample tid=100 ip=$start+$inlined-1 time=1001 period=3
	sample tid=100 ip=0x7010 time=1002 period=1
	sample tid=100 ip=0x8010 time=1002 period=1
	END
	rows -s srcfile > got
	printf " 50.00%% w.c\n 30.00%% add.h\n 20.00%%\n" | diff - got
	rows -s srcline > got
	grep -q "^ 50.00% w.c:[34]$" got
	grep -q "^ 30.00% add.h:[34]$" got
	grep -q "^ 10.00% lib.so\[3010\]$" got
	grep -q "^ 10.00% ??:0$" got
	rows -s srcfile --full-source-path | grep -q "^ 50.00% $PWD/src/w.c$"
	rows -s sym,srcfile | grep -q "^ 30.00% \[\.\] start add.h$"
	"$PERF" script -i x.data -F ip,srcline | grep -q "^  add.h:[34]$"
	mkdata x.data <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
	mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=$off prot=5 flags=2 filename="$PWD/w" time=2
	sample tid=100 ip=$start+$inlined-1 time=1001 period=3 chain=-512,$start+$inlined-1,$plain+1
	END
	for key in srcline address; do
		"$PERF" report -i x.data --no-children -s comm -g folded,$key > out 2> err
		grep -q "add add.h:[34] (inlined);start w.c:[789];plain w.c:[34]\$" out
	done'

check_if GCC 'call graphs by source line, and by address with the line' '
	printf "%s\n" "long leaf(long n)" "{" "	volatile long s = n;" "	return s + s;" "}" "long start(long n)" "{" "	return leaf(n);" "}" > g.c
	gcc -g -O1 -fno-inline -nostartfiles -static -Wl,-Ttext=0x401000 -Wl,-estart "$PWD/g.c" -o g
	off=$(readelf -SW g | awk "{ sub(/^ *\\[ *[0-9]+\\]/, \"\") } \$1 == \".text\" { print \"0x\" \$4; exit }")
	leaf=$(readelf -sW g | awk "\$8 == \"leaf\" { print \"0x\" \$2 }")
	start=$(readelf -sW g | awk "\$8 == \"start\" { print \"0x\" \$2 }")
	mkdata x.data <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
	comm tid=100 comm="g" time=1
	mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=$off prot=5 flags=2 filename="$PWD/g" time=2
	mmap2 tid=100 addr=0x2000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	sample tid=100 ip=$leaf time=1000 period=4 chain=-512,$leaf,$start+1,0x2010
	sample tid=100 ip=$leaf time=1000 period=4 chain=-512,$leaf,$start+2,0x2020
	END
	"$PERF" report -i x.data --no-children -s comm -g folded,srcline > out 2> err
	test "$(grep -c "leaf g.c:[1-4];start g.c:[678];0x20[12]0\$" out)" = 2
	"$PERF" report -i x.data --no-children -s comm -g srcline,2 > out 2> err
	grep -q -- "---leaf g.c:[1-4]\$" out
	grep -q "  start g.c:[678]\$" out
	grep -q -- "--50.00%--0x2010\$" out
	fails_with 1 "$PERF" report -i x.data -g caller,branch 2> err
	says "the profile has no branch stacks" err'
check 'what reads lines and unwinds stacks may be named' '
	printf "%s\n" "event cpu-clock config=cpu-clock period=1 sample=ip|tid" "sample tid=1" | mkdata x.data
	for cmd in "report --stdio --addr2line-style=libdw" "report --stdio --addr2line-style=llvm,libdw,addr2line" \
			"report --stdio --unwind-style=libdw" "script --unwind-style=libunwind,libdw"; do
		$PERF $cmd -i x.data > out 2> err
		test ! -s err
	done
	fails_with 129 $PERF report --addr2line-style= -i x.data 2> err
'
