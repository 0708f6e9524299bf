#!/bin/sh
# perf script --script: functions of scripts in Python, called for samples
. "$(dirname "$0")/../cli/lib.sh"
need PYTHON

mkdir -p root/tmp
printf '1000 100 main\n1100 100 work\n1200 100 leaf\n' > root/tmp/perf-100.map
export PERF_FS_ROOT=$PWD/root
mkdata x.data <<'EOF'
event cycles type=hardware config=0 period=10 sample=ip|tid|time|cpu|period|callchain flags=sample_id_all|comm|mmap2|context_switch
comm tid=100 comm="app" time=1
mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
sample tid=100 ip=0x1010 time=100 cpu=1 chain=-512,0x1010
sample tid=100 ip=0x1110 time=200 cpu=2 chain=-512,0x1110,0x1010
switch tid=100 time=250 misc=0x2000
sample tid=100 ip=0x1210 time=3000000300 cpu=1 chain=-512,0x1210,0x1110,0x1010
sample tid=200 ip=0x1010 time=3000000400
EOF
cat > common.py <<'EOF'
import os, sys
sys.path.append(os.environ['PERF_EXEC_PATH'] + '/scripts/python/Perf-Trace-Util/lib/Perf/Trace')
from perf_trace_context import *
from Core import *
from Util import *
EOF
script() { $PERF script -i x.data -s "$@"; }
# code NAME: the script on standard input
code() {
	cat common.py - > "$1.py"
}

check 'trace_begin, process_event, trace_end, and the arguments' '
	code all <<-EOF
	def trace_begin(): print("begin", sys.argv)
	def trace_end(): print("end")
	def process_event(e):
	    s = e["sample"]
	    print(e["ev_name"], e["comm"], s["tid"], s["cpu"], s["time"], hex(s["ip"]), s["period"], e.get("symbol"), e.get("symoff"))
	EOF
	script all.py one -x > out
	same - out <<-EOF
	begin ['\''all.py'\'', '\''one'\'', '\''-x'\'']
	cycles app 100 1 100 0x1010 1 main 16
	cycles app 100 2 200 0x1110 1 work 16
	cycles app 100 1 3000000300 0x1210 1 leaf 16
	cycles :200 200 0 3000000400 0x1010 1 None None
	end
	EOF
'
check 'call chains, innermost first' '
	code chain <<-EOF
	def process_event(e):
	    print([(hex(f["ip"]), f["sym"]["name"] if "sym" in f else None, f.get("sym_off"), f.get("dso")) for f in e["callchain"]])
	EOF
	script chain.py > out
	sed -n 3p out > third
	echo "[('\''0x1210'\'', '\''leaf'\'', 16, '\''/tmp/perf-100.map'\''), ('\''0x1110'\'', '\''work'\'', 16, '\''/tmp/perf-100.map'\''), ('\''0x1010'\'', '\''main'\'', 16, '\''/tmp/perf-100.map'\'')]" > want
	same want third
	# which keys share a place in a table depends on where the program was loaded
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
		script chain.py > again
		same out again
	done
'
check 'values are made when they are asked for, and nobody sees that' '
	code late <<-"EOF"
	import copy, json, pickle
	same = [	# on a dictionary of which nothing is made, and on a plain one
	    "len(e)", "list(e)", "sorted(e)", "repr(e)", "list(e.keys())", "list(e.values())", "list(e.items())",
	    "[k in e for k in (\"comm\", \"symbol\", \"nothing\", 7)]", "e.get(\"nothing\", 5)", "e.get(\"symbol\")",
	    "e == dict(e)", "dict(e) == e", "e != {}", "{**e}", "(lambda **k: k)(**e)", "copy.copy(e)", "copy.deepcopy(e)",
	    "pickle.loads(pickle.dumps(e))", "json.dumps(e, default=str)", "\"%(comm)s\" % e",
	    "\"{comm}\".format_map(e)", "e.copy()", "dict(e)", "bool(e)", "list(reversed(e))", "isinstance(e, dict)",
	    "e.setdefault(\"comm\", 1)", "{}.update(e)", "(e[\"symoff\"], list(e))", "e[\"sample\"]", "e[\"callchain\"]",
	    "[e[k] for k in (\"sample\", \"comm\", \"dso\")] + list(e)", "\"nothing\" in e[\"sample\"]",
	]
	changed = [	# True each
	    "e.pop(\"comm\") == \"app\" and \"comm\" not in e and \"symbol\" in e", "e.popitem() and len(e) > 5",
	    "e.clear() or len(e) == 0 and \"comm\" not in e", "e.update(comm=2) or e[\"comm\"] == 2 and len(e) > 5",
	    "e.__setitem__(\"comm\", 3) or list(e)[-1] != \"comm\" and dict(e)[\"comm\"] == 3",
	    "e.__delitem__(\"comm\") or \"comm\" not in dict(e)",
	]
	nr, kept = 0, []
	def process_event(e):
	    global nr
	    value = lambda text, e: eval(text, { **globals(), "e": e })
	    if nr < len(same):
	        late = value(same[nr], e)
	        if late != value(same[nr], dict(e)): print("differs:", same[nr], late)
	    elif nr < len(same) + len(changed):
	        if not value(changed[nr - len(same)], e): print("wrong:", changed[nr - len(same)])
	    else:
	        try: e["nothing"]
	        except KeyError as missing: print("no", missing)
	        kept.append((e, e["sample"], e["callchain"]))
	    nr += 1
	def trace_end():
	    for e, sample, chain in kept:
	        print(e["comm"], e["symbol"], sample["ip"] == e["sample"]["ip"], chain == e["callchain"], len(e) > 10)
	    print(nr > len(same) + len(changed) + 1)
	EOF
	{ echo "event cycles config=cycles sample=ip|tid|time|cpu|period|callchain flags=sample_id_all|comm"
	  echo "mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename=\"//anon\" time=1"
	  echo "comm tid=100 comm=\"app\" time=1"
	  for i in $(seq 45); do echo "sample tid=100 ip=0x1010 time=$((i + 10)) cpu=1 period=$i chain=-512,0x1010,0x1110"; done; } | mkdata late.data
	$PERF script -i late.data -s late.py > out
	grep -v "^no \|^app" out > rest
	echo True | same - rest
	test "$(grep -c "^no .nothing.$" out)" = "$(grep -c "^app main True True True$" out)"
'
check 'filters of perf script choose the samples, --stop-bt and -G the frames' '
	code few <<-EOF
	def process_event(e): print(e["sample"]["time"], len(e["callchain"]))
	EOF
	script few.py > out
	test "$(tail -n 2 out | head -n 1)" = "3000000300 3"
	$PERF script -i x.data --tid 100 -S work,leaf --stop-bt work -s few.py > out
	printf "200 1\n3000000300 2\n" | same - out
	$PERF script -i x.data -G --cpu 2 -s few.py > out
	printf "200 0\n" | same - out
'
check 'context_switch' '
	code switch <<-EOF
	def context_switch(ts, cpu, pid, tid, np_pid, np_tid, machine_pid, out, out_preempt, *x):
	    print(ts, cpu, pid, tid, np_pid, np_tid, machine_pid, out, out_preempt, x)
	EOF
	script switch.py > out
	echo "250 0 100 100 -1 -1 -1 True False (0, -1)" | same - out
	$PERF script -i x.data --tid 200 -s switch.py > out
	test ! -s out
'
check 'throttle, unthrottle and auxtrace_error' '
	mkdata e.data <<-\EOF
	event cycles type=hardware config=0 period=10 sample=ip|tid|time|cpu|period|identifier ids=7 flags=sample_id_all|comm|mmap2
	throttle time=150 id=7 stream_id=9 tid=100 cpu=1
	unthrottle time=160 id=7 stream_id=9 tid=100 cpu=1
	auxtrace_error error_type=1 code=5 cpu=2 pid=100 tid=101 fmt=1 ip=0x1234 time=170 msg="lost\x1b"
	EOF
	code records <<-EOF
	def throttle(time, id, stream_id, cpu, pid, tid): print("throttle", time, id, stream_id, cpu, pid, tid)
	def unthrottle(*a): print("unthrottle", a)
	def auxtrace_error(typ, code, cpu, pid, tid, ip, ts, msg, cpumode, *x): print(typ, code, cpu, pid, tid, hex(ip), ts, msg, cpumode, x)
	EOF
	$PERF script -i e.data -s records.py > out
	same - out <<-\EOF
	throttle 150 7 9 1 100 100
	unthrottle (160, 7, 9, 1, 100, 100)
	1 5 2 100 101 0x1234 170 lost\x1b 0 (0, -1)
	EOF
	$PERF script -i e.data --cpu 2 -s records.py > out
	test "$(wc -l < out)" = 1
'
check 'counts of perf stat record' '
	$PERF stat record -o s.data -e faults:u,task-clock,cs -- $PERF test -w context_switch_loop 3 > stat.out 2>&1
	code counts <<-EOF
	got = []
	def stat__faults_u(*a): got.append(a)
	def stat__interval(t): print(len(got), got[0][:2], got[0][2] == t, got[0][3] > 0, got[0][4] >= got[0][5] > 0)
	def process_stat(d): print(d["ev_name"], d["cpu"], d["thread"], d["val"] > 0, sorted(d))
	EOF
	$PERF script -i s.data -s counts.py > out
	same - out <<-EOF
	task-clock -1 -1 True ['\''cpu'\'', '\''ena'\'', '\''ev_name'\'', '\''run'\'', '\''thread'\'', '\''time'\'', '\''val'\'']
	cs -1 -1 True ['\''cpu'\'', '\''ena'\'', '\''ev_name'\'', '\''run'\'', '\''thread'\'', '\''time'\'', '\''val'\'']
	1 (-1, -1) True True True
	EOF
	printf "import sys\ndef process_stat_interval(t): sys.exit(4)\n" > end.py
	fails_with 4 $PERF script -i s.data -s end.py
'
check 'counts of intervals are what was counted in each, by CPU as recorded' '
	mkdata i.data <<-EOF
	event cycles:k type=hardware config=0 sample=identifier read=enabled|running ids=11,12
	feature stat
	feature event_desc
	thread_map nr=1 u64:-1 zero:16
	cpu_map u16:0,2,0,1,0,0
	stat_config data=3:0,0:0,1:1,2:1,3:5
	stat id=11 cpu=0 val=5 ena=50 run=40
	stat id=12 cpu=1 val=7 ena=50 run=50
	stat_round round_type=0 time=100
	stat id=11 cpu=0 val=11 ena=100 run=90
	stat id=12 cpu=1 val=7 ena=50 run=50
	stat_round round_type=0 time=200
	EOF
	code intervals <<-EOF
	def stat__cycles_k(*a): print(a)
	def stat__interval(t): print("interval", t)
	EOF
	$PERF script -i i.data -s intervals.py > out
	same - out <<-EOF
	(0, -1, 100, 5, 50, 40)
	(1, -1, 100, 7, 50, 50)
	interval 100
	(0, -1, 200, 6, 50, 50)
	(1, -1, 200, 0, 0, 0)
	interval 200
	EOF
'
check 'branches' '
	mkdata b.data <<-EOF
	event cycles type=hardware config=0 period=10 sample=ip|tid|time|period|branch_stack branch=1 flags=sample_id_all|comm|mmap2
	feature branch_stack
	comm tid=100 comm="app" time=1
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	sample tid=100 ip=0x1210 time=100 branch=0x1110:0x1200:0x52,0x1010:0x1100:0x1
	EOF
	code branch <<-EOF
	def process_event(e):
	    for b in e["brstack"]:
	        print(hex(b["from"]), hex(b["to"]), b["mispred"], b["predicted"], b["in_tx"], b["abort"], b["cycles"], b["to_dsoname"])
	    for b in e["brstacksym"]: print(b)
	EOF
	$PERF script -i b.data -s branch.py > out
	same - out <<-EOF
	0x1110 0x1200 False True False False 5 /tmp/perf-100.map
	0x1010 0x1100 True False False False 0 /tmp/perf-100.map
	{'\''from'\'': '\''work+0x10'\'', '\''to'\'': '\''leaf+0x0'\'', '\''pred'\'': '\''P'\'', '\''in_tx'\'': '\''-'\'', '\''abort'\'': '\''-'\''}
	{'\''from'\'': '\''main+0x10'\'', '\''to'\'': '\''work+0x0'\'', '\''pred'\'': '\''M'\'', '\''in_tx'\'': '\''-'\'', '\''abort'\'': '\''-'\''}
	EOF
'
{
	printf "name: sched_switch\nID: 5\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	printf "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	printf "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	printf "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:int from;\toffset:8;\tsize:4;\tsigned:1;\n"
	printf "\tfield:char comm[4];\toffset:12;\tsize:4;\tsigned:1;\n\tfield:unsigned long state;\toffset:16;\tsize:8;\tsigned:0;\n"
	printf "\nprint fmt: \"%%d %%s %%s %%s\", REC->from, REC->comm, "
	printf "__print_flags(REC->state, \"|\", { 0x20, \"Z\" }, { 0x80, \"I\" }), __print_symbolic(REC->from, { 7, \"seven\" })\n"
} > format
mkdata t.data <<END
event sched:sched_switch type=tracepoint config=5 sample=identifier|ip|tid|time|cpu|raw|period ids=1 flags=sample_id_all|comm
comm tid=9 comm="a\x1b[31m" time=1
feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,0,8 u32:4096
feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
feature tracing_data u32:1 text:"sched" u8:0 u32:1 u64:$(wc -c < format) file:format u32:0 u32:0 u64:0
feature event_desc
sample id=1 tid=9 cpu=3 time=2000000007 raw="\x05\0\x01\x02\x09\0\0\0\xff\xff\xff\xffxy\0\0\xa1\0\0\0\0\0\0\0"
END

check 'functions of tracepoints: common values, fields, words, and the sample where it is wanted' '
	code trace <<-EOF
	def sched__sched_switch(event_name, context, common_cpu, common_secs, common_nsecs, common_pid,
	                        common_comm, common_callchain, from_, comm, state, sample):
	    print(event_name, common_cpu, common_secs, common_nsecs, common_pid, common_comm, common_callchain)
	    print(from_, comm, state, common_flags(context), common_pc(context), common_lock_depth(context))
	    print(flag_str(event_name, "state", state), symbol_str(event_name, "from", 7), symbol_str(event_name, "from", 8))
	    print(repr(flag_str(event_name, "comm", 1)), repr(flag_str("no__such", "x", 1)), sample["sample"]["cpu"])
	EOF
	$PERF script -i t.data -s trace.py > out
	same - out <<-EOF
	sched__sched_switch 3 2 7 9 a\\x1b[31m []
	-1 xy 161 1 2 0
	Z|I|0x1 seven 0x8
	'\'''\'' '\'''\'' 3
	EOF
'
check 'trace_unhandled gets what has no function' '
	code un <<-EOF
	def trace_unhandled(event_name, context, fields, sample): print(event_name, list(fields.items())[6:], len(sample["raw_buf"]))
	EOF
	$PERF script -i t.data -s un.py > out
	echo "sched__sched_switch [('\''from'\'', -1), ('\''comm'\'', '\''xy'\''), ('\''state'\'', 161)] 28" | same - out
'
check '-g writes a script that runs, and nothing over another one' '
	mkdir new
	(cd new && $PERF script -i ../t.data -g python > out && $PERF script -i ../t.data -s perf-script.py > text)
	says "generated Python script: perf-script.py" new/out
	grep -q "sched__sched_switch .* 3 .* 2.000000007 .* from_=-1 comm=xy state=Z|I|0x1" new/text
	(cd new && fails_with 1 $PERF script -i ../t.data -g python 2> err)
	says "cannot write perf-script.py: File exists" new/err
	rm new/perf-script.py
	(cd new && $PERF script -i ../x.data -g py > out && $PERF script -i ../x.data -s perf-script.py > text)
	says "leaf" new/text
	$PERF script -i x.data -g new/own.py > out
	says "generated Python script: new/own.py" out
	cmp new/own.py new/perf-script.py
	fails_with 1 $PERF script -i x.data -g new/own.py 2> err
	says "cannot write new/own.py: File exists" err
'
check 'Core and Util' '
	code util <<-EOF
	def trace_begin():
	    d = autodict()
	    d["a"]["b"] = 1
	    print(d["a"]["b"], trace_flag_str(3), trace_flag_str(0), taskState(1), nsecs(1, 2), nsecs_str(1000000002), avg(6, 4), syscall_name(0), syscall_name(99999), strerror(-2))
	EOF
	script util.py > out
	echo "1 IRQS_OFF | IRQS_NOSUPPORT NONE S 1000000002 ('\''    1.000000002'\'',) 1.5 $(uname -m | sed "s/^x86_64$/read/; t; s/.*/io_setup/") 99999 ENOENT" | same - out
'
check 'EventClass; SchedGui is missed with a hint; the configuration, letters of --itrace' '
	code more <<-EOF
	from EventClass import *
	def trace_begin():
	    e = create_event("n", "c", "d", "s", bytes(range(176)))
	    print(e.ev_type == EVTYPE_PEBS_LL, hex(e.ip), hex(e.lat), PerfEvent.event_num)
	    create_event("n", "c", "d", "s", b"").show()
	    print(perf_config_get("a.b"), perf_config_get("a.c"), perf_set_itrace_options(perf_script_context, "i10us"), perf_set_itrace_options(perf_script_context, "?"))
	    try:
	        import SchedGui
	    except ImportError as x:
	        print(x)
	EOF
	sed -i "s/^from perf_trace_context.*/from perf_trace_context import perf_config_get, perf_set_itrace_options/" more.py
	export PERF_CONFIG="$PWD/config" PERF_EXEC_PATH="$PWD"
	printf "[a]\n\tb = 5 x\n" > config
	script more.py > out
	same - out <<-EOF
	True 0xf0e0d0c0b0a0908 0xafaeadacabaaa9a8 1
	PMU event: name=           n, symbol=                       s, comm=       c, dso=           d
	5 x None 0 -1
	perf has no SchedGui, which draws a window: perf timechart and perf sched map show what tasks did on which CPU
	EOF
'
check 'modules in shared objects, and those beside the script' '
	mkdir -p lib
	echo "def hello(): return 5" > lib/beside.py
	printf "import beside\nimport _json\ndef trace_end(): print(beside.hello())\n" > lib/top.py
	script lib/top.py > out
	test "$(cat out)" = 5
'
check 'sys.exit() ends perf with its status, an exception with 1 after a traceback' '
	printf "import sys\ndef process_event(e):\n    print(1)\n    sys.exit(3)\n" > exit.py
	fails_with 3 $PERF script -i x.data -s exit.py > out
	test "$(cat out)" = 1
	printf "def process_event(e): return 1 / 0\n" > bad.py
	fails_with 1 $PERF script -i x.data -s bad.py 2> err
	says "ZeroDivisionError" err
	says "Error: bad.py failed, as Python says above" err
	printf "def x(:\n" > syntax.py
	fails_with 1 $PERF script -i x.data -s syntax.py 2> err
	says "SyntaxError" err
'
# waits in its first sample until the signal was sent
cat > slow.py <<'EOF'
import os, time
n = 0
def process_event(e):
    global n
    n += 1
    open("begun", "w").close()
    while not os.path.exists("sent"): time.sleep(0.01)
def trace_end(): print("end", n)
EOF
check_if SIGINT 'the first Ctrl-C calls trace_end' '
	as_foreground $PERF script -i x.data -s slow.py > out &
	pid=$!
	until_true test -e begun
	kill -INT $pid
	touch sent
	wait $pid
	test "$(cat out)" = "end 1"
'
check 'where Ctrl-C is ignored, as beside a recorder, all samples are read' '
	rm -f begun sent
	$PERF script -i x.data -s slow.py > out &
	pid=$!
	until_true test -e begun
	kill -INT $pid
	touch sent
	wait $pid
	test "$(cat out)" = "end 4"
'
check 'says what is wrong' '
	fails_with 1 $PERF script -i x.data -s nosuch.py 2> err
	says "cannot read nosuch.py: No such file or directory" err
	fails_with 129 $PERF script -i x.data -s x.rb 2> err
	says "its name does not end in .py" err
	fails_with 129 $PERF script -i x.data -s Ruby:x.rb 2> err
	says "not in '\''Ruby'\''" err
	fails_with 129 $PERF script -i x.data -g x.rb 2> err
	says "scripts are written in Python" err
	fails_with 129 $PERF script -i x.data --json -s all.py 2> err
	says "excludes --json" err
	printf "print(\"x\")\n" > py.py
	if [ -w /dev/full ]; then
		fails_with 1 $PERF script -i x.data -s py.py 2> err > /dev/full
		says "No space left on device" err
	fi
'
