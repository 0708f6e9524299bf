#!/bin/sh
# Rules of the C sources that a compiler does not check. Uses that must be are listed in exceptions.txt, with
# the reason.
. "$(dirname "$0")/../cli/lib.sh"
cd "$SRC" || exit 1

# code without comments and what strings say, as "file:line: text". A line is cut at what comes first in it: a
# string or character constant, or the beginning or end of a comment
strip() {
	for f; do [ ! -e "$f" ] || echo "$f"; done | xargs awk '
		BEGIN {
			quote = "\047"
			starts = "\"([^\"\\\\]|\\\\.)*\"|" quote "([^" quote "\\\\]|\\\\.)*" quote "|/[*]|//"
		}
		FNR == 1 { comment = 0 }
		{
			rest = $0
			text = ""
			while (rest != "") {
				if (comment) {
					if (!(end = index(rest, "*/"))) break
					rest = substr(rest, end + 2)
					comment = 0
				} else if (!match(rest, starts)) {
					text = text rest
					break
				} else {
					found = substr(rest, RSTART, 2)
					text = text substr(rest, 1, RSTART - 1)
					rest = substr(rest, RSTART + RLENGTH)
					if (found == "//") break
					if (found == "/*") comment = 1
					else text = text (found ~ /^"/ ? "\"\"" : "0")
				}
			}
			print FILENAME ":" FNR ": " text
		}'
}
strip perf.c builtin-*.c arch/*.c arch/*/*.c ui/*.c ui/*/*.c python/*.[ch] util/*/*.[ch] > "$TMP/code"
# without code there is nothing to look at
[ "$(wc -l < "$TMP/code")" -gt 10000 ] || exit 1
grep -E '^(util|python)/' "$TMP/code" | grep -v '^util/cli/' > "$TMP/util"

# no_calls FILE NAMES-AS-REGEX: no call outside of exceptions.txt
no_calls() {
	grep -E "(^|[^A-Za-z0-9_>.])($2) *\(" "$1" | while IFS= read -r hit; do
		file=${hit%%:*}
		name=$(printf '%s\n' "${hit#*: }" | grep -oE "(^|[^A-Za-z0-9_>.])($2) *\(" | head -n 1 | tr -cd 'A-Za-z0-9_')
		grep -q "^$file $name " tests/lint/exceptions.txt || echo "$hit"
	done > "$TMP/hits"
	cat "$TMP/hits"
	[ ! -s "$TMP/hits" ]
}

check 'no functions that overflow, run a shell, or keep hidden state' '
	no_calls "$TMP/code" "strcpy|strcat|sprintf|vsprintf|gets|system|popen|strtok|tmpnam|tempnam|mktemp|alloca|asctime|ctime"
'
check 'util neither prints nor exits' '
	no_calls "$TMP/util" "printf|vprintf|fprintf|vfprintf|puts|fputs|putchar|perror|exit|_exit|abort"
'
check 'no memory that may be NULL' '
	no_calls "$TMP/code" "malloc|calloc|realloc|strdup|strndup|asprintf|reallocarray"
'
check 'MIN and MAX evaluate twice: no calls that read or change in them' '
	not grep -E "\\b(MIN|MAX)\([^;]*(cursor_(u8|u16|u32|u64|bytes|str)\(|\+\+)" "$TMP/code"
'
# threads.c and table-lines.c look for the last place that is not after something, source-lines.c decodes rows
check 'sorted arrays are searched with LOWER_BOUND() of base/search.h' '
	grep -E "[^a-z]mid = .*(lo|low) ?\+" "$TMP/code" |
		not grep -vE "^(util/(base/search\.h|machine/threads\.c|probe/source-lines\.c|diff/runs\.c)|ui/tui/table-lines\.c):"
'
check_if GIT 'no paths of a work place, no host names, no trailing blanks, no blanks where tabs belong' '
	git ls-files -z -- "*.c" "*.h" "*.def" "*.sh" "*.md" "*.txt" Makefile "*.tsv" |
		xargs -0 grep -nE "(^|[^a-z0-9])/(work|home|root)/[a-z]|[ 	]+\$|^ {8}" -- |
		grep -vE "^(LICENSE|Documentation/.*\.txt|tests/data|.*\.md|tests/lint/source.sh)" |
		not grep -vE "^tests/cli/t[^:]*:[0-9]*:( {8}|.*[ 	]\$)"	# expected output has them
'
check 'files are short enough to be read' '
	wc -l builtin-*.c 2> /dev/null | awk "\$2 != \"total\" && \$1 >= 400 { print; bad = 1 } END { exit bad }"
	wc -l util/*/*.c python/*.c ui/*.c ui/*/*.c arch/*/*.c 2> /dev/null |
		awk "\$2 != \"total\" && \$1 > 700 { print; bad = 1 } END { exit bad }"
'
# a report, not a rule
awk '
	FNR == 1 { start = 0 }
	/^{/ { start = FNR }
	/^}/ && start { if (FNR - start > 80) print "# long function: " FILENAME ":" start " (" FNR - start " lines)"; start = 0 }
' util/*/*.c builtin-*.c ui/*.c 2> /dev/null | sort -t'(' -k2 -rn
