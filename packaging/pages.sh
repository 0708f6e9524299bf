#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# pages.sh FILE...: prints the sources of manual pages as rows for C: PAGE(name, text)
set -eu
for f; do
	name=${f##*/}
	printf 'PAGE("%s",\n' "${name%.txt}"
	sed 's/\\/\\\\/g; s/"/\\"/g; s/?/\\?/g; s/	/\\t/g; s/^/"/; s/$/\\n"/' "$f"
	echo ')'
done
