/*
 * Recorded counts: reading. Every size comes from a file, so nothing is allocated that its
 * length cannot justify.
 */
#include "../base/cpulist.h"
#include "../base/cursor.h"
#include "../data/cpu-map.h"
#include "../data/live.h"
#include "../data/pipe.h"
#include "stat-file.h"
#include "../event/record.h"

#include <errno.h>

#define SMALL_MATRIX 65536u	/* counters that any file may have */

enum { CONFIG_MODE, CONFIG_INTERVAL, CONFIG_SCALE, CONFIG_LEVEL };
#define LEVEL_LAST 5

/* facts from the records before the first round */
struct preamble {
	struct { VEC(s32); } tid;
	struct { VEC(const char *); } comm;
	struct cpu_map cpu;
	bool has_config, has_level, has_stat;
	u64 mode;
};

static void take_threads(struct stat_file *f, struct preamble *p, const struct rec_thread_map_view *v)
{
	for (u64 i = 0; i < v->threads.nr; i++) {
		const char *comm = (const char *)rec_row(&v->threads, i) + 8;

		vec_push(&p->tid, (s32)rec_row_u64(&v->threads, i, 0));
		vec_push(&p->comm, *comm ? arena_strndup(&f->arena, comm, strnlen(comm, 16)) : NULL);
	}
}

static void take_config(struct stat_file *f, struct preamble *p, const struct rec_stat_config_view *v)
{
	p->has_config = true;
	for (u64 i = 0; i < v->values.nr; i++) {
		u64 what = rec_row_u64(&v->values, i, 0), value = rec_row_u64(&v->values, i, 8);

		switch (what) {
		case CONFIG_MODE:
			p->mode = value;
			break;
		case CONFIG_INTERVAL:
			f->config.interval_ms = value;
			break;
		case CONFIG_SCALE:
			f->config.no_scale = !value;
			break;
		case CONFIG_LEVEL:
			p->has_level = true;
			f->config.cache_level = value < LEVEL_LAST ? value : 0;
			break;
		}
	}
}

/* its id is the position of the event */
static void take_cgroup(struct stat_file *f, const struct rec_event_update_view *v)
{
	const char *name = (const char *)v->value.p;
	u32 nr = f->set->ev.nr;

	if (v->what != ABI_UPDATE_CGROUP || v->id >= nr)
		return;
	if (!f->cgroup)
		f->cgroup = arena_zalloc(&f->arena, nr * sizeof(*f->cgroup));
	f->cgroup[v->id] = arena_strndup(&f->arena, name, strnlen(name, v->value.len));
}

/*
 * Upstream's files have the groups in the recorder's command line at most. They are counted on whole CPUs:
 * otherwise such a word belongs to the command.
 */
static bool asks_for_cgroups(const struct features *feat, const struct counts *c)
{
	static const char *const options[] = { "-G", "--cgroup", "--for-each-cgroup" };

	if (c->cpu[0] < 0)
		return false;
	for (u32 i = 0; i < feat->nr_cmdline && strcmp(feat->cmdline[i], "--"); i++)
		for (size_t k = 0; k < ARRAY_SIZE(options); k++)
			if (!strncmp(feat->cmdline[i], options[k], strlen(options[k])))
				return true;
	return false;
}

/* the next record; of a pipe that is still being written, waits for it */
static bool next_record(struct data *d, struct rec_walk *w, struct rec *rec)
{
	struct err err = ERR_INIT;

	while (rec_next(w, rec) <= 0) {
		if (!d->live || data_more(d, &err) < 0)
			return false;
		w->end = d->stream.v[0].end;
	}
	return true;
}

static void read_preamble(struct stat_file *f, struct preamble *p)
{
	struct rec_walk w = f->walk;
	struct record_view v;
	struct cursor c;
	struct rec rec;

	while (!p->has_stat && w.data && next_record(f->data, &w, &rec)) {
		if (record_decode(&rec, &v) < 0)
			continue;
		switch (rec.type) {
		case REC_THREAD_MAP:
			take_threads(f, p, &v.thread_map);
			break;
		case REC_CPU_MAP:
			c = cursor_of(v.cpu_map.map.p, v.cpu_map.map.len, v.swap);
			cpu_map_decode(&c, &p->cpu);
			break;
		case REC_STAT_CONFIG:
			take_config(f, p, &v.stat_config);
			break;
		case REC_EVENT_UPDATE:
			data_apply_update(f->data, &rec);
			take_cgroup(f, &v.event_update);
			break;
		case REC_STAT:
			p->has_stat = true;
			break;
		}
	}
	/* what is damaged is counted when it is read for good */
	f->diag = (struct diag){ 0 };
}

/*
 * The numbers of modes moved when caches, then clusters became modes of their own. Files that say a level
 * know caches; from 6.9 on they know clusters, too.
 */
static enum aggr_mode mode_of(const struct preamble *p, const char *version)
{
	static const u8 oldest[] = { AGGR_NONE, AGGR_GLOBAL, AGGR_SOCKET, AGGR_DIE, AGGR_CORE, AGGR_THREAD,
				     AGGR_GLOBAL, AGGR_NODE };
	static const u8 caches[] = { AGGR_NONE, AGGR_GLOBAL, AGGR_SOCKET, AGGR_DIE, AGGR_CACHE, AGGR_CORE,
				     AGGR_THREAD, AGGR_GLOBAL, AGGR_NODE };
	static const u8 newest[] = { AGGR_NONE, AGGR_GLOBAL, AGGR_SOCKET, AGGR_DIE, AGGR_CLUSTER, AGGR_CACHE,
				     AGGR_CORE, AGGR_THREAD, AGGR_GLOBAL, AGGR_NODE };
	bool no_clusters = version && (!strncmp(version, "6.5", 3) || !strncmp(version, "6.6", 3) ||
				       !strncmp(version, "6.7", 3) || !strncmp(version, "6.8", 3));

	if (!p->has_level)
		return p->mode < ARRAY_SIZE(oldest) ? oldest[p->mode] : AGGR_GLOBAL;
	if (no_clusters)
		return p->mode < ARRAY_SIZE(caches) ? caches[p->mode] : AGGR_GLOBAL;
	return p->mode < ARRAY_SIZE(newest) ? newest[p->mode] : AGGR_GLOBAL;
}

/* the shape of the counts. An event without ids could not be opened */
static int shape_counts(struct stat_file *f, struct preamble *p, struct err *err)
{
	u64 cells, room = 0;

	if (!p->tid.nr) {
		vec_push(&p->tid, -1);
		vec_push(&p->comm, NULL);
	}
	if (!p->cpu.nr)
		vec_push(&p->cpu, -1);
	vec_foreach(&f->data->stream, s)
		room += s->end - s->start;
	cells = (u64)f->set->ev.nr * p->cpu.nr;
	if (__builtin_mul_overflow(cells, (u64)p->tid.nr, &cells) || (cells > room && cells > SMALL_MATRIX))
		return err_set(err, -EINVAL, "%s: %zu events on %zu CPUs for %zu threads do not fit into a "
			       "file of its size: it is damaged", f->data->path, f->set->ev.nr, p->cpu.nr,
			       p->tid.nr);
	counts_init(&f->counts, f->set->ev.nr, p->cpu.v, p->cpu.nr, p->tid.v, p->tid.nr);
	for (u32 i = 0; i < f->set->ev.nr; i++)
		if (!evset_at(f->set, i)->nr_ids)
			memset(f->counts.state + counts_at(&f->counts, i, 0, 0), COUNT_UNSUPPORTED,
			       p->cpu.nr * p->tid.nr);
	f->comm = arena_memdup(&f->arena, p->comm.v, p->comm.nr * sizeof(*p->comm.v));
	return 0;
}

static char *title_of(const struct data *d)
{
	struct strbuf out = STRBUF_INIT;

	if (d->is_pipe || !d->feat.nr_cmdline)
		return xasprintf("'%s'", d->is_pipe ? "pipe" : d->path);
	strbuf_addch(&out, '\'');
	for (u32 i = 0; i < d->feat.nr_cmdline; i++) {
		strbuf_addstr(&out, i ? " " : "");
		strbuf_add_safe(&out, d->feat.cmdline[i]);
	}
	strbuf_addch(&out, '\'');
	return strbuf_detach(&out);
}

bool stat_file_is(struct data *d)
{
	struct diag diag = { 0 };
	struct rec_walk w;
	struct rec rec;

	if (feature_present(&d->feat, FEAT_STAT))
		return true;
	if (!d->is_pipe || !d->stream.nr)
		return false;
	/*
	 * pipes may lack the feature. Events that sample are none of perf stat's: then nothing is waited for
	 */
	vec_foreach(&d->evset->ev, ev)
		if ((*ev)->attr.sample_period)
			return false;
	w = rec_walk_of(d, &d->stream.v[0], d->stream.v[0].start, d->stream.v[0].end, &diag);
	while (next_record(d, &w, &rec) && rec.type >= REC_USER_START)
		if (rec.type == REC_STAT_CONFIG)
			return true;
	return false;
}

int stat_file_of(struct stat_file *f, struct data *data, struct err *err)
{
	struct preamble p = { 0 };
	int ret;

	*f = (struct stat_file){ .data = data, .set = data->evset };
	if (data->stream.nr)
		f->walk = rec_walk_of(data, &data->stream.v[0], data->stream.v[0].start,
				      data->stream.v[0].end, &f->diag);
	read_preamble(f, &p);
	/* one that the user counted is an event like all others */
	vec_foreach(&data->evset->ev, ev)
		(*ev)->dummy = false;
	if (!p.has_config && !p.has_stat) {
		ret = err_set(err, -EINVAL, "%s holds no counts: it was not written by 'perf stat record' "
			      "('perf report' shows samples)", data->path);
	} else {
		f->config.mode = mode_of(&p, data->feat.version);
		ret = shape_counts(f, &p, err);
	}
	if (!ret) {
		f->place = arena_alloc(&f->arena, f->counts.nr_cpus * sizeof(*f->place));
		stat_locations_of_features(f->place, &f->counts, &data->feat, f->config.cache_level);
		f->title = title_of(data);
		f->cgroups_unknown = !f->cgroup && asks_for_cgroups(&data->feat, &f->counts);
	} else {
		stat_file_close(f);
	}
	vec_release(&p.tid);
	vec_release(&p.comm);
	vec_release(&p.cpu);
	return ret;
}

int stat_file_open(struct stat_file *f, const struct data_opts *opts, struct err *err)
{
	struct data *data;
	int ret;

	*f = (struct stat_file){ 0 };
	ret = data_open(&data, opts, err);
	if (ret)
		return ret;
	ret = stat_file_of(f, data, err);
	if (ret)
		data_close(data);
	f->own_data = !ret;
	return ret;
}

/* the position of a CPU: usually its number, or one after "any" */
static u32 cpu_index(const struct counts *c, s32 cpu)
{
	if (cpu >= 0 && (u32)cpu < c->nr_cpus && c->cpu[cpu] == cpu)
		return cpu;
	for (u32 i = 0; i < c->nr_cpus; i++)
		if (c->cpu[i] == cpu)
			return i;
	return c->nr_cpus;
}

/* u64 id, u32 cpu, thread, u64 value, enabled, running */
static void take_stat(struct stat_file *f, const struct rec_stat_view *v, u64 off)
{
	u32 cpu = cpu_index(&f->counts, v->cpu);
	const struct event *ev = f->set->ev.nr == 1 ? evset_at(f->set, 0) : evset_by_id(f->set, v->id);
	size_t at;

	if (!ev || cpu >= f->counts.nr_cpus || v->thread >= f->counts.nr_threads) {
		diag_count(&f->diag, DIAG_BAD_COUNT, off);
		return;
	}
	at = counts_at(&f->counts, ev->idx, cpu, v->thread);
	f->counts.v[at] = (struct count){ .val = v->val, .ena = v->ena, .run = v->run };
	f->counts.state[at] = COUNT_READ;
}

int stat_file_next(struct stat_file *f, struct stat_round *ret)
{
	const struct rec_stat_round_view *round;
	struct record_view v;
	struct rec rec;

	while (f->walk.data && next_record(f->data, &f->walk, &rec)) {
		if (rec.type != REC_STAT && rec.type != REC_STAT_ROUND)
			continue;
		if (record_decode(&rec, &v) < 0) {
			diag_count_record(&f->diag, DIAG_TRUNCATED_RECORD, rec.off, record_name(rec.type));
			continue;
		}
		if (rec.type == REC_STAT) {
			take_stat(f, &v.stat, rec.off);
			continue;
		}
		round = &v.stat_round;
		*ret = (struct stat_round){ .last = round->round_type != 0, .time_ns = round->time,
					    .has_times = round->has_times, .user_ns = round->user_ns,
					    .sys_ns = round->sys_ns };
		return 1;
	}
	return 0;
}

void stat_file_close(struct stat_file *f)
{
	counts_release(&f->counts);
	free(f->title);
	arena_release(&f->arena);
	if (f->own_data)
		data_close(f->data);
	*f = (struct stat_file){ 0 };
}
