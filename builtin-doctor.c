/* perf doctor: what a profile lacks, and what to do. Options and wiring; the work is in util/doctor. */
#include "ui/format.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/cli/progress.h"
#include "util/doctor/symbols.h"
#include "builtin-options.h"

#include <string.h>

struct doctor_cmd {
	struct session_opts session;
	char separator;
	bool json;
};

static const char *const usage[] = { "perf doctor [<options>] symbols [<file>]", NULL };

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

int cmd_doctor(int argc, const char **argv)
{
	static const char *const words[] = { "symbols", NULL };
	struct doctor_cmd c = { .session.sym = SYM_OPTS_INIT };
	const struct option options[] = {
#include "builtin-doctor.def"
		OPT_END(),
	};

	argc = parse_options_sub(argc, argv, options, words, usage, PARSE_STOP_AT_NON_OPTION);
	if (!argc || strcmp(argv[0], "symbols"))
		return opt_usage_error(options, NULL, usage, argc ? "'%s' is not symbols" : "say symbols",
				       argv[0]);
	argc = parse_options(argc, argv, options, usage, 0);
	if (argc > 1 || (argc && c.session.data.path))
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[argc - 1]);
	if (argc)
		c.session.data.path = argv[0];
	if (c.json && c.separator)
		return opt_usage_error(options, NULL, usage, "--json and -x exclude each other");
	return show_symbols(&c);
}
