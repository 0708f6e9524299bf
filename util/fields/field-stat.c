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

#define TOTAL(id, expr, head, need, what) \
static u64 stat_##id(const struct field_ctx *ctx, const struct stat_sums *s) \
{ \
	return (expr); \
} \
static void format_##id(const struct field_ctx *ctx, const struct stat_sums *s, struct strbuf *out) \
{ \
	strbuf_add_u64(out, (expr), 0); \
} \
const struct field field_##id = { .name = #id, .title = head, .kind = FIELD_STAT, .width = 12, \
	.right = true, .needs = need, .type = VIEW_NUMBER, .stat = stat_##id, .format_stat = format_##id, \
	.help = what };

TOTAL(sample, s->nr, "Samples", NEEDS_NONE, "number of samples")
TOTAL(period, s->period, "Period", NEEDS_NONE, "sum of the periods")

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
	.needs = NEEDS_WEIGHTS, .type = VIEW_REAL, .real = real_##id, .stat = stat_##id, \
	.format_stat = format_##id, .help = what };

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
	.title = "Predicted", .kind = FIELD_STAT, .width = 9, .right = true, .needs = NEEDS_HISTORY,
	.type = VIEW_REAL, .unit = "%", .real = real_predicted, .stat = stat_predicted,
	.format_stat = format_predicted, .help = "share of predicted branches in branch histories" };

#define HISTORY(id, expr, head, least, what) \
static u64 stat_##id(const struct field_ctx *ctx, const struct stat_sums *s) \
{ \
	return (expr); \
} \
static void format_##id(const struct field_ctx *ctx, const struct stat_sums *s, struct strbuf *out) \
{ \
	strbuf_add_u64(out, (expr), 0); \
} \
const struct field field_callchain_branch_##id = { .name = "callchain_branch_" #id, .title = head, \
	.kind = FIELD_STAT, .width = least, .right = true, .needs = NEEDS_HISTORY, .type = VIEW_NUMBER, \
	.stat = stat_##id, .format_stat = format_##id, .help = what };

HISTORY(abort, s->aborts, "Abort", 5, "aborted transactions in branch histories")
HISTORY(cycles, s->branches ? s->cycles / s->branches : 0, "Cycles", 6,
	"average cycles of branches in branch histories")

AVERAGE(weight1, 0, "Weight1", "average of the first weight")
AVERAGE(weight2, 1, "Weight2", "average of the second weight")
AVERAGE(weight3, 2, "Weight3", "average of the third weight")
