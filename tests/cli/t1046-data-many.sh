#!/bin/sh
# perf data convert: many inputs, of which the same programs are read once
. "$(dirname "$0")/lib.sh"
need GCC

cat > w.c <<-END
	static inline __attribute__((always_inline)) long work(long n) { volatile long s = 0; while (n--) s += n; return s; }
	__attribute__((noinline)) long outer(long n) { return work(n); }
	__attribute__((noinline)) long other(long n) { return work(n) + 1; }
	int main(int argc, char **argv) { return outer(argc + argv[0][0]) + other(argc); }
END
# build FILE OPTION...: the program, with a build-id
build() {
	out=$1
	shift
	gcc -g -O2 -nostartfiles -static -Wl,-Ttext=0x401000 -Wl,-eouter -Wl,--build-id=sha1 "$@" w.c -o "$out"
}
build w 2> err || { cat err; exit 1; }
at=0x$(readelf -sW w | awk '$8 == "outer" { print $2 }')
other=0x$(readelf -sW w | awk '$8 == "other" { print $2 }')
off=$(readelf -SW w | awk '{ sub(/^ *\[ *[0-9]+\]/, "") } $1 == ".text" { print "0x" $4; exit }')
# recording FILE ADDRESS: a sample in w as it is now
recording() {
	id=$(readelf -nW w | awk '/Build ID/ { print $NF }')
	mkdata "$1" <<-END
		event cpu-clock config=cpu-clock sample=ip|tid|time|period|callchain flags=sample_id_all|mmap2|comm
		comm tid=100 comm="w" time=1
		mmap2-buildid tid=100 addr=0x401000 len=0x1000 pgoff=$off id=$id prot=5 flags=2 filename="$PWD/w"
		sample tid=100 time=1000 ip=$2 chain=-512,$2 period=1
	END
}
recording a.data "$at" && recording b.data "$other" && recording c.data "$at+1" || exit 1
convert() { $PERF data convert "$@"; }

check 'inlined functions and lines are those of single files, whatever was asked of the program before' '
	convert --to folded a.data > out
	says ";outer;work (inlined) 1" out
	for by in function line address; do
		for f in a b c a; do
			convert --to folded --by $by $f.data
		done | sort | uniq > want
		test -s want
		sed "s/ [0-9]*\$//" want > stacks
		for j in 1 2; do
			convert --to folded -j $j --by $by a.data b.data c.data a.data > got
			sed "s/ [0-9]*\$//" got | sort | same stacks -
			awk "{ n += \$NF } END { print n }" got | finds -x 4
		done
	done'
check 'a program is read once' '
	convert -v --to folded a.data b.data c.data a.data > out 2> err
	says "symbols: 1 files read, 3 times reused" err
	convert -v --force --to rows -o rows a.data b.data c.data 2> err
	says "symbols: 1 files read, 2 times reused" err'
check 'a program that was built anew between two recordings is not taken for the other one' '
	mkdir -p builds
	mv w builds/old
	build w -DN=1 -Dwork=renamed
	recording d.data "$at"
	convert --to folded a.data d.data a.data > out
	says ";outer;renamed (inlined) 1" out
	says ";[w] 2" out
	silent_about "work" out'
