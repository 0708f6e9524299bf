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
#include "load.h"

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
	struct { VEC(struct known); } known;
	struct hidx idx;
	struct arena arena;
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
	free(d);
}

u64 dso_lines_bytes(const struct dso_lines *d)
{
	return d ? sizeof(*d) + d->known.alloc * sizeof(*d->known.v) + d->arena.total +
		   (d->dwarf ? dwarf_lines_bytes(d->dwarf) : 0) : 0;
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
	hidx_insert(&d->idx, hash_u64(q->addr), d->known.nr);
	vec_push(&d->known, k);
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

static int cmp_u64(const void *pa, const void *pb)
{
	const u64 *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

/* q: all queries that there will be; NULL: they are not known */
static struct dwarf_lines *open_dwarf(struct lines *l, u32 dso, const char *file, const struct line_query *q,
				      size_t nr)
{
	char *program = symbols_program(l->symbols, dso);
	struct dwarf_lines *ret;
	u64 *addr;

	if (q) {
		addr = xreallocarray(NULL, nr, sizeof(*addr));
		for (size_t i = 0; i < nr; i++)
			addr[i] = svma_of(l, &q[i]);
		qsort(addr, nr, sizeof(*addr), cmp_u64);
		ret = dwarf_lines_open_for(file, program, addr, nr);
		free(addr);
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

void lines_load_dso(struct lines *l, u32 dso, struct line_query *q, size_t nr)
{
	if (dso < l->nr_dsos)
		load_dso(l, dso, q, nr, false);
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

/* later sessions will ask, too, and it does not take too much memory */
static bool keeps_open(const struct lines *l, u32 dso)
{
	const struct symtab *tab = symbols_table(l->symbols, dso);

	return l->dso[dso]->stored && tab && tab->file &&
	       (l->dso[dso]->dwarf ||
		sym_store_keeps_open(l->symbols->opts.store, dwarf_lines_unpacked(tab->file, l->with_lines)));
}

void lines_load_dso_once(struct lines *l, u32 dso, struct line_query *q, size_t nr)
{
	struct dso_lines *d;

	if (dso >= l->nr_dsos || !nr)
		return;
	d = lines_of(l, dso);
	if (keeps_open(l, dso)) {
		load_dso(l, dso, q, nr, false);
		return;
	}
	load_dso(l, dso, q, nr, true);
	close_dwarf(d);
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
