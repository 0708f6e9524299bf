#!/bin/sh
# threads
# perf report --show-ref-call-graph: events without call chains show those of an event that has them.
. "$(dirname "$0")/lib.sh"

mkdir -p root/tmp
printf '1000 20 main\n1020 20 work\n1040 10 leaf\n1050 10 begin\n' > root/tmp/perf-100.map
export PERF_FS_ROOT=$PWD/root
mkdata two.data <<'END'
event cycles type=hardware config=0 sample=ip|tid|time|period|callchain|identifier flags=sample_id_all|comm|mmap2
event page-faults type=software config=2 sample=ip|tid|time|period|identifier flags=sample_id_all
comm tid=100 comm="app" time=1
mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
default tid=100 period=10
sample ev=cycles ip=0x1041 time=10 chain=-512,0x1041,0x1032,0x1010
sample ev=cycles ip=0x1041 time=20 period=30 chain=-512,0x1041,0x1010
sample ev=cycles ip=0x1021 time=20 period=10 chain=-512,0x1021,0x1055
sample ev=page-faults ip=0x1042 time=30 period=3
sample ev=page-faults ip=0x1052 time=40 period=1
END
rows() { $PERF report -i two.data --no-children -s sym "$@" 2> err | sed 's/ *$//' | grep -v '^$'; }
faults() { sed -n "/event .page-faults/,/^# (Tip/p" | grep -v '^#'; }

check 'rows have the graph of the row with the same name; a name without one has none' '
	rows --show-ref-call-graph > out
	grep -q "of event .page-faults., show reference callgraph$" out
	grep -q "of event .cycles.$" out
	faults < out > got
	cat > want <<-EOF
	    75.00%  [.] leaf
	            |
	            |--60.00%--main
	            |
	             --20.00%--work
	                       main
	    25.00%  [.] begin
	EOF
	diff want got
	rows --show-ref-call-graph -j 3 --chunk-size 64 | cmp - out
'
check 'without the option there are no such graphs' '
	rows > out
	silent_about "reference" out
	faults < out > got
	printf "%s\n" "    75.00%  [.] leaf" "    25.00%  [.] begin" | diff - got
'
check 'trees, and files without call chains' '
	rows -H -s comm,sym --show-ref-call-graph | faults | finds "60.00%--main"
	{
		echo "event page-faults type=software config=2 sample=ip|tid|time|period flags=sample_id_all|comm|mmap2"
		echo "sample tid=100 ip=0x1041 time=30 period=3"
	} | mkdata none.data
	$PERF report -i none.data --show-ref-call-graph > out 2> err
	silent_about "reference" out
'
