#!/bin/sh
# perf report: patterns of callers.
. "$(dirname "$0")/lib.sh"
need GCC

# the chain of each sample: leaf mid top main, or leaf main
gcc -x c -g -O0 -nostartfiles -static -Wl,-Ttext=0x401000 -Wl,-emain -o w - <<'END' || exit 1
void leaf(void) { }
void mid(void) { leaf(); }
void top(void) { mid(); }
int main(void) { top(); leaf(); return 0; }
END
at() { readelf -sW w | awk -v n="$1" '$8 == n { print "0x" $2 }'; }
off=$(readelf -SW w | awk '{ sub(/^ *\[ *[0-9]+\]/, "") } $1 == ".text" { print "0x" $4; exit }')
leaf=$(at leaf) mid=$(at mid) top=$(at top) main=$(at main)
mkdata x.data <<END
event cpu-clock config=cpu-clock sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=$off prot=5 flags=2 filename="$PWD/w" time=2
sample tid=100 ip=$leaf time=1000 period=3 chain=-512,$leaf,$mid+1,$top+1,$main+1
sample tid=100 ip=$leaf time=1001 period=1 chain=-512,$leaf,$main+1
END

rows() {
	"$PERF" report --stdio --no-children -i x.data "$@" 2> err | sed '/^#/d; /^$/d; s/  */ /g; s/ $//'
}
check 'rows by a caller' '
	rows -g none -p "^(mid|top)$" -s parent > got
	printf " 75.00%% mid\n 25.00%% [other]\n" | diff - got
	rows -g none -p "^(mid|top)$" -s parent -G > got
	printf " 75.00%% top\n 25.00%% [other]\n" | diff - got
	rows -g none -s parent > got
	printf " 100.00%% [other]\n" | diff - got'
check 'a caller that is asked for is a column, also where no key is' '
	rows -g none -p mid -s symbol > got
	printf " 75.00%% [.] leaf mid\n 25.00%% [.] leaf [other]\n" | diff - got
	rows -g none -p mid -F overhead,symbol -s symbol > got
	grep -q "^ 75.00% \[\.\] leaf mid$" got'
check 'only samples of such a caller, of everything' '
	rows -g none -p mid -x -s symbol > got
	printf " 75.00%% [.] leaf mid\n" | diff - got'
q="'"
check 'where there is none a warning says so' '
	rows -x -s symbol > got
	test ! -s got
	grep -qF -- "none of the 2 samples passes the filter -x --parent ${q}^sys_|^do_page_fault${q}" err
	rows -g none -p nosuch -x -s symbol --percent-limit 1 > got
	test ! -s got
	grep -q -- "--parent .nosuch." err
	rows -g none -p mid -x -s symbol --percent-limit 90 > got
	test ! -s got
	silent_about "none of the" err
	rows -g none -p mid -x -s symbol -S nosuch > got
	test ! -s got
	silent_about "none of the" err'
check 'callees are left out' '
	rows -g folded --ignore-callees "^top$" -s symbol > got
	printf " 75.00%% [.] top\n75.00%% top;main\n 25.00%% [.] leaf\n25.00%% leaf;main\n" | diff - got
	rows -g folded,caller --children --ignore-callees "^(mid|top)$" -s symbol > got
	grep -q "^ 100.00% 0.00% .* main$" got
	grep -q "^ 75.00% 75.00% .* top$" got
	not grep -q "mid" got'
check 'what cannot be is said' '
	not "$PERF" report -i x.data -p "(" > out 2> err
	grep -q -- "--parent: .(. is not a regular expression" err
	mkdata flat.data <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
	sample tid=100 ip=1 time=1000 period=3
	END
	not "$PERF" report -i flat.data --ignore-callees x > out 2> err
	grep -q "no call chains" err'
check 'threads do not matter' '
	for j in 1 2 8; do
		"$PERF" report -i x.data -p top -s parent,symbol --ignore-callees mid -j$j --chunk-size 64 > got$j 2> err
	done
	grep -q % got1
	same got1 got2
	same got1 got8'
check 'a sampled address and the same as a return address are one row and one line of a graph' '
	mkdata twin.data <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
	mmap2 tid=100 addr=0x2000 len=0x1000 prot=5 flags=2 filename="/nowhere/lib.so" time=2
	sample tid=100 ip=0x2010 time=1000 period=4 chain=-512,0x2010,0x2020
	sample tid=100 ip=0x2030 time=1001 period=4 chain=-512,0x2030,0x2010,0x2020
	END
	for key in symbol symoff; do
		"$PERF" report -i twin.data --children -s $key -g none > out
		test "$(grep -c "0x0*10$" out)" = 1
		grep -q "100.00%  *50.00%  .* 0x0*10$" out
	done
	for key in function address srcline; do
		"$PERF" report -i twin.data --no-children -s comm -g caller,$key > out
		test "$(grep -c "0x2010$" out)" = 1
	done'
