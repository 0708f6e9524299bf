#!/bin/sh
# perf daemon beside upstream's: from the same configuration, the same list, answers and files.
. "$(dirname "$0")/../cli/lib.sh"
need PEER61 EVENTS

cat > cfg <<END
[daemon]
base = $PWD/base
[session-One]
run = -e cpu-clock --overwrite --switch-output -- sleep 1000
[session-two]
run = -e cpu-clock -- sleep 1000
END
works() {
	test "$($1 daemon ping --config cfg | grep -c OK)" = 2
}
on_end 'kill $(cat base/lock 2> /dev/null) 2> /dev/null'
# run PERF: what its words print, without PIDs and minutes, in text; files in files
run() {
	mkdir -m 700 base
	$1 daemon start --config "$PWD/cfg"
	until_true works $1
	for word in "" -v -x, ping "ping --session one" signal; do
		$1 daemon $word --config cfg
	done 2> /dev/null | sed "s/^\[[0-9]*:/[PID:/; s/^[0-9]*,/PID,/; s/,[0-9]*\$/,N/; s/[0-9]* minutes/N minutes/; s/ \[[0-9]*\]/ [PID]/" > "$2"
	until_true grep -q "Dump perf.data" base/session-one/output
	pid=$(cat base/lock)
	$1 daemon stop --config cfg
	until_true not kill -0 "$pid" 2> /dev/null
	find base -name .debug -prune -o ! -type s ! -name "perf.data*" -print | sort > "$3"
	$PERF evlist -i base/session-two/perf.data > events
	says cpu-clock events
	rm -r base
}
check 'list, ping, signal, and the files in the base directory are the same' '
	run $PEER peer.text peer.files
	run $PERF text files
	test "$(wc -l < text)" = 27
	same peer.text text
	same peer.files files
'
