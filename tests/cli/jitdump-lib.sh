# shellcheck shell=sh
# jitdump-lib.sh: for tests of generated code. Sourced after lib.sh. Writes jitdump files of little endian
# x86-64 programs, byte by byte, from the specification of the format.

# le SIZE NUMBER...: numbers of SIZE bytes, lowest byte first
le() {
	le_size=$1
	shift
	for le_number; do
		le_left=$le_size
		le_number=$((le_number))
		while [ "$le_left" -gt 0 ]; do
			# shellcheck disable=SC2059 # an escape of printf
			printf "\\$(printf %03o $((le_number & 255)))"
			le_number=$((le_number >> 8)) le_left=$((le_left - 1))
		done
	done
}
# jit_header PID: the beginning of a file
jit_header() {
	le 4 0x4a695444 1 40 62 0 "$1"
	le 8 1 0
}
# jit_load PID TIME ADDR INDEX NAME CODE: CODE is text; its bytes are the instructions
jit_load() {
	le 4 0 $((16 + 40 + ${#5} + 1 + ${#6}))
	le 8 "$2"
	le 4 "$1" "$1"
	le 8 "$3" "$3" ${#6} "$4"
	printf '%s\0%s' "$5" "$6"
}
# jit_move PID TIME OLD NEW SIZE INDEX
jit_move() {
	le 4 1 64
	le 8 "$2"
	le 4 "$1" "$1"
	le 8 "$4" "$3" "$4" "$5" "$6"
}
# jit_debug TIME ADDR FILE LINE:OFFSET...: source lines of the code that is loaded next
jit_debug() {
	jit_time=$1 jit_addr=$2 jit_file=$3
	shift 3
	le 4 2 $((32 + $# * (16 + ${#jit_file} + 1)))
	le 8 "$jit_time" "$jit_addr" $#
	for row; do
		le 8 $((jit_addr + ${row#*:}))
		le 4 "${row%:*}" 0
		printf '%s\0' "$jit_file"
	done
}
