#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# rpm.sh DIR DISTDIR: RPM packages of the tarball in DISTDIR, with their source, in DIR. On Debian rpm knows
# no installed packages, so what the build requires is not asked for there: "make deps" installs it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
command -v rpmbuild > /dev/null || { echo "perf: make rpm needs rpmbuild: apt-get install rpm, dnf install rpm-build" >&2; exit 1; }
# DIST_VERSION: another than that of the last commit
version=${DIST_VERSION:-$(sh "$here/../config/version.sh" --commit)}
tarball=$2/perf-$version.tar.gz
[ -e "$tarball" ] || { echo "perf: make rpm needs $tarball, which make dist makes of the last commit" >&2; exit 1; }
number=${version%%.g*}
time=$(tar -xzOf "$tarball" "perf-$version/config/RELEASE" | sed -n 2p)
echo "$version" > "$out/version"
# what is between two releases comes before the next one
[ "$number" = "$version" ] || number=$number~git$(date -u -d "@$time" +%Y%m%d).${version##*.g}
rm -rf "$out"/BUILD "$out"/BUILDROOT "$out"/RPMS "$out"/SRPMS
mkdir -p "$out/SOURCES"
cp "$tarball" "$out/SOURCES/"
nodeps=
[ ! -e /etc/debian_version ] || nodeps=--nodeps
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL SOURCE_DATE_EPOCH="$time" rpmbuild -ba $nodeps \
	-D "_topdir $out" -D "own_version $version" -D "rpm_version $number" -D "_buildhost localhost" \
	-D "use_source_date_epoch_as_buildtime 1" -D "clamp_mtime_to_source_date_epoch 1" \
	"$here/rpm/perf-ng.spec" > "$out/log" 2>&1 || {
	tail -n 30 "$out/log"
	echo "perf: make rpm failed: $out/log" >&2
	exit 1
}
rm -rf "$out/BUILD" "$out/BUILDROOT"
cd "$out"
find RPMS SRPMS -name '*.rpm' | LC_ALL=C sort | sed "s|^|$1/|"
