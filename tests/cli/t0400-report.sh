#!/bin/sh
# threads
. "$(dirname "$0")/../cli/lib.sh"

# two processes with code of their own (perf maps in a fake root), stacks of three functions
mkdir -p root/tmp
printf '1000 100 main\n1100 100 work\n1200 100 leaf\n' > root/tmp/perf-100.map
cp root/tmp/perf-100.map root/tmp/perf-200.map
export PERF_FS_ROOT=$PWD/root
cat > head.mk <<'EOF'
event cpu-clock type=software config=cpu-clock period=10 sample=ip|tid|time|cpu|period|callchain flags=sample_id_all|comm|mmap2
event page-faults type=software config=page-faults period=1 sample=ip|tid|time|cpu|period|callchain flags=sample_id_all
comm tid=100 comm="app" time=1
comm tid=200 comm="b;\e[31m" time=1
mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
mmap2 tid=200 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
EOF
cat head.mk - > app.mk <<'EOF'
default period=10 cpu=1
sample tid=100 ip=0x1210 time=100 chain=-512,0x1210,0x1110,0x1010
sample tid=100 ip=0x1220 time=200 chain=-512,0x1220,0x1110,0x1010
sample tid=100 ip=0x1230 time=300 chain=-512,0x1230,0x1020
sample tid=100 ip=0x1120 time=400 cpu=0 chain=-512,0x1120,0x1010
sample tid=200 ip=0x1010 time=500 chain=-512,0x1010
EOF
$MKDATA -o app.data app.mk
report() { $PERF report -i app.data "$@" 2> err; }
rows() { report "$@" | grep -v '^#' | grep -v '^$'; }

check 'flat rows by share, then by name' '
	rows -g none --no-children -s comm,sym > out
	cat > want <<-EOF
	    60.00%  app      [.] leaf
	    20.00%  app      [.] work
	    20.00%  b;\x1b[31m  [.] main
	EOF
	sed "s/  *\$//;s/  */ /g" want > w; sed "s/  *\$//;s/  */ /g" out | diff w -
'
check 'what phases take is said beside the report' '
	report > plain
	$PERF --debug phases report -i app.data > timed 2> err
	same plain timed
	for phase in scan count entries text; do
		grep -q "^$phase  *[0-9]* us, " err
	done
'
check '-v shows the lowest address that was met of a function, however many threads count' '
	{ cat head.mk; echo "default tid=100 period=10"; for ip in 1230 1210 1220 1240 1120 1110; do
		echo "sample ip=0x$ip time=100 chain=-512,0x$ip"; done; } | mkdata low.data
	for jobs in 1 3; do
		$PERF report -i low.data -v -j $jobs --chunk-size 64 --no-children -g none -s sym 2> err | grep "leaf\|work" > out
		grep -q " 0x1210 .*leaf" out
		grep -q " 0x1110 .*work" out
	done
'
check 'numbers that are none, and those that ask for any amount of memory, are refused' '
	for a in "-w 4000000000" "-w -5" "-w 8,10001" "--percent-limit nan" "--percent-limit inf" "-g graph,nan" "-g graph,0.5,1e20"; do
		fails_with 129 $PERF report -i app.data $a > out 2> err
		test ! -s out
	done
	report > out
	report -j 100000 | same out -
'
check 'a file without samples has no rows, whatever is asked for' '
	$MKDATA -o none.data head.mk
	for a in "-g address" "-g srcline" "-g none -s sym,symoff" "-s symoff" "-s comm" "-s sym,srcline -g caller" "-H" "-F sym -v" "--group"; do
		$PERF report -i none.data $a > out 2> err
		test -s out || test -s err
		not grep -v "^#\|^\$" out
	done
'
check 'callers get what their callees used' '
	rows -g none -s sym -c app > out
	cat > want <<-EOF
	    80.00%     0.00%  [.] main
	    60.00%    60.00%  [.] leaf
	    60.00%    20.00%  [.] work
	EOF
	diff want out
'
check 'a call graph from the callers down' '
	rows -c app,none -s comm,sym > out
	cat > want <<-EOF
	    80.00%     0.00%  app      [.] main
	            |
	            ---main
	               |          
	               |--60.00%--work
	               |          |          
	               |           --40.00%--leaf
	               |          
	                --20.00%--leaf
	EOF
	head -9 out | diff want -
'
check 'a call graph from the callees up' '
	rows --no-children -c app,none -s comm,sym > out
	cat > want <<-EOF
	    60.00%  app      [.] leaf
	            |
	            ---leaf
	               |          
	               |--40.00%--work
	               |          main
	               |          
	                --20.00%--main
	EOF
	head -8 out | diff want -
'
check 'folded and flat paths' '
	rows -g folded --no-children -c app -s comm,sym | finds "^40.00% leaf;work;main$"
	rows -g caller,flat,0.5 --no-children -c app -s comm,sym > out
	grep -q "^           40.00%$" out
'
check 'paths are whole, also where the row begins with the symbol that they begin with' '
	rows -g folded --no-children -c app,none -s sym | finds "^40.00% leaf;work;main$"
'
check 'fractal graphs say what went to callers that are not shown' '
	rows -g fractal,50 --no-children -c app -s comm > out
	cat > want <<-EOF
	    80.00%  app
	            |
	            |--75.00%--leaf
	            |          |          
	            |          |--66.67%--work
	            |          |          main
	            |           --33.33%--[...]
	             --25.00%--[...]
	EOF
	sed "s/ *\$//" want > w; sed "s/ *\$//" out | diff w -
'
check 'the limit of a graph is one of children a node, and of the lines of its first run' '
	rows -g graph,0,1 --no-children -c app -s comm > out
	cat > want <<-EOF
	    80.00%  app
	            |
	            |--60.00%--leaf
	            |          |
	            |          |--40.00%--work
	            |          |          main
	EOF
	sed "s/ *\$//" want > w; sed "s/ *\$//" out | diff w -
	rows -g caller,graph,0,1 -c app,none -s comm,sym | head -6 > out
	cat > want <<-EOF
	    80.00%     0.00%  app      [.] main
	            |
	            ---main
	               |
	               |--60.00%--work
	               |          |
	EOF
	sed "s/ *\$//" want > w; sed "s/ *\$//" out | diff w -
'
check 'a threshold in periods drops its fraction' '
	# 50 in all: 41 % are 20.5, and 20 is enough
	rows -g graph,41 --no-children -c app -s comm | finds -- "--40.00%--work"
'
check 'columns of -F order the rows in turn' '
	rows -g none -F comm,sample,sym > out
	sed "s/  *\$//;s/  */ /g" out > w
	cat > want <<-EOF
	 app 3 [.] leaf
	 app 1 [.] work
	 app 0 [.] main
	 b;\x1b[31m 1 [.] main
	EOF
	diff want w
'
check 'a separator: nothing padded, nothing that shifts columns' '
	rows -g none --no-children -s comm,sym -t ";" > out
	grep -qx "60.00%;app;\[.\] leaf" out
	grep -qx "20.00%;b.\\\\x1b\[31m;\[.\] main" out
'
check 'filters: cpu, tid, time, symbol, dso; shares absolute or relative' '
	# what CPU and time leave out is not part of the whole; what the others leave out is
	report -g none --no-children -s sym -C 0 > out
	grep -qx "   100.00%  \[.\] work" out
	grep -qx "# Samples: 1  of event .cpu-clock." out
	test "$(rows -g none --no-children -s sym -C 0 | wc -l)" = 1
	rows -g none --no-children -s sym --tid 200 | finds -x "    20.00%  \[.\] main"
	rows -g none --no-children -s sym --percentage relative --tid 200 | finds -x "   100.00%  \[.\] main"
	report -g none --no-children -s sym --time 0.000000350, > out
	test "$(grep -c "50.00%" out)" = 2
	grep -q "^# Samples: 2  of event .cpu-clock. (time slices: 0.000000350,)$" out
	rows -g none --no-children -s sym -S leaf | finds -x "    60.00%  \[.\] leaf"
	test "$(rows -g none --no-children -s sym -d nosuch | wc -l)" = 0
'
check 'a column that a filter leaves one value of becomes a header line' '
	report -g none --no-children -c app -s comm,sym > out
	sed -n 3p out | finds -x "# comm: app"
	grep -qx "# Overhead  Symbol *" out
	report -g none --no-children -c app -s comm > out
	sed -n 3p out | finds -x "# comm: app"
	grep -qx "    80.00%  app *" out
	report -g none --no-children -c app --percentage relative > out
	grep -qx "# Samples: 4  of event .cpu-clock." out
'
check 'unresolved callers are hidden with -U as unresolved samples are' '
	cat head.mk - > unres.mk <<-EOF
	sample tid=100 ip=0x1210 time=100 cpu=0 period=10 chain=-512,0x1210,0x9999
	sample tid=100 ip=0x9990 time=200 cpu=0 period=10 chain=-512,0x9990,0x1110
	EOF
	$MKDATA -o unres.data unres.mk
	$PERF report -i unres.data -g none -s sym -U > out 2> err
	grep -qx "# Samples: 1  of event .cpu-clock." out
	grep -qx "   100.00%   100.00%  \[.\] leaf" out
	not grep -q 0x out
'
check 'a number of samples is cut to whole thousands; 1000 stay 1000' '
	for n in "999 999 " "1000 1000 " "1001 1K" "1999 1K" "2001 2K" "1000000 1000K" "1000001 1M"; do
		printf "event cpu-clock sample=ip|tid\nrepeat ${n%% *}\nsample tid=1 ip=1\nend\n" | mkdata many.data
		$PERF report -i many.data -s pid > out 2> err
		grep -qx "# Samples: ${n#* } of event .cpu-clock." out
	done
'
check '-C needs recorded CPUs' '
	printf "event a sample=ip|tid|time\nsample tid=1 ip=1 time=1\n" > nocpu.mk
	$MKDATA -o nocpu.data nocpu.mk
	rc=0; $PERF report -i nocpu.data -C 0 > out 2> err || rc=$?
	test $rc = 1
	grep -q "record with --sample-cpu" err
'
check '-w cuts what is wider, the title too' '
	report -g none --no-children -s comm,sym -w 8,2,6 > out
	grep -qx "# Overhead  Co  Symbol" out
	grep -qx "    60.00%  ap  \[.\] le" out
'
check 'fields that are added stand before the sort keys' '
	report -g none --no-children -s comm,sym -F +sample | finds "^# Overhead       Samples  Command  Symbol"
'
check '-g mode may be given more than once' '
	report -g none --no-children -g none -s sym | finds leaf
'
check 'equal rows stand in the order of their keys, the heaviest weight first' '
	cat > ties.mk <<-EOF
	event a type=software config=cpu-clock sample=ip|tid|time|weight period=10 flags=sample_id_all|comm|mmap2
	comm tid=100 comm="early" time=1
	comm tid=90 comm="zz" time=1
	namespaces tid=90 pid=90 ns=4:1,4:2,4:3,4:4,4:5,4:6,4:255 time=2
	mmap2 tid=100 addr=0x1000 len=0x2000 prot=5 flags=2 filename="/x/liba.so" time=2
	mmap2 tid=90 addr=0x8000 len=0x1000 prot=5 flags=2 filename="/x/liba.so" time=2
	sample tid=100 ip=0x1210 time=100 weight=5 period=10
	comm tid=100 comm="late" time=200
	sample tid=100 ip=0x1110 time=300 weight=6 period=10
	sample tid=90 ip=0x8010 time=400 weight=4 period=20
	EOF
	$MKDATA -o ties.data ties.mk
	ties() { $PERF report -i ties.data "$@" 2> /dev/null | grep -v "^#" | sed "/^\$/d;s/  */ /g;s/ *\$//"; }
	test "$(ties -s pid | tr "\n" ";")" = " 66.67% 100:late; 33.33% 90:zz;"
	test "$(ties -s weight | tr "\n" ";")" = " 33.33% 6; 33.33% 5; 33.33% 4;"
	test "$(ties -s pid -F +weight1 | tr "\n" ";")" = " 66.67% 5.5 100:late; 33.33% 4.0 90:zz;"
	test "$(ties -s dso_size)" = " 100.00% 8192"
	mkdata sizes.data <<-\EOF
	event a type=software config=cpu-clock sample=ip|tid|time flags=sample_id_all|comm|mmap2
	mmap tid=-1 pid=-1 misc=kernel addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text" time=0
	mmap tid=-1 pid=-1 misc=kernel addr=0xffffffffc0400000 len=0x3000 filename="[fat]" time=0
	mmap2 tid=100 addr=0x7fff00001000 len=0x2000 prot=5 flags=2 filename="[vdso]" time=2
	mmap2 tid=200 addr=0x7ffe00001000 len=0x2000 prot=5 flags=2 filename="[vdso]" time=2
	ksymbol addr=0xffffffffc0500000 len=64 ksym_type=1 name="bpf_prog_0123456789abcdef_f" time=2
	sample tid=100 misc=kernel ip=0xffffffff81000010 time=100
	sample tid=100 misc=kernel ip=0xffffffffc0400010 time=110
	sample tid=100 misc=kernel ip=0xffffffffc0500010 time=120
	sample tid=100 ip=0x7fff00001010 time=130
	sample tid=200 ip=0x7ffe00001010 time=140
	EOF
	$PERF report -i sizes.data --stdio -F dso,dso_size 2> err | grep "^ *[[b]" | sed "s/  */ /g;s/^ //;s/ *\$//" | sort > sizes
	printf "%s\n" "[fat] 12288" "[kernel.kallsyms] 16777216" "[vdso] 8192" "bpf_prog_0123456789abcdef_f 64" | same - sizes
	test "$(ties -s cgroup_id | tr "\n" ";")" = " 66.67% 0/0x0; 33.33% 4/0xff;"
'
check 'the configuration says what -g, --percentage and --skip-empty would' '
	cat > conf <<-EOF
	[call-graph]
		print-type = fractal
		order = callee
		threshold = 50
		print-limit = 1
	[hist]
		percentage = relative
	[report]
		skip-empty = true
	EOF
	PERF_CONFIG=$PWD/conf report -c app -s comm --no-children > out
	grep -q -- "-33.33%--\[\.\.\.\]" out
	grep -q "# Samples: 4  of event" out
	not grep -q page-faults out
	PERF_CONFIG=$PWD/conf report -g graph -c app -s comm --no-children > out
	not grep -q -F "[...]" out
	echo "[call-graph]" > conf
	echo "order = graph" >> conf
	rc=0; PERF_CONFIG=$PWD/conf report > out || rc=$?
	test $rc = 1
	grep -q "call-graph.order: .graph." err
'
check '-g on a profile without call chains says so' '
	printf "event a sample=ip|tid|time\nsample tid=1 ip=1 time=1\n" > flat.mk
	$MKDATA -o flat.data flat.mk
	rc=0; $PERF report -i flat.data -g > out 2> err || rc=$?
	test $rc = 1
	grep -q "no call chains" err
	$PERF report -i flat.data -g none | finds 0x
'
check 'large shares have a colour where it is asked for, nowhere else' '
	red=$(printf "\033[31m") reset=$(printf "\033[m")
	report -g graph --no-children -s sym --stdio-color=always > out
	grep -q -F "$red  60.00%$reset  " out
	grep -q -F -- "--${red}40.00%$reset--work" out
	report -g graph --no-children -s sym > out
	not grep -q -F "$reset" out
	rc=0; report --stdio-color=blue > out || rc=$?
	test $rc = 129
'
check 'every event has its block, the empty one too' '
	report -g none > out
	grep -q "^# Samples: 5  of event .cpu-clock." out
	grep -q "^# Samples: 0  of event .page-faults." out
	report --skip-empty | not grep -q page-faults
'
check 'columns as asked for' '
	report -F overhead,sample,period,sym -g none --no-children | finds "^# Overhead       Samples        Period  Symbol"
	rows -F sample,sym -g none --no-children | finds "^             3  \[.\] leaf"
'
check 'wrong keys and words say what would be right' '
	rc=0; report -s symobl > out || rc=$?
	test $rc = 1
	grep -q "did you mean .symbol." err
	rc=0; report -s simd > out || rc=$?
	test $rc = 1
	says "key '"'simd'"': samples do not record it" err
	rc=0; report -ggrahp,5 > out || rc=$?
	test $rc = 129
	grep -q "grahp" err
'
check 'the same bytes for any number of threads' '
	cat head.mk - > many.mk <<-EOF
	default period=10
	repeat 20000
	sample tid=100 ip=0x1200+\$i%97 time=1000+\$i chain=-512,0x1200+\$i%97,0x1100+\$i%89,0x1000+\$i%83
	end
	EOF
	$MKDATA -o many.data many.mk
	$PERF report -i many.data -j 1 > j1
	grep -q "leaf" j1
	for j in 1 2 8; do $PERF report --chunk-size 65536 -i many.data -j $j | cmp - j1; done
	$PERF report -v -i many.data -j 1 > j1 2> err
	for j in 2 8; do $PERF report -v --chunk-size 65536 -i many.data -j $j 2> err | cmp - j1; done
'
check 'nor does it matter how rows of several tasks are dealt out to them' '
	{
		cat head.mk
		for t in 201 202 203 204 205 206; do echo "comm tid=$t comm=\"task$t\" time=3"; done
		cat <<-EOF
		default period=10
		repeat 3000
		sample tid=100 ip=0x1200+\$i%97 time=1000+\$i chain=-512,0x1200+\$i%97,0x1100+\$i%89,0x1000+\$i%83
		sample tid=201+\$i%6 ip=0x1300+\$i%31 time=1000+\$i chain=-512,0x1300+\$i%31,0x1100+\$i%23,0x1000+\$i%83
		end
		EOF
	} > tasks.mk
	$MKDATA -o tasks.data tasks.mk
	for s in comm,sym sym pid,dso,sym; do
		$PERF report -i tasks.data -j 1 -s $s > j1
		test $(grep -c "%" j1) -gt 100
		for j in 2 3 8; do $PERF report --chunk-size 16384 -i tasks.data -s $s -j $j | cmp - j1; done
	done
'
check_if GCC 'nor does it matter which thread met which of several functions of one name' '
	echo "static __attribute__((noinline)) long work(volatile long n) { return n; }
		long NAME(long n) { return work(n) + 1; }" > twin.c
	for f in f1 f2 f3 f4 f5; do
		gcc -O1 -DNAME=$f -c twin.c -o $f.o
	done
	echo "long f1(long), f2(long), f3(long), f4(long), f5(long);
		int main(void) { return f1(1) + f2(1) + f3(1) + f4(1) + f5(1); }" > main.c
	gcc -O1 main.c f?.o -static -nostartfiles -Wl,-emain -Wl,-Ttext=0x401000 -o twins
	{
		echo "event cpu-clock config=cpu-clock sample=ip|tid|time|cpu|period|callchain flags=sample_id_all|comm|mmap2"
		off=$(readelf -SW twins | awk "{ sub(/^ *\[ *[0-9]+\]/, \"\") } \$1 == \".text\" { print \"0x\" \$4; exit }")
		echo "mmap2 tid=100 addr=0x401000 len=0x1000 pgoff=$off prot=5 flags=2 filename=\"$PWD/twins\" time=2"
		# by turns, neither from the lowest address up nor down
		nm twins | grep " t work\$" | awk "{ print (NR * 3) % 5, \$1 }" | sort -n | while read -r n at; do
			echo "sample tid=100 ip=0x$at time=10 period=1000 chain=-512,0x$at,0x50000$n"
		done
	} > twins.mk
	$MKDATA -o twins.data twins.mk
	for a in "" --no-children "-s sym" "-s sym -H" "-s symoff" "-F sym,overhead"; do
		$PERF report -j 1 -i twins.data $a > j1
		test "$(grep -c "\[.\] work" j1)" = 5
		for j in 2 3 8; do $PERF report -j $j -i twins.data $a | diff j1 -; done
	done
'
check 'a closed pipe ends it quietly' '
	$PERF report -i many.data 2> err | head -1 > out
	test -s out
	test ! -s err
'
check 'a full disk is said once' '
	fails_with 1 $PERF report -i app.data > /dev/full 2> err
	grep "^Error" err > errors
	echo "Error: cannot write to standard output: No space left on device" | diff errors -
'
check 'events of a group side by side' '
	$MKDATA -o group.data <<-EOF
	event cpu-clock type=software config=cpu-clock period=10 sample=ip|tid|time|period|id flags=sample_id_all
	event page-faults type=software config=page-faults period=1 sample=ip|tid|time|period|id flags=sample_id_all
	comm tid=100 comm="app" time=1
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	sample ev=cpu-clock tid=100 ip=0x1210 time=100 period=10
	sample ev=page-faults tid=100 ip=0x1110 time=200 period=3
	sample ev=page-faults tid=100 ip=0x1210 time=300 period=1
	EOF
	$PERF report -i group.data -s sym --group 2> err | grep -v "^$" > out
	grep -q "^# Samples: 3  of events .cpu-clock, page-faults." out
	grep -qx "   100.00%  25.00%  \[.\] leaf" out
	grep -qx "     0.00%  75.00%  \[.\] work" out
	$PERF report -i group.data -s sym 2> err | grep -c "^# Samples" | finds -x 2
	# a group that was recorded stays, whatever else is in the file
	$MKDATA -o part.data <<-EOF
	event cpu-clock type=software config=cpu-clock period=10 sample=ip|tid|time|period|id flags=sample_id_all
	event page-faults type=software config=page-faults period=1 sample=ip|tid|time|period|id flags=sample_id_all
	event task-clock type=software config=task-clock period=10 sample=ip|tid|time|period|id flags=sample_id_all
	feature group_desc u32:1 str:"" u32:0,2
	comm tid=100 comm="app" time=1
	sample ev=cpu-clock tid=100 ip=0x1210 time=100 period=10
	sample ev=task-clock tid=100 ip=0x1210 time=300 period=1
	EOF
	$PERF report -i part.data -s sym --group 2> err | grep "^# Samples" > out
	grep -qx "# Samples: 1  of events .anon group { cpu-clock, page-faults }." out
	grep -qx "# Samples: 1  of event .task-clock." out
'
check 'what a killed recorder wrote behind its last header is shown, and said' '
	{ cat app.mk; echo "feature hostname str:\"box\""; } | $MKDATA -o whole.data
	cp whole.data cut.data
	off=$($PERF report --header-only -i whole.data | sed -n "s/^# data offset *: //p")
	size=$($PERF report --header-only -i whole.data | sed -n "s/^# data size *: //p")
	tail -c +$((off + 1)) whole.data | head -c $size >> cut.data
	$PERF report -g none -i cut.data > out 2> err
	grep -q "^# Samples: 10  of event .cpu-clock." out
	grep -q "^Warning: $size bytes follow the data that the header declares" err
	printf "garbage that is no record" > tail; cat whole.data tail > cut.data
	$PERF report -g none -i cut.data 2> err | finds "^# Samples: 5  of event .cpu-clock."
'
check 'cells are aligned by the columns that a terminal shows' '
	mkdata wide.data <<-\END
	event cpu-clock config=cpu-clock period=1 sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
	comm tid=1 comm="日本" time=1
	comm tid=2 comm="plain" time=1
	comm tid=3 comm="caffè" time=1
	sample tid=1 ip=0x10 time=2 period=3
	sample tid=2 ip=0x10 time=3 period=2
	sample tid=3 ip=0x10 time=4 period=1
	END
	$PERF report -i wide.data -s comm,dso > out
	grep % out > rows
	sed "s/ *\$//" rows > got
	printf "    %s[unknown]\n" "50.00%  日本     " "33.33%  plain    " "16.67%  caffè    " | same - got'
