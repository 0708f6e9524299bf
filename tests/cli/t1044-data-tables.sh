#!/bin/sh
# perf data convert --to rows, --to sqlite: tables for databases, and the queries of Documentation/fleet
. "$(dirname "$0")/lib.sh"

# machine NAME PERIOD FUNCTION: a recording of a machine
machine() {
	cat > "$1.mk" <<-EOF2
	event a sample=ip|tid|time|period|callchain type=1 config=0 flags=sample_id_all|comm|mmap2
	feature hostname str:"$1"
	comm tid=100 comm="shop" time=1
	mmap2 tid=100 addr=0x1000 len=0x2000 prot=5 flags=2 filename="//anon" time=2
	sample tid=100 time=10 period=$2 ip=0x1010 chain=-512,0x1010,0x1110,0x1210
	sample tid=100 time=11 period=$2 ip=0x1110 chain=-512,0x1110,0x1210
	sample tid=100 time=12 period=7 ip=$3 chain=-512,$3,0x1210
	EOF2
	mkdata "$1.data" < "$1.mk"
}
machine one 100 0x1310 && machine two 50 0x1410 || exit 1
touch -d 2026-11-27T10:00:00Z one.data
touch -d 2026-11-28T12:00:00Z two.data
mkdir -p root/tmp
printf '%s\n' '1000 100 in"n\er' '1100 100 outer' '1200 100 main' '1300 100 old' '1400 100 fresh' > root/tmp/perf-100.map
export PERF_FS_ROOT="$PWD/root"
convert() { $PERF data convert "$@"; }
have_SQLITE() { test "$(sqlite3 :memory: "SELECT sqlite_version() >= '3.33'" 2> /dev/null)" = 1 ||
	skip "no sqlite3 of version 3.33 or later"; }
have_PYTHON() { python3 -c "" 2> /dev/null || skip "no python3"; }
have_LIBSQLITE() { $PERF check -q feature libsqlite3 || skip "built without libsqlite3"; }
# load DIR: rows into fleet.db
load() {
	for t in profile frame stack sample; do
		sqlite3 fleet.db ".mode tabs" ".import --skip 1 $1/$t.tsv $t"
	done
}
# ask FILE NAME VALUE...: the answer of a file of queries
ask() {
	file=$1
	shift
	: > params
	while test $# -gt 0; do
		echo ".param set :$1 \"'$2'\"" >> params
		shift 2
	done
	{ cat params; echo ".read $SRC/Documentation/fleet/$file.sql"; } | sqlite3 fleet.db
}

check 'a file per table, with names of columns, and ids that do not change' '
	convert --to rows -o rows --label build=1 one.data 2> err
	says "1 profile, 4 frames, 3 stacks, 3 samples as rows into" err
	for t in profile frame stack sample; do
		cat rows/$t.tsv
	done > out
	expect rows out'
check_if PYTHON 'ids are what their description says' '
	cat > hash.py <<-\EOF2
	import sys
	for line in open(sys.argv[1]).read().split("\n")[1:-1]:
	    h = 0xcbf29ce484222325
	    for byte in "".join(x + "\n" for x in line.split("\t")[1:]).encode():
	        h = (h ^ byte) * 0x100000001b3 & (1 << 64) - 1
	    print(h & (1 << 63) - 1)
	EOF2
	for t in frame stack; do
		python3 hash.py rows/$t.tsv > want
		test -s want
		tail -n +2 rows/$t.tsv | cut -f 1 | same want -
	done'
check 'a frame, a stack and a profile are there once, whatever is added' '
	convert --to rows -o both one.data two.data one.data 2> err
	says "2 profiles, 5 frames, 4 stacks, 6 samples as rows" err
	convert --to rows -o first one.data
	convert --to rows -o second two.data
	for t in frame stack; do
		{ tail -n +2 first/$t.tsv; tail -n +2 second/$t.tsv; } | sort -u > apart
		tail -n +2 both/$t.tsv | sort | same - apart
	done
	cp one.data copy.data
	convert --to rows -o copy copy.data
	tail -n +2 copy/profile.tsv | cut -f 1 > id
	tail -n +2 first/profile.tsv | cut -f 1 | same id -'
check 'the boot of this machine, unless it was an earlier one or another machine; ids are the same without it' '
	mkdir -p root/proc/sys/kernel/random
	echo 11111111-2222-3333-4444-555555555555 > root/proc/sys/kernel/random/boot_id
	printf "cpu 0\nbtime 1795773600\n" > root/proc/stat	# 2026-11-27T10:00:00Z
	cat > here.mk <<-EOF2
	event a sample=ip|tid|time|period type=1 config=0 flags=sample_id_all|comm|mmap2
	feature hostname str:"$(uname -n)"
	feature osrelease str:"$(uname -r)"
	feature arch str:"$(uname -m)"
	sample tid=100 time=10 period=1 ip=0x1010
	EOF2
	mkdata here.data < here.mk
	sed "/hostname/s/str:.*/str:\"elsewhere\"/" here.mk > there.mk
	mkdata there.data < there.mk
	touch -d 2026-11-27T10:00:00Z here.data there.data
	for f in here there; do
		convert --to rows -o boot-$f $f.data
		tail -n +2 boot-$f/profile.tsv | cut -f 10
	done > boots
	printf "11111111-2222-3333-4444-555555555555\n\n" | same - boots
	touch -d 2026-11-27T09:59:00Z here.data
	convert --to rows -o boot-before here.data
	tail -n +2 boot-before/profile.tsv | cut -f 10 > boots
	echo | same - boots
	tail -n +2 boot-here/profile.tsv | cut -f 1 > id
	tail -n +2 boot-before/profile.tsv | cut -f 1 | same id -
	convert --to rows -o boot-redacted --redact here.data
	silent_about 11111111 boot-redacted/profile.tsv
	rm -r root/proc'
check 'lines, and files that are there' '
	convert --to rows -o lines --by address one.data
	cut -f 7 lines/frame.tsv | finds -x 16 > out
	echo mine > both/stack.tsv
	fails_with 1 convert --to rows -o both one.data 2> err
	says "both/profile.tsv: File exists" err
	echo mine | same - both/stack.tsv
	convert --force --to rows -o both one.data
	silent_about mine both/stack.tsv
	fails_with 1 convert --to rows -o none none.data 2> err
	says "none.data" err
	test ! -e none
	fails_with 1 convert --to rows -o there/is/none one.data 2> err
	says "cannot create the directory" err
	fails_with 129 convert --to rows one.data 2> err
	says "to rows needs -o" err'
check '--samples: a table of single samples, in the order of time, with times since 1970' '
	touch -d 2026-11-27T10:00:00Z one.data
	convert --to rows -o at --samples --labels comm,tid one.data 2> err
	says "3 samples, 3 times as rows" err
	cut -f 3- at/sample_at.tsv > out
	same - out <<-END
	labels	time	cpu	value
	{"comm":"shop","tid":"100:shop"}	1795773599999999998	-1	100
	{"comm":"shop","tid":"100:shop"}	1795773599999999999	-1	100
	{"comm":"shop","tid":"100:shop"}	1795773600000000000	-1	7
	END
	cut -f 2 at/sample_at.tsv | tail -n +2 | sort -u > stacks
	cut -f 1 at/stack.tsv | tail -n +2 | sort | same stacks -
	test ! -e rows/sample_at.tsv
	convert --force --to rows -o at one.data
	test ! -e at/sample_at.tsv
	fails_with 129 convert --to pprof --samples one.data 2> err
	says "samples belongs to --to rows" err'
check 'weights are a profile of their own, of the same stacks' '
	sed "/^event a/s/|callchain/|callchain|weight/; s/ ip=/ weight=50 ip=/" one.mk | mkdata weights.data
	convert --to rows -o weights --samples weights.data 2> err
	says "2 profiles, 4 frames, 3 stacks, 6 samples, 3 times as rows" err
	awk -F "\t" "FNR == 1 { file++; next } file == 1 { name[\$1] = \$6 \" \" \$7; next }
		{ print name[\$1], \$4, \$5 }" weights/profile.tsv weights/sample.tsv > out
	same - out <<-END
	cpu-clock nanoseconds 1 7
	cpu-clock nanoseconds 1 100
	cpu-clock nanoseconds 1 100
	cpu-clock-weight count 1 50
	cpu-clock-weight count 1 50
	cpu-clock-weight count 1 50
	END'
check 'stacks whose rows would be equal are added up' '
	mkdata same.data <<-EOF2
	event a sample=ip|tid|time|period|callchain type=1 config=0 flags=sample_id_all|comm|mmap2
	comm tid=100 comm="shop" time=1
	mmap2 tid=100 addr=0x1000 len=0x1000 prot=5 flags=2 filename="/none/a/lib.so" time=2
	mmap2 tid=100 addr=0x2000 len=0x1000 prot=5 flags=2 filename="/none/b/lib.so" time=2
	sample tid=100 time=10 period=3 ip=0x1010 chain=-512,0x1010
	sample tid=100 time=11 period=3 ip=0x2010 chain=-512,0x2010
	EOF2
	convert --to folded same.data > out
	says "6" out
	convert --to rows -o same --samples same.data 2> err
	says "1 profile, 2 frames, 1 stack, 1 sample, 2 times as rows" err
	tail -n 1 same/sample.tsv | cut -f 4,5 > out
	printf "2\t6\n" | same - out'
check_if SQLITE,LIBSQLITE '--samples in a database' '
	convert --to sqlite -o at.db --samples one.data two.data
	convert --to sqlite -o at.db --samples one.data
	sqlite3 at.db "SELECT p.machine, count(*), sum(a.value) FROM sample_at a JOIN profile p ON p.id = a.profile GROUP BY 1" > out
	printf "one|3|207\ntwo|3|107\n" | same - out'
check_if SQLITE 'views of a database: the sums of report' '
	sqlite3 fleet.db < "$SRC/Documentation/fleet/sqlite.sql"
	for f in one two; do
		convert --to rows -o $f.rows --label build=$f $f.data
		load $f.rows
	done
	convert --to folded one.data two.data > want
	tr "\"\\\\" "'"'"'/" < want > clean
	ask folded event cpu-clock | same clean -
	sqlite3 fleet.db "SELECT * FROM top_self" > out
	sqlite3 fleet.db "SELECT * FROM top_children" >> out
	sqlite3 fleet.db "SELECT * FROM by_hour" >> out
	expect views out'
check_if SQLITE 'queries' '
	test -s fleet.db
	for q in "builds old one new two" "grafana event cpu-clock" "hosts function outer" "hours function outer" \
		 "new since 1795774000000000000" "service comm shop day 2026-11-27"; do
		echo "$q"
		ask $q
	done > out
	expect queries out
	ask folded event cpu-clock | $PERF report -i - --folded > out
	ask folded event cpu-clock | same out -'
check_if SQLITE,LIBSQLITE 'a database: the rows of the tables, with the same views, and what is there is not added again' '
	convert --to sqlite -o own.db --label build=one one.data 2> err
	says "1 profile, 4 frames, 3 stacks, 3 samples as sqlite into" err
	convert --to sqlite -o own.db --label build=two two.data
	for v in profile frame stack sample top_self top_children folded by_hour; do
		sqlite3 fleet.db "SELECT * FROM $v" | sort > want
		test -s want
		sqlite3 own.db "SELECT * FROM $v" | sort | same want -
	done
	convert --to sqlite -o own.db --label build=one one.data one.data 2> err
	says "0 profiles" err
	says "0 samples" err
	sqlite3 fleet.db "SELECT * FROM folded" > want
	sqlite3 own.db "SELECT * FROM folded" | same want -'
check_if LIBSQLITE 'a database that cannot be written is named, and one that fails is as before' '
	echo "this is no database, but a text that is long enough" > text.db
	fails_with 1 convert --to sqlite -o text.db one.data 2> err
	says "text.db: cannot open the database: file is not a database" err
	fails_with 1 convert --to sqlite -o none/x.db one.data 2> err
	says "none/x.db: cannot open the database" err
	convert --to sqlite -o half.db one.data
	fails_with 1 convert --to sqlite -o half.db two.data none.data 2> err
	says "none.data" err
	convert --to sqlite -o half.db one.data 2> err
	says "0 profiles" err'
