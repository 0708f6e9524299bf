/* perf top --wall: slices of the threads' elapsed time are counted instead of samples. */
#include "builtin-top.h"
#include "util/base/fs.h"
#include "util/base/list-word.h"
#include "util/base/units.h"
#include "util/cli/parse-options.h"
#include "util/fields/trace-keys.h"
#include "util/inject/wall-feed.h"
#include "util/pmu/parse-events.h"
#include "util/record/bpf-event.h"
#include "util/record/wall-marks.h"
#include "util/record/wall-switches.h"
#include "util/session/feed.h"
#include "util/wall/wall-event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <time.h>

/* ---- the option ---- */

static int bad_word(const struct option *opt, const char *word)
{
	return opt_error(opt, "takes on, run, blocked, idle, unknown, all, bpf, tracepoints or switches, "
			 "not '%s'", word);
}

int opt_top_wall(const struct option *opt, const char *arg, bool unset)
{
	struct top_wall *w = opt->value;
	char word[16];
	size_t len;
	u32 states;

	w->on = !unset;
	w->states = 0;
	w->source.by = WALL_BY_ANY;
	for (const char *p = arg; p; p = p[len] ? p + len + 1 : NULL) {
		len = list_word_len(p);
		snprintf(word, sizeof(word), "%.*s", (int)len, p);
		if (wall_source_parse(word, &w->source.by))
			continue;
		if (wall_states_parse(word, &states))
			return bad_word(opt, word);
		w->states |= states;
	}
	return 0;
}

/* ---- the event of slices: opened as a dummy, so that it has an id and its place in the set ---- */

static void be_dummy(struct event *ev)
{
	ev->attr.type = PERF_TYPE_SOFTWARE;
	ev->attr.config = PERF_COUNT_SW_DUMMY;
}

static void add_slices(struct top_wall *w, struct evset *set)
{
	w->out = bpf_event_add(set, WALL_EVENT_NAME);
	w->out->dummy = true;
	w->out->attr.flags = ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV | ATTR_EXCLUDE_GUEST;
	be_dummy(w->out);
}

int top_wall_settle(struct top *t, struct err *err)
{
	struct top_wall *w = &t->wall;
	struct evset *set = t->observe.set;
	int ret;

	if (!set->ev.nr)
		parse_default_event(set);
	if (!w->states)
		w->states = WALL_DEFAULT_STATES;
	/* the places where threads wait are those of stacks, whether they are shown or not */
	if (t->attr.callgraph.mode == CALLGRAPH_NONE)
		t->attr.callgraph.mode = CALLGRAPH_FP;
	t->attr.identifier = true;
	t->attr.use_clockid = true;
	t->attr.clockid = CLOCK_MONOTONIC;
	add_slices(w, set);
	ret = wall_source_add(&w->source, &t->observe, &t->attr, err);
	t->sort.has |= NEEDS_STATES;
	t->sort.wall_states = w->states;
	t->view.hide_empty = true;
	return ret;
}

void top_wall_begin_keys(struct top_wall *w, struct features *feat)
{
	struct strbuf formats = STRBUF_INIT;

	w->formats = feat->tracing_data;
	wall_event_formats(&formats);
	feat->tracing_data.data = arena_memdup(&feat->arena, formats.buf, formats.len);
	feat->tracing_data.size = formats.len;
	strbuf_release(&formats);
	w->out->attr.type = PERF_TYPE_TRACEPOINT;
	w->out->attr.config = WALL_EVENT_ID;
	w->out->tp_system = "wall";
	w->out->tp_name = "slice";
}

/* fields of slices are keys where formats of tracepoints can be read */
void top_wall_default_keys(struct top *t)
{
	const struct field *found[TRACE_KEYS_MAX];
	bool has_fields = t->sort.trace && trace_keys_find(t->sort.trace, "wait", found);

	t->sort.default_sort = t->hist_opts.chains ? "symbol" : has_fields ? "comm,wait" : "comm";
}

void top_wall_end_keys(struct top_wall *w)
{
	be_dummy(w->out);
	w->out->tp_system = w->out->tp_name = NULL;
}

void top_wall_configure(struct top_wall *w, struct evset *set)
{
	bpf_event_configure(w->out, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			    PERF_SAMPLE_CPU);
	if (w->source.event)
		wall_switches_configure(w->source.event);
	wall_marks_configure(set);
}

/* ---- while it runs ---- */

void top_wall_open(struct top *t)
{
	struct top_wall *w = &t->wall;

	wall_event_set(w->out, &evset_at(t->observe.set, 0)->attr);
	w->out->dummy = false;
	w->out->tp_system = "wall";
	w->out->tp_name = "slice";
}

static int start_programs(struct top_wall *w, struct observer *ob, struct err *err)
{
	int ret = wall_switches_watch(w->source.switches, &ob->target, ob->work.pid, err);

	if (ret)
		return ret;
	wall_switches_at_samples(w->source.switches, ob->opts->set, &ob->fds);
	return wall_switches_start(w->source.switches, &ob->loop, TOP_WALL_RINGS, err);
}

static void feed_records(struct top_wall *w, const struct strbuf *records)
{
	const struct rec_header *h;

	for (size_t off = 0; off < records->len; off += h->size) {
		h = (const void *)(records->buf + off);
		wall_feed_record(w->feed, h);
	}
}

/* processes that run already may sleep all the time */
static void feed_sleepers(struct top *t)
{
	struct strbuf records = STRBUF_INIT;
	struct wall_marks m = { 0 };

	wall_marks_put(&m, t->observe.set, &t->ob.fds, &t->ob.target, !t->attr.no_inherit, &records);
	feed_records(&t->wall, &records);
	wall_marks_release(&m);
	strbuf_release(&records);
}

int top_wall_start(struct top *t, const struct strbuf *state, struct err *err)
{
	struct top_wall *w = &t->wall;
	int ret;

	session_feed_apply(t->session, 0);	/* names of the kernel's functions are asked for now */
	w->feed = wall_feed_new(&(struct wall_feed_opts){ .session = t->session, .out = w->out,
		.id = bpf_event_id(w->out, &t->ob.fds), .formats = &w->formats, .states = w->states }, err);
	if (!w->feed)
		return err->code;
	wall_feed_state(w->feed, state);
	ret = w->source.switches ? start_programs(w, &t->ob, err) : 0;
	if (!ret && t->ob.target.kind == TARGET_TASKS)
		feed_sleepers(t);
	return ret;
}

void top_wall_read(struct top *t, bool all)
{
	struct top_wall *w = &t->wall;
	struct strbuf records = STRBUF_INIT;

	w->passed = w->passing;
	w->passing = clock_ns(CLOCK_MONOTONIC);
	if (!w->source.switches)
		return;
	if (all)
		wall_switches_stop(w->source.switches);
	wall_switches_take(w->source.switches, w->source.event, &t->ob.fds, &records);
	feed_records(w, &records);
	strbuf_release(&records);
}

void top_wall_take(struct top *t, bool all)
{
	struct top_wall *w = &t->wall;
	struct wall_totals now = wall_feed_take(w->feed, all ? clock_ns(CLOCK_MONOTONIC) : w->passed, all);

	w->nr_lost = now.nr_lost;
	for (u32 s = 0; s < WALL_NR_STATES; s++)
		w->ns[s] += now.ns[s];
}

/* ---- the line above the table ---- */

static double share(u64 part, u64 whole)
{
	return whole ? 100.0 * part / whole : 0.0;
}

void top_wall_line(const struct top *t, struct strbuf *out)
{
	const struct top_wall *w = &t->wall;
	u64 busy = w->ns[WALL_ON] + w->ns[WALL_RUNNABLE] + w->ns[WALL_BLOCKED] + w->ns[WALL_UNKNOWN];

	strbuf_addf(out, "   PerfTop: %.3f s of threads: on a CPU %.1f %%, runnable %.1f %%, blocked %.1f %%",
		    busy / 1e9, share(w->ns[WALL_ON], busy), share(w->ns[WALL_RUNNABLE], busy),
		    share(w->ns[WALL_BLOCKED], busy));
	if (w->ns[WALL_UNKNOWN])
		strbuf_addf(out, ", unknown %.1f %%", share(w->ns[WALL_UNKNOWN], busy));
	strbuf_addf(out, "; %.3f s idle", w->ns[WALL_IDLE] / 1e9);
	if (w->nr_lost)
		strbuf_addf(out, "; records lost %lu times", w->nr_lost);
	strbuf_addf(out, "  [%s],  ", wall_source_text(w->source.by));
	summary_target(&t->ob, out);
	strbuf_addch(out, '\n');
}

void top_wall_facts(const struct top_wall *w, struct view_facts *f)
{
	view_fact_text(f, "wall-source", wall_source_text(w->source.by));
	view_fact_number(f, "wall-on-ns", w->ns[WALL_ON]);
	view_fact_number(f, "wall-run-ns", w->ns[WALL_RUNNABLE]);
	view_fact_number(f, "wall-blocked-ns", w->ns[WALL_BLOCKED]);
	view_fact_number(f, "wall-idle-ns", w->ns[WALL_IDLE]);
	view_fact_number(f, "wall-unknown-ns", w->ns[WALL_UNKNOWN]);
	view_fact_number(f, "wall-nr-lost", w->nr_lost);
}

void top_wall_shown(struct top_wall *w)
{
	memset(w->ns, 0, sizeof(w->ns));
}

void top_wall_release(struct top_wall *w)
{
	wall_feed_free(w->feed);
	wall_source_release(&w->source);
}
