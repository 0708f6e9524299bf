#!/bin/sh
# perf data convert --to gecko: the Firefox Profiler finds the threads, functions and sums of report
. "$(dirname "$0")/../cli/lib.sh"
. "$SRC/tests/interop/npm-lib.sh"

have_PROFILER() { npm_package @firefox-devtools/profiler-cli 0.10.0; }
have_PYTHON() { python3 -c "import json" 2> /dev/null || skip "no python3"; }

# the profile of two threads of a process, and of one of another process
mkdata x.data <<-EOF || exit 1
	event a sample=ip|tid|time|cpu|period|callchain type=1 config=0 flags=sample_id_all|comm|mmap2
	comm pid=100 tid=100 comm="shop" time=1
	comm pid=100 tid=101 comm="worker" time=1
	comm pid=200 tid=200 comm="other" time=1
	mmap2 pid=100 tid=100 addr=0x1000 len=0x2000 prot=5 flags=2 filename="//anon" time=2
	repeat 20
	sample pid=100 tid=100 time=1000000+\$i*1000000 period=1000000 ip=0x1010 chain=-512,0x1010,0x1110,0x1210
	sample pid=100 tid=101 time=1500000+\$i*1000000 period=2000000 ip=0x1110 chain=-512,0x1110,0x1210
	end
	sample pid=200 tid=200 time=5000000 period=500000 ip=0x1010 chain=-512,0x1010
EOF
mkdir -p root/tmp
printf '1000 100 inner\n1100 100 outer<a;b>\n1200 100 main\n' > root/tmp/perf-100.map

# with a session of the profiler: a process in the background, named $f. It shall be ready within half a
# second, which takes longer on a busy machine
ask() { HOME=$TMP PROFILER_CLI_LOAD_TIMEOUT_MS=60000 node "$NPM/dist/profiler-cli.js" "$@"; }
stop() { ask stop --all > stop.out 2>&1; }
loads() {
	ask load "$1" --session "$1" > load.out 2>&1 && return
	stop || kill "$(sed -n 's/.*running as pid \([0-9]*\).*/\1/p' load.out)" || :
	return 1
}

check_if PROFILER,PYTHON 'threads, processes, and functions with the sums of report' '
	npm_package @firefox-devtools/profiler-cli 0.10.0
	PERF_FS_ROOT="$PWD/root" $PERF data convert --to gecko -o x.json.gz x.data
	PERF_FS_ROOT="$PWD/root" $PERF data convert --to gecko --by address -o address.json x.data
	for f in x.json.gz address.json; do
		until_true loads $f
		ask thread list --session $f --json > threads || :
		for t in 0 1; do
			ask thread functions --session $f --thread t-$t --json > functions-$t || :
		done
		stop
		python3 -c "if True:
			import json
			for t in sorted(json.load(open(\"threads\"))[\"threads\"], key=lambda t: t[\"tid\"]):
			    print(t[\"processName\"], t[\"pid\"], t[\"name\"], t[\"tid\"])
			for i in (0, 1):
			    for f in sorted(json.load(open(\"functions-%d\" % i))[\"functions\"], key=lambda f: f[\"name\"]):
			        print(f[\"name\"], f[\"library\"], round(f[\"selfSamples\"]), round(f[\"totalSamples\"]))
		" > out
		expect found out
	done'
