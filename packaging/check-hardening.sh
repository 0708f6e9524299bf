#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-hardening.sh PROGRAM [PLUGIN...]: fails, with a sentence for each, if one was linked or compiled
# without what distributions ask for: position independence, read-only relocations, all symbols bound at
# start, a stack that is not executable, and for the program stack protector, checked functions of the C
# library (FORTIFY), and on x86 the landing pads of control-flow enforcement (CET). Plug-ins are compiled
# alike, but some are too small to need these.
set -u
bad=0
say() {
	echo "$1: $2"
	bad=1
}
common() {
	readelf -hldnW "$1" > "$tmp" || exit 1
	grep -Eq '^ *Type: +DYN ' "$tmp" || say "$1" "is not position-independent (PIE)"
	grep -q ' GNU_RELRO ' "$tmp" || say "$1" "has no read-only relocations (RELRO)"
	grep -Eq '\((FLAGS|FLAGS_1|BIND_NOW)\).*(BIND_NOW|NOW)' "$tmp" || say "$1" "binds symbols late (no BIND_NOW)"
	grep -Eq ' GNU_STACK .* RW +0x' "$tmp" || say "$1" "has an executable stack"
	! grep -q '(TEXTREL)' "$tmp" || say "$1" "changes its code at start (TEXTREL)"
}
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
common "$1"
# the linker marks a program if all objects have landing pads; those of some C libraries have none
if grep -q 'Machine: .*X86-64' "$tmp" && ! grep -q 'x86 feature: IBT, SHSTK' "$tmp"; then
	[ "$(LC_ALL=C grep -aoP '\xf3\x0f\x1e\xfa' "$1" | wc -l)" -gt 100 ] ||
		say "$1" "has no landing pads of control-flow enforcement (CET)"
fi
readelf -sW "$1" > "$tmp"
readelf --dyn-syms -W "$1" >> "$tmp"
grep -q '__stack_chk_fail' "$tmp" || say "$1" "has no stack protector"
grep -Eq '__[a-z]+_chk(@| |$)' "$tmp" || say "$1" "calls no checked functions (FORTIFY)"
shift
for plugin; do
	common "$plugin"
done
exit $bad
