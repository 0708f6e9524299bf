/* perf annotate: shows the instructions of hot functions, with what was counted at each. */
#include "builtin-annotate.h"
#include "builtin-options.h"
#include "builtin-session.h"
#include "ui/format.h"
#include "ui/tui/tui.h"
#include "ui/types.h"
#include "util/annotate/types.h"
#include "util/base/alloc.h"
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/color.h"
#include "util/cli/config.h"
#include "util/cli/pager.h"
#include "util/cli/parse-options.h"
#include "util/cli/progress.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct annotate_cmd {
	struct session_opts session;
	struct annotate_opts annotate;
	struct listing_opts text;
	struct types_opts types;
	struct tui_choice tui;
	const char *data_type;		/* only this type; NULL: all */
	bool by_type;			/* types instead of functions */
	bool stdio2, json, dump;
};

static const char *const usage[] = { "perf annotate [<options>] [<symbol>]", NULL };

static int parse_data_type(const struct option *opt, const char *arg, bool unset)
{
	struct annotate_cmd *c = opt->value;

	c->by_type = !unset;
	c->data_type = arg;
	return 0;
}

static int write_error(struct err *err)
{
	return errno == EPIPE ? -EPIPE : err_sys(err, errno, "cannot write to standard output");
}

/* one listing after another, so that memory holds one */
static int show(struct annotate_cmd *c, struct annotate *a, struct err *err)
{
	const char *name = c->json ? "json" : c->stdio2 ? "stdio2" : "stdio";
	const struct listing_format *f = listing_format_find(name);
	struct strbuf out = STRBUF_INIT;
	struct arena arena = { 0 };
	struct view_listing l;
	int ret = 0;

	progress_end();
	pager_start("annotate");
	c->text.color = !c->json && color_wanted(STDOUT_FILENO);
	if (f->begin)
		f->begin(&out);
	for (size_t i = 0; i < a->function.nr && !ret; i++) {
		annotate_listing(a, i, &arena, &l);
		if (!l.why || !c->annotate.skip_missing) {
			f->show(&l, &c->text, &out);
			c->text.index++;
		}
		annotate_listing_release(&l);
		arena_reset(&arena);
		ret = write_stdout(NULL, strbuf_str(&out), out.len);
		strbuf_reset(&out);
	}
	if (f->end)
		f->end(&out);
	if (!ret)
		ret = write_stdout(NULL, strbuf_str(&out), out.len);
	if (!ret && fflush(stdout))
		ret = -EPIPE;
	if (ret)
		ret = write_error(err);
	arena_release(&arena);
	strbuf_release(&out);
	return ret;
}

static void note_no_type(const char *type)
{
	struct err why = ERR_INIT;

	err_set(&why, -ENODATA, "no sample is at an access to a type '%s'", type);
	err_hint(&why, "perf report -s type lists the types that were accessed");
	log_warn_err(&why);
}

static int show_types(struct annotate_cmd *c, struct annotate *a, struct err *err)
{
	struct strbuf out = STRBUF_INIT;
	struct arena arena = { 0 };
	struct view_types t;
	int ret = 0;

	annotate_types(a, c->data_type, &arena, &t);
	progress_end();
	if (!t.type.nr && c->data_type)
		note_no_type(c->data_type);
	if (c->json)
		types_json(&t, &out);
	else if (t.type.nr || !c->data_type)
		types_text(&t, &c->types, &c->text, &out);
	if (!ret) {
		pager_start("annotate");
		if (write_stdout(NULL, strbuf_str(&out), out.len) || fflush(stdout))
			ret = write_error(err);
	}
	annotate_types_release(&t);
	arena_release(&arena);
	strbuf_release(&out);
	return ret;
}

/* what is printed beside the code is for text */
static bool wants_browser(const struct annotate_cmd *c)
{
	return !(c->stdio2 || c->json || c->dump || c->text.summary) &&
	       (c->tui.tui || !data_from_pipe(&c->session.data)) &&
	       tui_wanted(&c->tui, config_get_bool("tui.annotate", true));
}

/* in the terminal; as text, if nobody asked for the terminal interface and it cannot be shown */
static int show_or_browse(struct annotate_cmd *c, struct annotate *a, struct err *err)
{
	int ret;

	if (!wants_browser(c))
		return show(c, a, err);
	ret = annotate_browse(a, &c->text, err);
	if (!ret || c->tui.tui)
		return ret;
	tui_note_missing(err, "annotate");
	return show(c, a, err);
}

static int analyze(void *cmd, struct session *s, struct err *err)
{
	struct annotate_cmd *c = cmd;
	struct annotate a;
	bool none;
	int ret;

	if (c->dump)
		session_dump_text(s, false);
	ret = annotate_collect(&a, s, &c->annotate, err);
	if (!ret && c->session.itrace.given)
		note_no_trace(s);
	none = ret == -ENODATA;
	if (none) {
		log_warn_err(err);
		err_clear(err);
		ret = 0;
	}
	if (!ret && (!none || c->json))
		ret = c->by_type ? show_types(c, &a, err) : show_or_browse(c, &a, err);
	annotate_release(&a);
	return ret;
}

int cmd_annotate(int argc, const char **argv)
{
	struct annotate_cmd c = { .session = { .sym = SYM_OPTS_INIT }, .annotate = { .source = true } };
	const struct option options[] = {
#include "builtin-annotate.def"
		OPT_END(),
	};

	argc = parse_options(argc, argv, options, usage, 0);
	if (argc == 1 && !c.annotate.symbol)
		c.annotate.symbol = argv[0];
	else if (argc)
		return opt_usage_error(options, NULL, usage,
				       "unexpected argument '%s': only one function can be given, "
				       "and files are named by -i", argv[argc - 1]);
	if (c.text.nr_samples && c.text.period)
		return opt_usage_error(options, NULL, usage,
				       "--show-nr-samples and --show-total-period exclude each other");
	c.by_type |= c.types.type_stat || c.types.insn_stat;
	if (c.by_type && (c.stdio2 || c.tui.tui || c.annotate.types))
		return opt_usage_error(options, NULL, usage,
				       "types of data are shown as --stdio or --json, and without code");
	c.text.full_paths = c.annotate.full_paths;
	c.session.itrace.decodes = true;
	itrace_configure(&c.session.itrace);
	c.session.itrace.off |= c.dump;
	return session_run(&c.session, false, analyze, &c);
}
