/* Kernel list: symbols for fuzz targets that name kernel addresses: reading the kernel's own takes long. */
#ifndef PERF_FUZZ_KERNEL_LIST_H
#define PERF_FUZZ_KERNEL_LIST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* the path of a file like /proc/kallsyms, for sym_opts.kallsyms; made once */
static inline const char *fuzz_kernel_list(void)
{
	static const char list[] =
		"ffffffff81000000 T _text\nffffffff81000000 T _stext\nffffffff81000010 T __schedule\n"
		"ffffffff81000100 T __alloc_frozen_pages_noprof\nffffffff81000200 T futex_wait\n"
		"ffffffff81000300 T __lock_text_start\nffffffff81000400 T __lock_text_end\n"
		"ffffffff81000500 T vfs_read\nffffffff81001000 T _etext\n";
	static char path[64];
	int fd;

	if (*path)
		return path;
	fd = memfd_create("kallsyms", MFD_CLOEXEC);
	if (fd < 0 || write(fd, list, strlen(list)) != (ssize_t)strlen(list))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

#endif
