#!/bin/sh
. "$(dirname "$0")/../cli/lib.sh"

check 'shows features and tells by its status' '
	$PERF check feature libelf > out
	grep -Eq "^ *libelf: \[ on  \]  # HAVE_LIBELF_SUPPORT$" out
	$PERF check feature LIBELF,have_zlib_support > out
	test "$(wc -l < out)" = 2
	test -z "$($PERF check -q feature libelf)"
	off=$($PERF version --build-options | sed -n "s/^ *\([^ ]*\): \[ OFF.*/\1/p" | head -n 1)
	fails_with 1 $PERF check -q feature "libelf,$off"
'
check 'knows what it does not know' '
	fails_with 1 $PERF check feature nosuch 2> err
	says "no feature '"'nosuch'"'" err
	fails_with 129 $PERF check 2> /dev/null
	fails_with 129 $PERF check feature 2> /dev/null
	fails_with 129 $PERF check something 2> /dev/null
	test "$($PERF check --list-cmds)" = "feature "
'
check 'knows the names of upstream, each on where the library behind it is' '
	libdw=$($PERF check -q feature libdw && echo on || echo OFF)
	for name in dwarf dwarf_getlocations dwarf-unwind libdw-dwarf-unwind; do
		got=$($PERF check feature $name | sed "s/^ *$name: \[ \([a-zA-Z]*\) .*/\1/")
		test "$got" = "$libdw"
	done
	for name in libbpf-strings libbfd libLLVM libnuma numa_num_possible_cpus rust; do
		got=0
		$PERF check feature $name > out || got=$?
		test $got = 1
		grep -q "^ *$name: \[ OFF \]" out
	done
'
check 'abilities of the own code are on: BPF programs and CTF traces need no library' '
	$PERF check feature bpf,bpf_skeletons,HAVE_LIBBPF_SUPPORT,HAVE_BPF_SKEL,babeltrace2-ctf-writer > out
	test "$(grep -c ": \[ on  \]" out)" = 5
	$PERF version --build-options > all
	grep -q "^ *bpf: \[ on  \]" all
'
check 'macros are known as upstream writes them' '
	$PERF check feature HAVE_LIBTRACEEVENT,HAVE_LIBTRACEEVENT_SUPPORT > out
	test "$(uniq out | wc -l)" = 1
	$PERF check feature HAVE_LIBPFM,HAVE_RUST > out || true
	test "$(wc -l < out)" = 2
	fails_with 1 $PERF check feature HAVE_LIBTRACEEVENT_ 2> err
	says "no feature" err
'
check_if NEWEST 'knows every name of the newest' '
	"$NEWEST" version --build-options | sed -n "s/^ *\([^ ]*\): \[.*# \([A-Z0-9_]*\).*/\1 \2/p" > names
	test "$(wc -l < names)" -gt 20
	while read -r name macro; do
		$PERF check feature $name,$macro > out || test $? = 1
		test "$(wc -l < out)" = 2
	done < names
'
