/* Header lists: each makes a value from the decoded features. */
#include "header-lists.h"
#include "../base/cursor.h"

#include <stdlib.h>
#include <time.h>

/* adds facts as one more object */
static void add_object(struct view_values *values, struct view_facts *facts, struct arena *arena)
{
	vec_push(values, view_object_of(facts, arena));
}

/* the list, where there is one; releases what it was made with */
static bool finish(struct view_values *values, struct view_facts *facts, struct arena *arena,
		   struct view_value *ret)
{
	bool any = values->nr > 0;

	if (any)
		*ret = view_list_of(values, arena);
	vec_release(values);
	if (facts)
		vec_release(facts);
	return any;
}

/* ---- CPUs ---- */

static bool make_texts(const char *const *text, u32 nr, struct arena *arena, struct view_value *ret)
{
	struct view_values values = { 0 };

	for (u32 i = 0; i < nr; i++)
		vec_push(&values, (struct view_value){ .type = VIEW_TEXT, .text = text[i] });
	return finish(&values, NULL, arena, ret);
}

bool header_socket_cpus(const struct data *d, struct arena *arena, struct view_value *ret)
{
	return make_texts(d->feat.core_siblings, d->feat.nr_core_siblings, arena, ret);
}

bool header_die_cpus(const struct data *d, struct arena *arena, struct view_value *ret)
{
	return make_texts(d->feat.die_siblings, d->feat.nr_die_siblings, arena, ret);
}

bool header_core_cpus(const struct data *d, struct arena *arena, struct view_value *ret)
{
	return make_texts(d->feat.thread_siblings, d->feat.nr_thread_siblings, arena, ret);
}

/* an id of -1 is not known */
static void add_id(struct view_facts *facts, const char *key, const s32 *id, u32 cpu)
{
	if (id && id[cpu] >= 0)
		view_fact_number(facts, key, id[cpu]);
}

bool header_cpus(const struct data *d, struct arena *arena, struct view_value *ret)
{
	const struct features *f = &d->feat;
	struct view_values values = { 0 };
	struct view_facts facts = { 0 };

	for (u32 i = 0; f->cpu_core && i < f->nr_cpus_avail; i++) {
		view_fact_number(&facts, "cpu", i);
		add_id(&facts, "core", f->cpu_core, i);
		add_id(&facts, "die", f->cpu_die, i);
		add_id(&facts, "socket", f->cpu_socket, i);
		add_object(&values, &facts, arena);
	}
	return finish(&values, &facts, arena, ret);
}

bool header_sched_domains(const struct data *d, struct arena *arena, struct view_value *ret)
{
	struct view_values cpus = { 0 }, domains = { 0 };
	struct view_facts facts = { 0 };

	for (u32 i = 0; i < d->feat.nr_cpu_domains; i++) {
		const struct feat_cpu_domains *c = &d->feat.cpu_domains[i];

		for (u32 k = 0; k < c->nr; k++) {
			view_fact_number(&facts, "domain", c->domain[k].number);
			view_fact_text(&facts, "name", c->domain[k].name);
			view_fact_text(&facts, "cpu-mask", c->domain[k].mask);
			view_fact_text(&facts, "cpus", c->domain[k].cpus);
			add_object(&domains, &facts, arena);
		}
		view_fact_number(&facts, "cpu", c->cpu);
		view_fact_list(&facts, "domains", &domains, arena);
		add_object(&cpus, &facts, arena);
	}
	vec_release(&domains);
	return finish(&cpus, &facts, arena, ret);
}

/* ---- PMUs ---- */

static void add_capabilities(struct view_values *values, const char *const *name, const char *const *value,
			     u32 nr, struct arena *arena)
{
	struct view_facts facts = { 0 };

	for (u32 i = 0; i < nr; i++) {
		view_fact_text(&facts, "name", name[i]);
		view_fact_text(&facts, "value", value[i]);
		add_object(values, &facts, arena);
	}
	vec_release(&facts);
}

bool header_cpu_capabilities(const struct data *d, struct arena *arena, struct view_value *ret)
{
	const struct features *f = &d->feat;
	struct view_values values = { 0 };

	add_capabilities(&values, f->cpu_cap_name, f->cpu_cap_value, f->nr_cpu_caps, arena);
	return finish(&values, NULL, arena, ret);
}

bool header_pmu_capabilities(const struct data *d, struct arena *arena, struct view_value *ret)
{
	struct view_values pmus = { 0 }, values = { 0 };
	struct view_facts facts = { 0 };

	for (u32 i = 0; i < d->feat.nr_pmu_caps; i++) {
		const struct feat_caps *p = &d->feat.pmu_caps[i];

		add_capabilities(&values, p->name, p->value, p->nr, arena);
		view_fact_text(&facts, "pmu", p->pmu);
		view_fact_list(&facts, "capabilities", &values, arena);
		add_object(&pmus, &facts, arena);
	}
	vec_release(&values);
	return finish(&pmus, &facts, arena, ret);
}

/* ---- events ---- */

bool header_groups(const struct data *d, struct arena *arena, struct view_value *ret)
{
	struct view_values groups = { 0 }, names = { 0 };
	struct view_facts facts = { 0 };

	for (u32 i = 0; i < d->feat.nr_groups; i++) {
		const struct feat_group *g = &d->feat.groups[i];
		u64 end = MIN((u64)g->leader + g->nr_members, (u64)d->evset->ev.nr);

		for (u64 k = g->leader; k < end; k++)
			vec_push(&names, (struct view_value){ .type = VIEW_TEXT,
							      .text = d->evset->ev.v[k]->name });
		view_fact_text(&facts, "name", g->name);
		view_fact_list(&facts, "events", &names, arena);
		add_object(&groups, &facts, arena);
	}
	vec_release(&names);
	return finish(&groups, &facts, arena, ret);
}

const char *header_clock_name(u32 clockid)
{
	switch (clockid) {
	case CLOCK_REALTIME:		return "realtime";
	case CLOCK_MONOTONIC:		return "monotonic";
	case CLOCK_MONOTONIC_RAW:	return "monotonic_raw";
	case CLOCK_BOOTTIME:		return "boottime";
	case CLOCK_TAI:			return "tai";
	}
	return NULL;
}

bool header_clock(const struct data *d, struct arena *arena UNUSED, struct view_value *ret)
{
	*ret = (struct view_value){ .type = VIEW_TEXT, .text = header_clock_name(d->feat.clockid) };
	return ret->text;
}

/* ---- memory ---- */

u64 header_memory_blocks(const struct feat_mem_node *n, struct strbuf *ranges)
{
	u64 first = 0, nr = 0;
	const char *sep = "";
	bool in_run = false;

	for (u64 i = 0; i <= n->nr_bits; i++) {
		bool set = i < n->nr_bits && n->bitmap[i / 64] >> (i % 64) & 1;

		nr += set;
		if (set && !in_run)
			first = i;
		if (!set && in_run) {
			strbuf_addf(ranges, "%s%lu", sep, first);
			if (first + 1 != i)
				strbuf_addf(ranges, "-%lu", i - 1);
			sep = ",";
		}
		in_run = set;
	}
	return nr;
}

bool header_memory_nodes(const struct data *d, struct arena *arena, struct view_value *ret)
{
	struct strbuf ranges = STRBUF_INIT;
	struct view_values values = { 0 };
	struct view_facts facts = { 0 };

	for (u32 i = 0; i < d->feat.nr_mem_nodes; i++) {
		const struct feat_mem_node *n = &d->feat.mem_nodes[i];
		u64 nr = header_memory_blocks(n, &ranges);

		view_fact_number(&facts, "node", n->node);
		view_fact_number(&facts, "bytes", nr * d->feat.mem_block_size);
		view_fact_text(&facts, "blocks", arena_strdup(arena, strbuf_str(&ranges)));
		add_object(&values, &facts, arena);
		strbuf_reset(&ranges);
	}
	strbuf_release(&ranges);
	return finish(&values, &facts, arena, ret);
}

/* ---- BPF programs ---- */

/* u32 count; each: u32 id, u32 length, data */
void header_bpf_read_types(const struct data *d, struct header_bpf *ret)
{
	struct cursor c = cursor_of(d->feat.bpf_btf.data, d->feat.bpf_btf.size, d->swap);
	u32 nr = cursor_u32(&c);

	*ret = (struct header_bpf){ 0 };
	for (u32 i = 0; i < nr && !c.bad; i++) {
		struct bpf_types t = { .id = cursor_u32(&c), .len = cursor_u32(&c) };

		t.data = cursor_bytes(&c, t.len);
		if (!c.bad)
			vec_push(&ret->types, t);
	}
}

static int compare_types(const void *a, const void *b)
{
	const struct bpf_types *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static const struct bpf_types *find_types(const struct header_bpf *b, u32 id)
{
	const struct bpf_types key = { .id = id };

	return id && b->types.nr ?
	       bsearch(&key, b->types.v, b->types.nr, sizeof(*b->types.v), compare_types) : NULL;
}

/* u32 count; each: u32 info length, u32 data length, u64 arrays, then info and data */
void header_bpf_read(const struct data *d, struct header_bpf *ret)
{
	struct cursor c = cursor_of(d->feat.bpf_prog_info.data, d->feat.bpf_prog_info.size, d->swap);
	u32 nr = cursor_u32(&c);

	header_bpf_read_types(d, ret);
	if (ret->types.nr)
		qsort(ret->types.v, ret->types.nr, sizeof(*ret->types.v), compare_types);
	vec_foreach(&ret->types, t)
		bpf_types_index(t);
	for (u32 i = 0; i < nr && !c.bad; i++) {
		struct bpf_info b = { .swap = d->swap };

		b.info_len = cursor_u32(&c);
		b.data_len = cursor_u32(&c);
		b.has_code = cursor_u64(&c) & 1;	/* bits of arrays that are present */
		b.info = cursor_bytes(&c, b.info_len);
		b.data = cursor_bytes(&c, b.data_len);
		b.types = find_types(ret, bpf_info_types(&b));
		if (!c.bad)
			vec_push(&ret->program, b);
	}
}

void header_bpf_release(struct header_bpf *b)
{
	vec_foreach(&b->types, t)
		bpf_types_release(t);
	vec_release(&b->types);
	vec_release(&b->program);
}

static void add_functions(const struct bpf_info *b, struct view_values *values, struct arena *arena)
{
	struct strbuf name = STRBUF_INIT;
	struct view_facts facts = { 0 };

	for (u32 i = 0; i < bpf_info_nr_functions(b); i++) {
		struct bpf_function f = bpf_info_function(b, i, &name);

		view_fact_text(&facts, "name", arena_strdup(arena, strbuf_str(&name)));
		vec_push(&facts, (struct view_fact){ "address", { .type = VIEW_ADDRESS, .number = f.addr } });
		view_fact_number(&facts, "bytes", f.len);
		add_object(values, &facts, arena);
		strbuf_reset(&name);
	}
	vec_release(&facts);
	strbuf_release(&name);
}

bool header_bpf_programs(const struct data *d, struct arena *arena, struct view_value *ret)
{
	struct view_values programs = { 0 }, functions = { 0 };
	struct view_facts facts = { 0 };
	struct header_bpf bpf;

	header_bpf_read(d, &bpf);
	vec_foreach(&bpf.program, b) {
		add_functions(b, &functions, arena);
		view_fact_number(&facts, "id", bpf_info_id(b));
		view_fact_list(&facts, "functions", &functions, arena);
		add_object(&programs, &facts, arena);
	}
	header_bpf_release(&bpf);
	vec_release(&functions);
	return finish(&programs, &facts, arena, ret);
}

bool header_bpf_types(const struct data *d, struct arena *arena, struct view_value *ret)
{
	struct view_values values = { 0 };
	struct header_bpf bpf;

	header_bpf_read_types(d, &bpf);
	vec_foreach(&bpf.types, t)
		vec_push(&values, (struct view_value){ .type = VIEW_NUMBER, .number = t->id });
	header_bpf_release(&bpf);
	return finish(&values, NULL, arena, ret);
}
