#!/bin/sh
# Copies of perf inject have the reports of the original, by every perf; and so have copies of copies.
. "$(dirname "$0")/../cli/lib.sh"
need EVENTS

# reports TOOL FILE: what it shows, without comments
reports() {
	upstream timeout 100 "$1" report --stdio --no-children -i "$2" > report.out 2> report.err
	grep -v "^#" report.out
}
$PERF record -q -e cpu-clock -g -o ours.data -- "$PERF" test -w deterministic 20000 > /dev/null 2>&1
tool_of() {
	case $1 in PEER61) echo "$PEER" ;; NEWEST) echo "$NEWEST" ;; esac
}
for peer in PEER61 NEWEST; do
	check_if $peer "copies have the same report: $peer" '
		tool=$(tool_of '$peer')
		upstream "$tool" record -q -e cpu-clock -g -o theirs.data -- "$PERF" test -w deterministic 20000
		for f in ours.data theirs.data; do
			reports "$tool" $f > want
			test -s want
			for o in "" -b --buildid-all -B --mmap2-buildid-all; do
				$PERF inject $o -i $f -o out.data
				reports "$tool" out.data | same want -
				$PERF inject $o < $f > out.pipe
				reports "$tool" - < out.pipe | same want -
				$PERF inject < out.pipe -o out.data
				reports "$tool" out.data | same want -
			done
		done
	'
	check_if $peer "what it injects is read: $peer" '
		tool=$(tool_of '$peer')
		upstream "$tool" record -q -e cpu-clock -o theirs.data -- "$PERF" test -w deterministic 20000
		reports $PERF theirs.data > want
		upstream "$tool" inject -b -i theirs.data > out.pipe
		$PERF inject < out.pipe -o out.data
		reports $PERF out.data | same want -
	'
	check_if $peer "call chains that were stacks are read: $peer" '
		tool=$(tool_of '$peer')
		$PERF record -q -e cpu-clock:u --call-graph dwarf -o stacks.data -- "$PERF" test -w deterministic 20000
		$PERF inject --convert-callchain -i stacks.data -o out.data
		# names, but for the lines that begin a function in upstream: see beginnings() in lib.sh; nor where
		# it knows none, as for the first bytes of a PLT
		upstream "$tool" script -i out.data --no-inline -F ip,sym,symoff > lines
		grep -q " deterministic_spin+" lines
		stacks() { # TOOL FILE
			upstream "$1" script -i "$2" --no-inline -F ip,sym > frames
			awk "NR == FNR { left_out[FNR] = /[+]0x0\$/ || /\[unknown\]/; next } !left_out[FNR] { print \$2 }" lines frames
		}
		stacks $PERF stacks.data > want
		test -s want
		stacks "$tool" out.data | same want -
		$PERF pack -i stacks.data -o out.pack
		stacks "$tool" out.pack | same want -
		"$tool" report --stdio --no-children -g caller -i out.data > report.out 2> report.err
		grep -q deterministic_spin report.out
	'
	check_if $peer "functions of a jitdump file have names: $peer" '
		tool=$(tool_of '$peer')
		# upstream takes all files whose path begins with /tmp/perf- for perf maps
		dir=$(mktemp -d "${TMP%/*}/injected.XXXXXX")
		$PERF record -q -k mono -e cpu-clock -o jit.data -- "$PERF" test -w jitdump 0.2
		$PERF inject -j -i jit.data -o "$dir/out.data"
		rm jit-*
		reports "$tool" "$dir/out.data" > got || true
		rm -r "$dir"
		grep -q "jitted-.*jit_function" got
	'
done
have_NODE() {
	command -v node > /dev/null || { echo "needs node"; return 1; }
}
check_if NODE,NEWEST 'the same functions of node as the newest upstream finds' '
	echo "function hot(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i) % 7; return s }
	let t = 0; for (let k = 0; k < 300; k++) t += hot(100000); console.log(t)" > hot.js
	$PERF record -q -k mono -e cpu-clock -o node.data -- node --perf-prof --perf-prof-unwinding-info hot.js
	mkdir -p ours theirs
	$PERF inject -j -i node.data -o ours/out.data
	$PERF report --stdio -s sym -i ours/out.data > ours.txt
	grep "hot" ours.txt
	"$NEWEST" inject -j -i node.data -o theirs/out.data
	$PERF report --stdio -s sym -i theirs/out.data | grep -v "^#" | grep hot | awk "{ print \$NF }" | sort > want
	grep -v "^#" ours.txt | grep hot | awk "{ print \$NF }" | sort | same want -
'
