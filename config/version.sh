#!/bin/sh
# version.sh FILE: writes the version as a C header, touching FILE only where it changes. The number is in
# config/VERSION; in a git checkout the commit is added.
set -eu
here=$(dirname "$0")
version=$(cat "$here/VERSION")
if commit=$(git -C "$here" describe --always --dirty --abbrev=12 --exclude '*' 2> /dev/null); then
	version=$version.g$commit
fi
mkdir -p "$(dirname "$1")"
line="#define PERF_VERSION \"$version\""
[ -e "$1" ] && [ "$(cat "$1")" = "$line" ] || echo "$line" > "$1"
