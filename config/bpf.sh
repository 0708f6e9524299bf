#!/bin/sh
# bpf.sh [--check] FILE.bpf.c...: compiles BPF programs, for both byte orders, into FILE.bpf.inc, a list of
# bytes for C, so that building perf needs no clang. Comments and line numbers of the source are not in it.
# --check: changes nothing, fails if a file is not what it would make.
# Needs clang, llvm-objcopy and the headers of libbpf; "make deps" does not install them.
set -eu
check=
if [ "${1-}" = --check ]; then
	check=1
	shift
fi
clang=${CLANG:-clang}
objcopy=${LLVM_OBJCOPY:-llvm-objcopy}
include=/usr/include/$(gcc -print-multiarch 2> /dev/null || echo "$(uname -m)-linux-gnu")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

compile() { # TARGET FILE
	"$clang" -target "$1" -mcpu=v2 -O2 -Wall -Wextra -Wno-unused-parameter -Werror -idirafter "$include" -fsyntax-only "$2"
	# from a pipe, so that neither paths nor lines of the source are in the types
	"$clang" -target "$1" -mcpu=v2 -E -P -idirafter "$include" "$2" |
		"$clang" -target "$1" -mcpu=v2 -O2 -g -fdebug-compilation-dir=. -w -x c -c -o "$tmp/o" -
	"$objcopy" --strip-debug --discard-all --remove-section .BTF.ext --remove-section .rel.BTF.ext \
		--remove-section .llvm_addrsig "$tmp/o"
	LC_ALL=C od -An -v -w25 -tu1 "$tmp/o" | sed 's/  */,/g; s/^,//; s/$/,/'
}

for file; do
	out=${file%.c}.inc
	{
		echo "/* $(basename "$file"), compiled by \"make bpf\" (clang $("$clang" -dumpversion)): do not edit */"
		echo '#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__'
		compile bpfel "$file"
		echo '#else'
		compile bpfeb "$file"
		echo '#endif'
	} > "$tmp/inc"
	if [ -z "$check" ]; then
		cmp -s "$tmp/inc" "$out" || cp "$tmp/inc" "$out"
	elif ! cmp -s "$tmp/inc" "$out"; then
		echo "$out is not what \"make bpf\" makes of $file" >&2
		exit 1
	fi
done
