/* Record-run: start, loop, end. */
#include "record-run.h"
#include "kcore.h"
#include "cgroup.h"
#include "control.h"
#include "loop.h"
#include "outputs.h"
#include "record-info.h"
#include "recorder.h"
#include "switch-event.h"
#include "vdso-id.h"
#include "workload.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/units.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum timer { TIMER_DELAY, TIMER_SWITCH, TIMER_COMMIT };
enum ring_id { RING_DATA, RING_SWITCH };
enum fd_id { FD_CONTROL, FD_STREAM_FAILED };

#define COMMIT_NS 1000000000ull

struct run {
	const struct record_config *c;
	struct record_result *res;
	struct target target;
	struct workload work;
	struct open_fds fds;
	int *cgroup_fd;		/* one an event; or NULL */
	u32 nr_cgroups;
	struct loop loop;
	struct features feat;
	struct recorder rec;
	struct outputs outs;
	struct control control;
	struct switch_event switch_event;
	u32 ring_fds;		/* still watched */
	size_t delay_step;	/* next edge of the -D ranges: 2 * range, + 1 for its end */
	u64 start_ns;
	bool done, enabled, fds_open;
};

static void note_lines(const struct strbuf *notes)
{
	if (notes->len)
		log_note("%.*s", (int)(notes->buf[notes->len - 1] == '\n' ? notes->len - 1 : notes->len), notes->buf);
}

static int start_workload(struct run *r, struct err *err)
{
	const struct workload_opts o = {
		.exec_dir = r->c->exec_dir, .mask = &r->loop.old_mask,
		.stdout_to_stderr = !strcmp(r->c->output, "-"),
	};
	int ret;

	if (!r->c->argv)
		return 0;
	ret = workload_fork(&r->work, r->c->argv, &o, err);
	if (ret < 0)
		return ret;
	if (r->target.kind == TARGET_WORKLOAD) {
		workload_note_hidden(r->c->argv[0]);
		target_set_workload(&r->target, r->work.pid);
	}
	return loop_add_child(&r->loop, r->work.pidfd, err);
}

/* -G a,b: a group for each event, the last one for those that follow; an empty name is none */
static int open_cgroups(struct run *r, struct err *err)
{
	const char *name = r->c->cgroups;
	u32 nr = r->c->set->ev.nr;

	if (!name)
		return 0;
	if (r->target.kind != TARGET_SYSTEM)
		return err_set(err, -EINVAL, "-G selects among the tasks of the whole system: use it with -a or -C");
	r->cgroup_fd = xcalloc(nr, sizeof(int));
	r->nr_cgroups = nr;
	memset(r->cgroup_fd, 0xff, nr * sizeof(int));
	for (u32 i = 0; i < nr; i++) {
		size_t len = strcspn(name, ",");
		char *one = xstrndup(name, len);

		r->cgroup_fd[i] = len ? cgroup_open(one, err) : -1;
		free(one);
		if (len && r->cgroup_fd[i] < 0)
			return err->code;
		if (name[len])
			name += len + 1;
	}
	return 0;
}

/* half a ring, which is up to 1 MB, is much of an output that is to be small */
#define SMALL_OUTPUT_BYTES (8u << 20)
#define SMALL_WATERMARK_BYTES (32u << 10)

/* so that an output gets not much larger than it is to be; 0: as always */
static u32 watermark_for_size(const struct record_config *c)
{
	u64 size = c->max_size ? c->max_size : c->switch_mode == SWITCH_SIZE ? c->switch_value : 0;
	u64 half = c->ring_pages ? c->ring_pages * page_size() / 2 : SMALL_WATERMARK_BYTES;

	return size && size < SMALL_OUTPUT_BYTES ? MIN(MAX(size / 8, page_size() / 2), half) : 0;
}

static int open_all(struct run *r, struct err *err)
{
	struct strbuf notes = STRBUF_INIT;
	struct open_opts o = { .target = &r->target, .notes = &notes };
	struct record_attr_opts attr = r->c->attr;
	int ret = record_watch_all_cpus(r->c->set, &r->target, err);

	attr.watermark = watermark_for_size(r->c);
	if (!ret)
		ret = record_attr_config(r->c->set, &attr, &r->target, &notes, err);
	vec_foreach(&r->c->set->ev, ev)
		if (r->c->running_time && (*ev)->sample_read)
			(*ev)->attr.read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (!ret)
		ret = open_cgroups(r, err);
	o.event_cgroup_fd = r->cgroup_fd;
	if (!ret)
		ret = open_events(&r->fds, r->c->set, &o, err);
	if (!ret) {
		r->fds_open = true;
		ret = open_read_ids(&r->fds, r->c->set, err);
	}
	if (!ret)
		ret = open_set_filters(&r->fds, r->c->set, err);
	note_lines(&notes);
	strbuf_release(&notes);
	return ret;
}

static bool any_kernel(const struct evset *set)
{
	vec_foreach(&set->ev, ev)
		if (!((*ev)->attr.flags & ATTR_EXCLUDE_KERNEL) || (*ev)->tp_system)
			return true;
	return false;
}

/* side-band may be on any event */
static bool any_flag(const struct evset *set, u64 flag)
{
	vec_foreach(&set->ev, ev)
		if ((*ev)->attr.flags & flag)
			return true;
	return false;
}

/* on another machine the samples in it have no names then; that is no reason not to record */
static void keep_vdso(const struct record_config *c)
{
	struct err err = ERR_INIT;

	if (!c->no_buildid && !c->no_buildid_cache && vdso_keep(&err) < 0)
		log_v("%s", err.msg);
}

static int start_recorder(struct run *r, struct err *err)
{
	const struct record_config *c = r->c;
	const struct pe_attr *a = &evset_at(c->set, 0)->attr;
	struct recorder_opts o = {
		.output = outputs_path(&r->outs),
		.ring_pages = c->ring_pages ? c->ring_pages : rings_default_pages(r->fds.nr_cpus * r->fds.nr_threads),
		.flush_bytes = c->flush_bytes,
		.threads = c->threads,
		.kcore = c->kcore,
		.aio_blocks = c->aio_blocks,
		.affinity = c->affinity,
		.comp_level = c->comp_level,
		.tail_synthesize = c->tail_synthesize,
		.synth_tasks = !c->no_task_synth,
		.follow = any_flag(c->set, ATTR_INHERIT),
		.synth_bpf = !c->attr.no_bpf_event && !c->no_map_synth,
		.synth_cgroups = c->cgroup_synth && c->attr.all_cgroups,
		.vdso_id = !c->no_buildid,
		.buildid_table = !c->no_buildid && !any_flag(c->set, ATTR_BUILD_ID),
		.no_kernel = !any_kernel(c->set),
		.synth = {
			.trailer = synth_trailer_size(a),
			.build_ids = any_flag(c->set, ATTR_BUILD_ID),
			.data_maps = c->attr.data || c->attr.data_mmap,
			.namespaces = c->attr.namespaces,
			.no_maps = c->no_map_synth,
			.timeout_ns = c->map_timeout_ns,
			.jobs = c->synth_threads,
		},
	};
	int ret = recorder_init(&r->rec, &o, c->set, &r->fds, &r->target, &r->feat, err);

	if (ret == -EPERM && !c->ring_pages && o.ring_pages > rings_mlock_pages()) {
		/* root without CAP_IPC_LOCK, as in containers: what everybody gets */
		recorder_release(&r->rec);
		o.ring_pages = rings_mlock_pages();
		err_clear(err);
		ret = recorder_init(&r->rec, &o, c->set, &r->fds, &r->target, &r->feat, err);
	}
	if (!ret)
		ret = recorder_open(&r->rec, err);
	if (!ret)
		keep_vdso(c);
	if (r->rec.notes.kernel_restricted && any_kernel(c->set))
		log_warn("the addresses of kernel functions are hidden (kernel.kptr_restrict): kernel samples will have no names. "
			 "As root: sysctl kernel.kptr_restrict=0");
	if (r->rec.notes.timed_out)
		log_warn("the maps of %u processes took too long to read: symbols may be missing. Allow more with "
			 "--proc-map-timeout", r->rec.notes.timed_out);
	return ret;
}

/* one descriptor for each task and CPU says when its ring has data and when its task is gone */
static int watch_rings(struct run *r, struct err *err)
{
	for (u32 cpu = 0; cpu < r->fds.nr_cpus; cpu++)
		for (u32 th = 0; th < r->fds.nr_threads; th++)
			for (u32 ev = 0; ev < r->fds.nr_events; ev++) {
				int fd = r->fds.fd[open_at(&r->fds, ev, cpu, th)], ret;

				if (fd < 0 || (evset_at(r->c->set, ev)->attr.flags & ATTR_WRITE_BACKWARD))
					continue;
				ret = r->c->threads ? loop_add_ring_hup(&r->loop, fd, RING_DATA, err) :
						      loop_add_ring(&r->loop, fd, RING_DATA, err);
				if (ret < 0)
					return ret;
				r->ring_fds++;
				break;
			}
	return r->c->threads ? loop_add_fd(&r->loop, r->rec.streams.failed_fd, FD_STREAM_FAILED, err) : 0;
}

static int start_timers(struct run *r, struct err *err)
{
	const struct record_config *c = r->c;
	int ret = 0;

	if (!c->threads)
		ret = loop_set_timer(&r->loop, TIMER_COMMIT, COMMIT_NS, COMMIT_NS, err);
	if (!ret && c->delay.nr)
		ret = loop_set_timer(&r->loop, TIMER_DELAY, MAX(c->delay.v[0].on_ns, 1), 0, err);
	if (!ret && c->switch_mode == SWITCH_TIME)
		ret = loop_set_timer(&r->loop, TIMER_SWITCH, c->switch_value, c->switch_value, err);
	if (!ret && c->control)
		ret = loop_add_fd(&r->loop, r->control.fd, FD_CONTROL, err);
	return ret;
}

static int set_realtime(int prio, struct err *err)
{
	int min = sched_get_priority_min(SCHED_FIFO), max = sched_get_priority_max(SCHED_FIFO);
	struct sched_param p = { .sched_priority = prio };

	if (prio && (prio < min || prio > max))
		return err_set(err, -EINVAL, "-r takes a real-time priority from %d to %d, not %d", min, max, prio);
	if (!prio || !sched_setscheduler(0, SCHED_FIFO, &p))
		return 0;
	err_sys(err, errno, "cannot run with real-time priority %d: that needs CAP_SYS_NICE, or a limit (ulimit -r) as high", prio);
	err_hint(err, "works now: the same without -r");
	return err->code;
}

static int enable(struct run *r, struct err *err)
{
	const struct record_config *c = r->c;
	int ret = 0;

	/* a workload's events are enabled by its exec */
	if (!c->delay.nr && !c->start_disabled && r->target.kind != TARGET_WORKLOAD)
		ret = open_enable(&r->fds, c->set, err);
	r->start_ns = clock_ns(CLOCK_MONOTONIC);
	if (!ret)
		ret = switch_event_enable(&r->switch_event, err);
	if (!ret)
		ret = start_timers(r, err);
	if (!ret && c->argv)
		ret = workload_start(&r->work, err);
	r->enabled = !ret;
	return ret;
}

/* ---- while it runs ---- */

static bool is_full(int code)
{
	return code == -ENOSPC || code == -EDQUOT || code == -EFBIG;
}

static const char *room_for_more(int code)
{
	return code == -EFBIG ? "raise the limit of file sizes (ulimit -f)" : "choose another disk with -o";
}

static int write_error(struct run *r, int code, struct err *err)
{
	if (code == -EPIPE)
		return err_set(err, code, "the reader of the pipe has gone");
	err_sys(err, -code, "cannot write to %s", outputs_path(&r->outs));
	if (is_full(code))
		err_hint(err, "what was written until then can be read; %s, or record less (-F, --max-size)", room_for_more(code));
	return code;
}

static int snapshot_now(struct run *r, struct err *err)
{
	int ret = recorder_snapshot(&r->rec);

	return ret < 0 ? write_error(r, ret, err) : 0;
}

static int switch_now(struct run *r, struct err *err)
{
	/* what is not overwritten as well: forks and maps, without which the next output's samples have no names, nor these */
	int ret = recorder_drain(&r->rec, true);

	if (!ret)
		ret = recorder_snapshot(&r->rec);
	if (ret < 0)
		return write_error(r, ret, err);
	ret = recorder_finish(&r->rec, err);
	if (!ret)
		ret = outputs_rotate(&r->outs, err);
	if (!ret)
		ret = recorder_open(&r->rec, err);
	return ret;
}

static int after_drain(struct run *r, struct err *err)
{
	const struct record_config *c = r->c;
	u64 bytes = recorder_bytes(&r->rec);

	if (c->max_size && bytes >= c->max_size) {
		r->res->max_size_reached = true;
		r->done = true;
	}
	if (c->switch_mode == SWITCH_SIZE && bytes >= c->switch_value)
		return switch_now(r, err);
	return 0;
}

static int on_timer(struct run *r, u32 timer, struct err *err)
{
	const struct delay_range *d = r->c->delay.v;
	size_t step;
	u64 at, next;
	int ret;

	if (timer == TIMER_SWITCH)
		return switch_now(r, err);
	if (timer == TIMER_COMMIT) {
		/* however slowly the rings fill: what is older than a second is in the file, and seen there */
		ret = recorder_drain(&r->rec, false);
		if (!ret)
			ret = writer_commit(&r->rec.out);
		return ret < 0 ? write_error(r, ret, err) : after_drain(r, err);
	}
	step = r->delay_step++;
	ret = step % 2 ? open_disable(&r->fds, r->c->set, err) : open_enable(&r->fds, r->c->set, err);
	if (ret < 0)
		return ret;
	at = step % 2 ? d[step / 2].off_ns : d[step / 2].on_ns;
	step++;
	if (step / 2 >= r->c->delay.nr)
		return 0;
	next = step % 2 ? d[step / 2].off_ns : d[step / 2].on_ns;
	return next > at ? loop_set_timer(&r->loop, TIMER_DELAY, next - at, 0, err) : 0;
}

static int on_signal(struct run *r, int sig, struct err *err)
{
	if (sig == SIGUSR2) {
		if (r->c->switch_mode == SWITCH_SIGNAL)
			return switch_now(r, err);
		if (r->c->overwrite)
			return snapshot_now(r, err);
		return 0;
	}
	r->res->signal = sig;
	r->done = true;
	return 0;
}

static int control_all(void *ctx, bool on, struct err *err)
{
	struct run *r = ctx;

	return on ? open_enable(&r->fds, r->c->set, err) : open_disable(&r->fds, r->c->set, err);
}

static int control_snapshot(void *ctx, struct err *err)
{
	struct run *r = ctx;

	return r->c->switch_mode != SWITCH_NONE ? switch_now(r, err) : snapshot_now(r, err);
}

static int on_control(struct run *r, struct err *err)
{
	const struct control_ops ops = { control_all, control_snapshot, &r->done, r->c->set, &r->fds };

	return control_serve(&r->control, &r->loop, &ops, r, err);
}

static int on_event(struct run *r, const struct loop_event *e, bool *drain, struct err *err)
{
	if ((e->kind == LOOP_RING || e->kind == LOOP_RING_HUP) && e->id == RING_SWITCH)
		return switch_event_take(&r->switch_event) ? switch_now(r, err) : 0;
	switch (e->kind) {
	case LOOP_RING:
		*drain = true;
		return 0;
	case LOOP_RING_HUP:
		*drain = true;
		r->ring_fds--;
		/* a workload's end is seen by its own descriptor */
		if (!r->ring_fds && r->target.kind == TARGET_TASKS)
			r->done = true;
		return 0;
	case LOOP_CHILD:
		r->done = true;
		if (workload_exec_error(&r->work, err) == 0)
			return 0;
		r->res->exec_failed = true;
		r->enabled = false;	/* there is nothing to finish */
		return err->code;
	case LOOP_SIGNAL:
		return on_signal(r, e->id, err);
	case LOOP_TIMER:
		return on_timer(r, e->id, err);
	case LOOP_FD:
		if (e->id == FD_CONTROL)
			return on_control(r, err);
		r->done = true;		/* a stream has failed: the end says why */
		return 0;
	}
	return 0;
}

static int run_loop(struct run *r, struct err *err)
{
	struct loop_event ev[64];
	/* a ring that filled up before it was watched has woken nobody, and would not do so again */
	int first = recorder_drain(&r->rec, false);

	if (first < 0)
		return write_error(r, first, err);
	while (!r->done) {
		int n = loop_wait(&r->loop, ev, ARRAY_SIZE(ev)), ret = 0;
		bool drain = false;

		if (n < 0)
			return err_sys(err, -n, "cannot wait for events");
		for (int i = 0; i < n && !ret; i++)
			ret = on_event(r, &ev[i], &drain, err);
		if (drain && !ret) {
			r->rec.wakeups++;
			ret = recorder_drain(&r->rec, false);
			if (ret < 0)
				return write_error(r, ret, err);
			ret = after_drain(r, err);
		}
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* ---- the end ---- */

static void count_result(struct run *r)
{
	const struct ring_counts *c = &r->rec.counts;

	r->res->throttled = c->throttled;
	r->res->ring_pages = r->rec.rings.pages;
	r->res->wakeups = r->rec.wakeups;
	r->res->elapsed_ns = clock_ns(CLOCK_MONOTONIC) - r->start_ns;
}

static int finish(struct run *r, struct err *err)
{
	struct err disable_err = ERR_INIT;
	int ret, werr;

	open_disable(&r->fds, r->c->set, &disable_err);
	/* it may write its last words while it is ended: those are no part of the profile */
	workload_end(&r->work);
	ret = recorder_drain(&r->rec, true);
	if (!ret)
		ret = recorder_snapshot(&r->rec);
	count_result(r);
	werr = recorder_finish(&r->rec, ret < 0 ? NULL : err);
	r->res->samples = r->rec.counts.samples;
	r->res->start_ok = true;
	r->res->lost = MAX(r->rec.counts.lost + r->rec.counts.lost_samples, r->rec.lost_total);
	r->res->bytes = r->rec.last_size;
	r->res->comp_ratio = r->rec.comp_ratio;
	r->res->raw_bytes = r->rec.packer.in_bytes;
	if (ret < 0)
		return write_error(r, ret, err);
	if (!werr)
		werr = outputs_finish(&r->outs, err);
	return werr;
}

static void release(struct run *r)
{
	workload_release(&r->work);
	recorder_release(&r->rec);
	if (r->fds_open)
		open_release(&r->fds);
	for (u32 i = 0; i < r->nr_cgroups; i++)
		if (r->cgroup_fd[i] >= 0)
			close(r->cgroup_fd[i]);
	free(r->cgroup_fd);
	loop_release(&r->loop);
	control_close(&r->control);
	switch_event_release(&r->switch_event);
	arena_release(&r->feat.arena);
	vec_release(&r->feat.buildids);
	target_release(&r->target);
}

struct loop_job {
	struct run *r;
	struct err *err;
	int ret;
};

static void loop_job(void *ctx)
{
	struct loop_job *j = ctx;

	j->ret = enable(j->r, j->err);
	if (!j->ret)
		j->ret = run_loop(j->r, j->err);
}

/* observes until the end, in threads where they were asked for */
static int observe(struct run *r, struct err *err)
{
	struct loop_job j = { r, err, 0 };

	if (r->c->threads)
		streams_run(&r->rec.streams, loop_job, &j);
	else
		loop_job(&j);
	return j.ret;
}

static int check_config(const struct record_config *c, struct err *err)
{
	const char *with = !strcmp(c->output, "-") ? "a pipe" : c->switch_mode != SWITCH_NONE ? "--switch-output" :
			   c->overwrite ? "--overwrite" : c->max_size ? "--max-size" : c->timestamp_filename ? "--timestamp-filename" :
			   c->flush_bytes ? "--mmap-flush" : c->affinity != AFFINITY_NONE ? "--affinity (--threads=0/1 says where)" : NULL;

	if (c->threads && with)
		return err_set(err, -EINVAL, "--threads writes a directory of files and does not go together with %s", with);
	if (c->aio_blocks && (c->threads || !strcmp(c->output, "-")))
		return err_set(err, -EINVAL, "--aio writes to places of one file and does not go together with %s",
			       c->threads ? "--threads" : "a pipe");
	if (c->switch_mode != SWITCH_NONE && !strcmp(c->output, "-"))
		return err_set(err, -EINVAL, "--switch-output writes one file after the other and does not go together with a pipe");
	if (c->timestamp_filename && !strcmp(c->output, "-"))
		return err_set(err, -EINVAL, "--timestamp-filename names a file and does not go together with a pipe");
	if (c->kcore && !strcmp(c->output, "-"))
		return err_set(err, -EINVAL, "--kcore writes a directory and does not go together with a pipe");
	return c->kcore ? kcore_check(err) : 0;
}

static int run_all(struct run *r, struct err *err)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR2 };
	struct strbuf notes = STRBUF_INIT;
	int ret = check_config(r->c, err), end;

	if (!ret)
		ret = outputs_check(&r->outs, err);
	/* first, so that a number is not taken for a descriptor of our own */
	if (!ret && r->c->control)
		ret = control_open(&r->control, r->c->control, err);
	if (!ret)
		ret = target_resolve(&r->target, &r->c->target, &notes, err);
	note_lines(&notes);
	strbuf_release(&notes);
	if (!ret)
		ret = loop_init(&r->loop, err);
	if (!ret)
		ret = loop_add_signals(&r->loop, signals, ARRAY_SIZE(signals), err);
	if (!ret)
		ret = start_workload(r, err);
	if (!ret)
		ret = open_all(r, err);
	if (!ret)
		ret = record_info_gather(&r->feat, r->c, err);
	if (ret || r->c->dry_run)
		return ret;
	r->c->progress_begin();
	ret = start_recorder(r, err);
	r->c->progress_end();
	if (is_full(ret))
		err_hint(err, "%s", room_for_more(ret));
	if (!ret)
		ret = set_realtime(r->c->realtime, err);
	if (!ret)
		ret = watch_rings(r, err);
	if (!ret && r->c->switch_events)
		ret = switch_event_open(&r->switch_event, r->c->switch_events, &r->loop, RING_SWITCH, err);
	if (ret < 0)
		return ret;
	ret = observe(r, err);
	if (ret < 0 && !r->enabled)
		return ret;
	/* after an error as well: what was recorded is to be readable */
	r->c->progress_begin();
	end = finish(r, ret < 0 ? NULL : err);
	r->c->progress_end();
	return ret < 0 ? ret : end;
}

int record_run(const struct record_config *c, struct record_result *res, struct err *err)
{
	struct run r = { .c = c, .res = res, .work = WORKLOAD_INIT, .control = CONTROL_INIT, .rec.out.fd = -1,
			 .loop = { .epfd = -1, .sigfd = -1, .timer = { -1, -1, -1, -1 } } };
	int ret;

	*res = (struct record_result){ 0 };
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);	/* a limit of file sizes is a write that fails */
	outputs_init(&r.outs, c->output, c->timestamp_filename || c->switch_mode != SWITCH_NONE, c->switch_max_files);
	ret = run_all(&r, err);
	if (r.work.reaped)
		res->exit_status = workload_exit_status(&r.work);
	release(&r);
	res->path = xstrdup(outputs_last(&r.outs));
	outputs_release(&r.outs);
	return ret;
}
