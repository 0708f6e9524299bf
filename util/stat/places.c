/* Places: their names, and which numbers say what they are. */
#include "places.h"

static const struct view_axis axes[] = {
	[AGGR_GLOBAL] = { .key = NULL },
	[AGGR_NONE] = { .key = "cpu", .title = "CPU", .width = 10 },
	[AGGR_SOCKET] = { .key = "socket", .title = "socket", .width = 6, .counters = true },
	[AGGR_DIE] = { .key = "die", .title = "die", .width = 12, .counters = true },
	[AGGR_CLUSTER] = { .key = "cluster", .title = "cluster", .width = 20, .counters = true },
	[AGGR_CACHE] = { .key = "cache", .title = "cache", .width = 22, .counters = true },
	[AGGR_CORE] = { .key = "core", .title = "core", .width = 15, .counters = true },
	[AGGR_NODE] = { .key = "node", .title = "node", .width = 6, .counters = true },
	[AGGR_THREAD] = { .key = "thread", .title = "            comm-pid", .width = 25, .head = 17 },
};

/* "S0-D": the die follows */
static void add_die(struct strbuf *out, const struct cpu_location *p)
{
	strbuf_addf(out, "S%d-D", p->socket);
}

/* what a name begins with; returns the number that ends it, and the room that the number has */
static s32 name_head(struct strbuf *out, enum aggr_mode mode, const struct aggr_id *a, u32 *ret_digits)
{
	const struct cpu_location *p = &a->place;

	switch (mode) {
	case AGGR_GLOBAL:
		break;
	case AGGR_NONE:
		*ret_digits = 7;
		strbuf_addstr(out, "CPU");
		return p->cpu;
	case AGGR_SOCKET:
		*ret_digits = 5;
		strbuf_addch(out, 'S');
		return p->socket;
	case AGGR_DIE:
		*ret_digits = 8;
		add_die(out, p);
		return p->die;
	case AGGR_CLUSTER:
		*ret_digits = 11;
		add_die(out, p);
		strbuf_addf(out, "%d-CLS", p->die);
		return p->cluster;
	case AGGR_CACHE:
		*ret_digits = 11;
		add_die(out, p);
		strbuf_addf(out, "%d-L%d-ID", p->die, p->cache_level);
		return p->cache;
	case AGGR_CORE:
		*ret_digits = 8;
		add_die(out, p);
		strbuf_addf(out, "%d-C", p->die);
		return p->core;
	case AGGR_NODE:
		*ret_digits = 5;
		strbuf_addch(out, 'N');
		return p->node;
	case AGGR_THREAD:
		*ret_digits = 8;
		strbuf_add_safe(out, a->comm ? a->comm : "");
		strbuf_addch(out, '-');
		return a->tid;
	}
	return -1;
}

/* what is negative is not known and left out */
static void add_number(struct view_facts *f, const char *key, s64 value)
{
	if (value >= 0)
		view_fact_number(f, key, value);
}

static void add_facts(struct view_facts *f, enum aggr_mode mode, const struct aggr_id *a)
{
	const struct cpu_location *p = &a->place;

	if (mode != AGGR_GLOBAL && mode != AGGR_THREAD) {
		add_number(f, "socket", p->socket);
		add_number(f, "die", p->die);
		add_number(f, "cluster", p->cluster);
		add_number(f, "core", p->core);
		add_number(f, "node", p->node);
		add_number(f, "cpu", p->cpu);
	}
	if (mode == AGGR_CACHE) {
		add_number(f, "cache-level", p->cache_level);
		add_number(f, "cache", p->cache);
	}
	if (mode == AGGR_THREAD) {
		add_number(f, "tid", a->tid);
		view_fact_text(f, "comm", a->comm ? a->comm : "");
	}
}

static void add_place(struct view_places *p, enum aggr_mode mode, const struct aggr_id *a,
		      struct strbuf *name)
{
	/* an event of the term percore is one sum a core, beside CPUs */
	bool core_of_cpus = mode == AGGR_NONE && a->place.cpu < 0;
	struct view_place *place = vec_add(p);
	s32 number;

	strbuf_reset(name);
	number = name_head(name, core_of_cpus ? AGGR_CORE : mode, a, &place->digits);
	place->number_at = name->len;
	if (mode != AGGR_GLOBAL)
		strbuf_addf(name, "%d", number);
	place->name = arena_strdup(&p->arena, strbuf_str(name));
	if (core_of_cpus) {
		place->key = "core";
		place->digits = 3;
	}
	add_facts(&place->fact, mode, a);
}

void stat_places_init(struct view_places *p, const struct aggr *a)
{
	struct strbuf name = STRBUF_INIT;

	*p = (struct view_places){ .axis = &axes[a->mode] };
	vec_foreach(&a->id, id)
		add_place(p, a->mode, id, &name);
	strbuf_release(&name);
}
