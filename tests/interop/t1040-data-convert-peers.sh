#!/bin/sh
# perf data convert --to-json: the same document as upstream's
. "$(dirname "$0")/../cli/lib.sh"
need NEWEST
echo "import json" | python3 2> /dev/null || skip_all "no python3 with its json module"

cat > same.py <<'END'
import json, sys
a, b = (json.load(open(f)) for f in sys.argv[1:3])
begins = {"0x" + line.strip() for line in open(sys.argv[3])}
# of files that lack them, upstream names the machine that converts
for doc in (a, b):
	for key in ("os-release", "cpuid", "nrcpus-avail"):
		doc["headers"].pop(key)
assert list(a) == list(b), (list(a), list(b))
assert list(a["headers"]) == list(b["headers"]), (list(a["headers"]), list(b["headers"]))
assert a["headers"] == b["headers"], (a["headers"], b["headers"])
assert len(a["samples"]) == len(b["samples"]) > 0
for x, y in zip(a["samples"], b["samples"]):
	# a chain ends where frame pointers lead to no code; upstream goes on from there
	nr = len(x["callchain"])
	assert not any("symbol" in f for f in y["callchain"][nr:nr + 1]), (x, y)
	# code of a program that another one replaced (exec) keeps its name here, and so does a caller that ends in
	# its call
	for f, g in zip(x["callchain"], y["callchain"]):
		assert f["ip"] == g["ip"] and ("symbol" not in g or f == g or f["ip"] in begins), (f, g)
	del x["callchain"], y["callchain"]
	# the kernel has no number any more for a task that is about to vanish: upstream takes all of them for one
	if y["tid"] == -1:
		y["comm"], y["pid"] = x["comm"], x["pid"]
	# a task that has exited keeps its name, too
	if y["comm"] == ":%d" % y["tid"]:
		y["comm"] = x["comm"]
	assert list(x) == list(y) and x == y, (x, y)
END
# compare FILE OPTION...
compare() {
	rm -f ours.json theirs.json
	file=$1
	shift
	$PERF data convert -i $file --to-json ours.json "$@" 2> err
	"$NEWEST" data convert -i $file --to-json theirs.json "$@" > out 2>&1
	beginnings "$NEWEST" "$file" > begins
	python3 same.py ours.json theirs.json begins
}

check 'addresses, call chains, names' '
	cat > a.mk <<-EOF
	event a sample=ip|tid|time|cpu|callchain flags=sample_id_all|comm|mmap2
	feature hostname str:"box"
	feature osrelease str:"6.1"
	feature cpuid str:"x"
	feature cpudesc str:"y"
	feature nrcpus u32:4 u32:4
	feature arch str:"x86_64"
	feature version str:"6"
	feature cmdline u32:2 str:"perf" str:"record"
	comm tid=$$ comm="app \"x\"" time=1
	mmap2 tid=$$ addr=0x501000 len=0x1000 prot=5 flags=2 filename="//anon" time=2
	sample tid=$$ cpu=3 time=20 ip=0x501010 chain=-512,0x501010,0x501110,0x9000
	sample tid=200 cpu=0 time=30 ip=0x501010 chain=-512,0x501010
	sample tid=$$ cpu=1 time=40 ip=0x501010
	EOF
	mkdata a.data < a.mk
	printf "501000 100 inner\n501100 100 outer\n" > /tmp/perf-$$.map
	compare a.data
	grep -q "\"outer\"" ours.json
	compare a.data --time 0.000000025,
	rm -f /tmp/perf-$$.map'
check_if EVENTS,ROOT,TRACEFS 'a recording with tracepoints' '
	# not of the whole machine: code of programs that other tests compile while they run has two names
	$PERF record -q -g --sample-cpu -e sched:sched_switch -e cpu-clock -o t.data -- $PERF test -w context_switch_loop 200
	compare t.data
	grep -q "prev_comm" ours.json'
