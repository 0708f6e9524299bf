/* Dump of samples and of deferred call chains. */
#include "dump-private.h"
#include "../event/callchain.h"

#include <stdio.h>

static bool is_call_stack(const struct sample *s)
{
	return s->event->attr.branch_sample_type & BRANCH_CALL_STACK;
}

/* a row with one address */
static void dump_address(struct dump *x, u64 i, u64 addr)
{
	if (i)
		x->f->next_row(x->out);
	x->f->begin_row(x->out);
	WORDS(x, "..... {:2d}: {ip:016x}\n", NUM(i), ADDR(addr));
	x->f->end_row(x->out);
}

/*
 * the chain from the branch records: the recorded chain up to the user marker, then the branches, newest
 * first
 */
static void dump_lbr_chain(struct dump *x)
{
	const struct sample *s = x->id;
	u64 nr = callchain_user_marker(s), i;

	if (nr == s->nr_callchain || !s->nr_branches)
		return;
	nr++;
	WORDS(x, "... LBR call chain: nr:{:d}\n", NUM(nr + 1 + s->nr_branches));
	x->f->begin_rows(x->out, "lbr-chain");
	for (i = 0; i < nr; i++)
		dump_address(x, i, s->callchain[i]);
	dump_address(x, i++, s->branches[0].to);
	for (u64 k = 0; k < s->nr_branches; k++)
		dump_address(x, i + k, s->branches[k].from);
	x->f->end_rows(x->out);
}

static void dump_chain(struct dump *x)
{
	const struct sample *s = x->id;

	if (is_call_stack(s))
		dump_lbr_chain(x);
	WORDS(x, "... FP chain: nr:{:d}\n", NUM(s->nr_callchain));
	x->f->begin_rows(x->out, "chain");
	for (u64 i = 0; i < s->nr_callchain; i++) {
		const char *name = chain_marker_name(s->callchain[i]);

		if (i)
			x->f->next_row(x->out);
		x->f->begin_row(x->out);
		WORDS(x, "..... {:2d}: {ip:016x}", NUM(i), ADDR(s->callchain[i]));
		if (name)
			WORDS(x, " ({marker})", TEXT_OF(name));
		SAY(x, "\n");
		x->f->end_row(x->out);
	}
	x->f->end_rows(x->out);
}

static void dump_branch(struct dump *x, const struct branch_entry *b, u64 i)
{
	const char *type = branch_type_name(b->flags), *spec = branch_spec_name(b->flags);
	u64 flags = b->flags;

	if (i)
		x->f->next_row(x->out);
	x->f->begin_row(x->out);
	WORDS(x, "..... {:2d}: {from:016x} -> {to:016x} {cycles} cycles ", NUM(i), ADDR(b->from), ADDR(b->to),
	      NUM(BRANCH_CYCLES(flags)));
	WORDS(x, "{:1s}{:1s}{:1s}{:1s} {reserved:x} {:s} {:s}\n", TEXT_OF(flags & BRANCH_MISPRED ? "M" : ""),
	      TEXT_OF(flags & BRANCH_PREDICTED ? "P" : ""), TEXT_OF(flags & BRANCH_ABORT ? "A" : ""),
	      TEXT_OF(flags & BRANCH_IN_TX ? "T" : ""), NUM((u32)(flags >> 34)),
	      TEXT_OF(type ? type : "(null)"), TEXT_OF(spec));
	stream_bool(x->f, x->out, "mispredicted", flags & BRANCH_MISPRED);
	stream_bool(x->f, x->out, "predicted", flags & BRANCH_PREDICTED);
	stream_bool(x->f, x->out, "abort", flags & BRANCH_ABORT);
	stream_bool(x->f, x->out, "in-tx", flags & BRANCH_IN_TX);
	if (type && *type)
		stream_text(x->f, x->out, "kind", type);
	if (*spec)
		stream_text(x->f, x->out, "speculation", spec);
	x->f->end_row(x->out);
}

static void dump_branches(struct dump *x)
{
	const struct sample *s = x->id;

	x->f->begin_rows(x->out, "branches");
	if (is_call_stack(s)) {
		WORDS(x, "... branch callstack: nr:{:d}\n", NUM(s->nr_branches + !!s->nr_branches));
		for (u64 i = 0; i < s->nr_branches; i++) {
			if (!i)
				dump_address(x, 0, s->branches[i].to);
			dump_address(x, i + 1, s->branches[i].from);
		}
	} else {
		WORDS(x, "... branch stack: nr:{:d}\n", NUM(s->nr_branches));
		for (u64 i = 0; i < s->nr_branches; i++)
			dump_branch(x, &s->branches[i], i);
	}
	x->f->end_rows(x->out);
	if (!s->branch_counters)
		return;
	WORDS(x, "... branch stack counters: nr:{:d}\n", NUM(s->nr_branches));
	x->f->begin_rows(x->out, "branch-counters");
	for (u64 i = 0; i < s->nr_branches; i++)
		dump_address(x, i, s->branch_counters[i]);
	x->f->end_rows(x->out);
}

static void dump_regs(struct dump *x, const char *title, u64 abi, u64 mask, const u64 *regs)
{
	struct reg_walk walk = { features_arch(&x->d->feat), mask, regs };
	char number[16];
	u64 value;

	if (!abi || !regs)
		return;
	WORDS(x, "... {:s} regs: mask {:#x} ABI {:s}\n", TEXT_OF(title), NUM(mask),
	      TEXT_OF(abi == 1 ? "32-bit" : abi == 2 ? "64-bit" : "unknown"));
	snprintf(number, sizeof(number), "%s-regs", title);
	x->f->begin_group(x->out, number);
	stream_number(x->f, x->out, "abi", abi);
	while (reg_walk_next(&walk, &value)) {
		snprintf(number, sizeof(number), "reg-%u", walk.nr);
		WORDS(x, ".... {:-5s} 0x{:016x}\n", TEXT_OF(walk.name ? walk.name : "unknown"), NUM(value));
		stream_address(x->f, x->out, walk.name ? walk.name : number, value);
	}
	x->f->end_group(x->out);
}

static void put_HEX(struct dump *x, const char *key, u64 v)
{
	WORDS(x, "{:x}\n", NUM(v));
	stream_address(x->f, x->out, key, v);
}

static void put_PAGE_SIZE(struct dump *x, const char *key, u64 size)
{
	static const char *const units[] = { "B", "K", "M", "G", "T", "P", "E" };
	u32 u = 0;

	if (!size) {
		SAY(x, "N/A\n");
		return;
	}
	stream_number(x->f, x->out, key, size);
	for (; size / 1024 > 1 && u + 1 < ARRAY_SIZE(units); u++)
		size /= 1024;
	WORDS(x, "{:d}{:s}\n", NUM(size), TEXT_OF(units[u]));
}

static void dump_reads(struct dump *x)
{
	const struct sample *s = x->id;
	u64 format = s->event->attr.read_format;

	SAY(x, "... sample_read:\n");
	if (format & ABI_READ_TIME_ENABLED)
		WORDS(x, "...... time enabled {:016x}\n", NUM(s->time_enabled));
	if (format & ABI_READ_TIME_RUNNING)
		WORDS(x, "...... time running {:016x}\n", NUM(s->time_running));
	if (format & ABI_READ_GROUP)
		WORDS(x, ".... group nr {:d}\n", NUM(s->nr_reads));
	if (format & ABI_READ_TIME_ENABLED)
		stream_time(x->f, x->out, "time-enabled", s->time_enabled);
	if (format & ABI_READ_TIME_RUNNING)
		stream_time(x->f, x->out, "time-running", s->time_running);
	x->f->begin_rows(x->out, "reads");
	for (u64 i = 0; i < s->nr_reads; i++) {
		if (i)
			x->f->next_row(x->out);
		x->f->begin_row(x->out);
		WORDS(x, "..... id {id:016x}, value {value:016x}", NUM(s->reads[i].id),
		      NUM(s->reads[i].value));
		if (format & ABI_READ_LOST)
			WORDS(x, ", lost {lost}", NUM(s->reads[i].lost));
		SAY(x, "\n");
		x->f->end_row(x->out);
	}
	x->f->end_rows(x->out);
}

static void dump_memory(struct dump *x, u64 type)
{
	const struct sample *s = x->id;

	if (type & ABI_SAMPLE_WEIGHT_STRUCT)
		WORDS(x, "... weight: {weight},0x{weight2:x},0x{weight3:x}\n", NUM(s->weight),
		      NUM(s->ins_lat), NUM(s->p_stage_cyc));
	else if (type & ABI_SAMPLE_WEIGHT)
		WORDS(x, "... weight: {weight}\n", NUM(s->weight));
#define LINE_OWN(...)
#define LINE_HEX LINE
#define LINE_PAGE_SIZE LINE
#define LINE(name, member, dump, label) \
	if (type & ABI_SAMPLE_##name) { \
		SAY(x, label); \
		put_##dump(x, #member, s->member); \
	}
#define SAMPLE_FIELD(name, bit, place, kind, member, dump, label) LINE_##dump(name, member, dump, label)
#include "../event/sample-fields.def"
#undef SAMPLE_FIELD
	/* the last one, though it is before the addresses in the record */
	if (type & ABI_SAMPLE_TRANSACTION)
		WORDS(x, "... transaction: {transaction:x}\n", ADDR(s->transaction));
}

void dump_sample(struct dump *x)
{
	const struct sample *s = x->id;
	u64 type = s->event->attr.sample_type;

	WORDS(x, "(IP, 0x{misc:x}): {pid}/{tid}: {ip} period: {period} addr: {addr}\n", NUM(x->rec->misc),
	      INT((s32)s->pid), INT((s32)s->tid), ADDR(s->ip), NUM(s->period), ADDR(s->addr));
	if (type & ABI_SAMPLE_CALLCHAIN)
		dump_chain(x);
	if (type & ABI_SAMPLE_BRANCH_STACK)
		dump_branches(x);
	dump_regs(x, "user", s->user_abi, s->event->attr.sample_regs_user, s->user_regs);
	dump_regs(x, "intr", s->intr_abi, s->event->attr.sample_regs_intr, s->intr_regs);
	if (type & ABI_SAMPLE_STACK_USER)	/* the offset of the field, which begins with its size */
		WORDS(x, "... ustack: size {user-stack-size}, offset 0x{user-stack-offset:x}\n",
		      NUM(s->user_stack_size), NUM((u32)((const u8 *)s->user_stack - 8 - x->rec->p)));
	dump_memory(x, type);
	if (type & ABI_SAMPLE_READ)
		dump_reads(x);
}

void dump_deferred(struct dump *x)
{
	WORDS(x, "(IP, 0x{misc:x}): {pid}/{tid}: {cookie:#x}\n", NUM(x->v.misc), INT((s32)x->id->pid),
	      INT((s32)x->id->tid), NUM(x->v.deferred.cookie));
}
