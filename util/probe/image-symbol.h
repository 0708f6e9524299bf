/* Image-symbol: a name at an address of a program, with its version. Its texts belong to the image. */
#ifndef PERF_PROBE_IMAGE_SYMBOL_H
#define PERF_PROBE_IMAGE_SYMBOL_H

#include "../base/types.h"

struct image_symbol {
	u64 svma, size;		/* size 0: unknown */
	const char *name;	/* raw, without version */
	const char *version;	/* of .dynsym: "GLIBC_2.2.5"; NULL: none */
	bool is_default;	/* the version that new programs get */
	bool is_ifunc;		/* chooses the function at run time */
	bool is_data;
};

#endif
