/*
 * Import: profiles of other programs become recordings: samples with call chains, made-up addresses, maps of
 * them, and packed symbols (obj/sympack.h). So all commands read them. A format is a row of import.def and a
 * file: how it is recognised, and how its bytes become stacks (view/stacks.h), whose label "comm" is the
 * command. All bytes are hostile.
 */
#ifndef PERF_DATA_IMPORT_H
#define PERF_DATA_IMPORT_H

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
	/* looks at the first bytes; IMPORT_MORE: they are too few. all: there are no more */
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

enum {
#define IMPORT(name, id) IMPORT_NR_##id,
#include "import.def"
#undef IMPORT
	IMPORT_FORMATS
};

/* of a row: below IMPORT_FORMATS; and the row of that number */
u32 import_nr(const struct importer *im);
const struct importer *import_at(u32 nr);
/* NULL: there is no such format, and names has their names */
const struct importer *import_find(const char *name, struct strbuf *names);
/* the format of bytes; *ret_more: none yet, and more bytes may show it (may be NULL: there are no more) */
const struct importer *import_probe(const u8 *p, size_t len, bool *ret_more);
/*
 * reads a profile and writes it as a recording into a temporary file without a name: its descriptor, or a
 * negative errno with err
 */
int import_run(const struct importer *im, const u8 *p, u64 size, struct diag *diag, struct err *err);
/*
 * the second half of it, of stacks that are finished: modules without names have that of the importer. sums:
 * a stack is one sample, however many it had, and each event has a second one after all others, whose name
 * begins with IMPORT_COUNTS: its periods are those numbers. So a fleet's stacks need few samples
 */
int import_stacks(const struct importer *im, const struct stacks *s, bool sums, struct err *err);
#define IMPORT_COUNTS "\1"
/* import_stacks(): into a descriptor of an empty file */
int import_write(int fd, const struct stacks *s, const char *origin, bool sums, struct err *err);

#endif
