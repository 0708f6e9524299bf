/* Recorder: writes rings to an output. */
#include "recorder.h"
#include "buildid-table.h"
#include "kcore.h"
#include "vdso-id.h"
#include "wall-events.h"
#include "../data/features-write.h"
#include "../data/keep-old.h"
#include "../base/alloc.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/units.h"
#include "../event/record-type.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* PERF_FORMAT_LOST, which headers before 6.0 lack */
#define FORMAT_LOST (1u << 4)

/* offset of the time in a SAMPLE, if it is the same for all events */
static u32 sample_time_off(const struct evset *set)
{
	u32 off = 0;

	vec_foreach(&set->ev, it) {
		u64 t = (*it)->attr.sample_type;
		u64 before = t & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID);
		u32 here = 8 * __builtin_popcountll(before);

		if (!(t & PERF_SAMPLE_TIME) || !here || (off && off != here))
			return 0;
		off = here;
	}
	return off;
}

/* side-band flags may be set in any event */
static bool any_flag(const struct evset *set, u64 flag)
{
	vec_foreach(&set->ev, ev)
		if ((*ev)->attr.flags & flag)
			return true;
	return false;
}

static bool any_kernel(const struct evset *set)
{
	vec_foreach(&set->ev, ev)
		if (!((*ev)->attr.flags & ATTR_EXCLUDE_KERNEL) || (*ev)->tp_system)
			return true;
	return false;
}

/* several outputs need the state of all tasks; what changes it is in the rings, which each pass empties */
static bool remembers_tasks(const struct record_opts *o, const struct observer *ob)
{
	return (o->switch_mode != SWITCH_NONE || o->switch_events) && !target_has_tasks(&ob->target) &&
	       !o->no_task_synth && !o->attr.namespaces && !o->threads && !o->flush_bytes && !o->rewrite;
}

/*
 * outputs that are converted at once only need the tasks that were sampled. Samples of tracepoints, traces
 * and switches can be about others, too
 */
static bool needs_sampled_tasks(const struct recorder *r)
{
	const struct record_opts *o = r->o;

	vec_foreach(&r->ob->opts->set->ev, ev)
		if ((*ev)->tp_system || (*ev)->trace || (*ev)->attr.type == PERF_TYPE_TRACEPOINT)
			return false;
	return o->finished && r->plan.time_off && !o->wall && !o->off_cpu && !o->tail_synthesize &&
	       !o->comp_level && !o->attr.switch_events && !wall_recorded(r->ob->opts->set);
}

static void read_process(void *ctx, s32 pid, struct strbuf *out)
{
	struct recorder *r = ctx;

	synth_process(out, pid, -1, &r->synth, &r->notes);
}

static void remember_tasks(struct recorder *r, const struct evset *set)
{
	struct live_opts o = { .maps = !r->o->no_map_synth, .sampled = needs_sampled_tasks(r),
			       .read_process = read_process, .ctx = r };

	r->tasks = live_tasks_new(set, &o);
	if (!r->tasks)
		return;
	r->plan.side = live_tasks_log(r->tasks);
	r->plan.pids = live_tasks_pids(r->tasks);
}

int recorder_init(struct recorder *r, const struct record_opts *o, struct observer *ob, struct features *feat,
		  const struct trace_setup *trace, struct err *err)
{
	const struct evset *set = ob->opts->set;
	bool build_ids = any_flag(set, ATTR_BUILD_ID);

	*r = (struct recorder){
		.o = o, .ob = ob, .feat = feat, .out.fd = -1, .trace = trace,
		.plan = { sample_time_off(set), !build_ids },
		/* a ring must not wait for more data than it can contain */
		.flush_bytes = MIN(o->flush_bytes, ob->rings.pages * page_size() / 4),
		.follow = any_flag(set, ATTR_INHERIT),
		.buildid_table = !o->no_buildid && !build_ids,
		.no_kernel = !any_kernel(set),
		.synth = {
			.kernel = &r->kernel,
			.trailer = synth_trailer_size(&evset_at(set, 0)->attr),
			.build_ids = build_ids,
			.data_maps = o->attr.data || o->attr.data_mmap,
			.namespaces = o->attr.namespaces,
			.no_maps = o->no_map_synth,
			.timeout_ns = o->map_timeout_ms * 1000000ull,
			.jobs = o->synth_threads,
			.guest = o->guest,
		},
	};
	if (remembers_tasks(o, ob))
		remember_tasks(r, set);
	if (o->comp_level) {
		int ret = packer_init(&r->packer, o->comp_level, err);

		if (ret < 0)
			return ret;
		feat->comp_type = 1;	/* zstd */
		feat->comp_level = o->comp_level;
		feat->comp_mmap_len = PACKER_MMAP_LEN;
		feature_set(feat, FEAT_COMPRESSED);
	}
	if (o->threads) {
		feat->dir_version = 1;
		feature_set(feat, FEAT_DIR_FORMAT);
	}
	return 0;
}

/* the attributes of the output, which differ from those of the open events if samples are rewritten */
static struct pe_attr *show_attrs(struct recorder *r)
{
	const struct evset *set = r->ob->opts->set;
	struct pe_attr *opened;

	if (!r->o->rewrite)
		return NULL;
	opened = xcalloc(set->ev.nr + 1, sizeof(*opened));
	for (u32 i = 0; i < set->ev.nr; i++) {
		opened[i] = set->ev.v[i]->attr;
		r->o->rewrite->attr(&set->ev.v[i]->attr);
	}
	return opened;
}

static void restore_attrs(struct recorder *r, struct pe_attr *opened)
{
	for (u32 i = 0; opened && i < r->ob->opts->set->ev.nr; i++)
		r->ob->opts->set->ev.v[i]->attr = opened[i];
	free(opened);
}

static int open_writer(struct recorder *r, const char *path, struct err *err)
{
	struct pe_attr *opened = show_attrs(r);
	int ret = writer_open(&r->out, path, r->ob->opts->set, r->feat, err);

	restore_attrs(r, opened);
	return ret;
}

static int put(struct recorder *r, const void *p, size_t len)
{
	return writer_write(&r->out, p, len);
}

static struct live_mark mark_of(const struct recorder *r)
{
	struct live_mark mark = { .lost = r->lost_total + r->lost_before,
				  .cpus = sysconf(_SC_NPROCESSORS_ONLN) };

	/* those of traces pause for snapshots, and carry no side-band */
	for (u32 e = 0; e < r->ob->fds.nr_events; e++)
		mark.stops += evset_at(r->ob->opts->set, e)->trace ? 0 : r->ob->fds.stops[e];
	return mark;
}

static void synth_targets(struct recorder *r, struct strbuf *sb)
{
	const struct target *t = &r->ob->target;
	u64 now = clock_ns(CLOCK_MONOTONIC);
	struct live_mark mark = { 0 };
	size_t at = sb->len;

	if (r->tasks) {
		mark = mark_of(r);
		if (live_tasks_put(r->tasks, sb, &mark, now))
			return;
	}
	if (r->nr_outputs > 1)
		log_v("the tasks that run are read from /proc again");
	synth_target(sb, t, &r->synth, &r->notes);
	if (r->tasks)
		live_tasks_load(r->tasks, sb->buf + at, sb->len - at, &mark, now);
	/* they come when samples are of them */
	if (r->plan.pids)
		strbuf_setlen(sb, at);
	/* an earlier output contains what was started in the meantime */
	if (target_has_tasks(t) && r->nr_outputs > 1 && r->follow)
		synth_descendants(sb, t->pids.v, t->pids.nr, &r->synth, &r->notes);
}

/* the state before the first event */
static void gather_state(struct recorder *r)
{
	struct strbuf *sb = &r->state;
	const struct target *t = &r->ob->target;

	strbuf_reset(sb);
	synth_id_index(sb, &r->ob->fds);
	synth_event_updates(sb, r->ob->opts->set);
	if (r->trace)
		trace_put_info(r->trace, r->o, r->ob, sb);
	if (!r->no_kernel)
		synth_kernel(sb, &r->synth, &r->notes);
	synth_guest(sb, &r->synth);
	bpf_programs_synthesize(&r->bpf, sb, r->synth.trailer);
	synth_thread_map(sb, t->tids.v, t->tids.nr);
	synth_cpu_map(sb, t->cpus.v, t->cpus.nr);
	if (r->o->cgroup_synth && r->o->attr.all_cgroups)
		synth_cgroups(sb, &r->synth);
	if (!r->o->no_task_synth)
		synth_targets(r, sb);
	synth_marker(sb, REC_FINISHED_INIT);
}

static int write_state(struct recorder *r)
{
	int ret = put(r, r->state.buf, r->state.len);

	strbuf_release(&r->state);
	if (r->tasks)	/* the state of thousands of tasks, which is not needed until the next output */
		alloc_give_back();
	return ret;
}

/* a directory: header and state at the start are in its file "data", data of the rings there or in data.N */
static int open_dir(struct recorder *r, struct err *err)
{
	char *path;
	struct stat st;
	int ret = writer_keep_old(r->o->output, err);

	if (ret < 0)
		return ret;
	/* an empty file of that name may be replaced; a device or a fifo must not */
	if (!lstat(r->o->output, &st) && !S_ISREG(st.st_mode))
		return err_set(err, -ENOTDIR,
			       "cannot replace %s with a directory: perf record did not make this file",
			       r->o->output);
	unlink(r->o->output);
	if (mkdir(r->o->output, 0700) < 0)
		return err_sys(err, errno, "cannot create the directory %s", r->o->output);
	path = xasprintf("%s/data", r->o->output);
	ret = open_writer(r, path, err);
	free(path);
	if (!ret && r->o->kcore)
		ret = kcore_copy(r->o->output, err);
	if (ret || !r->o->threads)
		return ret;
	ret = streams_init(&r->streams, &r->ob->rings, r->o->threads, r->o->comp_level, &r->plan, err);
	if (!ret && r->trace)
		streams_add_aux(&r->streams, r->ob);
	if (!ret)
		ret = streams_open(&r->streams, r->o->output, err);
	return ret;
}

/* adds the programs that were loaded since the last time */
static void gather_bpf(struct recorder *r)
{
	if (r->o->attr.no_bpf_event || r->o->no_map_synth)
		return;
	bpf_programs_gather(&r->bpf);
	bpf_programs_features(&r->bpf, r->feat);
}

static int write_vdso_id(struct recorder *r)
{
	struct strbuf sb = STRBUF_INIT;
	int ret;

	vdso_synthesize(&sb);
	ret = sb.len ? put(r, sb.buf, sb.len) : 0;
	strbuf_release(&sb);
	return ret;
}

int recorder_open(struct recorder *r, struct err *err)
{
	int ret;

	r->nr_outputs++;
	aux_writer_reset(&r->aux);
	bpf_programs_forget_ended(&r->bpf);
	gather_bpf(r);
	ret = r->o->threads || r->o->kcore ? open_dir(r, err) : open_writer(r, r->o->output, err);
	if (ret < 0)
		return ret;
	if (r->o->aio_blocks && !r->out.regular)
		return err_set(err, -EINVAL, "--aio writes at offsets of one file, which %s is not",
			       r->o->output);
	if (r->o->aio_blocks)
		writer_set_async(&r->out, r->o->aio_blocks);
	r->lost_before += r->counts.lost;
	r->counts = (struct ring_counts){ .first_time = UINT64_MAX };
	/* so that samples of tasks that end before the output does have names, too */
	gather_state(r);
	if (r->o->rewrite && !r->rewriting) {
		r->rewriting = r->o->rewrite->begin(r->ob->opts->set, r->feat);
		r->o->rewrite->state(r->rewriting, &r->state);
	}
	if (!r->o->no_buildid)
		ret = write_vdso_id(r);
	if (!ret && !r->o->tail_synthesize)
		ret = write_state(r);
	/* the mark at its end is necessary, too */
	if (!ret && !r->o->tail_synthesize)
		ret = writer_commit(&r->out);
	return ret < 0 ? err_sys(err, -ret, "cannot write to %s", r->o->output) : 0;
}

/* writes a bare record, which the writer needs at the end of a pass, and which may end a round */
static int end_pass(struct recorder *r, bool round)
{
	struct rec_header h = { .type = round ? REC_FINISHED_ROUND : REC_FINISHED_INIT, .size = sizeof(h) };
	int ret = put(r, &h, sizeof(h));

	if (ret < 0 || !writer_commit_due(&r->out, clock_ns(CLOCK_MONOTONIC)))
		return ret;
	return writer_commit(&r->out);
}

/* bytes taken, or negative errno */
static s64 drain_ring(struct recorder *r, struct ring *ring, bool all)
{
	affinity_follow(&r->ob->near, ring->cpu);
	return ring_write_out(ring, &r->out, &r->packer, &r->counts, &r->plan, all ? 0 : r->flush_bytes);
}

/* the trace, after the records about it; bytes taken, or negative errno */
static s64 drain_aux(struct recorder *r)
{
	const struct observer *ob = r->ob;
	u64 bytes = 0;

	vec_foreach(&r->ob->rings.aux, a) {
		s64 n = a->overwrite ? 0 : aux_write_new(&r->aux, a, &r->out);

		if (n < 0)
			return n;
		if (n)
			open_resume(&ob->fds, ob->opts->set, a->fd);
		bytes += n;
	}
	return bytes;
}

/* what is remembered of the tasks that the records of this pass are of, while readers still wait for them */
static int put_tasks(struct recorder *r)
{
	struct strbuf *out;
	int ret = 0;

	if (!r->tasks)
		return 0;
	live_tasks_pass(r->tasks, r->counts.last_time);
	out = live_tasks_out(r->tasks);
	if (out->len)
		ret = put(r, out->buf, out->len);
	strbuf_reset(out);
	return ret;
}

static int drain(struct recorder *r, bool backward, bool all)
{
	s64 aux;
	u64 bytes = 0;
	int ret;

	vec_foreach(&r->ob->rings.r, ring) {
		s64 n;

		if (ring->backward != backward)
			continue;
		n = drain_ring(r, ring, all);
		if (n < 0)
			return n;
		bytes += n;
	}
	ret = backward ? 0 : put_tasks(r);
	if (ret < 0)
		return ret;
	aux = backward ? 0 : drain_aux(r);
	if (aux < 0)
		return aux;
	bytes += aux;
	/* data of overwritten rings is older than what was written before, so it does not end a round */
	return bytes ? end_pass(r, !r->ob->rings.any_backward) : 0;
}

/* side-band is written as it is, before the samples of the pass */
static int take_record(void *ctx, const struct ring *ring, const struct rec_header *h)
{
	struct recorder *r = ctx;

	r->o->rewrite->record(r->rewriting, h);
	if (h->type != REC_SAMPLE)
		strbuf_add(&r->rewritten, h, h->size);
	return 0;
}

/*
 * Samples arrive up to two passes after their records. A round ends every four passes, and readers return
 * only records of the round before, so the order is kept.
 */
#define PASSES_PER_ROUND 4

static int drain_rewritten(struct recorder *r, bool all)
{
	struct ring_counts taken = { .first_time = UINT64_MAX };
	struct iovec iov;
	int ret;

	strbuf_reset(&r->rewritten);
	rings_read(&r->ob->rings, &taken, take_record, r);
	r->o->rewrite->pass(r->rewriting, all, &r->rewritten);
	if (!r->rewritten.len)
		return 0;
	iov = (struct iovec){ r->rewritten.buf, r->rewritten.len };
	if (r->plan.no_build_ids)
		ring_clear_build_id_bit(&iov, 1);
	ring_count(&r->counts, &r->plan, &iov, 1);
	ret = put(r, r->rewritten.buf, r->rewritten.len);
	if (ret < 0)
		return ret;
	r->passes = (r->passes + 1) % PASSES_PER_ROUND;
	return end_pass(r, !r->passes);
}

int recorder_drain(struct recorder *r, bool all)
{
	if (r->rewriting)
		return drain_rewritten(r, all);
	if (r->o->threads)	/* until now the streams have done it */
		return all ? streams_finish(&r->streams, &r->counts, &r->wakeups, &r->stream_bytes,
					    &r->packer.in_bytes, &r->aux) : 0;
	return drain(r, false, all);
}

static int snapshot_rings(struct recorder *r)
{
	int ret;

	if (!r->ob->rings.any_backward)
		return 0;
	rings_pause(&r->ob->rings, true);
	ret = drain(r, true, true);
	rings_pause(&r->ob->rings, false);
	return ret;
}

/* stops or resumes the events of the trace, unless they are stopped anyway */
static void pause_trace(struct recorder *r, bool pause)
{
	const struct observer *ob = r->ob;
	struct err err = ERR_INIT;

	vec_foreach(&ob->opts->set->ev, p) {
		const struct event *ev = *p;

		if (ev->trace && ev->leader == ev->idx && (!pause || !ob->fds.stopped[ev->idx]))
			open_enable_event(&ob->fds, ev, !pause, &err);
	}
}

static int snapshot_trace(struct recorder *r)
{
	/* -D, --control and the end have stopped it already, or start it themselves */
	bool runs = r->ob->enabled && !r->ob->fds.stopped[r->trace->ev->leader];
	u64 bytes = 0;
	s64 n = 0;

	log_v("Recording AUX area tracing snapshot");
	if (runs)
		pause_trace(r, true);
	vec_foreach(&r->ob->rings.aux, a) {
		n = aux_write_snapshot(&r->aux, a, r->trace->snapshot_bytes, &r->out);
		if (n < 0)
			break;
		bytes += n;
	}
	if (runs)
		pause_trace(r, false);
	return n < 0 ? n : bytes ? end_pass(r, false) : 0;
}

int recorder_snapshot(struct recorder *r)
{
	int ret = snapshot_rings(r);

	return !ret && r->trace && r->o->snapshot.on ? snapshot_trace(r) : ret;
}

int recorder_last_snapshot(struct recorder *r)
{
	return r->o->snapshot.at_exit ? recorder_snapshot(r) : snapshot_rings(r);
}

static int put_pass(struct recorder *r, const struct strbuf *records)
{
	int ret = put(r, records->buf, records->len);

	return ret < 0 ? ret : end_pass(r, false);
}

int recorder_add(struct recorder *r, const struct strbuf *records)
{
	ring_count(&r->counts, &r->plan, &(struct iovec){ records->buf, records->len }, 1);
	return put_pass(r, records);
}

int recorder_add_children(struct recorder *r)
{
	const struct target *t = &r->ob->target;
	const struct record_opts *o = r->o;
	struct strbuf sb = STRBUF_INIT;
	int ret;

	/* at the end all tasks are read that exist then; streams end rounds of their own */
	if (!r->follow || !target_has_tasks(t) || o->no_task_synth || o->tail_synthesize || o->threads)
		return 0;
	synth_descendants(&sb, t->pids.v, t->pids.nr, &r->synth, &r->notes);
	if (r->rewriting)
		o->rewrite->state(r->rewriting, &sb);
	ret = sb.len ? put_pass(r, &sb) : 0;
	strbuf_release(&sb);
	return ret;
}

/* samples that one descriptor lost; 0 if it cannot be read */
static u64 lost_of(const struct pe_attr *a, int fd)
{
	/* value, times, id, lost; a group is longer, and its members are read one by one */
	u64 buf[8], nr = 1 + !!(a->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
			 !!(a->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING) +
			 !!(a->read_format & PERF_FORMAT_ID);

	if (fd < 0 || !(a->read_format & FORMAT_LOST) || (a->read_format & PERF_FORMAT_GROUP))
		return 0;
	return read(fd, buf, sizeof(buf)) == (ssize_t)((nr + 1) * 8) ? buf[nr] : 0;
}

/* records of what each descriptor has lost since the last output */
static void count_lost(struct recorder *r, struct strbuf *out)
{
	const struct open_fds *f = &r->ob->fds;

	if (!r->lost_seen)
		r->lost_seen = xcalloc((size_t)f->nr_events * f->nr_cpus * f->nr_threads, sizeof(u64));
	for (u32 ev = 0; ev < f->nr_events; ev++)
		for (u32 cpu = 0; cpu < f->nr_cpus; cpu++)
			for (u32 th = 0; th < f->nr_threads; th++) {
				const struct event *event = evset_at(r->ob->opts->set, ev);
				size_t at = open_at(f, ev, cpu, th);
				u64 lost = lost_of(&event->attr, f->fd[at]);

				if (lost <= r->lost_seen[at])
					continue;
				synth_lost_samples(out, event, f->id[at], f->tid[th], f->cpu[cpu], 0,
						   0, lost - r->lost_seen[at]);
				r->lost_total += lost - r->lost_seen[at];
				r->lost_seen[at] = lost;
			}
}

/* the id of an event's first descriptor */
static u64 first_id(const struct open_fds *f, u32 ev)
{
	for (size_t i = open_at(f, ev, 0, 0); i < open_at(f, ev + 1, 0, 0); i++)
		if (f->fd[i] >= 0)
			return f->id[i];
	return 0;
}

/* a record of what each filter has left out since the last output */
static void count_filtered(struct recorder *r, struct strbuf *out)
{
	const struct open_fds *f = &r->ob->fds;

	if (!r->filtered_seen)
		r->filtered_seen = xcalloc(f->nr_events, sizeof(*r->filtered_seen));
	r->filtered = (struct filtered){ 0 };
	for (u32 e = 0; e < f->nr_events; e++) {
		struct filtered now = filter_counts_of(&r->ob->filtered, e);
		u64 *seen = &r->filtered_seen[e], new = now.left_out - *seen;

		r->filtered.kept += now.kept;
		r->filtered.left_out += now.left_out;
		if (!new)
			continue;
		*seen = now.left_out;
		log_v("--filter of '%s' left out %lu of %lu samples", evset_at(r->ob->opts->set, e)->name,
		      now.left_out, now.kept + now.left_out);
		synth_lost_samples(out, evset_at(r->ob->opts->set, e), first_id(f, e), -1, -1,
				   MISC_LOST_BY_BPF, 0, new);
	}
}

/* functions that the samples are in, by whoever knows: reads the file as any other */
static void add_names(struct recorder *r)
{
	struct rec_header h = { .type = REC_FINISHED_INIT, .size = sizeof(h) };

	strbuf_reset(&r->names);
	feature_clear(r->feat, FEAT_PACKED_SYMBOLS);
	if (!r->o->names || !r->out.regular || put(r, &h, sizeof(h)) < 0 || writer_commit(&r->out) < 0)
		return;
	r->o->names(r->o, &r->names);
	if (!r->names.len)
		return;
	r->feat->raw[FEAT_PACKED_SYMBOLS] = (struct feat_blob){ r->names.buf, r->names.len };
	feature_set(r->feat, FEAT_PACKED_SYMBOLS);
}

int recorder_finish(struct recorder *r, struct err *err)
{
	struct strbuf lost = STRBUF_INIT;
	struct pe_attr *opened;
	int ret;

	if (r->o->tail_synthesize)
		write_state(r);
	count_lost(r, &lost);
	count_filtered(r, &lost);
	if (lost.len)
		put(r, lost.buf, lost.len);
	strbuf_release(&lost);
	if (r->o->threads)
		r->packer.out_bytes = r->packer.in_bytes ? r->stream_bytes : 0;
	if (r->packer.out_bytes) {
		r->comp_ratio = (double)r->packer.in_bytes / r->packer.out_bytes;
		r->feat->comp_ratio = r->comp_ratio + 0.5;
	}
	gather_bpf(r);
	feature_clear(r->feat, FEAT_SAMPLE_TIME);
	if (r->counts.first_time <= r->counts.last_time) {
		feature_set(r->feat, FEAT_SAMPLE_TIME);
		r->feat->sample_time_first = r->counts.first_time;
		r->feat->sample_time_last = r->counts.last_time;
	}
	/* in a directory: only the state at the start */
	if (r->buildid_table && r->out.regular && !r->o->comp_level)
		buildid_table_gather(r->feat, r->out.fd, r->out.data_off, r->out.size);
	add_names(r);
	aux_writer_feature(&r->aux, &r->out, r->feat);
	opened = show_attrs(r);
	ret = writer_finish(&r->out, r->ob->opts->set, r->feat, err);
	restore_attrs(r, opened);
	writer_samples_dropped(&r->out, &r->counts.samples);
	r->last_size = r->out.size + r->stream_bytes;
	writer_close(&r->out);
	return ret;
}

void recorder_release(struct recorder *r)
{
	u64 dropped = r->rewriting ? r->o->rewrite->end(r->rewriting) : 0;

	if (dropped)
		log_warn("--unwind-live: %lu sample%s could not be converted, and %s dropped", dropped,
			 plural(dropped), dropped == 1 ? "was" : "were");
	r->rewriting = NULL;
	strbuf_release(&r->rewritten);
	strbuf_release(&r->names);
	streams_release(&r->streams);
	aux_writer_release(&r->aux);
	bpf_programs_release(&r->bpf);
	packer_release(&r->packer);
	writer_close(&r->out);
	strbuf_release(&r->state);
	live_tasks_free(r->tasks);
	free(r->lost_seen);
	free(r->filtered_seen);
	r->lost_seen = NULL;
}
