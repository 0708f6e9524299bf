#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-deb.sh DIR: tries the packages in DIR. lintian finds nothing that is not explained; the program is
# hardened; in a bare Debian 12 (that of "make test-bare") they are installed beside linux-perf, used, and
# removed, and nothing is left. With REBUILD=1: built once more, they have the same bytes. Needs root,
# mmdebstrap and the network; without them it says so and exits 1.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
refuse() {
	echo "test-deb: $*" >&2
	exit 1
}
[ "$(id -u)" = 0 ] || refuse "needs root, to make and enter a machine of its own"
for tool in mmdebstrap lintian unshare chroot dpkg-deb; do
	command -v $tool > /dev/null || refuse "needs the program $tool, which is not here"
done

echo "test-deb: lintian"
lintian -I --fail-on error,warning,info --allow-root ./*.changes
echo "test-deb: hardening"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
dpkg-deb -x perf-ng_*_*.deb "$tmp/files-of"
"$here/check-hardening.sh" "$tmp/files-of/usr/bin/perf-ng" "$tmp"/files-of/usr/lib/perf-ng/*.so
dpkg-deb -x python3-perf_*.deb "$tmp/files-of"
"$here/check-hardening.sh" "$tmp"/files-of/usr/lib/python3/dist-packages/*.so

echo "test-deb: install, use and remove"
cache=${BARE_CACHE:-/var/tmp/perf-bare}
mkdir "$tmp/files"
cat > "$tmp/files/inside.sh" <<'END'
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
find / -xdev \( -path /proc -o -path /sys -o -path /tmp -o -path /root \) -prune -o -print | sort > /tmp/before
apt-get update -qq
apt-get install -y -qq --no-install-recommends /tmp/deb/perf-ng_*.deb /tmp/deb/perf-ng-doc_*.deb /tmp/deb/python3-perf_*.deb > /tmp/log 2>&1 || { cat /tmp/log; exit 1; }
cd /tmp
# linux-perf of Debian 12 has a module perf, too, which Python prefers: its name has a version
cat > counts.py <<'PYTHON'
import perf
events = perf.parse_events("task-clock")
events.open()
events.enable()
for i in range(100000):
    pass
for e, cpu, thread in ((e, c, t) for e in events for c in e.cpus() for t in e.threads()):
    print(e, e.read(cpu, thread).val)
PYTHON
python3 counts.py > out || { cat out; exit 1; }
grep -q 'task-clock.* [1-9][0-9]*$' out || { cat out; exit 1; }
apt-get install -y -qq --no-install-recommends linux-perf > /tmp/log 2>&1 || { cat /tmp/log; exit 1; }
perf-ng record -q -e cpu-clock:u -o x.data perf-ng test -w deterministic 20000
perf-ng report --stdio -i x.data > out 2> err
grep -q '[0-9]%  perf-ng  ' out
dpkg -i /tmp/deb/perf-ng-dbgsym_*.deb > /tmp/log 2>&1 || { cat /tmp/log; exit 1; }
perf-ng report --stdio -i x.data > out 2> err
grep -q deterministic out || { cat out err; exit 1; }
perf-ng annotate --stdio -i x.data deterministic_spin > out 2> err
grep -qE '^ +[0-9.]+ .*:' out || { cat out err; exit 1; }
PATH=/usr/libexec/perf-ng:$PATH perf version > v
grep -q '^perf version 7' v
/usr/bin/perf version > v
not_ours=$(cat v)
[ "$not_ours" != "$(perf-ng version)" ]
perf-ng help record > out
grep -q '^EXIT STATUS' out
perf-ng check feature libelf > out || { cat out; exit 1; }
[ -s /usr/share/doc/perf-ng/html/index.html ]
dpkg -L perf-ng perf-ng-doc python3-perf | sort -u | while read -r f; do [ -d "$f" ] || echo "$f"; done > ours
dpkg -L linux-perf | sort -u > theirs
[ "$(comm -12 ours theirs | wc -l)" = 0 ] || { comm -12 ours theirs; exit 1; }
apt-get purge -y -qq --autoremove perf-ng perf-ng-dbgsym perf-ng-doc python3-perf linux-perf > /tmp/log 2>&1 || { cat /tmp/log; exit 1; }
rm -f /root/.perfconfig
find / -xdev \( -path /proc -o -path /sys -o -path /tmp -o -path /root -o -path /var/lib/apt -o -path /var/cache -o -path /var/log -o -path /var/lib/dpkg \) -prune -o -print | sort > /tmp/after
comm -13 /tmp/before /tmp/after | grep perf-ng > /tmp/left || :
[ ! -s /tmp/left ] || { echo "left behind:"; cat /tmp/left; exit 1; }
[ ! -d /root/.debug ] || rm -r /root/.debug
echo "test-deb: ok inside"
END
cp ./*.deb "$tmp/files/"
BARE_CACHE=$cache BARE_FILES=$tmp/files "$here/../tests/bare/run" "bash /tmp/deb/inside.sh" > "$tmp/out" 2>&1 || { cat "$tmp/out"; exit 1; }
grep -q 'ok inside' "$tmp/out" || { cat "$tmp/out"; exit 1; }

if [ "${REBUILD-}" ]; then
	echo "test-deb: the same bytes"
	sha256sum ./*.deb ./*.tar.* > "$tmp/sums"
	# without the cache of a compiler, at another time, in another time zone and language
	(DIST_VERSION=$(cat version) CCACHE_DISABLE=1 TZ=Asia/Tokyo LC_ALL=C.UTF-8 DEB_BUILD_OPTIONS="nocheck parallel=${REBUILD}" "$here/deb.sh" . ../dist)
	sha256sum -c --quiet "$tmp/sums"
fi
echo "test-deb: passed"
