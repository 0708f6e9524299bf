#!/bin/sh
# make install and make uninstall: where files go, what an installed perf finds, what is left.
. "$(dirname "$0")/../cli/lib.sh"
have_MAKE() {
	command -v make > /dev/null || { echo "needs make"; return 1; }
}
need MAKE

# the pages as roff, without "make man", which would write beside the other tests
mkdir pages
for page in record script-python; do
	$PERF help --roff "$SRC/Documentation/perf-$page.txt" > "pages/perf-$page.1"
done
$PERF help --roff "$SRC/Documentation/perf.txt" > pages/perf.1
# make_of TARGET VARIABLE=VALUE...: builds nothing
make_of() {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u NAME -u DESTDIR make -s -C "$SRC" O="$O" PERF="$PERF" PAGEDIR="$PWD/pages" "$@"
}
make_of install-files DESTDIR="$PWD/root" || exit 1
top=$PWD/root
local=$top/usr/local

check 'files are where the file-system standard and the shells expect them' '
	(cd "$local" && find . -type f | sort) > files
	for f in bin/perf share/man/man1/perf.1 share/man/man1/perf-record.1 include/perf/perf_dlfilter.h \
		share/bash-completion/completions/perf share/zsh/site-functions/_perf \
		share/fish/vendor_completions.d/perf.fish share/doc/perf/README.md share/doc/perf/LICENSE \
		share/perf/pages/perf-record.txt share/perf/fleet/sqlite.sql lib/perf/libelf.so; do
		grep -Fxq "./$f" files
	done
	not grep -vE "^\./(bin/perf|lib/perf/[a-z0-9]*\.so|include/perf/.*\.h|share/(perf|doc/perf)/.*|share/man/man1/perf[a-z0-9-]*\.1|share/(bash-completion/completions|zsh/site-functions|fish/vendor_completions.d)/.*)\$" files
	ls "$O/lib/perf" | grep -c "\.so\$" > built
	test "$(grep -c "^./lib/perf/" files)" = "$(cat built)"
	test "$(find root -type f -perm /022 | wc -l)" = 0
	test -x "$local/bin/perf"
'
check_if EVENTS 'the installed perf records and reports with the plug-ins beside it' '
	"$local/bin/perf" record -q -e cpu-clock:u -o x.data "$local/bin/perf" test -w deterministic 20000
	LD_DEBUG=files LD_DEBUG_OUTPUT="$PWD/loaded" "$local/bin/perf" report --stdio -i x.data > out
	says deterministic out
	grep -h "dynamically loaded" loaded.* > all
	says "file=$local/bin/../lib/perf/libelf.so" all
'
check 'it shows its manual: by man, and without man from the source' '
	mkdir -p bin none
	printf "#!/bin/sh\necho \"man \$*\"\n" > bin/man
	chmod +x bin/man
	PATH=$PWD/bin:$PATH "$local/bin/perf" help record > out
	same - out <<-END
		man $local/bin/../share/man/man1/perf-record.1
	END
	PATH=$PWD/none PERF_DOC_PATH=/nonexistent "$local/bin/perf" help stat > out
	says "perf-stat - " out
'
have_FISH() {
	command -v fish > /dev/null || { echo "needs fish"; return 1; }
}
check_if FISH 'fish finds the completion' '
	PATH=$local/bin:$PATH XDG_DATA_DIRS=$local/share fish -c "complete -C \"perf vers\"" > out
	grep -qx version out
'
have_ZSH() {
	command -v zsh > /dev/null || { echo "needs zsh"; return 1; }
}
check_if ZSH 'zsh finds the completion' '
	zsh -f -c "fpath=($local/share/zsh/site-functions \$fpath); autoload -U compinit; compinit -u -D; echo \$_comps[perf]" > out
	same - out <<-END
		_perf
	END
'
have_BASH_COMPLETION() {
	[ -e /usr/share/bash-completion/bash_completion ] || { echo "needs bash-completion"; return 1; }
}
check_if BASH_COMPLETION 'bash finds the completion' '
	XDG_DATA_DIRS=$local/share bash --norc -c ". /usr/share/bash-completion/bash_completion; _completion_loader perf; complete -p perf" > out
	says "-F _perf perf" out
'
check 'uninstall removes all that install made, and nothing else' '
	: > "$local/bin/other"
	make_of uninstall DESTDIR="$PWD/root"
	find root -type f > left
	same - left <<-END
		root/usr/local/bin/other
	END
	rm "$local/bin/other"
	make_of install-files DESTDIR="$PWD/root"
	make_of uninstall DESTDIR="$PWD/root"
	test "$(find root | wc -l)" -le 1
'
check 'by another name, no path is one of the perf of a distribution' '
	make_of install-files DESTDIR="$PWD/other" PREFIX=/usr NAME=perf-ng
	find other -type f > files
	grep -Fxq other/usr/bin/perf-ng files
	grep -Fxq other/usr/share/man/man1/perf-ng-script-python.1 files
	not grep -vE "/_?perf-ng([./-]|\$)" files
	says "-F _perf_ng perf-ng" other/usr/share/bash-completion/completions/perf-ng
	grep -Fxq "#compdef perf-ng" other/usr/share/zsh/site-functions/_perf-ng
	says "complete -c perf-ng -f" other/usr/share/fish/vendor_completions.d/perf-ng.fish
	says ".TH \"perf\\-ng\\-record\" 1" other/usr/share/man/man1/perf-ng-record.1
	not grep "perf.-report(1)" other/usr/share/man/man1/perf-ng-record.1
	says "perf\\-ng\\-report(1)" other/usr/share/man/man1/perf-ng-record.1
	make_of uninstall DESTDIR="$PWD/other" PREFIX=/usr NAME=perf-ng
	test "$(find other | wc -l)" -le 1
	fails_with 2 make_of install-files DESTDIR="$PWD/other" NAME=../perf 2> err
	says "is not a name for a program" err
'
