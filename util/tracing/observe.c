/* Observe: see observe.h. */
#include "observe.h"
#include "live.h"
#include "../base/units.h"
#include "../pmu/parse-events.h"

#include <errno.h>
#include <time.h>

struct run {
	struct tracing_observe *t;
	struct observer ob;
	struct tracing_live *live;
	bool begun;
	u64 refresh_ns;			/* when the next refresh is due */
};

/* ---- events ---- */

static int add_events(struct tracing_observe *t, struct err *err)
{
	struct evset *set = t->observe.set;
	int ret = 0;

	for (u32 i = 0; i < t->tracing->nr_rows && ret >= 0; i++) {
		const struct tracing_row *row = &t->tracing->row[i];

		if (!row->maybe || tracing_has_event(row->event))
			ret = parse_events(set, row->event, NULL, err);
	}
	for (u32 i = 0; i < set->ev.nr; i++) {
		evset_at(set, i)->attr.sample_period = 1;
		evset_at(set, i)->term_flags |= EVENT_TERM_PERIOD;
	}
	if (ret >= 0 && t->tracing->nr_rows && !set->ev.nr) {
		ret = err_set(err, -ENOENT, "the events are not there, or you may not read them");
		err_hint(err, "reading tracefs needs root");
	}
	/* it tells when the tasks have ended */
	if (ret >= 0 && !set->ev.nr)
		ret = parse_events(set, "dummy:u", NULL, err);
	return ret < 0 ? ret : 0;
}

/* ---- operations of the observer ---- */

static int configure(void *ctx, struct observer *ob, struct err *err)
{
	struct run *r = ctx;
	int ret = sample_attr_watch_cpus(ob->opts->set, &ob->target, err);

	return ret ? ret : sample_attr_config(ob->opts->set, &r->t->attr, &ob->target, &ob->notes, err);
}

static int start(void *ctx, struct observer *ob, struct err *err)
{
	struct run *r = ctx;
	struct tracing_observe *t = r->t;
	const struct tracing_live_opts o = { .set = t->observe.set, .target = &ob->target, .sym = t->sym,
					     .kernel = t->kernel, .maps = t->maps, .cgroups = t->cgroups };
	int ret;

	observer_log_notes(ob);
	ret = tracing_live_open(&r->live, &o, t->tracing, err);
	if (!ret && t->ops->ready)
		ret = t->ops->ready(t->ctx, tracing_live_session(r->live), err);
	return ret;
}

static int begin(void *ctx, struct observer *ob, struct err *err)
{
	struct run *r = ctx;

	if (!r->t->ops->begin || r->begun)
		return 0;
	r->begun = true;
	return r->t->ops->begin(r->t->ctx, &ob->target, err);
}

static int drain(void *ctx, struct observer *ob, struct err *err UNUSED)
{
	struct run *r = ctx;

	tracing_live_read(r->live, &ob->rings);
	if (r->t->tracing->stop && *r->t->tracing->stop)
		observer_stop(ob);
	return 0;
}

static int tick(void *ctx, struct observer *ob, struct err *err)
{
	struct run *r = ctx;
	u64 now = clock_ns(CLOCK_MONOTONIC), interval = (u64)r->t->refresh_ms * 1000000;
	int ret = drain(ctx, ob, err);

	if (ret || !r->t->ops->refresh)
		return ret;
	if (!r->refresh_ns)
		r->refresh_ns = now + interval;
	if (now < r->refresh_ns)
		return 0;
	/* one that was late does not make the next ones come at once */
	r->refresh_ns = MAX(r->refresh_ns + interval, now);
	return r->t->ops->refresh(r->t->ctx, tracing_live_session(r->live), err);
}

static int end(void *ctx, struct observer *ob, int failed, struct err *err)
{
	struct err disable_err = ERR_INIT;
	struct run *r = ctx;

	open_disable(&ob->fds, ob->opts->set, &disable_err);
	if (r->t->ops->stop)
		r->t->ops->stop(r->t->ctx);
	observer_end_command(ob);
	if (!r->live || failed)
		return 0;
	tracing_live_end(r->live, &ob->rings);
	return r->t->ops->end ? r->t->ops->end(r->t->ctx, tracing_live_session(r->live), err) : 0;
}

void tracing_observe_init(struct tracing_observe *t, struct tracing_opts *o)
{
	*t = (struct tracing_observe){
		.observe = { .set = evset_new(), .interval_ms = 100 }, .tracing = o,
		.attr = { .timestamp = true, .timestamp_given = true, .identifier = true,
			  .no_bpf_event = true, .sample[ABI_SAMPLE_NR_CPU] = true } };
}

int tracing_observe(struct tracing_observe *t, struct err *err)
{
	static const struct observer_ops ops = {
		.configure = configure, .start = start, .begin = begin, .drain = drain, .tick = tick,
		.end = end,
	};
	struct run r = { .t = t };
	int ret;

	t->observe.target.has_workload = t->observe.argv != NULL;
	ret = observer_resolve(&r.ob, &t->observe, err);
	if (!ret)
		ret = add_events(t, err);
	if (!ret && t->ops->before)
		ret = t->ops->before(t->ctx, &r.ob.target, err);
	if (!ret)
		ret = observer_run(&r.ob, &ops, &r, err);
	t->command = observer_result(&r.ob);
	observer_log_notes(&r.ob);
	tracing_live_close(r.live);
	observer_release(&r.ob);
	return ret;
}

void tracing_observe_release(struct tracing_observe *t)
{
	evset_free(t->observe.set);
	t->observe.set = NULL;
}
