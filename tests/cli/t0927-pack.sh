#!/bin/sh
# perf pack: one file with the symbols and lines that reports of it need.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/jitdump-lib.sh"

# elsewhere COMMAND ARGS...: perf on a machine that has none of the files
elsewhere() {
	mkdir -p none
	HOME=/nonexistent "$PERF" --buildid-dir "$PWD/none" "$@" --symfs "$PWD/none"
}
# same_rows FILE PACKED: what is shown of both is the same, but for names of the file, and why stacks end
same_rows() {
	for args in "report --no-children -g caller" "report -s sym,srcline" "report --no-demangle -g none" \
			"script -F comm,tid,time,ip,sym,symoff,dso,srcline" script; do
		$PERF $args -i "$1" 2> err | sed "/^# stacks:/d" > want
		test -s want
		elsewhere $args -i "$2" 2> err | sed "/^# stacks:/d" > got
		same want got
	done
}
# survives_report FILE TEXT: it is shown, and a warning says that
survives_report() {
	$PERF report -i "$1" > out 2> err
	grep -q "unknown" out
	says "packed symbols are not used" err
	says "$2" err
}
# a program whose function start has an inlined copy of add(), in a C++ name space, and plain()
made_program() {
	mkdir -p src
	printf "%s\n" "static inline __attribute__((always_inline)) long add(long n)" "{" "	volatile long s = n;" "	return s + n;" "}" > src/add.h
	printf "%s\n" "#include \"add.h\"" "long _ZN1a5plainEl(long n)" "{" "	volatile long s = n;" "	return s;" "}" \
		"long start(long n)" "{" "	return add(n);" "}" > src/w.c
	gcc -g -O1 -nostartfiles -static -Wl,--build-id=sha1 -Wl,-Ttext=0x401000 -Wl,-estart "$PWD/src/w.c" -o w
	off=$(readelf -SW w | awk "{ sub(/^ *\\[ *[0-9]+\\]/, \"\") } \$1 == \".text\" { print \"0x\" \$4; exit }")
	plain=$(readelf -sW w | awk "\$8 == \"_ZN1a5plainEl\" { print \"0x\" \$2 }")
	start=$(readelf -sW w | awk "\$8 == \"start\" { print \"0x\" \$2 }")
	cat > w.mk <<-END
	feature arch str:"$(uname -m)"
	feature event_desc
	event cpu-clock config=cpu-clock sample=ip|tid|time|period|callchain|addr flags=sample_id_all|comm|mmap2
	comm tid=100 comm="w" time=1
	mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=$off prot=5 flags=2 maj=$(stat -c %Hd w) min=$(stat -c %Ld w) ino=$(stat -c %i w) filename="$PWD/w" time=2
	mmap2 tid=100 addr=0x7000 len=0x1000 pgoff=0x3000 prot=5 flags=2 filename="/nowhere/lib.so" time=2
	sample tid=100 ip=$plain time=1000 period=5 addr=$plain+1 chain=-512,$plain,$start+6,0x7010
	sample tid=100 ip=$start+4 time=1001 period=3 chain=-512,$start+4
	sample tid=100 ip=0x7010 time=1002 period=1 chain=-512,0x7010
	sample tid=100 ip=0x8010 time=1002 period=1 chain=-512
	END
	mkdata w.data < w.mk
}

check_if GCC 'names, lines and inlined functions are there when the program is gone' '
	made_program
	$PERF pack -i w.data -o w.pack
	same_rows w.data w.pack
	grep -q "add.h:[34]" want || elsewhere report -s srcline -i w.pack | finds "add.h:[34]"
	elsewhere report -g none -i w.pack 2> err | finds "a::plain(long)"
	$PERF buildid-list -i w.pack > got
	test "$(cat got)" = "$($PERF buildid-list -i w) $PWD/w"'
check_if GCC 'what is missing is said as on the first machine' '
	made_program
	$PERF pack -i w.data -o w.pack
	$PERF report -g none -i w.data > got 2> want
	elsewhere report -g none -i w.pack > got 2> err
	says "/nowhere/lib.so" err
	same want err'
check_if GCC 'a pack is packed again, and copied with its symbols, but not in the pipe format' '
	made_program
	$PERF pack -i w.data -o w.pack
	elsewhere pack -i w.pack -o again.pack
	same_rows w.data again.pack
	$PERF inject -i w.pack -o copy.pack
	same_rows w.data copy.pack
	$PERF inject -i w.pack > pipe 2> err
	says "packed symbols are left out of a pipe" err
	$PERF pack -i - -o piped.pack < w.data
	same_rows w.data piped.pack'
check_if GCC 'a pack goes through pipes' '
	made_program
	$PERF pack -i w.data -o w.pack
	$PERF pack -i - -o - < w.data > out.pack
	same_rows w.data out.pack
	mkfifo fifo
	$PERF pack -i w.data -o fifo &
	cat < fifo > fifo.pack
	wait $!
	same_rows w.data fifo.pack
	fails_with 1 $PERF pack -i w.data -o - > /dev/full 2> err
	says "cannot write to standard output: No space left" err'
check_if GCC 'another build of the program is not what was packed' '
	made_program
	$PERF pack -i w.data -o w.pack
	$PERF inject -b --known-build-ids "0102030405060708090a0b0c0d0e0f1011121314 $PWD/w" -i w.pack -o other.pack
	elsewhere report -s sym -g none -i other.pack > got 2> err
	not grep -q plain got'
check 'kernel symbols, of tracepoint fields too' '
	printf "%s\n" "ffffffff81000000 T _text" "ffffffff81000100 T first" "ffffffff81000200 T second" "ffffffff81000300 T third" "ffffffff81000400 T _etext" > kallsyms
	cat > k.mk <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
	event raw type=raw config=1 sample=ip|tid|time|raw
	mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text" misc=kernel
	sample tid=100 ip=0xffffffff81000110 time=1000 misc=kernel chain=-128,0xffffffff81000110,0xffffffff81000210
	END
	sed -i "/event raw/d" k.mk
	mkdata k.data < k.mk
	$PERF pack --kallsyms kallsyms -i k.data -o k.pack
	$PERF script -F ip,sym,symoff --kallsyms kallsyms -i k.data > want
	grep -q first+0x10 want
	elsewhere script -F ip,sym,symoff -i k.pack | same want -
	not grep -q -a third k.pack'
check 'functions of a jitdump file, by time, without the file' '
	mkdir -p jit
	{ jit_header 9; jit_load 9 2000 0x7000 1 first aaaaaaaa
	  jit_load 9 4000 0x7000 2 second bbbbbbbb; jit_move 9 6000 0x7000 0x9000 8 2; } > jit/jit-9.dump
	{ echo "event cpu-clock config=cpu-clock sample=ip|tid|time|identifier flags=sample_id_all|mmap2|comm|use_clockid clockid=1 ids=7"
	  echo "feature event_desc"
	  echo "comm tid=1009 comm=js time=1"
	  echo "mmap2 tid=1009 addr=0xf0000 len=0x1000 prot=5 flags=2 filename=\"$PWD/jit/jit-9.dump\" time=2000"
	  echo "sample tid=1009 ip=0x7002 time=3000"
	  echo "sample tid=1009 ip=0x7002 time=5000"
	  echo "sample tid=1009 ip=0x9003 time=7000"; } | mkdata jit.data
	$PERF script -i jit.data -F time,ip,sym,symoff,dso > want
	test "$(grep -c second want)" = 2
	$PERF pack -i jit.data -o jit.pack
	$PERF script -i jit.pack -F time,ip,sym,symoff,dso | same want -
	rm -r jit
	elsewhere script -i jit.pack -F time,ip,sym,symoff,dso | same want -
	elsewhere pack -i jit.pack -o again.pack
	elsewhere script -i again.pack -F time,ip,sym,symoff,dso | same want -
	$PERF script -D -i jit.pack > dump
	test "$(grep -c "RECORD_MMAP2" dump)" = 4'
# redacted.mk: two programs below secret directories, a library, a control group
secrets() {
	cat <<-END
	feature hostname str:"secrethost"
	feature cmdline u32:2 str:"/opt/secretdir/perf" str:"secretarg"
	feature event_desc
	event cpu-clock config=cpu-clock sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
	comm tid=100 comm="secretcomm" time=1
	comm tid=200 comm="secretcomm" time=1
	comm tid=300 comm="other" time=1
	cgroup id=5 path="/secretdir/secretgroup" time=1
	thread_map nr=1 u64:7 text:"secretcomm" u8:0,0,0,0,0,0
	bpf_metadata program="secretprog" nr=0
	schedstat_domain timestamp=1 cpu=0 version=15 domain=0 u32:$(seq -s, 36)
	build_id misc=0x8002 pid=-1 id_size=20 id=$ID filename=/srv/secretdir/secretfile
	mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text" misc=kernel
	mmap pid=-1 tid=0 addr=0xffffffffa0000000 len=0x1000 filename="/srv/secretdir/driver.ko" misc=kernel
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/srv/secretdir/secretfile" time=2
	mmap tid=200 addr=0x1000 len=0x1000 filename="/srv/secretdir/secretfile" time=2
	mmap tid=300 addr=0x1000 len=0x1000 filename="/srv/secretdir/x/secretfile" time=2
	mmap2 tid=100 addr=0x5000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	sample tid=100 ip=0x1010 time=1000 chain=-512,0x1010
	sample tid=200 ip=0x1020 time=1001 chain=-512,0x1020
	sample tid=300 ip=0x1020 time=1002 chain=-512,0x1020
	sample tid=100 ip=0x5020 time=1003 chain=-512,0x5020
	sample tid=100 ip=0xffffffffa0000010 time=1004 misc=kernel chain=-128,0xffffffffa0000010
	END
}
check 'names are replaced everywhere, equal ones by equal ones' '
	ID=0102030405060708090a0b0c0d0e0f1011121314
	secrets | mkdata s.data
	$PERF pack --redact -i s.data -o s.pack 2> err
	says "--redact left out, because they may contain names: 1" err
	not grep -q -a secret s.pack
	$PERF script -D -i s.pack > dump
	grep -B4 "PERF_RECORD_THREAD_MAP" dump > map
	says "63 6f 6d 6d 31 00" map
	says "PERF_RECORD_SCHEDSTAT_DOMAIN" dump
	rows() { $PERF report -i $1 -s comm,dso,sym -g none 2> err | grep "%" | sort; }
	rows s.data | wc -l > want
	rows s.pack | wc -l | same want -
	$PERF script -i s.pack -F comm,tid,ip,dso 2> err | tr -s "\n\t " " " > got
	says "comm1 100 1010 (/dir1/file1) comm1 200 1020 (/dir1/file1) comm2 300 1020 (/dir2/file1)" got
	says "[driver]" got
	$PERF report --header-only -i s.pack > got
	says "hostname : host" got
	says "cmdline : perf" got
	$PERF buildid-list -i s.pack > got
	test "$(cat got)" = "$ID /dir1/file1"
	$PERF script -i s.pack --show-mmap-events --show-task-events --show-cgroup-events > got 2> err
	says "/cgroup1" got
	for f in s.data s.pack; do $PERF script -i $f -F tid,time,ip > ${f#s.}.txt; done
	same data.txt pack.txt'
check 'some of the names alone' '
	ID=0102030405060708090a0b0c0d0e0f1011121314
	secrets | mkdata s.data
	words() { # LIST: the distinct words with "secret" in the copy
		$PERF pack --redact=$1 -i s.data -o s.pack 2> err
		grep -a -o "secret[a-z]*" s.pack | sort -u | tr "\n" " "
	}
	test "$(words dirs)" = "secretarg secretcomm secretdir secretfile secrethost "
	test "$(words dirs,args)" = "secretcomm secretfile "
	test "$(words dirs,args,files)" = "secretcomm "
	test "$(words comms,args)" = "secretdir secretfile secretgroup "
	fails_with 129 $PERF pack --redact=names -i s.data -o no.pack 2> err
	says "is not one of dirs, files, comms, args" err'
check 'what may hold names of any kind is refused' '
	for e in "sample=ip|tid|raw" "sample=ip|tid|stack_user stack_user=16"; do
		printf "event a config=cpu-clock $e\nsample tid=1\n" | mkdata n.data
		fails_with 1 $PERF pack --redact -i n.data -o no.pack 2> err
		says "redact: samples of" err
	done
	printf "event a config=cpu-clock sample=ip|tid\nauxtrace_info auxtrace_type=1 priv=1\n" | mkdata n.data
	fails_with 1 $PERF pack --redact -i n.data -o no.pack 2> err
	says "hardware trace" err
	test ! -e no.pack'
check_if GCC 'names of source files, too' '
	made_program
	$PERF pack --redact -i w.data -o w.pack
	not grep -q -a -e "w[.]c" -e "add[.]h" -e "$PWD" -e "src" w.pack
	elsewhere report -s sym,srcline --full-source-path -g none -i w.pack > got 2> err
	grep -q "plain.* /dir[0-9]*/file[0-9]*:[34]" got
	test "$(elsewhere report -s sym -i w.pack 2> err | grep -c "%")" = "$($PERF report -s sym -i w.data 2> err | grep -c "%")"'
check_if EVENTS 'stacks of a recording become chains; other sizes than the stacks stay small' '
	cp "$PERF" ./program
	cp -r "$(dirname "$PERF")/build/plugins" . 2> log || true
	$PERF record -q -e cpu-clock:u -F 4000 --call-graph dwarf,16384 -o r.data ./program test -w callchain 0.3 > log 2>&1
	$PERF pack -i r.data -o r.pack
	test "$(($(stat -c %s r.pack) * 10))" -lt "$(($(stat -c %s r.data) + 10 * 65536))"
	same_rows r.data r.pack
	grep -q walk_tree want'
check 'damaged symbols, or those of a later perf, are not used' '
	printf "event cpu-clock config=cpu-clock sample=ip|tid\nsample tid=1 ip=0x10\n" > d.mk
	for body in "u32:1,1 u8:0,1" "u32:1,0" "u32:1,2 text:\"ab\"" "u32:1,1 u8:0,255,255,255,255,15"; do
		{ cat d.mk; echo "feature 200 $body"; } | mkdata d.data
		survives_report d.data "they are damaged"
	done
	{ cat d.mk; echo "feature 200 u32:2,1 u8:0,0"; } | mkdata d.data
	survives_report d.data "of a later version of perf pack"
	{ cat d.mk; echo "feature 200 u32:1,1 u8:0,0"; } | mkdata d.data
	$PERF report -i d.data > out 2> err
	test ! -s err'
check 'files of the other byte order are refused, and arguments' '
	{ echo "order big"; cat d.mk; } | mkdata big.data
	fails_with 1 $PERF pack -i big.data -o no.pack 2> err
	says "other byte order" err
	fails_with 129 $PERF pack -o no.pack d.data w.data 2> err
	says "unexpected argument '\''w.data'\''" err
	fails_with 129 $PERF pack -i w.data -o no.pack d.data 2> err
	says "unexpected argument '\''d.data'\''" err
	test ! -e no.pack'
check 'the file needs no option' '
	$PERF pack -i d.data -o want.pack
	$PERF pack -o got.pack d.data
	cmp want.pack got.pack'
