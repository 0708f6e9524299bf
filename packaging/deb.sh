#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# deb.sh DIR DISTDIR: the Debian packages of the tarball in DISTDIR, with their source, in DIR. Built in
# DIR/src, the same folder each time, so that a compiler cache knows the objects.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
for tool in dpkg-buildpackage dh; do
	command -v $tool > /dev/null || { echo "perf: make deb needs $tool: apt-get install dpkg-dev debhelper" >&2; exit 1; }
done
# DIST_VERSION: another than that of the last commit
version=${DIST_VERSION:-$(sh "$here/../config/version.sh" --commit)}
tarball=$2/perf-$version.tar.gz
[ -e "$tarball" ] || { echo "perf: make deb needs $tarball, which make dist makes of the last commit" >&2; exit 1; }
number=${version%%.g*}
time=$(tar -xzOf "$tarball" "perf-$version/config/RELEASE" | sed -n 2p)
echo "$version" > "$out/version"
# what is between two releases comes before the next one
[ "$number" = "$version" ] || number=$number~git$(date -u -d "@$time" +%Y%m%d).${version##*.g}
rm -rf "$out"/src "$out"/*.deb "$out"/*.dsc "$out"/*.tar.* "$out"/*.changes "$out"/*.buildinfo
mkdir "$out/src"
tar -C "$out/src" --strip-components=1 -xzf "$tarball"
cp "$tarball" "$out/perf-ng_$number.orig.tar.gz"
cp -r "$here/debian" "$out/src/debian"
cat > "$out/src/debian/changelog" <<-END
	perf-ng ($number-1) unstable; urgency=medium

	  * Version $version: see NEWS.

	 -- ${DEBFULLNAME:-The authors of perf} <${DEBEMAIL:-perf@packages.invalid}>  $(date -u -R -d "@$time")
END
# debhelper gives the build a home of its own
if command -v ccache > /dev/null; then
	CCACHE_DIR=${CCACHE_DIR:-$(ccache -k cache_dir)}
	export CCACHE_DIR
fi
cd "$out/src"
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-nocheck parallel=$(nproc)}" \
	SOURCE_DATE_EPOCH="$time" dpkg-buildpackage -us -uc ${DEB_ARGS-} > "$out/log" 2>&1 || {
	tail -n 30 "$out/log"
	echo "perf: make deb failed: $out/log" >&2
	exit 1
}
cd ..
ls ./*.deb | sed "s|^\.|$1|"
