/* int80: calls getpgid(0) as 32-bit programs of x86 do, by int 0x80, which 64-bit programs can do, too. */
#include "workload.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __x86_64__
static void refused(int sig)
{
	static const char said[] = "Error: this kernel takes no calls of 32-bit programs\n";

	(void)sig;
	_exit(write(2, said, strlen(said)) < 0 ? 2 : 1);
}
#endif

int int80(int argc, const char **argv)
{
#ifdef __x86_64__
	long ret = 132;		/* getpgid of 32-bit programs; the 64-bit call of this number is utime */

	(void)argc;
	(void)argv;
	signal(SIGSEGV, refused);
	__asm__ volatile("int $0x80" : "+a"(ret) : "b"(0) : "memory", "r8", "r9", "r10", "r11");
	return ret < 0;
#else
	(void)argc;
	(void)argv;
	fprintf(stderr, "Error: this workload is made for x86-64\n");
	return 1;
#endif
}
