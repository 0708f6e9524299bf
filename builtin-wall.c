/* Wall: see builtin-wall.h. */
#include "builtin-wall.h"
#include "util/base/log.h"
#include "util/base/option-words.h"
#include "util/base/strbuf.h"
#include "util/cli/parse-options.h"
#include "util/data/spool.h"
#include "util/record/wall-events.h"
#include "util/session/time-filter.h"
#include "util/wall/wall-event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int opt_wall(const struct option *opt, const char *arg, bool unset)
{
	struct wall_opts *o = opt->value;

	o->off = unset;
	o->given = !unset;
	o->states = 0;
	if (arg && wall_states_parse(arg, &o->states))
		return opt_error(opt, "takes on, run, blocked, idle, unknown or all, not '%s'", arg);
	return 0;
}

int opt_wall_path(const struct option *opt, const char *arg, bool unset)
{
	struct wall_opts *o = opt->value;

	o->path = !unset;
	o->path_time = unset ? NULL : arg;
	return 0;
}

u32 wall_states(const struct wall_opts *o)
{
	return o->states ? o->states : o->path || o->lanes ? (1u << WALL_NR_STATES) - 1 : WALL_DEFAULT_STATES;
}

/*
 * Marks come from the last one to the first. A page has room for this number: short ones become a part of the
 * one before them in time
 */
#define MAX_MARKS 20000u

static void shrink_marks(struct view_marks *m, u64 least)
{
	size_t nr = 0;

	vec_foreach(m, k) {
		struct view_mark *last = nr ? &m->v[nr - 1] : NULL;

		if (last && last->from == k->to && (k->to - k->from < least || last->tid == k->tid))
			last->from = k->from;
		else
			m->v[nr++] = *k;
	}
	m->nr = nr;
}

static void finish_marks(struct view_marks *m)
{
	for (u64 least = 1; m->nr > MAX_MARKS && least < UINT64_MAX / 2; least *= 2)
		shrink_marks(m, least);
	for (size_t i = 0; i < m->nr / 2; i++) {
		struct view_mark first = m->v[i];

		m->v[i] = m->v[m->nr - 1 - i];
		m->v[m->nr - 1 - i] = first;
	}
}

bool wall_keys_timeless(const char *list)
{
	static const char *const words[] = {
		"comm", "cpu", "dso", "overhead", "overhead_children", "parent", "period", "pid", "sample",
		"speed", "srcfile", "srcline", "state", "sym", "symbol", "tgid", "tid", "wait", "wait_target",
		"waker", "wall_blocked", "wall_idle", "wall_on", "wall_run", "wall_saves",
	};

	return words_all_of(list, words, ARRAY_SIZE(words));
}

/* a recording of the scheduler, by whatever program: what else could a picture over time show? */
static bool has_only_switches(const struct evset *set)
{
	bool has_switch = false;

	for (u32 i = 0; i < set->ev.nr; i++) {
		const struct event *ev = evset_at(set, i);

		if (ev->dummy)
			continue;
		if (!ev->tp_system || strcmp(ev->tp_system, "sched") ||
		    !(ev->attr.flags & ATTR_SAMPLE_ID_ALL) ||
		    ~ev->attr.sample_type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW))
			return false;
		has_switch |= !strcmp(ev->tp_name, "sched_switch");
	}
	return has_switch;
}

/* it was asked for, or perf record --wall wrote the file, or a page would show nothing else */
static bool wall_wanted(const struct wall_opts *o, const struct session *s)
{
	if (o->off || wall_event_in(s->data->evset))
		return false;
	return o->given || o->path || o->wakers || o->span || wall_recorded(s->data->evset) ||
	       (o->lanes && has_only_switches(s->data->evset));
}

/* "10%..20%" and "1.5..2" to the words of --time; of several parts, from the first to the last */
static int parse_path_time(const char *text, const struct session *s, struct inject_opts *ret,
			   struct err *err)
{
	const char *dots = strstr(text, "..");
	struct time_filter f = { 0 };
	struct strbuf spec = STRBUF_INIT;
	bool percent = strchr(text, '%');
	int code;

	strbuf_add(&spec, text, dots ? (size_t)(dots - text) : strlen(text));
	if (percent && !spec.len)
		strbuf_addstr(&spec, "0%");
	if (dots)
		strbuf_addf(&spec, "%s%s", percent ? "-" : ",", percent && !dots[2] ? "100%" : dots + 2);
	code = time_filter_parse(&f, strbuf_str(&spec), s->first_time, s->last_time, err);
	if (code)
		err_prefix(err, "--critical-path: ");
	if (!code && f.ranges.nr) {
		ret->wall_from = f.ranges.v[0].from;
		ret->wall_to = f.ranges.v[f.ranges.nr - 1].to;
	}
	strbuf_release(&spec);
	time_filter_release(&f);
	return code;
}

static double seconds(u64 ns)
{
	return ns / 1e9;
}

static int write_slices(struct wall_opts *o, const struct session *s, const char *path, struct err *err)
{
	struct inject_opts io = { .output = path, .wall_summary = &o->summary, .wall_path = o->path,
				  .wall_wakers = o->wakers, .wall_sums = o->sums, .wall_span = o->span,
				  .wall_lanes = o->lanes,
				  .wall_spans = &o->spans, .wall = wall_states(o) };
	int ret = o->path_time && o->span ?
		err_set(err, -EINVAL, "--critical-path=%s and --span exclude each other", o->path_time) :
		o->path_time ? parse_path_time(o->path_time, s, &io, err) : 0;

	if (!ret)
		ret = inject_run(s, &io, err);
	if (!ret && o->path_time && !o->summary.nr_slices && o->summary.totals.nr_threads)
		ret = err_set(err, -ERANGE, "--critical-path=%s: the recording is from %.6f to %.6f s",
			      o->path_time, seconds(o->summary.totals.first),
			      seconds(o->summary.totals.last));
	return ret;
}

/* replaces the session by one of slices. 0, or a negative errno with err: *s is as before */
static int wall_convert(struct wall_opts *o, struct session **s, const struct session_opts *so,
			struct err *err)
{
	struct session_opts copy = *so;
	struct session *slices;
	struct spool spool;
	char path[32];
	int ret = spool_open(&spool, err), fd = ret ? ret : spool_finish(&spool, err);

	if (fd < 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ret = write_slices(o, *s, path, err);
	copy.data.path = path;
	copy.convert = NULL;
	copy.data.live = false;
	if (!ret)
		ret = session_open(&slices, &copy, err);
	close(fd);
	if (ret)
		return ret;
	finish_marks(&o->summary.path);
	/* messages name the file of the user */
	free(slices->data->path);
	slices->data->path = xstrdup((*s)->data->path);
	slices->data->mtime = (*s)->data->mtime;
	slices->nr_samples = o->summary.nr_slices;
	if (o->states && !o->span && !o->path)
		slices->why_empty = "has no time in the states of --wall (all: the time in any state)";
	if (!o->summary.totals.nr_threads)
		log_warn("no thread ran or was woken while it was recorded. What threads wait for that sleep "
			 "all the time is recorded with perf record --wall -p PID");
	if (o->summary.nr_dropped)
		log_warn("%lu slices are left out: their call chains are too long, so probably damaged",
			 o->summary.nr_dropped);
	/* the time of a slice is its beginning: the last one may be long */
	if (o->summary.totals.first < o->summary.totals.last) {
		slices->first_time = o->summary.totals.first;
		slices->last_time = o->summary.totals.last;
	}
	session_close(*s);
	*s = slices;
	return 0;
}

int wall_convert_session(struct session **s, const struct session_opts *so, void *ctx, struct err *err)
{
	struct wall_opts *o = ctx;

	return wall_wanted(o, *s) ? wall_convert(o, s, so, err) : 0;
}

int wall_session_open(struct session **ret, const struct session_opts *so, struct wall_opts *o, bool may,
		      struct err *err)
{
	int code = session_open(ret, so, err);

	if (code || !may || !wall_wanted(o, *ret))
		return code;
	code = wall_convert(o, ret, so, err);
	if (code)
		session_close(*ret);
	return code;
}

static void add_line(struct view *v, struct strbuf *sb, bool is_note)
{
	const char *line = arena_strdup(&v->arena, strbuf_str(sb));

	if (is_note)
		vec_push(&v->note, line);
	if (*line)
		vec_push(&v->brief, line);
	vec_push(&v->head, line);
	strbuf_reset(sb);
}

static double share(u64 part, u64 whole)
{
	return whole ? 100.0 * part / whole : 0.0;
}

/* idle threads would make every share small: their time is told apart */
static void add_shares(const struct wall_totals *t, struct view *v, struct strbuf *sb)
{
	u64 busy = t->ns[WALL_ON] + t->ns[WALL_RUNNABLE] + t->ns[WALL_BLOCKED] + t->ns[WALL_UNKNOWN];

	strbuf_addf(sb, "Their time: %.3f s, of it on a CPU %.1f %%, waiting for a CPU %.1f %%, "
		    "blocked %.1f %%",
		    seconds(busy), share(t->ns[WALL_ON], busy), share(t->ns[WALL_RUNNABLE], busy),
		    share(t->ns[WALL_BLOCKED], busy));
	if (t->ns[WALL_UNKNOWN])
		strbuf_addf(sb, ", unknown %.1f %%", share(t->ns[WALL_UNKNOWN], busy));
	strbuf_addf(sb, "; beside it %.3f s idle", seconds(t->ns[WALL_IDLE]));
	if (t->ns[WALL_IDLE])
		strbuf_addf(sb, " (%.1f %% of all)", share(t->ns[WALL_IDLE], busy + t->ns[WALL_IDLE]));
	add_line(v, sb, false);
}

static void add_missing(const struct wall_opts *o, struct view *v, struct strbuf *sb)
{
	const struct wall_summary *s = &o->summary;
	const struct wall_totals *t = &s->totals;
	size_t first = v->note.nr;

	if (!s->has_switches)
		strbuf_addstr(sb, "Without tracepoints: a wait has the last stack that was sampled before "
			      "it, no reason and no waker, and includes waiting for a CPU after it");
	else if (!s->has_arrivals)
		strbuf_addstr(sb, "Switches of some tasks are recorded, but not when these get a CPU again: "
			      "their waits are unknown (record with -a, or --wall)");
	else if (!s->has_wakeups)
		strbuf_addstr(sb, "Wake-ups are not recorded (sched:sched_waking): waits include waiting for "
			      "a CPU after them");
	else if (t->nr_without_wakeup * 20 > t->nr_waits)
		strbuf_addf(sb, "The wake-ups of %lu of %lu waits are missing: these include waiting for a "
			    "CPU after them", t->nr_without_wakeup, t->nr_waits);
	if (sb->len)
		add_line(v, sb, true);
	if (s->has_sums)
		strbuf_addstr(sb, "Waits are sums by slots of time (record --wall=slots): their times are "
			      "right to a slot");
	if (sb->len)
		add_line(v, sb, true);
	if (s->has_switches && !s->has_chains)
		strbuf_addstr(sb, "Switches have no call chains (record -g): where threads waited, and for "
			      "what, is not known");
	if (sb->len)
		add_line(v, sb, true);
	if (o->wakers && !s->has_waker_stacks)
		strbuf_addstr(sb, "Stacks of wakers are not recorded: waits have only their own "
			      "(record --wall --wakers)");
	if (sb->len)
		add_line(v, sb, true);
	if (!s->has_samples)
		strbuf_addstr(sb, "Without samples of a clock or cycles: CPU time is where threads left "
			      "their CPU afterwards");
	if (sb->len)
		add_line(v, sb, true);
	if (s->nr_cpus)
		strbuf_addf(sb, "Switches of %u of %u CPUs are recorded: threads seem to wait while they "
			    "run on the others", s->nr_cpus, s->nr_cpus_of_machine);
	if (sb->len)
		add_line(v, sb, true);
	if (s->nr_unmapped)
		strbuf_addf(sb, "For which file %lu page fault%s waited is not recorded (record --wall "
			    "--data-mmap)", s->nr_unmapped, s->nr_unmapped == 1 ? "" : "s");
	if (sb->len)
		add_line(v, sb, true);
	if (s->totals.nr_lost)
		strbuf_addf(sb, "Records were lost at %lu places: the time around them is unknown",
			    s->totals.nr_lost);
	if (sb->len)
		add_line(v, sb, true);
	for (size_t i = first; i < v->note.nr; i++)
		strbuf_addf(sb, "%s%s.", i > first ? " " : "", v->note.v[i]);
	if (sb->len)
		view_fact_text(&v->fact, "wall-missing", arena_strdup(&v->arena, strbuf_str(sb)));
	strbuf_reset(sb);
}

static void add_facts(const struct wall_totals *t, u64 elapsed, struct view *v)
{
	view_fact_number(&v->fact, "wall-elapsed-ns", elapsed);
	view_fact_number(&v->fact, "wall-threads", t->nr_threads);
	view_fact_number(&v->fact, "wall-on-ns", t->ns[WALL_ON]);
	view_fact_number(&v->fact, "wall-run-ns", t->ns[WALL_RUNNABLE]);
	view_fact_number(&v->fact, "wall-blocked-ns", t->ns[WALL_BLOCKED]);
	view_fact_number(&v->fact, "wall-idle-ns", t->ns[WALL_IDLE]);
	view_fact_number(&v->fact, "wall-unknown-ns", t->ns[WALL_UNKNOWN]);
}

/* by the texts of the key `state` */
static const struct view_tint tints[] = {
	{ "on", "on a CPU", 125, 50 }, { "run", "waits for a CPU", 48, 85 }, { "blocked", "blocked", 4, 70 },
	{ "idle", "idle", 215, 35 }, { "unknown", "unknown", 0, 0 },
};

/* pages leave idle time out at first, unless somebody asked for it */
static const struct view_tints *tints_of(const struct wall_opts *o, struct view *v)
{
	struct view_tints *t = ARENA_NEW(&v->arena, struct view_tints);
	struct view_tint *row = arena_memdup(&v->arena, tints, sizeof(tints));

	row[WALL_IDLE].aside = !o->states;
	*t = (struct view_tints){ "state", row, ARRAY_SIZE(tints) };
	return t;
}

void wall_opts_release(struct wall_opts *o)
{
	wall_spans_release(&o->spans);
	vec_release(&o->summary.path);
}

void wall_describe(const struct wall_opts *o, struct view *v)
{
	const struct wall_totals *t = &o->summary.totals;
	u64 elapsed = t->last > t->first ? t->last - t->first : 0;
	struct strbuf sb = STRBUF_INIT;

	strbuf_addf(&sb, "Elapsed: %.3f s, %lu thread%s, %.2f CPUs used on average", seconds(elapsed),
		    t->nr_threads, t->nr_threads == 1 ? "" : "s",
		    elapsed ? (double)t->ns[WALL_ON] / elapsed : 0);
	add_line(v, &sb, false);
	add_shares(t, v, &sb);
	if (o->span)
		wall_describe_span(o, v);
	if (o->path && o->span) {
		strbuf_addf(&sb, "The table is of the critical path of the slowest call");
		add_line(v, &sb, false);
	} else if (o->path) {
		strbuf_addf(&sb, "The table is of the critical path%s%s: what decided how long it took, "
			    "from the end back through wakers", o->path_time ? " of " : "",
			    o->path_time ? o->path_time : "");
		add_line(v, &sb, false);
	}
	add_missing(o, v, &sb);
	vec_foreach(&v->table, t)
		(*t)->tints = tints_of(o, v);
	strbuf_addstr(&sb, "");
	add_line(v, &sb, false);
	add_facts(t, elapsed, v);
	strbuf_release(&sb);
}
