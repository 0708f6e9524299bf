/*
 * perf script --call-timeline, --dump-aux: documents of hardware traces; the work is in util/calls and
 * util/aux, the formats in ui/.
 */
#include "ui/format.h"
#include "ui/timeline.h"
#include "util/aux/aux.h"
#include "util/aux/raw.h"
#include "util/base/log.h"
#include "util/base/units.h"
#include "util/calls/calls.h"
#include "util/cli/progress.h"
#include "util/script/script.h"
#include "builtin-script.h"

const char *script_trace_conflict(const struct script_trace *t, bool lists, const struct sample_filter *f,
				  const struct itrace_opts *o)
{
	if (t->timeline && t->dump)
		return "--call-timeline and --dump-aux exclude each other";
	if (t->timeline && lists)
		return "--call-timeline excludes --json, --script and other lists";
	if (t->timeline && (f->symbol_list || f->dso_list))
		return "--call-timeline shows whole stacks: --symbols and --dsos exclude it";
	if (t->timeline && o->letters && !(o->letters & itrace_letter('b')))
		return "--call-timeline needs all branches: --itrace must have the letter b";
	if (t->dump && (lists || sample_filter_given(f)))
		return "--dump-aux writes the whole trace: lists and filters exclude it";
	return NULL;
}

static int draw_calls(struct session *s, const char *path, const struct script_opts *o, struct err *err)
{
	const struct timeline_format *f = timeline_format_of(path, err);
	const struct sample_filter *typed = &o->filter.sample;
	const struct sample_filter filter = {
		.comm_list = typed->comm_list, .pid_list = typed->pid_list, .tid_list = typed->tid_list,
		.cpu_list = typed->cpu_list,
	};
	struct calls c;
	int ret;

	if (!f)
		return err->code;
	progress_begin();
	calls_open(&c, s, &(struct calls_opts){ .inlines = o->inlines, .time_spec = typed->time_spec });
	ret = calls_run(&c, &filter, err);
	progress_end();
	if (!ret)
		ret = timeline_write(&c.picture, f, &(struct timeline_opts){ 0 }, path, err);
	calls_close(&c);
	return ret;
}

int script_write_trace(struct session *s, const struct script_trace *t, const struct script_opts *o,
		       struct err *err)
{
	struct aux_raw_result r;
	int ret;

	if (t->timeline)
		return draw_calls(s, t->timeline, o, err);
	ret = aux_write_raw(s->data, s->machine, format_find_stream("text"), t->dump, &r, err);
	if (!ret)
		log_note("wrote %llu bytes of %u stream%s to %s; trace.json there says what they are",
			 (unsigned long long)r.bytes, r.nr_streams, plural(r.nr_streams), t->dump);
	return ret;
}

static bool may_want(const void *ctx, u64 from, u64 to, s32 cpu, s32 tid)
{
	const struct sample_filter *f = ctx;
	bool wanted = !f->times.ranges.nr;

	vec_foreach(&f->times.ranges, r)
		wanted |= from <= r->to && to >= r->from;
	return wanted && (cpu < 0 || id_filter_ok(&f->cpus, cpu)) && (tid < 0 || id_filter_ok(&f->tids, tid));
}

void script_limit_trace(struct session *s, const struct script_opts *o)
{
	if (!o->dlfilter.file && !o->engine.file && !o->graph_functions)
		session_trace_want(s, &(struct aux_want){ may_want, &o->filter.sample });
}
