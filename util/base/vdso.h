/*
 * Vdso: the shared object that the kernel maps into every process, as it is in this process. It is read in
 * place; nothing is owned.
 */
#ifndef PERF_BASE_VDSO_H
#define PERF_BASE_VDSO_H

#include "types.h"

struct vdso {
	const void *image;	/* NULL: there is none, or its size is not known */
	size_t size;		/* of the mapping, in whole pages */
	/* in profiles; the vdso of a 32-bit program on a 64-bit kernel has another name */
	const char *name;
};

struct vdso vdso_of_self(void);

#endif
