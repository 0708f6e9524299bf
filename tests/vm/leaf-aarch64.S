/*
 * _start calls caller, which calls leaf: that one needs no frame, so its caller is in the
 * link register alone.
 */
	.text
	.global _start
	.type leaf, %function
leaf:
	.cfi_startproc
1:	subs	x0, x0, #1
	b.ne	1b
	ret
	.cfi_endproc
	.size leaf, . - leaf

	.type caller, %function
caller:
	.cfi_startproc
	stp	x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	mov	x29, sp
	ldr	x0, =5000000
	bl	leaf
	ldp	x29, x30, [sp], #16
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size caller, . - caller

	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined 30
	mov	x29, #0
	bl	caller
	mov	x0, #0
	mov	x8, #93		/* exit */
	svc	#0
	.cfi_endproc
	.size _start, . - _start
