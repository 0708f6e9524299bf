#!/bin/sh
# perf data convert --to-ctf: the trace, its events and fields, what is refused
. "$(dirname "$0")/lib.sh"

have_PYTHON() { python3 -c "import struct" 2> /dev/null || skip "no python3"; }
cat > a.mk <<'END'
event a sample=ip|tid|time|cpu|period|callchain|weight type=1 config=0 flags=sample_id_all|comm|mmap2|task
feature hostname str:"b\"x\\"
feature clock_data u32:1,1 u64:1000000005000000000,1000
comm tid=100 comm="q\"\\\x1b\xff" time=1
mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
fork pid=101 ppid=100 tid=101 ptid=100 time=3 cpu=7
sample tid=100 cpu=3 time=2000 period=5 ip=0x1010 chain=-512,0x1010,0x1110 weight=77
lost id=1 lost=9 time=2001
exit pid=101 ppid=100 tid=101 ptid=100 time=2002 cpu=7
sample tid=200 cpu=0xffffffff time=3000 period=6 ip=0x1110 chain=-512,0x1110
sample tid=100 cpu=3 time=0xfffffffffffffff0 period=7 ip=0x9000 chain=
END
mkdata a.data < a.mk || exit 1
mkdir -p root/tmp
printf '1000 100 inner\n1100 100 outer\n' > root/tmp/perf-100.map
export PERF_FS_ROOT="$PWD/root"
Q="'"
convert() { $PERF data convert "$@"; }
dump() { python3 "$SRC/tests/tools/ctf-dump.py" "$@"; }

check_if PYTHON 'samples with their CPUs, names and chains; times that readers can have' '
	convert --to-ctf t -i a.data 2> err
	says "into CTF data ${Q}t$Q" err
	says "(3 samples)" err
	dump t > out
	same - out <<-"END2"
	2000 3 cpu-clock perf_ip=0x1010 perf_tid=100 perf_pid=100 perf_period=5 perf_weight=77 perf_comm=q"\\x1b\xff perf_symbol=inner perf_callchain_size=2 perf_callchain=[0x1010,0x1110]
	3000 - cpu-clock perf_ip=0x1110 perf_tid=200 perf_pid=200 perf_period=6 perf_weight=0 perf_comm=:200 perf_symbol= perf_callchain_size=1 perf_callchain=[0x1110]
	9223372036854775807 3 cpu-clock perf_ip=0x9000 perf_tid=100 perf_pid=100 perf_period=7 perf_weight=0 perf_comm=q"\\x1b\xff perf_symbol= perf_callchain_size=0 perf_callchain=[]
	END2
	ls t > files
	printf "metadata\nstream\nstream-3\n" | same - files
	says "hostname = \"b\\\"x\\\\\";" t/metadata'
check_if PYTHON 'records about tasks and maps (--all); the same by --to ctf' '
	convert --to-ctf all --all -i a.data 2> err
	says "(3 samples, 5 non-samples)" err
	dump all > out
	sed -n "/ perf_/p" out | cut -d" " -f3 | grep "^perf_" > names
	printf "perf_comm\nperf_mmap2\nperf_fork\nperf_lost\nperf_exit\n" | same - names
	says "1 0 perf_comm pid=100 tid=100 comm=q" out
	says "2 0 perf_mmap2 pid=100 tid=100 start=0x1000 len=0x1000 pgoff=0x0 filename=//anon" out
	says "3 7 perf_fork pid=101 ppid=100 tid=101 ptid=100 time=3" out
	says "2001 0 perf_lost id=1 lost=9" out
	convert --to ctf -o again --all a.data 2> err
	for f in metadata stream stream-3 stream-7; do same all/$f again/$f; done'
check_if PYTHON 'a part of the time, and times of day' '
	convert --to-ctf part --time ,0.000002500 -i a.data 2> err
	says "(1 sample" err
	dump part > out
	has_lines . out 1
	convert --to-ctf tod --tod -i a.data 2> err
	says "offset = 1000000004999999000;" tod/metadata
	sed /clock_data/d a.mk > none.mk
	mkdata none.data < none.mk
	fails_with 1 convert --to-ctf none --tod -i none.data 2> err
	says "does not say which time of day its times are" err
	test ! -e none'
# field TYPE OFFSET SIZE SIGNED: a line of a tracepoint's format
field() { printf '\tfield:%s;\toffset:%s;\tsize:%s;\tsigned:%s;\n' "$@"; }
# tracepoint BIG: a sample of an event with fields of each kind; one has a name that is a word of the language
tracepoint() {
	{
		printf 'name: e\nID: 11\nformat:\n'
		field 'unsigned short common_type' 0 2 0
		field 'unsigned char common_flags' 2 1 0
		field 'unsigned char common_preempt_count' 3 1 0
		field 'int common_pid' 4 4 1
		echo
		field 'int event' 8 4 1
		field 'char name[8]' 12 8 0
		field 'u16 numbers[2]' 20 4 0
		field '__data_loc char[] text' 24 4 0
		field 'unsigned long big' 32 8 0
		printf '\nprint fmt: "e"\n'
	} > format
	test "$1" = 0 || echo 'order big'
	cat <<-EOF
	event s:e type=tracepoint config=11 sample=ip|tid|time|cpu|raw|period ids=1
	feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,$1,8 u32:4096
	feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
	feature tracing_data u32:1 text:"s" u8:0 u32:1
	feature tracing_data u64:$(wc -c < format) file:format
	feature tracing_data u32:0,0 u64:0
	sample tid=5 cpu=1 time=7 period=1 u16:11 u8:0,0 u32:5 u32:-2 text:"a\"b" zero:5 u16:1,515 u32:$((4 << 16 | 40)) zero:4 u64:0x1122334455667788 text:"dyn"
	EOF
}
check_if PYTHON 'fields of tracepoints: numbers, texts, arrays, in both byte orders' '
	for big in 0 1; do
		tracepoint $big > f.mk
		mkdata f.data < f.mk
		convert --to-ctf f-$big -i f.data 2> err
		dump f-$big > out
		says "perf_symbol= event=-2 name=a\"b numbers_size=2 numbers=[1,515] text=dyn big=1234605616436508552" out
	done'
check 'what exists is kept; --force replaces a trace and nothing else' '
	convert --to-ctf kept -i a.data 2> err
	fails_with 1 convert --to-ctf kept -i a.data 2> err
	says "kept exists already" err
	echo mine > kept/mine
	echo old > kept/stream-55
	convert --to-ctf kept -f -i a.data 2> err
	test -e kept/mine -a ! -e kept/stream-55
	mkdir other
	echo mine > other/stream
	fails_with 1 convert --to-ctf other -f -i a.data 2> err
	says "other is not a trace that could be replaced" err
	echo mine | same - other/stream
	fails_with 1 convert --to-ctf no/where -i a.data 2> err
	says "cannot create the directory no/where" err'
check 'what does not go together is said' '
	fails_with 129 convert --to ctf a.data 2> err
	says "to ctf needs -o" err
	fails_with 129 convert --to-ctf x --to-json y 2> err
	says "exclude each other" err
	fails_with 129 convert --to-json - --all 2> err
	says "all does not go with --to-json" err
	fails_with 129 convert --to pprof --tod a.data 2> err
	says "tod belongs to --to ctf" err
	fails_with 129 convert --to-ctf x --by line 2> err
	says "by does not go with CTF" err
	test ! -e x'
