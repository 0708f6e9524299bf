/*
 * traploop: traps into the kernel. On arm64 reads of a register that the kernel emulates,
 * elsewhere page faults.
 */
#include "workload.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((noinline)) static void trap_bench(volatile char *page, size_t size)
{
#ifdef __aarch64__
	u64 midr;

	__asm__ volatile("mrs %0, midr_el1" : "=r"(midr));
#else
	madvise((void *)page, size, MADV_DONTNEED);
	*page = 1;
#endif
}

int traploop(int argc, const char **argv)
{
	size_t size = sysconf(_SC_PAGESIZE);
	u64 nr = 10;
	char *page;

	if (!workload_number(argc, argv, 0, &nr))
		return 1;
	page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED) {
		perror("Error: cannot map a page");
		return 1;
	}
	for (u64 i = 0; i < nr; i++)
		trap_bench(page, size);
	munmap(page, size);
	return 0;
}
