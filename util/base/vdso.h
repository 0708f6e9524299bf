/*
 * Vdso: the shared object that the kernel maps into every process, as this process has it. Read in place; nothing is owned.
 */
#ifndef PERF_BASE_VDSO_H
#define PERF_BASE_VDSO_H

#include "types.h"

struct vdso {
	const void *image;	/* NULL: none, or its size is not known */
	size_t size;		/* of the mapping, which is whole pages */
	const char *name;	/* in profiles: that of a 32-bit program on a 64-bit kernel has a name of its own */
};

struct vdso vdso_of_self(void);

#endif
