/* Diag: counts of problems in the data. */
#include "diag.h"

static const char *const diag_text[] = {
#define DIAG(name, text) [DIAG_##name] = text,
#include "diag.def"
#undef DIAG
};

void diag_count(struct diag *d, enum diag_kind kind, u64 off)
{
	if (!d->kind[kind].nr++ || off < d->kind[kind].off)
		d->kind[kind].off = off;
}

void diag_merge(struct diag *into, const struct diag *from)
{
	for (int k = 0; k < DIAG_NR; k++) {
		if (!from->kind[k].nr)
			continue;
		if (!into->kind[k].nr || from->kind[k].off < into->kind[k].off)
			into->kind[k].off = from->kind[k].off;
		into->kind[k].nr += from->kind[k].nr;
	}
}

int diag_describe(const struct diag *d, struct strbuf *out)
{
	int lines = 0;

	for (int k = 0; k < DIAG_NR; k++) {
		if (!d->kind[k].nr)
			continue;
		/* a statement about the whole file needs no count */
		if (!strncmp(diag_text[k], "the file", 8))
			strbuf_addf(out, "%s (offset %#lx)\n", diag_text[k], d->kind[k].off);
		else
			strbuf_addf(out, "%lu %s (first at offset %#lx)\n", d->kind[k].nr, diag_text[k],
				    d->kind[k].off);
		lines++;
	}
	return lines;
}
