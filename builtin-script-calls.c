/* perf script --call-timeline: the picture; the work is in util/calls, the formats in ui/. */
#include "ui/timeline.h"
#include "util/calls/calls.h"
#include "util/cli/progress.h"
#include "util/script/script.h"
#include "builtin-script.h"

const char *script_calls_conflict(bool lists, const struct sample_filter *f, const struct itrace_opts *o)
{
	if (lists)
		return "--call-timeline excludes --json, --script and other lists";
	if (f->symbol_list || f->dso_list)
		return "--call-timeline shows whole stacks: --symbols and --dsos exclude it";
	if (o->letters && !(o->letters & itrace_letter('b')))
		return "--call-timeline needs all branches: --itrace must have the letter b";
	return NULL;
}

int script_draw_calls(struct session *s, const char *path, const struct script_opts *o, struct err *err)
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
