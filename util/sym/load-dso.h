/* Load-dso: the table of one dso from the best source. Private to util/sym. */
#ifndef PERF_SYM_LOAD_DSO_H
#define PERF_SYM_LOAD_DSO_H

#include "identity.h"

struct dso;
struct dso_symbols;
struct elf_obj;
struct load;
struct symbols;

/* never NULL; an empty table has a reason, unless dsos of this kind never have symbols */
struct dso_symbols *load_dso(struct symbols *s, const struct dso *dso);
/*
 * the file that was mapped, if it is the recorded build; NULL: it was not found. ret, why: as
 * symbols_identify()
 */
struct elf_obj *load_binary(const struct symbols *s, const struct dso *dso, enum identity *ret,
			    struct strbuf *why);
/* appends the sentence for symbols_reason() if nothing was found; may append nothing */
void load_reason(const struct load *l, struct strbuf *out);

#endif
