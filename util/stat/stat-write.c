/* Recorded counts: writing. */
#include "../data/features-write.h"
#include "../event/record-put.h"
#include "../host/hostinfo.h"
#include "../record/record-info.h"
#include "../record/synthesize.h"
#include "stat-file.h"

#include <time.h>

#define WRITE_BYTES (1u << 20)	/* of one round, before they go out */

/* numbers of STAT_CONFIG and of its aggregation modes, as upstream's newest has them */
enum { CONFIG_MODE, CONFIG_INTERVAL, CONFIG_SCALE, CONFIG_LEVEL };
static const u8 mode_number[] = {
	[AGGR_NONE] = 0, [AGGR_GLOBAL] = 1, [AGGR_SOCKET] = 2, [AGGR_DIE] = 3, [AGGR_CLUSTER] = 4,
	[AGGR_CACHE] = 5, [AGGR_CORE] = 6, [AGGR_THREAD] = 7, [AGGR_NODE] = 9,
};
#define LEVEL_LAST 5	/* what stands for the last level of cache */

/* true where the event was refused wherever it was tried */
static bool is_unsupported(const struct counts *c, u32 event)
{
	bool refused = false;

	for (u32 cpu = 0; cpu < c->nr_cpus; cpu++)
		for (u32 t = 0; t < c->nr_threads; t++) {
			u8 state = c->state[counts_at(c, event, cpu, t)];

			if (state == COUNT_READ || state == COUNT_GONE)
				return false;
			refused |= state == COUNT_UNSUPPORTED;
		}
	return refused;
}

/* readers of all versions take the unit of clocks from the file */
static void set_unit(struct evset *set, struct event *ev, const struct event *from)
{
	bool clock = event_is_clock(ev) && from->scale == 1.0;

	ev->unit = clock ? "msec" : arena_strdup(&set->arena, from->unit ? from->unit : "");
	ev->scale = clock ? 1e-6 : from->scale;
}

/*
 * the records name an event by an id; one is enough for all its counters, since they name CPU
 * and thread as well
 */
static struct evset *file_events(const struct evset *set, const struct counts *c)
{
	struct evset *copy = evset_new();

	vec_foreach(&set->ev, it) {
		const struct event *from = *it;
		struct event *ev = evset_add(copy, from->name);
		u64 id = from->idx + 1;

		ev->attr = from->attr;
		ev->attr.sample_type = ABI_SAMPLE_IDENTIFIER;
		ev->attr.read_format = ABI_READ_TIME_ENABLED | ABI_READ_TIME_RUNNING;
		ev->leader = from->leader;
		ev->group_name = from->group_name ? arena_strdup(&copy->arena, from->group_name) : NULL;
		set_unit(copy, ev, from);
		if (from->cpus) {
			ev->cpus = arena_memdup(&copy->arena, from->cpus,
						from->nr_cpus * sizeof(*from->cpus));
			ev->nr_cpus = from->nr_cpus;
		} else if (from->pmu && !strcmp(from->pmu, "tool") && c->cpu[0] >= 0) {
			/* read once, not on each CPU */
			ev->cpus = arena_memdup(&copy->arena, c->cpu, sizeof(*c->cpu));
			ev->nr_cpus = 1;
		}
		if (!is_unsupported(c, from->idx))
			evset_set_ids(copy, ev, &id, 1);
	}
	return copy;
}

static void put_config(struct strbuf *out, const struct stat_file_config *c)
{
	const u64 rows[][2] = {
		{ CONFIG_MODE, mode_number[c->mode] }, { CONFIG_INTERVAL, c->interval_ms },
		{ CONFIG_SCALE, !c->no_scale },
		{ CONFIG_LEVEL, c->cache_level ? c->cache_level : LEVEL_LAST },
	};

	/*
	 * the level tells readers which numbers of modes are used. Numbers of older modes than clusters never
	 * changed, and old readers complain
	 */
	u64 nr = mode_number[c->mode] < mode_number[AGGR_CLUSTER] ? CONFIG_LEVEL : ARRAY_SIZE(rows);

	record_put(out, &(struct record_view){
		.type = REC_STAT_CONFIG,
		.stat_config = { .nr = nr, .values = { (const u8 *)rows, nr, sizeof(rows[0]) } } }, NULL, 0);
}

static void put_cgroups(struct strbuf *out, const char *const *cgroup, u32 nr)
{
	for (u32 i = 0; cgroup && i < nr; i++)
		if (cgroup[i])
			synth_update(out, ABI_UPDATE_CGROUP, i, cgroup[i], strlen(cgroup[i]) + 1);
}

static int flush(struct stat_writer *w, struct err *err)
{
	int ret = writer_write(&w->w, w->buf.buf, w->buf.len);

	strbuf_reset(&w->buf);
	return ret ? err_sys(err, -ret, "cannot write counts") : 0;
}

int stat_writer_open(struct stat_writer *w, const char *path, const struct evset *set, const struct counts *c,
		     const struct stat_file_config *config, const struct stat_writer_origin *origin,
		     struct err *err)
{
	int ret;

	*w = (struct stat_writer){ .w.fd = -1, .set = file_events(set, c) };
	hostinfo_gather(&w->f, origin->version);
	hostinfo_cmdline(&w->f, origin->argc, origin->argv);
	record_info_groups(&w->f, w->set);
	feature_set(&w->f, FEAT_EVENT_DESC);
	feature_set(&w->f, FEAT_STAT);
	ret = writer_open(&w->w, path, w->set, &w->f, err);
	if (ret)
		return ret;
	synth_event_updates(&w->buf, w->set);
	put_cgroups(&w->buf, config->cgroup, w->set->ev.nr);
	synth_thread_map(&w->buf, c->tid, c->nr_threads);
	synth_cpu_map(&w->buf, c->cpu, c->nr_cpus);
	put_config(&w->buf, config);
	return flush(w, err);
}

static int put_counter(struct stat_writer *w, const struct counts *c, const struct event *ev, u32 cpu,
		       u32 thread, struct err *err)
{
	size_t at = counts_at(c, ev->idx, cpu, thread);
	const struct count *v = &c->v[at];

	if (!ev->nr_ids || (c->state[at] != COUNT_READ && c->state[at] != COUNT_GONE))
		return 0;
	record_put(&w->buf, &(struct record_view){
		.type = REC_STAT, .stat = { .id = ev->ids[0], .cpu = c->cpu[cpu], .thread = thread,
					    .val = v->val, .ena = v->ena, .run = v->run } }, NULL, 0);
	return w->buf.len < WRITE_BYTES ? 0 : flush(w, err);
}

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

int stat_writer_round(struct stat_writer *w, const struct counts *c, const struct stat_round *round,
		      struct err *err)
{
	int ret = 0;

	for (u32 cpu = 0; cpu < c->nr_cpus; cpu++)
		vec_foreach(&w->set->ev, ev)
			for (u32 t = 0; t < c->nr_threads && !ret; t++)
				ret = put_counter(w, c, *ev, cpu, t, err);
	record_put(&w->buf, &(struct record_view){
		.type = REC_STAT_ROUND, .stat_round = { .round_type = round->last, .time = round->time_ns,
			.has_times = round->has_times, .user_ns = round->user_ns, .sys_ns = round->sys_ns } },
		NULL, 0);
	if (!round->last && writer_commit_due(&w->w, now_ns())) {
		/*
		 * a bare header, which a commit needs: so a recorder that is killed leaves what it
		 * has counted so far
		 */
		synth_marker(&w->buf, REC_FINISHED_ROUND);
		ret = ret ? ret : flush(w, err);
		return ret ? ret : writer_commit(&w->w);
	}
	return ret ? ret : flush(w, err);
}

int stat_writer_finish(struct stat_writer *w, struct err *err)
{
	return writer_finish(&w->w, w->set, &w->f, err);
}

void stat_writer_release(struct stat_writer *w)
{
	if (!w->set)
		return;
	writer_close(&w->w);
	evset_free(w->set);
	arena_release(&w->f.arena);
	strbuf_release(&w->buf);
	*w = (struct stat_writer){ 0 };
}
