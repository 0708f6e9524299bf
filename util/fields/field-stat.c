/* Fields: an entry's sums: overhead, children, samples, period, weights. */
#include "field-family.h"
#include "../base/format.h"

#define SHARE(id, member, whole, head, need, what) \
static u64 stat_##id(const struct field_ctx *ctx, const struct stat_sums *s) \
{ \
	return s->member; \
} \
static void format_##id(const struct field_ctx *ctx, const struct stat_sums *s, struct strbuf *out) \
{ \
	format_percent(out, s->member, ctx->total->whole); \
} \
static double real_##id(const struct field_ctx *ctx, const struct stat_sums *s) \
{ \
	return 100.0 * s->member / ctx->total->whole; \
} \
const struct field field_##id = { .name = #id, .title = head, .kind = FIELD_STAT, .width = 8, .right = true, \
	.needs = need, .percent = true, .type = VIEW_SHARE, .real = real_##id, .stat = stat_##id, \
	.format_stat = format_##id, .help = what };

SHARE(overhead, period, period, "Overhead", NEEDS_NONE, "share of the event's total")
SHARE(overhead_children, period_children, period, "Children", NEEDS_NONE,
      "share with everything that was called")
SHARE(overhead_sys, period_sys, period, "sys", NEEDS_NONE, "share in the kernel")
SHARE(overhead_us, period_us, period, "usr", NEEDS_NONE, "share in user space")
SHARE(overhead_guest_sys, period_guest_sys, period, "guest sys", NEEDS_NONE, "share in a guest's kernel")
SHARE(overhead_guest_us, period_guest_us, period, "guest usr", NEEDS_NONE, "share in a guest's user space")

#define OF_TIME (NEEDS_PARALLELISM | NEEDS_LATENCY)
SHARE(latency, latency, latency, "Latency", OF_TIME, "share of the time that passed")
SHARE(latency_children, latency_children, latency, "Latency", OF_TIME,
      "the same with everything that was called")

SHARE(wall_on, state[0], period, "On-CPU", NEEDS_STATES,
      "share on a CPU, with everything that was called (--wall)")
SHARE(wall_run, state[1], period, "Runnable", NEEDS_STATES, "the same of waiting for a CPU")
SHARE(wall_blocked, state[2], period, "Blocked", NEEDS_STATES, "the same of waiting for something else")
SHARE(wall_idle, state[3], period, "Idle", NEEDS_STATES, "the same of waiting for work")

/* of a critical path: what is on it ended that much later, callees included */
static u64 stat_wall_saves(const struct field_ctx *ctx UNUSED, const struct stat_sums *s)
{
	return s->period_children ? s->period_children : s->period;
}

static void format_wall_saves(const struct field_ctx *ctx, const struct stat_sums *s, struct strbuf *out)
{
	strbuf_addf(out, "%.3f ms", stat_wall_saves(ctx, s) / 1e6);
}

const struct field field_wall_saves = { .name = "wall_saves", .title = "Saves at most", .kind = FIELD_STAT,
	.width = 13, .right = true, .needs = NEEDS_STATES, .type = VIEW_NUMBER, .unit = "ns",
	.stat = stat_wall_saves, .format_stat = format_wall_saves,
	.help = "how much less time it would have taken without this, at most (--critical-path)" };

#define TOTAL(id, expr, head, least, need, what) \
static u64 stat_##id(const struct field_ctx *ctx, const struct stat_sums *s) \
{ \
	return (expr); \
} \
static void format_##id(const struct field_ctx *ctx, const struct stat_sums *s, struct strbuf *out) \
{ \
	strbuf_add_u64(out, (expr), 0); \
} \
const struct field field_##id = { .name = #id, .title = head, .kind = FIELD_STAT, .width = least, \
	.right = true, .needs = need, .type = VIEW_NUMBER, .stat = stat_##id, .format_stat = format_##id, \
	.help = what };

TOTAL(sample, s->nr, "Samples", 12, NEEDS_NONE, "number of samples")
TOTAL(period, s->period, "Period", 12, NEEDS_NONE, "sum of the periods")

#define AVERAGE(id, n, head, what) \
static u64 stat_##id(const struct field_ctx *ctx, const struct stat_sums *s) \
{ \
	return s->nr ? s->weight[n] / s->nr : 0; \
} \
static double real_##id(const struct field_ctx *ctx, const struct stat_sums *s) \
{ \
	return s->nr ? (double)s->weight[n] / s->nr : 0.0; \
} \
static void format_##id(const struct field_ctx *ctx, const struct stat_sums *s, struct strbuf *out) \
{ \
	strbuf_addf(out, "%.1f", real_##id(ctx, s)); \
} \
const struct field field_##id = { .name = #id, .title = head, .kind = FIELD_STAT, .width = 8, .right = true, \
	.needs = NEEDS_WEIGHTS, .sample = PERF_SAMPLE_WEIGHT_STRUCT, .type = VIEW_REAL, .real = real_##id, \
	.stat = stat_##id, .format_stat = format_##id, .help = what };

static u64 stat_predicted(const struct field_ctx *ctx, const struct stat_sums *s)
{
	return s->branches ? s->predicted * 1000 / s->branches : 0;
}

static double real_predicted(const struct field_ctx *ctx, const struct stat_sums *s)
{
	return s->branches ? 100.0 * s->predicted / s->branches : 0.0;
}

static void format_predicted(const struct field_ctx *ctx, const struct stat_sums *s, struct strbuf *out)
{
	strbuf_addf(out, "%.1f%%", real_predicted(ctx, s));
}

const struct field field_callchain_branch_predicted = { .name = "callchain_branch_predicted",
	.title = "Predicted", .kind = FIELD_STAT, .width = 9, .right = true,
	.needs = NEEDS_HISTORY | NEEDS_BRANCH_SUMS,
	.type = VIEW_REAL, .unit = "%", .real = real_predicted, .stat = stat_predicted,
	.format_stat = format_predicted, .help = "share of predicted branches in branch histories" };

#define BRANCHES (NEEDS_HISTORY | NEEDS_BRANCH_SUMS)
#define BLOCKS (NEEDS_BRANCH | NEEDS_BRANCH_SUMS)
#define BRANCH_AVERAGE (s->branches ? s->cycles / s->branches : 0)
TOTAL(callchain_branch_abort, s->aborts, "Abort", 5, BRANCHES, "aborted transactions in branch histories")
TOTAL(callchain_branch_cycles, BRANCH_AVERAGE, "Cycles", 6, BRANCHES,
    "average cycles of branches in branch histories")
TOTAL(block_cycles, s->cycles, "Sampled Cycles", 14, BLOCKS, "cycles of the basic block, in all branches")
TOTAL(block_average, BRANCH_AVERAGE, "Avg Cycles", 10, BLOCKS, "average cycles of the basic block")

static u64 stat_block_share(const struct field_ctx *ctx, const struct stat_sums *s)
{
	return s->cycles;
}

static double real_block_share(const struct field_ctx *ctx, const struct stat_sums *s)
{
	return ctx->total->cycles ? 100.0 * s->cycles / ctx->total->cycles : 0.0;
}

static void format_block_share(const struct field_ctx *ctx, const struct stat_sums *s, struct strbuf *out)
{
	strbuf_addf(out, "%6.2f%%", real_block_share(ctx, s));
}

const struct field field_block_share = { .name = "block_share", .title = "Sampled Cycles%",
	.kind = FIELD_STAT, .width = 15, .right = true, .needs = NEEDS_BRANCH | NEEDS_BRANCH_SUMS,
	.percent = true, .type = VIEW_SHARE, .real = real_block_share, .stat = stat_block_share,
	.format_stat = format_block_share, .help = "share of the cycles of all basic blocks" };

AVERAGE(weight1, 0, "Weight1", "average of the first weight")
AVERAGE(weight2, 1, "Weight2", "average of the second weight")
AVERAGE(weight3, 2, "Weight3", "average of the third weight")
