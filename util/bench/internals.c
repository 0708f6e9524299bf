/*
 * internals: how long parts of perf itself take on this system: reading the kernel's symbols and PMUs, the
 * records about existing tasks, opening and closing events. The first run is not counted: it fills caches.
 */
#include "bench.h"
#include "../base/alloc.h"
#include "../base/strbuf.h"
#include "../base/units.h"
#include "../event/abi.h"
#include "../kernel/open.h"
#include "../obj/kallsyms.h"
#include "../pmu/parse-events.h"
#include "../pmu/pmu.h"
#include "../record/synthesize.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RUNS 100u

/* what is measured: does it once; *ret_nr: how many records, files or the like there were */
typedef int (*internal_fn)(void *ctx, u64 *ret_nr, struct err *err);

struct internal_times {
	struct bench_mean us, nr;
};

static int measure(internal_fn run, void *ctx, u64 runs, struct internal_times *t, struct err *err)
{
	int ret = 0;

	*t = (struct internal_times){ 0 };
	for (u64 i = 0; !ret && i <= runs; i++) {
		u64 nr = 0, begin = clock_ns(CLOCK_MONOTONIC);

		ret = run(ctx, &nr, err);
		if (!i)
			continue;
		bench_mean_add(&t->us, (clock_ns(CLOCK_MONOTONIC) - begin) / 1e3);
		bench_mean_add(&t->nr, nr);
	}
	return ret;
}

static void put_usecs(const struct bench_sink *sink, const struct internal_times *t, const char *indent,
		      const char *key, const char *what)
{
	bench_put(sink, key, bench_mean(&t->us), "us", 3, "%sAverage %s took: %.3f usec (+- %.3f usec)",
		  indent, what, bench_mean(&t->us), bench_mean_error(&t->us));
}

/* --- kallsyms-parse, pmu-scan */

static int read_kallsyms(void *ctx UNUSED, u64 *ret_nr, struct err *err)
{
	struct kallsyms *k = NULL;
	int ret = kallsyms_read_live(&k, err);

	if (!ret)
		*ret_nr = k->nr;
	kallsyms_free(k);
	return ret;
}

int bench_internals_kallsyms(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	struct internal_times t;
	int ret = measure(read_kallsyms, NULL, o->iterations ? o->iterations : 10, &t, err);

	if (!ret)
		bench_put(sink, "time", bench_mean(&t.us) / 1e3, "ms", 3,
			  "  Average kallsyms__parse took: %.3f ms (+- %.3f ms)", bench_mean(&t.us) / 1e3,
			  bench_mean_error(&t.us) / 1e3);
	return ret;
}

/* all PMUs, or only those of CPUs, with their formats and events */
static int scan_pmus(void *ctx, u64 *ret_nr, struct err *err UNUSED)
{
	const bool *only_core = ctx;
	struct pmus ps = { 0 };

	pmus_scan(&ps);
	vec_foreach(&ps.pmu, p) {
		if (*only_core && !(*p)->is_core)
			continue;
		pmu_load(&ps, *p);
		++*ret_nr;
	}
	pmus_release(&ps);
	return 0;
}

int bench_internals_pmus(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	u64 runs = o->iterations ? o->iterations : RUNS;
	struct internal_times t;
	bool only_core = true;
	int ret = measure(scan_pmus, &only_core, runs, &t, err);

	bench_say(sink, "Computing performance of sysfs PMU event scan for %" PRIu64 " times", runs);
	put_usecs(sink, &t, "  ", "core_pmus", "core PMU scanning");
	only_core = false;
	if (!ret)
		ret = measure(scan_pmus, &only_core, runs, &t, err);
	put_usecs(sink, &t, "  ", "all_pmus", "PMU scanning");
	return ret;
}

/* --- synthesize */

static u64 count_records(const struct strbuf *records)
{
	struct perf_event_header h;
	u64 nr = 0;

	for (size_t at = 0; at + sizeof(h) <= records->len; at += h.size, nr++) {
		memcpy(&h, records->buf + at, sizeof(h));
		if (h.size < sizeof(h))
			break;
	}
	return nr;
}

static int synthesize_self(void *ctx, u64 *ret_nr, struct err *err UNUSED)
{
	struct synth_notes notes = { 0 };
	struct strbuf out = STRBUF_INIT;

	synth_process(&out, getpid(), -1, ctx, &notes);
	*ret_nr = count_records(&out);
	strbuf_release(&out);
	return 0;
}

static int synthesize_all(void *ctx, u64 *ret_nr, struct err *err UNUSED)
{
	struct synth_notes notes = { 0 };
	struct strbuf out = STRBUF_INIT;

	synth_all_tasks(&out, ctx, &notes);
	*ret_nr = count_records(&out);
	strbuf_release(&out);
	return 0;
}

static void put_records(const struct bench_sink *sink, const struct internal_times *t, const char *indent,
			const char *key)
{
	double nr = bench_mean(&t->nr);

	bench_say(sink, "%sAverage num. events: %.3f (+- %.3f)", indent, nr, bench_mean_error(&t->nr));
	bench_put(sink, key, nr > 0 ? bench_mean(&t->us) / nr : 0, "us", -1,
		  "%sAverage time per event %.3f usec", indent, nr > 0 ? bench_mean(&t->us) / nr : 0);
}

static int synthesize_one(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	struct synth_opts opts = { .build_ids = true };
	struct internal_times t;
	u64 runs = o->iterations ? o->iterations : RUNS;
	int ret = measure(synthesize_self, &opts, runs, &t, err);

	bench_say(sink, "Computing performance of single threaded perf event synthesis by");
	bench_say(sink, "synthesizing events on the perf process itself:");
	put_usecs(sink, &t, "  ", "time", "synthesis");
	put_records(sink, &t, "  ", "time_per_record");
	opts.data_maps = true;
	if (!ret)
		ret = measure(synthesize_self, &opts, runs, &t, err);
	put_usecs(sink, &t, "  ", "time_data", "data synthesis");
	put_records(sink, &t, "  ", "time_data_per_record");
	return ret;
}

static int synthesize_many(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	struct synth_opts opts = { .build_ids = true };
	u32 min = MAX(o->min_threads, 1), max = MAX(o->max_threads ? o->max_threads : 8, min);
	struct internal_times t;
	int ret = 0;

	bench_say(sink, "Computing performance of multi threaded perf event synthesis by");
	bench_say(sink, "synthesizing events on all processes:");
	for (opts.jobs = min; !ret && opts.jobs <= max; opts.jobs++) {
		ret = measure(synthesize_all, &opts, o->multi_iterations ? o->multi_iterations : 10, &t, err);
		bench_say(sink, "  Number of synthesis threads: %u", opts.jobs);
		put_usecs(sink, &t, "    ", "time_threads", "synthesis");
		put_records(sink, &t, "    ", "time_threads_per_record");
	}
	return ret;
}

int bench_internals_synthesize(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	bool one = o->single || !o->use_threads;
	int ret = one ? synthesize_one(o, sink, err) : 0;

	return !ret && o->use_threads ? synthesize_many(o, sink, err) : ret;
}

/* --- evlist-open-close */

struct to_open {
	const char *events;
	u32 copies;
	struct target target;
};

static int open_and_close(void *ctx, u64 *ret_nr, struct err *err)
{
	const struct to_open *w = ctx;
	const struct open_opts opts = { .target = &w->target };
	struct evset *set = evset_new();
	struct parse_events_opts parse = { .option = "-e" };
	struct open_fds fds;
	int ret = 0;

	for (u32 i = 0; !ret && i < w->copies; i++)
		ret = parse_events(set, w->events, &parse, err);
	if (!ret)
		ret = open_events(&fds, set, &opts, err);
	if (!ret) {
		*ret_nr = (u64)fds.nr_events * fds.nr_cpus * fds.nr_threads;
		ret = open_enable(&fds, set, err);
		open_disable(&fds, set, NULL);
		open_release(&fds);
	}
	evset_free(set);
	return ret;
}

int bench_internals_open(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	char own[32];
	struct target_opts target = o->target;
	struct to_open w = { .events = o->events ? o->events : "dummy", .copies = MAX(o->nr_events, 1) };
	u64 runs = o->iterations ? o->iterations : RUNS;
	struct internal_times t;
	int ret;

	snprintf(own, sizeof(own), "%d", getpid());
	if (!target.all_cpus && !target.cpus && !target.pids && !target.tids && !target.user)
		target.pids = own;
	ret = target_resolve(&w.target, &target, NULL, err);
	if (!ret)
		ret = measure(open_and_close, &w, runs, &t, err);
	if (!ret) {
		bench_say(sink, "  Number of cpus:\t%zu", w.target.cpus.nr);
		bench_say(sink, "  Number of threads:\t%zu", w.target.tids.nr);
		bench_say(sink, "  Number of events:\t%u (%.0f fds)", w.copies, bench_mean(&t.nr));
		bench_say(sink, "  Number of iterations:\t%" PRIu64, runs);
		put_usecs(sink, &t, "  ", "time", "open-close");
	}
	target_release(&w.target);
	return ret;
}
