# shellcheck shell=sh
# Sample-data blocks of s390 CPU-measurement sampling, as hex.

# basic ADDRESS BITS [LEVEL [HOST-PARAMETER [GUEST-PARAMETER]]]: an entry
# BITS: the last byte of its first word
basic() {
	printf "000103%02x%08x%016x" "$2" $((${3-1} << 30 | 0x1234)) "$1"
	printf "%016x%016x" "${5-0}" "${4-0x100000064}"
}
# diagnostic SIZE [BIT]: a diagnostic entry, valid if BIT is 0
diagnostic() {
	printf "8001000%x%0$((($1 - 4) * 2))d" "${2-0}" 7
}
# block SIZE-OF-DIAGNOSTIC-ENTRIES TOD BASE OVERFLOW ENTRY...: a block;
# BASE -: the kernel's clock is not known
block() {
	diagnostic_size=$1 tod=$2 base=$3 overflow=$4
	shift 4
	entries=$(printf "%s" "$@")
	printf "%s%0$((8064 - ${#entries}))d" "$entries" 0
	printf "a0000000%04x%04x%016x" ${basic_size-$((diagnostic_size ? 32 : 0))} "$diagnostic_size" "$overflow"
	printf "00%s%014d%032d" "$tod" 42 0
	[ "$base" = - ] && printf "%032d" 0 || printf "8000000000000000%s" "$base"
}
