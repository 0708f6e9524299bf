/* perf list: what can be counted and recorded here. */
#include "ui/items.h"
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/pager.h"
#include "util/cli/parse-options.h"
#include "util/cli/parse-usage.h"
#include "util/list/list.h"
#include "util/pmu/event-table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const list_usage[] = {
	"perf list [<options>] [hw | sw | cache | tool | hwmon | pmu | tracepoint | probe | sdt | metric | "
	"metricgroup | pfm | <glob> | "
		"<part of a name>]...",
	"perf list --fields [<options>] [<tracepoint glob>]...",
	NULL
};

struct list_args {
	struct list_request req;
	struct items_opts look;
	struct table_source tables;
	bool desc, desc_given, json, raw, fields, debug;
	const char *output;
};

/* 0, or a negative errno with err */
static int write_out(const struct list_args *a, const struct strbuf *out, struct err *err)
{
	FILE *f = a->output ? file_create(a->output, true) : stdout;
	int ret = 0;

	if (!f)
		return err_sys(err, errno, "cannot write %s", a->output);
	fwrite(strbuf_str(out), 1, out->len, f);
	if (a->output)
		ret = file_finish(f, a->output, ferror(f) ? -EIO : 0);
	else if (fflush(f))
		ret = -errno;
	return !ret || ret == -EPIPE ? 0 : err_sys(err, -ret, "cannot write %s",
						   a->output ? a->output : "standard output");
}

static void show(const struct list_args *a, const struct view_items *items, struct strbuf *out)
{
	const char *format = a->json ? "json" : a->raw ? "names" : "text";

	items_format_find(format)->show(items, &a->look, out);
}

static int show_fields(const struct list_args *a, struct strbuf *out, struct err *err)
{
	struct view_items items;
	struct list_fields l;
	int ret = list_fields_make(&l, a->req.patterns, a->req.nr_patterns, a->look.long_desc, err);

	if (!ret) {
		list_fields_items(&l, &items);
		show(a, &items, out);
	}
	if (!ret && !l.nr && a->req.nr_patterns)
		log_note("no tracepoint matches '%s'%s", a->req.patterns[0],
			 a->req.nr_patterns > 1 ? " or the others" : "");
	list_fields_release(&l);
	return ret;
}

static int show_list(struct list_args *a, struct strbuf *out, struct err *err)
{
	struct view_items items;
	struct list l;
	int ret = list_make(&l, &a->req, err);

	if (ret)
		return ret;
	list_items(&l, &items);
	show(a, &items, out);
	if (l.notes.len && !a->raw)
		log_note("%.*s", (int)(l.notes.len - 1), l.notes.buf);
	if (!l.nr && a->req.nr_patterns && !a->req.unit && !a->req.cputype)
		log_note("nothing matches '%s'%s", a->req.patterns[0],
			 a->req.nr_patterns > 1 ? " or the others" : "");
	list_release(&l);
	return 0;
}

/* words of the command line: sections, and patterns for the rest; none: everything */
static void take_words(struct list_args *a, int argc, const char **argv)
{
	int to = 0;

	for (int i = 0; i < argc; i++) {
		u32 bits;

		if (!a->fields && list_kind_find(argv[i], &bits))
			a->req.kinds |= bits;
		else
			argv[to++] = argv[i];
	}
	/* codes and addresses are hints beside hardware events */
	if (a->req.kinds & LIST_BIT(HW))
		a->req.kinds |= LIST_BIT(RAW);
	a->req.patterns = argv;
	a->req.nr_patterns = to;
	if (!argc)
		a->req.kinds = LIST_ALL;
}

int cmd_list(int argc, const char **argv)
{
	struct list_args a = { .desc = true };
	const struct option options[] = {
		{ .type = OPT_BOOL_T, .short_name = 'd', .long_name = "desc", .value = &a.desc,
		  .set = &a.desc_given, .help = "describe events (the default on a terminal)" },
		OPT_BOOL('j', "json", &a.json, "print an array of JSON objects"),
		OPT_STRING('o', "output", &a.output, "file", "write to this file"),
		OPT_BOOL('v', "long-desc", &a.look.long_desc,
			 "print long descriptions and every PMU of a numbered kind"),
		OPT_STRING(0, "cputype", &a.req.cputype, "type",
			   "list only events of this kind of core (core, atom)"),
		OPT_BOOL(0, "debug", &a.debug, "print which files are read"),
		OPT_BOOL(0, "deprecated", &a.req.deprecated, "include deprecated events"),
		OPT_BOOL(0, "details", &a.look.details,
			 "print how events are encoded and metrics are computed"),
		OPT_STRING(0, "event-table", &a.tables.dir, "dir",
			   "read vendor event and metric tables from this directory"),
		OPT_BOOL(0, "fields", &a.fields,
			 "print the fields of tracepoints with types and print formats"),
		OPT_BOOL(0, "raw-dump", &a.raw, "print only names, on one line, for shell completion"),
		OPT_STRING(0, "unit", &a.req.unit, "PMU", "list only events of this PMU"),
		OPT_END()
	};
	struct strbuf out = STRBUF_INIT;
	struct err err = ERR_INIT;
	int ret;

	argc = parse_options(argc, argv, options, list_usage, 0);
	if (a.json && a.raw)
		return opt_usage_error(options, NULL, list_usage,
				       "--json and --raw-dump are two forms of output: choose one");
	if (a.debug)
		log_level = MAX(log_level, 1);
	a.req.tables = &a.tables;
	a.req.instances = a.look.long_desc;
	a.req.formats = a.json || a.look.details;
	a.look.width = a.output || a.json || a.raw ? 0 : terminal_width(STDOUT_FILENO);
	/* on a pipe a line is a name and what kind it is, unless more is asked for */
	a.look.desc = a.desc && (a.look.width || a.desc_given);
	take_words(&a, argc, argv);
	ret = a.fields ? show_fields(&a, &out, &err) : show_list(&a, &out, &err);
	if (!ret && a.look.width)
		pager_start("list");
	if (!ret)
		ret = write_out(&a, &out, &err);
	strbuf_release(&out);
	table_source_release(&a.tables);
	return ret ? die_err(&err) : 0;
}
