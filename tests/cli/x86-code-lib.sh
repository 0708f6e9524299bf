# shellcheck shell=sh
# A program of x86-64 whose instructions are known, for tests of shown code. Sourced after lib.sh.

have_X86_CODE() {
	have_GCC && [ "$(uname -m)" = x86_64 ] && "$PERF" check -q feature libcapstone ||
		{ echo "needs gcc for x86-64 and libcapstone"; return 1; }
}
# x86_code [TEXT]: the source; TEXT goes on in the line of 401002.
# 0x401000 xor, 401002 inc, 401004 cmp, 401007 jne, 401009 call, 40100e ret; leaf: 40100f nop, 401010 ret
x86_code() {
	cat <<END
	.globl _start
	.type _start, @function
_start:	xor %eax, %eax
.Lagain: inc %eax${1-}
	cmp \$10, %eax
	jne .Lagain
	call leaf
	ret
	.size _start, . - _start
	.type leaf, @function
leaf:	nop
	ret
	.size leaf, . - leaf
END
}
# link_x86_code [OPTION...]: makes prog of prog.s
link_x86_code() {
	gcc "$@" -nostdlib -static -Wl,-Ttext=0x401000 -Wl,--build-id=none -o prog prog.s 2> gcc.log ||
		skip_all "gcc cannot link: $(head -1 gcc.log)"
}
