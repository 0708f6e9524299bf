#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sbom.sh PERF PLUGINDIR: prints a bill of materials of this perf, as SPDX 2.3 in JSON: the program, its
# plug-ins, and each library, with the package, version and checksum that it has on this machine. It asks the
# dynamic linker and the package manager (dpkg or rpm); what they do not know is NOASSERTION. LIBS has the -l
# words with which CC linked perf: of those without a shared object, or of all with STATIC=1, the archive is
# inside of the program. The same machine and commit give the same bytes.
set -eu
here=$(dirname "$0")
perf=$1 plugins=$2
version=$(sh "$here/../config/version.sh" --own)
seconds=${SOURCE_DATE_EPOCH:-$(sed -n 2p "$here/../config/RELEASE" 2> /dev/null ||
	git -C "$here" log -1 --format=%ct 2> /dev/null || echo 0)}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# "FROM HOW LIBRARY PATH" of each library: HOW is direct, or indirect (another library needs it)
libraries_of() { # FROM FILE
	readelf -d "$2" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' > "$tmp/needed"
	ldd "$2" | sed -n 's/^[[:blank:]]*\([^ ]*\) => \(\/[^ ]*\).*/\1 \2/p' | while read -r lib path; do
		if grep -Fxq "$lib" "$tmp/needed"; then how=direct; else how=indirect; fi
		echo "$1 $how $lib $path"
	done
}
# archives that are inside of the program
archives() {
	for l in ${LIBS-} ${STATIC:+-lc}; do
		case $l in -l*) l=lib${l#-l} ;; *) continue ;; esac
		so=$($CC -print-file-name="$l.so") a=$($CC -print-file-name="$l.a")
		{ [ "${STATIC-}" ] || [ "$so" = "$l.so" ]; } && [ "$a" != "$l.a" ] || continue
		[ "$(wc -c < "$a")" -gt 8 ] || continue		# empty: the C library has it
		echo "perf static $l.a $(readlink -f "$a")"
	done
}
{
	archives
	[ "${STATIC-}" ] || libraries_of perf "$perf"
	for p in "$plugins"/*.so; do
		[ ! -e "$p" ] || libraries_of "plug-in-$(basename "$p" .so)" "$p"
	done
} | LC_ALL=C sort -u > "$tmp/links"

# "LIBRARY PATH VERSION PURL" of each library, as the package manager knows it. Where /lib is a link to
# /usr/lib, packages name their files either way
# shellcheck disable=SC1091
system=$(. /etc/os-release 2> /dev/null && echo "${ID-}" || :)
: > "$tmp/owners"
cut -d ' ' -f 3- "$tmp/links" | LC_ALL=C sort -u > "$tmp/files"
if command -v dpkg-query > /dev/null; then
	while read -r _ path; do
		real=$(readlink -f "$path")
		printf '%s\n' "$path" "$real" "/usr$path" "${real#/usr}" "${path#/usr}" | sed "s|^|$path |"
	done < "$tmp/files" > "$tmp/names"
	cut -d ' ' -f 2 "$tmp/names" | sort -u | xargs dpkg-query -S 2> /dev/null | grep -v '^diversion' |
		sed 's/^\([^,]*\)[^ ]*: /\1 /' > "$tmp/found" || :
	cut -d ' ' -f 1 "$tmp/found" | sort -u | xargs dpkg-query -W \
		-f "\${Package} \${Package}:\${Architecture} \${Version} pkg:deb/${system:-debian}/\${Package}@\${Version}?arch=\${Architecture}\n" > "$tmp/versions"
	awk 'FILENAME == ARGV[1] { version[$1] = version[$2] = $3 " " $4; next }
		FILENAME == ARGV[2] { owner[$2] = $1; next }
		$2 in owner && !($1 in said) { said[$1]; print $1, version[owner[$2]] }' \
		"$tmp/versions" "$tmp/found" "$tmp/names" > "$tmp/owners"
elif command -v rpm > /dev/null; then
	while read -r _ path; do
		rpm -qf --qf "$path %{VERSION}-%{RELEASE} pkg:rpm/${system:-linux}/%{NAME}@%{VERSION}-%{RELEASE}?arch=%{ARCH}\n" "$path" 2> /dev/null | head -n 1 || :
	done < "$tmp/files" > "$tmp/owners"
fi

id() {
	printf 'SPDXRef-%s' "$(printf %s "$1" | sed 's/+/p/g; s/[^A-Za-z0-9.-]/-/g')"
}
checksum() {
	sha256sum < "$1" | cut -d ' ' -f 1
}
# one package: NAME VERSION PURL FILE LICENCE PURPOSE
package() {
	printf '\t\t{\n\t\t\t"SPDXID": "%s",\n\t\t\t"name": "%s",\n\t\t\t"versionInfo": "%s",\n' "$(id "$1")" "$1" "$2"
	printf '\t\t\t"downloadLocation": "NOASSERTION",\n\t\t\t"filesAnalyzed": false,\n'
	printf '\t\t\t"licenseConcluded": "NOASSERTION",\n\t\t\t"licenseDeclared": "%s",\n' "$5"
	printf '\t\t\t"copyrightText": "NOASSERTION",\n\t\t\t"primaryPackagePurpose": "%s",\n' "$6"
	[ "$3" = - ] || printf '\t\t\t"externalRefs": [ { "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": "%s" } ],\n' \
		"$(printf %s "$3" | sed 's/+/%2B/g; s/:/%3A/2g')"
	printf '\t\t\t"checksums": [ { "algorithm": "SHA256", "checksumValue": "%s" } ],\n' "$(checksum "$4")"
	printf '\t\t\t"packageFileName": "%s"\n\t\t}' "$4"
}
relation() {
	printf ',\n\t\t{ "spdxElementId": "%s", "relationshipType": "%s", "relatedSpdxElement": "%s" }' "$1" "$2" "$3"
}

printf '{\n\t"spdxVersion": "SPDX-2.3",\n\t"dataLicense": "CC0-1.0",\n\t"SPDXID": "SPDXRef-DOCUMENT",\n'
printf '\t"name": "perf-%s",\n' "$version"
printf '\t"documentNamespace": "urn:perf:%s:%s",\n' "$version" "$(cat "$perf" "$tmp/links" | sha256sum | cut -c 1-32)"
printf '\t"creationInfo": {\n\t\t"created": "%s",\n\t\t"creators": [ "Tool: perf-sbom-%s" ]\n\t},\n' \
	"$(date -u -d "@$seconds" +%Y-%m-%dT%H:%M:%SZ)" "$version"
printf '\t"packages": [\n'
package perf "$version" - "$perf" GPL-2.0-or-later APPLICATION
for p in "$plugins"/*.so; do
	[ -e "$p" ] || continue
	printf ',\n'
	package "plug-in-$(basename "$p" .so)" "$version" - "$p" GPL-2.0-or-later LIBRARY
done
while read -r lib path; do
	v=NOASSERTION purl=-
	while read -r of version_of purl_of; do
		[ "$of" != "$path" ] || v=$version_of purl=$purl_of
	done < "$tmp/owners"
	printf ',\n'
	package "$lib" "$v" "$purl" "$path" NOASSERTION LIBRARY
done < "$tmp/files"
printf '\n\t],\n\t"relationships": [\n'
printf '\t\t{ "spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-perf" }'
for p in "$plugins"/*.so; do
	[ ! -e "$p" ] || relation "$(id "plug-in-$(basename "$p" .so)")" OPTIONAL_COMPONENT_OF SPDXRef-perf
done
while read -r from how lib _; do
	case $how in
	static) relation "$(id "$from")" STATIC_LINK "$(id "$lib")" ;;
	direct) relation "$(id "$from")" DYNAMIC_LINK "$(id "$lib")" ;;
	indirect) relation "$(id "$from")" DEPENDS_ON "$(id "$lib")" ;;
	esac
done < "$tmp/links"
printf '\n\t]\n}\n'
