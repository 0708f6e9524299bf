/* Types: gathers accesses to types, and types to rows. */
#include "types.h"
#include "../resolve/data-types.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 16u
#define MEMBERS_MAX 20000u

/* what was counted at an offset of a type */
struct offset_hit {
	u32 off;
	u64 nr, period;
};

/* a type of a dso, in an event */
struct found_type {
	const char *name;
	u32 dso, event, type;
	u64 size, nr, period;
	struct { VEC(struct offset_hit); } hit;
};

struct type_work {
	const struct annotate *a;
	const char *only;
	struct arena *arena;
	struct data_types *types;
	struct view_types *ret;
	struct { VEC(struct found_type); } found;
	struct hidx by_name;
};

static bool is_wanted(const char *only, const char *name)
{
	static const char *const words[] = { "struct ", "union ", "enum ", "class " };

	if (!only || !only[0] || !strcmp(only, name))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strncmp(name, words[i], strlen(words[i])))
			return !strcmp(only, name + strlen(words[i]));
	return false;
}

static const char *type_text(struct type_work *w, u32 dso, u32 type)
{
	struct strbuf text = STRBUF_INIT;
	const char *ret;

	dwarf_type_name(data_types_of_dso(w->types, dso), type, &text);
	ret = arena_strdup(w->arena, strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

/* units repeat definitions: a type of that name and size is the same */
static struct found_type *find_type(struct type_work *w, const struct address_hit *h, u32 type)
{
	const char *name = type_text(w, h->dso, type);
	u64 size = dwarf_type_info(data_types_of_dso(w->types, h->dso), type).size;
	u64 hash = hash_mix(hash_mix(hash_str(name), h->dso), h->event);

	return vec_find_or_add(&w->found, &w->by_name, hash, f, f->dso == h->dso && f->event == h->event &&
			       f->size == size && !strcmp(f->name, name),
			       (struct found_type){ .name = name, .dso = h->dso, .event = h->event,
						    .type = type, .size = size });
}

static void count(struct view_type_counts *c, const char *name, bool good, struct arena *arena)
{
	struct view_type_count *found = NULL;

	vec_foreach(c, t)
		if (!strcmp(t->name, name))
			found = t;
	if (!found) {
		vec_push(c, (struct view_type_count){ .name = arena_strdup(arena, name) });
		found = &c->v[c->nr - 1];
	}
	*(good ? &found->good : &found->bad) += 1;
}

static void add_statistics(struct type_work *w, const struct access *a)
{
	bool good = a->why == ACCESS_TYPED || a->why == ACCESS_STACK;

	*(good ? &w->ret->good : &w->ret->bad) += 1;
	if (!good)
		count(&w->ret->reason, access_why_name(a->why), false, w->arena);
	if (a->why != ACCESS_NO_CODE && a->why != ACCESS_NO_DEBUG)
		count(&w->ret->insn, a->mnemonic, good, w->arena);
}

static void add_hit(struct type_work *w, const struct address_hit *h)
{
	const struct access *a = data_types_find(w->types, h->dso, h->symbol, h->addr);
	struct found_type *f;

	add_statistics(w, a);
	if (a->why != ACCESS_TYPED)
		return;
	f = find_type(w, h, a->type);
	f->nr += h->nr;
	f->period += h->period;
	vec_push(&f->hit, (struct offset_hit){ .off = a->off, .nr = h->nr, .period = h->period });
}

static void add_members(struct type_work *w, const struct found_type *f, struct view_data_type *v,
			struct view_member row, u32 type);

/* a row, with what was counted in its bytes, and the rows of its members */
static void add_row(struct type_work *w, const struct found_type *f, struct view_data_type *v,
		    struct view_member row, u32 type)
{
	if (v->member.nr >= MEMBERS_MAX)
		return;
	row.is_struct = row.depth < DEPTH_MAX &&
			dwarf_type_info(data_types_of_dso(w->types, f->dso), type).kind == TYPE_STRUCT;
	vec_foreach(&f->hit, h) {
		/* an array without a size takes all after it */
		if (h->off < row.off || (row.size && h->off - row.off >= row.size && row.depth))
			continue;
		row.nr += h->nr;
		row.period += h->period;
	}
	vec_push(&v->member, row);
	if (row.is_struct)
		add_members(w, f, v, row, type);
}

static void add_members(struct type_work *w, const struct found_type *f, struct view_data_type *v,
			struct view_member row, u32 type)
{
	struct data_members all = { 0 };

	dwarf_type_members(data_types_of_dso(w->types, f->dso), type, &all);
	vec_foreach(&all, m)
		add_row(w, f, v, (struct view_member){
			.depth = row.depth + 1, .bits = m->bits, .off = row.off + m->off, .size = m->size,
			.type = type_text(w, f->dso, m->type),
			.name = m->name ? arena_strdup(w->arena, m->name) : "" }, m->type);
	vec_release(&all);
}

static int by_event_and_period(const void *x, const void *y)
{
	const struct found_type *a = x, *b = y;
	int ret;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	ret = strcmp(a->name, b->name);
	if (ret)
		return ret;
	if (a->dso != b->dso)
		return a->dso < b->dso ? -1 : 1;
	return (a->size > b->size) - (a->size < b->size);
}

static void show_types(struct type_work *w)
{
	const struct evset *set = w->a->session->data->evset;

	if (w->found.nr)
		qsort(w->found.v, w->found.nr, sizeof(*w->found.v), by_event_and_period);
	vec_foreach(&w->found, f) {
		const struct dso *dso = dsos_at(machine_dsos(w->a->session->machine), f->dso);
		struct view_data_type v = { .name = f->name, .nr = f->nr, .period = f->period,
					    .dso = arena_strdup(w->arena, dso->long_name),
					    .event = evset_at(set, f->event)->name };

		if (is_wanted(w->only, f->name)) {
			add_row(w, f, &v, (struct view_member){ .size = f->size, .type = f->name,
								.name = "" }, f->type);
			vec_push(&w->ret->type, v);
		}
		vec_release(&f->hit);
	}
}

static int by_frequency(const void *x, const void *y)
{
	const struct view_type_count *a = x, *b = y;
	u32 na = a->good + a->bad, nb = b->good + b->bad;

	return na != nb ? (na > nb ? -1 : 1) : strcmp(a->name, b->name);
}

void annotate_types(const struct annotate *a, const char *only, struct arena *arena, struct view_types *ret)
{
	struct type_work w = { .a = a, .only = only, .arena = arena, .ret = ret,
			       .types = data_types_new(a->session) };

	*ret = (struct view_types){ .good = 0 };
	/* function by function, so that each is looked at once */
	vec_foreach(&a->function, f)
		for (u32 i = 0; i < f->nr; i++)
			add_hit(&w, &a->hit.v[f->first + i]);
	show_types(&w);
	if (ret->insn.nr)
		qsort(ret->insn.v, ret->insn.nr, sizeof(*ret->insn.v), by_frequency);
	if (ret->reason.nr)
		qsort(ret->reason.v, ret->reason.nr, sizeof(*ret->reason.v), by_frequency);
	vec_release(&w.found);
	hidx_release(&w.by_name);
	data_types_free(w.types);
}

void annotate_types_release(struct view_types *t)
{
	vec_foreach(&t->type, v)
		vec_release(&v->member);
	vec_release(&t->type);
	vec_release(&t->insn);
	vec_release(&t->reason);
}
