/*
 * Errors of a walk of an Intel PT trace: places where packets and code do not say what was executed. Each is
 * counted, with the time up to the place where the walk goes on, and becomes an AUXTRACE_ERROR record if
 * users want to see them.
 */
#include "pt-walk.h"
#include "../base/diag.h"

/* codes and texts are upstream's, which scripts know */
static const struct {
	enum diag_kind kind;
	u32 code;
	const char *text;
} rows[] = {
	[PT_ERR_NO_CODE] = { DIAG_PT_NO_CODE, 5, "Failed to get instruction" },
	[PT_ERR_MISMATCH] = { DIAG_PT_MISMATCH, 6, "Trace doesn't match instruction" },
	[PT_ERR_LOOP] = { DIAG_PT_LOOP, 10, "Never-ending loop (refer perf config intel-pt.max-loops)" },
	[PT_ERR_OVERFLOW] = { DIAG_PT_OVERFLOW, 7, "Overflow packet" },
	[PT_ERR_BAD_PACKET] = { DIAG_AUX_BAD_PACKET, 3, "Bad packet" },
};

/*
 * As upstream: an instruction executed since the last packet with a time takes two cycles. Instructions of a
 * loop that never ends take none
 */
static u64 time_here(const struct pt_walk *w, enum pt_error e, u64 insns)
{
	u64 ticks = e == PT_ERR_LOOP ? 0 : 2 * (w->insns + insns - w->timed_insns);

	if (w->time.ratio && w->time.max_ratio)
		ticks = ticks * w->time.max_ratio / w->time.ratio;
	return pt_walk_ns(w, w->time.tsc + ticks);
}

void pt_error(struct pt_walk *w, enum pt_error e, u64 ip, u64 insns)
{
	struct aux_error error = {
		.code = rows[e].code, .text = rows[e].text, .pid = w->pid, .tid = w->tid,
		.cpu = w->piece->cpu, .ip = ip,
	};

	if (w->measures)
		return;
	diag_count(&w->out->diag, rows[e].kind, w->off);
	if (w->logs)
		pt_log_error(w, rows[e].text, ip);
	if (e == PT_ERR_NO_CODE)
		aux_add_missing(&w->out->missing, w->guest ? AUX_GUEST : pt_code_dso(w->code, ip), 1);
	if (!w->failed) {
		w->failed = e;
		w->failed_at = w->time.tsc;
	}
	if (!w->setup->errors || (e == PT_ERR_OVERFLOW && w->setup->no_overflow))
		return;
	if (e == PT_ERR_NO_CODE && w->told_missing && w->insns == w->missing_insns)
		return;		/* the same again, without an instruction or a PSB in between */
	w->told_missing = e == PT_ERR_NO_CODE;
	w->missing_insns = w->insns;
	error.time = w->setup->errors_in_order ? pt_walk_ns(w, w->time.tsc) : time_here(w, e, insns);
	aux_out_error(w->out, &error);
}

/* how long ago that was; 0: the counter was set back */
static u64 ns_since(const struct pt_walk *w, u64 tsc)
{
	u64 now = pt_walk_ns(w, w->time.tsc), then = pt_walk_ns(w, tsc);

	return now > then ? now - then : 0;
}

void pt_error_end(struct pt_walk *w)
{
	if (w->failed)
		w->out->diag.kind[rows[w->failed].kind].ns += ns_since(w, w->failed_at);
	w->failed = PT_ERR_NONE;
}

void pt_traced(struct pt_walk *w, bool traced)
{
	if (w->traced && !traced) {
		pt_error_end(w);
		w->out->diag.traced_ns += ns_since(w, w->traced_at);
	}
	if (traced && !w->traced)
		w->traced_at = w->time.tsc;
	w->traced = traced && w->time.known;
}
