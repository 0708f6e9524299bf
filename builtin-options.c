/* Options: see builtin-options.h. */
#include "builtin-options.h"
#include "ui/text.h"
#include "util/base/alloc.h"
#include "util/base/log.h"
#include "util/base/units.h"
#include "util/cli/color.h"
#include "util/cli/config.h"
#include "util/data/itrace-opts.h"
#include "util/kernel/rings.h"
#include "util/observe/observer.h"
#include "util/observe/sample-attr.h"
#include "util/pmu/parse-events.h"
#include "util/pmu/parse-pfm.h"
#include "util/session/session.h"
#include "util/sym/debuginfod.h"
#include "util/unwind/unwinder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int opt_events(const struct option *opt, const char *arg, bool unset)
{
	struct event_args *a = opt->value;
	struct strbuf notes = STRBUF_INIT;
	const struct parse_events_opts o = { .option = "-e", .tables = &a->tables, .notes = &notes };
	struct err err = ERR_INIT;
	int ret;

	a->last_event = a->set->ev.nr;
	ret = parse_events(a->set, arg, &o, &err);
	log_warn_lines(strbuf_str(&notes));
	strbuf_release(&notes);
	return ret < 0 ? opt_err(opt, &err) : 0;
}

int opt_pfm_events(const struct option *opt, const char *arg, bool unset)
{
	struct event_args *a = opt->value;
	struct err err = ERR_INIT;

	a->last_event = a->set->ev.nr;
	return parse_pfm_events(a->set, arg, &err) < 0 ? opt_err(opt, &err) : 0;
}

int opt_filter(const struct option *opt, const char *arg, bool unset)
{
	struct event_args *a = opt->value;
	struct err err = ERR_INIT;

	if (parse_filter(a->set, a->last_event, arg, &err) < 0)
		return opt_err(opt, &err);
	return 0;
}

int opt_freq(const struct option *opt, const char *arg, bool unset)
{
	u64 *freq = opt->value;

	if (!strcmp(arg, "max")) {
		*freq = SAMPLE_FREQ_MAX;
		return 0;
	}
	if (parse_u64(arg, freq) < 0 || !*freq)
		return opt_error(opt, "'%s' is neither a number of samples per second nor 'max'", arg);
	return 0;
}

int opt_count(const struct option *opt, const char *arg, bool unset)
{
	if (parse_u64(arg, opt->value) < 0)
		return opt_error(opt, "'%s' is not a number of events", arg);
	return 0;
}

int opt_mmap_pages(const struct option *opt, const char *arg, bool unset)
{
	u64 *pages = opt->value;
	bool rounded = false;

	if (strchr(arg, ','))
		return opt_error(opt, "'%s': only perf record has AUX areas, which a second size is for",
				 arg);
	if (rings_parse_pages(arg, pages, &rounded) < 0)
		return opt_error(opt, "'%s' is neither a number of pages nor a size such as 512K or 4M", arg);
	if (rounded)
		log_note("rounding mmap pages size to %llu bytes (%llu pages)",
			 (unsigned long long)(*pages * (u64)getpagesize()), (unsigned long long)*pages);
	return 0;
}

int opt_mmap_sizes(const struct option *opt, const char *arg, bool unset)
{
	struct observe_opts *o = opt->value;
	const char *comma = strchrnul(arg, ',');
	char *ring = xstrndup(arg, comma - arg);
	struct option one = *opt;
	int ret = 0;

	one.value = &o->ring_pages;
	if (*ring || !*comma)
		ret = opt_mmap_pages(&one, ring, unset);
	one.value = &o->aux_pages;
	if (!ret && *comma)
		ret = opt_mmap_pages(&one, comma + 1, unset);
	free(ring);
	return ret;
}

int opt_quiet(const struct option *opt, const char *arg, bool unset)
{
	log_level = unset ? 0 : -1;
	return 0;
}

int opt_seconds(const struct option *opt, const char *arg, bool unset)
{
	unsigned int *ms = opt->value;
	u64 ns;

	if (parse_seconds(arg, &ns) && parse_duration(arg, 1000000000, &ns))
		return opt_error(opt, "'%s' is neither a number of seconds, such as 0.5, "
				 "nor a time such as 500ms", arg);
	if (ns < 1000000 || ns / 1000000 > UINT32_MAX)
		return opt_error(opt, "'%s' is not between 1 ms and 49 days", arg);
	*ms = ns / 1000000;
	return 0;
}

int opt_symfs(const struct option *opt, const char *arg, bool unset)
{
	struct sym_opts *sym = opt->value;
	const char *comma = arg ? strchr(arg, ',') : NULL;

	if (comma && strcmp(comma, ",flat") && strcmp(comma, ",hierarchy"))
		return opt_error(opt, "the layout after the directory is 'hierarchy' or 'flat', not '%s'",
				 comma + 1);
	sym->symfs = comma ? xstrndup(arg, comma - arg) : arg;
	sym->symfs_flat = comma && !strcmp(comma, ",flat");
	return 0;
}

int opt_debuginfod(const struct option *opt, const char *arg, bool unset)
{
	struct err err = ERR_INIT;
	bool *on = opt->value;
	int ret = unset ? 0 : debuginfod_prepare(arg, &err);

	*on = !unset && !ret;
	/* a machine without servers still reads recordings */
	if (ret && opt->flags & OPT_FROM_CONFIG) {
		log_warn("%s: %s", opt->config, err.msg);
		return 0;
	}
	return ret ? opt_err(opt, &err) : 0;
}

int opt_name_style(const struct option *opt, const char *arg, bool unset)
{
	struct sym_opts *sym = opt->value;

	if (!unset && strcmp(arg, "short") && strcmp(arg, "full"))
		return opt_error(opt, "takes short or full, not '%s'", arg);
	sym->short_names = !unset && !strcmp(arg, "short");
	return 0;
}

int opt_unwind_style(const struct option *opt, const char *arg, bool unset)
{
	struct session_opts *session = opt->value;
	struct err err = ERR_INIT;

	session->unwinder = unset ? NULL : unwinder_choose(arg, &err);
	return err.code ? opt_err(opt, &err) : 0;
}

int opt_color(const struct option *opt, const char *arg, bool unset)
{
	enum color_mode mode = COLOR_NEVER;

	if (!unset && color_parse(arg, &mode))
		return opt_error(opt, "takes auto, always or never, not '%s'", arg);
	color_set(mode);
	return 0;
}

int opt_flamegraph(const struct option *opt, const char *arg, bool unset)
{
	struct stack_picture *p = opt->value;
	const char *dot = unset ? NULL : strrchr(arg, '.');

	p->path = unset ? NULL : arg;
	p->time = false;
	p->format = !dot ? NULL : !strcmp(dot, ".html") ? "flamegraph" : !strcmp(dot, ".svg") ? "svg" : NULL;
	if (!unset && !p->format)
		return opt_error(opt, "the name '%s' ends neither with .html nor with .svg", arg);
	return 0;
}

int opt_html(const struct option *opt, const char *arg, bool unset)
{
	struct stack_picture *p = opt->value;

	p->path = arg;
	p->format = unset ? NULL : "report-page";
	p->time = !unset;
	return 0;
}

int opt_folded(const struct option *opt, const char *arg, bool unset)
{
	struct stack_picture *p = opt->value;

	p->path = arg;
	p->format = unset ? NULL : "folded";
	p->time = false;
	return 0;
}

#define WIDTH_MAX 10000u	/* a cell is padded to it */

int opt_widths(const struct option *opt, const char *arg, bool unset)
{
	struct text_opts *o = opt->value;
	char *end;

	for (o->nr_widths = 0; arg && *arg; arg = *end ? end + 1 : end) {
		unsigned long width = strtoul(arg, &end, 10);

		if (o->nr_widths == TEXT_MAX_WIDTHS)
			return opt_error(opt, "takes at most %d widths", TEXT_MAX_WIDTHS);
		if (end == arg || (*end && *end != ',') || width > WIDTH_MAX)
			return opt_error(opt, "'%s' is not a list of widths, such as 8,20,40 (at most %u)",
					 arg, WIDTH_MAX);
		o->widths[o->nr_widths++] = width;
	}
	return 0;
}

int opt_percent(const struct option *opt, const char *arg, bool unset)
{
	double *percent = opt->value;
	char *end;

	*percent = unset ? 0 : strtod(arg, &end);
	if (!unset && end != arg && *end == '%')
		end++;
	if (!unset && (end == arg || *end || !(*percent >= 0 && *percent <= UINT32_MAX)))
		return opt_error(opt, "'%s' is not a share in percent", arg);
	return 0;
}

int opt_relative(const struct option *opt, const char *arg, bool unset)
{
	bool *relative = opt->value;

	*relative = !strcmp(arg, "relative");
	if (!*relative && strcmp(arg, "absolute"))
		return opt_error(opt, "takes 'relative' or 'absolute', not '%s'", arg);
	return 0;
}

int opt_call_chains(const struct option *opt, const char *arg, bool unset)
{
	struct callgraph_opts *cg = opt->value;
	struct err err = ERR_INIT;

	if (unset)
		cg->mode = CALLGRAPH_NONE;
	else if (arg && parse_callgraph(arg, cg, &err))
		return opt_err(opt, &err);
	else if (!arg && cg->mode == CALLGRAPH_NONE)
		cg->mode = CALLGRAPH_FP;
	return 0;
}

int opt_branch_any(const struct option *opt, const char *arg, bool unset)
{
	u64 *branches = opt->value;

	*branches = 0;
	return unset || !parse_branch_filter("any", branches, NULL) ? 0 : -1;
}

int opt_branch_filter(const struct option *opt, const char *arg, bool unset)
{
	struct err err = ERR_INIT;

	if (unset) {
		*(u64 *)opt->value = 0;
		return 0;
	}
	return parse_branch_filter(arg, opt->value, &err) < 0 ? opt_err(opt, &err) : 0;
}

int opt_itrace(const struct option *opt, const char *arg, bool unset)
{
	struct itrace_opts *o = opt->value;
	struct err err = ERR_INIT;

	o->off = unset;
	o->given = false;
	return !unset && itrace_parse(arg, o, &err) ? opt_err(opt, &err) : 0;
}

void itrace_configure(struct itrace_opts *o)
{
	const char *loops = config_get("intel-pt.max-loops");
	const char *size = config_get("itrace.debug-log-buffer-size");

	o->pt_decoder = config_get("intel-pt.decoder");
	o->cs_decoder = config_get("coresight.decoder");
	o->max_loops = loops ? strtoul(loops, NULL, 10) : 0;
	o->log_size = size ? strtoull(size, NULL, 10) : 0;
	o->mispred_all = config_get_bool("intel-pt.mispred-all", false);
}

void note_no_trace(const struct session *s)
{
	if (!session_has_trace(s))
		log_warn("--itrace: %s has no hardware trace to decode: its own samples are shown",
			 s->data->path);
}
