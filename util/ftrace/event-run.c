/* Event run: operations of the observer. */
#include "event-run.h"

#include <errno.h>
#include <string.h>
#include "../observe/sample-attr.h"
#include "../pmu/parse-events.h"
#include "../tracing/live.h"

#define NR_EVENTS 2u

struct event_run {
	struct ftrace_event_run *r;
	struct ftrace_gaps gaps;
	struct sample_attr_opts attr;
	struct tracing_row row[NR_EVENTS];
	struct tracing_opts tracing;
	struct tracing_live *live;
	char name[NR_EVENTS][256];
};

static void on_first(void *ctx, const struct tracing_sample *ts)
{
	struct event_run *run = ctx;

	ftrace_gaps_begin(&run->gaps, ts->sample->tid, ts->sample->cpu, ts->sample->time);
}

static void on_second(void *ctx, const struct tracing_sample *ts)
{
	struct event_run *run = ctx;

	ftrace_gaps_end(&run->gaps, ts->sample->tid, ts->sample->cpu, ts->sample->time);
}

/* "A,B": two tracepoints; each becomes a row and an event */
static int add_events(struct event_run *run, struct err *err)
{
	static const struct tracing_field no_fields[] = { { NULL } };
	const char *names = run->r->names, *comma = strchr(names, ',');
	size_t first = comma ? (size_t)(comma - names) : 0, second = comma ? strlen(comma + 1) : 0;
	int ret = 0;

	if (!first || !second || strchr(comma + 1, ',') || first >= sizeof(run->name[0]) ||
	    second >= sizeof(run->name[0])) {
		err_set(err, -EINVAL, "'%s' is not a pair of events", names);
		err_hint(err, "such as: -e sched:sched_wakeup,sched:sched_switch");
		return -EINVAL;
	}
	memcpy(run->name[0], names, first);
	memcpy(run->name[1], comma + 1, second);
	if (!strcmp(run->name[0], run->name[1]))
		return err_set(err, -EINVAL, "-e needs two different events, not '%s' twice", run->name[0]);
	for (u32 i = 0; i < NR_EVENTS && ret >= 0; i++) {
		struct evset *set = run->r->observe->set;
		u32 nr = set->ev.nr;

		run->row[i] = (struct tracing_row){ .event = run->name[i], .field = no_fields,
						    .handle = i ? on_second : on_first };
		ret = parse_events(set, run->name[i], NULL, err);
		if (ret >= 0 &&
		    (set->ev.nr != nr + 1 || evset_at(set, nr)->attr.type != PERF_TYPE_TRACEPOINT))
			ret = err_set(err, -EINVAL, "'%s' is not one tracepoint, as -e needs it",
				      run->name[i]);
	}
	return MIN(ret, 0);
}

static int configure(void *ctx, struct observer *o, struct err *err)
{
	struct event_run *run = ctx;
	struct evset *set = run->r->observe->set;
	int ret = sample_attr_watch_cpus(set, &o->target, err);

	run->attr.delayed = observe_delayed(run->r->observe);
	return ret ? ret : sample_attr_config(set, &run->attr, &o->target, &o->notes, err);
}

static int start(void *ctx, struct observer *o, struct err *err)
{
	struct event_run *run = ctx;
	const struct tracing_live_opts lo = { .set = run->r->observe->set, .target = &o->target,
					      .sym = SYM_OPTS_INIT };

	observer_log_notes(o);
	return tracing_live_open(&run->live, &lo, &run->tracing, err);
}

static int drain(void *ctx, struct observer *o, struct err *err UNUSED)
{
	struct event_run *run = ctx;

	tracing_live_read(run->live, &o->rings);
	return 0;
}

static int end(void *ctx, struct observer *o, int failed UNUSED, struct err *err UNUSED)
{
	struct event_run *run = ctx;
	struct err disable = ERR_INIT;

	observer_end_command(o);
	open_disable(&o->fds, run->r->observe->set, &disable);
	tracing_live_end(run->live, &o->rings);
	run->r->nr_lost = tracing_live_counts(run->live)->lost;
	return 0;
}

int ftrace_event_run(struct ftrace_event_run *r, struct err *err)
{
	static const struct observer_ops ops = {
		.configure = configure, .start = start, .drain = drain, .tick = drain, .end = end,
	};
	struct event_run run = {
		.r = r, .gaps.histogram = r->histogram,
		.attr = { .timestamp = true, .timestamp_given = true, .identifier = true, .count = 1,
			  .no_bpf_event = true, .sample[ABI_SAMPLE_NR_CPU] = true },
	};
	struct observer o;
	int ret;

	run.tracing = (struct tracing_opts){ .row = run.row, .nr_rows = NR_EVENTS, .ctx = &run,
					     .record = "perf record" };
	ret = observer_resolve(&o, r->observe, err);
	if (!ret)
		ret = add_events(&run, err);
	if (!ret)
		ret = observer_run(&o, &ops, &run, err);
	r->command = observer_result(&o);
	tracing_live_close(run.live);
	ftrace_gaps_release(&run.gaps);
	observer_release(&o);
	return ret;
}
