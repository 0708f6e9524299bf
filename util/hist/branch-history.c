/* Branch histories: see branch-history.h. */
#include "branch-history.h"
#include "callers.h"
#include "count.h"
#include "label.h"

#define MAX_BRANCHES 256u	/* of one sample; processors have 16 to 64 */
#define MAX_CALLERS 1024u
#define MAX_CALL_LENGTH 16u	/* bytes from the start of a call to the address where it returns */
#define MAX_FUNCTION (1u << 24)

static u32 nr_branches(const struct sample *s)
{
	return MIN(s->nr_branches, (u64)MAX_BRANCHES);
}

void branch_sums(const struct branch_entry *b, u64 nr, u64 ret[HIST_NR_BRANCH_SUMS])
{
	ret[HIST_BRANCHES] += nr;
	for (u64 i = 0; i < nr; i++) {
		ret[HIST_PREDICTED] += (b[i].flags & BRANCH_PREDICTED) != 0;
		ret[HIST_ABORTS] += (b[i].flags & BRANCH_ABORT) != 0;
		ret[HIST_CYCLES] += BRANCH_CYCLES(b[i].flags);
	}
}

static void add_ip(struct count_worker *w, const struct lookup_ip *ip, u32 mark)
{
	u32 at = w->lookup.ip.nr;

	lookup_add(&w->lookup, ip);
	vec_reserve(&w->mark, at + 1);
	w->mark.v[at] = mark;
	w->mark.nr = at + 1;
}

static void add_branches(struct count_worker *w, const struct sample *s, const struct sample_ctx *ctx)
{
	u32 nr = nr_branches(s);

	for (u32 i = 0; i < nr; i++) {
		const struct branch_entry *b = &s->branches[i];
		u32 to = BRANCH_MARK_TARGET;

		if (b->flags & BRANCH_PREDICTED)
			to |= BRANCH_MARK_PREDICTED;
		if (b->flags & BRANCH_ABORT)
			to |= BRANCH_MARK_ABORT;
		add_ip(w, &(struct lookup_ip){ .ip = b->to, .ctx = ctx, .mode = LOOKUP_ANY }, to);
		add_ip(w, &(struct lookup_ip){ .ip = b->from, .ctx = ctx, .mode = LOOKUP_ANY },
		       BRANCH_MARK_SOURCE | BRANCH_CYCLES(b->flags));
	}
}

/*
 * A branch is the call that returns to an address if it is shortly before it, and went to a function that
 * contains the next inner frame. Functions are not known yet, so that one begins before the frame must do.
 */
static bool is_call(const struct branch_entry *b, u64 back, u64 inner)
{
	return b->from < back && back - b->from <= MAX_CALL_LENGTH && b->to <= inner &&
	       inner - b->to < MAX_FUNCTION;
}

static bool was_called(const struct sample *s, u64 back, u64 inner)
{
	u32 nr = nr_branches(s);

	for (u32 i = 0; i < nr; i++)
		if (is_call(&s->branches[i], back, inner))
			return true;
	return false;
}

/* without those whose calls are branches, and without the sampled address if there are branches */
static void add_callers(struct count_worker *w, const struct sample *s, const struct sample_ctx *ctx,
			struct sample_chain *chain)
{
	struct lookup_ip caller[MAX_CALLERS];
	struct chain_run run;
	u32 nr = 0, first = s->nr_branches != 0;

	while (sample_chain_next(chain, &run)) {
		u8 mode = run.cpumode == CPUMODE_UNKNOWN ? LOOKUP_ANY : run.cpumode;

		for (u64 i = 0; i < run.nr && nr < MAX_CALLERS; i++)
			caller[nr++] = (struct lookup_ip){ .ip = run.ip[i], .ctx = ctx, .mode = mode,
							  .caller = chain_run_is_caller(&run, i) };
	}
	for (u32 i = 1; i < nr; i++)
		if (was_called(s, caller[i].ip, caller[i - 1].ip))
			first = i + 1;
	for (u32 i = first; i < nr; i++)
		add_ip(w, &caller[i], BRANCH_MARK_CALLER);
}

u32 history_take(struct count_worker *w, const struct sample *s, const struct sample_ctx *ctx,
		 struct sample_chain *chain, u32 max)
{
	u32 start = w->lookup.ip.nr;

	add_branches(w, s, ctx);
	add_callers(w, s, ctx, chain);
	w->lookup.ip.nr = MIN(w->lookup.ip.nr, (size_t)start + max);
	return w->lookup.ip.nr - start;
}

u32 history_marked(struct count_worker *w, u32 frame, u32 mark)
{
	return MARKED_FRAME | key_table_get(&w->marked, (u64[]){ frame, mark });
}

void history_mark(struct count_worker *w, u32 first, u32 nr)
{
	for (u32 i = first; i < first + nr; i++)
		w->lookup.frame.v[i] = history_marked(w, w->lookup.frame.v[i], w->mark.v[i]);
}

u32 history_frame(const struct count_worker *w, u32 frame)
{
	if (likely(!(frame & MARKED_FRAME)) || frame == FRAME_CUT)
		return frame;
	return *key_table_at(&w->marked, frame & ~MARKED_FRAME);
}

void history_labels(struct hist *h, struct hidx *idx, struct count_worker *w)
{
	w->marked_label = xreallocarray(NULL, w->marked.nr + 1, sizeof(*w->marked_label));
	for (u32 i = 0; i < w->marked.nr; i++) {
		const u64 *row = key_table_at(&w->marked, i);
		struct hist_label l = h->label.v[h->label_of[w->frame_map[row[0]]]];

		l.mark = row[1];
		w->marked_label[i] = label_add(h, idx, l);
		if (h->opts.carry)
			vec_push(&h->marked_frame,
				 ((struct hist_marked){ w->marked_label[i], w->frame_map[row[0]] }));
	}
}

void history_note_add(struct history_note *n, u32 mark, u64 nr)
{
	if (mark & BRANCH_MARK_CALLER)
		n->callers += nr;
	if (mark & BRANCH_MARK_TARGET) {
		n->targets += nr;
		n->predicted += mark & BRANCH_MARK_PREDICTED ? nr : 0;
		n->aborts += mark & BRANCH_MARK_ABORT ? nr : 0;
	}
	if (mark & BRANCH_MARK_SOURCE && BRANCH_MARK_CYCLES(mark)) {
		n->timed += nr;
		n->cycles += nr * BRANCH_MARK_CYCLES(mark);
	}
}

void history_note_text(const struct history_note *n, struct strbuf *out)
{
	size_t start = out->len;

	if (n->predicted < n->targets)
		strbuf_addf(out, "predicted:%.1f%%", 100.0 * n->predicted / n->targets);
	if (n->aborts)
		strbuf_addf(out, "%sabort:%.1f%%", out->len > start ? " " : "",
			    100.0 * n->aborts / n->targets);
	if (n->timed)
		strbuf_addf(out, "%scycles:%lu", out->len > start ? " " : "", n->cycles / n->timed);
	if (n->callers)
		strbuf_addf(out, "%scalltrace", out->len > start ? " " : "");
}
