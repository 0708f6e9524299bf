/* Stack end: words, counts, and the summary in one sentence. */
#include "stack-end.h"

#include "../machine/machine.h"

#define MAX_DUMP 65528u		/* the kernel's limit: the size of a record is 16 bits */

static const struct {
	const char *word, *text;
} rows[] = {
#define STACK_END(id, word, text) { word, text },
#include "stack-end.def"
#undef STACK_END
};

const char *stack_why_word(enum stack_why why)
{
	return rows[why < STACK_NR ? why : STACK_NONE].word;
}

bool stack_why_has_dso(enum stack_why why)
{
	return why == STACK_NO_RULES || why == STACK_NO_FP;
}

const char *stack_end_frame_name(u64 ip)
{
	static const char *const names[] = {
#define STACK_END(id, word, text) "[stack " word "]",
#include "stack-end.def"
#undef STACK_END
	};

	return ip - STACK_END_IP(0) < STACK_NR ? names[ip - STACK_END_IP(0)] : NULL;
}

static void put_dso(u32 id, const struct dsos *dsos, struct strbuf *out)
{
	const struct dso *d = dsos_at(dsos, id);

	if (d)
		strbuf_add_safe(out, d->short_name);
	else
		strbuf_addstr(out, "[unknown]");
}

void stack_end_format(u64 key, const struct dsos *dsos, struct strbuf *out)
{
	strbuf_addstr(out, stack_why_word(key & 0xff));
	if (!stack_why_has_dso(key & 0xff))
		return;
	strbuf_addstr(out, " (");
	put_dso((u32)(key >> 8) - 1, dsos, out);
	strbuf_addch(out, ')');
}

void stack_ends_add(struct stack_ends *e, enum stack_why why, u32 dso, u64 nr)
{
	u32 which = why == STACK_NO_FP;

	e->nr[why] += nr;
	if (!stack_why_has_dso(why) || dso == ID_NONE)
		return;
	while (e->dso[which].nr <= dso)
		vec_push(&e->dso[which], 0);
	e->dso[which].v[dso] += nr;
}

void stack_ends_merge(struct stack_ends *into, const struct stack_ends *from)
{
	for (u32 why = 0; why < STACK_NR; why++)
		into->nr[why] += from->nr[why];
	into->whole = MAX(into->whole, from->whole);
	for (u32 which = 0; which < 2; which++) {
		while (into->dso[which].nr < from->dso[which].nr)
			vec_push(&into->dso[which], 0);
		for (size_t i = 0; i < from->dso[which].nr; i++)
			into->dso[which].v[i] += from->dso[which].v[i];
	}
}

void stack_ends_release(struct stack_ends *e)
{
	vec_release(&e->dso[0]);
	vec_release(&e->dso[1]);
}

u64 stack_ends_total(const struct stack_ends *e)
{
	u64 total = 0;

	for (u32 why = STACK_NONE + 1; why < STACK_NR; why++)
		total += e->nr[why];
	return total;
}

/* the dso with most of them, and the number of others */
static void put_dsos(const struct stack_ends *e, enum stack_why why, const struct dsos *dsos,
		     struct strbuf *out)
{
	u32 which = why == STACK_NO_FP, most = ID_NONE, others = 0;

	for (u32 i = 0; i < e->dso[which].nr; i++) {
		u64 nr = e->dso[which].v[i];

		others += nr && most != ID_NONE;
		if (nr && (most == ID_NONE || nr > e->dso[which].v[most]))
			most = i;
	}
	strbuf_addch(out, ' ');
	put_dso(most, dsos, out);
	if (others)
		strbuf_addf(out, " and %u other%s", others, others > 1 ? "s" : "");
}

/* other runs have other environments on their stacks */
#define DUMP_STEP 1024u

/* the dump that would not have cut: whole bytes (0: unknown) */
static void put_larger(u64 whole, u32 dump_size, struct strbuf *out)
{
	u64 enough = ALIGN_UP(whole, (u64)DUMP_STEP);

	if (whole > dump_size && enough <= MAX_DUMP)
		strbuf_addf(out, " (--call-graph dwarf,%llu would have been enough)",
			    (unsigned long long)enough);
	else if (whole > dump_size)
		strbuf_addf(out, " (stacks have up to %llu bytes, dumps at most %u)",
			    (unsigned long long)whole, MAX_DUMP);
	else if (dump_size < MAX_DUMP)
		strbuf_addf(out, " (try --call-graph dwarf,%u)",
			    dump_size < MAX_DUMP / 2 ? dump_size * 2 : MAX_DUMP);
}

static void put_reason(const struct stack_ends *e, enum stack_why why, const struct dsos *dsos, u32 dump_size,
		       struct strbuf *out)
{
	if (why == STACK_CUT && dump_size) {
		strbuf_addf(out, "cut by the %u-byte dump", dump_size);
		put_larger(e->whole, dump_size, out);
		return;
	}
	strbuf_addstr(out, rows[why].text);
	if (stack_why_has_dso(why))
		put_dsos(e, why, dsos, out);
}

void stack_ends_text(const struct stack_ends *e, const struct dsos *dsos, u32 dump_size, struct strbuf *out)
{
	u64 total = stack_ends_total(e);
	const char *comma = "";

	for (u32 why = STACK_NONE + 1; why < STACK_NR; why++) {
		if (!e->nr[why])
			continue;
		strbuf_addf(out, "%s%.1f%% ", comma, 100.0 * (double)e->nr[why] / (double)total);
		put_reason(e, why, dsos, dump_size, out);
		comma = ", ";
	}
}
