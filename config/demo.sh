#!/bin/sh
# demo.sh: the first minute. Installs what is missing (as root), builds, records a small workload, prints its report.
set -eu
cd "$(dirname "$0")/.."
config/deps.sh
make -s
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
say() {
	printf '\n$ %s\n' "$*"
}
say './perf record -g -o perf.data -- ./perf test -w callchain 2'
./perf record -g -o "$data/perf.data" -- ./perf test -w callchain 2
say './perf report --stdio -i perf.data'
./perf report --stdio -i "$data/perf.data" | head -n 60
