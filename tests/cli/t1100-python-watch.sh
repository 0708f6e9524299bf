#!/bin/sh
# The module perf: events that are opened, counted and sampled; the watcher of tasks that everybody has.
. "$(dirname "$0")/lib.sh"
need MODULE

check 'CPUs and threads are sequences of numbers' '
	cat > x.py << "END"
import os, perf
assert list(perf.cpu_map("0-2,5")) == [0, 1, 2, 5] and len(perf.cpu_map("7")) == 1
assert perf.cpu_map("3,1")[-1] == 3 and 1 in perf.cpu_map("1") and repr(perf.cpu_map("4-6")) == "cpu_map(\x274-6\x27)"
assert list(perf.thread_map()) == [-1] and list(perf.thread_map(tid=0)) == [0]
assert os.getpid() in perf.thread_map(os.getpid()) and list(perf.thread_map(-1, os.getpid())) == [os.getpid()]
END
	python x.py
'
check 'attributes are keywords and members' '
	cat > x.py << "END"
import perf
e = perf.evsel(type=perf.TYPE_SOFTWARE, config=perf.COUNT_SW_DUMMY, task=1, comm=1, precise_ip=2, wakeup_events=3)
assert (e.type, e.config, e.task, e.comm, e.mmap, e.precise_ip, e.wakeup_events) == (1, 9, 1, 1, 0, 2, 3)
assert repr(e) == "evsel(software/dummy:pp/)" and e.sample_type == perf.SAMPLE_PERIOD | perf.SAMPLE_TID
e.config, e.precise_ip = perf.COUNT_SW_PAGE_FAULTS, 1
assert (e.config, e.precise_ip, e.task) == (2, 1, 1)
for call, error in ((lambda: perf.evsel(foo=1), TypeError), (lambda: perf.evsel(precise_ip=4), OverflowError),
		    (lambda: perf.evsel(wakeup_events=1 << 32), OverflowError), (lambda: perf.evsel(type="x"), TypeError)):
	try: call()
	except error: pass
	else: raise AssertionError(error)
v = perf.counts_values((6, 4, 2))
assert v.values == [6, 4, 2, 0, 0] and v.scaled == 12 and perf.counts_values((1, 2)).scaled is None
END
	python x.py
'
check 'events of a string are a sequence' '
	cat > x.py << "END"
import perf
l = perf.parse_events("task-clock,{page-faults,dummy}:u", perf.cpu_map("0"))
assert len(l) == 3 and [e.name for e in l] == ["task-clock", "page-faults", "dummy"] and l[-1].exclude_kernel == 1
assert repr(l).startswith("evlist([software/task-clock/,software/page-faults/") and list(l.all_cpus()) == [0]
END
	python x.py
'
check 'errors are exceptions with the sentence and hints of perf, and nothing is printed' '
	cat > x.py << "END"
import perf
def raises(cls, text, call):
	try: call()
	except cls as e: assert text in str(e), str(e); return e
	raise AssertionError(text)
e = raises(perf.NotFound, "cyclse", lambda: perf.parse_events("cyclse"))
assert isinstance(e, (perf.Error, OSError)) and isinstance(e, FileNotFoundError) and e.errno == 2
assert e.message.startswith("event") and "^~~" in e.place and len(e.hints) >= 1 and e.hints[0] in str(e)
raises(ValueError, "xyz", lambda: perf.cpu_map("xyz"))
raises(ProcessLookupError, "99999999", lambda: perf.thread_map(99999999))
raises(IndexError, "range", lambda: perf.cpu_map("0")[1])
l = perf.evlist(perf.cpu_map(), perf.thread_map())
raises(ValueError, "no events", l.mmap)
l.add(perf.evsel(type=1, config=9))
raises(ValueError, "open() first", l.mmap)
raises(ValueError, "mmap() first", l.poll)
raises(TypeError, "perf.evsel", lambda: l.add(1))
raises(TypeError, "perf.cpu_map", lambda: perf.evlist(1, 2))
raises(TypeError, "comm_event", perf.comm_event)
raises(ValueError, "groups", lambda: l.open(group=1))
END
	python x.py > out 2>&1
	same /dev/null out
'
check_if EVENTS 'a thread counts for itself, and counts end when they are disabled' '
	cat > x.py << "END"
import perf
l = perf.parse_events("page-faults,task-clock", perf.cpu_map("-1"), perf.thread_map(tid=0))
for e in l: e.disabled = 1
l.open()
fault, clock = (lambda i: lambda: l[i].read(-1, 0))(0), lambda: l[1].read(-1, 0)
bytearray(10 << 20)
assert fault().val == 0
l.enable()
bytearray(10 << 20)
l.disable()
n = fault()
assert n.val >= 100 and n.ena > 0 and n.run > 0 and clock().val > 0
bytearray(10 << 20)
assert fault().val == n.val
l.close()
for again in range(3):
	l.open(); l.close(); l.close()
END
	python x.py
'
check_if EVENTS 'a group is read one event at a time' '
	cat > x.py << "END"
import perf
l = perf.parse_events("{dummy,page-faults,task-clock}", perf.cpu_map("-1"), perf.thread_map(tid=0))
for e in l: e.read_format |= perf.FORMAT_GROUP | perf.FORMAT_ID
l.open()
bytearray(10 << 20)
v = [e.read(-1, 0) for e in l]
assert v[0].val == 0 and v[1].val >= 100 and len(set(x.id for x in v)) == 3, v
END
	python x.py
'

cat > watch.py << "END"
# what many scripts are made of: forks, names and ends of tasks
import perf, os, subprocess, sys
cpus = perf.cpu_map()
threads = perf.thread_map(-1)
evsel = perf.evsel(type=perf.TYPE_SOFTWARE, config=perf.COUNT_SW_DUMMY, task=1, comm=1, mmap=0, freq=0,
		   wakeup_events=1, watermark=1, sample_id_all=1, context_switch=0,
		   sample_type=perf.SAMPLE_PERIOD | perf.SAMPLE_TID | perf.SAMPLE_CPU)
evsel.open(cpus=cpus, threads=threads)
evlist = perf.evlist(cpus, threads)
evlist.add(evsel)
evlist.mmap()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
forks, exits, comms, over = [], [], [], False
while not over:
	evlist.poll(timeout=-1)
	for cpu in cpus:
		event = evlist.read_on_cpu(cpu)
		if not event:
			continue
		if event.type == perf.RECORD_LOST:
			print("lost", event)
			sys.exit()
		if event.type == perf.RECORD_FORK and event.ppid == child.pid and event.tid != child.pid:
			assert event.sample_cpu == cpu and event.sample_tid == child.pid and event.ptid == child.pid
			forks.append(event.tid)
		elif event.type == perf.RECORD_EXIT:
			if event.ppid == child.pid: exits.append(event.tid)
			over |= event.tid == child.pid
		elif event.type == perf.RECORD_COMM and event.tid == child.pid:
			comms.append(event.comm)
for cpu in cpus:	# other CPUs may be behind
	while True:
		event = evlist.read_on_cpu(cpu)
		if not event:
			break
		if event.type == perf.RECORD_FORK and event.ppid == child.pid and event.tid != child.pid: forks.append(event.tid)
		if event.type == perf.RECORD_EXIT and event.ppid == child.pid: exits.append(event.tid)
child.wait()
print(len(forks), len(exits), sorted(forks) == sorted(exits), comms)
END
check_if ROOT,EVENTS 'the watcher of tasks sees each of 10,000 forks' '
	$PERF bench syscall fork -l 10000 > out
	python watch.py $PERF bench syscall fork -l 10000 > out
	not grep -q "^lost" out || skip "other programs made too many records"
	echo "10000 10000 True [\x27perf\x27]" | sed "s/.x27/\x27/g" | same - out
'
check_if EVENTS 'children have rings by CPU' '
	cat > x.py << "END"
import os, perf
def events(cpus):
	l = perf.parse_events("dummy", cpus, perf.thread_map(tid=0))
	l.config()
	l[0].inherit = 1
	l.open()
	return l
try: events(perf.cpu_map("-1")).mmap()
except perf.InvalidValue as e: assert "cpu_map()" in str(e)
else: raise AssertionError
l = events(perf.cpu_map())
l.mmap()
l.enable()
pid = os.fork()
if not pid: os._exit(0)
os.waitpid(pid, 0)
ended = [e.pid for cpu in l.all_cpus() for e in iter(lambda: l.read_on_cpu(cpu), None) if e.type == perf.RECORD_EXIT]
assert ended == [pid], ended
END
	python x.py
'
check_if EVENTS 'a ring that overwrites keeps the newest records' '
	cat > x.py << "END"
import mmap, perf
def fault(nr):
	m = mmap.mmap(-1, nr * mmap.PAGESIZE)
	for page in range(nr): m[page * mmap.PAGESIZE] = 1
def events(**attr):
	l = perf.evlist(perf.cpu_map("-1"), perf.thread_map(tid=0))
	l.add(perf.evsel(type=perf.TYPE_SOFTWARE, config=perf.COUNT_SW_PAGE_FAULTS, sample_period=1, watermark=0,
			 wakeup_events=1, exclude_kernel=1, sample_type=perf.SAMPLE_TIME | perf.SAMPLE_ADDR, **attr))
	l.open()
	return l
l = events(write_backward=1)
l.mmap(pages=1, overwrite=1)
assert l[0].write_backward == 1 and len(l.get_pollfd()) == 1
fault(2000)
l.disable()
assert l.poll(timeout=1000) == 1
def drain(l):
	return [e.sample_time for e in iter(lambda: l.read_on_cpu(-1), None)]
times = drain(l)
# 4096 bytes hold at most 170 samples of 24 bytes
assert 100 <= len(times) <= 170 and times == sorted(times), len(times)
assert l.read_on_cpu(-1) is None
l.enable(); fault(10); l.disable()
more = drain(l)
assert 10 <= len(more) <= 170 and more[0] > times[-1], len(more)
l.enable(); fault(1000); l.read_on_cpu(-1); l.close()
try: events().mmap(overwrite=1)
except ValueError as e: assert "write_backward=1" in str(e)
else: assert False
END
	python x.py
'
check_if EVENTS 'objects are dropped in any order' '
	cat > x.py << "END"
import gc, itertools, os, perf
for order in itertools.permutations(range(5)):
	cpus, threads = perf.cpu_map("-1"), perf.thread_map(tid=0)
	l = perf.evlist(cpus, threads)
	e = perf.evsel(type=1, config=perf.COUNT_SW_DUMMY, comm=1, sample_id_all=1)
	l.add(e); l.open(); l.mmap(pages=1)
	with open("/proc/self/comm", "w") as f: f.write("renamed")
	r = l.read_on_cpu(-1)
	assert r.comm == "renamed" and r.evsel is e
	have = [cpus, threads, l, e, r]
	del cpus, threads, l, e, r
	for i in order:
		have[i] = None
		gc.collect(0)
fds = len(os.listdir("/proc/self/fd"))
assert fds < 10, fds
END
	python x.py
'
check_if EVENTS 'threads of Python run while poll() waits, and Ctrl-C ends it' '
	cat > x.py << "END"
import os, perf, signal, threading
l = perf.evlist(perf.cpu_map("-1"), perf.thread_map(tid=0))
e = perf.evsel(type=1, config=perf.COUNT_SW_DUMMY, comm=1, sample_id_all=1, wakeup_events=1, watermark=1)
l.add(e); l.open(); l.mmap(pages=1)
assert l.poll(timeout=0) == 0
try:
	threading.Thread(target=lambda: os.kill(os.getpid(), signal.SIGINT)).start()
	l.poll()
except KeyboardInterrupt: print("interrupted")
with open("/proc/thread-self/comm", "w") as f: f.write("x")
assert l.poll() == 1
while l.read_on_cpu(-1).type != perf.RECORD_COMM: pass
assert l.poll(timeout=1) == 0
# closing in another thread ends it, too, whenever that happens
def wait():
	try:
		while l.poll():
			while l.read_on_cpu(-1): pass
	except ValueError as e: assert "mmap" in str(e)
t = threading.Thread(target=wait)
p = l.get_pollfd()
t.start()
l.close()
t.join()
assert len(p) == 1 and p[0].fileno() == p[0] and isinstance(p[0], int)
END
	python x.py > out
	finds interrupted < out
'
check_if ROOT,EVENTS,TRACEFS 'a tracepoint is found by name, and its samples are read' '
	cat > x.py << "END"
import os, perf
nr = perf.tracepoint(sys="sched", name="sched_process_exit")
assert nr == int(os.popen("cat /sys/kernel/tracing/events/sched/sched_process_exit/id").read())
l = perf.parse_events("sched:sched_process_exit")
assert l[0].config == nr and l[0].type == perf.TYPE_TRACEPOINT
l.open(); l.mmap()
pid = os.fork()
if not pid: os._exit(0)
os.waitpid(pid, 0)
l.poll()
found = []
for cpu in l.all_cpus():
	for event in iter(lambda: l.read_on_cpu(cpu), None):
		if event.type == perf.RECORD_SAMPLE: found.append((event.sample_tid, len(event.sample_raw) > 8))
assert (pid, True) in found, found
try: perf.tracepoint("sched", "nothing")
except perf.Error as e: assert "nothing" in str(e)
END
	python x.py
'
