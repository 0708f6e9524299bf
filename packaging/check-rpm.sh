#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-rpm.sh DIR: tries the packages in DIR: rpmlint finds nothing that packaging/rpm/rpmlint.toml does not
# explain; the program is hardened; they are installed in a folder, used from there, and removed, and nothing
# is left. With REBUILD set: built once more, they have the same bytes. Needs root; without it it says so.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
refuse() {
	echo "test-rpm: $*" >&2
	exit 1
}
[ "$(id -u)" = 0 ] || refuse "needs root, to install into a folder"
for tool in rpm rpmlint readelf; do
	command -v $tool > /dev/null || refuse "needs the program $tool, which is not here"
done
mapfile -t packages < <(find RPMS -name '*.rpm')
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

echo "test-rpm: rpmlint"
rpmlint --strict -c "$here/rpm/rpmlint.toml" "${packages[@]}" SRPMS/*.rpm "$here/rpm/perf-ng.spec" > "$tmp/lint" 2>&1 ||
	{ cat "$tmp/lint"; exit 1; }
echo "test-rpm: install, use and remove"
root=$tmp/machine
mkdir -p "$root"
rpm --root "$root" --initdb
# Debian's rpm says each time that it should not be used
rpm --root "$root" --nodeps --nosignature --noscripts -i "${packages[@]}" 2> "$tmp/err" || { cat "$tmp/err"; exit 1; }
"$here/check-hardening.sh" "$root/usr/bin/perf-ng" "$root"/usr/lib/perf-ng/*.so
"$root/usr/bin/perf-ng" record -q -e cpu-clock:u -o "$tmp/x.data" /bin/sh -c 'i=0; while [ $((i += 1)) -lt 300000 ]; do :; done'
"$root/usr/bin/perf-ng" report --stdio -s dso -i "$tmp/x.data" > "$tmp/out" 2> "$tmp/err"
grep -q '[0-9]%' "$tmp/out"
LD_DEBUG=files LD_DEBUG_OUTPUT=$tmp/loaded "$root/usr/libexec/perf-ng/perf" report --stdio -s sym -i "$tmp/x.data" > "$tmp/out" 2> "$tmp/err"
cat "$tmp"/loaded.* > "$tmp/files"
grep -q "file=$root/usr/bin/../lib/perf-ng/libelf.so" "$tmp/files"
PATH= "$root/usr/bin/perf-ng" help record > "$tmp/out"
grep -q '^EXIT STATUS' "$tmp/out"
rpm --root "$root" -e perf-ng perf-ng-doc 2> "$tmp/err" || { cat "$tmp/err"; exit 1; }
find "$root" -path "$root/var/lib/rpm" -prune -o -name '*perf*' -print > "$tmp/left"
[ ! -s "$tmp/left" ] || { echo "left behind:"; cat "$tmp/left"; exit 1; }

if [ "${REBUILD-}" ]; then
	echo "test-rpm: the same bytes"
	sha256sum "${packages[@]}" SRPMS/*.rpm > "$tmp/sums"
	DIST_VERSION=$(cat version) CCACHE_DISABLE=1 TZ=Asia/Tokyo "$here/rpm.sh" . ../dist
	sha256sum -c --quiet "$tmp/sums"
fi
echo "test-rpm: passed"
