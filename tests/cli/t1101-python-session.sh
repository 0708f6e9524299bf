#!/bin/sh
# The module perf: recordings, their records and samples, frames, columns, in any form a file can have.
. "$(dirname "$0")/lib.sh"
need MODULE

cat > text << "END"
event cpu-clock config=cpu-clock period=1000 sample=identifier|ip|tid|time|addr|cpu|period|callchain flags=sample_id_all|comm|mmap2|task
event page-faults config=page-faults period=1 sample=identifier|ip|tid|time|cpu|period|callchain flags=sample_id_all
comm tid=100 comm="cat" time=1000
mmap2 tid=100 addr=0x400000 len=0x10000 prot=5 flags=2 filename="/nowhere/cat" time=1001
fork pid=200 tid=200 ppid=100 ptid=100 time=1500
repeat 3
sample tid=100 ip=0x400100+$i*16 time=2000+$i*1000 period=1000 cpu=1 addr=0x77 chain=-512,0x400100+$i*16,0x400300
end
sample ev=page-faults tid=200 ip=0x401000 time=2500 period=1 cpu=0
lost id=1 lost=7 time=5500
throttle time=5600 id=1 stream_id=3
switch time=5700 tid=100 misc=0x2000
switch_cpu_wide time=5800 next_prev_pid=5 next_prev_tid=6
exit pid=200 tid=200 ppid=100 ptid=100 time=6000
finished_round
END
for order in little big; do
	{ echo "order $order"; cat text; } | mkdata $order.data
done
{ echo "format pipe"; cat text; } | mkdata pipe.data

cat > records.py << "END"
import perf, sys
with perf.session(sys.argv[1]) as s:
	print(s.nr_samples, s.times, [e.name for e in s.events])
	for e in s:
		if isinstance(e, perf.sample_event):
			print(e.sample_time, e.evsel.name, e.sample_comm, e.sample_tid, hex(e.sample_ip), e.sample_cpu, e.sample_period,
			      [hex(f.ip) for f in e.frames()], [f.dso for f in e.frames()], len(e.sample_callchain), e.sample_addr)
		elif not isinstance(e, perf.other_event):
			print(e, e.sample_time if isinstance(e, perf.switch_event) else "")
END
cat > expected << "END"
4 (2000, 4000) ['cpu-clock', 'page-faults']
{ type: comm, pid: 100, tid: 100, comm: cat } 
{ type: mmap, pid: 100, tid: 100, start: 0x400000, length: 0x10000, offset: 0, filename: /nowhere/cat } 
{ type: fork, pid: 200, ppid: 100, tid: 200, ptid: 100, time: 1500} 
2000 cpu-clock cat 100 0x400100 1 1000 ['0x400100', '0x400300'] ['/nowhere/cat', '/nowhere/cat'] 3 119
2500 page-faults cat 200 0x401000 0 1 ['0x401000'] ['/nowhere/cat'] 0 0
3000 cpu-clock cat 100 0x400110 1 1000 ['0x400110', '0x400300'] ['/nowhere/cat', '/nowhere/cat'] 3 119
4000 cpu-clock cat 100 0x400120 1 1000 ['0x400120', '0x400300'] ['/nowhere/cat', '/nowhere/cat'] 3 119
{ type: lost, id: 0x1, lost: 0x7 } 
{ type: throttle, time: 5600, id: 1, stream_id: 3 } 
{ type: context_switch, next_prev_pid: 0, next_prev_tid: 0, switch_out: 1 } 5700
{ type: context_switch, next_prev_pid: 5, next_prev_tid: 6, switch_out: 0 } 5800
{ type: exit, pid: 200, ppid: 100, tid: 200, ptid: 100, time: 6000} 
END
check 'records come in the order of time, whatever the byte order and the form of the file' '
	for f in little big pipe; do
		python -W "ignore::perf.Warning" records.py $f.data > out 2> err || { cat err; false; }
		same expected out
		same /dev/null err
	done
'
check 'columns are what the samples have' '
	cat > x.py << "END"
import perf, sys
s = perf.session(sys.argv[1])
names = ("time", "ip", "addr", "period", "tid", "pid", "cpu", "event", "comm", "dso", "symbol", "mode", "offset")
c = s.columns(*names)
assert tuple(c) == names and all(len(v) == 4 for v in c.values())
assert [v.format for v in c.values()] == list("QQQQiiiIIIIBQ")
order = sorted(range(4), key=lambda i: c["time"][i])
for i, e in zip(order, s.samples()):
	assert (c["time"][i], c["ip"][i], c["tid"][i], c["cpu"][i], c["period"][i]) == (e.sample_time, e.sample_ip,
		e.sample_tid, e.sample_cpu, e.sample_period)
	assert s.names("event")[c["event"][i]] == e.evsel.name and s.events[c["event"][i]] is e.evsel
	assert s.names("comm")[c["comm"][i]] == e.sample_comm == "cat" and s.names("dso")[c["dso"][i]] == "/nowhere/cat"
	assert s.names("symbol")[c["symbol"][i]] is None and c["mode"][i] == 2
assert list(c["addr"]) == [0x77, 0x77, 0x77, 2 ** 64 - 1]
for which in ("page-faults", s.events[1]):
	one = s.columns("time", event=which)
	assert list(one["time"]) == [2500] and [e.sample_time for e in s.samples(which)] == [2500]
END
	for f in little big pipe; do
		python -W ignore::perf.Warning x.py $f.data
	done
'
check 'columns outlive the session, and nothing of them is a copy' '
	cat > x.py << "END"
import ctypes, gc, perf
s = perf.session("little.data")
t = s.columns("time")["time"]
del s
gc.collect()
assert t.tolist() == [2000, 3000, 4000, 2500] and t.contiguous and not t.readonly and t.nbytes == 32
# the memory that any taker of a buffer sees is that of the array
taken = (ctypes.c_uint64 * 4).from_buffer(t)
taken[0] = 5
assert t[0] == 5
END
	python x.py
'
check 'what is wrong with a name, an event or a file is an exception' '
	cat > x.py << "END"
import perf
def raises(cls, text, call):
	try: call()
	except cls as e: assert text in str(e), str(e); return
	raise AssertionError(text)
s = perf.session("little.data")
raises(ValueError, "time, ip", lambda: s.columns("time", "tim"))
raises(TypeError, "names", lambda: s.columns())
raises(TypeError, "str", lambda: s.columns(1))
raises(TypeError, "event", lambda: s.columns("time", x=1))
raises(ValueError, "no event", lambda: s.samples("cycles"))
raises(ValueError, "not one of", lambda: s.samples(perf.evsel()))
raises(ValueError, "names", lambda: s.names("ip"))
raises(AttributeError, "file", lambda: setattr(s.events[0], "config", 1))
raises(TypeError, "file", s.events[0].open)
raises(AttributeError, "nothing", lambda: next(s.samples()).nothing)
i, e = iter(s), next(s.samples())
s.close()
raises(ValueError, "closed", lambda: s.columns("time"))
raises(ValueError, "closed", lambda: iter(s))
# what came out of it lives on
assert len(list(i)) > 10 and e.sample_comm == "cat" and len(e.frames()) == 2
raises(FileNotFoundError, "nowhere", lambda: perf.session("nowhere.data"))
open("x.py", "a").close()
raises(perf.Error, "x.py", lambda: perf.session("x.py"))
END
	python -W ignore::perf.Warning x.py > out 2>&1 || { cat out; false; }
	same /dev/null out
'
check 'why names are missing is a warning, once for each file' '
	cat > x.py << "END"
import perf, warnings
for use in (lambda s: [e.frames() for e in s.samples()], lambda s: s.columns("symbol")):
	with warnings.catch_warnings(record=True) as seen:
		warnings.simplefilter("always")
		s = perf.session("little.data")
		use(s); use(s)
	assert [w.category for w in seen] == [perf.Warning] and "/nowhere/cat" in str(seen[0].message), seen
END
	python x.py
'
check 'a file that ends too early is read, with a warning' '
	head -c $(($(wc -c < little.data) - 60)) little.data > cut.data
	cat > x.py << "END"
import perf, warnings
with warnings.catch_warnings(record=True) as seen:
	warnings.simplefilter("always")
	n = len(list(perf.session("cut.data").samples()))
assert n >= 3, n
assert seen and all(issubclass(w.category, perf.Warning) for w in seen), seen
END
	python x.py 2> err
	same /dev/null err
'
for order in little big; do
	trace_format e 5 -4:n 4:mask text:word > e.format
	raw="u16:5 u8:0,0 u32:9"
	cat <<- END | mkdata trace-$order.data
	order $order
	event sys:e type=tracepoint config=5 sample=identifier|ip|tid|time|raw|period
	feature hostname str:"box"
	feature tracing_data hex:170844 text:"tracing" text:"0.6" u8:0,$([ $order = little ] && echo 0 || echo 1),8 u32:4096
	feature tracing_data text:"header_page" u8:0 u64:2 text:"ab" text:"header_event" u8:0 u64:0 u32:0
	feature tracing_data u32:1 text:"sys" u8:0 u32:1 u64:$(wc -c < e.format) file:e.format u32:0 u32:0 u64:0
	sample tid=9 time=1 $raw u32:0xfffffffe,0xfffffff0,$((0x60014)) text:"hello" u8:0
	sample tid=9 time=2 $raw u32:7
	END
done
check 'fields of tracepoints of a file are attributes, in its byte order' '
	cat > x.py << "END"
import perf, sys
s = perf.session(sys.argv[1])
assert s.header["hostname"] == "box" and s.header["file"] == sys.argv[1]
whole, cut = s.samples()
assert (whole.n, whole.mask, whole.word, whole.common_pid) == (-2, 0xfffffff0, "hello", 9), (whole.n, whole.mask, whole.word)
assert (cut.n, cut.mask, cut.word) == (7, None, None) and len(cut.sample_raw) == 12
for wrong in (lambda: cut.other, lambda: cut.field("other")):
	try: wrong()
	except AttributeError as e: assert "other" in str(e)
	else: raise AssertionError
END
	for order in little big; do
		python x.py trace-$order.data
	done
'
check 'hardware traces become samples, unless itrace is False' '
	cat <<- END | mkdata bts.data
	event intel_bts// type=9 config=0 period=1 sample=ip|tid|identifier ids=10 flags=sample_id_all
	event dummy:u type=software config=9 sample=ip|tid|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
	feature arch str:"x86_64"
	auxtrace_info auxtrace_type=2 priv=9,10,512,0,1,0
	comm ev=dummy:u tid=100 comm="btstest" s_id=11
	mmap2 ev=dummy:u tid=100 addr=0x400000 len=0x10000 prot=5 flags=2 filename="/nowhere/btstest" s_id=11
	auxtrace offset=0 reference=9 idx=0 tid=100 cpu=-1 bts:0x401010,0x401000,0 bts:0x401020,0x401040,16
	END
	cat > x.py << "END"
import perf
s = perf.session("bts.data")
assert [(e.sample_ip, e.sample_addr, e.sample_comm, e.evsel.name) for e in s.samples()] == [
	(0x401010, 0x401000, "btstest", "branches"), (0x401020, 0x401040, "btstest", "branches")]
assert list(s.columns("ip")["ip"]) == [0x401010, 0x401020]
assert list(perf.session("bts.data", itrace=False).samples()) == []
assert len(list(perf.session("bts.data", itrace="b").samples())) == 2
for wrong, error in (("i1000Q~", ValueError), (1, TypeError)):
	try: perf.session("bts.data", itrace=wrong)
	except error: pass
	else: raise AssertionError(wrong)
END
	python -W ignore::perf.Warning x.py
'
check_if EVENTS 'frames have the names that perf script shows' '
	$PERF record -q -g -o x.data -- $PERF test -w deterministic 200 > out
	cat > x.py << "END"
import perf, warnings
warnings.simplefilter("ignore")		# libraries without symbols
for e in perf.session("x.data").samples():
	print()
	frames = list(e.frames())
	for i, f in enumerate(frames):
		# script shows a function that is inlined into a copy of itself as that copy
		outer = next((g.symbol for g in frames[i:] if not g.inlined), None)
		print("%x" % f.ip, f.symbol or "[unknown]", "(inlined)" if f.inlined and f.symbol != outer else "")
END
	python x.py | sed "s/ *\$//" > got
	$PERF script -i x.data -F ip,sym | sed "s/^[[:blank:]]*//; s/ *\$//" > want
	test "$(grep -c . want)" -ge 2
	sed "/^\$/d" got > a
	sed "/^\$/d" want > b
	same b a
'
check_if ROOT,EVENTS,TRACEFS 'fields of tracepoints are attributes, of files and of rings' '
	$PERF record -q -e sched:sched_process_exit -o t.data -- true
	cat > x.py << "END"
import os, perf
s = perf.session("t.data")
e = next(e for e in s.samples() if e.sample_comm == "true")
assert e.comm == e.field("comm") == "true" and type(e.pid) is int and e.pid == e.common_pid == e.sample_tid, (e.comm, e.pid)
assert "comm=true" in e.text() and not hasattr(e, "nothing")
l = perf.parse_events("sched:sched_process_exit", perf.cpu_map(), perf.thread_map())
l.open(); l.mmap()
pid = os.spawnlp(os.P_WAIT, "true", "true")
l.poll()
comms = []
for cpu in l.all_cpus():
	for e in iter(lambda: l.read_on_cpu(cpu), None):
		if e.type == perf.RECORD_SAMPLE: comms.append((e.common_pid == e.sample_tid, type(e.prio)))
assert (True, int) in comms and len(set(comms)) == 1, comms
END
	python x.py
'
check 'a child of a fork is told to open the file itself, and leaves its parent alone' '
	cat > x.py << "END"
import os, perf
s = perf.session("little.data", jobs=2)
pid = os.fork()
if not pid:
	try: s.columns("time")
	except RuntimeError as e: os._exit(0 if "fork" in str(e) else 1)
	os._exit(2)
assert os.waitpid(pid, 0)[1] == 0
assert list(s.columns("cpu")["cpu"]) == [1, 1, 1, 0]
# one without threads works in both
s = perf.session("little.data")
pid = os.fork()
if not pid:
	os._exit(0 if list(s.columns("cpu")["cpu"]) == [1, 1, 1, 0] and len(next(s.samples()).frames()) == 2 else 1)
assert os.waitpid(pid, 0)[1] == 0
assert len(list(s.samples())) == 4
END
	python -W ignore::perf.Warning x.py
'
check 'threads of Python read a session at a time' '
	cat > x.py << "END"
import perf, threading
s = perf.session("little.data")
wrong = []
def work():
	for i in range(50):
		if list(s.columns("ip", "symbol")["ip"])[0] != 0x400100 or len([e.frames() for e in s.samples()]) != 4: wrong.append(i)
t = [threading.Thread(target=work) for _ in range(4)]
for x in t: x.start()
for x in t: x.join()
assert not wrong
END
	python -W ignore::perf.Warning x.py
'
