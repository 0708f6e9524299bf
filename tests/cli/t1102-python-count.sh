#!/bin/sh
# The module perf: counting blocks of Python, metrics, units that count, events made ready for sampling.
. "$(dirname "$0")/lib.sh"
need MODULE

check_if EVENTS 'a block is counted, with the children that it starts' '
	cat > x.py << "END"
import os, perf
with perf.count("page-faults", "task-clock,duration_time") as c:
	assert c["page-faults"] == 0
	bytearray(10 << 20)
	first = c.read()["page-faults"]
	pid = os.fork()
	if not pid:
		bytearray(10 << 20)
		os._exit(0)
	os.waitpid(pid, 0)
	assert list(c) == ["page-faults", "task-clock", "duration_time"] == c.keys() and len(c) == 3
n = dict(c)
assert first >= 100 and n["page-faults"] >= first + 100, (first, n)
assert 0 < n["task-clock"] and c.elapsed > 0 and n == dict(c.items()) and list(c.values()) == list(n.values())
assert 0 < n["duration_time"] <= c.elapsed * 1e9
raw = c.raw("page-faults")
assert raw.val == n["page-faults"] and raw.ena == raw.run > 0
assert repr(c) == "count(%r)" % n
bytearray(10 << 20)
assert dict(c.read()) == n
with perf.count("page-faults", inherit=False) as own:
	pid = os.fork()
	if not pid:
		bytearray(100 << 20)
		os._exit(0)
	os.waitpid(pid, 0)
assert own["page-faults"] < 10000
# once more with the same object
with own: bytearray(10 << 20)
assert own["page-faults"] >= 100
END
	python x.py
'
check_if EVENTS 'another thread is counted, and an exception of the block passes through' '
	cat > x.py << "END"
import os, perf, threading
go, done = threading.Event(), threading.Event()
def work():
	go.wait()
	bytearray(10 << 20)
	done.set()
t = threading.Thread(target=work)
t.start()
try:
	with perf.count("page-faults", threads=perf.thread_map(os.getpid())) as c:
		go.set()
		done.wait()
		1 / 0
except ZeroDivisionError: pass
t.join()
assert c["page-faults"] >= 100
END
	python x.py
'
have_PARANOID2() {
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ] || { echo "needs kernel.perf_event_paranoid 2"; return 1; }
}
check_if NONROOT,PARANOID2,PLAIN 'ordinary users count what they may, under the name they gave' '
	cat > x.py << "END"
import perf, warnings
warnings.simplefilter("ignore")
with perf.count("page-faults") as c: bytearray(10 << 20)
assert list(c) == ["page-faults"] and c["page-faults"] >= 100
try: perf.parse_events("page-faults").open()
except perf.PermissionDenied as e: assert "paranoid" in str(e) and isinstance(e, PermissionError)
else: raise AssertionError
END
	mkdir -p "$TMP/module"
	cp "$O/python/perf.abi3.so" x.py "$TMP/module"
	system=$(PATH=/usr/bin:/bin command -v python3) || skip "needs a python3 that all users may run"
	as_nobody env PYTHONPATH="$TMP/module" "$system" "$TMP/module/x.py"
'
check 'what cannot be counted is an exception' '
	cat > x.py << "END"
import perf
def raises(cls, text, call):
	try: call()
	except cls as e: assert text in str(e), str(e); return
	raise AssertionError(text)
raises(TypeError, "name", lambda: perf.count())
raises(TypeError, "str", lambda: perf.count(1))
raises(perf.NotFound, "cyclse", lambda: perf.count("cyclse"))
raises(TypeError, "thread_map", lambda: perf.count("dummy", threads=1))
raises(TypeError, "thraeds", lambda: perf.count("dummy", thraeds=1))
c = perf.count("dummy")
raises(KeyError, "cycles", lambda: c["cycles"])
raises(KeyError, "cycles", lambda: c.raw("cycles"))
raises(KeyError, "1", lambda: c[1])
raises(perf.Error, "metric", lambda: perf.parse_metrics("no_such_metric"))
l = perf.parse_events("dummy")
raises(ValueError, "parse_metrics", lambda: l.compute_metric("CPUs_utilized", 0, -1))
assert l.metrics() == []
raises(TypeError, "call", next(perf.pmus()).__class__)
END
	python x.py > out 2>&1 || { cat out; false; }
	same /dev/null out
'
check_if EVENTS 'the time of tool events stands still while events are disabled' '
	cat > x.py << "END"
import perf
l = perf.parse_events("dummy,duration_time", perf.cpu_map("-1"), perf.thread_map(tid=0))
for e in l: e.disabled = 1
l.open()
read = lambda: l[1].read(-1, 0).val
assert read() == read() <= 10 ** 6
l.enable()
first = read()
while read() == first: pass
l.disable()
first = read()
assert read() == first > 0
l.enable()
l.disable()
assert read() >= first
END
	python x.py
'
check_if EVENTS 'metrics are computed from what a thread counted' '
	cat > x.py << "END"
import math, perf
assert "CPUs_utilized" in [m["MetricName"] for m in perf.metrics()]
assert all(isinstance(m["MetricGroup"], list) and m["MetricExpr"] for m in perf.metrics())
l = perf.parse_metrics("page_faults_per_second,CPUs_utilized", None, perf.cpu_map("-1"), perf.thread_map(tid=0))
assert sorted(l.metrics()) == ["CPUs_utilized", "page_faults_per_second"]
try: l.compute_metric("CPUs_utilized", -1, 0)
except ValueError as e: assert "open" in str(e)
for e in l: e.disabled = 1
l.open()
assert math.isnan(l.compute_metric("page_faults_per_second", -1, 0))
l.enable()
bytearray(10 << 20)
l.disable()
by_name = {e.name: e.read(-1, 0) for e in l}
faults, clock = by_name["page-faults"].val, by_name["task-clock"].val
value = l.compute_metric("page_faults_per_second", -1, 0)
assert faults >= 100 and abs(value - faults * 1e9 / clock) < value * 1e-6, (value, by_name)
assert l.compute_metric("CPUs_utilized", -1, 0) > 0
END
	python x.py
'
check 'units have the events that perf list shows' '
	cat > x.py << "END"
import perf
units = {p.name(): p for p in perf.pmus()}
assert "tool" in units and repr(units["tool"]) == "pmu(tool)"
for unit in units:
	for e in units[unit].events() if unit != "tracepoint" else ():
		print(unit, e["name"])
END
	python x.py > got
	$PERF list --unit tool --json > tool.json 2> /dev/null || $PERF list tool --json > tool.json
	grep -c "^tool " got > n
	grep EventName tool.json | grep -vc "//" | same - n
	test "$(cat n)" -gt 3
'
check_if ROOT,EVENTS 'config() makes events sample, and their records are told apart' '
	cat > x.py << "END"
import os, perf
l = perf.parse_events("cpu-clock,page-faults", perf.cpu_map(), perf.thread_map(tid=0))
l.config()
assert all(e.sample_type & perf.SAMPLE_ID and e.disabled and e.freq and e.sample_id_all for e in l)
assert [e.task for e in l] == [1, 0] and l[0].tracking and not l[1].tracking
l.open()
try: l.config()
except ValueError as e: assert "open" in str(e)
l.mmap()
l.enable()
for i in range(20): bytearray(10 << 20)
l.disable()
assert l.poll(timeout=-1) >= 1
names = set()
for cpu in l.all_cpus():
	for e in iter(lambda: l.read_on_cpu(cpu), None):
		if e.type == perf.RECORD_SAMPLE:
			names.add(e.evsel.name)
			assert e.sample_tid == os.getpid() and e.sample_cpu == cpu and e.sample_ip and e.sample_id in (e.sample_id,)
assert "page-faults" in names, names
# attributes that the caller gave stay
l = perf.parse_events("page-faults/period=7/")
l.config()
assert l[0].sample_period == 7 and not l[0].freq
END
	python x.py
'
