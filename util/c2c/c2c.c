/* C2c: see c2c.h. */
#include "c2c.h"

#include <errno.h>
#include <string.h>
#include "../../arch/arch.h"

#define USUAL_LINE 64u

static const struct {
	const char *word;
	u32 bit;
} by_words[] = {
	{ "pid", C2C_BY_PID }, { "tid", C2C_BY_TID }, { "iaddr", C2C_BY_CODE }, { "dso", C2C_BY_DSO },
};

int c2c_by_parse(struct c2c_opts *o, struct err *err)
{
	const char *words = o->by_words ? o->by_words : "iaddr";

	o->by = 0;
	for (const char *p = words, *end; *p; p = end + (*end == ',')) {
		u32 i = 0;

		end = strchrnul(p, ',');
		while (i < ARRAY_SIZE(by_words) && (strlen(by_words[i].word) != (size_t)(end - p) ||
						    strncmp(by_words[i].word, p, end - p)))
			i++;
		if (i == ARRAY_SIZE(by_words))
			return err_set(err, -EINVAL, "'%.*s' is not pid, tid, iaddr or dso",
				       (int)(end - p), p);
		o->by |= by_words[i].bit;
	}
	return o->by ? 0 : err_set(err, -EINVAL, "-c needs a list of pid, tid, iaddr, dso");
}

int c2c_display_parse(struct c2c_opts *o, const char *word, struct err *err)
{
	static const char *const words[] = { "tot", "lcl", "rmt", "peer" };

	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i], word)) {
			o->display = i;
			o->display_set = true;
			return 0;
		}
	return err_set(err, -EINVAL, "'%s' is not tot, lcl, rmt or peer", word);
}

u64 c2c_shown(const struct c2c_opts *o, const struct c2c_stats *s)
{
	switch (o->display) {
	case C2C_LOCAL_HITM:
		return s->n[C2C_LCL_HITM];
	case C2C_REMOTE_HITM:
		return s->n[C2C_RMT_HITM];
	case C2C_PEER:
		return c2c_peer(s);
	default:
		return c2c_hitm(s);
	}
}

/* ---- the machine of the recording ---- */

static u32 node_of_phys(const struct c2c *c, u64 phys)
{
	const struct features *f = &c->session->data->feat;
	u64 block = f->mem_block_size ? phys / f->mem_block_size : UINT64_MAX;

	for (u32 i = 0; i < f->nr_mem_nodes; i++)
		if (f->mem_nodes[i].node < CPULIST_MAX && block < f->mem_nodes[i].nr_bits &&
		    f->mem_nodes[i].bitmap[block / 64] >> (block % 64) & 1)
			return f->mem_nodes[i].node;
	return ID_NONE;
}

int c2c_init(struct c2c *c, const struct session *s, struct c2c_opts *o, struct err *err)
{
	const struct features *f = &s->data->feat;
	const struct arch *arch = f->arch ? arch_by_uname(f->arch) : NULL;
	u64 size = f->cacheline_size;
	bool any = false;

	*c = (struct c2c){ .o = o, .session = s };
	c->line_size = size >= 16 && size <= 4096 && !(size & (size - 1)) ? size : USUAL_LINE;
	c->line_size <<= o->pairs;
	if (!o->display_set && arch && arch->peer_snoops)
		o->display = C2C_PEER;
	vec_foreach(&s->data->evset->ev, e) {
		any |= ((*e)->attr.sample_type & PERF_SAMPLE_DATA_SRC) != 0;
		c->has_chains |= ((*e)->attr.sample_type & PERF_SAMPLE_CALLCHAIN) != 0;
	}
	c->has_chains &= !o->graph.hide && !o->stats_only;
	cpu_nodes_init(&c->nodes, f);
	tracing_stacks_init(&c->stacks, s, TRACING_MAX_STACK, NULL);
	if (any)
		return 0;
	err_set(err, -ENOENT, "no event of this file has data sources");
	err_hint(err, "perf c2c record records them, on machines whose processors can");
	return -ENOENT;
}

void c2c_release(struct c2c *c)
{
	vec_foreach(&c->line, l)
		vec_release(&l->phys.node);
	vec_foreach(&c->row, r) {
		vec_release(&r->phys.node);
		vec_release(&r->cpu);
	}
	vec_release(&c->line);
	vec_release(&c->row);
	vec_release(&c->stack);
	cpu_nodes_release(&c->nodes);
	hidx_release(&c->by_line);
	hidx_release(&c->by_row);
	hidx_release(&c->by_stack);
	frames_release(&c->frames);
	if (c->names.machine)
		names_release(&c->names);
	tracing_stacks_release(&c->stacks);
}

/* ---- samples ---- */

/* memory that is only in one process */
static bool is_private(const struct map *m)
{
	enum { SHARED = 1 };

	return !(m->flags & SHARED) && !m->maj && !m->min && !m->ino && !m->ino_gen;
}

/* the line, which is added if it is new */
static u32 line_of(struct c2c *c, const struct sample *s, const struct loc *data)
{
	bool file = data->map && !(data->cpumode != CPUMODE_KERNEL && is_private(data->map));
	struct c2c_line line = { .dso = file ? data->dso : ID_NONE,
				 .pid = data->map && !file ? (s32)s->pid : -1,
				 .at = (file ? data->dso_addr : s->addr) & ~(c->line_size - 1),
				 .address = s->addr & ~(c->line_size - 1) };
	u64 hash = hash_mix(hash_mix(hash_u64(line.at), line.dso), line.pid);

	return vec_find_or_add(&c->line, &c->by_line, hash, l,
			       l->at == line.at && l->dso == line.dso && l->pid == line.pid,
			       line) - c->line.v;
}

static u32 row_of(struct c2c *c, u32 line, const struct tracing_sample *ts, const struct loc *code)
{
	const struct sample *s = ts->sample;
	u32 by = c->o->by;
	struct c2c_row row = { .line = line, .offset = s->addr & (c->line_size - 1), .ip = s->ip,
			       .pid = by & (C2C_BY_PID | C2C_BY_TID) ? s->pid : 0,
			       .tid = by & C2C_BY_TID ? s->tid : 0, .frame = ID_NONE };
	u64 hash;
	u32 id;

	if (by & C2C_BY_CODE)
		row.frame = frames_add(&c->frames, &(struct frame){ .dso = code->dso, .ip = s->ip,
				       .cpumode = code->cpumode,
				       .addr = code->dso == ID_NONE ? s->ip : code->dso_addr });
	else if (by & C2C_BY_DSO)
		row.frame = frames_add(&c->frames, &(struct frame){ .dso = code->dso,
				       .cpumode = code->cpumode });
	hash = hash_mix(hash_mix(hash_u64((u64)line << 32 | row.offset), row.frame),
			(u64)(u32)row.pid << 32 | (u32)row.tid);
	HIDX_FOREACH(&c->by_row, hash, id) {
		const struct c2c_row *r = &c->row.v[id];

		if (r->line == line && r->offset == row.offset && r->frame == row.frame &&
		    r->pid == row.pid && r->tid == row.tid)
			return id;
	}
	row.comm = by & C2C_BY_TID ? machine_comm(c->session->machine, tracing_ctx(ts)) : NULL;
	hidx_insert(&c->by_row, hash, c->row.nr);
	vec_push(&c->row, row);
	return c->row.nr - 1;
}

static void add_phys(struct c2c_phys *p, u64 phys, u32 node)
{
	if (node == ID_NONE)
		return;
	p->nr_changes += phys != p->last || !p->nr_changes;
	p->last = phys;
	if (!cpulist_has(&p->node, node))
		cpulist_add(&p->node, node);
}

static void add_cost(struct c2c_row *r, const struct c2c_access *a, u64 weight)
{
	enum c2c_cost kind;

	if (c2c_access_is(a, C2C_RMT_HITM))
		kind = C2C_COST_RMT_HITM;
	else if (c2c_access_is(a, C2C_LCL_HITM))
		kind = C2C_COST_LCL_HITM;
	else if (c2c_access_is(a, C2C_RMT_PEER))
		kind = C2C_COST_RMT_PEER;
	else if (c2c_access_is(a, C2C_LCL_PEER))
		kind = C2C_COST_LCL_PEER;
	else if (c2c_access_is(a, C2C_LOAD))
		kind = C2C_COST_LOAD;
	else
		return;
	r->cost[kind] += weight;
	r->nr_cost[kind]++;
}

static void add_cpu(struct c2c_row *r, const struct c2c_access *a, u32 cpu)
{
	struct c2c_cpu *at = NULL;

	vec_foreach(&r->cpu, k)
		if (k->cpu == cpu)
			at = k;
	if (!at) {
		at = vec_add(&r->cpu);
		at->cpu = cpu;
	}
	for (u32 i = 0; i < a->nr; i++) {
		at->hitm[0] += a->stat[i] == C2C_LCL_HITM;
		at->hitm[1] += a->stat[i] == C2C_RMT_HITM;
		at->peer += a->stat[i] == C2C_LCL_PEER || a->stat[i] == C2C_RMT_PEER;
		at->stores += a->stat[i] == C2C_STORE;
	}
}

static void add_stack(struct c2c *c, u32 row, const struct tracing_sample *ts)
{
	u32 stack = tracing_stack_of(&c->stacks, ts);
	struct c2c_stack *known;

	if (stack == ID_NONE)
		return;
	known = vec_find_or_add(&c->stack, &c->by_stack, hash_u64((u64)row << 32 | stack), s,
				s->row == row && s->stack == stack,
				(struct c2c_stack){ .row = row, .stack = stack });
	known->period += ts->sample->period;
	known->nr++;
}

static void add_to_line(struct c2c *c, const struct tracing_sample *ts, const struct c2c_access *a,
			const struct loc *code, const struct loc *data)
{
	const struct sample *s = ts->sample;
	u64 type = s->event->attr.sample_type;
	u32 line = line_of(c, s, data), row = row_of(c, line, ts, code);
	struct c2c_line *l = &c->line.v[line];
	struct c2c_row *r = &c->row.v[row];

	c2c_stats_add(&l->stats, a);
	c2c_stats_add(&r->stats, a);
	l->period += s->period;
	r->period += s->period;
	add_cost(r, a, s->weight);
	if (type & PERF_SAMPLE_CPU)
		add_cpu(r, a, s->cpu);
	if (type & PERF_SAMPLE_PHYS_ADDR) {
		u32 node = node_of_phys(c, s->phys_addr);

		add_phys(&l->phys, s->phys_addr, node);
		add_phys(&r->phys, s->phys_addr, node);
	}
	if (c->has_chains)
		add_stack(c, row, ts);
}

void c2c_sample(void *c2c, const struct tracing_sample *ts)
{
	struct c2c *c = c2c;
	const struct sample *s = ts->sample;
	struct c2c_access a = { 0 };
	struct loc code, data;

	if (!(s->event->attr.sample_type & PERF_SAMPLE_DATA_SRC))
		return;
	c2c_access_decode(&a, s->data_src, s->addr);
	code = locator_find(&ts->task->locator, tracing_ctx(ts), s->cpumode, s->ip);
	data = locator_find(&ts->task->locator, tracing_ctx(ts), s->cpumode, s->addr);
	if (s->addr && (code.dso == ID_NONE || data.dso == ID_NONE) && !c2c_access_is(&a, C2C_UNKNOWN))
		c2c_access_add(&a, C2C_UNMAPPED);
	c2c_access_add(&a, C2C_RECORDS);
	c2c_stats_add(&c->total, &a);
	if (s->addr)
		add_to_line(c, ts, &a, &code, &data);
}
