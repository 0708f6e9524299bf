#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# html.sh PERF DIR: the manual for browsers in DIR: a file for each page of Documentation, the tutorial, and
# index.html, which lists them. They link to each other, and load nothing from elsewhere.
set -eu
perf=$1 dir=$2
cd "$(dirname "$0")/.."
mkdir -p "$dir"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
pages=$(cd Documentation && ls perf.txt perf-*.txt)

# "perf-record(1)" becomes a link where there is such a page
for page in $pages; do
	name=${page%.txt}
	printf '%s\n' "/^<title>\|^<h1/!s|\([^A-Za-z0-9-]\)$name(1)|\1<a href=\"$name.html\">$name(1)</a>|g"
done > "$tmp/links"
for page in $pages; do
	"$perf" help --html "Documentation/$page" | sed -f "$tmp/links" -e 's|^<body>|&\
<nav><a href="index.html">perf: manual</a></nav>|' > "$tmp/page"
	mv "$tmp/page" "$dir/${page%.txt}.html"
done
# its headings are underlined
awk '/^===+$/ || /^---+$/ { print (/=/ ? "= " : "== ") line; line = ""; next }
	NR > 1 { print line } { line = $0 } END { print line }' Documentation/tutorial.txt > "$tmp/tutorial.txt"
# "Picture: pictures/x.svg" becomes the picture
cp Documentation/pictures/*.svg "$dir/"
"$perf" help --html "$tmp/tutorial.txt" | sed -f "$tmp/links" \
	-e 's|Picture: pictures/\([a-z]*\).svg|<a href="\1.svg"><img src="\1.svg" alt="flame graph: \1" width="900" /></a>|' \
	> "$dir/tutorial.html"

cat > "$dir/manual.css" <<-'END'
	body { max-width: 60em; margin: 1em auto; padding: 0 1em; font: 1em/1.45 sans-serif; color: #222; background: #fff }
	h1, h2, h3 { line-height: 1.2; margin: 1.2em 0 0.4em }
	p { margin: 0.1em 0 }
	p.apart { margin-top: 0.7em }
	pre { background: #f4f4f2; padding: 0.5em 1em; overflow-x: auto; line-height: 1.3 }
	code { background: #f4f4f2 }
	td { padding: 0.1em 1em 0.1em 0; vertical-align: top }
	@media (prefers-color-scheme: dark) {
		body { color: #ddd; background: #1b1b1b }
		pre, code { background: #2a2a2a }
		a { color: #8ab4f8 }
	}
END
{
	cat <<-'END'
		<!DOCTYPE html>
		<html lang="en">
		<head>
		<meta charset="utf-8">
		<title>perf: manual</title>
		<link rel="stylesheet" href="manual.css">
		</head>
		<body>
		<h1>perf: manual</h1>
		<p>Begin with the <a href="tutorial.html">tutorial</a>, or with <a href="perf.html">perf(1)</a>.</p>
		<table>
	END
	for page in $pages; do
		name=${page%.txt}
		# the line below == NAME
		sed -n "s/&/\&amp;/g; s/</\&lt;/g; s|^$name - \(.*\)|<tr><td><a href=\"$name.html\">$name(1)</a></td><td>\1</td></tr>|p" \
			"Documentation/$page" | head -n 1
	done
	printf '</table>\n</body>\n</html>\n'
} > "$dir/index.html"
