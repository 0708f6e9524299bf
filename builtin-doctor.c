/* perf doctor: what a machine and a profile lack, and what to do. The work is in util/doctor. */
#include "builtin-features.h"
#include "ui/format.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/cli/progress.h"
#include "util/doctor/machine.h"
#include "util/doctor/recording.h"
#include "util/doctor/symbols.h"
#include "builtin-options.h"

#include <string.h>
#include <unistd.h>

#define RECORDING "perf.data"

struct doctor_cmd {
	struct session_opts session;
	char separator;
	bool json;
};

static const char *const usage[] = { "perf doctor [<options>]", "perf doctor [<options>] symbols [<file>]",
				     NULL };

static int show_symbols(struct doctor_cmd *c)
{
	struct err err = ERR_INIT;
	struct session *s;
	int ret;

	if (!data_from_pipe(&c->session.data))
		progress_begin();
	ret = session_open(&s, &c->session, &err);
	if (!ret) {
		struct text_opts text = { .separator = c->separator, .pool = s->pool };
		u32 form = format_form(c->json, c->separator);

		ret = format_answer(doctor_symbols(s, form), c->json, &text, &err);
		warn_diag(&s->diag);
		session_close(s);
	}
	progress_end();
	return ret ? die_err(&err) : 0;
}

/* libraries that this perf could use and does not have, with what is missing for it; false: there are none */
static bool missing_parts(struct strbuf *out)
{
	size_t nr;
	const struct build_feature *f = build_features(&nr);

	for (; nr; nr--, f++)
		if (f->plugin && !strcmp(f->name, f->library) && !feature_usable(f, NULL))
			strbuf_addf(out, "%s%s: %s", out->len ? "; " : "", f->name, f->without);
	return out->len;
}

/* the table of a recording; one that the user did not name and that cannot be opened is a finding */
static int add_recording(struct doctor_cmd *c, struct view *v, u32 form, struct session **ret,
			 struct err *err)
{
	bool named = c->session.data.path;

	if (!named && access(RECORDING, F_OK))
		return 0;
	if (!named)
		c->session.data.path = RECORDING;
	progress_begin();
	if (!session_open(ret, &c->session, err)) {
		doctor_recording(v, *ret, form);
		warn_diag(&(*ret)->diag);
	} else if (!named) {
		doctor_no_recording(v, RECORDING, err, form);
		err_clear(err);
	}
	progress_end();
	return err->code;
}

static int show_all(struct doctor_cmd *c)
{
	struct text_opts text = { .separator = c->separator };
	struct strbuf parts = STRBUF_INIT;
	u32 form = format_form(c->json, c->separator);
	struct view *v = xcalloc(1, sizeof(*v));
	struct session *s = NULL;
	struct err err = ERR_INIT;
	int ret;

	v->name = "doctor";
	v->tables = "tables";
	doctor_machine(v, missing_parts(&parts) ? strbuf_str(&parts) : NULL, form);
	ret = add_recording(c, v, form, &s, &err);
	if (!ret)
		ret = format_answer(v, c->json, &text, &err);
	else
		view_free(v);
	session_close(s);
	strbuf_release(&parts);
	return ret ? die_err(&err) : 0;
}

int cmd_doctor(int argc, const char **argv)
{
	static const char *const words[] = { "symbols", NULL };
	struct doctor_cmd c = { .session.sym = SYM_OPTS_INIT };
	const struct option options[] = {
#include "builtin-doctor.def"
		OPT_END(),
	};
	bool all;

	argc = parse_options_sub(argc, argv, options, words, usage, PARSE_STOP_AT_NON_OPTION);
	if (argc && strcmp(argv[0], "symbols"))
		return opt_no_subcommand(options, words, usage, argv[0]);
	all = !argc;
	if (argc)
		argc = parse_options(argc, argv, options, usage, 0);
	if (argc > 1 || (argc && c.session.data.path))
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[argc - 1]);
	if (argc)
		c.session.data.path = argv[0];
	return all ? show_all(&c) : show_symbols(&c);
}
