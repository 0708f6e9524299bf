#!/bin/sh
# perf data convert: every seed of the fuzz targets that read profiles becomes every format, or is refused
# early
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/data-sums-lib.sh"

have_SQLITE() {
	$PERF check -q feature libsqlite3 || skip "built without libsqlite3"
	sqlite3 -version > found 2>&1 || skip "no sqlite3"
}
have_PYTHON() { python3 -c "import gzip, json, decimal" 2> /dev/null || skip "no python3"; }

mkdir seeds
for kind in data inject sched session stat trace tracing pprof folded; do
	for seed in "$SRC"/tests/fuzz/corpus/$kind/*; do
		name=seeds/$kind-$(basename "${seed%.*}")
		case $seed in
		*.mk) mkdata "$name" < "$seed" 2> err || { cat err; exit 1; } ;;
		*) cp "$seed" "$name" ;;
		esac
	done
done
test "$(ls seeds | wc -l)" -gt 40 || exit 1

# converts SEED OPTION...: whatever is in the file, it ends with 0, or with 1 and a reason. A new
# database stays, but is empty: others may have opened it
converts() {
	seed=$1
	shift
	rm -rf "$seed.out"
	got=0
	timeout 100 $PERF data convert "$@" -f -o "$seed.out" "seeds/$seed" > out 2> err < /dev/null || got=$?
	case $got in
	0) return 0 ;;
	1) finds -q "^Error: ." < err && test ! -s "$seed.out" && return 1 ;;
	esac
	echo "$seed as $*: status $got"
	cat err
	exit 1
}
# reads WHAT OPTION... -- FILE...: a reader of the format accepts each; what it prints goes to FILE.read
reads() {
	what=$1
	shift
	python3 "$SRC/tests/tools/for-each.py" "$SRC/tests/tools/$what-dump.py" "$@" > /dev/null 2> read.err && return
	echo "refused as $what:"
	cat read.err
	exit 1
}
sum() { awk '{ n += $NF } END { printf "%.0f\n", n }' "$1"; }

for by in function address; do
	check_if PYTHON "folded, pprof, speedscope and callgrind by $by" "
		by=$by"'
		rm -f seeds.*/*
		mkdir -p seeds.folded seeds.speedscope seeds.pprof seeds.callgrind
		for seed in $(ls seeds); do
			converts $seed --to folded --by $by || continue
			mv $seed.out seeds.folded/$seed
			for to in speedscope pprof callgrind; do
				converts $seed --to $to --by $by
				mv $seed.out seeds.$to/$seed
			done
		done
		for to in speedscope pprof callgrind; do
			# what a reader accepts does not depend on what stacks are made of
			test $by = function || [ $to = pprof ] || continue
			reads $to -- seeds.$to/*
		done
		test $by = address || for seed in seeds.folded/*; do
			sum $seed > want
			sum seeds.speedscope/${seed#*/}.read | same want -
		done
		test "$(find seeds.folded -type f -size +0 | wc -l)" -gt 15'
done
check_if PYTHON 'gecko: the reader accepts it, or the times that are missing are named' '
	mkdir seeds.gecko
	for seed in $(ls seeds); do
		! converts $seed --to gecko || mv $seed.out seeds.gecko/$seed
	done
	reads gecko --times -- seeds.gecko/*
	test "$(find seeds.gecko -name "*.read" -size +0 | wc -l)" -gt 10'
check_if PYTHON 'CTF, with all records' '
	mkdir seeds.ctf
	for seed in $(ls seeds); do
		rm -rf $seed.out
		! converts $seed --to ctf --all || mv $seed.out seeds.ctf/$seed
	done
	reads ctf -- seeds.ctf/*
	test "$(find seeds.ctf -name "*.read" -size +0 | wc -l)" -gt 20'
check_if PYTHON 'rows, and JSON of samples' '
	nr=0
	mkdir seeds.json
	for seed in $(ls seeds); do
		rm -rf $seed.rows
		got=0
		$PERF data convert --to rows -o $seed.rows seeds/$seed > out 2> err < /dev/null || got=$?
		test $got -le 1
		test $got = 1 || { nr=$((nr + 1)); test "$(ls $seed.rows | wc -l)" = 4; }
		got=0
		$PERF data convert --to-json seeds.json/$seed -i seeds/$seed > out 2> err < /dev/null || got=$?
		test $got -le 1
		test $got = 0 || rm -f seeds.json/$seed
	done
	python3 -c "import json, sys; [json.load(open(name)) for name in sys.argv[1:]]" seeds.json/*
	test $nr -gt 15'
check_if SQLITE 'sqlite: the same rows, by --samples, too' '
	nr=0
	for seed in $(ls seeds); do
		for samples in "" --samples; do
			converts $seed --to sqlite $samples || continue
			rm -rf $seed.rows
			$PERF data convert --to rows $samples -o $seed.rows seeds/$seed > out 2> err < /dev/null
			for t in $(ls $seed.rows); do
				tail -n +2 $seed.rows/$t | sort > want
				sqlite3 -separator "	" $seed.out "SELECT * FROM ${t%.tsv}" | sort | same want - || { echo "$seed $t"; exit 1; }
				test ! -s want || nr=$((nr + 1))
			done
			for view in top_self top_children folded by_hour; do
				sqlite3 $seed.out "SELECT count(*) FROM $view" > out
			done
			test "$(sqlite3 $seed.out "PRAGMA integrity_check")" = ok
		done
		rm -rf $seed.out
	done
	test $nr -gt 100'
# of a recording: a line of each event with samples, their number and their period; weights are other profiles
sums_of_rows() {
	awk -F "\t" 'FNR == 1 { file++; next } file == 1 { event[$1] = $6; next } { n[event[$1]] += $4; sum[event[$1]] += $5 }
		END { for (e in sum) if (sum[e] && e !~ /-weight$/) printf "%s %d %.0f\n", e, n[e], sum[e] }' "$1/profile.tsv" "$1/sample.tsv" | sort
}
check 'numbers of samples and sums of each event are those of report: groups, traces, guests, both byte orders' '
	nr=0
	for seed in $(ls seeds); do
		rm -rf rows
		$PERF data convert --to rows -o rows seeds/$seed > out 2> err < /dev/null || continue
		sums_of_rows rows > got
		sums_of_report seeds/$seed > want
		same want got || { echo $seed; exit 1; }
		nr=$((nr + $(wc -l < want)))
	done
	test $nr -gt 40'
check 'what a format cannot show is said' '
	for to in folded pprof speedscope callgrind gecko; do
		converts tracing-$(ls seeds | sed -n "s/^tracing-//p" | head -1) --to $to || :
		converts session-$(ls seeds | sed -n "s/^session-//p" | head -1) --to $to || continue
		finds " as $to into .* (.*)" < err
	done'
