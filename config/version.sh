#!/bin/sh
# version.sh FILE: writes the versions as a C header, touching FILE only where one changes. The own number is
# in config/VERSION; in a git checkout the commit is added. config/LEVEL is the version of upstream's perf
# whose options and outputs this perf has: tools parse "perf version MAJOR.MINOR" and leave out what is newer.
set -eu
here=$(dirname "$0")
version=$(cat "$here/VERSION")
if commit=$(git -C "$here" describe --always --dirty --abbrev=12 --exclude '*' 2> /dev/null); then
	version=$version.g$commit
fi
mkdir -p "$(dirname "$1")"
text="#define OWN_VERSION \"$version\"
#define PERF_VERSION \"$(cat "$here/LEVEL").$version\""
[ -e "$1" ] && [ "$(cat "$1")" = "$text" ] || echo "$text" > "$1"
