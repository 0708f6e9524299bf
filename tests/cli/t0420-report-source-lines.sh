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
	rows -s srcfile --full-source-path | finds "^ 50.00% $PWD/src/w.c$"
	rows -s sym,srcfile | finds "^ 30.00% \[\.\] start add.h$"
	"$PERF" script -i x.data -F ip,srcline | finds "^  add.h:[34]$"
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
check_if GCC 'lines and inlined functions of debug sections that are compressed with zstd' '
	test -e "$O/lib/perf/zstd.so" || skip "built without zstd"
	printf "%s\n" "static inline __attribute__((always_inline)) long add(long n)" "{" "	volatile long s = n;" "	return s + n;" "}" \
		"long start(long n)" "{" "	return add(n);" "}" > z.c
	gcc -g -O1 -nostartfiles -static -Wl,-Ttext=0x401000 -Wl,-estart -Wl,--compress-debug-sections=zstd "$PWD/z.c" -o z ||
		skip "the linker does not know zstd"
	off=$(readelf -SW z | awk "{ sub(/^ *\\[ *[0-9]+\\]/, \"\") } \$1 == \".text\" { print \"0x\" \$4; exit }")
	start=$(readelf -sW z | awk "\$8 == \"start\" { print \"0x\" \$2 }")
	mkdata x.data <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
	mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=$off prot=5 flags=2 filename="$PWD/z" time=2
	sample tid=100 ip=$start time=1000 period=5
	END
	for file in z z.debug; do	# in the program, and in a file beside it
		rows -s srcline > got
		grep "^ 100.00% z.c:[2-9]\$" got
		not $PERF probe -x z -V nosuch 2> err
		says "nosuch" err
		silent_about "no debug information" err
		objcopy --only-keep-debug z z.debug
		objcopy --strip-all --add-gnu-debuglink=z.debug z
	done'
check_if GCC,PLAIN 'a small limit of the stack bounds neither lines nor variables, in all threads' '
	printf "%s\n" "volatile unsigned sink;" "__attribute__((noinline)) void turn(unsigned n)" "{" \
		"	for (unsigned i = 0; i < n; i++)" "		sink += i;" "}" "int main(void)" "{" \
		"	for (int i = 0; i < 100; i++)" "		turn(100000);" "}" > turn.c
	gcc -O1 -g -o turn turn.c
	$PERF record -q -e cpu-clock:u -F 2000 -o turn.data ./turn > log 2>&1
	for cmd in "report --stdio -j 1 -s sym,srcline -i turn.data" "report --stdio -j 8 -s sym,srcline -i turn.data" \
			"annotate --stdio -i turn.data turn" "script -F ip,sym,srcline -i turn.data"; do
		$PERF $cmd > want 2> err
		says "turn" want
		(ulimit -s 128; exec $PERF $cmd) > got 2> err
		same want got
	done
	$PERF probe -x turn -V turn > want
	(ulimit -s 128; exec $PERF probe -x turn -V turn) > got
	same want got
	(ulimit -s 128; $PERF record -q -e cpu-clock:u -o limit.data -- sh -c "ulimit -s") > out
	grep -x 128 out'
check 'what reads lines and unwinds stacks may be named' '
	printf "%s\n" "event cpu-clock config=cpu-clock period=1 sample=ip|tid" "sample tid=1" | mkdata x.data
	for cmd in "report --stdio --addr2line-style=libdw" "report --stdio --addr2line-style=llvm,libdw,addr2line" \
			"report --stdio --unwind-style=libdw" "script --unwind-style=libunwind,libdw"; do
		$PERF $cmd -i x.data > out 2> err
		test ! -s err
	done
	fails_with 129 $PERF report --addr2line-style= -i x.data 2> err
'
