#!/bin/sh
# perf data convert --to: the programs for which the formats are read them, and find the sums of report
. "$(dirname "$0")/../cli/lib.sh"

have_GO() { go version > /dev/null 2>&1 || skip "no go"; }
have_ANNOTATE() { callgrind_annotate --version 2>&1 | finds "^callgrind_annotate" > found ||
	skip "no callgrind_annotate (of valgrind)"; }
pprof() { HOME=$TMP GOCACHE=$TMP/go go tool pprof "$@" 2> /dev/null; }

$PERF record -q -g -o x.data -- $PERF test -w deterministic 200 2> err || skip_all "nothing can be recorded here"
$PERF report -i x.data --folded 2> /dev/null | awk '{ s += $NF } END { printf "%.0f\n", s }' > sum
test "$(cat sum)" -gt 0 || skip_all "no samples"

check_if GO 'go tool pprof: types, sums, stacks, and merges' '
	for by in function line address; do
		$PERF data convert --to pprof --by $by -f -o x.pb.gz x.data
		pprof -raw x.pb.gz > raw
		awk "/^Samples:/ { on = 1 } /^Locations/ { on = 0 } on && \$1 ~ /^[0-9]+\$/ { s += \$2 + 0 }
			END { printf \"%.0f\\n\", s }" raw | same sum -
	done
	pprof -traces x.pb.gz > traces
	says "comm:" traces
	pprof -proto -output=twice.pb.gz x.pb.gz x.pb.gz > /dev/null
	pprof -raw twice.pb.gz > raw
	awk "/^Samples:/ { on = 1 } /^Locations/ { on = 0 } on && \$1 ~ /^[0-9]+\$/ { s += \$2 + 0 }
		END { printf \"%.0f\\n\", s / 2 }" raw | same sum -'
check_if ANNOTATE 'callgrind_annotate: the total, and functions with the same sum' '
	for by in function line address; do
		$PERF data convert --to callgrind --by $by -f -o x.callgrind x.data
		callgrind_annotate --auto=no --threshold=100 --show-percs=no x.callgrind > out 2> err
		test ! -s err
		tr -d , < out | awk "/PROGRAM TOTALS/ { print \$1 }" | same sum -
		tr -d , < out | awk "on && \$1 ~ /^[0-9]+\$/ { s += \$1 } /file:function/ { on = 1 }
			END { printf \"%.0f\\n\", s }" | same sum -
	done'
check_if GO 'profiles that Go programs write are read, with the same sums' '
	cat > main.go <<-\EOF2
	package main

	import (
		"os"
		"runtime"
		"runtime/pprof"
	)

	var sink [][]byte

	func hold(n int) {
		for i := 0; i < n; i++ {
			sink = append(sink, make([]byte, 1<<20))
		}
	}

	func main() {
		runtime.MemProfileRate = 1
		hold(5)
		f, _ := os.Create("heap.pb.gz")
		pprof.WriteHeapProfile(f)
		f.Close()
	}
	EOF2
	HOME=$TMP GOCACHE=$TMP/go GO111MODULE=off go run main.go
	pprof -raw heap.pb.gz > raw
	awk "/^Samples:/ { on = 1 } /^Locations/ { on = 0 } on && \$1 ~ /^[0-9]+\$/ { s += \$4 + 0 }
		END { printf \"%.0f\\n\", s }" raw > want
	test "$(cat want)" -gt 5000000
	$PERF report -i heap.pb.gz --folded > out
	says "main.main;main.hold" out
	sed -n "s/^inuse_space;.* //p" out | awk "{ s += \$1 } END { printf \"%.0f\\n\", s }" | same want -'
