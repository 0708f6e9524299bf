/*
 * perf probe: events anywhere in programs and in the kernel. Options and wiring; the work is in util/probe.
 */
#include "builtin-options.h"
#include "builtin-probe-add.h"
#include "builtin-probe-cache.h"
#include "builtin-probe-latency.h"
#include "builtin-probe-show.h"
#include "builtin-probe-target.h"
#include "builtin-status.h"
#include "util/base/log.h"
#include "util/base/strbuf.h"
#include "util/base/units.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/probe/target-text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const usage[] = {
	"perf probe [<options>] [-x <file> | -m <module>] [--add] '<place> [<argument>...]'",
	"perf probe [<options>] --del [<group>:]<event>",
	"perf probe --list[=[<group>:]<event>]",
	"perf probe [-x <file> | -m <module>] --funcs[=<filter>]",
	"perf probe [<options>] [-x <file> | -m <module>] --line '<function or file>[:<first>[-<last>]]'",
	"perf probe [<options>] [-x <file> | -m <module>] --vars '<place>'",
	"perf probe [<options>] [-x <file> | -m <module>] --definition '<place> [<argument>...]'",
	"perf probe [<options>] [-x <file> | -m <module>] --latency <function> [<command>]",
	NULL
};

static void add_definition(struct probe_cmd *c, const char *text)
{
	vec_push(&c->def, (struct definition_arg){ .text = text,
						   .target = c->target.nr ? c->target.nr - 1 : 0 });
}

/* options that say what to do, by their letters */
static int parse_action(const struct option *opt, const char *arg, bool unset UNUSED)
{
	static const char letters[] = "aDdlFLV";
	enum probe_action action = 1 << (strchr(letters, opt->short_name) - letters);
	struct probe_cmd *c = opt->value;

	c->actions |= action;
	if (action == ACTION_ADD || action == ACTION_DEFINITION)
		add_definition(c, arg);
	else if (action == ACTION_DEL)
		vec_push(&c->del, arg);
	else if (arg)
		c->what = arg;
	return 0;
}

static int parse_latency(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct probe_cmd *c = opt->value;

	c->actions |= ACTION_LATENCY;
	vec_push(&c->latency.function, arg);
	return 0;
}

static int parse_exec(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct probe_cmd *c = opt->value;

	vec_push(&c->target, (struct target_arg){ .name = arg });
	return 0;
}

static int parse_module(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct probe_cmd *c = opt->value;

	vec_push(&c->target, (struct target_arg){ .name = arg, .is_module = true });
	return 0;
}

static int parse_quiet(const struct option *opt UNUSED, const char *arg UNUSED, bool unset UNUSED)
{
	log_level = -1;
	return 0;
}

/*
 * the words after the options are one definition; an absolute path before it is its target. False: they are
 * something else
 */
static bool take_words(struct probe_cmd *c, int argc, const char **argv)
{
	struct strbuf text = STRBUF_INIT;
	int i = 0;

	if (argc && argv[0][0] == '/' && !c->target.nr) {
		const char *dot = strrchr(argv[0], '.');

		vec_push(&c->target, (struct target_arg){ .name = argv[0],
							  .is_module = dot && !strncmp(dot, ".ko", 3) });
		i++;
	}
	for (; i < argc; i++)
		strbuf_addf(&text, "%s%s", text.len ? " " : "", argv[i]);
	if (text.len)
		c->bare = strbuf_detach(&text);
	if (c->bare && (c->actions & (ACTION_LIST | ACTION_FUNCS)) && !c->what)
		c->what = c->bare;
	else if (c->bare && !(c->actions & ~(ACTION_ADD | ACTION_DEFINITION))) {
		c->actions |= c->actions ? 0 : ACTION_ADD;
		add_definition(c, c->bare);
	} else if (c->bare) {
		return false;
	}
	return true;
}

/* arguments such as -4(%bp) are not options: a blank before them says so, and the parser skips it */
static const char **hide_offsets(int argc, const char **argv)
{
	const char **v = xcalloc(argc + 1, sizeof(*v));

	for (int i = 0; i < argc; i++) {
		const char *number = argv[i] + (argv[i][0] == '-' && argv[i][1] == 'u' ? 2 : 1);

		v[i] = argv[i][0] == '-' && isdigit((u8)*number) ? xasprintf(" %s", argv[i]) : argv[i];
	}
	return v;
}

/* with --latency the words after the options are a command, whose options are its own */
static u32 has_command(int argc, const char **argv, const struct option *options)
{
	int words = options_end(argc, argv, options);

	for (int i = 1; i < words; i++)
		if (!strcmp(argv[i], "--latency") || !strncmp(argv[i], "--latency=", 10))
			return PARSE_STOP_AT_NON_OPTION;
	return 0;
}

int cmd_probe(int argc, const char **argv)
{
	struct probe_cmd c = { .max_probes = 128, .demangle = true,
			        .latency.once = PROBE_ONCE_INIT };
	struct observe_opts *w = &c.latency.observe;
	const struct option options[] = {
#include "builtin-probe.def"
		OPT_END(),
	};
	struct err err = ERR_INIT;
	int ret;

	argv = hide_offsets(argc, argv);
	argc = parse_options(argc, argv, options, usage, has_command(argc, argv, options));
	if (c.actions & ACTION_LATENCY)
		c.latency.observe.argv = argc ? argv : NULL;
	else if (!take_words(&c, argc, argv))
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", c.bare);
	if (!c.actions)
		return opt_usage_error(options, NULL, usage, "say what to probe, or what to do");
	if (c.actions & (c.actions - 1))
		return opt_usage_error(options, NULL, usage,
				       "only one of --add, --definition, --del, --list, --funcs, --line, "
				       "--vars and --latency is possible");
	if (c.bootconfig && c.actions != ACTION_DEFINITION)
		return opt_usage_error(options, NULL, usage, "--bootconfig is for --definition");
	if (c.cache && !(c.actions & (ACTION_ADD | ACTION_DEL | ACTION_LIST)))
		return opt_usage_error(options, NULL, usage, "--cache is for --add, --del and --list");
	switch (c.actions) {
	case ACTION_DEL:
		ret = (c.cache ? probe_cmd_cache_del : probe_cmd_del)(&c, &err);
		break;
	case ACTION_LIST:
		ret = (c.cache ? probe_cmd_cache_list : probe_cmd_list)(&c, &err);
		break;
	case ACTION_ADD:
	case ACTION_DEFINITION:
		ret = probe_cmd_add(&c, &err);
		break;
	case ACTION_LATENCY:
		ret = probe_cmd_latency(&c, &err);
		break;
	default:
		ret = probe_cmd_show(&c, &err);
	}
	probe_cmd_release(&c);
	return command_status(ret, &err, &c.latency.command);
}
