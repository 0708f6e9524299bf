/*
 * Module-lines: reads /proc/modules and copies of it, which have a line
 * "NAME SIZE REFERENCES USERS STATE 0xADDRESS" for each module that the kernel has loaded.
 */
#ifndef PERF_BASE_MODULE_LINES_H
#define PERF_BASE_MODULE_LINES_H

#include "types.h"

struct loaded_module {
	const char *name;
	u64 size, addr;		/* addr 0: the kernel hides it from this user */
};

typedef void loaded_module_fn(void *ctx, const struct loaded_module *m);

/* calls fn for each line of the text, which is changed; lines that are not as above are left out */
void module_lines_in(char *text, loaded_module_fn *fn, void *ctx);
/* the same for /proc/modules below the fs root; 0, or a negative errno */
int module_lines_each(loaded_module_fn *fn, void *ctx);

#endif
