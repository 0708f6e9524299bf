/*
 * Loop N: as many rounds of two instructions where the architecture is known, and almost nothing else. For
 * counts that are known.
 */
#include <stdlib.h>

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;

#if defined(__aarch64__)
	asm volatile("1:	subs %0, %0, #1\n	b.ne 1b" : "+r"(n) : : "cc");
#elif defined(__riscv)
	asm volatile("1:	addi %0, %0, -1\n	bnez %0, 1b" : "+r"(n));
#else
	while (n--)
		asm volatile("");
#endif
	return 0;
}
