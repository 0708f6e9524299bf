#!/bin/sh
# Every #include "..." follows an edge of layers.txt, and the modules have no cycle.
. "$(dirname "$0")/../cli/lib.sh"
cd "$SRC" || exit 1

# "module module file:line" for each include
edges() {
	for f in perf.c builtin-*.c arch/*.[ch] arch/*/*.[ch] ui/*.[ch] ui/*/*.[ch] plugins/*.c python/*.[ch] util/*/*.[ch] util/*/*.def \
			tests/unit/*.[ch] tests/machine/*.[ch] tests/workloads/*.[ch]; do
		[ -e "$f" ] && printf '%s\n' "$f"
	done | xargs awk '
	function module(path,   p, n) {
		n = split(path, p, "/")
		if (p[1] == "util")
			return p[2]
		if (p[1] == "arch" || p[1] == "ui" || p[1] == "tests" || p[1] == "plugins" || p[1] == "python")
			return p[1]
		return path ~ /^builtin-/ ? "builtin" : "perf"
	}
	# the directory of the file and the path in quotes, without ".."
	function resolve(from, path,   p, n, i, out, depth) {
		sub(/[^\/]*$/, "", from)
		n = split(from path, p, "/")
		depth = 0
		for (i = 1; i <= n; i++) {
			if (p[i] == "..")
				depth--
			else if (p[i] != "." && p[i] != "")
				out[++depth] = p[i]
		}
		path = out[1]
		for (i = 2; i <= depth; i++)
			path = path "/" out[i]
		return path
	}
	/^[ \t]*#[ \t]*include[ \t]*"/ {
		split($0, q, "\"")
		print module(FILENAME), module(resolve(FILENAME, q[2])), FILENAME ":" FNR
	}'
}
edges > "$TMP/edges"

check 'includes follow the edges of tests/lint/layers.txt' '
	test "$(wc -l < "$TMP/edges")" -gt 1000
	awk "
	FNR == NR {
		sub(/#.*/, \"\")
		if (\$1 ~ /^@/ && \$2 == \"=\") {
			for (i = 3; i <= NF; i++)
				group[\$1] = group[\$1] \" \" \$i
		} else if (\$1 ~ /:\$/) {
			left = \$1
			sub(/:/, \"\", left)
			nl = left in group ? split(group[left], l, \" \") : split(left, l, \" \")
			for (a = 1; a <= nl; a++) {
				known[l[a]] = 1
				for (b = 1; b <= nl; b++)
					may[l[a], l[b]] = 1
				for (i = 2; i <= NF; i++) {
					nr = \$i in group ? split(group[\$i], r, \" \") : split(\$i, r, \" \")
					for (b = 1; b <= nr; b++)
						may[l[a], r[b]] = 1
				}
			}
		}
		next
	}
	!closed {
		closed = 1
		for (k in known) for (i in known) if (may[i, k]) for (j in known) if (may[k, j]) may[i, j] = 1
	}
	!(\$1 in known) { print \$3 \": module \" \$1 \" has no line in tests/lint/layers.txt\"; bad = 1; next }
	!may[\$1, \$2] { print \$3 \": \" \$1 \" may not include \" \$2; bad = 1 }
	END { exit bad }" "$SRC/tests/lint/layers.txt" "$TMP/edges"
'

check 'modules have no cycle' '
	test -s "$TMP/edges"
	awk "\$1 != \$2 { print \$1, \$2 }" "$TMP/edges" | sort -u | tsort > /dev/null
'

check_if GIT 'ui knows nothing of perf' '
	git ls-files "ui/*.[ch]" > "$TMP/ui"
	test -s "$TMP/ui"
	not grep -nE "#include \".*/(event|data|machine|sym|session|hist|fields)/" $(cat "$TMP/ui")
'
