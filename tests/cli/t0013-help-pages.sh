#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

check 'lists the commands' '
	$PERF help -a | says "   config " /dev/stdin
	PERF_DOC_PATH=$SRC/Documentation $PERF config --help > out	# a build elsewhere finds no pages beside it
	test -s out
'
check 'without man, or without a page that it can show, the page is shown from its source' '
	mkdir tree tree/Documentation tree/none
	cp "$PERF" tree/perf
	cp "$SRC/Documentation/perf-record.txt" "$SRC/Documentation/perf.txt" tree/Documentation
	PATH=$PWD/tree/none PERF_MAN_PATH=/nonexistent tree/perf help record > out 2> err
	test ! -s err
	says "       perf record [<options>] -- <command> [<options>]" out
	grep -qx "EXIT STATUS" out
	grep -qx "       -F, --freq=<freq or .max.>" out	# from the rows
	test "$(wc -L < out)" -le 100
	tree/perf --no-pager record --help | cmp - out
	PERF_MAN_PATH=/nonexistent tree/perf help perf > out
	grep -q "^       perf \[--version\]" out
	grep -qx "       -h, --help" out
	mkdir moved
	mv tree/perf moved
	PERF_MAN_PATH=/nonexistent PERF_DOC_PATH=tree/Documentation moved/perf help perf | cmp - out
'
check 'every page can be shown from its source' '
	mkdir whole
	cp "$PERF" whole/perf
	ln -s "$SRC/Documentation" whole
	$PERF --list-cmds > cmds
	test -s cmds
	for c in $(cat cmds); do
		PERF_MAN_PATH=/nonexistent whole/perf help $c > out
		says "perf-$c - " out
		grep -qx "SYNOPSIS" out
		not grep -nE "pass:c|(^|[ (])\`[a-z-]|^ *// " out
	done
'
check 'without a page, the options' '
	cp "$PERF" perf		# away from its pages
	PERF_MAN_PATH=/nonexistent PERF_DOC_PATH=/nonexistent fails_with 129 ./perf help config > out 2> err
	says "neither perf-config.1 (with man) nor perf-config.txt was found" err
	says "Usage: perf config" out
'
check 'a page is shown by man' '
	mkdir -p bin man/man1
	cp "$PERF" perf
	printf "#!/bin/sh\necho \"man \$*\"\n" > bin/man
	chmod +x bin/man
	: > man/man1/perf-config.1
	test "$(PATH=$PWD/bin:$PATH PERF_MAN_PATH=$PWD/man ./perf help config)" = "man $PWD/man/man1/perf-config.1"
	test "$(PATH=$PWD/bin:$PATH PERF_MAN_PATH=$PWD/man ./perf config --help)" = "man $PWD/man/man1/perf-config.1"
	rm -r bin man
'
check 'no such command' '
	fails_with 1 $PERF help confg 2> err
	says "did you mean '"'config'"'" err
	fails_with 129 $PERF help a b 2> /dev/null
'
check 'pages about scripts in a language, which are not commands' '
	mkdir -p topics
	cp "$PERF" topics/perf
	cp -r "$SRC/Documentation" topics/
	for language in python perl; do
		PERF_MAN_PATH=/nonexistent PATH=/nonexistent topics/perf help script-$language > out
		says "perf-script-$language - call functions" out
		says "process_event(" out
		PERF_MAN_PATH=/nonexistent PATH=/nonexistent topics/perf help perf-script-$language | same out -
		$PERF help --roff "$SRC/Documentation/perf-script-$language.txt" > roff 2> err
		test ! -s err
		grep -q "^.SH .NAME" roff
	done
	rm -r topics/Documentation
	fails_with 1 env PERF_MAN_PATH=/nonexistent PERF_DOC_PATH=/nonexistent PATH=/nonexistent \
		topics/perf help script-perl 2> err
	says "neither perf-script-perl.1" err
'
check_if PYTHON 'the manual as HTML: well formed pages, whose links lead to pages; an index' '
	"$SRC/packaging/html.sh" "$PERF" "$PWD/html"
	cat > read.py <<-END
		import html.parser, os
		class Page(html.parser.HTMLParser):
		    def __init__(self):
		        super().__init__()
		        self.open, self.links = [], []
		    def handle_starttag(self, tag, attributes):
		        if tag not in ("meta", "link"):
		            self.open.append(tag)
		        self.links += [v for k, v in attributes if k in ("href", "src")]
		    def handle_endtag(self, tag):
		        assert self.open.pop() == tag, (tag, self.getpos())
		for name in sorted(os.listdir("html")):
		    if name.endswith(".html"):
		        p = Page()
		        p.feed(open("html/" + name).read())
		        assert not p.open, (name, p.open)
		        for l in p.links:
		            assert os.path.exists("html/" + l), (name, l)
		        print(name, *p.links)
	END
	python3 read.py > links
	for f in "$SRC"/Documentation/perf.txt "$SRC"/Documentation/perf-*.txt; do
		page=$(basename "$f" .txt).html
		grep "^index.html " links > index
		says " $page" index
	done
	grep -q "^perf-report.html .* perf-script.html" links
	says "<p style=\"margin-left:4ch;text-indent:-4ch\">-i, --input=&lt;file&gt;</p>" html/perf-report.html
	says "<pre>perf record -g -- ./program" html/perf-report.html
	says "<h2 id=\"1--record\">1. Record</h2>" html/tutorial.html
	for picture in $(sed -n "s/.*<img src=\"\([^\"]*\)\".*/\1/p" html/tutorial.html); do
		says "<svg" html/$picture
	done
	grep -c "<img src=" html/tutorial.html
	fails_with 129 $PERF help --html x --roff y 2> err
	says "are used alone" err
'
