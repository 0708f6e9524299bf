/* Inlined: which functions have samples in copies of a function that was inlined. */
#include "annotate.h"
#include "../base/hash.h"
#include "../obj/short-name.h"
#include "../sym/lines.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CALLERS 3u		/* named in a message */

/* a function that has samples in such copies */
struct container {
	const char *name;
	u64 period;
};

struct containers {
	VEC(struct container);
};

/* an address with samples, and the function of its symbol */
struct sampled {
	u32 dso;
	u64 addr, period;
	const char *name;
};

struct all_sampled {
	VEC(struct sampled);
};

static void find_sampled(const struct hist *h, struct all_sampled *ret)
{
	const struct names *names = &h->names;

	for (u32 ev = 0; ev < h->nr_events; ev++)
		for (size_t i = 0; i < h->event[ev].nr_entries; i++) {
			const struct hist_entry *e = blocks_at(&h->entry, h->event[ev].first + i);
			u32 frame = hist_entry_key(h, e, 0);
			const struct named *n = &names->named.v[names->named_of[frame]];

			if (e->own != HIST_NONE && n->sym != ID_NONE && n->name)
				vec_push(ret, (struct sampled){ n->dso, names->frame.v[frame].addr,
								h->own.v[e->own].period, n->name });
		}
}

static bool is_called(const char *full, const char *name)
{
	struct strbuf sb = STRBUF_INIT;
	bool ret;

	if (!strcmp(full, name))
		return true;
	short_name(full, &sb);
	ret = short_name_is(strbuf_str(&sb), name);
	strbuf_release(&sb);
	return ret;
}

static bool has_copy(const struct line_info *info, const char *name)
{
	for (u32 i = 0; info && i < info->nr_inlined; i++)
		if (is_called(info->inlined[i].name, name))
			return true;
	return false;
}

static void add_container(struct containers *c, const struct sampled *s)
{
	vec_foreach(c, it)
		if (!strcmp(it->name, s->name)) {
			it->period += s->period;
			return;
		}
	vec_push(c, (struct container){ s->name, s->period });
}

/* largest first */
static int cmp_containers(const void *x, const void *y)
{
	const struct container *a = x, *b = y;

	return a->period > b->period ? -1 : a->period < b->period ? 1 : strcmp(a->name, b->name);
}

static void find_containers(const struct annotate *a, const struct all_sampled *all, struct containers *ret)
{
	struct symbols *symbols = a->session->symbols;
	struct lines *l = lines_new(symbols, machine_dsos(a->session->machine)->dso.nr, false);
	struct line_query *q = xcalloc(all->nr + 1, sizeof(*q));

	for (size_t i = 0; i < all->nr; i++)
		q[i] = (struct line_query){ all->v[i].dso, all->v[i].addr };
	lines_load(l, a->session->pool, q, all->nr);
	vec_foreach(all, s)
		if (has_copy(lines_find(l, s->dso, s->addr), a->opts->symbol))
			add_container(ret, s);
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), cmp_containers);
	free(q);
	lines_free(l);
}

bool annotate_describe_inlined(const struct annotate *a, struct strbuf *out)
{
	struct all_sampled all = { 0 };
	struct containers in = { 0 };
	size_t nr;

	find_sampled(a->hist, &all);
	find_containers(a, &all, &in);
	nr = MIN(in.nr, MAX_CALLERS);
	for (size_t i = 0; i < nr; i++)
		strbuf_addf(out, "%s'%s'", !i ? ": it was inlined into " : i + 1 < in.nr ? ", " : " and ",
			    in.v[i].name);
	if (in.nr > nr)
		strbuf_addf(out, " and %zu more", in.nr - nr);
	vec_release(&all);
	vec_release(&in);
	return nr;
}
