#!/bin/sh
# What every command does with its options, and perf with its own.
. "$(dirname "$0")/../cli/lib.sh"

check 'an unknown command is an error that names the nearest' '
	fails_with 129 $PERF recrod > out 2> err
	test ! -s out
	says "'"'recrod'"' is not a perf-command" err
	says "Hint: did you mean '"'record'"'?" err
	fails_with 129 $PERF zzzzzz 2> err
	silent_about "Did you mean" err
	fails_with 129 $PERF flamegraph 2> err
	says "Hint: '"'perf script flamegraph'"' does this" err
'
check 'without a command, the commands' '
	fails_with 1 $PERF > out
	says "   report " out
	$PERF --help > all
	same out all
	$PERF help | same out -
'
check 'an unknown option names the nearest and shows just their usage' '
	fails_with 129 $PERF config --usr > out 2> err
	test ! -s out
	printf "%s\n" "Error: unknown option \`usr'"'"' (did you mean \`--user'"'"'?)" \
		" Usage: perf config [<file-option>] [options] [section.name[=value] ...]" "" > want
	head -n 3 err | same want -
	says "        --user " err
	silent_about "--system" err
	fails_with 129 $PERF record --freqency=3 2> err
	says "unknown option \`freqency'"'"' (did you mean \`--freq" err
	fails_with 129 $PERF evlist --hlep 2> err
	says "did you mean \`--help" err
'
check 'a switch in the other case, or a long option with one dash, is recognized' '
	fails_with 129 $PERF record -f 99 true 2> err
	says "unknown switch \`f'"'"' (did you mean \`-F'"'"'?)" err
	fails_with 129 $PERF probe -line main 2> err
	says "'"'-line'"' has one dash (did you mean \`--line'"'"'?)" err
	fails_with 129 $PERF report -sort=comm 2> err
	says "did you mean \`--sort'"'"'?" err
'
check 'an ambiguous option says what it could be' '
	fails_with 129 $PERF --exe --h 2> err
	says "ambiguous option \`h'"'"' (could be --help, --html-path)" err
'
check 'a bad or missing value shows the usage of that option alone' '
	fails_with 129 $PERF test -r 2> err
	says "switch \`r'"'"' requires a value" err
	fails_with 129 $PERF test --runs=x 2> err
	says "option \`runs-per-test'"'"' expects an unsigned numerical value, not '"'x'"'" err
	says "    -r, --runs-per-test <n>" err
	silent_about "--skip" err
	fails_with 129 $PERF config --list=3 2> err
	says "takes no value" err
'
check 'blanks before a number in one word are skipped' '
	printf "event a sample=ip\nsample ip=1\n" | mkdata x.data
	$PERF report -i x.data "--percent-limit= 5" "-w 30" "--max-stack= 5" > out
	$PERF report -i x.data --percent-limit=5 -w30 --max-stack=5 | same - out
	fails_with 129 $PERF report -i x.data "--percent-limit= 5x" 2> err
'
check 'an option that is not available says so and fails' '
	fails_with 1 $PERF help --web record 2> err
	says "option \`web'"'"' is not supported: there are no web pages; use --man" err
'
check '-h prints the options to standard output; with words, those that fit' '
	fails_with 129 $PERF config -h > out 2> err
	test ! -s err
	printf "%s\n" "" " Usage: perf config [<file-option>] [options] [section.name[=value] ...]" "" \
		"    -l, --list            list the settings in effect, or those of the selected file" \
		"        --system          read and write only /etc/perfconfig (not with --user)" "        --user            read and write only ~/.perfconfig" "" > want
	same want out
	fails_with 129 $PERF config -h sys > out
	says "--system" out
	silent_about "~/.perfconfig" out
'
check '-h, --list-opts and --man-options agree for every command' '
	$PERF --list-cmds > cmds
	for c in $(cat cmds); do
		rc=0
		$PERF "$c" -h > help || rc=$?
		test $rc = 129
		$PERF "$c" --man-options > man
		$PERF "$c" --list-opts | tr " " "\n" > opts
		awk "FILENAME != \"opts\" { text[FILENAME] = text[FILENAME] \$0 \"\\n\"; next }
			NF { for (f in text) if (!index(text[f], \$0)) { print \"no \" \$0 \" in the \" f \" of $c\"; bad = 1 } }
			END { exit bad }" help man opts
		cat opts >> all
	done
	test "$(wc -l < all)" -gt 300
'
check 'the options of perf itself' '
	$PERF --version > v1
	$PERF version > v2
	$PERF -v > v3
	same v1 v2
	same v1 v3
	grep -q "^perf version $(cat "$SRC/config/LEVEL").$(cat "$SRC/config/VERSION")" v1
	$PERF version -v > own
	head -n 1 own | same v1 -
	grep -q "^own version $(cat "$SRC/config/VERSION")" own
	$PERF -vv | says "libelf: [ on  ]" /dev/stdin
	$PERF --list-opts | says "--buildid-dir" /dev/stdin
	test "$($PERF --exec-path=/some/where --exec-path)" = /some/where
	$PERF --html-path | finds ^/
	fails_with 129 $PERF --debug nothing version 2> err
	says "no variable" err
	$PERF --debug verbose=2 version > v4
	same v1 v4
	$PERF --debug phases version > v5
	same v1 v5
	fails_with 129 $PERF --debug phases=no version 2> err
	says "is not 0 or 1" err
	fails_with 1 $PERF --debug-file "$TMP/none/x" version 2> err
	says "cannot write" err
'
check 'a link named after a command is that command' '
	ln -s "$PERF" perf-version
	./perf-version > out
	grep -q "^perf version" out
'
check 'aliases' '
	printf "[alias]\n\tv = version --build-options\n\tversion = config -l\n\tloop = loop\n" > c
	export PERF_CONFIG=$PWD/c
	$PERF v | says "libelf" /dev/stdin
	$PERF version | finds "^perf version"
	fails_with 129 $PERF loop 2> err
	says "which does not begin with a perf-command" err
	# quotes keep a blank in a word
	printf "[alias]\n\tx = config '"'--usr x'"'\n" > c
	fails_with 129 $PERF x 2> err
	says "unknown option \`usr x" err
'
check 'a full disk is an error, a closed pipe is not worth a word' '
	fails_with 1 $PERF version > /dev/full 2> err
	says "No space left" err
	fails_with 1 $PERF list sw > /dev/full 2> err
	test "$(grep -c "^Error: .*standard output: No space left" err)" = "$(wc -l < err)"
	( $PERF test list; echo $? > status ) 2> err | head -n 1 > /dev/null
	test ! -s err
'
check_if EVENTS 'messages do not go into a file that was opened where standard error is closed' '
	$PERF stat -v -o counts -e page-faults sh -c "[ ! -e /proc/self/fd/2 ]" 2>&-
	says "page-faults" counts
	silent_about "page-faults:" counts
	fails_with 1 $PERF version >&- 2> err
	says "Bad file descriptor" err
'
check 'nothing is coloured or paged where the output is no terminal' '
	PERF_PAGER="sed s/^/paged:/" $PERF --paginate help > out
	says record out
	silent_about "paged:" out
	not grep -q "$(printf "\033")" out
'
