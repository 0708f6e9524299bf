#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# dist.sh DIR: the last commit as DIR/perf-VERSION.tar.gz, with its checksum beside it. What was not committed
# is not in it. Its file config/RELEASE has the version and the time of the commit, which a build without git
# cannot know. Made twice, it has the same bytes: order, owners, modes and times are those of the commit.
set -eu
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
fail() {
	echo "perf: make dist: $*" >&2
	exit 1
}
[ "$(git rev-parse --show-toplevel 2> /dev/null)" = "$PWD" ] ||
	fail "this is not a git checkout of perf: a tarball is made of a commit"
[ -z "$(git status --porcelain --untracked-files=no)" ] ||
	echo "perf: make dist: changes that are not committed are left out" >&2
version=$(sh config/version.sh --commit)
time=$(git log -1 --format=%ct)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
name=perf-$version
git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD | tar -C "$tmp" -x --no-same-owner
rm -rf "$tmp/$name/.ci" "$tmp/$name/.gitignore"
printf '%s\n%s\n' "$version" "$time" > "$tmp/$name/config/RELEASE"
LC_ALL=C tar -C "$tmp" --format=ustar --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner \
	--mode=go=rX,u+rw -cf "$tmp/tar" "$name"
gzip -9 -n < "$tmp/tar" > "$tmp/$name.tar.gz"
(cd "$tmp" && sha256sum "$name.tar.gz") > "$out/$name.tar.gz.sha256"
mv "$tmp/$name.tar.gz" "$out/$name.tar.gz"
echo "$out/$name.tar.gz"
