#!/bin/sh
# version.sh FILE: writes the versions as a C header, touching FILE only where one changes. The own number is
# in config/VERSION. A git checkout adds the commit, unless it is the one with the tag of that version; a
# tarball (packaging/dist.sh) has the whole text in config/RELEASE, and asks no git that it may have been
# unpacked into. config/LEVEL is the version of upstream's perf whose options and outputs this perf has: tools
# parse "perf version MAJOR.MINOR" and leave out what is newer.
# version.sh --own, --commit: prints the own version: of what is here, or of the last commit.
set -eu
here=$(dirname "$0")
own() { # DESCRIBE-OPTION...
	if [ -e "$here/RELEASE" ]; then
		head -n 1 "$here/RELEASE"
		return
	fi
	version=$(cat "$here/VERSION")
	if commit=$(git -C "$here" describe --always --abbrev=12 --exclude '*' "$@" 2> /dev/null); then
		tag=$(git -C "$here" rev-parse -q --verify --short=12 "refs/tags/v$version^{commit}" 2> /dev/null || :)
		[ "$commit" = "$tag" ] || version=$version.g$commit
	fi
	echo "$version"
}
case $1 in
--own) own --dirty; exit ;;
--commit) own; exit ;;
esac
version=$(own --dirty)
mkdir -p "$(dirname "$1")"
text="#define OWN_VERSION \"$version\"
#define PERF_VERSION \"$(cat "$here/LEVEL").$version\""
[ -e "$1" ] && [ "$(cat "$1")" = "$text" ] || echo "$text" > "$1"
