/* Diag: counts of problems in the data. */
#include "diag.h"

static const char *const diag_text[] = {
#define DIAG(name, text) [DIAG_##name] = text,
#include "diag.def"
#undef DIAG
};

static const char *const diag_name[] = {
#define DIAG(name, text) [DIAG_##name] = #name,
#include "diag.def"
#undef DIAG
};

static void add(struct diag *d, enum diag_kind kind, u64 nr, u64 off, const char *record)
{
	if (d->kind[kind].assumed) {
		d->kind[kind].assumed = false;
		d->kind[kind].nr = 0;
	}
	if (!d->kind[kind].nr || off < d->kind[kind].off) {
		d->kind[kind].off = off;
		d->kind[kind].record = record;
	}
	d->kind[kind].nr += nr;
}

void diag_count(struct diag *d, enum diag_kind kind, u64 off)
{
	add(d, kind, 1, off, NULL);
}

void diag_assume(struct diag *d, enum diag_kind kind, u64 off)
{
	if (d->kind[kind].nr)
		return;
	add(d, kind, 1, off, NULL);
	d->kind[kind].assumed = true;
}

void diag_count_record(struct diag *d, enum diag_kind kind, u64 off, const char *record)
{
	add(d, kind, 1, off, record);
}

void diag_merge(struct diag *into, const struct diag *from)
{
	for (int k = 0; k < DIAG_NR; k++) {
		if (from->kind[k].assumed)
			diag_assume(into, k, from->kind[k].off);
		else if (from->kind[k].nr)
			add(into, k, from->kind[k].nr, from->kind[k].off, from->kind[k].record);
		into->kind[k].ns += from->kind[k].ns;
	}
	into->traced_ns += from->traced_ns;
}

/* ", 1.5% of the traced time", if that is known */
static void add_share(const struct diag *d, enum diag_kind k, struct strbuf *out)
{
	if (d->kind[k].ns && d->traced_ns)
		strbuf_addf(out, ", %.1f%% of the traced time",
			    100.0 * MIN(d->kind[k].ns, d->traced_ns) / d->traced_ns);
}

bool diag_is_damage(enum diag_kind kind)
{
	return strncmp(diag_name[kind], "AUX_", 4);
}

void diag_add_word(enum diag_kind kind, struct strbuf *out)
{
	for (const char *p = diag_name[kind]; *p; p++)
		strbuf_addch(out, *p == '_' ? '-' : *p - 'A' + 'a');
}

void diag_add_text(const struct diag *d, enum diag_kind k, struct strbuf *out)
{
	/* a statement about the whole file needs no count */
	if (!strncmp(diag_text[k], "the file", 8)) {
		strbuf_addf(out, "%s (offset %#lx)", diag_text[k], d->kind[k].off);
		return;
	}
	strbuf_addf(out, "%lu %s (first at offset %#lx%s%s", d->kind[k].nr, diag_text[k], d->kind[k].off,
		    d->kind[k].record ? ", a record " : "", d->kind[k].record ? d->kind[k].record : "");
	add_share(d, k, out);
	strbuf_addch(out, ')');
}

int diag_describe(const struct diag *d, struct strbuf *out)
{
	int lines = 0;

	for (int k = 0; k < DIAG_NR; k++) {
		if (!d->kind[k].nr)
			continue;
		diag_add_text(d, k, out);
		strbuf_addch(out, '\n');
		lines++;
	}
	return lines;
}
