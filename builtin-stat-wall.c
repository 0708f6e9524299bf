/* perf stat --wall: where the elapsed time of commands or threads went, by state; no counters. */
#include "builtin-stat.h"
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/base/units.h"
#include "util/cli/terminal.h"
#include "util/record/wall-live.h"
#include "util/record/wall-marks.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RINGS = OBSERVE_OWN };

struct stat_wall {
	const struct stat_args *a;
	struct observer ob;
	struct wall_live live;
	struct counting_result *res;
	u64 shown;		/* when the last table was shown, since the start */
};

/* rows of a name, or of a thread, added up */
struct wall_line {
	const struct wall_live_row *row;
	u64 ns[WALL_NR_STATES], sum;
	u32 nr_threads;
};

/* ---- tables ---- */

static bool same_line(const struct stat_wall *w, const struct wall_live_row *a, const struct wall_live_row *b)
{
	return !strncmp(a->name, b->name, sizeof(a->name)) &&
	       (w->a->o.show.mode != AGGR_THREAD || a->tid == b->tid);
}

static struct wall_line *line_of(const struct stat_wall *w, struct wall_line *line, size_t *nr,
				 const struct wall_live_row *row)
{
	for (size_t i = 0; i < *nr; i++)
		if (same_line(w, line[i].row, row))
			return &line[i];
	line[*nr] = (struct wall_line){ .row = row };
	return &line[(*nr)++];
}

static u64 busy(const struct wall_line *l)
{
	return l->ns[WALL_ON] + l->ns[WALL_RUNNABLE];
}

/* what wants a CPU most first, then what took most of the time, then in the order of tids */
static int compare_lines(const void *a, const void *b)
{
	const struct wall_line *x = a, *y = b;

	if (busy(x) != busy(y))
		return busy(x) < busy(y) ? 1 : -1;
	if (x->sum != y->sum)
		return x->sum < y->sum ? 1 : -1;
	return x->row->tid < y->row->tid ? -1 : x->row->tid > y->row->tid;
}

static void put_line(const struct stat_wall *w, const struct wall_line *l, struct strbuf *out)
{
	static const enum wall_state state[] = { WALL_ON, WALL_RUNNABLE, WALL_BLOCKED, WALL_UNKNOWN };
	struct strbuf name = STRBUF_INIT;

	strbuf_add_safe(&name, l->row->name);
	if (w->a->o.show.mode == AGGR_THREAD)
		strbuf_addf(&name, "-%d", l->row->tid);
	strbuf_addf(out, "  %-22s %8u %10.3f s", strbuf_str(&name), l->nr_threads, l->sum / 1e9);
	for (size_t i = 0; i < ARRAY_SIZE(state); i++)
		strbuf_addf(out, " %8.2f %%", l->sum ? 100.0 * l->ns[state[i]] / l->sum : 0);
	strbuf_addch(out, '\n');
	strbuf_release(&name);
}

static void put_table(struct stat_wall *w, size_t max, struct strbuf *out)
{
	struct wall_line *line = xcalloc(w->live.row.nr + 1, sizeof(*line));
	size_t nr = 0;

	vec_foreach(&w->live.row, row) {
		struct wall_line *l = line_of(w, line, &nr, row);

		l->nr_threads++;
		for (u32 s = 0; s < WALL_NR_STATES; s++) {
			l->ns[s] += row->ns[s];
			l->sum += row->ns[s];
		}
	}
	qsort(line, nr, sizeof(*line), compare_lines);
	strbuf_addf(out, "  %-22s %8s %12s %10s %10s %10s %10s\n", "command", "threads", "elapsed", "on CPU",
		    "runnable", "blocked", "unknown");
	for (size_t i = 0; i < nr && i < max; i++)
		put_line(w, &line[i], out);
	free(line);
}

static int write_out(const struct stat_wall *w, struct strbuf *out, struct err *err)
{
	int ret = fd_write_all(w->a->fd, out->buf, out->len);

	strbuf_release(out);
	return ret < 0 ? err_sys(err, -ret, "the table cannot be written") : 0;
}

/* of a table on the terminal */
static size_t screen_lines(const struct stat_wall *w)
{
	const unsigned int others = 3;	/* time, titles, and the line of the cursor */
	unsigned int rows, columns;

	if (!w->a->look.clear || !terminal_size(w->a->fd, &rows, &columns))
		return SIZE_MAX;
	return rows > others ? rows - others : 1;
}

static u64 since_start(const struct stat_wall *w)
{
	return clock_ns(CLOCK_MONOTONIC) - w->ob.start_ns;
}

/* ---- operations of the observer ---- */

static int start(void *ctx, struct observer *ob, struct err *err)
{
	struct stat_wall *w = ctx;
	int ret = wall_switches_watch(w->live.switches, &ob->target, ob->work.pid, err);

	return ret ? ret : wall_switches_start(w->live.switches, &ob->loop, RINGS, err);
}

static void take_sleeper(void *ctx, s32 pid, s32 tid, char letter UNUSED)
{
	wall_live_asleep(ctx, pid, tid);
}

static int begin(void *ctx, struct observer *ob, struct err *err UNUSED)
{
	struct stat_wall *w = ctx;

	wall_live_begin(&w->live, ob->start_ns, ob->target.kind == TARGET_WORKLOAD ? ob->work.pid : 0);
	if (ob->target.kind == TARGET_TASKS)
		wall_marks_each(&ob->target, !w->a->o.counting.no_inherit, take_sleeper, &w->live);
	return 0;
}

static int event(void *ctx, struct observer *ob UNUSED, const struct loop_event *e,
		 struct err *err UNUSED)
{
	struct stat_wall *w = ctx;

	if (e->kind == LOOP_FD && e->id == RINGS)
		wall_live_take(&w->live, false);
	return 0;
}

static int tick(void *ctx, struct observer *ob UNUSED, struct err *err)
{
	struct stat_wall *w = ctx;
	struct strbuf out = STRBUF_INIT;

	wall_live_take(&w->live, false);
	if (w->a->look.clear)
		strbuf_addstr(&out, "\033[H\033[2J");
	strbuf_addf(&out, "# %.6f s\n", since_start(w) / 1e9);
	put_table(w, screen_lines(w), &out);
	wall_live_clear(&w->live);
	return write_out(w, &out, err);
}

static void put_end(struct stat_wall *w, struct strbuf *out)
{
	if (!w->a->o.counting.observe.interval_ms)
		strbuf_addstr(out, "\n Elapsed time by state:\n\n");
	else
		strbuf_addf(out, "# %.6f s, the end\n", w->res->elapsed_ns / 1e9);
	put_table(w, screen_lines(w), out);
	if (!w->a->o.counting.observe.interval_ms)
		strbuf_addf(out, "\n %17.9f seconds time elapsed\n\n", w->res->elapsed_ns / 1e9);
	if (w->live.lost)
		strbuf_addf(out, " %lu switches were lost: the time around them is unknown\n\n",
			    w->live.lost);
}

static int end(void *ctx, struct observer *ob, int failed, struct err *err)
{
	struct stat_wall *w = ctx;
	struct strbuf out = STRBUF_INIT;

	wall_switches_stop(w->live.switches);
	if (failed)
		return 0;
	w->res->elapsed_ns = (ob->target.kind == TARGET_WORKLOAD && ob->end_ns ? ob->end_ns :
			      clock_ns(CLOCK_MONOTONIC)) - ob->start_ns;
	wall_live_take(&w->live, true);
	observer_end_command(ob);
	w->res->exit_status = ob->command_over ? workload_exit_status(&ob->work) : 0;
	put_end(w, &out);
	return write_out(w, &out, err);
}

int stat_wall_run(const struct stat_args *a, struct counting_result *res, struct err *err)
{
	static const struct observer_ops ops = {
		.start = start, .begin = begin, .event = event, .tick = tick, .end = end,
	};
	const struct target_opts *t = &a->o.counting.observe.target;
	struct stat_wall w = { .a = a, .res = res };
	int ret = wall_live_open(&w.live, &(struct wall_switches_opts){ .all = t->all_cpus, .names = true,
		.inherit = !a->o.counting.no_inherit && !t->tids }, err);

	if (ret)
		err_prefix(err, "--wall: ");
	if (!ret)
		ret = observer_resolve(&w.ob, &a->o.counting.observe, err);
	if (!ret) {
		ret = observer_run(&w.ob, &ops, &w, err);
		observer_log_notes(&w.ob);
		res->signal = w.ob.signal;
		res->exec_failed = w.ob.exec_failed;
		observer_release(&w.ob);
	}
	wall_live_release(&w.live);
	return ret;
}
