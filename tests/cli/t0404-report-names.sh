#!/bin/sh
# report and long names: they are folded on request, and do not make every line long
. "$(dirname "$0")/lib.sh"

long="std::map<$(printf "std::vector<%s>, " 1 2 3 4 5 6 7 8 9)int>::f(std::map<int, int>)"	# 175 characters

cat > x.mk <<'END'
event cpu-clock config=cpu-clock sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
comm tid=100 comm="app" time=1
mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
sample tid=100 ip=0x1200 period=3 time=3
sample tid=100 ip=0x1300 period=1 time=4
END
mkdata x.data < x.mk
mkdir -p fs/tmp
printf '1200 10 %s\n1300 10 %s\n' "$long" tiny > fs/tmp/perf-100.map

report() {
	PERF_FS_ROOT=$PWD/fs "$PERF" report --stdio -i x.data "$@"
}

check 'columns in files have a limit, longer names stand out of them whole' '
	report > got
	grep -qF "[.] $long" got
	test "$(grep "^# Overhead" got | wc -c)" -lt 170
	report -H > got
	grep -qF "[.] $long" got
	test "$(grep "^# \\.\\.\\." got | wc -c)" -lt 170
	report --full-names > got
	test "$(grep "^# Overhead" got | wc -c)" -gt 190'

check 'separated values and JSON have whole names' '
	report -t, -s sym | finds -F "$(echo "$long" | tr , .)"
	report --json -s sym | finds -F "$long"'

check 'short names of files that JIT compilers write, but for those that are no lists of arguments' '
	report -s sym --name-style=short > got
	grep -q "75.00%  \[\.\] std::map<\.\.\.>::f(\.\.\.) *$" got
	printf "1200 10 py::<module>:/x/y.py\n1300 10 void A::<init>(int, int)\n" > fs/tmp/perf-100.map.new
	mv fs/tmp/perf-100.map fs/tmp/kept; mv fs/tmp/perf-100.map.new fs/tmp/perf-100.map
	report -s sym --name-style=short > got
	mv fs/tmp/kept fs/tmp/perf-100.map
	grep -q "\[\.\] py::<module>:/x/y.py *$" got
	grep -q "\[\.\] A::<init>(\.\.\.) *$" got'

check_if TUI 'columns on a terminal fit its lines, whatever the number of columns' '
	for columns in 80 61; do
		printf "size 20 %s\nwait tiny\nscreen\n" $columns > steps
		PERF_PAGER=cat PERF_FS_ROOT=$PWD/fs tui "$PERF" report --stdio -i x.data -H < steps > got
		printf "size 20 %s\nwait tiny\nscreen\n" $columns > steps
		PERF_PAGER=cat PERF_FS_ROOT=$PWD/fs tui "$PERF" report --stdio -i x.data < steps > flat
		grep -q "75.00%.*std::map<std::vector<.*\\.\\.\\.$" got
		grep -q "75.00%.*app.*std::map<std.*\\.\\.\\.$" flat
	done'

check_if GCC 'short names have no arguments of templates, parameters and types of results' '
	cat > w.s <<-END
	.globl _Z5applyIiESt6vectorIT_ES2_
	.type _Z5applyIiESt6vectorIT_ES2_, @function
	_Z5applyIiESt6vectorIT_ES2_: ret
	.size _Z5applyIiESt6vectorIT_ES2_, 1
	END
	gcc -nostdlib -static -Wl,-Ttext=0x401000 -Wl,-e0x401000 w.s -o w
	off=$(readelf -SW w | awk "{ sub(/^ *\\[ *[0-9]+\\]/, \"\") } \$1 == \".text\" { print \"0x\" \$4; exit }")
	mkdata y.data <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
	mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=$off prot=5 flags=2 filename="$PWD/w" time=2
	sample tid=100 ip=0x401000 time=3
	END
	"$PERF" report --stdio -i y.data -s sym --name-style=short | finds "\\[\\.\\] apply<\\.\\.\\.>(\\.\\.\\.) *$"
	"$PERF" report --stdio -i y.data -s sym --name-style=full | finds "std::vector<int> apply<int>(std::vector<int>)"
	"$PERF" script -i y.data -F ip,sym --name-style=short | finds "401000 apply<\\.\\.\\.>(\\.\\.\\.)$"
	"$PERF" diff y.data y.data -s sym --name-style=short | finds "apply<\\.\\.\\.>(\\.\\.\\.)"
	not "$PERF" report --stdio -i y.data --name-style=tiny 2> err
	grep -q "takes short or full, not .tiny." err'

check 'names that are no UTF-8 are shown as escapes, which filters take' '
	mkdata z.data <<-END
	event cpu-clock config=cpu-clock sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
	comm tid=100 comm="$(printf "a\377b")" time=1
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="$(printf "/lib/\311t\351")" time=2
	sample tid=100 ip=0x1200 period=3 time=3
	END
	"$PERF" report --stdio -i z.data -s comm,dso > out
	says "a\\xffb   \\xc9t\\xe9 " out
	"$PERF" script -i z.data -F comm,ip,dso > out
	says "a\\xffb " out
	says "(/lib/\\xc9t\\xe9)" out
	"$PERF" report --stdio -i z.data --comms "a\\xffb" -s comm > out
	says "100.00%  a" out
'
