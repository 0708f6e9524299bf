/* perf script NAME: an analysis is shown, or written into files. */
#include "builtin-script.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "ui/format.h"
#include "util/analyses/analysis.h"
#include "util/base/log.h"
#include "util/tracing/observe.h"

/* the texts of the cells, with semicolons between them, as programs read what upstream's script writes */
static int write_file(const struct analysis *a, struct analysis_run *run, u32 word, struct err *err)
{
	struct text_opts text = { .separator = ';' };
	struct view *v;
	int ret;

	run->file = word;
	v = analysis_view(a, run, VIEW_FORM_TEXT);
	ret = format_view_file("separated", v, &text, run->args->word[word], err);
	view_free(v);
	return ret;
}

static int write_files(const struct analysis *a, struct analysis_run *run, u32 files, struct err *err)
{
	u64 lost = tracing_nr_lost(run->session);
	int ret = 0;

	for (u32 i = 0; i < ANALYSIS_WORDS && !ret; i++)
		if (files & 1u << i)
			ret = write_file(a, run, i, err);
	if (!ret && lost)
		log_warn("%lu events were lost while recording: rows are missing, and sums are too small",
			 lost);
	return ret == -EPIPE ? 0 : ret;
}

int script_show_analysis(const struct script_by_name *o, const struct analysis *a, struct analysis_run *run,
			 struct err *err)
{
	u32 files = analysis_files(a, run->args);
	struct text_opts text = { .separator = o->separator };
	u32 form = format_form(*o->json, o->separator);

	if (files)
		return write_files(a, run, files, err);
	return format_answer(analysis_view(a, run, form), *o->json, &text, err);
}

int script_show_next(const struct script_by_name *o, const struct analysis *a, struct analysis_run *run,
		     struct err *err)
{
	struct text_opts text = { .separator = o->separator };
	const char *format = *o->json ? "json" : o->separator ? "separated" : "text";
	u32 form = format_form(*o->json, o->separator);
	struct view *v = analysis_view(a, run, form);
	int ret;

	fputs(form != VIEW_FORM_TEXT ? "" : isatty(STDOUT_FILENO) ? "\033[H\033[2J" : "\n", stdout);
	ret = format_find(format)->show(v, &text, stdout);
	view_free(v);
	analysis_reset(a, run);
	return ret && ret != -EPIPE ? err_sys(err, -ret, "the table cannot be written") : ret;
}
