#!/bin/sh
# perf data convert --to rows: DuckDB, ClickHouse and PostgreSQL answer questions of Documentation/fleet as
# sqlite does
. "$(dirname "$0")/../cli/lib.sh"
. "$SRC/tests/interop/npm-lib.sh"

have_DUCKDB() { npm_package @duckdb/node-api 1.5.6-r.1; }
have_CHDB() { npm_package chdb 3.4.0; }
have_PGLITE() { npm_package @electric-sql/pglite 0.5.16; }
have_SQLITE() { test "$(sqlite3 :memory: "SELECT sqlite_version() >= '3.33'" 2> /dev/null)" = 1 ||
	skip "no sqlite3 of version 3.33 or later"; }

# machine NAME PERIOD FUNCTION: a recording of a machine
machine() {
	mkdata "$1.data" <<-EOF2
	event a sample=ip|tid|time|period|callchain type=1 config=0 flags=sample_id_all|comm|mmap2
	feature hostname str:"$1"
	comm tid=100 comm="shop" time=1
	mmap2 tid=100 addr=0x1000 len=0x2000 prot=5 flags=2 filename="//anon" time=2
	sample tid=100 time=10 period=$2 ip=0x1010 chain=-512,0x1010,0x1110,0x1210
	sample tid=100 time=11 period=$2 ip=0x1110 chain=-512,0x1110,0x1210
	sample tid=100 time=12 period=7 ip=$3 chain=-512,$3,0x1210
	EOF2
}
machine one 100 0x1310 && machine two 50 0x1410 || exit 1
touch -d 2026-11-27T10:00:00Z one.data
touch -d 2026-11-28T12:00:00Z two.data
mkdir -p root/tmp rows
printf '%s\n' '1000 100 in"n\er' '1100 100 outer' '1200 100 main' '1300 100 old' '1400 100 fresh' > root/tmp/perf-100.map
export PERF_FS_ROOT="$PWD/root"
for f in one two; do
	$PERF data convert --to rows -o rows/$f --label build=$f $f.data 2> err || exit 1
done
cp -r rows/one rows/again
duck() { (cd rows && node "$SRC/tests/tools/duckdb.js" "$NPM" "@$SRC/Documentation/fleet/duckdb.sql" "$@"); }
# lite FILE NAME VALUE...: sqlite's answer to a file of queries
lite() {
	file=$1
	shift
	: > params
	while test $# -gt 0; do
		echo ".param set :$1 \"'$2'\"" >> params
		shift 2
	done
	{ cat params; echo ".read $SRC/Documentation/fleet/$file.sql"; } | sqlite3 fleet.db
}

# load: the rows of both into fleet.db, and answers of sqlite into views.want and questions.want
load() {
	test ! -e fleet.db || return 0
	sqlite3 fleet.db < "$SRC/Documentation/fleet/sqlite.sql"
	for f in one two; do
		for t in profile frame stack sample; do
			sqlite3 fleet.db ".mode tabs" ".import --skip 1 rows/$f/$t.tsv $t"
		done
	done
	for v in top_self top_children folded by_hour; do
		sqlite3 fleet.db "SELECT * FROM $v"
	done > views.want
	{ lite builds old one new two; lite hosts function outer; lite hours function outer
	lite new since 1795774000000000000; lite service comm shop day 2026-11-27; lite grafana event cpu-clock; } > questions
	numbers < questions > questions.want
}
# numbers: 2.50 and 2.0 as 2.5 and 2
numbers() { sed -E 's/(\.[0-9]*[1-9])0+(\||$)/\1\2/g; s/\.0+(\||$)/\1/g'; }

check_if DUCKDB,SQLITE 'views and questions, also where a directory is there twice' '
	npm_package @duckdb/node-api 1.5.6-r.1
	load
	test "$(wc -l < views.want)" -gt 10
	duck "FROM top_self" "FROM top_children" "FROM folded" "FROM by_hour" | same views.want -
	duck "FROM builds(\$\$one\$\$, \$\$two\$\$)" "FROM hosts(\$\$outer\$\$)" "FROM hours(\$\$outer\$\$)" \
		"FROM new_since(1795774000000000000)" "FROM service(\$\$shop\$\$, \$\$2026-11-27\$\$)" \
		"FROM grafana(\$\$cpu-clock\$\$)" > got
	numbers < got | same questions.want -
	duck "SELECT stack || \$\$ \$\$ || value FROM folded WHERE event = \$\$cpu-clock\$\$" | $PERF report -i - --folded > out
	lite folded event cpu-clock | $PERF report -i - --folded | same out -'
check_if CHDB,SQLITE 'the same in ClickHouse' '
	npm_package chdb 3.4.0
	load
	house() { (cd rows && node "$SRC/tests/tools/chdb.js" "$NPM" "@$SRC/Documentation/fleet/clickhouse.sql" "$@"); }
	house "SELECT * FROM top_self" "SELECT * FROM top_children" "SELECT * FROM folded" "SELECT * FROM by_hour" > got
	same views.want got
	Q=$(printf "\047")
	house "SELECT * FROM builds(old = ${Q}one$Q, new = ${Q}two$Q)" "SELECT * FROM hosts(name = ${Q}outer$Q)" \
		"SELECT * FROM hours(name = ${Q}outer$Q)" "SELECT * FROM new_since(since = 1795774000000000000)" \
		"SELECT * FROM service(name = ${Q}shop$Q, day = ${Q}2026-11-27$Q)" "SELECT * FROM grafana(name = ${Q}cpu-clock$Q)" > got
	numbers < got | same questions.want -'
check_if PGLITE,SQLITE 'the same in PostgreSQL' '
	npm_package @electric-sql/pglite 0.5.16
	load
	pg() { node "$SRC/tests/tools/pglite.mjs" "$NPM" "$SRC/Documentation/fleet/postgresql.sql" rows/one,rows/again,rows/two "$@"; }
	pg "SELECT * FROM top_self" "SELECT * FROM top_children" "SELECT * FROM folded" "SELECT * FROM by_hour" | same views.want -
	pg "SELECT * FROM builds(\$\$one\$\$, \$\$two\$\$)" "SELECT * FROM hosts(\$\$outer\$\$)" \
		"SELECT * FROM hours(\$\$outer\$\$)" "SELECT * FROM new_since(1795774000000000000)" \
		"SELECT * FROM service(\$\$shop\$\$, \$\$2026-11-27\$\$)" "SELECT * FROM grafana(\$\$cpu-clock\$\$)" > got
	numbers < got | same questions.want -'
