#!/bin/sh
# threads
# perf report -H: rows as a tree by the sort keys
. "$(dirname "$0")/../cli/lib.sh"

mkdir -p root/tmp
printf '1000 100 main\n1100 100 work\n1200 100 leaf\n' > root/tmp/perf-100.map
cp root/tmp/perf-100.map root/tmp/perf-200.map
export PERF_FS_ROOT=$PWD/root
mkdata t.data <<'EOT'
event cpu-clock type=software config=cpu-clock period=10 sample=identifier|ip|tid|time|cpu|period|callchain flags=sample_id_all|comm|mmap2
event page-faults type=software config=page-faults period=1 sample=identifier|ip|tid|time|cpu|period|callchain flags=sample_id_all
comm tid=100 comm="app" time=1
comm tid=200 comm="b;ee" time=1
repeat 2
mmap2 tid=100+$i*100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
end
default period=10 cpu=1
sample tid=100 ip=0x1210 time=100 chain=-512,0x1210,0x1110,0x1010
sample tid=100 ip=0x1220 time=200 chain=-512,0x1220,0x1110,0x1010
sample tid=100 ip=0x1230 time=300 chain=-512,0x1230,0x1020
sample tid=100 ip=0x5000 time=400 cpu=0 chain=-512,0x5000
sample tid=200 ip=0x1010 time=500 chain=-512,0x1010
sample id=2 tid=200 ip=0x1110 time=600 period=3 chain=-512,0x1110
EOT
report() { $PERF report -i t.data -H "$@" 2> err; }
table() { report -g none "$@" | sed -n '/Overhead/,$p' | grep -v '^#$' | grep -v '^$' | grep -v Tip | sed 's/ *$//'; }

check 'a level for each key, with the sums of what is below' '
	table | sed "/page-faults/,\$d" > out
	cat > want <<-EOF
	#       Overhead  Command / Shared Object / Symbol
	# ..............  ................................
	    80.00%        app
	       60.00%        [JIT] tid 100
	          60.00%        [.] leaf
	       20.00%        [unknown]
	          20.00%        [.] 0x0000000000005000
	    20.00%        b;ee
	       20.00%        [JIT] tid 200
	          20.00%        [.] main
	EOF
	diff want out
	report > one
	report -j 3 --chunk-size 64 > three
	cmp one three
'
check 'what is below the limit goes with all its rows, and a remark says so' '
	table --percent-limit 70 -n -s comm,sym | sed "/page-faults/,\$d" > out
	cat > want <<-EOF
	#    Overhead       Samples  Command / Symbol
	# .........................  .........................
	    80.00%             4     app
	                                no entry >= 70.00%
	EOF
	diff want out
	test "$(table --percent-limit 101 | grep -c %)" = 0
'
check 'events side by side' '
	table --group -s comm,sym > out
	cat > want <<-EOF
	#            Overhead  Command / Symbol
	# ...................  .........................
	    80.00%   0.00%     app
	       60.00%   0.00%     [.] leaf
	       20.00%   0.00%     [.] 0x0000000000005000
	    20.00% 100.00%     b;ee
	       20.00%   0.00%     [.] main
	        0.00% 100.00%     [.] work
	EOF
	diff want out
'
check 'events side by side, ordered by another than the first' '
	table --group --group-sort-idx 1 -s comm,sym | grep "%" > out
	cat > want <<-EOF
	    20.00% 100.00%     b;ee
	        0.00% 100.00%     [.] work
	       20.00%   0.00%     [.] main
	    80.00%   0.00%     app
	       60.00%   0.00%     [.] leaf
	       20.00%   0.00%     [.] 0x0000000000005000
	EOF
	diff want out
'
check 'a separator: the level is the indent' '
	table -t ";" -s comm,sym | head -4 > out
	cat > want <<-EOF
	# Overhead;Command / Symbol
	80.00%;app
	   60.00%;[.] leaf
	   20.00%;[.] 0x0000000000005000
	EOF
	diff want out
	table -t ";" | finds -x "20.00%;b.ee"
'
check 'call graphs at the last level' '
	report -g caller -s comm,sym | sed -n "/\[.\] leaf\$/,\$p" | grep -v "^ *|* *\$" | head -5 > out
	cat > want <<-EOF
	       60.00%     [.] leaf
	            ---main
	               |--40.00%--work
	               |          leaf
	                --20.00%--leaf
	EOF
	sed "s/ *\$//" out | diff want -
	report | not grep -q Children
'
check 'numbers stand before keys' '
	fails_with 1 $PERF report -i t.data -H -F comm,overhead 2> err
	says "shows numbers before keys" err
	table -F overhead,sample,comm,sym | sed -n 3,4p > out
	printf "%s\n" "    80.00%             4     app" "       60.00%             3     [.] leaf" | diff - out
'
check 'a column that is narrower than the blanks in front of a key' '
	$PERF report -i t.data -g none -H -s pid -w 1,1 > out
	grep -qx "  *80.00%  1" out
'
