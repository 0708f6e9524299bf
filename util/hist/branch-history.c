/* Branch histories: see branch-history.h. */
#include "branch-history.h"
#include "count-worker.h"
#include "frame-labels.h"

#define MAX_BRANCHES 256u	/* of one sample; processors have 16 to 64 */
#define MAX_LOOP 32u		/* branches of an iteration */
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

static void add_ip(struct count_worker *w, const struct lookup_ip *ip, u64 mark)
{
	u32 at = w->lookup.ip.nr;

	lookup_add(&w->lookup, ip);
	vec_reserve(&w->mark, at + 1);
	w->mark.v[at] = mark;
	w->mark.nr = at + 1;
}

/* nr branches that follow each other times times, the last one first */
struct branch_loop {
	const struct branch_entry *branch;
	u32 nr, times;
};

static bool are_same(const struct branch_entry *a, const struct branch_entry *b, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		if (a[i].from != b[i].from || a[i].to != b[i].to)
			return false;
	return true;
}

/* the shortest loop with which the nr branches begin; one branch, once, if they begin with none */
static struct branch_loop loop_of(const struct branch_entry *b, u32 nr)
{
	for (u32 len = 1; len <= MIN(nr / 2, MAX_LOOP); len++) {
		u32 times = 1;

		while ((times + 1) * len <= nr && are_same(b, b + times * len, len))
			times++;
		if (times > 1)
			return (struct branch_loop){ b, len, times };
	}
	return (struct branch_loop){ b, 1, 1 };
}

static u64 iteration_mark(const struct branch_loop *l)
{
	u64 cycles = 0;

	if (l->times == 1)
		return 0;
	for (u32 i = 0; i < l->nr * l->times; i++)
		cycles += BRANCH_CYCLES(l->branch[i].flags);
	return BRANCH_MARK_LOOP | MIN(cycles / l->times, BRANCH_MARK_ITERATION_MAX) << 47;
}

/* both ends of branch i of each iteration; mark: what else its target says */
static void add_ends(struct count_worker *w, const struct branch_loop *l, u32 i, u64 mark,
		     const struct sample_ctx *ctx)
{
	u64 sums[HIST_NR_BRANCH_SUMS] = { 0 }, times = (u64)l->times << 20;
	const struct branch_entry *b = &l->branch[i];

	for (u32 k = 0; k < l->times; k++)
		branch_sums(b + k * l->nr, 1, sums);
	add_ip(w, &(struct lookup_ip){ .ip = b->to, .ctx = ctx, .mode = LOOKUP_ANY },
	       mark | BRANCH_MARK_TARGET | times | sums[HIST_PREDICTED] << 29 | sums[HIST_ABORTS] << 38);
	add_ip(w, &(struct lookup_ip){ .ip = b->from, .ctx = ctx, .mode = LOOKUP_ANY },
	       BRANCH_MARK_SOURCE | times | sums[HIST_CYCLES] / l->times);
}

static void add_branches(struct count_worker *w, const struct sample *s, const struct sample_ctx *ctx,
			 bool fold)
{
	u32 nr = nr_branches(s);
	struct branch_loop l;

	for (u32 at = 0; at < nr; at += l.nr * l.times) {
		l = loop_of(s->branches + at, fold ? nr - at : 1);
		for (u32 i = 0; i < l.nr; i++)
			add_ends(w, &l, i, i ? 0 : iteration_mark(&l), ctx);
	}
}

/*
 * A branch is the call of a return address if its source is shortly before that address, and its target is in
 * the function of the next inner frame. Functions are not known yet: the target is taken for the begin of a
 * function that contains the frame.
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
		 struct sample_chain *chain, bool fold, u32 max)
{
	u32 start = w->lookup.ip.nr;

	add_branches(w, s, ctx, fold);
	add_callers(w, s, ctx, chain);
	w->lookup.ip.nr = MIN(w->lookup.ip.nr, (size_t)start + max);
	return w->lookup.ip.nr - start;
}

u32 history_marked(struct count_worker *w, u32 frame, u64 mark)
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

void history_note_add(struct history_note *n, u64 mark, u64 nr)
{
	u64 times = nr * BRANCH_MARK_NR(mark);

	if (mark & BRANCH_MARK_CALLER)
		n->callers += nr;
	if (mark & BRANCH_MARK_TARGET) {
		n->targets += times;
		n->predicted += nr * BRANCH_MARK_PREDICTED(mark);
		n->aborts += nr * BRANCH_MARK_ABORTS(mark);
	}
	if (mark & BRANCH_MARK_LOOP) {
		n->loops += nr;
		n->iterations += times;
		n->iteration_cycles += times * BRANCH_MARK_ITERATION(mark);
	}
	if (mark & BRANCH_MARK_SOURCE && BRANCH_MARK_CYCLES(mark)) {
		n->timed += times;
		n->cycles += times * BRANCH_MARK_CYCLES(mark);
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
	if (n->loops)
		strbuf_addf(out, "%siter:%lu", out->len > start ? " " : "", n->iterations / n->loops);
	if (n->iteration_cycles)
		strbuf_addf(out, " avg_cycles:%lu", n->iteration_cycles / n->iterations);
	if (n->callers)
		strbuf_addf(out, "%scalltrace", out->len > start ? " " : "");
}
