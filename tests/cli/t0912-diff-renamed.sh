#!/bin/sh
# perf diff: programs and libraries that have another name in each recording.
. "$(dirname "$0")/lib.sh"

# profile PROGRAM LIBRARY TID N: N samples of the program; 10 of the library, libc and code without a file
profile() {
	cat <<-END
	event cpu-clock config=cpu-clock period=1 sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
	comm tid=$3 comm="perf-exec" time=1
	mmap2 tid=$3 addr=0x300000 len=0x1000 prot=5 filename="/bin/perf" time=2
	comm tid=$3 comm="$(echo "${1##*/}" | cut -c 1-15)" time=3 misc=0x2000
	mmap2 tid=$3 addr=0x400000 len=0x1000 prot=5 filename="$1" time=4
	mmap2 tid=$3 addr=0x500000 len=0x1000 prot=5 filename="/lib/$2" time=5
	mmap2 tid=$3 addr=0x600000 len=0x1000 prot=5 filename="/lib/libc.so.6" time=6
	mmap2 tid=$3 addr=0x700000 len=0x1000 prot=5 filename="//anon" time=7
	repeat $4
	sample tid=$3 ip=0x400110 chain=-512,0x400110 time=10 period=1
	end
	repeat 10
	sample tid=$3 ip=0x500110 chain=-512,0x500110,0x400110 time=11 period=1
	sample tid=$3 ip=0x600110 chain=-512,0x600110,0x400110 time=12 period=1
	sample tid=$3 ip=0x700110 chain=-512,0x700110,0x400110 time=13 period=1
	end
	END
}
# other PROGRAM TID N: N samples of one more process
other() {
	cat <<-END
	comm tid=$2 comm="${1##*/}" time=103 misc=0x2000
	mmap2 tid=$2 addr=0x400000 len=0x1000 prot=5 filename="$1" time=104
	repeat $3
	sample tid=$2 ip=0x400110 chain=-512,0x400110 time=110 period=1
	end
	END
}
export PERF_FS_ROOT="$PWD"
profile /tmp/old-with-a-long-name libz.so.1.2.11 7 30 | mkdata old.data || exit 1
profile /tmp/new libz.so.1.3 8 10 | mkdata new.data || exit 1

rows() {
	grep -v -e '^#' -e '^$' "$@" | sed 's/  */ /g; s/^ //; s/ $//'
}

check 'the programs that were measured, versions of a library, and code of processes are one each' '
	$PERF diff -s comm,dso old.data new.data > out 2> err
	rows out > shown
	same - shown <<-END
	50.00% -25.00% old-with-a-long => new old-with-a-long-name => new
	16.67% +8.33% old-with-a-long => new [JIT]
	16.67% +8.33% old-with-a-long => new libc.so.6
	16.67% +8.33% old-with-a-long => new libz.so.1.2.11 => libz.so.1.3
	END
	same - err <<-END
	'\''old-with-a-long-name'\'' and '\''new'\'' are compared as one program, as each recording has only one of them
	'\''libz.so.1.2.11'\'' and '\''libz.so.1.3'\'' are compared as one library, as each recording has only one of them
	END
	$PERF diff -q -s comm old.data new.data > out 2> err
	test ! -s err
	says "+0.00%  old-with-a-long => new" out'
check 'runs of two programs' '
	$PERF diff -s comm,dso --runs old.data,old.data:new.data,new.data > out 2> err
	rows out > shown
	test "$(wc -l < shown)" = 4
	says "50.00% 25.00% -25.00% +-0.00% * old-with-a-long => new old-with-a-long-name => new" shown'
check 'a third name' '
	profile /tmp/newest libz.so.1.3 9 40 | mkdata newest.data
	$PERF diff -q -s dso old.data new.data newest.data > out
	rows out > shown
	says "50.00% -25.00% +7.14% old-with-a-long-name => new => newest" shown
	test "$(wc -l < shown)" = 4'
check 'call stacks' '
	$PERF diff --folded old.data new.data > out 2> err
	says "old-with-a-long => new;[old-with-a-long-name => new] 30 10" out
	says ";[libz.so.1.2.11 => libz.so.1.3] 10 10" out
	says "are compared as one program" err
	test "$(wc -l < out)" = 4
	$PERF diff --folded -s comm,dso old.data new.data > out 2> err
	says "old-with-a-long => new;libz.so.1.2.11 => libz.so.1.3;" out'
check 'what both recordings have keeps its name, and a program of few samples is not the one that was measured' '
	{ profile /tmp/old libz.so.1 7 30; other /tmp/new 8 20; } | mkdata both.data
	$PERF diff -s dso both.data new.data > out 2> err
	silent_about "one program" err
	silent_about "old =>" out
	{ profile /bin/tool libz.so.1 7 100; other /bin/cat 8 5; } | mkdata a.data
	{ profile /bin/tool libz.so.1 7 100; other /bin/dog 9 5; } | mkdata b.data
	$PERF diff -s dso a.data b.data > out 2> err
	silent_about "one program" err
	rows out > shown
	test "$(wc -l < shown)" = 6'
check 'two libraries of one name and other versions in one recording stay apart' '
	{ profile /tmp/x libz.so.1 7 10; } | sed "s|/lib/libc.so.6|/lib/libz.so.2|" | mkdata two.data
	{ profile /tmp/x libz.so.3 7 10; } | mkdata three.data
	$PERF diff -s dso two.data three.data > out 2> err
	silent_about "one library" err
	silent_about "=>" out'
