/* Lines: what DWARF contains about addresses, by dso, kept once found. */
#include "lines.h"
#include "lines-jit.h"

#include <stdlib.h>
#include <string.h>
#include "../base/hash.h"
#include "../base/log.h"
#include "../base/units.h"
#include "../base/vec.h"
#include "../obj/sympack.h"
#include "inline-table.h"
#include "load.h"

/*
 * a file that is opened a second time to find inlined functions will be opened again and again: then all of
 * its functions are read if there are not too many
 */
#define ALL_SYMBOLS 5000
#define ALL_BYTES (2u << 20)

struct known {
	u64 addr;
	struct line_info info;
};

struct dso_lines {
	bool stored;			/* the store owns it (store.h) */
	struct dwarf_lines *dwarf;	/* NULL: the file has no debug information */
	const struct sympack_dso *packed;	/* lines that are in the recording, or NULL */
	struct jit_table *jit;		/* those of a jitdump file, or NULL */
	bool opened, closed;
	bool whole;			/* inlines has all functions, or as many as it may have */
	struct { VEC(struct known); } known;
	struct hidx idx;
	struct arena arena;
	struct inline_table inlines;	/* of functions that were asked for, without lines, if it is stored */
};

struct lines {
	const struct symbols *symbols;
	struct dso_lines **dso;		/* NULL: nothing was asked */
	u32 nr_dsos;
	bool with_lines, raw_names;
};

static const struct line_info nothing;

struct lines *lines_new(const struct symbols *s, u32 nr_dsos, bool with_lines)
{
	struct lines *l = xcalloc(1, sizeof(*l));

	l->symbols = s;
	l->nr_dsos = nr_dsos;
	l->with_lines = with_lines;
	l->dso = xcalloc(MAX(nr_dsos, 1u), sizeof(*l->dso));
	return l;
}

void lines_keep_raw(struct lines *l)
{
	l->raw_names = true;
}

void lines_grow(struct lines *l, u32 nr_dsos)
{
	if (nr_dsos <= l->nr_dsos)
		return;
	l->dso = xreallocarray(l->dso, nr_dsos, sizeof(*l->dso));
	memset(l->dso + l->nr_dsos, 0, (nr_dsos - l->nr_dsos) * sizeof(*l->dso));
	l->nr_dsos = nr_dsos;
}

void dso_lines_free(struct dso_lines *d)
{
	if (!d)
		return;
	dwarf_lines_free(d->dwarf);
	jit_table_free(d->jit);
	vec_release(&d->known);
	hidx_release(&d->idx);
	arena_release(&d->arena);
	inline_table_release(&d->inlines);
	free(d);
}

bool dso_lines_have_table(const struct dso_lines *d)
{
	return d && d->inlines.piece.nr;
}

void dso_lines_end_session(struct dso_lines *d)
{
	/* they are found again in the table */
	if (dso_lines_have_table(d)) {
		vec_release(&d->known);
		hidx_release(&d->idx);
	}
}

u64 dso_lines_bytes(const struct dso_lines *d)
{
	return d ? sizeof(*d) + d->known.alloc * sizeof(*d->known.v) + d->arena.total +
		   inline_table_bytes(&d->inlines) + (d->dwarf ? dwarf_lines_bytes(d->dwarf) : 0) : 0;
}

void lines_free(struct lines *l)
{
	if (!l)
		return;
	for (u32 i = 0; i < l->nr_dsos; i++)
		if (l->dso[i] && !l->dso[i]->stored)
			dso_lines_free(l->dso[i]);
	free(l->dso);
	free(l);
}

/* what is known of the dso, from earlier sessions, too */
static struct dso_lines *lines_of(struct lines *l, u32 dso)
{
	const struct symbols *s = l->symbols;
	struct sym_stored *e = dso < s->nr && !l->raw_names ? s->stored[dso] : NULL;
	struct dso_lines *d = e ? e->lines[l->with_lines] : NULL;

	if (l->dso[dso])
		return l->dso[dso];
	if (!d) {
		d = xcalloc(1, sizeof(*d));
		d->stored = e != NULL;
		if (e)
			e->lines[l->with_lines] = d;
	}
	l->dso[dso] = d;
	return d;
}

static const struct known *find(const struct dso_lines *d, u64 addr)
{
	u32 k;

	HIDX_FOREACH(&d->idx, hash_u64(addr), k)
		if (d->known.v[k].addr == addr)
			return &d->known.v[k];
	return NULL;
}

bool lines_none(const struct lines *l, u32 dso)
{
	const struct dso_lines *d = dso < l->nr_dsos ? l->dso[dso] : NULL;

	if (!d)
		return dso >= l->nr_dsos;
	return (d->opened && !d->closed && !d->dwarf && !d->packed && !d->jit);
}

const struct line_info *lines_find(const struct lines *l, u32 dso, u64 addr)
{
	const struct known *k;

	if (lines_none(l, dso))
		return &nothing;
	k = l->dso[dso] ? find(l->dso[dso], addr) : NULL;
	return k ? &k->info : NULL;
}

static void take_packed(const struct sympack_dso *p, u64 addr, bool with_lines, struct arena *arena,
			struct line_info *ret)
{
	const struct sympack_line *line = sympack_line(p, addr);

	if (!line)
		return;
	*ret = line->info;
	ret->inlined = arena_memdup(arena, ret->inlined, ret->nr_inlined * sizeof(*ret->inlined));
	if (!with_lines || !*ret->file) {
		ret->file = NULL;
		ret->line = 0;
	}
	for (u32 i = 0; i < ret->nr_inlined; i++) {
		struct line_call *c = (struct line_call *)&ret->inlined[i];

		c->file = with_lines && *c->file ? c->file : NULL;
		c->line = c->file ? c->line : 0;
	}
}

static u64 svma_of(const struct lines *l, const struct line_query *q)
{
	const struct symtab *tab = symbols_table(l->symbols, q->dso);

	return symbols_off_to_svma(l->symbols, q->dso, q->addr) - (tab ? tab->bias : 0);
}

static void add_known(struct dso_lines *d, const struct known *k)
{
	hidx_insert(&d->idx, hash_u64(k->addr), d->known.nr);
	vec_push(&d->known, *k);
}

static void learn(struct lines *l, struct dso_lines *d, const struct line_query *q)
{
	struct known k = { .addr = q->addr };

	if (find(d, q->addr))
		return;
	if (d->packed)
		take_packed(d->packed, q->addr, l->with_lines, &d->arena, &k.info);
	else if (d->jit)
		jit_table_find(d->jit, q->addr, &k.info);
	else
		dwarf_lines_find(d->dwarf, svma_of(l, q), l->with_lines, &d->arena, &k.info);
	for (u32 i = 0; i < k.info.nr_inlined && !l->raw_names; i++) {
		struct line_call *c = (struct line_call *)&k.info.inlined[i];

		c->name = symbols_show(l->symbols, q->dso, &(struct symbol){ .name = c->name }, &d->arena);
	}
	add_known(d, &k);
}

struct load_lines {
	struct lines *l;
	struct line_query *q;
	struct { VEC(size_t); } start;	/* for each dso where its queries begin in q, and the end */
};

static int by_addr(const void *pa, const void *pb)
{
	const struct line_query *a = pa, *b = pb;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

static int by_start(const void *pa, const void *pb)
{
	const struct svma_range *a = pa, *b = pb;

	return a->start < b->start ? -1 : a->start > b->start;
}

/* the function at an address in a stored dso; the address alone if no symbol is there, or it is not stored */
static struct svma_range function_at(const struct lines *l, const struct line_query *q)
{
	const struct symbol *sym = l->dso[q->dso]->stored ? symbols_find(l->symbols, q->dso, q->addr) : NULL;
	u64 svma = svma_of(l, q), start = sym ? svma - (q->addr - sym->start) : svma;

	return (struct svma_range){ start, start + (sym ? sym->end - sym->start : 1) };
}

/* sorts ranges and joins those that overlap; returns how many there are then */
static size_t join_ranges(struct svma_range *r, size_t nr)
{
	size_t kept = 0;

	qsort(r, nr, sizeof(*r), by_start);
	for (size_t i = 0; i < nr; i++)
		if (kept && r[i].start <= r[kept - 1].end)
			r[kept - 1].end = MAX(r[kept - 1].end, r[i].end);
		else
			r[kept++] = r[i];
	return kept;
}

/* q: all queries that there will be, and of a stored dso others in the same functions; NULL: any can come */
static struct dwarf_lines *open_dwarf(struct lines *l, u32 dso, const char *file, const struct line_query *q,
				      size_t nr)
{
	char *program = symbols_program(l->symbols, dso);
	struct dwarf_lines *ret;
	struct svma_range *r;

	if (q) {
		r = xreallocarray(NULL, nr, sizeof(*r));
		for (size_t i = 0; i < nr; i++)
			r[i] = function_at(l, &q[i]);
		ret = dwarf_lines_open_for(file, program, r, join_ranges(r, nr));
		free(r);
	} else {
		ret = dwarf_lines_open(file, program, l->with_lines);
	}
	free(program);
	return ret;
}

bool lines_know_inlines(const struct symbols *s, u32 dso)
{
	const struct symtab *tab = symbols_table(s, dso);

	return symbols_packed(s, dso) || (tab && tab->file && tab->debug_info && tab->adjust);
}

static void open_dso(struct lines *l, u32 dso, struct dso_lines *d, const struct line_query *q, size_t nr)
{
	const struct symtab *tab = symbols_table(l->symbols, dso);

	if (d->opened && !(d->closed && d->stored))
		return;
	d->opened = true;
	d->packed = symbols_packed(l->symbols, dso);
	/* names of inlined functions are not worth the reading of a whole kernel */
	if (!d->packed && tab && tab->file && tab->debug_info && (tab->adjust || l->with_lines))
		d->dwarf = open_dwarf(l, dso, tab->file, q, nr);
	if (!d->packed && !d->dwarf && l->with_lines)
		d->jit = jit_table_open(l->symbols, dso);
	if (d->packed && !d->packed->nr_lines)
		d->packed = NULL;
}

static void remember_missing(const struct lines *l, u32 dso)
{
	struct dso_symbols *d = dso < l->symbols->nr ? l->symbols->of[dso] : NULL;
	const char *name;
	u32 nr;

	if (!d || !l->dso[dso]->dwarf)
		return;
	name = dwarf_lines_missing(l->dso[dso]->dwarf, &nr);
	if (nr <= d->nr_missing_dwo)
		return;
	d->nr_missing_dwo = nr;
	free(d->missing_dwo);
	d->missing_dwo = xstrdup(name);
}

void lines_note_missing(const struct symbols *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		const struct dso_symbols *d = s->of[i];
		const char *program = d && d->missing_dwo ? dsos_at(s->dsos, i)->long_name : NULL;

		if (program)
			log_warn("%s: %u file%s with its debug information %s not there (%s): inlined "
				 "functions and types of that code are not known; put the .dwo files back, "
				 "or a package of them, %s.dwp", program, d->nr_missing_dwo,
				 plural(d->nr_missing_dwo), d->nr_missing_dwo == 1 ? "is" : "are",
				 d->missing_dwo, program);
	}
}

/* moves what is not known yet to the front; returns the number */
static size_t drop_known(const struct dso_lines *d, struct line_query *q, size_t nr)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++)
		if (!find(d, q[i].addr))
			q[kept++] = q[i];
	return kept;
}

/* ---- one dso, as long as the session lasts ---- */

static void load_dso(struct lines *l, u32 dso, struct line_query *q, size_t nr, bool once)
{
	struct dso_lines *d = lines_of(l, dso);

	if (d->stored)
		nr = drop_known(d, q, nr);
	if (d->stored && !nr)
		return;
	open_dso(l, dso, d, once ? q : NULL, nr);
	if ((!d->dwarf && !d->packed && !d->jit) || !nr)
		return;
	/* finds neighbouring addresses together */
	qsort(q, nr, sizeof(*q), by_addr);
	for (size_t i = 0; i < nr; i++)
		learn(l, d, &q[i]);
	remember_missing(l, dso);
}

static void close_dwarf(struct dso_lines *d)
{
	if (!d->dwarf)
		return;
	vec_foreach(&d->known, k)
		for (u32 i = 0; i < k->info.nr_inlined; i++) {
			struct line_call *c = (struct line_call *)&k->info.inlined[i];

			c->name = arena_strdup(&d->arena, c->name);
		}
	dwarf_lines_free(d->dwarf);
	d->dwarf = NULL;
	d->closed = true;
}

/* ---- one dso of a store: its inlined functions, whose debug information is closed each time ---- */

/* moves what is not in the table to the front; returns the number */
static size_t learn_from_table(const struct lines *l, struct dso_lines *d, struct line_query *q, size_t nr)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++) {
		struct known k = { .addr = q[i].addr };

		if (find(d, k.addr))
			continue;
		if (inline_table_find(&d->inlines, svma_of(l, &q[i]), &k.info))
			add_known(d, &k);
		else
			q[kept++] = q[i];
	}
	return kept;
}

struct showing {
	const struct symbols *symbols;
	u32 dso;
};

static const char *show_name(void *ctx, const char *raw, struct arena *arena)
{
	const struct showing *s = ctx;

	return symbols_show(s->symbols, s->dso, &(struct symbol){ .name = raw }, arena);
}

static void add_function(const struct lines *l, struct dso_lines *d, const struct line_query *q)
{
	const struct svma_range f = function_at(l, q);
	struct showing s = { l->symbols, q->dso };

	inline_table_add(&d->inlines, d->dwarf, f.start, f.end, svma_of(l, q), show_name, &s);
}

static void add_all_functions(const struct lines *l, struct dso_lines *d, u32 dso)
{
	const struct symtab *tab = symbols_table(l->symbols, dso);

	for (u32 i = 0; i < tab->nr && inline_table_bytes(&d->inlines) < ALL_BYTES; i++)
		add_function(l, d, &(struct line_query){ dso, tab->sym[i].start });
	d->whole = true;
}

static void load_functions(struct lines *l, u32 dso, struct line_query *q, size_t nr)
{
	struct dso_lines *d = lines_of(l, dso);
	bool all = d->closed && !d->whole && symbols_table(l->symbols, dso)->nr <= ALL_SYMBOLS;

	nr = learn_from_table(l, d, q, nr);
	if (!nr)
		return;
	open_dso(l, dso, d, all ? NULL : q, nr);
	if (!d->dwarf)
		return;
	for (size_t i = 0; i < nr; i++)
		add_function(l, d, &q[i]);
	if (all)
		add_all_functions(l, d, dso);
	learn_from_table(l, d, q, nr);
	remember_missing(l, dso);
	dwarf_lines_free(d->dwarf);
	d->dwarf = NULL;
	d->closed = true;
}

/* ---- ---- */

void lines_load_dso(struct lines *l, u32 dso, struct line_query *q, size_t nr)
{
	if (dso >= l->nr_dsos)
		return;
	if (lines_of(l, dso)->stored && !l->with_lines)
		load_functions(l, dso, q, nr);
	else
		load_dso(l, dso, q, nr, false);
}

void lines_load_dso_once(struct lines *l, u32 dso, struct line_query *q, size_t nr)
{
	if (dso >= l->nr_dsos || !nr)
		return;
	if (lines_of(l, dso)->stored && !l->with_lines) {
		load_functions(l, dso, q, nr);
		return;
	}
	load_dso(l, dso, q, nr, true);
	close_dwarf(l->dso[dso]);
}

static void load_task(void *ctx, unsigned int worker, size_t i)
{
	struct load_lines *job = ctx;
	size_t start = job->start.v[i];

	lines_load_dso(job->l, job->q[start].dso, job->q + start, job->start.v[i + 1] - start);
}

/* groups queries by dso; most dsos have no debug information, so they are not sorted further */
static void group_by_dso(const struct lines *l, struct line_query *q, size_t nr)
{
	size_t *pos = xcalloc(l->nr_dsos + 1, sizeof(*pos));
	struct line_query *copy = xmemdup(q, nr * sizeof(*q));

	for (size_t i = 0; i < nr; i++)
		pos[q[i].dso + 1]++;
	for (u32 d = 0; d < l->nr_dsos; d++)
		pos[d + 1] += pos[d];
	for (size_t i = 0; i < nr; i++)
		q[pos[copy[i].dso]++] = copy[i];
	free(copy);
	free(pos);
}

void lines_load(struct lines *l, struct pool *pool, struct line_query *q, size_t nr)
{
	struct load_lines job = { .l = l, .q = q };

	size_t kept = 0;

	for (size_t i = 0; i < nr; i++)
		if (q[i].dso < l->nr_dsos)
			q[kept++] = q[i];
	nr = kept;
	if (!nr)
		return;
	group_by_dso(l, q, nr);
	for (size_t i = 0; i < nr; i++)
		if (!i || q[i].dso != q[i - 1].dso)
			vec_push(&job.start, i);
	vec_push(&job.start, nr);
	pool_run_shown(pool, "finding source lines", job.start.nr - 1, load_task, &job);
	vec_release(&job.start);
}
