/* perf: options before the command, dispatch to it, aliases. */
#include "builtin-script.h"
#include "ui/format.h"
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/base/phase.h"
#include "util/base/self.h"
#include "util/base/stack.h"
#include "util/base/units.h"
#include "util/base/vec.h"
#include "util/cli/build-features.h"
#include "util/cli/builtin.h"
#include "util/cli/config.h"
#include "util/cli/pager.h"
#include "util/cli/parse-options.h"
#include "util/cli/standard-files.h"
#include "util/data/open.h"
#include "util/fields/field.h"
#include "util/hist/chain-words.h"
#include "util/list/list.h"
#include "util/observe/callgraph-words.h"
#include "util/script/fields.h"
#include "util/syscall/syscall.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const perf_usage[] = { "perf [--version] [--help] [OPTIONS] COMMAND [ARGS]", NULL };

struct global_opts {
	bool help, version, list_cmds, list_opts, html_path, quiet, paginate, no_pager;
	int verbose;
	const char *debug_file, *debugfs_dir, *buildid_dir, *list_words;
	bool exec_path_asked;
};

/* "verbose", "verbose=2"; upstream's other names select parts of what -vv prints */
static int parse_debug(const struct option *opt, const char *arg, bool unset)
{
	static const struct { const char *name; int level; } vars[] = {
		{ "verbose", 1 }, { "ordered-events", 2 }, { "stderr", 1 }, { "data-convert", 1 },
		{ "perf-event-open", 2 }, { "kmaps", 2 }, { "type-profile", 1 },
	};
	size_t len;
	u64 level;

	if (unset)
		return 0;
	len = strcspn(arg, "=");
	if (len == strlen("phases") && !strncmp(arg, "phases", len)) {
		level = 1;
		if (arg[len] && (parse_u64(arg + len + 1, &level) || level > 1))
			return opt_error(opt, "the value of '%s' is not 0 or 1", arg);
		phase_shown = level;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(vars); i++) {
		if (strlen(vars[i].name) != len || strncmp(vars[i].name, arg, len))
			continue;
		level = vars[i].level;
		if (arg[len] && (parse_u64(arg + len + 1, &level) || level > 10))
			return opt_error(opt, "the value of '%s' is not a number from 0 to 10", arg);
		log_level = MAX(log_level, (int)level);
		return 0;
	}
	return opt_error(opt, "no variable '%.*s' (there are verbose, ordered-events, stderr, data-convert, "
			 "perf-event-open, kmaps, type-profile, phases)", (int)len, arg);
}

static int parse_exec_path(const struct option *opt, const char *arg, bool unset)
{
	if (arg)
		setenv("PERF_EXEC_PATH", arg, 1);
	else
		*(bool *)opt->value = !unset;
	return 0;
}

static int list_commands(void)
{
	for (const struct command *c = commands; c->name; c++)
		printf("%s ", c->name);
	putchar('\n');
	return 0;
}

static int run(const struct command *c, int argc, const char **argv)
{
	const char *cache = config_get("buildid.dir");

	if (cache)
		setenv("PERF_BUILDID_DIR", cache, 0);
	/* perf CMD --help shows the manual, perf CMD -h the list of options */
	if (argc > 1 && !strcmp(argv[1], "--help")) {
		const char *help[] = { "help", c->name, NULL };

		return command_find("help")->run(2, help);
	}
	return c->run(argc, argv);
}

/*
 * alias.NAME = words, which replace the name, without a shell and without aliases inside aliases. NULL: not
 * an alias; *said: a message was printed
 */
static const struct command *expand_alias(int *argc, const char ***argv, bool *said)
{
	struct { VEC(const char *); } words = { 0 };
	const struct command *c;
	const char *line;
	struct strbuf safe = STRBUF_INIT;
	char **alias, key[128];

	snprintf(key, sizeof(key), "alias.%s", (*argv)[0]);
	line = config_get(key);
	if (!line)
		return NULL;
	alias = split_words(line);
	c = alias[0] ? command_find(alias[0]) : NULL;
	if (!c) {
		strbuf_add_safe(&safe, line);
		die("the alias '%s' is '%s', which does not begin with a perf-command", (*argv)[0],
		    strbuf_str(&safe));
		strbuf_release(&safe);
		*said = true;
		return NULL;
	}
	while (*alias)
		vec_push(&words, *alias++);
	for (int i = 1; i < *argc; i++)
		vec_push(&words, (*argv)[i]);
	*argc = words.nr;
	vec_push(&words, NULL);
	*argv = words.v;
	return c;
}

static int dispatch(int argc, const char **argv)
{
	const struct command *c = command_find(argv[0]);
	struct err err = ERR_INIT;
	bool said = false;

	if (!c)
		c = expand_alias(&argc, &argv, &said);
	if (c)
		return run(c, argc, argv);
	if (said)
		return 129;
	err_no_command(&err, argv[0]);
	die_err(&err);
	return 129;
}

/*
 * the options that print something and end, and those that change how the command runs; -1: run the command
 */
static int apply_globals(const struct global_opts *o)
{
	static const char *version[] = { "version", NULL },
			*version_vv[] = { "version", "--build-options", NULL };
	static const char *help[] = { "help", NULL };

	if (o->quiet)
		log_level = -1;
	if (o->debug_file && log_open(o->debug_file))
		return die("cannot write %s: %s", o->debug_file, strerror(errno));
	if (o->debugfs_dir)
		setenv("PERF_DEBUGFS_DIR", o->debugfs_dir, 1);
	if (o->buildid_dir)
		setenv("PERF_BUILDID_DIR", o->buildid_dir, 1);
	if (o->paginate || o->no_pager)
		pager_set_mode(o->no_pager ? PAGER_NEVER : PAGER_ALWAYS);
	if (o->exec_path_asked)
		return puts(exec_path()) < 0;
	if (o->html_path)
		return puts(doc_path()) < 0;
	if (o->list_cmds)
		return list_commands();
	if (o->version || o->verbose)
		return command_find("version")->run(o->verbose > 1 ? 2 : 1,
						    o->verbose > 1 ? version_vv : version);
	if (o->help)
		return command_find("help")->run(1, help);
	return -1;
}

static void sort_keys(struct strbuf *out)
{
	for (const struct field *const *f = fields; *f; f++)
		strbuf_addf(out, "%s\n", (*f)->name);
}

static void script_fields(struct strbuf *out)
{
	script_fields_list(out);
	for (char *comma = out->buf; (comma = strchr(comma, ','));)
		*comma = '\n';
	strbuf_addch(out, '\n');
}

static void system_calls(struct strbuf *out)
{
	const struct syscall_table *native = syscall_table_native();
	const struct syscall_row *row;
	u32 nr;

	for (size_t i = 0; native && (row = syscall_table_row(native, i, &nr)); i++)
		strbuf_addf(out, "%s\n", row->name);
}

static void data_formats(struct strbuf *out)
{
	format_list_stacks(out, "\n");
	strbuf_addstr(out, "\nctf\n");
}

/* for shells that complete a line: the words of a kind, one a line */
static int list_words(const char *kind)
{
	static const struct {
		const char *kind;
		void (*add)(struct strbuf *out);
	} rows[] = {
		{ "sort-keys", sort_keys },
		{ "script-fields", script_fields },
		{ "script-names", script_add_names },
		{ "syscalls", system_calls },
		{ "record-call-graphs", callgraph_words_add },
		{ "report-call-graphs", chain_words_add },
		{ "list-kinds", list_kind_words },
		{ "data-formats", data_formats },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf out = STRBUF_INIT;

		if (strcmp(rows[i].kind, kind))
			continue;
		rows[i].add(&out);
		fputs(strbuf_str(&out), stdout);
		strbuf_release(&out);
		return 0;
	}
	die("--list-words: '%s' is not one of sort-keys, script-fields, script-names, syscalls, "
	    "record-call-graphs, report-call-graphs, list-kinds, data-formats", kind);
	return 129;
}

static int list_options(const struct option *options)
{
	struct strbuf out = STRBUF_INIT;

	opt_list_text(&out, options);
	fputs(strbuf_str(&out), stdout);
	strbuf_release(&out);
	return 0;
}

static int perf(int argc, const char **argv)
{
	struct global_opts o = { 0 };
	const struct option options[] = {
		OPT_BOOL('h', "help", &o.help, "list the commands"),
		OPT_INCR('v', NULL, &o.verbose, "show the version; twice: also the libraries built in"),
		OPT_BOOL(0, "version", &o.version, "show the version"),
		OPT_CALLBACK_OPTARG(0, "exec-path", &o.exec_path_asked, "dir",
				    "set the directory of perf's own programs; without a value: print it",
				    parse_exec_path, NULL),
		OPT_BOOL(0, "html-path", &o.html_path, "print the directory of the documentation"),
		OPT_BOOL('p', "paginate", &o.paginate, "show the output in a pager if it is a terminal"),
		OPT_BOOL(0, "no-pager", &o.no_pager, "do not start a pager"),
		OPT_BOOL('q', "quiet", &o.quiet, "print no warnings and hints"),
		OPT_STRING(0, "debugfs-dir", &o.debugfs_dir, "dir", "mount point of debugfs"),
		OPT_STRING(0, "buildid-dir", &o.buildid_dir, "dir",
			   "directory of the build-id cache (default: ~/.debug)"),
		OPT_BOOL(0, "list-cmds", &o.list_cmds, "print the names of the commands"),
		OPT_BOOL(0, "list-opts", &o.list_opts, "print the names of these options"),
		OPT_STRING(0, "list-words", &o.list_words, "kind",
			   "print the words of this kind, such as sort-keys"),
		OPT_CALLBACK(0, "debug", NULL, "variable[=n]",
			     "print debugging information, such as verbose=2", parse_debug),
		OPT_STRING(0, "debug-file", &o.debug_file, "file",
			   "write warnings and debugging information to this file"),
		OPT_END()
	};
	int status;

	argc = parse_options_try(argc, argv, options, NULL, perf_usage, PARSE_STOP_AT_NON_OPTION, &status);
	if (argc < 0)
		return status;
	status = o.list_opts ? list_options(options) : o.list_words ? list_words(o.list_words) :
			apply_globals(&o);
	if (status >= 0)
		return status;
	if (!argc) {
		const char *help[] = { "help", NULL };

		command_find("help")->run(1, help);
		return 1;
	}
	return dispatch(argc, argv);
}

struct arguments {
	int argc;
	const char **argv;
};

static int perf_of_name(void *ctx)
{
	const struct arguments *a = ctx;
	const char *slash = a->argc ? strrchr(a->argv[0], '/') : NULL,
			*name = slash ? slash + 1 : a->argc ? a->argv[0] : "perf";

	if (strncmp(name, "perf-", 5) || !command_find(name + 5))
		return perf(a->argc, a->argv);
	a->argv[0] = name + 5;		/* a link named perf-record */
	return run(command_find(name + 5), a->argc, a->argv);
}

int main(int argc, const char **argv)
{
	struct arguments arguments = { argc, argv };
	struct err err = ERR_INIT;
	int status;

	standard_files_init();
	self_path();		/* before somebody changes the directory */
	/* some parents ignore it; "perf script | head" must end, quietly */
	signal(SIGPIPE, SIG_DFL);
	fs_set_root(getenv("PERF_FS_ROOT"));
	status = stack_run(perf_of_name, &arguments);
	if (data_input_lost(&err)) {
		die_err(&err);
		status = status ? status : 1;
	}
	/* a command that failed has already said why */
	if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE && !status)
		return die("cannot write to standard output: %s", strerror(errno));
	return status;
}
