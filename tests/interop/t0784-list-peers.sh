#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"
need TRACEFS

# what upstream lists and we do not, and the other way round, with the reason
have_PYTHON() {
	command -v python3 > /dev/null || { echo "needs python3"; return 1; }
}
cat > compare.py <<'EOF'
import json
import re

theirs = json.load(open("theirs.json"))
ours = {o.get("EventName"): o for o in json.load(open("ours.json"))}
bad = []
for o in theirs:
	name = o.get("EventName")
	if not name or o["EventType"] in ("SDT event",):
		continue
	# most formats of the subsystem "ftrace" have no id: they cannot be recorded
	if name.startswith("ftrace:") and name not in ours:
		continue
	# shown without a CPU PMU as well, there with every bit of its words
	if re.match(r"cpu/config=", name) and any(n and n.startswith("cpu/t1=") for n in ours):
		continue
	# only where the frequency can be told
	if name in ("system_tsc_freq", "slots") and name not in ours:
		continue
	if name not in ours:
		bad.append("missing: " + name)
		continue
	mine = ours[name]
	keys = ["Unit", "Encoding", "PublicDescription"] if name != "rNNN" else []
	for key in keys:
		if mine.get(key) != o.get(key):
			bad.append("%s: %s is %r, not %r" % (name, key, mine.get(key), o.get(key)))
	# one spelling for all codes of hardware events
	if mine["EventType"].replace("Raw hardware", "Raw") != o["EventType"]:
		bad.append("%s: %s, not %s" % (name, mine["EventType"], o["EventType"]))
print("\n".join(bad))
raise SystemExit(len(bad) > 0)
EOF
check_if NEWEST,PYTHON 'names, encodings and kinds as the newest upstream' '
	have_NEWEST
	$NEWEST list -j > theirs.json
	$PERF list -j > ours.json
	python3 compare.py
'
check_if PEER61 'every line of perf 6.1 but vendor names' '
	have_PEER61
	$PEER list 2> /dev/null | sed "s/^ *//; s/  *\[/ [/" | grep "\]$" |
		grep -E "\[(Software|Hardware|Hardware cache|Tool|Tracepoint|Kernel PMU) event\]$" | LC_ALL=C sort > theirs
	$PERF list 2> /dev/null | sed "s/^ *//; s/  *\[/ [/" | LC_ALL=C sort > ours
	LC_ALL=C comm -23 theirs ours > missing
	cat missing
	test ! -s missing
'
