/* Plain chain: see plain-chain.h. The layout of a SAMPLE is that of <linux/perf_event.h>. */
#include "plain-chain.h"

#include <errno.h>
#include <linux/perf_event.h>

bool plain_chain_applies(const struct pe_attr *attr)
{
	return attr->sample_type & PERF_SAMPLE_STACK_USER && attr->sample_type & PERF_SAMPLE_CALLCHAIN;
}

void plain_chain_attr(struct pe_attr *attr)
{
	if (!plain_chain_applies(attr))
		return;
	attr->sample_type &= ~(u64)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	attr->sample_regs_user = 0;
	attr->sample_stack_user = 0;
	attr->flags &= ~(u64)ATTR_EXCLUDE_CALLCHAIN_USER;
}

/* the context marker of a side; 0: none */
static u64 marker_of(u8 cpumode)
{
	switch (cpumode) {
	case CPUMODE_KERNEL:
		return CHAIN_KERNEL;
	case CPUMODE_USER:
		return CHAIN_USER;
	case CPUMODE_HYPERVISOR:
		return CHAIN_HV;
	default:
		return 0;
	}
}

/* what was appended so far: its number of entries is at start */
struct plain_put {
	struct strbuf *out;
	size_t start;
	u64 nr, side;
};

static struct plain_put begin_chain(struct strbuf *out)
{
	struct plain_put p = { .out = out, .start = out->len };

	strbuf_add(out, &p.nr, sizeof(p.nr));
	return p;
}

static void put_run(struct plain_put *p, const struct chain_run *run)
{
	u64 marker = marker_of(run->cpumode);

	if (marker && marker != p->side) {
		strbuf_add(p->out, &marker, sizeof(marker));
		p->nr++;
	}
	p->side = marker;
	strbuf_add(p->out, run->ip, run->nr * sizeof(*run->ip));
	p->nr += run->nr;
}

static void end_chain(const struct plain_put *p)
{
	memcpy(p->out->buf + p->start, &p->nr, sizeof(p->nr));
}

void plain_chain_put(struct resolver *r, const struct sample *s, const struct sample_ctx *ctx,
		     struct strbuf *out)
{
	struct sample_chain chain = sample_chain_of(r, s, ctx, PLAIN_CHAIN_MAX);
	struct plain_put p = begin_chain(out);
	struct chain_run run;

	while (sample_chain_next(&chain, &run))
		put_run(&p, &run);
	end_chain(&p);
}

void plain_chain_put_recorded(const struct sample *s, struct strbuf *out)
{
	struct chain_walk walk = chain_walk_of(s, PLAIN_CHAIN_MAX);
	struct plain_put p = begin_chain(out);
	struct chain_run run;

	while (chain_next_run(&walk, &run))
		put_run(&p, &run);
	end_chain(&p);
}

/* where the parts of the record that change begin and end */
struct parts {
	const u8 *chain, *chain_end;	/* with the number of its entries */
	const u8 *dump, *dump_end;	/* registers and stack */
};

static bool find_parts(const struct rec *rec, const struct sample *s, struct parts *p)
{
	const u8 *end = rec->p + rec->size, *stack = s->user_stack;
	u64 regs = s->user_abi ? (u64)__builtin_popcountll(s->event->attr.sample_regs_user) : 0, size;

	p->chain = (const u8 *)s->callchain - sizeof(u64);
	p->chain_end = (const u8 *)(s->callchain + s->nr_callchain);
	/* ABI, registers, size of the copy */
	p->dump = stack - (2 + regs) * sizeof(u64);
	if (rec->swap || p->chain < rec->p || p->chain_end > p->dump || stack > end)
		return false;
	memcpy(&size, stack - sizeof(size), sizeof(size));
	if (size > (u64)(end - stack))
		return false;
	/* the number of valid bytes follows a copy that is not empty */
	p->dump_end = stack + size + (size ? sizeof(u64) : 0);
	return p->dump_end <= end;
}

int sample_plain_chain(struct resolver *r, const struct rec *rec, const struct sample *s,
		       const struct sample_ctx *ctx, struct strbuf *out)
{
	size_t start = out->len;
	struct rec_header h;
	struct parts p;

	if (!s->user_stack || !s->callchain) {
		strbuf_add(out, rec->p, rec->size);
		return 0;
	}
	if (!find_parts(rec, s, &p))
		return -ENOTSUP;
	strbuf_add(out, rec->p, p.chain - rec->p);
	plain_chain_put(r, s, ctx, out);
	strbuf_add(out, p.chain_end, p.dump - p.chain_end);
	strbuf_add(out, p.dump_end, rec->p + rec->size - p.dump_end);
	if (out->len - start > UINT16_MAX) {
		strbuf_setlen(out, start);
		return -E2BIG;
	}
	memcpy(&h, out->buf + start, sizeof(h));
	h.size = out->len - start;
	memcpy(out->buf + start, &h, sizeof(h));
	return 0;
}
