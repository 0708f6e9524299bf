#!/bin/sh
# Words of messages, the tutorial and manual pages: phrases that are not idiomatic English are refused.
. "$(dirname "$0")/../cli/lib.sh"
cd "$SRC" || exit 1

phrases='\<(behind|so many|of theirs|in front of|(is|are) no [a-z]+)\>|not built-in yet'

# prints the lines of standard input that have such a phrase, and fails if there are any; there must be lines
clean() {
	sed -E "s/\<there (is|are) no\>/there is not any/Ig" > "$TMP/lines"
	test -s "$TMP/lines"
	not grep -E "$phrases" "$TMP/lines"
}

check 'messages' '
	awk "FNR == 1 { in_comment = 0 }
		{ line = \$0; gsub(/\/\*.*\*\//, \"\", line) }
		line ~ /\/\*/ { in_comment = 1; sub(/\/\*.*/, \"\", line) }
		!in_comment && line ~ /\".*\"/ && line !~ /_Static_assert/ { print FILENAME \":\" FNR \": \" line }
		/\*\// { in_comment = 0 }" perf.c builtin-*.c plugins/*.c python/*.[cd]* util/*/*.c util/*/*.def ui/*.c > "$TMP/literals"
	grep -oE "\"([^\"\\]|\\\\.)*\"" "$TMP/literals" | clean'
check 'the tutorial and manual pages' '
	grep -n "" Documentation/tutorial.txt Documentation/perf-record.txt Documentation/perf-report.txt Documentation/perf-stat.txt |
		clean'
