/* Record-run: the operations of perf record for an observer. */
#include "record-run.h"
#include "off-cpu.h"
#include "outputs.h"
#include "record-info.h"
#include "recorder.h"
#include "switch-event.h"
#include "vdso-id.h"
#include "wall-events.h"
#include "wall-marks.h"
#include "wall-switches.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/units.h"
#include "../kernel/cgroup.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

/* ids of the loop's events, above those of the observer */
enum record_timer { TIMER_COMMIT = OBSERVE_OWN, TIMER_SWITCH };
enum { RING_SWITCH = OBSERVE_OWN, FD_STREAM_FAILED, RING_WALL };

_Static_assert(TIMER_SWITCH < LOOP_TIMERS, "the loop has so many timers");

#define COMMIT_NS 1000000000ull

struct record_run {
	const struct record_opts *o;
	struct record_result *res;
	struct observer ob;
	struct event_cgroups cgroups;	/* -G, by event */
	struct features feat;
	struct recorder rec;
	struct outputs outs;
	struct switch_event switch_event;
	struct event *sleeps;		/* of --off-cpu */
	struct off_cpu *off_cpu;	/* NULL: not asked for */
	struct trace_setup trace;
	struct wall_marks marks;
	u64 start_ns;
};

/* ---- start ---- */

/* half a ring, up to 1 MB, is large compared with a small output */
#define SMALL_OUTPUT_BYTES (8u << 20)
#define SMALL_WATERMARK_BYTES (32u << 10)

/* so that an output is not much larger than its limit; 0: the default */
static u32 watermark_for_size(const struct record_opts *o)
{
	u64 size = o->max_size ? o->max_size : o->switch_mode == SWITCH_SIZE ? o->switch_value : 0;
	u64 half = o->observe.ring_pages ? o->observe.ring_pages * page_size() / 2 : SMALL_WATERMARK_BYTES;

	return size && size < SMALL_OUTPUT_BYTES ? MIN(MAX(size / 8, page_size() / 2), half) : 0;
}

static int configure(void *ctx, struct observer *ob, struct err *err)
{
	struct record_run *r = ctx;
	struct evset *set = r->o->observe.set;
	struct sample_attr_opts attr = r->o->attr;
	int ret = sample_attr_watch_cpus(set, &ob->target, err);

	if (!ret)
		ret = trace_setup(&r->trace, r->o, &attr, &ob->target, &ob->notes, err);
	ob->aux_pages = r->trace.aux_pages;
	ob->aux_overwrite = trace_overwrites(&r->trace, r->o);
	ob->default_pages = r->trace.ring_pages;
	attr.watermark = watermark_for_size(r->o);
	attr.delayed = observe_delayed(&r->o->observe);
	attr.streams = r->o->threads;
	attr.pipe = writer_is_pipe(r->o->output);
	/* its samples have other fields than most */
	attr.identifier |= r->o->off_cpu || r->o->wall;
	if (r->o->off_cpu)
		r->sleeps = off_cpu_add_event(set);
	if (!ret)
		ret = sample_attr_config(set, &attr, &ob->target, &ob->notes, err);
	if (!ret && r->o->off_cpu)
		off_cpu_configure(r->sleeps, attr.callgraph.mode != CALLGRAPH_NONE);
	if (!ret && r->o->wall)
		wall_switches_configure(r->o->wall_event);
	/* streams end rounds of their own */
	if (!ret && target_has_tasks(&ob->target) && !r->o->threads)
		wall_marks_configure(set);
	vec_foreach(&set->ev, ev)
		if (r->o->running_time && (*ev)->sample_read)
			(*ev)->attr.read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED |
						   PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (!ret && r->o->cgroups && wall_recorded(set))
		wall_watch_all_names(set);
	if (!ret)
		ob->cgroup = event_cgroups_choose(&r->cgroups, r->o->cgroups, set->ev.nr);
	return ret;
}

/* without it, samples in the vdso have no names on another machine, but that does not prevent recording */
static void keep_vdso(const struct record_opts *o)
{
	struct err err = ERR_INIT;

	if (!o->no_buildid && !o->no_buildid_cache && vdso_keep(&err) < 0)
		log_v("%s", err.msg);
}

static int start_recorder(struct record_run *r, struct err *err)
{
	const struct trace_setup *trace = r->trace.row ? &r->trace : NULL;
	int ret = recorder_init(&r->rec, r->o, &r->ob, &r->feat, trace, err);

	vec_foreach(&r->ob.rings.aux, a)
		a->head_wraps = trace->row->head_wraps;
	if (!ret)
		ret = recorder_open(&r->rec, err);
	if (!ret)
		keep_vdso(r->o);
	synth_notes_log(&r->rec.notes);
	return ret;
}

static bool is_full(int code)
{
	return code == -ENOSPC || code == -EDQUOT || code == -EFBIG;
}

static const char *room_for_more(int code)
{
	return code == -EFBIG ? "raise the limit of file sizes (ulimit -f)" : "choose another disk with -o";
}

static int write_error(struct record_run *r, int code, struct err *err)
{
	if (code == -EPIPE)
		return err_set(err, code, "the reader of the pipe has ended");
	err_sys(err, -code, "cannot write to %s", r->o->output);
	if (is_full(code))
		err_hint(err, "the records before that can be read; %s, or record less (-F, --max-size)",
			 room_for_more(code));
	return code;
}

static int start(void *ctx, struct observer *ob, struct err *err)
{
	struct record_run *r = ctx;
	const struct record_opts *o = r->o;
	int ret;

	observer_log_notes(ob);
	ret = record_info_gather(&r->feat, o, err);
	if (ret || o->observe.dry_run)
		return ret;
	o->progress_begin();
	ret = start_recorder(r, err);
	o->progress_end();
	if (is_full(ret))
		err_hint(err, "%s", room_for_more(ret));
	if (!ret)
		ret = observe_realtime(o->realtime, err);
	if (!ret && o->threads)
		ret = loop_add_fd(&ob->loop, r->rec.streams.failed_fd, FD_STREAM_FAILED, err);
	if (!ret && o->off_cpu) {
		r->off_cpu = off_cpu_open(r->sleeps, &ob->target, ob->work.pid,
					  o->off_cpu_thresh_ms * 1000000ull, err);
		ret = r->off_cpu ? 0 : err->code;
	}
	if (!ret && o->wall)
		ret = wall_switches_watch(o->wall, &ob->target, ob->work.pid, err);
	if (!ret && o->wall)
		wall_switches_at_samples(o->wall, o->observe.set, &ob->fds);
	if (!ret && o->switch_events)
		ret = switch_event_open(&r->switch_event, o->switch_events, &ob->loop, RING_SWITCH, err);
	return ret;
}

static int begin(void *ctx, struct observer *ob, struct err *err)
{
	struct record_run *r = ctx;
	const struct record_opts *o = r->o;
	int ret;

	if (r->start_ns)	/* -D: events of other targets are on already */
		return 0;
	r->start_ns = ob->start_ns;
	ret = switch_event_enable(&r->switch_event, err);
	if (!ret && r->off_cpu)
		ret = off_cpu_start(r->off_cpu, err);
	if (!ret && o->wall)
		ret = wall_switches_start(o->wall, &ob->loop, RING_WALL, err);
	if (!ret && !o->threads)
		ret = loop_set_timer(&ob->loop, TIMER_COMMIT, COMMIT_NS, COMMIT_NS, err);
	if (!ret && o->switch_mode == SWITCH_TIME)
		ret = loop_set_timer(&ob->loop, TIMER_SWITCH, o->switch_value, o->switch_value, err);
	return ret;
}

/* which threads sleep, at the beginning and the end of an output: for --wall */
static int mark_sleepers(struct record_run *r)
{
	struct strbuf sb = STRBUF_INIT;
	int ret = 0;

	wall_marks_put(&r->marks, r->o->observe.set, &r->ob.fds, &r->ob.target, r->rec.follow, &sb);
	if (sb.len)
		ret = recorder_add(&r->rec, &sb);
	strbuf_release(&sb);
	return ret;
}

static int enabled(void *ctx, struct observer *ob, struct err *err)
{
	struct record_run *r = ctx;
	int ret = recorder_add_children(&r->rec);

	if (!ret)
		ret = mark_sleepers(r);
	return ret < 0 ? write_error(r, ret, err) : 0;
}

static void beside(void *ctx, void (*run)(void *arg), void *arg)
{
	struct record_run *r = ctx;

	streams_run(&r->rec.streams, run, arg);
}

/* ---- while it runs ---- */

/* what BPF programs saw since the last pass: in a file these samples follow those of the rings */
static int add_from_bpf(struct record_run *r)
{
	struct strbuf sb = STRBUF_INIT;
	int ret = 0;

	if (r->off_cpu)
		off_cpu_take(r->off_cpu, &r->ob.fds, &sb);
	if (r->o->wall)
		wall_switches_take(r->o->wall, r->o->wall_event, &r->ob.fds, &sb);
	if (sb.len)
		ret = recorder_add(&r->rec, &sb);
	strbuf_release(&sb);
	return ret;
}

/* a pass over the rings */
static int drain_rings(struct record_run *r, bool all)
{
	int ret = recorder_drain(&r->rec, all);

	return !ret && (r->off_cpu || r->o->wall) ? add_from_bpf(r) : ret;
}

static int snapshot_now(struct record_run *r, struct err *err)
{
	int ret = recorder_snapshot(&r->rec);

	return ret < 0 ? write_error(r, ret, err) : 0;
}

static void add_aux_flags(struct aux_flags *sum, const struct aux_flags *f)
{
	sum->truncated += f->truncated;
	sum->partial += f->partial;
	sum->collision += f->collision;
}

static int switch_now(struct record_run *r, struct err *err)
{
	/*
	 * also for rings without overwrite: without their forks and maps, samples of this and the next output
	 * have no names
	 */
	int ret = drain_rings(r, true);

	if (!ret)
		ret = mark_sleepers(r);
	if (!ret)
		ret = recorder_snapshot(&r->rec);
	if (ret < 0)
		return write_error(r, ret, err);
	add_aux_flags(&r->res->aux, &r->rec.counts.aux);
	r->rec.counts.aux = (struct aux_flags){ 0 };
	ret = recorder_finish(&r->rec, err);
	if (!ret)
		ret = outputs_rotate(&r->outs, err);
	if (!ret)
		ret = recorder_open(&r->rec, err);
	if (is_full(ret))
		err_hint(err, "%s", room_for_more(ret));
	if (ret)
		return ret;
	ret = mark_sleepers(r);
	return ret < 0 ? write_error(r, ret, err) : 0;
}

static int after_drain(struct record_run *r, struct err *err)
{
	u64 bytes = recorder_bytes(&r->rec);

	if (r->o->max_size && bytes >= r->o->max_size) {
		r->res->max_size_reached = true;
		observer_stop(&r->ob);
	}
	if (r->o->switch_mode == SWITCH_SIZE && bytes >= r->o->switch_value)
		return switch_now(r, err);
	return 0;
}

static int drain(void *ctx, struct observer *ob, struct err *err)
{
	struct record_run *r = ctx;
	int ret = drain_rings(r, false);

	if (ret < 0)
		return write_error(r, ret, err);
	/* the state at the start is not enough for an output */
	return ob->wakeups ? after_drain(r, err) : 0;
}

/* even if the rings fill slowly, data older than a second is in the file, where readers can see it */
static int commit(struct record_run *r, struct err *err)
{
	int ret = drain_rings(r, false);

	if (!ret)
		ret = writer_commit(&r->rec.out);
	if (!ret && r->o->status)
		r->o->status(r->o, clock_ns(CLOCK_MONOTONIC) - r->start_ns, r->rec.counts.samples,
			     recorder_bytes(&r->rec));
	return ret < 0 ? write_error(r, ret, err) : after_drain(r, err);
}

static int on_event(void *ctx, struct observer *ob, const struct loop_event *e, struct err *err)
{
	struct record_run *r = ctx;

	if (e->kind == LOOP_TIMER)
		return e->id == TIMER_COMMIT ? commit(r, err) : switch_now(r, err);
	if (e->kind == LOOP_FD && e->id == RING_WALL)
		return drain(ctx, ob, err);
	if (e->kind == LOOP_FD)
		observer_stop(ob);	/* a stream has failed: its error is reported at the end */
	else if (switch_event_take(&r->switch_event))
		return switch_now(r, err);
	return 0;
}

static int on_signal(void *ctx, struct observer *ob, struct err *err)
{
	struct record_run *r = ctx;

	if (r->o->switch_mode == SWITCH_SIGNAL)
		return switch_now(r, err);
	return snapshot_now(r, err);
}

static int on_snapshot(void *ctx, struct observer *ob, struct err *err)
{
	struct record_run *r = ctx;

	return r->o->switch_mode != SWITCH_NONE ? switch_now(r, err) : snapshot_now(r, err);
}

/* ---- the end ---- */

static void fill_result(struct record_run *r)
{
	struct record_result *res = r->res;
	const struct recorder *rec = &r->rec;

	res->samples = rec->counts.samples;
	res->start_ok = true;
	res->lost = MAX(rec->counts.lost + rec->counts.lost_samples, rec->lost_total);
	res->filtered = rec->filtered;
	res->bytes = rec->last_size;
	res->comp_ratio = rec->comp_ratio;
	res->raw_bytes = rec->packer.in_bytes;
	res->throttled = rec->counts.throttled;
	res->ring_pages = r->ob.rings.pages;
	res->aux_bytes = rec->aux.bytes;
	res->aux_lost = rec->aux.lost;
	res->aux_pages = r->trace.aux_pages;
	add_aux_flags(&res->aux, &rec->counts.aux);
	res->wakeups = r->ob.wakeups + rec->wakeups;
}

static int finish(struct record_run *r, struct err *err)
{
	struct err disable_err = ERR_INIT;
	/* while records still tell what happens meanwhile; the next file may not have been created */
	int ret = r->rec.out.fd < 0 ? 0 : mark_sleepers(r), werr;

	open_disable(&r->ob.fds, r->o->observe.set, &disable_err);
	if (r->o->wall)
		wall_switches_stop(r->o->wall);
	/* it may do something while it ends, which is not part of the profile */
	observer_end_command(&r->ob);
	/* the next file could not be created: the files before it are complete */
	if (r->rec.out.fd < 0) {
		fill_result(r);
		return 0;
	}
	if (!ret)
		ret = drain_rings(r, true);
	if (!ret)
		ret = recorder_last_snapshot(&r->rec);
	r->res->elapsed_ns = clock_ns(CLOCK_MONOTONIC) - r->start_ns;
	werr = recorder_finish(&r->rec, ret < 0 ? NULL : err);
	fill_result(r);
	if (ret < 0)
		return write_error(r, ret, err);
	return werr ? werr : outputs_finish(&r->outs, err);
}

static void tell_off_cpu_lost(const struct record_run *r)
{
	u64 lost = r->off_cpu ? off_cpu_lost(r->off_cpu) : 0;

	if (lost)
		log_warn("--off-cpu: %lu sleeps found no room in the table of threads and stacks: their "
			 "times are missing", lost);
}

static int end(void *ctx, struct observer *ob, int failed, struct err *err)
{
	struct record_run *r = ctx;
	int ret;

	r->o->progress_begin();
	ret = finish(r, err);
	r->o->progress_end();
	tell_off_cpu_lost(r);
	return ret;
}

static void release(struct record_run *r)
{
	recorder_release(&r->rec);
	switch_event_release(&r->switch_event);
	off_cpu_free(r->off_cpu);
	wall_marks_release(&r->marks);
	trace_setup_release(&r->trace);
	features_release(&r->feat);
	event_cgroups_release(&r->cgroups);
	observer_release(&r->ob);
}

static int run_all(struct record_run *r, struct err *err)
{
	bool at_signal = r->o->switch_mode == SWITCH_SIGNAL || r->o->attr.write_backward || r->o->snapshot.on;
	const struct observer_ops ops = {
		.configure = configure, .start = start, .begin = begin,
		.enabled = enabled,
		.beside = r->o->threads ? beside : NULL, .drain = drain,
		.signal = at_signal ? on_signal : NULL, .snapshot = on_snapshot, .event = on_event,
		.end = end,
	};
	int ret = record_opts_check(r->o, err);

	/* one that is sent by mistake must not end it; perf daemon sees from this that nothing was written */
	if (!at_signal)
		signal(SIGUSR2, SIG_IGN);
	if (!ret)
		ret = outputs_check(&r->outs, err);
	if (!ret)
		ret = observer_resolve(&r->ob, &r->o->observe, err);
	return ret ? ret : observer_run(&r->ob, &ops, r, err);
}

int record_run(const struct record_opts *o, struct record_result *res, struct err *err)
{
	struct record_run r = { .o = o, .res = res, .rec = RECORDER_NONE };
	int ret;

	*res = (struct record_result){ 0 };
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);	/* a write beyond the limit of file sizes fails instead */
	outputs_init(&r.outs, o->output, o->timestamp_filename || o->switch_mode != SWITCH_NONE,
		     o->switch_max_files);
	r.outs.finished = o->finished;
	r.outs.ctx = o->finished_ctx;
	ret = run_all(&r, err);
	observer_log_notes(&r.ob);	/* about events that could not be opened after all */
	res->signal = r.ob.signal;
	res->exec_failed = r.ob.exec_failed;
	res->exit_status = workload_exit_status(&r.ob.work);
	release(&r);
	res->path = xstrdup(outputs_last(&r.outs));
	outputs_release(&r.outs);
	return ret;
}
