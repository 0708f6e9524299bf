/*
 * Fuzz: the handlers of perf sched and all that listens to them, and readings of /proc/schedstat. Besides
 * doing no harm, the times of each thread must add up, and none may be longer than the recording.
 */
#include "kernel-list.h"
#include "../../util/sched/latency.h"
#include "../../util/sched/map.h"
#include "../../util/sched/replay.h"
#include "../../util/sched/schedstat.h"
#include "../../util/sched/timehist.h"
#include "../../util/sched/timeline.h"
#include "../../util/sched/waits.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
/* the library of the sanitizer looks for it */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);

/* of a damaged format the library forgets parts that it has read */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent";
}

static const struct sample_filter all = { 0 };
static int ignore_text(void *ctx UNUSED, const char *text UNUSED, size_t len UNUSED)
{
	return 0;
}

struct sums {
	struct sched sched;
	struct { VEC(u64); } time;	/* by task */
};

static void add_up(void *ctx, struct sched *s, const struct sched_interval *i)
{
	struct sums *x = ctx;

	while (x->time.nr <= i->task->id)
		vec_push(&x->time, 0);
	if (i->begin > i->end || i->end > s->now || i->begin < s->first)
		abort();
	if (i->state != SCHED_DEAD)
		x->time.v[i->task->id] += i->end - i->begin;
}

static void check_sums(struct session *s)
{
	static const struct sched_ops ops = { .interval = add_up };
	struct sums x = { 0 };
	struct err err = ERR_INIT;

	if (!sched_run(&x.sched, s, &ops, &x, &all, &err))
		vec_foreach(&x.sched.task, t) {
			u64 sum = (*t)->id < x.time.nr ? x.time.v[(*t)->id] : 0;

			if (sum != ((*t)->died == SCHED_NEVER ? x.sched.now : (*t)->died) - (*t)->born)
				abort();
		}
	vec_release(&x.time);
	sched_release(&x.sched);
}

static void run_latency(struct session *s)
{
	const struct sched_latency_opts o = { .hist = SCHED_HIST_LINEAR };
	struct sched_latency l = { .keep_delays = true };
	struct err err = ERR_INIT;

	if (!sched_run(&l.sched, s, &sched_latency_ops, &l, &all, &err))
		view_free(sched_latency_view(&l, &o, VIEW_FORM_TEXT));
	sched_latency_release(&l);
	sched_release(&l.sched);
}

static void run_timehist(struct session *s, bool idle, char separator)
{
	const struct sched_timehist_opts o = {
		.state = true, .prio = true, .pre_migrations = true, .visual = true, .next = true,
		.wakeups = true, .migrations = true, .idle = idle, .summary = true, .chains = true,
		.max_stack = 5,
		.separator = separator, .write = ignore_text,
	};
	struct sched_timehist t = { 0 };
	struct err err = ERR_INIT;

	sched_timehist_init(&t, s, &o);
	if (!sched_run(&t.sched, s, &sched_timehist_ops, &t, &all, &err)) {
		sched_timehist_end(&t);
		view_free(sched_timehist_view(&t, VIEW_FORM_TEXT));
	}
	sched_timehist_release(&t);
	sched_release(&t.sched);
}

static void run_map(struct session *s, char separator)
{
	const struct sched_map_opts o = { .compact = true, .cpu_color = "", .pid_color = "", .no_color = "",
					  .separator = separator, .write = ignore_text };
	struct sched_map m = { .o = &o };
	struct err err = ERR_INIT;

	if (!sched_run(&m.sched, s, &sched_map_ops, &m, &all, &err))
		sched_map_end(&m);
	sched_map_release(&m);
	sched_release(&m.sched);
}

static void run_waits(struct session *s)
{
	const struct sched_waits_opts o = { .max_stack = 8 };
	struct sched_waits w = { 0 };
	struct err err = ERR_INIT;

	sched_waits_init(&w, s, &o);
	if (!sched_run(&w.sched, s, &sched_waits_ops, &w, &all, &err))
		view_free(sched_waits_view(&w, VIEW_FORM_VALUES));
	sched_waits_release(&w);
	sched_release(&w.sched);
}

static void run_timeline(struct session *s)
{
	struct sched_timeline t = { 0 };
	struct err err = ERR_INIT;

	sched_timeline_init(&t, s, 5);
	if (!sched_run(&t.sched, s, &sched_timeline_ops, &t, &all, &err) && !sched_timeline_finish(&t, &err))
		vec_foreach(&t.picture.span, span)
			if (span->from > span->to || span->to > t.picture.to)
				abort();
	sched_timeline_release(&t);
	sched_release(&t.sched);
}

static void run_replay(struct session *s)
{
	struct sched_replay r = { 0 };
	struct err err = ERR_INIT;

	if (!sched_run(&r.sched, s, &sched_replay_ops, &r, &all, &err) && !sched_replay_check(&r, &err))
		view_free(sched_replay_view(&r, VIEW_FORM_TEXT));
	sched_replay_release(&r);
	sched_release(&r.sched);
}

static void run_schedstat(struct session *s)
{
	struct schedstat_span span = { 0 };
	struct id_filter cpus = { 0 };
	struct strbuf records = STRBUF_INIT;
	struct err err = ERR_INIT;

	if (!schedstat_load(&span.first, &span.last, s, &err)) {
		schedstat_put(&span.first, &cpus, &records);
		view_free(schedstat_view(&span, 1, &cpus, true, VIEW_FORM_TEXT));
	}
	strbuf_release(&records);
	schedstat_release(&span.first);
	schedstat_release(&span.last);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct session_opts o = { .sym = SYM_OPTS_INIT, .jobs = 1, .scan_late = true };
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct err err = ERR_INIT;
	struct session *s;
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	o.data.path = path;
	o.sym.kallsyms = fuzz_kernel_list();
	if (!session_open(&s, &o, &err)) {
		check_sums(s);
		run_latency(s);
		run_timehist(s, false, 0);
		run_timehist(s, true, ',');
		run_map(s, 0);
		run_map(s, ',');
		run_waits(s);
		run_timeline(s);
		run_replay(s);
		run_schedstat(s);
		session_close(s);
	} else if (strstr(err.msg, "--kallsyms")) {
		abort();	/* nothing would be tested */
	}
	close(fd);
	return 0;
}
