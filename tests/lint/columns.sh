#!/bin/sh
# Lines have at most 110 columns. Documentation/dev/STYLE.md says so; nothing formats the sources but who
# writes them.
. "$(dirname "$0")/../cli/lib.sh"
cd "$SRC" || exit 1

# too_wide AWK-CONDITION: "file:line: columns" of the lines of the files in $TMP/files for which it holds
too_wide() {
	tr '\n' '\0' < "$TMP/files" | LC_ALL=C xargs -0 awk '
		FNR == 1 { fence = "" }
		/^ *```|^----$/ { fence = fence ? "" : "yes" }
		{
			text = $0
			gsub(/[\200-\277]/, "", text)	# behind the first byte of a character
			columns = 0
			while ((at = index(text, "\t")) > 0) {
				columns += at - 1
				columns += 8 - columns % 8
				text = substr(text, at + 1)
			}
			columns += length(text)
		}
		columns > 110 && ('"$1"') { print FILENAME ":" FNR ": " columns " columns"; bad = 1 }
		END { exit bad }'
}
check 'in the sources' '
	git ls-files "*.c" "*.h" "*.def" "*.S" Makefile > "$TMP/files"
	test "$(wc -l < "$TMP/files")" -gt 600
	too_wide 1
'
# may be wider: rows of tables, blocks that show code or output, and what stands in columns
check 'in documents, but for tables and what is shown as it stands' '
	git ls-files "*.md" "Documentation/*.txt" > "$TMP/files"
	test "$(wc -l < "$TMP/files")" -gt 25
	too_wide "!fence && !/^[|]/ && !/^(\t|   )/ && !/[^ ]  +[^ ]/"
'
# may be wider: commands, and the output that is expected of them
check 'in the comments of scripts' '
	git ls-files "*.sh" "*.bash" "*.awk" "*.tsv" tests/run tests/bare/run tests/bench/run tests/vm/run \
		tests/fuzz/run-corpus .ci/run "tests/lint/*.txt" > "$TMP/files"
	test "$(wc -l < "$TMP/files")" -gt 130
	too_wide "/^#/"
'
