#!/bin/sh
# Numbers of system calls from kernel headers, as util/syscall/numbers.def has them.
#
#	config/syscall-numbers.sh ID=DIR...	the lists of those IDs, for numbers.def, on standard output
#	config/syscall-numbers.sh --check FILE ID=DIR...	prints what FILE lacks or has otherwise
#
# ID is a row of kinds() below, DIR the include directory with the asm/unistd*.h of that architecture, as in
# the packages linux-libc-dev and linux-libc-dev-ARCH-cross. Needs a C preprocessor for any machine.
set -eu

# id, header, base, flags of the preprocessor
kinds() {
	cat <<-END
	x86_64 asm/unistd_64.h 0
	i386 asm/unistd_32.h 0
	x32 asm/unistd_x32.h 0 -D__X32_SYSCALL_BIT=0
	generic64 asm/unistd.h 0 -D__LP64__ -D__BITS_PER_LONG=64 -D__aarch64__
	riscv64 asm/unistd.h 0 -D__LP64__ -D__BITS_PER_LONG=64 -D__riscv_xlen=64 -D__riscv
	loongarch64 asm-generic/unistd.h 0 -D__LP64__ -D__SIZEOF_POINTER__=8 -D__ARCH_WANT_SYS_CLONE3 -D__ARCH_WANT_NEW_STAT \
-D__ARCH_WANT_MEMFD_SECRET
	generic32 asm-generic/unistd.h 0 -D__riscv_xlen=32 -D__SIZEOF_POINTER__=4 -D__ARCH_WANT_TIME32_SYSCALLS -D__ARCH_WANT_RENAMEAT \
-D__ARCH_WANT_STAT64 -D__ARCH_WANT_SET_GET_RLIMIT -D__ARCH_WANT_SYS_CLONE3
	arm asm/unistd.h 0 -D__ARM_EABI__ -D__arm__
	arm_private asm/unistd.h 983040 -D__ARM_EABI__ -D__arm__
	powerpc64 asm/unistd_64.h 0
	powerpc asm/unistd_32.h 0
	s390x asm/unistd_64.h 0
	s390 asm/unistd_32.h 0
	mips_o32 asm/unistd_o32.h 4000 -D__NR_Linux=4000
	mips_n64 asm/unistd_n64.h 5000 -D__NR_Linux=5000
	mips_n32 asm/unistd_n32.h 6000 -D__NR_Linux=6000
	END
}

# system calls that are newer than the headers of some packages: the same number everywhere
newer() {
	[ "$1" != arm_private ] || return 0
	cat <<-END
	451 cachestat
	452 fchmodat2
	453 map_shadow_stack
	454 futex_wake
	455 futex_wait
	456 futex_requeue
	457 statmount
	458 listmount
	459 lsm_get_self_attr
	460 lsm_set_self_attr
	461 lsm_list_modules
	462 mseal
	463 setxattrat
	464 getxattrat
	465 listxattrat
	466 removexattrat
	467 open_tree_attr
	468 file_getattr
	469 file_setattr
	470 listns
	471 rseq_slice_yield
	END
	case $1 in
	x86_64) printf '335 uretprobe\n336 uprobe\n' ;;
	riscv64) printf '258 riscv_hwprobe\n259 riscv_flush_icache\n' ;;
	esac
}

# id, name in the header, row of syscalls.def: calls whose arguments differ between architectures
rows() {
	cat <<-END
	i386 clone clone_backwards
	i386 fadvise64 fadvise64_pair
	i386 fallocate fallocate_pair
	i386 fanotify_mark fanotify_mark_pair
	i386 lookup_dcookie lookup_dcookie_pair
	i386 mmap mmap_in_memory
	i386 pread64 pread64_pair
	i386 pwrite64 pwrite64_pair
	i386 readahead readahead_pair
	i386 select select_in_memory
	i386 sync_file_range sync_file_range_pair
	generic64 clone clone_backwards
	riscv64 clone clone_backwards
	generic32 clone clone_backwards
	generic32 fadvise64_64 fadvise64_64_advice_first
	generic32 fallocate fallocate_pair
	generic32 fanotify_mark fanotify_mark_pair
	generic32 lookup_dcookie lookup_dcookie_pair
	generic32 pread64 pread64_pair
	generic32 pwrite64 pwrite64_pair
	generic32 readahead readahead_pair
	generic32 sync_file_range sync_file_range_pair
	arm clone clone_backwards
	arm fallocate fallocate_pair
	arm fanotify_mark fanotify_mark_pair
	arm ftruncate64 ftruncate64_pad
	arm lookup_dcookie lookup_dcookie_pair
	arm pread64 pread64_pad_pair
	arm pwrite64 pwrite64_pad_pair
	arm readahead readahead_pad_pair
	arm truncate64 truncate64_pad
	powerpc64 clone clone_backwards
	powerpc clone clone_backwards
	powerpc fadvise64 fadvise64_pad_pair
	powerpc fadvise64_64 fadvise64_64_advice_first
	powerpc fallocate fallocate_pair
	powerpc fanotify_mark fanotify_mark_pair
	powerpc ftruncate64 ftruncate64_pad
	powerpc lookup_dcookie lookup_dcookie_pair
	powerpc pread64 pread64_pad_pair
	powerpc pwrite64 pwrite64_pad_pair
	powerpc readahead readahead_pad_pair
	powerpc sync_file_range2 sync_file_range2_pair
	powerpc truncate64 truncate64_pad
	s390x clone clone_backwards2
	s390x mmap mmap_in_memory
	s390 clone clone_backwards2
	s390 fadvise64 fadvise64_pair
	s390 fadvise64_64 fadvise64_64_in_memory
	s390 fallocate fallocate_pair
	s390 fanotify_mark fanotify_mark_pair
	s390 lookup_dcookie lookup_dcookie_pair
	s390 mmap mmap_in_memory
	s390 mmap2 mmap2_in_memory
	s390 pread64 pread64_pair
	s390 pwrite64 pwrite64_pair
	s390 readahead readahead_pair
	s390 sync_file_range sync_file_range_pair
	mips_o32 clone clone_backwards
	mips_o32 fadvise64 fadvise64_64_pad
	mips_o32 fallocate fallocate_pair
	mips_o32 fanotify_mark fanotify_mark_pair
	mips_o32 ftruncate64 ftruncate64_pad
	mips_o32 lookup_dcookie lookup_dcookie_pair
	mips_o32 pread64 pread64_pad_pair
	mips_o32 pwrite64 pwrite64_pad_pair
	mips_o32 readahead readahead_pad_pair
	mips_o32 sync_file_range sync_file_range_pad
	mips_o32 truncate64 truncate64_pad
	mips_n32 clone clone_backwards
	mips_n64 clone clone_backwards
	END
}

# "number row" for one ID and directory, in the order of numbers; a number has one row. Those that are not
# between the base and 65536 more belong to another list
list() {
	id=$1 dir=$2
	kinds | awk -v id="$id" '$1 == id' > "$tmp/kind"
	read -r _ header base flags < "$tmp/kind" || { echo "$0: $id is not an ID" >&2; exit 1; }
	# shellcheck disable=SC2086	# flags are words
	echo "#include <$header>" | ${CC:-cc} -E -dM -undef -nostdinc -I"$dir" $flags - |
		awk '$2 ~ /^__(ARM_)?NR_/ { print $2 }' > "$tmp/names"
	# shellcheck disable=SC2086
	{ echo "#include <$header>"; sed 's/.*/@ "&" &/' "$tmp/names"; } |
		${CC:-cc} -E -P -undef -nostdinc -I"$dir" $flags - | sed -n 's/^@ "\([^"]*\)" \(.*\)/\1 \2/p' > "$tmp/values"
	{
		while read -r name value; do
			case $name in
			*_Linux | *SYSCALL_BASE | *SYSCALL_MASK | *_reserved* | *_unused* | __NR_syscalls) continue ;;
			*_arch_specific_syscall | __ARM_NR_BASE) continue ;;
			__ARM_NR_*) name=arm_${name#__ARM_NR_} ;;
			*) name=${name#__NR_} ;;
			esac
			echo "$(($value)) $name"	# an expression
		done < "$tmp/values"
		newer "$id" | awk -v base="$base" '{ print $1 + ($1 > 400 ? base : 0), $2 }'
	} | sort -n -u | awk -v id="$id" -v base="$base" '
		FNR == NR { if ($1 == id) row[$2] = $3; next }
		{ n = $1 - base; if (n >= 0 && n < 65536 && !(n in seen)) print n, ($2 in row ? row[$2] : $2); seen[n] = 1 }' "$tmp/rows" -
}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
rows > "$tmp/rows"
check=
if [ "${1-}" = --check ]; then
	check=$2
	shift 2
fi
for arg; do
	id=${arg%%=*}
	list "$id" "${arg#*=}" > "$tmp/list"
	[ "$(wc -l < "$tmp/list")" -gt 5 ] || { echo "$0: ${arg#*=} has no system calls of $id" >&2; exit 1; }
	if [ "$check" ]; then
		awk -v id="$id" -v file="$check" '
			FNR == NR { want[$1] = $2; next }
			/^NUMBERS\(/ { on = $0 == "NUMBERS(" id ")"; found += on }
			on { n = split($0, w, /NR\(/); for (i = 2; i <= n; i++) { split(w[i], a, /[,) ]+/); have[a[1]] = a[2] } }
			END {
				if (!found) print file ": no NUMBERS(" id ")"
				for (n in want) if (have[n] != want[n])
					print file ": " id ": number " n " is " want[n] ", not " have[n]
			}' "$tmp/list" "$check"
		continue
	fi
	printf '\nNUMBERS(%s)\n' "$id"
	awk '{ w = "NR(" $1 ", " $2 ")"; if (length(line " " w) > 106) { print line; line = "" } line = line (line ? " " : "") w }
		END { print line; print "END" }' "$tmp/list"
done
