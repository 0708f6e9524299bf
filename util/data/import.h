/*
 * Import: profiles of other programs become recordings: samples with call chains, made-up addresses, maps of
 * them, and packed symbols (obj/sympack.h). So all commands read them. A format is a row of import.def, with
 * the functions of importer.h.
 */
#ifndef PERF_DATA_IMPORT_H
#define PERF_DATA_IMPORT_H

#include "importer.h"

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

#endif
