#!/bin/sh
# Documents and comments under test: files, functions and constants that they name exist. doc-names.txt lists
# the exceptions.
. "$(dirname "$0")/../cli/lib.sh"
need GIT
cd "$SRC" || exit 1

git ls-files > "$TMP/files"
sed "s/#.*//" tests/lint/doc-names.txt | awk "NF { print \$1 }" > "$TMP/known"
documents="README.md $(git ls-files 'Documentation/dev/*.md' tests/README 'tests/*/README*' | tr '\n' ' ')"
code() {
	git ls-files '*.c' '*.h' '*.def' '*.sh' 'tests/*/run*' Makefile | xargs cat
}

# "file:line: path" of each path of the project that a document or a comment names
paths() {
	# shellcheck disable=SC2086 # a list of files
	grep -noE "(util|arch|ui|tests|plugins|config|Documentation|completion)/[A-Za-z0-9_./+-]*[A-Za-z0-9_]" $documents
	git ls-files '*.c' '*.h' '*.def' '*.sh' | xargs grep -noE "^[ 	/]*[*#].*" | awk '{
		match($0, /^[^:]*:[0-9]*:/)
		at = substr($0, 1, RLENGTH)
		$0 = substr($0, RLENGTH + 1)
		while (match($0, /[ ("](util|arch|ui|plugins|config|Documentation)\/[A-Za-z0-9_.\/+-]*[A-Za-z0-9_]/)) {
			print at substr($0, RSTART + 1, RLENGTH - 1)
			$0 = substr($0, RSTART + RLENGTH)
		}
	}'
}
check 'paths that documents and comments name exist' '
	paths > "$TMP/paths"
	test -s "$TMP/paths"
	while IFS=: read -r file line path; do
		case $path in *[*?]* | *foo* | *NAME* | *LIB* | *MODULE* | *NNNN*) continue ;; esac	# made up on purpose
		[ -e "$path" ] || [ -e "$path.c" ] || [ -e "$path.h" ] || grep -qx "$path" "$TMP/known" ||
			grep -q "^$path[-.]" "$TMP/files" || echo "$file:$line: $path"
	done < "$TMP/paths" > "$TMP/bad"
	cat "$TMP/bad"
	test ! -s "$TMP/bad"
'
# names_in PATTERN: "file:line:name" in documents
names_in() {
	# shellcheck disable=SC2086 # a list of files
	grep -noE "$1" $documents | sed "s/\`//g; s/()//; s/($//" | sed -E "s/^([^:]*:[0-9]*:)[^A-Za-z_]/\1/"
}
check 'functions that documents name exist' '
	code | grep -oE "[A-Za-z_][A-Za-z0-9_]*\(" | sort -u > "$TMP/functions"
	test -s "$TMP/functions"
	names_in "\`[a-z_][a-z0-9_]*\(\)\`|[^a-zA-Z_][a-z_]+_[a-z0-9_]+\(" > "$TMP/names"
	test -s "$TMP/names"
	while IFS=: read -r file line name; do
		case $name in *foo*) continue ;; esac
		grep -qx "$name(" "$TMP/functions" || grep -qx "$name" "$TMP/known" || echo "$file:$line: $name()"
	done < "$TMP/names" > "$TMP/bad"
	cat "$TMP/bad"
	test ! -s "$TMP/bad"
'
check 'constants that documents name exist' '
	code | grep -oE "[A-Z][A-Z0-9]*_[A-Z0-9_]+" | sort -u > "$TMP/constants"
	names_in "\`[A-Z][A-Z0-9]*_[A-Z0-9_]+" > "$TMP/names"
	test -s "$TMP/names"
	while IFS=: read -r file line name; do
		grep -qx "$name" "$TMP/constants" || grep -qx "$name" "$TMP/known" || echo "$file:$line: $name"
	done < "$TMP/names" > "$TMP/bad"
	cat "$TMP/bad"
	test ! -s "$TMP/bad"
'
