#!/bin/sh
# Functions, inlined functions and source lines of every address, as addr2line and llvm-symbolizer show them:
# programs of several kinds and compilers; separate, split, packed and compressed debug information.
. "$(dirname "$0")/../cli/lib.sh"
need GCC
command -v addr2line > found || skip_all 'no addr2line'
have_GXX() { command -v g++ > found || { echo 'no g++'; return 1; }; }
have_CLANG() { command -v clang++ > found && command -v llvm-symbolizer > found || { echo 'no clang++ or no llvm-symbolizer'; return 1; }; }
have_DWP() { command -v dwp > found || { echo 'no dwp'; return 1; }; }
have_LLVM_DWP() { command -v llvm-dwp > found || { echo 'no llvm-dwp'; return 1; }; }

mkdir sub
cat > sub/list.h <<-END
	#include <cstddef>
	struct node { node *next; long value; int pad[6]; };
	namespace ns {
	static inline __attribute__((always_inline)) long leaf(const node *n, long s)
	{
		for (int i = 0; i < 20; i++)
			s += n->value * i ^ s >> 3;
		return s;
	}
	struct list {
		node *first;
		template <typename F> inline __attribute__((always_inline)) void each(F f) const
		{
			for (const node *n = first; n; n = n->next)
				f(n);
		}
		long sum() const;
		long count(int min) const;
	};
	}
END
cat > one.cc <<-END
	#include "sub/list.h"
	namespace ns {
	__attribute__((noinline)) long list::sum() const
	{
		long s = 0;

		each([&s](const node *n) __attribute__((always_inline)) {
			s = leaf(n, s);
			if (s & 1)
				s += leaf(n->next ? n->next : n, s);
		});
		return s;
	}
	}
END
cat > two.cc <<-END
	#include "sub/list.h"
	static node nodes[1000];
	static inline __attribute__((always_inline)) void fill(int k)
	{
		for (int i = 0; i < 1000; i++) {
			nodes[i].value = i * k;
			nodes[i].next = i < 999 ? &nodes[i + 1] : NULL;
		}
	}
	namespace ns {
	__attribute__((noinline)) long list::count(int min) const
	{
		long nr = 0;

		each([&nr, min](const node *n) __attribute__((always_inline)) { nr += n->pad[2] >= min; });
		return nr;
	}
	}
	extern "C" RUN void run(int argc)
	{
		ns::list l = { nodes };

		fill(argc);
		nodes[0].pad[3] = l.sum() + l.count(argc);
	}
	extern "C" void _start() { run(1); __builtin_trap(); }
END
FLAGS='-O2 -nostdlib -nostartfiles -fno-exceptions -fno-asynchronous-unwind-tables -fcf-protection=none -DRUN='
# functions FILE: their addresses and sizes, and where the file has them
functions() { nm -S --defined-only "$1" | awk '$3 ~ /[tT]/ && $4 ~ /sum|count|run/ { print $1, $2 }'; }
# recorded PROGRAM [FILE]: x.data, with a sample at each byte of its functions (of FILE, if it has no symbols)
recorded() {
	functions "${2:-$1}" > ranges
	test "$(wc -l < ranges)" = 3
	readelf -lW "$1" | awk '$1 == "LOAD" && / R E / { print $2, $3, $6 }' > text
	read -r off addr size < text
	{ cat <<-END
		event cpu-clock config=cpu-clock sample=ip|tid|time|period|callchain flags=sample_id_all|mmap2|comm
		comm tid=100 comm="w" time=1
		mmap2 tid=100 addr=0x10000000+$addr len=$size pgoff=$off prot=5 filename="$PWD/$1" time=2
	END
	while read -r start size; do
		echo "repeat 0x$size"
		echo "sample tid=100 ip=0x10000000+0x$start+\$i time=1000 chain=-512,0x10000000+0x$start+\$i period=1"
		echo end
	done < ranges; } | mkdata x.data
}
# "FUNCTION FILE:LINE" for each function of each address, the innermost first
of_perf() {
	"$PERF" script -i x.data -F ip,sym,srcline --full-source-path 2> err |
		awk 'NF == 0 { next } $1 ~ /^[0-9a-f]+$/ && NF >= 2 && $2 !~ /^\(inl/ && !/^  [^ ]/ { sub(/^[ \t]*[0-9a-f]+ /, ""); name = $0; next }
			{ sub(/^ */, ""); sub(/ \(inlined\)$/, ""); print name " " $0 }' | sed 's/ (inlined)//'
}
addresses() {
	while read -r start size; do
		for i in $(seq 0 $((0x$size - 1))); do printf '%x\n' $((0x$start + i)); done
	done < ranges
}
# addr2line may take the name of the innermost function from the symbol around it: names are those of
# llvm-symbolizer, or not compared
of_addr2line() { addresses | addr2line -i -f -C -e "$1" | sed 's/ (discriminator.*//' | paste -d ' ' - -; }
of_llvm() {
	addresses | sed 's/^/0x/' | llvm-symbolizer -e "$1" | awk 'NF == 0 { at = 0; next } at++ % 2 == 0 { name = $0; next }
		{ sub(/:[0-9]*$/, ""); print name " " $0 }'
}
# same_lines PROGRAM PLAIN [only]: perf about PROGRAM, and others about PLAIN, the same code with all in one
# file. only: llvm-symbolizer, because addr2line 2.40 leaves out inlined functions of clang++
same_lines() {
	recorded "$1" "$2"
	of_perf > got
	test "$(wc -l < got)" -gt 200
	says "ns::list::sum() const $PWD/one.cc:7" got
	grep -q "leaf.*/sub/list.h:7$" got
	if test -z "${3:-}"; then
		of_addr2line "$2" | sed "s/.* //" > want
		sed "s/.* //" got > got.lines
		same want got.lines
		command -v llvm-symbolizer > found || return 0
	fi
	of_llvm "$2" > want
	same want got
}

check_if GXX 'C++ with -O2 -g, of DWARF 4 and 5' '
	for v in 4 5; do
		g++ -gdwarf-$v $FLAGS one.cc two.cc -o plain
		same_lines plain plain
	done'
check_if GXX 'DWARF 2, which knows only one range of code per unit, with a function elsewhere' '
	g++ -gdwarf-2 -gstrict-dwarf $FLAGS"__attribute__((cold))" one.cc two.cc -o plain
	recorded plain
	of_perf > got
	grep -q "^run $PWD/two.cc:[0-9]" got
	grep -q "^fill $PWD/two.cc:[4567]" got
	not grep "???" got'
check_if CLANG 'C++ of clang++, which makes no .debug_aranges' '
	for v in 4 5; do
		clang++ -gdwarf-$v $FLAGS one.cc two.cc -o plain
		same_lines plain plain only
	done'
check_if GXX 'a static PIE' '
	g++ -g $FLAGS -fPIE -static-pie one.cc two.cc -o plain
	same_lines plain plain'
check_if GXX 'compressed debug information' '
	g++ -g $FLAGS one.cc two.cc -o plain
	objcopy --compress-debug-sections plain packed
	readelf -SW packed > sections
	grep -q "\.debug_info.* C " sections
	same_lines packed plain'
check_if GXX 'a stripped program whose debug information is in a file beside it' '
	g++ -g $FLAGS one.cc two.cc -Wl,--build-id -o plain
	objcopy --only-keep-debug plain bare.debug
	objcopy --strip-all --add-gnu-debuglink=bare.debug plain bare
	not grep -q one.cc bare
	same_lines bare plain'

# split COMPILER VERSION: a program whose .dwo files are in the directory, and plain, from the same code
split() {
	rm -f split ./*.dwo ./*.dwp
	$1 -gdwarf-$2 $FLAGS one.cc two.cc -o plain
	$1 -gdwarf-$2 $FLAGS -gsplit-dwarf one.cc two.cc -o split
}
check_if GXX 'split debug information in .dwo files' '
	for v in 4 5; do
		split g++ $v
		same_lines split plain
	done'
check_if GXX,DWP 'split debug information in a package of dwp' '
	split g++ 4
	dwp -e split -o split.dwp
	rm ./*.dwo
	same_lines split plain'
check_if CLANG,LLVM_DWP 'split debug information in a package of llvm-dwp, of DWARF 4 and 5' '
	for v in 4 5; do
		split clang++ $v
		llvm-dwp -e split -o split.dwp
		rm ./*.dwo
		same_lines split plain only
	done'
check_if GXX,DWP 'the package is also found beside the program if its debug information is in another file' '
	split g++ 4
	dwp -e split -o bare.dwp
	rm ./*.dwo
	objcopy --only-keep-debug split away.debug
	objcopy --strip-all --add-gnu-debuglink=away.debug split bare
	mkdir -p .debug
	mv away.debug .debug
	same_lines bare plain'
check_if GXX,DWP 'a package of another build is not used, a damaged one does no harm' '
	split g++ 4
	dwp -e split -o whole.dwp
	recorded split split
	rm ./*.dwo
	g++ -gdwarf-4 $FLAGS -O1 -gsplit-dwarf one.cc two.cc -o other
	dwp -e other -o split.dwp
	rm ./*.dwo
	of_perf > got
	says "ns::list::sum() const $PWD/sub/list.h:7" got
	not grep -q "^leaf\|each" got
	for cut in 64 200 1000 3000; do
		head -c $cut whole.dwp > split.dwp
		of_perf > again
		same got again
	done'
