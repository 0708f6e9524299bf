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
		cut -d " " -f 2 "$TMP/families" | grep -qx "$c" || { echo "no number for tests of perf $c in tests/README"; bad=1; }
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
