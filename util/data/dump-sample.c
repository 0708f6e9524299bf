/* Dump of samples and of deferred call chains. */
#include "dump-private.h"
#include "../event/callchain.h"

static bool is_call_stack(const struct sample *s)
{
	return s->event->attr.branch_sample_type & BRANCH_CALL_STACK;
}

/*
 * the chain from the branch records: the recorded chain up to the user marker, then the branches, newest
 * first
 */
static void dump_lbr_chain(const struct sample *s, struct strbuf *out)
{
	u64 nr = callchain_user_marker(s), i;

	if (nr == s->nr_callchain || !s->nr_branches)
		return;
	nr++;
	strbuf_addf(out, "... LBR call chain: nr:%llu\n", (ull)(nr + 1 + s->nr_branches));
	for (i = 0; i < nr; i++)
		strbuf_addf(out, "..... %2llu: %016llx\n", (ull)i, (ull)s->callchain[i]);
	strbuf_addf(out, "..... %2llu: %016llx\n", (ull)i++, (ull)s->branches[0].to);
	for (u64 k = 0; k < s->nr_branches; k++)
		strbuf_addf(out, "..... %2llu: %016llx\n", (ull)(i + k), (ull)s->branches[k].from);
}

static void dump_chain(const struct sample *s, struct strbuf *out)
{
	if (is_call_stack(s))
		dump_lbr_chain(s, out);
	strbuf_addf(out, "... FP chain: nr:%llu\n", (ull)s->nr_callchain);
	for (u64 i = 0; i < s->nr_callchain; i++) {
		const char *name = chain_marker_name(s->callchain[i]);

		strbuf_addf(out, "..... %2llu: %016llx", (ull)i, (ull)s->callchain[i]);
		if (name)
			strbuf_addf(out, " (%s)", name);
		strbuf_addch(out, '\n');
	}
}

static void dump_branch(const struct branch_entry *b, u64 i, struct strbuf *out)
{
	const char *type = branch_type_name(b->flags), *spec = branch_spec_name(b->flags);

	strbuf_addf(out, "..... %2llu: %016llx -> %016llx %u cycles %s%s%s%s %x %s %s\n", (ull)i,
		    (ull)b->from, (ull)b->to, BRANCH_CYCLES(b->flags), b->flags & BRANCH_MISPRED ? "M" : " ",
		    b->flags & BRANCH_PREDICTED ? "P" : " ", b->flags & BRANCH_ABORT ? "A" : " ",
		    b->flags & BRANCH_IN_TX ? "T" : " ", (u32)(b->flags >> 34), type ? type : "(null)", spec);
}

static void dump_branches(const struct sample *s, struct strbuf *out)
{
	if (is_call_stack(s)) {
		strbuf_addf(out, "... branch callstack: nr:%llu\n", (ull)s->nr_branches + !!s->nr_branches);
		for (u64 i = 0; i < s->nr_branches; i++) {
			if (!i)
				strbuf_addf(out, "..... %2u: %016llx\n", 0, (ull)s->branches[i].to);
			strbuf_addf(out, "..... %2llu: %016llx\n", (ull)i + 1, (ull)s->branches[i].from);
		}
	} else {
		strbuf_addf(out, "... branch stack: nr:%llu\n", (ull)s->nr_branches);
		for (u64 i = 0; i < s->nr_branches; i++)
			dump_branch(&s->branches[i], i, out);
	}
	if (!s->branch_counters)
		return;
	strbuf_addf(out, "... branch stack counters: nr:%llu\n", (ull)s->nr_branches);
	for (u64 i = 0; i < s->nr_branches; i++)
		strbuf_addf(out, "..... %2llu: %016llx\n", (ull)i, (ull)s->branch_counters[i]);
}

static void dump_regs(const struct data *d, const char *title, u64 abi, u64 mask, const u64 *regs,
		      struct strbuf *out)
{
	const struct arch *a = features_arch(&d->feat);

	if (!abi || !regs)
		return;
	strbuf_addf(out, "... %s regs: mask %#llx ABI %s\n", title, (ull)mask,
		    abi == 1 ? "32-bit" : abi == 2 ? "64-bit" :
		    "unknown");
	for (u32 r = 0; r < 64; r++) {
		const char *name = arch_reg_name(a, r);

		if (mask >> r & 1)
			strbuf_addf(out, ".... %-5s 0x%016llx\n", name ? name : "unknown", (ull)*regs++);
	}
}

static void put_HEX(u64 v, struct strbuf *out)
{
	strbuf_addf(out, "%llx\n", (ull)v);
}

static void put_PAGE_SIZE(u64 size, struct strbuf *out)
{
	static const char units[] = "BKMGTPE";
	u32 u = 0;

	if (!size) {
		strbuf_addstr(out, "N/A\n");
		return;
	}
	for (; size / 1024 > 1 && u + 2 < sizeof(units); u++)
		size /= 1024;
	strbuf_addf(out, "%llu%c\n", (ull)size, units[u]);
}

static void dump_reads(const struct sample *s, struct strbuf *out)
{
	u64 format = s->event->attr.read_format;

	strbuf_addstr(out, "... sample_read:\n");
	if (format & ABI_READ_TIME_ENABLED)
		strbuf_addf(out, "...... time enabled %016llx\n", (ull)s->time_enabled);
	if (format & ABI_READ_TIME_RUNNING)
		strbuf_addf(out, "...... time running %016llx\n", (ull)s->time_running);
	if (format & ABI_READ_GROUP)
		strbuf_addf(out, ".... group nr %llu\n", (ull)s->nr_reads);
	for (u64 i = 0; i < s->nr_reads; i++) {
		strbuf_addf(out, "..... id %016llx, value %016llx", (ull)s->reads[i].id,
			    (ull)s->reads[i].value);
		if (format & ABI_READ_LOST)
			strbuf_addf(out, ", lost %llu", (ull)s->reads[i].lost);
		strbuf_addch(out, '\n');
	}
}

static void dump_memory(const struct sample *s, u64 type, struct strbuf *out)
{
	if (type & ABI_SAMPLE_WEIGHT_STRUCT)
		strbuf_addf(out, "... weight: %llu,0x%x,0x%x\n", (ull)s->weight, s->ins_lat, s->p_stage_cyc);
	else if (type & ABI_SAMPLE_WEIGHT)
		strbuf_addf(out, "... weight: %llu\n", (ull)s->weight);
#define LINE_OWN(...)
#define LINE_HEX LINE
#define LINE_PAGE_SIZE LINE
#define LINE(name, member, dump, label) \
	if (type & ABI_SAMPLE_##name) { \
		strbuf_addstr(out, label); \
		put_##dump(s->member, out); \
	}
#define SAMPLE_FIELD(name, bit, place, kind, member, dump, label) LINE_##dump(name, member, dump, label)
#include "../event/sample-fields.def"
#undef SAMPLE_FIELD
	/* the last one, though it is in front of the addresses in the record */
	if (type & ABI_SAMPLE_TRANSACTION)
		strbuf_addf(out, "... transaction: %llx\n", (ull)s->transaction);
}

void dump_sample(struct dump *x)
{
	const struct sample *s = x->id;
	u64 type = s->event->attr.sample_type;

	strbuf_addf(x->out, "(IP, 0x%x): %d/%d: %#llx period: %llu addr: %#llx\n", x->rec->misc, s->pid,
		    s->tid, (ull)s->ip, (ull)s->period, (ull)s->addr);
	if (type & ABI_SAMPLE_CALLCHAIN)
		dump_chain(s, x->out);
	if (type & ABI_SAMPLE_BRANCH_STACK)
		dump_branches(s, x->out);
	dump_regs(x->d, "user", s->user_abi, s->event->attr.sample_regs_user, s->user_regs, x->out);
	dump_regs(x->d, "intr", s->intr_abi, s->event->attr.sample_regs_intr, s->intr_regs, x->out);
	if (type & ABI_SAMPLE_STACK_USER)	/* the offset of the field, which begins with its size */
		strbuf_addf(x->out, "... ustack: size %llu, offset 0x%x\n", (ull)s->user_stack_size,
			    (u32)((const u8 *)s->user_stack - 8 - x->rec->p));
	dump_memory(s, type, x->out);
	if (type & ABI_SAMPLE_READ)
		dump_reads(s, x->out);
}

void dump_deferred(struct dump *x)
{
	strbuf_addf(x->out, "(IP, 0x%x): %d/%d: %#llx\n", x->v.misc, x->id->pid, x->id->tid,
		    (ull)x->v.deferred.cookie);
}
