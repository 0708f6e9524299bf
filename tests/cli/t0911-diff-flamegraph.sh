#!/bin/sh
# perf diff: flame graphs that compare two profiles, from assembled files; the page in a browser.
. "$(dirname "$0")/lib.sh"

# profile WORK WAIT GONE: periods of main->work, main->wait and, if not 0, main->gone
profile() {
	cat <<-EOF2
	event cycles type=hardware config=0 sample=ip|tid|time|period|callchain flags=sample_id_all|comm|mmap2
	comm tid=7 comm="prog" time=1
	mmap2 tid=7 addr=0x400000 len=0x1000 prot=5 filename="//anon" time=2
	sample tid=7 time=10 period=$1 ip=0x400110 chain=-512,0x400110,0x400010
	sample tid=7 time=11 period=$2 ip=0x400210 chain=-512,0x400210,0x400010
	EOF2
	[ "$3" = 0 ] || echo "sample tid=7 time=12 period=$3 ip=0x400310 chain=-512,0x400310,0x400010"
}
mkdir -p fs/tmp
printf '%s\n' '400000 80 main' '400100 80 work' '400200 80 wait' '400300 80 gone' > fs/tmp/perf-7.map
export PERF_FS_ROOT="$PWD/fs"
profile 50 40 10 | mkdata old.data || exit 1
profile 120 80 0 | mkdata new.data || exit 1

check 'folded stacks have both periods, also of stacks that only one file has' '
	$PERF diff --folded old.data new.data > out
	expect folded out
	$PERF diff --folded=file old.data new.data
	same out file
	$PERF diff --folded --time 0%-100%:0.000000010,0.000000010 old.data new.data | finds "wait 40 0$"'
check 'an SVG has the shares of both, and colors by growth' '
	$PERF diff --flamegraph=x.svg old.data new.data
	says "<title>work [[JIT] tid 7] 120, 60%, before 50.00%, itself +10.00%</title>" x.svg
	not grep -q "<title>gone" x.svg
	grep -A1 "<title>work" x.svg | finds "fill=\"rgb(245,"'
check 'what cannot be compared, it says' '
	fails_with 129 $PERF diff --folded old.data new.data new.data 2> err
	says "compare two files" err
	fails_with 129 $PERF diff --folded --json old.data new.data 2> err
	says "exclude --json" err
	profile 1 1 1 | sed "s/event cycles type=hardware config=0/event faults type=software config=2/" | mkdata other.data
	fails_with 1 $PERF diff --folded old.data other.data 2> err
	says "have no event in common" err
	fails_with 1 $PERF diff --folded old.data missing.data 2> err
	says missing.data err'
check_if CHROMIUM 'the page in a browser: tells both shares, shows the profile before, keeps it in the address' '
	$PERF diff --flamegraph=x.html old.data new.data
	in_browser x.html "
		const d = document.body.dataset, key = k => dispatchEvent(new KeyboardEvent(\"keydown\", { key: k }));
		await drawn();
		say(d.drawn + \" \" + document.querySelector(\"select[aria-label^=color]\").value);
		key(\"ArrowUp\"); key(\"ArrowUp\"); key(\"ArrowUp\"); key(\"ArrowUp\");
		say(document.querySelector(\"#status\").textContent);
		key(\"b\");
		await drawn();
		say(d.drawn + \" \" + location.hash);
		key(\"v\");
		await drawn();
		say(d.drawn);" > out
	expect browser out'
