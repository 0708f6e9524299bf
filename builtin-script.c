/* perf script: options and wiring. The work is in util/script. */
#include "ui/format.h"
#include "util/cli/builtin.h"
#include "util/cli/pager.h"
#include "util/cli/parse-options.h"
#include "util/cli/progress.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/contents/contents.h"
#include "util/data/header-print.h"
#include "util/data/itrace-opts.h"
#include "util/script/cells.h"
#include "util/script/dlfilter.h"
#include "util/script/engine.h"
#include "util/script/script.h"
#include "util/session/filter-notes.h"
#include "util/stat/stat-file.h"
#include "builtin-options.h"
#include "builtin-script.h"
#include "builtin-session.h"
#include "builtin-wall.h"

struct script_cmd {
	struct session_opts session;
	struct wall_opts wall;
	struct script_opts script;
	bool header, header_only, show_info, debug_mode, merge, json, list_dlfilters, list_names;
	bool show[10];
	struct script_starter starter;	/* of --gen-script */
	unsigned int max_stack;
	struct script_trace trace;
	struct script_by_name by_name;
	struct err err;
};

static int parse_fields(const struct option *opt, const char *arg, bool unset)
{
	struct script_cmd *c = opt->value;
	int ret = unset ? 0 : script_fields_parse(&c->script.fields, arg, &c->err);

	return ret ? opt_err(opt, &c->err) : 0;
}

/* --insn-trace and its like: fields, times in nanoseconds, and traces as far as they can be decoded */
static int choose_trace(const struct option *opt, const char *fields)
{
	struct script_cmd *c = opt->value;

	c->session.itrace.given = c->script.ns = true;
	return script_fields_parse(&c->script.fields, fields, &c->err) ? opt_err(opt, &c->err) : 0;
}

static int parse_insn_trace(const struct option *opt, const char *arg, bool unset)
{
	struct script_cmd *c = opt->value;
	struct err err = ERR_INIT;

	if (unset)
		return 0;
	if (strcmp(arg, "raw") && strcmp(arg, "disasm"))
		return opt_error(opt, "takes raw or disasm, not '%s'", arg);
	if (itrace_parse("i0ns", &c->session.itrace, &err))
		return opt_err(opt, &err);
	return choose_trace(opt, *arg == 'r' ? "+insn,-event,-period" : "+disasm,-event,-period");
}

static int parse_calls(const struct option *opt, const char *arg, bool unset, const char *letters,
		       const char *fields)
{
	struct script_cmd *c = opt->value;
	struct err err = ERR_INIT;

	if (unset)
		return 0;
	return itrace_parse(arg ? arg : letters, &c->session.itrace, &err) ? opt_err(opt, &err) :
	       choose_trace(opt, fields);
}

static int parse_call_trace(const struct option *opt, const char *arg, bool unset)
{
	return parse_calls(opt, arg, unset, "cewp", "-ip,-addr,-event,-period,+callindent");
}

static int parse_call_ret_trace(const struct option *opt, const char *arg, bool unset)
{
	return parse_calls(opt, arg, unset, "crewp", "-ip,-addr,-event,-period,+callindent,+flags");
}

static int parse_dlarg(const struct option *opt, const char *arg, bool unset)
{
	struct dlfilter_opts *o = opt->value;

	if (unset)
		o->arg.nr = 0;
	else
		vec_push(&o->arg, arg);
	return 0;
}

static int list_dlfilters(void)
{
	struct strbuf text = STRBUF_INIT;

	dlfilter_list(".", &text);
	printf("List of available dlfilters:\n%s", strbuf_str(&text));
	strbuf_release(&text);
	return 0;
}

static const char *const usage[] = {
	"perf script [<options>]",
	"perf script [<options>] -s <file> [<arguments>]",
	"perf script [<options>] record <name> [<options of perf record>] [<command>]",
	"perf script [<options>] report <name> [<arguments>]",
	"perf script [<options>] <name> [<arguments>] [--] [<command>]",
	NULL
};

static int setup_filters(struct script_cmd *c, const struct session *s, struct err *err)
{
	struct script_filter *f = &c->script.filter;
	const struct strtab *words = &f->sample.symbols.names;
	int ret = sample_filter_parse(&f->sample, s, err);

	for (size_t i = 1; !ret && i < words->str.nr; i++) {
		const char *name = words->str.v[i];
		char *end;
		u64 addr = strtoull(name, &end, 16);

		if (isxdigit((u8)*name) && !*end)	/* words like "add" are both */
			vec_push(&f->addrs, addr);
	}
	return ret;
}

/* filters that leave nothing would look like a file without samples */
static void warn_filters(const struct script_cmd *c, const struct session *s)
{
	const struct sample_filter *f = &c->script.filter.sample;
	const struct filter_given given[] = {
		{ "--comms", f->comm_list }, { "--dsos", f->dso_list }, { "--symbols", f->symbol_list },
		{ "--pid", f->pid_list }, { "--tid", f->tid_list }, { "--cpu", f->cpu_list },
		{ "--time", f->time_spec },
	};

	if (!c->script.passed)
		filters_warn_empty(s, &f->comms, &f->dsos, &f->symbols, given, ARRAY_SIZE(given));
}

static void release_filters(struct script_filter *f)
{
	sample_filter_release(&f->sample);
	vec_release(&f->addrs);
}

/* JSON always begins with its header */
static void print_header(const struct script_cmd *c, const struct session *s)
{
	struct strbuf text = STRBUF_INIT;

	if (c->json && c->header_only)
		script_header_cells(s, c->script.format, &text);
	else if (!c->json)
		features_print(s->data, &text, c->show_info);
	fputs(strbuf_str(&text), stdout);
	strbuf_release(&text);
}

/* a file of perf stat record contains no samples */
static int run_counts(struct script_cmd *c, struct session *s, struct err *err)
{
	const struct stream_format *format = c->json ? c->script.format : NULL;
	struct strbuf text = STRBUF_INIT;
	struct stat_round round;
	struct stat_file f;
	int ret = stat_file_of(&f, s->data, err);

	if (ret)
		return ret;
	while (c->script.dump && session_more(s, err) > 0)
		;	/* the dump shows the whole file */
	if (c->script.dump)
		contents_dump(s, DUMP_SCRIPT, format_find_stream("text"), false, write_stdout, NULL);
	if (format)
		script_header_cells(s, format, &text);
	for (bool first = true; stat_file_next(&f, &round) > 0 && !ferror(stdout); first = false) {
		if (format)
			stat_script_cells(&f, &round, format, &text);
		else
			stat_script_round(&f, &round, first, &text);
		fputs(strbuf_str(&text), stdout);
		strbuf_reset(&text);
		if (s->live)
			fflush(stdout);
	}
	fputs(strbuf_str(&text), stdout);
	warn_diag(&f.diag);
	strbuf_release(&text);
	stat_file_close(&f);
	return 0;
}

/* output to a terminal, perhaps through a pager, scrolls by itself */
static bool stdout_is_file(void)
{
	struct stat st;

	return !fstat(STDOUT_FILENO, &st) && S_ISREG(st.st_mode);
}

static int run(struct script_cmd *c, struct err *err)
{
	struct script_out o = { .per_event = c->script.per_event };
	const char *time = c->script.filter.sample.time_spec;
	bool slices = c->wall.given || c->wall.path || c->wall.wakers || c->wall.span;
	struct session *s = NULL;
	int ret;

	/* percentages need the whole recording; and a growing machine must not see newer records first */
	c->session.data.live = !(time && strchr(time, '%')) && !c->script.unsorted && !slices &&
			       !c->trace.timeline && !c->trace.dump;
	if (!data_from_pipe(&c->session.data))
		progress_begin();
	c->session.itrace.decodes = c->session.itrace.lists = true;
	c->session.trace_once = !(time && strchr(time, '%')) && !slices && !c->session.stitch_lbr &&
				!c->trace.timeline;
	itrace_configure(&c->session.itrace);
	c->session.itrace.depths = c->script.graph_functions ||
				   script_fields_any(&c->script.fields, FIELD_BIT(CALLINDENT));
	c->session.itrace.in_order = c->trace.timeline;
	c->session.itrace.off |= c->script.dump || c->trace.dump;	/* they show its packets */
	ret = wall_session_open(&s, &c->session, &c->wall, slices && !c->header_only, err);
	progress_end();
	if (ret)
		return ret;
	pager_start("script");
	o.set = s->data->evset;
	o.path = s->data->path;
	ret = setup_filters(c, s, err);
	if (!ret && (c->header || c->header_only))
		print_header(c, s);
	if (c->header_only)
		goto out;
	if (!ret && stat_file_is(s->data)) {
		ret = c->script.engine.file ?
			engine_run_counts(&c->script.engine, s, &c->script.diag, err) : run_counts(c, s, err);
		goto out;
	}
	if (!ret && (c->starter.file || c->trace.timeline || c->trace.dump)) {
		ret = c->starter.file ? script_write_starter(s, &c->starter, err) :
		      script_write_trace(s, &c->trace, &c->script, err);
		goto out;
	}
	if (!ret)
		ret = script_check(s, &c->script, err);
	if (!ret && o.per_event)
		ret = script_out_open(&o, err);
	if (!ret) {
		fflush(stdout);
		if (stdout_is_file())
			progress_begin();
		script_limit_trace(s, &c->script);
		ret = script_run(s, &c->script, script_out_write, &o, err);
		progress_end();
		session_trace_end(s);
		if (!ret)
			warn_filters(c, s);
	}
	if (!ret && c->debug_mode)
		fprintf(stderr, "Misordered timestamps: %llu\n", (unsigned long long)c->script.nr_misordered);
out:
	/* slices are all of one event: that others lack a field does not matter */
	if (!c->wall.summary.totals.nr_threads)
		log_warn_lines(strbuf_str(&c->script.fields.notes));
	script_out_close(&o, &c->script);
	fp_note(s, &c->script.fp);
	vec_release(&c->script.fp);
	diag_merge(&c->script.diag, &s->diag);
	if (c->session.itrace.given && !ret)
		note_no_trace(s);
	warn_diag(&c->script.diag);
	session_close(s);
	wall_opts_release(&c->wall);
	return ret;
}

/* options that ask for lines of text, which nothing else shows */
static bool wants_lines(const struct script_cmd *c)
{
	return c->script.dump || c->script.unsorted || c->script.latency || c->script.per_event;
}

#define usage_error(c, ...) opt_usage_error((c)->by_name.options, NULL, usage, __VA_ARGS__)

/* 129 after a message: options exclude each other */
static int check_options(const struct script_cmd *c)
{
	const struct option *opt = c->by_name.options;
	const char *why;

	for (size_t i = 0; opt[i].type != OPT_END; i++)
		if (c->by_name.given[i] && (!strcmp(opt[i].long_name, "field-separator") ||
					    !strcmp(opt[i].long_name, "stdio-color")))
			return usage_error(c, "--%s needs the name of an analysis ('perf script -l')",
					   opt[i].long_name);
	if (c->script.dlfilter.arg.nr && !c->script.dlfilter.file)
		return usage_error(c, "--dlarg '%s' needs --dlfilter FILE, which gets the argument",
				   c->script.dlfilter.arg.v[0]);
	if (c->script.engine.file && (c->json || wants_lines(c)))
		return usage_error(c, "--script excludes --json, -D, -L, --per-event-dump and "
				   "--dump-unsorted-raw-trace");
	why = script_trace_conflict(&c->trace, c->json || c->script.engine.file || wants_lines(c),
				    &c->script.filter.sample, &c->session.itrace);
	return why ? usage_error(c, "%s", why) : 0;
}

/* what the options ask for, of a recording; returns the exit status */
static int show(void *ctx)
{
	struct script_cmd *c = ctx;
	struct err err = ERR_INIT;
	int ret = check_options(c);

	if (!ret && c->trace.timeline && !c->session.itrace.letters)
		ret = itrace_parse("be", &c->session.itrace, &err);
	if (ret)
		return ret;
	c->script.format = c->json ? format_find_stream("json") : NULL;
	if (c->script.engine.file)
		script_prepare_engine(&c->script.engine, &c->script.fields);
	c->script.words = format_find_stream("text");
	for (size_t i = 0; i < ARRAY_SIZE(c->show); i++)
		c->script.show |= c->show[i] ? 1u << i : 0;
	c->script.show |= c->script.dump ? 0 : SHOW_ERROR;	/* the dump has these records, too */
	c->script.max_stack = c->max_stack;
	c->script.keep_deferred = !c->merge;
	c->script.dump |= c->script.unsorted;
	/* rounds show how the file was written: so the records between them are shown in that order, too */
	c->script.unsorted |= c->show[5];
	ret = run(c, &err);
	free(c->script.nr_lines);
	free(c->starter.file);
	release_filters(&c->script.filter);
	vec_release(&c->script.dlfilter.arg);
	script_fields_release(&c->script.fields);
	if (ret == -EPIPE)
		return 0;
	return ret ? die_err(&err) : c->script.engine.status;
}

int cmd_script(int argc, const char **argv)
{
	static struct script_cmd c = {
		.session = { .sym = SYM_OPTS_INIT }, .script.inlines = true, .max_stack = 127, .merge = true,
	};
	struct sample_filter *keep = &c.script.filter.sample;
	struct option opts[] = {
#include "builtin-script.def"
		OPT_END()
	};
	bool given[ARRAY_SIZE(opts)] = { false };
	const char **word;
	int ret, nr = argc;

	if (script_flamegraph(argc, argv, &ret))
		return ret;
	word = xcalloc(argc + 1, sizeof(*word));
	memcpy(word, argv, argc * sizeof(*word));
	c.by_name = (struct script_by_name){
		.session = &c.session, .filter = keep, .json = &c.json, .options = opts, .given = given,
		.usage = usage, .word = word + 1, .engine = &c.script.engine, .show = show, .ctx = &c,
	};
	for (size_t i = 0; i < ARRAY_SIZE(opts); i++)
		if (opts[i].type != OPT_EXCLUDES_T)
			opts[i].set = &given[i];
	script_fields_init(&c.script.fields);
	argc = parse_options(argc, argv, opts, usage, PARSE_STOP_AT_NON_OPTION);
	c.by_name.nr_words = nr - 1 - argc;
	c.script.engine.argc = argc;
	c.script.engine.argv = argv;
	if (c.by_name.all_cpus && (!argc || c.script.engine.file))
		log_warn("-a does nothing here: it is for analyses and scripts by name ('perf script -l')");
	if (c.list_names)
		ret = script_list_names();
	else if (argc > 0 && !c.script.engine.file)
		ret = script_run_name(&c.by_name, argc, argv);
	else
		ret = c.list_dlfilters ? list_dlfilters() : show(&c);
	free(word);
	return ret;
}
