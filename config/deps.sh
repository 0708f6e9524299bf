#!/bin/sh
# deps.sh: installs what is missing to build perf, as root; otherwise names it and exits 1.
# deps.sh --name WHAT...: only prints the command that would install these rows of config/packages.tsv.
# shellcheck disable=SC2086,SC2046,SC2016
set -eu
here=$(dirname "$0")
CC=${CC:-gcc}

# column of config/packages.tsv and the install command of the first package manager that is there
if command -v apt-get > /dev/null; then
	column=2 install='apt-get install -y --no-install-recommends'
elif command -v dnf > /dev/null; then
	column=3 install='dnf install -y'
elif command -v zypper > /dev/null; then
	column=4 install='zypper --non-interactive install'
elif command -v pacman > /dev/null; then
	column=5 install='pacman -S --needed --noconfirm'
elif command -v apk > /dev/null; then
	column=6 install='apk add'
else
	column=2 install=
fi

packages() {
	for what; do
		awk -F '\t' -v w="$what" -v c=$column '$1 == w { print $c }' "$here/packages.tsv"
	done | tr ' ' '\n' | sed "s/@$(uname -m)\$//; /@/d" | sort -u | tr '\n' ' ' | sed 's/ $//'
}

missing() {
	grep '^tool:' "$here/packages.tsv" | cut -f 1 | while read -r what; do
		command -v "${what#tool:}" > /dev/null || echo "$what"
	done
	CHECK=1 "$here/probe.sh" . $CC
}

explain() {
	if [ -n "$install" ]; then
		echo "perf: 'make deps' as root installs what is missing, or: $install $*"
	else
		echo "perf: no known package manager here; under Debian the packages are: $*"
	fi
}

if [ "${1-}" = --name ]; then
	shift
	explain $(packages "$@")
	exit 0
fi
pkgs=$(packages $(missing))
if [ -z "$pkgs" ]; then
	echo "perf: nothing to install, all libraries and tools are there"
	exit 0
fi
if [ "$(id -u)" != 0 ] || [ -z "$install" ]; then
	explain $pkgs >&2
	exit 1
fi
echo "perf: installing $pkgs"
tmp=$(mktemp -d)
# what the package manager prints is only shown when something needed is missing at the end
finish() {
	status=$?
	[ $status = 0 ] || cat "$tmp/log" >&2
	rm -rf "$tmp"
	exit $status
}
trap finish EXIT
: > "$tmp/log"
if [ $column = 2 ]; then
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq >> "$tmp/log" 2>&1
	install='apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0'
fi
if ! $install $pkgs >> "$tmp/log" 2>&1; then
	# a name that this release does not have keeps none of the others away; the probe says whether enough
	# is there
	for p in $pkgs; do
		$install "$p" >> "$tmp/log" 2>&1 || echo "perf: cannot install $p" >&2
	done
	"$here/probe.sh" "$tmp" $CC
fi
