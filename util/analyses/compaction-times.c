/* compaction-times: how long tasks wait for the kernel to compact memory, and what it moves. */
#include "analysis.h"
#include "tally.h"

enum { EACH };
static const char *const words[] = { "each", NULL };

/* what a compaction did, or those of a task, or all */
struct compaction {
	u64 nr, begin, time;
	u64 moved, failed;			/* pages: migrated, and not migrated */
	u64 free_scanned, free_isolated;	/* free pages, to which others are moved */
	u64 scanned, isolated;			/* pages to be moved */
	u32 comm;
	s32 tid;
	bool running;
	const char *comm_text;
};

struct compaction_times {
	struct analysis_run run;
	struct tally_table now, task;		/* by tid; by tid and comm; n[0]: index of a compaction */
	struct { VEC(struct compaction); } running, done, by_task;
	struct compaction total;
};

enum { SCANNED, TAKEN };
static const struct tracing_field isolate_fields[] = {
	{ .name = "nr_scanned" }, { .name = "nr_taken" }, { .name = NULL }
};
enum { MIGRATED, FAILED };
static const struct tracing_field migrate_fields[] = {
	{ .name = "nr_migrated" }, { .name = "nr_failed" }, { .name = NULL }
};
static const struct tracing_field no_fields[] = { { .name = NULL } };

/* the compaction of the sample's task; one that does not run has no numbers yet */
static struct compaction *now(struct compaction_times *t, const struct tracing_sample *ts)
{
	struct tally_row *row = tally_at(&t->now, ts->sample->tid, 0, 0, 0);

	if (!row->n[0]) {
		vec_add(&t->running);
		row->n[0] = t->running.nr;
	}
	return &t->running.v[row->n[0] - 1];
}

static void handle_begin(void *ctx, const struct tracing_sample *ts)
{
	*now(ctx, ts) = (struct compaction){ .nr = 1, .begin = ts->when.time, .tid = ts->sample->tid,
					     .comm = analysis_comm(ts), .running = true };
}

static void handle_migrate(void *ctx, const struct tracing_sample *ts)
{
	struct compaction *c = now(ctx, ts);

	c->moved += ts->value[MIGRATED];
	c->failed += ts->value[FAILED];
}

static void handle_isolate(void *ctx, const struct tracing_sample *ts)
{
	struct compaction *c = now(ctx, ts);

	c->scanned += ts->value[SCANNED];
	c->isolated += ts->value[TAKEN];
}

static void handle_isolate_free(void *ctx, const struct tracing_sample *ts)
{
	struct compaction *c = now(ctx, ts);

	c->free_scanned += ts->value[SCANNED];
	c->free_isolated += ts->value[TAKEN];
}

static void add(struct compaction *sum, const struct compaction *c)
{
	sum->nr += c->nr;
	sum->time += c->time;
	sum->moved += c->moved;
	sum->failed += c->failed;
	sum->free_scanned += c->free_scanned;
	sum->free_isolated += c->free_isolated;
	sum->scanned += c->scanned;
	sum->isolated += c->isolated;
}

/* pages that are moved for another reason, or before the recording, belong to no compaction */
static void handle_end(void *ctx, const struct tracing_sample *ts)
{
	struct compaction_times *t = ctx;
	struct compaction *c = now(t, ts);
	struct tally_row *task;

	if (!c->running || ts->when.time < c->begin)
		return;
	c->running = false;
	c->time = ts->when.time - c->begin;
	add(&t->total, c);
	if (t->run.args->word[EACH]) {
		vec_push(&t->done, *c);
		return;
	}
	task = tally_at(&t->task, (u32)c->tid, c->comm, 0, 0);
	if (!task->n[0]) {
		vec_push(&t->by_task, ((struct compaction){ .tid = c->tid, .comm = c->comm,
							  .begin = c->begin }));
		task->n[0] = t->by_task.nr;
	}
	add(&t->by_task.v[task->n[0] - 1], c);
}

#define GET(type, name, value) \
	static type get_##name(const void *row) { const struct compaction *c = row; return value; }
GET(const char *, comm, c->comm_text)
GET(u64, tid, (u32)c->tid)
GET(u64, nr, c->nr)
GET(u64, begin, c->begin)
GET(u64, time, c->time)
GET(u64, moved, c->moved)
GET(u64, failed, c->failed)
GET(u64, free_scanned, c->free_scanned)
GET(u64, free_isolated, c->free_isolated)
GET(u64, scanned, c->scanned)
GET(u64, isolated, c->isolated)

static void add_seconds(u64 ns, struct strbuf *out)
{
	strbuf_addf(out, "%lu.%06lu", ns / 1000000000, ns / 1000 % 1000000);
}

static void add_ns(u64 ns, struct strbuf *out)
{
	strbuf_addf(out, "%luns", ns);
}

#define OF_TASK	(1u << 0)
#define OF_EACH	(1u << 1)
static const struct view_field columns[] = {
	{ VIEW_NAME("comm", "comm", VIEW_TEXT, 16), .text = get_comm },
	{ VIEW_COUNT("tid", "pid", VIEW_NUMBER, 8), .number = get_tid },
	{ VIEW_COUNT("begin", "begin", VIEW_TIME, 16), .tables = OF_EACH, .number = get_begin,
	  .format = add_seconds },
	{ VIEW_COUNT("compactions", "# compactions", VIEW_NUMBER, 13), .tables = OF_TASK, .number = get_nr },
	{ VIEW_COUNT("time", "time", VIEW_TIME, 14), .number = get_time, .format = add_ns },
	{ VIEW_COUNT("moved", "moved", VIEW_NUMBER, 9), .number = get_moved },
	{ VIEW_COUNT("failed", "failed", VIEW_NUMBER, 9), .number = get_failed },
	{ VIEW_COUNT("free-scanned", "free scanned", VIEW_NUMBER, 12), .number = get_free_scanned },
	{ VIEW_COUNT("free-isolated", "free isolated", VIEW_NUMBER, 13), .number = get_free_isolated },
	{ VIEW_COUNT("scanned", "scanned", VIEW_NUMBER, 9), .number = get_scanned },
	{ VIEW_COUNT("isolated", "isolated", VIEW_NUMBER, 9), .number = get_isolated },
};

static void view_total(const struct compaction *c, struct view *v)
{
	struct view_summary *b = view_add_summary(v, "total", NULL);

	view_add_number(b, "time-ns", "total: ", c->time)->after = "ns ";
	view_add_number(b, "moved", "migration: moved=", c->moved)->after = " ";
	view_add_number(b, "failed", "failed=", c->failed)->after = " ";
	view_add_number(b, "free-scanned", "free_scanner: scanned=", c->free_scanned)->after = " ";
	view_add_number(b, "free-isolated", "isolated=", c->free_isolated)->after = " ";
	view_add_number(b, "scanned", "migration_scanner: scanned=", c->scanned)->after = " ";
	view_add_number(b, "isolated", "isolated=", c->isolated);
}

static void view(void *ctx, struct view *v)
{
	static const struct view_sort by_time = {
		.key = { &columns[4] }, .nr = 1, .tie = get_begin,
	};
	struct compaction_times *t = ctx;
	bool each = t->run.args->word[EACH];
	struct compaction *row = each ? t->done.v : t->by_task.v;
	size_t nr = each ? t->done.nr : t->by_task.nr;

	for (size_t i = 0; i < nr; i++)
		row[i].comm_text = analysis_comm_name(&t->run, row[i].comm, row[i].tid);
	if (!each && nr)
		view_sort_rows(&by_time, row, nr, sizeof(*row));
	t->run.table = each ? OF_EACH : OF_TASK;
	analysis_add_table(&t->run, v, each ? "compactions" : "tasks", NULL, columns, ARRAY_SIZE(columns),
			   row, nr, sizeof(*row));
	view_total(&t->total, v);
}

static void release(void *ctx)
{
	struct compaction_times *t = ctx;

	tally_release(&t->now);
	tally_release(&t->task);
	vec_release(&t->running);
	vec_release(&t->done);
	vec_release(&t->by_task);
}

static const struct tracing_row rows[] = {
	{ "compaction:mm_compaction_begin", no_fields, handle_begin, false },
	{ "compaction:mm_compaction_end", no_fields, handle_end, false },
	{ "compaction:mm_compaction_isolate_freepages", isolate_fields, handle_isolate_free, false },
	{ "compaction:mm_compaction_isolate_migratepages", isolate_fields, handle_isolate, false },
	{ "compaction:mm_compaction_migratepages", migrate_fields, handle_migrate, false },
};
const struct analysis_ops analysis_compaction_times = {
	.size = sizeof(struct compaction_times), .takes = ANALYSIS_TAKES_COMM | ANALYSIS_TAKES_TID,
	.word = words, .row = rows, .nr_rows = ARRAY_SIZE(rows), .view = view, .release = release,
};
