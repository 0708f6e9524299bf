/* Chains: see chains.h. */
#include "chains.h"

#include <string.h>
#include "lock.h"

/* the kernel's linker script puts functions of scheduling and of locking between these symbols */
static const char *const text_marks[2][2] = {
	{ "__sched_text_start", "__sched_text_end" }, { "__lock_text_start", "__lock_text_end" },
};

static void find_lock_text(struct lock_chains *c, const struct symtab *t)
{
	for (u32 i = 0; t && i < t->nr; i++) {
		if (t->sym[i].name[0] != '_')
			continue;
		for (u32 k = 0; k < ARRAY_SIZE(c->lock_text); k++) {
			if (!strcmp(t->sym[i].name, text_marks[k][0]))
				c->lock_text[k].start = t->sym[i].start;
			else if (!strcmp(t->sym[i].name, text_marks[k][1]))
				c->lock_text[k].end = t->sym[i].start;
		}
	}
	/* with one mark alone nothing is known */
	for (u32 k = 0; k < ARRAY_SIZE(c->lock_text); k++)
		if (!c->lock_text[k].start || !c->lock_text[k].end)
			c->lock_text[k].start = c->lock_text[k].end = 0;
}

void lock_chains_init(struct lock_chains *c, struct resolver *r, u32 max_stack, u32 skip,
		      const char *functions)
{
	const struct session *s = r->session;
	const struct dsos *dsos = machine_dsos(s->machine);

	*c = (struct lock_chains){ .session = s, .resolver = r,
				   .max_stack = MIN(max_stack, RESOLVE_MAX_STACK), .skip = skip,
				   .functions = functions };
	for (u32 d = 0; d < dsos->dso.nr; d++)
		if (dsos_at(dsos, d)->kind == DSO_KERNEL)
			find_lock_text(c, symbols_table(s->symbols, d));
}

void lock_chains_release(struct lock_chains *c)
{
	sequences_release(&c->recorded);
	sequences_release(&c->group);
	vec_release(&c->chain);
	arena_release(&c->scratch);
}

bool lock_chains_know_text(const struct lock_chains *c)
{
	return c->lock_text[0].start && c->lock_text[1].start;
}

static bool is_lock_function(const struct lock_chains *c, u64 ip)
{
	for (u32 k = 0; k < ARRAY_SIZE(c->lock_text); k++)
		if (ip >= c->lock_text[k].start && ip < c->lock_text[k].end)
			return true;
	return false;
}

static bool name_of(const struct lock_chains *c, u64 ip, struct arena *names, struct kernel_name *ret)
{
	/* the kernel's own maps, as they are at the end of the recording */
	const struct sample_ctx at_end = { .when = WHEN_END };

	return kernel_name_find(c->resolver, &at_end, ip, names, ret);
}

/* one of the wanted texts is part of a function's name */
static bool has_function(struct lock_chains *c, const u64 *ip, u32 nr)
{
	struct kernel_name found;

	arena_reset(&c->scratch);
	for (u32 i = 0; i < nr; i++) {
		const char *list = c->functions, *word;
		size_t len;

		if (!name_of(c, ip[i], &c->scratch, &found))
			continue;
		while ((word = lock_next_word(&list, &len)))
			if (memmem(found.name, strlen(found.name), word, len))
				return true;
	}
	return false;
}

static u32 group_of(struct lock_chains *c, const u64 *ip, u32 nr)
{
	u64 rest[RESOLVE_MAX_STACK];
	u32 nr_rest = 0;
	bool is_new;

	for (u32 i = c->skip; i < nr; i++)
		if (!is_lock_function(c, ip[i]))
			rest[nr_rest++] = ip[i];
	return sequences_add(&c->group, rest, nr_rest, &is_new);
}

u32 lock_chains_add_ips(struct lock_chains *c, const u64 *ip, u32 nr)
{
	bool is_new;
	u32 id = sequences_add(&c->recorded, ip, nr, &is_new);

	if (is_new)
		vec_push(&c->chain, (struct lock_chain){ .group = group_of(c, ip, nr),
							 .wanted = !c->functions ||
								   has_function(c, ip, nr) });
	return id;
}

u32 lock_chains_add(struct lock_chains *c, const struct sample *sample, const struct sample_ctx *ctx)
{
	struct sample_chain chain;
	u64 ip[RESOLVE_MAX_STACK];
	struct chain_run run;
	u32 nr = 0;

	arena_reset(&c->scratch);
	chain = sample_chain_of(c->resolver, sample, ctx, c->max_stack);
	while (nr < c->max_stack && sample_chain_next(&chain, &run))
		for (u64 i = 0; run.cpumode != CPUMODE_USER && i < run.nr && nr < c->max_stack; i++)
			ip[nr++] = run.ip[i];
	return lock_chains_add_ips(c, ip, nr);
}

static void add_name(const struct lock_chains *c, u64 ip, struct strbuf *out)
{
	struct arena names = { 0 };
	struct kernel_name found;

	if (name_of(c, ip, &names, &found)) {
		strbuf_add_safe(out, found.name);
		strbuf_addf(out, "+%#lx", ip - found.start);
	} else {
		strbuf_addf(out, "%#lx", ip);
	}
	arena_release(&names);
}

void lock_chains_add_caller(const struct lock_chains *c, u32 group, struct strbuf *out)
{
	u32 nr;
	const u64 *ip = sequences_get(&c->group, group, &nr);

	if (nr)
		add_name(c, ip[0], out);
	else
		strbuf_addstr(out, "Unknown");
}

void lock_chains_add_frames(const struct lock_chains *c, u32 group, struct strbuf *out)
{
	u32 nr;
	const u64 *ip = sequences_get(&c->group, group, &nr);

	for (u32 i = 0; i < nr; i++) {
		if (i)
			strbuf_addstr(out, " <- ");
		add_name(c, ip[i], out);
	}
}
