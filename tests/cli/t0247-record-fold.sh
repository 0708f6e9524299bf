#!/bin/sh
# perf record --fold: finished files of --switch-output are converted beside the recorder, and removed.
. "$(dirname "$0")/lib.sh"
need EVENTS

have_FLOCK() { flock --version 2>&1 | finds util-linux > found || skip "no flock of util-linux"; }
# ten times the 64 KB after which a file ends
WORK="$PERF test -w deterministic 200000"
# samples FILE: the number of samples in a profile
samples() {
	$PERF report -i "$1" --stdio -n --no-children -g none 2> /dev/null | awk '/^ .*%/ { n += $2 } END { print n + 0 }'
}
is_ready() { test "$(cat /proc/"$1"/comm 2> /dev/null)" = perf-fold; }
folder_of() { for p in $(children "$1"); do is_ready "$p" && echo "$p"; done | head -1; }
has_folder() { test -n "$(folder_of "$1")"; }

for format in pprof:.pb.gz rows:.rows pack:.pack; do
	check "$format: each file is converted, and its source removed" '
		mkdir "${format%%:*}" && cd "${format%%:*}"
		$PERF record -e cpu-clock -c 100000 -g -o out.data --switch-output=64K --fold "${format%%:*}" -- $WORK 2> err
		sed -n "s/.*: Dump \(.*\) ]/\1${format#*:}/p" err > want
		test "$(wc -l < want)" -gt 1
		ls -d out.data* | same want -
		for f in out.data.*; do
			if test "${format%%:*}" = rows; then
				awk -F "\t" "NR > 1 { n += \$4 } END { print n }" $f/sample.tsv
			else
				samples $f
			fi
		done > nr
		# a file that was switched to just before the end can be without samples
		awk "{ s += \$1 } END { exit s == 0 }" nr'
done
check 'labels are in what is converted, and others cannot read it' '
	$PERF record -q -e cpu-clock -o l.data --switch-output --fold rows --fold-label build=7 --fold-label "env=a b" -- true
	cat l.data.*.rows/profile.tsv > out
	says "\"build\":\"7\",\"env\":\"a b\"" out
	ls -l l.data.*.rows > modes
	says "rw------- " modes'
check 'the newest converted files are kept: by number and by size' '
	$PERF record -q -e cpu-clock -c 100000 -g -o n.data --switch-output=64K --switch-max-files=2 --fold pprof -- $WORK
	ls n.data.* > list
	test "$(wc -l < list)" = 2
	$PERF record -q -e cpu-clock -c 100000 -g -o n.data --switch-output --fold pprof --fold-keep 1d,1K -- $WORK
	ls n.data.* > newer
	test "$(wc -l < newer)" = 1
	not grep -f newer list
	touch -d "3 days ago" n.data.*
	$PERF record -q -e cpu-clock -c 100000 -g -o n.data --switch-output --fold pprof --fold-keep 2d -- $WORK
	ls n.data.* > last
	test "$(wc -l < last)" = 1
	not grep -f newer last'
check 'a process that has ended loses no file' '
	$PERF record -e cpu-clock -o k.data --switch-output --fold pprof -- sh -c ": > up; exec sleep 100" 2> err &
	pid=$!
	until_true has_folder $pid
	kill -9 $(folder_of $pid)
	until_true test -e up
	kill -TERM $pid
	wait $pid || :
	says "files are kept as they are: the process that converts them has ended" err
	ls k.data.* > list
	test "$(wc -l < list)" = 1
	silent_about .pb.gz list'
check_if FLOCK 'it waits while another one with the same lock converts' '
	flock -F lock sh -c ": > held; exec sleep 100" &
	holder=$!
	until_true test -e held
	$PERF record -q -e cpu-clock -o w.data --switch-output --fold pprof --fold-lock lock -- true &
	pid=$!
	has_file() { ls w.data.* > list 2> /dev/null && grep "w.data.[0-9]*\$" list; }
	until_true has_file
	silent_about .pb.gz list
	kill $holder
	wait $pid
	ls w.data.* > list
	says .pb.gz list'
check_if FLOCK 'the end: it says what it waits for, and a signal keeps what is not converted' '
	flock -F lock2 sh -c ": > held2; exec sleep 100" &
	holder=$!
	until_true test -e held2
	$PERF record -e cpu-clock -o e.data --switch-output --fold pprof --fold-lock lock2 -- true 2> err &
	pid=$!
	until_true grep "Converting the last 1 file (Ctrl-C leaves files unconverted)" err > found
	kill -INT $pid
	wait $pid || :
	kill $holder
	grep "Warning: e.data.[0-9]* is kept as it is, because there was no time to convert it: .perf data convert. does" err > found
	ls e.data.* > list
	not grep "e.data.*\..*\." list
	$PERF evlist -i e.data.* > out
	says cpu-clock out'
check 'what it does not go with is said' '
	fails_with 255 $PERF record --fold pprof -- true 2> err || fails_with 1 $PERF record --fold pprof -- true 2> err
	says "fold needs --switch-output" err
	fails_with 129 $PERF record --switch-output --fold csv -- true 2> err
	says "takes pprof, rows or pack" err
	fails_with 129 $PERF record --switch-output --fold pprof --fold-keep 7 -- true 2> err
	says "is neither a time (7d), a size (2G), nor both" err
	$PERF record --fold-keep 7d -- true 2> err || says "fold-keep needs --fold" err
	$PERF record --switch-output --fold pack --fold-label a=b -- true 2> err || says "packed recordings have no labels" err
	test ! -e perf.data'
check 'a session of the daemon: keys fold, keep and label' '
	mkdir -m 700 base
	printf "[daemon]\nbase = base\n[session-a]\nrun = -e cpu-clock --overwrite --switch-output -- sleep 1000\n" > cfg
	printf "fold = pprof\nkeep = 1d\nlabel = build=7\n" >> cfg
	$PERF daemon start --config cfg
	$PERF daemon --config cfg > list
	$PERF daemon signal --config cfg
	has_profile() { ls base/session-a/perf.data.*.pb.gz > profiles 2> /dev/null; }
	until_true has_profile || failed=1
	$PERF daemon stop --config cfg
	test -z "$failed"
	says "perf record --fold=pprof --fold-keep=1d --fold-label=build=7 --fold-lock=../fold-lock -e cpu-clock" list
	test -f base/fold-lock
	ls base/session-a > files
	not grep "perf.data.[0-9]*\$" files'
check 'budgets of a session: the frequency is halved, which the list and the files say' '
	mkdir -m 700 budget
	printf "[daemon]\nbase = budget\n[session-a]\nrun = -e cpu-clock -F 500 --switch-output -- sleep 1000\n" > cfg
	printf "memory = 1K/1s\ncpu = 10000%%\n" >> cfg
	$PERF daemon start --config cfg
	is_lowered() { $PERF daemon --config cfg > list && grep "freq-divisor=[248]" list > lowered; }
	until_true is_lowered || failed=1
	until_true grep "exceeded memory = 1K: frequency divided by 4" budget/output > said || failed=1
	$PERF daemon stop --config cfg
	test -z "$failed"
	says "  budget:  memory = 1K was exceeded: frequency divided by" list
	says "perf record --freq-divisor=" list
	for f in budget/session-a/perf.data.*; do $PERF evlist -F -i $f; done > freqs
	says "cpu-clock: sample_freq=500" freqs
	says "cpu-clock: sample_freq=250" freqs
	for f in budget/session-a/perf.data.*; do $PERF report --header-only -i $f; done > headers
	says "freq-divisor=2" headers'
check 'what cannot be lowered is said' '
	fails_with 255 $PERF record -e cpu-clock -c 1000000 --freq-divisor 2 -- true 2> err || fails_with 1 $PERF record -e cpu-clock -c 1000000 --freq-divisor 2 -- true 2> err
	says "freq-divisor needs an event with a frequency: all have a period" err
	$PERF record -q -e cpu-clock -F 3 --freq-divisor 1000 -o low.data -- true
	$PERF evlist -F -i low.data > freqs
	says "cpu-clock: sample_freq=1" freqs'
