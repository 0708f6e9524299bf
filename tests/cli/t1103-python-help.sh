#!/bin/sh
# The module perf: its help, its types for checkers, its names beside those of upstream's module, its build.
. "$(dirname "$0")/lib.sh"
need PLAIN MODULE

check 'everything says what it is' '
	cat > x.py << "END"
import perf, pydoc
bad = []
for name, o in vars(perf).items():
	if name.startswith("__") or isinstance(o, int): continue
	if not o.__doc__: bad.append(name)
	if isinstance(o, type) and not issubclass(o, BaseException) and not issubclass(o, tuple):
		bad += [name + "." + m for m, v in vars(o).items() if not m.startswith("__") and not getattr(v, "__doc__", None)]
assert not bad, bad
text = pydoc.render_doc(perf, renderer=pydoc.plaintext)
for part in ("columns(", "weight: cost", "with perf.count(", "compute_metric(", "sample_period", "TYPE_SOFTWARE = 1"):
	assert part in text, part
END
	python x.py
'
check 'perf.pyi has the same names, members and parameters' '
	cat > x.py << "END"
import ast, perf, re, sys
tree = ast.parse(open(sys.argv[1]).read())
private = lambda n: n.startswith("_")
classes, functions, constants = {}, {}, set()
for node in tree.body:
	if isinstance(node, ast.ClassDef): classes[node.name] = node
	elif isinstance(node, ast.FunctionDef): functions[node.name] = node
	elif isinstance(node, ast.AnnAssign): constants.add(node.target.id)
def members(node):
	found = {m.target.id if isinstance(m, ast.AnnAssign) else m.name for m in node.body
		 if isinstance(m, (ast.AnnAssign, ast.FunctionDef))}
	for base in node.bases:
		if isinstance(base, ast.Name) and base.id in classes: found |= members(classes[base.id])
	return {m for m in found if not private(m)}
def parameters(f):
	names = [a.arg for a in f.args.args if a.arg != "self"]
	if f.args.vararg: names.append("*" + f.args.vararg.arg)
	return names + [a.arg for a in f.args.kwonlyargs]
def documented(o):
	sig = re.sub(r"=[^,)]*(\([^)]*\))?[^,)]*", "", o.__text_signature__ or "").strip("()")
	return [p.strip() for p in sig.split(",") if p.strip() not in ("", "*", "$self")]
real = {n for n in dir(perf) if not private(n)}
stub = {n for n in set(classes) | set(functions) | constants if not private(n)}
assert real == stub, real ^ stub
for name, node in classes.items():
	o = getattr(perf, name, None)
	if o is None or issubclass(o, BaseException): continue
	ours = {m for m in vars(o) if not private(m)} - {"n_fields", "n_sequence_fields", "n_unnamed_fields"}
	assert ours == members(node), (name, ours ^ members(node))
	for m in node.body:
		if isinstance(m, ast.FunctionDef) and not private(m.name) and not m.decorator_list:
			assert documented(getattr(o, m.name)) == parameters(m), (name, m.name)
for name, f in functions.items():
	assert documented(getattr(perf, name)) == parameters(f), name
END
	python x.py "$O/python/perf.pyi"
'
check 'the page perf-python has every name, member and column' '
	cat > x.py << "END"
import perf, re, sys
page = open(sys.argv[1]).read()
words = set(re.findall(r"\w+", page))
missing = [n for n in dir(perf) if not n.startswith("_") and n not in words and not isinstance(getattr(perf, n), int)
	   and n not in ("pmu", "frame", "records", "pollfd", "Warning")]
for kind in (perf.session, perf.evlist, perf.count, perf.counts_values, perf.sample_event, perf.frame):
	missing += [m for m in vars(kind) if not m.startswith("_") and m not in words and not m.startswith("n_")
		    and m not in ("keys", "items")]
missing += [c for c in re.findall(r"^ +(\w+): ", perf.session.columns.__doc__, re.M) if "`%s`" % c not in page]
assert not missing, missing
END
	python x.py "$SRC/Documentation/perf-python.txt"
	$PERF help python > out
	says "perf-python - the module perf" out
'
check_if EVENTS 'the examples of the page run' '
	$PERF record -q -o perf.data -- $PERF test -w deterministic 200 > out
	sed -n "/^----\$/,/^----\$/p" "$SRC/Documentation/perf-python.txt" | awk "/^----\$/ { n++; next } n % 2 { print > (\"example-\" (n + 1) / 2) }"
	# 1 is the import alone, 3 needs numpy, 5 runs until it is ended
	python example-2 > out
	finds "[0-9] .* " < out
	{ echo "import perf"; cat example-4; } > x.py
	python x.py > out
	finds -x "[0-9]* [0-9.e-]*" < out
	for n in 3 5; do
		python -m py_compile example-$n
	done
'
# the newest upstream has its module for its own Python
have_NEWEST_MODULE() {
	have_NEWEST || return 1
	case $NEWEST in *newest-perf) ;; *) echo "no module of the newest upstream here"; return 1 ;; esac
	ROOT_DIR=$("$NEWEST" --where)/root
	ls "$ROOT_DIR"/usr/lib/python3/dist-packages/perf.*.so "$ROOT_DIR"/usr/bin/python3.[0-9]* > /dev/null 2>&1 ||
		{ echo "no module of the newest upstream here"; return 1; }
}
check_if NEWEST_MODULE 'every name and member of the newest module of upstream is here' '
	cat > names.py << "END"
import perf
for n in sorted(dir(perf)):
	if n.startswith("__"): continue
	o = getattr(perf, n)
	print(n, o if isinstance(o, int) else "")
	if isinstance(o, type):
		for m in sorted(vars(o)):
			if not m.startswith("__"): print(n + "." + m)
END
	lib=$ROOT_DIR/usr/lib/x86_64-linux-gnu
	for p in "$ROOT_DIR"/usr/bin/python3.[0-9]*; do :; done
	PYTHONHOME=$ROOT_DIR/usr PYTHONPATH=$ROOT_DIR/usr/lib/python3/dist-packages "$lib/ld-linux-x86-64.so.2" \
		--library-path "$lib:$ROOT_DIR/lib/x86_64-linux-gnu" "$p" names.py > theirs
	test "$(wc -l < theirs)" -gt 150
	python names.py > ours
	sort theirs > a
	sort ours > b
	comm -23 a b | same /dev/null -
'
cat > lines.py << "END"
# what print() shows of the records of a process that waits for a line, and its children
import os, perf, sys
last = int(open("/proc/sys/kernel/pid_max").read())
cpus, threads = perf.cpu_map(), perf.thread_map(-1)
evsel = perf.evsel(type=perf.TYPE_SOFTWARE, config=perf.COUNT_SW_DUMMY, task=1, comm=1, mmap=1, freq=0, wakeup_events=1,
	watermark=1, sample_id_all=1, sample_type=perf.SAMPLE_PERIOD | perf.SAMPLE_TID | perf.SAMPLE_CPU)
evsel.open(cpus=cpus, threads=threads)
evlist = perf.evlist(cpus, threads)
evlist.add(evsel)
evlist.mmap()
open(sys.argv[2], "w").close()
over = False
while not over:
	evlist.poll(timeout=100)
	for cpu in cpus:
		while True:
			event = evlist.read_on_cpu(cpu)
			if not event: break
			over |= event.type == perf.RECORD_COMM and event.comm == "the-end"
			# numbers of processes start again after the largest one
			if (event.sample_pid - int(sys.argv[1])) % last < last // 2: print(event.sample_pid, event.sample_cpu, event)
sys.stdout.flush()
os._exit(0)
END
check_if ROOT,EVENTS,NEWEST_MODULE 'records are printed as upstream prints them' '
	lib=$ROOT_DIR/usr/lib/x86_64-linux-gnu
	for p in "$ROOT_DIR"/usr/bin/python3.[0-9]*; do :; done
	cp "$(command -v sleep)" the-end
	sh -c "echo \$\$" > pid
	PYTHONHOME=$ROOT_DIR/usr PYTHONPATH=$ROOT_DIR/usr/lib/python3/dist-packages "$lib/ld-linux-x86-64.so.2" \
		--library-path "$lib:$ROOT_DIR/lib/x86_64-linux-gnu" "$p" lines.py "$(cat pid)" ready-1 > theirs 2> err &
	python lines.py "$(cat pid)" ready-2 > ours &
	until_true test -e ready-1
	until_true test -e ready-2
	sh -c "true; ls / > /dev/null; (exit 3); echo \$\$ > of"
	./the-end 0
	wait
	for f in theirs ours; do
		# both see different parts of what else runs, and have a time of their own
		grep -E "^$(cat of) " $f | sed "s,time: [0-9]*},time: N}," | sort > $f.own || true
	done
	test "$(grep -c "type: mmap" ours.own)" -ge 2
	grep -q "type: comm" ours.own
	same theirs.own ours.own
'
# a Python of another version loads the same file: it needs no symbol that 3.8 lacks
check_if NEWEST_MODULE 'one file serves other versions of Python' '
	lib=$ROOT_DIR/usr/lib/x86_64-linux-gnu
	for p in "$ROOT_DIR"/usr/bin/python3.[0-9]*; do :; done
	printf "event a sample=ip\nsample ip=1\nsample ip=2\n" | mkdata x.data
	echo "import perf, sys; print(sys.version_info[:2], list(perf.session(sys.argv[1]).columns(\"ip\")[\"ip\"]), perf.__file__)" > y.py
	PYTHONHOME=$ROOT_DIR/usr PYTHONPATH=$O/python "$lib/ld-linux-x86-64.so.2" \
		--library-path "$lib:$ROOT_DIR/lib/x86_64-linux-gnu" "$p" y.py x.data > out
	finds -F "[1, 2] $O/python/perf.abi3.so" < out
'
check 'the module exports nothing but its start, and needs no libpython' '
	command -v nm > has || skip "needs nm"
	nm -D --defined-only "$O/python/perf.abi3.so" > out
	sed "s/.* //" out | grep -v "^PyInit_perf$" > more || true
	same /dev/null more
	ldd "$O/python/perf.abi3.so" > libs
	silent_about libpython libs
'
check 'plug-ins are found beside the module, wherever it is started from' '
	mkdir -p away/python "away dir"
	cp "$O/python/perf.abi3.so" away/python/
	mkdir -p away/lib
	cp -r "$O/lib/perf" away/lib/
	$PERF test -w deterministic 1 > out
	cat > x.py << "END"
import perf, sys
print(perf.__file__)
for e in perf.session(sys.argv[1]).samples(): print([f.symbol for f in e.frames()])
END
	cat <<- END | mkdata sym.data
	event a sample=ip|tid
	mmap2 tid=100 addr=0x400000 len=0x100000000 prot=5 flags=2 filename="$PERF"
	sample tid=100 ip=0x400000+$(nm "$PERF" | sed -n "s/^\([0-9a-f]*\) T main$/0x\1/p" | head -n 1)
	END
	cd "away dir"
	PYTHONPATH=../away/python python3 ../x.py ../sym.data > ../out
	cd ..
	finds -F main < out
'
