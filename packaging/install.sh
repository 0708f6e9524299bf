#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# install.sh install|uninstall|list: copies what was built to where the file-system standard and the
# completion systems expect it, removes just that, or prints the paths. files() has all of them, so the three
# agree. The makefile says where (BINDIR, MANDIR, ...), below DESTDIR, and what was built (O, PERF, names of
# plug-ins, PAGES and, as roff, PAGEDIR). NAME: what the program is called there. If it is not "perf", no file
# has a path of a distribution's perf.
set -eu

case $NAME in
'' | *[!a-z0-9.+-]* | [!a-z]*)
	echo "perf: NAME=$NAME is not a name for a program: letters a-z, digits, '.', '+' and '-'" >&2
	exit 1 ;;
esac

# each file: mode, source, where to, and which of its words are the name of the program
files() {
	echo "755 $PERF $BINDIR/$NAME -"
	for p in $INSTALL_PLUGINS; do
		echo "755 $O/lib/perf/$p.so $PLUGINDIR/$p.so -"
	done
	for page in $PAGES; do
		base=${page##*/}
		base=${base%.txt}
		echo "644 $page $DATADIR/pages/$base.txt -"
		# a perf for another machine cannot write its pages here
		[ "$1" = install ] && [ ! -e "$PAGEDIR/$base.1" ] ||
			echo "644 $PAGEDIR/$base.1 $MANDIR/man1/$NAME${base#perf}.1 man"
	done
	for f in Documentation/fleet/*; do
		echo "644 $f $DATADIR/fleet/${f##*/} -"
	done
	for f in README.md LICENSE NEWS Documentation/tutorial.txt; do
		[ ! -e "$f" ] || echo "644 $f $DOCDIR/${f##*/} -"
	done
	for f in Documentation/pictures/*.svg; do
		echo "644 $f $DOCDIR/pictures/${f##*/} -"
	done
	echo "644 util/script/perf_dlfilter.h $INCDIR/perf/perf_dlfilter.h -"
	echo "644 completion/perf.bash $COMPDIR/$NAME bash"
	echo "644 completion/_perf $ZSHDIR/_$NAME zsh"
	echo "644 completion/perf.fish $FISHDIR/$NAME.fish fish"
}

# renamed KIND FILE: the file, with another name of the program
renamed() {
	id=_$(echo "$NAME" | tr '.+-' ___)
	case $1 in
	man)
		words=$(for p in $PAGES; do p=${p##*/perf}; echo "${p%.txt}"; done |
			sed -n 's/^-//p' | sed 's/-/\\\\-/g' | paste -s -d '|' -)
		name=$(echo "$NAME" | sed 's/[.-]/\\\\&/g')
		sed -E -e "s/\\<perf(\\\\-($words)\\>)/$name\\1/g" -e "s/\\<perf\\(1\\)/$name(1)/g" \
			-e "s/^(\\.TH \")perf\"/\\1$name\"/" -e "s/^perf( \\\\- )/$name\\1/" "$2" ;;
	bash) sed -e "s/_perf/$id/g" -e "/^complete /s/ perf\$/ $NAME/" "$2" ;;
	zsh) sed "s/^#compdef perf\$/#compdef $NAME/" "$2" ;;
	fish) sed -e "s/__perf_words/_${id}_words/g" -e "s/^complete -c perf /complete -c $NAME /" "$2" ;;
	*) cat "$2" ;;
	esac
}

# the folders that are perf's own, where nothing else is left in them; of a staging folder all that are empty
remove_folders() {
	for dir in "$DATADIR/pages" "$DATADIR/fleet" "$DATADIR" "$DOCDIR" "$PLUGINDIR" "$INCDIR/perf"; do
		rmdir "${DESTDIR-}$dir" 2> /dev/null || :
	done
	[ "$NAME" = perf ] || rmdir "${DESTDIR-}$INCDIR" 2> /dev/null || :
	[ "${DESTDIR-}" ] || return 0
	files uninstall | while read -r _ _ to _; do
		while to=$(dirname "$to") && [ "$to" != / ]; do
			rmdir "$DESTDIR$to" 2> /dev/null || [ ! -e "$DESTDIR$to" ] || break
		done
	done
}

case $1 in
install)
	files install | while read -r mode from to kind; do
		install -d "${DESTDIR-}$(dirname "$to")"
		if [ "$NAME" != perf ] && [ "$kind" != - ]; then
			renamed "$kind" "$from" | install -m "$mode" /dev/stdin "${DESTDIR-}$to"
		else
			install -m "$mode" "$from" "${DESTDIR-}$to"
		fi
	done ;;
uninstall)
	files uninstall | while read -r _ _ to _; do
		rm -f "${DESTDIR-}$to"
	done
	remove_folders ;;
list)
	files uninstall | while read -r _ _ to _; do
		echo "${DESTDIR-}$to"
	done ;;
*)
	echo "perf: install.sh install|uninstall|list" >&2
	exit 1 ;;
esac
