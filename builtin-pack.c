/* perf pack: one small file that needs no other. Options and wiring; the work is in util/inject. */
#include "builtin-inject.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"

#include <string.h>
#include <unistd.h>

static const char *const usage[] = { "perf pack [<options>] [<file>]", NULL };

static int redact_words(const struct option *opt, const char *arg, bool unset)
{
	struct err err = ERR_INIT;
	u32 *words = opt->value;

	*words = 0;
	if (!unset && redact_parse(arg, words, &err))
		return opt_error(opt, "%s", err.msg);
	return 0;
}

static int copy(void *cmd, struct session *s, struct err *err)
{
	struct inject_cmd *c = cmd;

	inject_pack_opts(&c->inject, s);
	return inject_run(s, &c->inject, err);
}

int cmd_pack(int argc, const char **argv)
{
	struct inject_cmd c = {
		.session = { .sym = SYM_OPTS_INIT },
		.inject.output = "perf.data.packed",
	};
	const struct option options[] = {
#include "builtin-pack.def"
		OPT_END(),
	};

	argc = parse_options(argc, argv, options, usage, 0);
	if (argc > 1 || (argc && c.session.data.path))
		return opt_usage_error(options, NULL, usage,
				       "unexpected argument '%s': one file can be packed", argv[argc - 1]);
	if (!c.session.data.path)
		c.session.data.path = argc ? argv[0] : "perf.data";
	if (!strcmp(c.inject.output, "-") && isatty(STDOUT_FILENO))
		return die("standard output is a terminal: name a file with -o");
	c.session.sym.trust_paths = c.session.data.force;
	return session_run(&c.session, false, copy, &c);
}
