#!/bin/sh
# The modules of each folder in circles.txt have no circle, by includes and by calls.
. "$(dirname "$0")/../cli/lib.sh"
cd "$SRC" || exit 1

# edges FILES: "module module file:line" for each include and each call between files of a folder. The files
# are read twice: for what they define, then for what they use
edges() {
	awk '
	function module(path) { sub(/\.[a-z]+$/, "", path); return path }
	function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
	# the line without strings and comments
	function code(line) {
		gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
		gsub(/\/\*.*\*\//, "", line)
		return line ~ /^[ \t]*(\/\*|\*([ \t\/]|$))/ ? "" : line
	}
	# the next name before a parenthesis, "" if there is none; rest: the line after it
	function called(line) {
		if (!match(line, /[A-Za-z_][A-Za-z_0-9]*\(/))
			return ""
		rest = substr(line, RSTART + RLENGTH)
		return substr(line, RSTART, RLENGTH - 1)
	}
	function defines(name) {
		if (/^static/)
			own[FILENAME, name] = 1
		else if (FILENAME ~ /\.c$/)
			owner[folder(FILENAME), name] = module(FILENAME)
	}
	function uses(name,   to) {
		to = owner[folder(FILENAME), name]
		if (to != "" && !((FILENAME, name) in own) && to != module(FILENAME))
			print module(FILENAME), to, FILENAME ":" FNR
	}
	FNR == 1 { again = FILENAME in seen; seen[FILENAME] = 1 }
	!again {
		if (/^[A-Za-z].*\(/ && !/;$/)
			defines(called(code($0)))
		next
	}
	/^[ \t]*#[ \t]*include[ \t]*"[^"\/]*\.h"/ {
		split($0, q, "\"")
		print module(FILENAME), module(folder(FILENAME) "/" q[2]), FILENAME ":" FNR
	}
	FILENAME ~ /\.c$/ && !/^[ \t]*#/ {
		for (line = code($0); (name = called(line)) != ""; line = rest)
			uses(name)
	}' "$@" "$@"
}

# circle FILES: nothing, or the modules of a circle with the lines that tie it; status 1
circle() {
	edges "$@" > "$TMP/edges"
	test -s "$TMP/edges" || { echo "no module includes another one"; return 1; }
	awk '$1 != $2 { print $1, $2 }' "$TMP/edges" | sort -u | tsort > /dev/null 2> "$TMP/loop" && return
	sed -n 's/^tsort: \(util\)/\1/p' "$TMP/loop" > "$TMP/modules"
	awk 'FNR == NR { in_loop[$1] = 1; next } in_loop[$1] && in_loop[$2] && $1 != $2' "$TMP/modules" "$TMP/edges"
	return 1
}

circle_in_tmp() { (cd "$TMP" && circle util/*.[ch]); }

sed 's/#.*//' "$SRC/tests/lint/circles.txt" | grep . > "$TMP/folders"
while read -r dir; do
	check "the modules of $dir have no circle" 'circle '"$dir"'/*.[ch]'
done < "$TMP/folders"

check 'a circle is found: by an include, by a call' '
	mkdir "$TMP/util"
	printf "#include \"two.h\"\nint one(void)\n{\n\treturn two();\n}\n" > "$TMP/util/one.c"
	printf "int two(void);\n" > "$TMP/util/two.h"
	printf "#include \"two.h\"\nint two(void)\n{\n\treturn 2;\n}\n" > "$TMP/util/two.c"
	circle_in_tmp
	printf "int two(void)\n{\n\treturn one();\n}\n" > "$TMP/util/two.c"
	not circle_in_tmp
	printf "#include \"one.h\"\n" > "$TMP/util/two.h"
	printf "int two(void)\n{\n\treturn 2;\n}\n" > "$TMP/util/two.c"
	not circle_in_tmp
'
