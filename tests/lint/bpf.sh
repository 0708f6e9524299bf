#!/bin/sh
# The BPF programs that are checked in as bytes are what their sources say.
. "$(dirname "$0")/../cli/lib.sh"
cd "$SRC" || exit 1

# another version of clang makes other bytes
have_BPF_COMPILER() {
	made=$(sed -n '1s/.*(clang \([0-9.]*\)).*/\1/p' util/bpf/*.bpf.inc | sort -u)
	[ "$(clang -dumpversion 2> /dev/null)" = "$made" ] || { echo "needs clang $made"; return 1; }
	command -v llvm-objcopy > /dev/null || { echo "needs llvm-objcopy"; return 1; }
	echo '#include <bpf/bpf_helpers.h>' | clang -E - > /dev/null 2>&1 || { echo "needs the headers of libbpf"; return 1; }
}

check 'each BPF program is there as bytes, of one version of the compiler' '
	ls util/bpf/*.bpf.c > "$TMP/sources"
	sed "s/c\$/inc/" "$TMP/sources" | xargs ls > "$TMP/objects"
	ls util/bpf/*.bpf.inc | same "$TMP/objects" -
	test "$(sed -n "1s/.*(clang \([0-9.]*\)).*/\1/p" $(cat "$TMP/objects") | sort -u | wc -l)" = 1'
check_if BPF_COMPILER 'make bpf changes nothing' '
	config/bpf.sh --check util/bpf/*.bpf.c'
