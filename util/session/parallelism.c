/* Parallelism: see parallelism.h. */
#include "parallelism.h"
#include "../event/record-type.h"

#include <stdlib.h>
#include "../base/sort.h"
#include "walk.h"
#include "../base/search.h"

/* the number that is valid from a record on */
struct level {
	struct when when;
	u32 running;
};

struct parallelism {
	struct { VEC(struct level); } level;	/* by time, offset */
	u32 max;
};

/* a task that started or stopped running; there can be as many changes as samples */
struct change {
	u64 time;
	u64 off : 63, in : 1;
};

struct level_finder {
	const struct session *s;
	struct changes {
		struct { VEC(struct change); } v;
	} *of_chunk;
};

#define CPUS_UNKNOWN 4096u	/* the assumed maximum if the file does not say */

bool parallelism_recorded(const struct session *s)
{
	const struct evset *set = s->data->evset;

	for (u32 i = 0; i < set->ev.nr; i++)
		if (evset_at(set, i)->attr.flags & ATTR_CONTEXT_SWITCH)
			return true;
	return false;
}

static void find_change(void *ctx, size_t i, const struct rec *rec, struct arena *scratch)
{
	struct level_finder *f = ctx;
	struct change c = { .off = rec->off };
	u64 time = rec->off;

	if (rec->type != REC_SWITCH && rec->type != REC_SWITCH_CPU_WIDE && rec->type != REC_EXIT)
		return;
	if (f->s->has_time && !sample_time(f->s->data->plan, rec, &time))
		time = 0;
	c.time = time;
	c.in = rec->type != REC_EXIT && !(rec->misc & MISC_SWITCH_OUT);
	vec_push(&f->of_chunk[i].v, c);
}

/* sorts by time, then offset: both sorts are stable, and chunks of one stream are in order */
static struct sort_pair *order_changes(const struct change *change, u32 nr)
{
	struct sort_pair *pair = xreallocarray(NULL, 2ull * nr + 1, sizeof(*pair));
	bool in_order = true;

	for (u32 i = 0; i < nr; i++) {
		in_order &= !i || change[i - 1].off <= change[i].off;
		pair[i] = (struct sort_pair){ change[i].off, i };
	}
	if (!in_order)
		sort_pairs(pair, pair + nr, nr);
	for (u32 i = 0; i < nr; i++)
		pair[i].key = change[pair[i].val].time;
	sort_pairs(pair, pair + nr, nr);
	return pair;
}

static void make_levels(struct parallelism *p, const struct change *change, u32 nr, u32 nr_cpus)
{
	struct sort_pair *order = order_changes(change, nr);
	s64 running = 1;

	vec_reserve(&p->level, nr);
	for (u32 i = 0; i < nr; i++) {
		const struct change *c = &change[order[i].val];
		struct level l = { .when = { c->time, c->off } };

		running += c->in ? 1 : -1;
		l.running = running < 1 ? 1 : MIN(running, (s64)nr_cpus);
		p->max = MAX(p->max, l.running);
		vec_push(&p->level, l);
	}
	free(order);
}

static void find_all(const struct session *s, struct changes *ret)
{
	struct level_finder f = { .s = s, .of_chunk = xcalloc(s->chunks.nr + 1, sizeof(*f.of_chunk)) };
	size_t nr = 0;

	session_walk(s, "reading switches", find_change, &f);
	for (size_t i = 0; i < s->chunks.nr; i++)
		nr += f.of_chunk[i].v.nr;
	vec_reserve(&ret->v, nr);
	for (size_t i = 0; i < s->chunks.nr; i++) {
		vec_foreach(&f.of_chunk[i].v, c)
			vec_push(&ret->v, *c);
		vec_release(&f.of_chunk[i].v);
	}
	free(f.of_chunk);
}

struct parallelism *parallelism_new(const struct session *s)
{
	struct parallelism *p = xcalloc(1, sizeof(*p));
	struct changes all = { 0 };

	p->max = 1;
	if (s->nr_records[REC_SWITCH] || s->nr_records[REC_SWITCH_CPU_WIDE])
		find_all(s, &all);
	make_levels(p, all.v.v, all.v.nr,
		    s->data->feat.nr_cpus_avail ? s->data->feat.nr_cpus_avail : CPUS_UNKNOWN);
	vec_release(&all.v);
	return p;
}

void parallelism_free(struct parallelism *p)
{
	if (!p)
		return;
	vec_release(&p->level);
	free(p);
}

u32 parallelism_max(const struct parallelism *p)
{
	return p->max;
}

/* number of changes before it */
static size_t count_before(const struct parallelism *p, struct when when)
{
	return LOWER_BOUND(p->level.nr, i, when_before(p->level.v[i].when, when));
}

u32 parallelism_at(const struct parallelism *p, struct when when, size_t *hint)
{
	size_t n = *hint, nr = p->level.nr, far = MIN(n + 8, nr);

	while (n < far && when_before(p->level.v[n].when, when))
		n++;
	if ((n && !when_before(p->level.v[n - 1].when, when)) ||
	    (n < nr && n == far && when_before(p->level.v[n].when, when)))
		n = count_before(p, when);
	*hint = n;
	return n ? p->level.v[n - 1].running : 1;
}
