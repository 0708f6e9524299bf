#!/bin/sh
# Licences: REUSE.toml says it for all files; those that others get as source say it themselves.
. "$(dirname "$0")/../cli/lib.sh"
need GIT
cd "$SRC" || exit 1
licence=GPL-2.0-or-later

check 'REUSE.toml covers all files, and LICENSE is that licence' '
	test "$(grep -c "^path = " REUSE.toml)" = 1
	grep -Fxq "path = \"**\"" REUSE.toml
	grep -Fxq "SPDX-License-Identifier = \"$licence\"" REUSE.toml
	says "GNU GENERAL PUBLIC LICENSE" LICENSE
	says "Version 2, June 1991" LICENSE
'
check 'files that are installed as source, and packages, have an SPDX line at their beginning' '
	git ls-files completion packaging util/script/perf_dlfilter.h |
		grep -vE "/debian/(changelog|control|copyright|source/|.*\.(docs|install|links|lintian-overrides|manpages|README.Debian|doc-base|examples)\$)|README.Debian" > "$TMP/files"
	test -s "$TMP/files"
	while read -r f; do
		head -n 3 "$f" | grep -q "SPDX-License-Identifier: $licence" || { echo "$f has no line \"SPDX-License-Identifier: $licence\""; bad=1; }
	done < "$TMP/files"
	test -z "${bad-}"
'
check 'no file has another licence, or comes from somebody else' '
	git grep -IhoE "SPDX-License-Identifier: [A-Za-z0-9.-]+" > "$TMP/ids"
	test -s "$TMP/ids"
	not grep -v ": $licence\$" "$TMP/ids"
	git grep -nIE "Copyright \([cC]\)|Copyright ©" -- . ":!LICENSE" ":!tests/lint/licences.sh" > "$TMP/others" || true
	cat "$TMP/others"
	test ! -s "$TMP/others"
'
