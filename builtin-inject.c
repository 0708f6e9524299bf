/* perf inject: copies a recording and adds to it. Options and wiring; the work is in util/inject. */
#include "builtin-inject.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "builtin-options.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char *const usage[] = { "perf inject [<options>]", NULL };

/* -b, -B; the options for all files win */
static int want_hit(const struct option *opt, const char *arg UNUSED, bool unset UNUSED)
{
	enum inject_ids *ids = opt->value;

	*ids = MAX(*ids, INJECT_IDS_HIT);
	return 0;
}

/* --buildid-all, --mmap2-buildid-all */
static int want_all(const struct option *opt, const char *arg UNUSED, bool unset UNUSED)
{
	enum inject_ids *ids = opt->value;

	*ids = INJECT_IDS_ALL;
	return 0;
}

static int want_correlation(const struct option *opt, const char *arg UNUSED, bool unset)
{
	*(bool *)opt->value = !unset;
	return 0;
}

/* --vm-time-correlation: the packets of an Intel PT trace hold the times */
static int correlate(const struct session *s, struct err *err)
{
	return err_set(err, -ENOTSUP, session_has_trace(s) ?
		       "%s has an AUX trace, which this perf does not decode: times of guests stay" :
		       "%s has no Intel PT trace by which times of guests could be corrected",
		       s->data->path);
}

static int copy(void *cmd, struct session *s, struct err *err)
{
	struct inject_cmd *c = cmd;
	int ret;

	if (c->correlate)
		return correlate(s, err);
	ret = inject_run(s, &c->inject, err);
	session_trace_end(s);
	return ret;
}

int cmd_inject(int argc, const char **argv)
{
	struct inject_cmd c = {
		.session = { .sym = SYM_OPTS_INIT, .data.path = "-" },
		.inject.output = "-",
	};
	const struct option options[] = {
#include "builtin-inject.def"
		OPT_END(),
	};

	argc = parse_options(argc, argv, options, usage, 0);
	c.session.itrace.decodes = c.session.itrace.to_file = c.inject.itrace = c.session.itrace.given;
	c.session.trace_once = inject_only_itrace(&c.inject);
	itrace_configure(&c.session.itrace);
	if (argc)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'; -i names the input",
				       argv[0]);
	if (c.inject.strip && !c.inject.itrace)
		return opt_usage_error(options, NULL, usage, "--strip needs --itrace");
	if (c.correlate && strcmp(c.inject.output, "-"))
		return opt_usage_error(options, NULL, usage,
				       "--vm-time-correlation has no output: leave out -o");
	if (!strcmp(c.inject.output, "-") && !c.correlate && isatty(STDOUT_FILENO))
		return die("standard output is a terminal: name a file with -o");
	if ((c.inject.known || c.inject.vmlinux) && !c.inject.table && !c.inject.maps)
		return opt_usage_error(options, NULL, usage, "%s needs -b, -B or --buildid-all",
				       c.inject.known ? "--known-build-ids" : "--vmlinux");
	c.session.sym.trust_paths = c.session.data.force;
	return session_run(&c.session, false, copy, &c);
}
