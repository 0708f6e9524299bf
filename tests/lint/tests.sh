#!/bin/sh
# Tests stand where tests/README says: the table of number families there is what is checked here.
. "$(dirname "$0")/../cli/lib.sh"
need GIT
cd "$SRC" || exit 1

# "NUMBER WORD" for each word of the table
sed -n '/^	number	first word/,/^$/p' tests/README | awk -F '\t+' 'NR > 1 && NF { n = split($3, words, " "); for (i = 1; i <= n; i++) print $2, words[i] }' \
	> "$TMP/families"

# misplaced < PATHS: those whose number and first word are not in one row
misplaced() {
	awk '
		BEGIN { while ((getline line < ARGV[1]) > 0) { split(line, f, " "); word[line]; number[f[1]] } ARGV[1] = "-" }
		{
			name = $0
			sub(/.*\//, "", name)
			family = substr(name, 1, 4) in number ? substr(name, 1, 4) : substr(name, 1, 3)
			rest = substr(name, 7)
			found = name ~ /^t[0-9][0-9][0-9][0-9]-[a-z0-9-]+\.sh$/ && family in number ? 0 : -1
			for (row in word) {
				split(row, f, " ")
				if (!found && f[1] == family && rest ~ "^" f[2] "[-.]") found = 1
			}
			if (found != 1) print
		}' "$TMP/families"
}
check 'the table has each word once, and the command of each row of commands.def' '
	test "$(wc -l < "$TMP/families")" -ge 13
	cut -d " " -f 2 "$TMP/families" | sort | uniq -d > "$TMP/twice"
	same /dev/null "$TMP/twice"
	sed -n "s/^[A-Z]*COMMAND(\"\([a-z0-9-]*\)\".*/\1/p" util/cli/commands.def > "$TMP/commands"
	test -s "$TMP/commands"
	while read -r c; do
		cut -d " " -f 2 "$TMP/families" | finds -x "$c" || { echo "no number for tests of perf $c in tests/README"; bad=1; }
	done < "$TMP/commands"
	test -z "${bad-}"
'
check 'every kind of test is in the table of kinds' '
	git ls-files tests | sed -n "s|^tests/\([a-z]*\)/.*|\1|p" | sort -u > "$TMP/kinds"
	test -s "$TMP/kinds"
	sed -n "s|^	\([a-z]*\)/	.*|\1|p" tests/README | sort | same "$TMP/kinds" -
'
check 'number and first word of a test are in one row of the table' '
	git ls-files "tests/cli/*.sh" "tests/interop/*.sh" | grep -v "lib[.]sh$" > "$TMP/scripts"
	test -s "$TMP/scripts"
	misplaced < "$TMP/scripts" > "$TMP/bad"
	same /dev/null "$TMP/bad"
'
check 'a test in the wrong place is found' '
	printf "tests/cli/%s.sh\n" t0100-test-x t0100-report-x t0499-report t0786-list-x t0786-stat-x t9999-stat-x t078-list-x x > "$TMP/names"
	misplaced < "$TMP/names" > "$TMP/bad"
	printf "tests/cli/%s.sh\n" t0100-report-x t0786-stat-x t9999-stat-x t078-list-x x | same - "$TMP/bad"
'
check 'each expectation file is used by the script of its name' '
	git ls-files "tests/cli/*.expect/*" "tests/interop/*.expect/*" > "$TMP/expectations"
	test -s "$TMP/expectations"
	while read -r file; do
		script=${file%.expect/*}.sh
		grep -qE "(^|[[:blank:];])expect ${file##*/}([[:blank:];\"'\'']|\$)" "$script" || { echo "no check of $script says: expect ${file##*/}"; bad=1; }
	done < "$TMP/expectations"
	test -z "${bad-}"
'
# sets_of_names SCRIPT...: lines that make a set of the names in all samples, in scripts that record
sets_of_names() {
	grep -lE "^[^#]*(PERF|PEER|NEWEST)\"? ([a-z0-9]+ )?(record|top) " "$@" |
		xargs grep -nHE "[$]PERF (script|report) [^|]*(comm|tid|ip|sym|dso|-s )[^|]*[|].*(sort -u|uniq)" || true
}
check 'names of all samples of a live recording are not compared: one sample can be anywhere' '
	git ls-files "tests/cli/t*.sh" "tests/interop/t*.sh" "tests/vm/*.sh" > "$TMP/scripts"
	test -s "$TMP/scripts"
	# shellcheck disable=SC2046 # a list of files
	sets_of_names $(cat "$TMP/scripts") > "$TMP/bad"
	same /dev/null "$TMP/bad"
'
check 'a set of names is found' '
	cd "$TMP"
	printf "%s\n" "\$PERF record true" "\$PERF script -F ip,sym | sort -u > out" > a.sh
	printf "%s\n" "mkdata x.data" "\$PERF script -F ip,sym | sort -u > out" > b.sh
	printf "%s\n" "\$PERF record true" "\$PERF script -F time | sort -u | wc -l > out" > c.sh
	sets_of_names a.sh b.sh c.sh | cut -d: -f1,2 > bad
	echo "a.sh:2" | same - bad
'
# fast_clocks FILE...: lines where a clock has a shorter period than a busy machine bears
fast_clocks() {
	# a period of its own counts more than -c
	grep -HnE "(cpu|task)-clock" "$@" | awk '
		/(cpu|task)-clock\/[^ ]*period=[0-9]/ { match($0, /-clock\/[^ ]*period=[0-9]+/) }
		!/(cpu|task)-clock\/[^ ]*period=[0-9]/ { match($0, /(-c ?[0-9]+ [^;|]*(cpu|task)-clock|(cpu|task)-clock[^;| ]* -c ?[0-9]+)/) }
		RSTART > 0 {
			text = substr($0, RSTART, RLENGTH)
			match(text, /(-c ?|period=)[0-9]+/)
			digits = substr(text, RSTART, RLENGTH)
			gsub(/[^0-9]/, "", digits)
			if (digits + 0 < 20000) print
		}
		/-F max .*(cpu|task)-clock|(cpu|task)-clock.* -F max/ { print }'
}
check 'clocks are not sampled faster than a busy machine bears' '
	git ls-files "tests/cli/t*.sh" "tests/interop/t*.sh" "tests/interop/*.txt" "tests/vm/*.sh" > "$TMP/scripts"
	test -s "$TMP/scripts"
	# shellcheck disable=SC2046 # a list of files
	fast_clocks $(cat "$TMP/scripts") > "$TMP/bad"
	same /dev/null "$TMP/bad"
'
check 'a clock that is sampled too fast is found' '
	cd "$TMP"
	printf "%s\n" "record -e cpu-clock -c 1000 x" "record -e cpu-clock/period=200000/,faults -c 1000 x" "record -c 99 -e cpu-clock:u x" \
		"record -e task-clock/period=7,time=0/ x" "record -e faults -c 1 x; record -e cpu-clock x" "record -F max -e cpu-clock x" > fast.sh
	fast_clocks fast.sh | cut -d: -f2 > bad
	printf "%s\n" 1 3 4 6 | same - bad
'
check 'no check sleeps for a second and hopes: it waits by until_true, or says on that line why it cannot' '
	git ls-files "tests/cli/t*.sh" "tests/interop/t*.sh" "tests/vm/*.sh" > "$TMP/scripts"
	# shellcheck disable=SC2046 # a list of files
	not grep -nE "^[[:blank:]]*sleep [1-9][0-9.]*[[:blank:]]*$" $(cat "$TMP/scripts")
'
# unguarded SCRIPT...: "SCRIPT: PROGRAM" where a program of programs.txt is called and never looked for
unguarded() {
	awk '
		FILENAME == ARGV[1] { if (!/^#/) listed[$1]; next }
		FNR == 1 { looking = 0 }
		/^have_[A-Z0-9_]*\(\) \{/ { looking = 1 }
		/^[[:blank:]]*#/ { next }
		{
			n = split($0, word, /[[:blank:]();]+/)
			for (i = 1; i <= n; i++) {
				if (!(word[i] in listed)) continue
				last = i > 1 ? word[i - 1] : ""
				if (looking || last ~ /^(-v|has_program|for|in)$/ || /for [a-z]+ in / || /2> \/dev\/null/) looked[FILENAME, word[i]]
				else if (i == 1 || last == "" || last ~ /^([|&!{]+|then|do|else|if|not|exec|env)$/) uses[FILENAME, word[i]]
			}
		}
		/}$/ { looking = 0 }
		END {
			for (u in uses) {
				split(u, f, SUBSEP)
				need = toupper(f[2])
				if (!(u in looked) && !((f[1], need) in needs)) print f[1] ": " f[2]
			}
		}
		# have_STRACE and so on, of lib.sh
		/have_[A-Z]/ { for (i = 1; i <= NF; i++) if (sub(/^have_/, "", $i)) needs[FILENAME, $i] }
		/^need |^check_(live_)?if / { split($2, list, ","); for (i in list) needs[FILENAME, list[i]]; for (i = 2; i <= NF; i++) needs[FILENAME, $i] }
	' tests/lint/programs.txt "$@" | sort
}
check 'a program that make deps does not install is looked for before it is called' '
	git ls-files "tests/cli/*.sh" "tests/interop/*.sh" "tests/lint/*.sh" | grep -v "lint/tests[.]sh" > "$TMP/scripts"
	test -s "$TMP/scripts"
	# shellcheck disable=SC2046 # a list of files
	unguarded $(cat "$TMP/scripts") > "$TMP/bad"
	same /dev/null "$TMP/bad"
'
check 'a script that calls such a program without looking is found' '
	cd "$TMP"
	printf "%s\n" "check x \"" "	xz -k a" "\"" > a.sh
	printf "%s\n" "	cat a | zstd -q" > b.sh
	printf "%s\n" "command -v xz > /dev/null || exit 1" "xz -k a; echo in zstd" > c.sh
	printf "%s\n" "need STRACE GCC" "strace true" > d.sh
	mkdir -p tests/lint && cp "$SRC/tests/lint/programs.txt" tests/lint/
	unguarded a.sh b.sh c.sh d.sh > bad
	printf "%s\n" "a.sh: xz" "b.sh: zstd" | same - bad
'
