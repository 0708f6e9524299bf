/*
 * Importer: a format of profiles of other programs: a row of import.def and a file of two functions: how it
 * is recognised, and how its bytes become stacks (view/stacks.h), whose label "comm" is the command. All
 * bytes are hostile.
 */
#ifndef PERF_DATA_IMPORTER_H
#define PERF_DATA_IMPORTER_H

#include "../base/diag.h"
#include "../base/err.h"
#include "../view/stacks.h"

/* frames of a stack that are kept: a record has 64 KB */
#define IMPORT_MAX_DEPTH 2048u
/* a format that this number of bytes does not show is another one */
#define IMPORT_HEAD 65536u

enum import_probe { IMPORT_NO, IMPORT_MORE, IMPORT_YES };

struct importer {
	const char *name;
	/* looks at the first bytes of a file (all: at all of its bytes); IMPORT_MORE asks for more bytes */
	enum import_probe (*probe)(const u8 *p, size_t len, bool all);
	/*
	 * adds the stacks of a profile. Damaged parts are counted in diag; 0, or a negative errno with err if
	 * nothing can be read
	 */
	int (*read)(const u8 *p, u64 size, struct stacks *out, struct diag *diag, struct err *err);
};

#define IMPORT(name, id) \
	enum import_probe id##_probe(const u8 *p, size_t len, bool all); \
	int id##_read(const u8 *p, u64 size, struct stacks *out, struct diag *diag, struct err *err);
#include "import.def"
#undef IMPORT

#endif
