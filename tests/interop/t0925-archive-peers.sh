#!/bin/sh
# Archives of upstream's perf archive are unpacked, and ours are read by tar and by upstream's report.
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS

have_ARCHIVER() {
	have_PEER61 && command -v bzip2 > /dev/null && [ -x "$("$PEER" --exec-path)/perf-archive" ] ||
		{ echo "needs upstream's perf archive and bzip2"; return 1; }
	$PERF check -q feature bzip2 || { echo "built without bzip2"; return 1; }
}
check_if PEER61,ARCHIVER 'upstream packs, we unpack; we pack, upstream reports' '
	upstream "$PEER" record -q -e cpu-clock -o a.data -- "$PERF" test -w deterministic 20000
	"$PEER" archive a.data > /dev/null
	$PERF --buildid-dir "$PWD/one" archive --unpack a.data.tar.bz2 2> log
	grep -q "added [1-9]" log
	$PERF --buildid-dir "$PWD/one" buildid-cache -l | cut -d " " -f 1 | sort > got
	test -s got
	rm a.data.tar.bz2
	$PERF archive a.data 2> log
	mkdir two
	tar -xf a.data.tar.bz2 -C two
	$PERF --buildid-dir "$PWD/two" buildid-cache -l | cut -d " " -f 1 | sort | same got -
	upstream "$PEER" report --stdio -i a.data 2> log | grep -v "^#" > want
	upstream "$PEER" --buildid-dir "$PWD/two" report --stdio -i a.data 2> log | grep -v "^#" | same want -
'
