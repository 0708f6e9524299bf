/*
 * perf script NAME: script files in folders of the user or of a package (util/script/user-scripts.h). What
 * perf record records is in the wrapper NAME-record, or follows from the script's functions; the script, or
 * its wrapper NAME-report, shows a recording. Also lists all names.
 */
#include "builtin-script.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "builtin-session.h"
#include "util/analyses/analysis.h"
#include "util/base/nearest.h"
#include "util/base/self.h"
#include "util/cli/builtin.h"
#include "util/cli/config.h"
#include "util/cli/parse-options.h"
#include "util/script/engine-opts.h"
#include "util/script/user-scripts.h"

struct named_cmd {
	const struct script_by_name *o;
	struct user_script script;
	/* what follows the name: arguments, and of the live form the command */
	int argc, nr_command;
	const char **argv, **command;
};
struct words { VEC(const char *); };

#define usage_error(n, ...) opt_usage_error((n)->o->options, NULL, (n)->o->usage, __VA_ARGS__)

/* ---- names ---- */

static struct user_script_places places(void)
{
	return (struct user_script_places){ .configured = config_get("script.path"), .home = getenv("HOME"),
					    .exec_path = user_script_exec_path() };
}

static bool is_built_in(const char *name)
{
	return analysis_find(name) || analysis_elsewhere(name);
}

static void list_line(const char *name, const char *args, const char *summary)
{
	char *left = xasprintf("%s%s%s", name, *args ? " " : "", args);

	if (*summary)
		printf("  %-36s %s\n", left, summary);
	else
		printf("  %s\n", left);
	free(left);
}

static void list_files(void (*each)(void *ctx, const struct user_script *s), void *ctx)
{
	struct user_script_places where = places();
	struct user_scripts all = { 0 };

	user_scripts_list(&where, &all);
	vec_foreach(&all, s)
		if (!is_built_in(s->name))
			each(ctx, s);
	user_scripts_release(&all);
}

static void list_file(void *ctx UNUSED, const struct user_script *s)
{
	list_line(s->name, s->args, s->summary);
}

int script_list_names(void)
{
	const struct analysis *a;

	puts("List of available trace scripts:");
	for (size_t i = 0; (a = analysis_at(i)); i++)
		list_line(a->name, a->args, a->summary);
	list_files(list_file, NULL);
	return 0;
}

static void add_word(void *ctx, const struct user_script *s)
{
	strbuf_addf(ctx, "%s\n", s->name);
}

void script_add_names(struct strbuf *out)
{
	const struct analysis *a;

	for (size_t i = 0; (a = analysis_at(i)); i++)
		strbuf_addf(out, "%s\n", a->name);
	list_files(add_word, out);
}

static void offer(void *ctx, const struct user_script *s)
{
	nearest_offer(ctx, s->name);
}

void script_offer_names(struct nearest *n)
{
	list_files(offer, n);
}

/* ---- wrappers ---- */

/* wrappers call "perf": this one */
static void set_environment(void)
{
	const char *self = self_path(), *path = getenv("PATH");
	const char *slash = self ? strrchr(self, '/') : NULL;
	char *all;

	setenv("PERF_EXEC_PATH", user_script_exec_path(), 0);
	if (!slash || strcmp(slash, "/perf"))
		return;
	all = xasprintf("%.*s%s%s", (int)MAX(slash - self, 1), self, path ? ":" : "", path ?: "");
	setenv("PATH", all, 1);
	free(all);
}

/* replaces this process; returns the exit status where it cannot. w: the arguments */
static int exec_wrapper(const char *file, const struct words *w)
{
	struct words all = { 0 };
	struct err err = ERR_INIT;

	set_environment();
	if (access(file, X_OK))
		vec_push(&all, "/bin/sh");
	vec_push(&all, file);
	vec_foreach(w, word)
		vec_push(&all, *word);
	vec_push(&all, NULL);
	fflush(stdout);
	execv(all.v[0], (char *const *)all.v);
	err_sys(&err, errno, "cannot start %s", file);
	vec_release(&all);
	return die_err(&err);
}

static int start_wrapper(const char *file, const struct words *w)
{
	pid_t pid = fork();
	struct err err = ERR_INIT;
	int status;

	if (!pid)
		_exit(exec_wrapper(file, w));
	if (pid < 0) {
		err_sys(&err, errno, "cannot start %s", file);
		return die_err(&err);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* ---- record NAME ---- */

static int record(const struct named_cmd *n)
{
	struct err err = ERR_INIT;
	struct words w = { 0 };
	int ret;

	for (size_t i = 0; n->o->options[i].type != OPT_END; i++)
		if (n->o->given[i] && strcmp(n->o->options[i].long_name, "all-cpus"))
			return usage_error(n, "--%s has no effect on 'perf script record %s'",
					   n->o->options[i].long_name, n->script.name);
	if (!n->script.record && n->argc && *n->argv[0] != '-' &&
	    script_check_command(n->script.name, n->script.args, n->argv[0], &err))
		return die_err(&err);
	if (!n->script.record)
		return script_record_events(&n->script, false, n->o->all_cpus, n->argc, n->argv);
	if (n->o->all_cpus)
		vec_push(&w, "-a");
	for (int i = 0; i < n->argc; i++)
		vec_push(&w, n->argv[i]);
	ret = exec_wrapper(n->script.record, &w);
	vec_release(&w);
	return ret;
}

/* ---- report NAME ---- */

/* -i FILE can follow the name */
static int take_input(struct named_cmd *n)
{
	const char *word = n->argc ? n->argv[0] : "", *path = NULL;
	bool alone = !strcmp(word, "-i") || !strcmp(word, "--input");
	int taken = 1 + alone;

	if (alone && n->argc < 2)
		return usage_error(n, "%s needs the name of a file", word);
	if (alone)
		path = n->argv[1];
	else if (!strncmp(word, "--input=", 8))
		path = word + 8;
	else if (word[0] == '-' && word[1] == 'i' && word[2])
		path = word + 2;
	if (!path)
		return 0;
	n->o->session->data.path = path;
	n->argc -= taken;
	n->argv += taken;
	return 0;
}

/* the script's arguments, then the options of perf script, as wrappers take them */
static void report_words(const struct named_cmd *n, struct words *w)
{
	const char *path = n->o->session->data.path;

	for (int i = 0; i < n->argc; i++)
		vec_push(w, n->argv[i]);
	for (int i = 0; i < n->o->nr_words; i++)
		if (strcmp(n->o->word[i], "-a") && strcmp(n->o->word[i], "--all-cpus") &&
		    strcmp(n->o->word[i], "--"))
			vec_push(w, n->o->word[i]);
	if (path) {
		vec_push(w, "-i");
		vec_push(w, path);
	}
}

/* in this process */
static int run_script(const struct named_cmd *n)
{
	struct engine_opts *e = n->o->engine;

	e->file = n->script.file;
	e->language = n->script.language;
	e->argc = n->argc;
	e->argv = n->argv;
	return n->o->show(n->o->ctx);
}

static int report(struct named_cmd *n)
{
	struct words w = { 0 };
	int ret;

	if (n->o->all_cpus)
		return usage_error(n, "--all-cpus has no effect on 'perf script report %s': it is for "
				   "recording", n->script.name);
	if (!n->script.report)
		return run_script(n);
	report_words(n, &w);
	ret = exec_wrapper(n->script.report, &w);
	vec_release(&w);
	return ret;
}

/* ---- NAME: both, through a pipe ---- */

static int run_recorder(void *ctx)
{
	const struct named_cmd *n = ctx;
	bool all_cpus = n->o->all_cpus || !n->nr_command;
	struct words w = { 0 };

	if (!n->script.record)
		return script_record_events(&n->script, true, all_cpus, n->nr_command, n->command);
	vec_push(&w, "-o");
	vec_push(&w, "-");
	if (all_cpus)
		vec_push(&w, "-a");
	for (int i = 0; i < n->nr_command; i++)
		vec_push(&w, n->command[i]);
	return exec_wrapper(n->script.record, &w);
}

static int run_reporter(void *ctx)
{
	struct named_cmd *n = ctx;
	struct words w = { 0 };
	int ret;

	n->o->session->data.path = "-";
	if (!n->script.report)
		return run_script(n);
	report_words(n, &w);
	ret = start_wrapper(n->script.report, &w);
	vec_release(&w);
	return ret;
}

/* arguments come before "--", or are those that must be given; the command after them */
static void split_command(struct named_cmd *n)
{
	int i = 0, all = n->argc;

	while (i < all && strcmp(n->argv[i], "--"))
		i++;
	n->argc = i < all ? i : MIN(user_script_nr_needed(&n->script), all);
	n->command = n->argv + n->argc + (i < all);
	n->nr_command = all - n->argc - (i < all);
}

static int run_live(struct named_cmd *n)
{
	struct err err = ERR_INIT;

	split_command(n);
	if (n->nr_command && *n->command[0] != '-' &&
	    script_check_command(n->script.name, n->script.args, n->command[0], &err))
		return die_err(&err);
	return script_pipe(run_recorder, run_reporter, n);
}

/* of a file; false: there is none, so that the name is that of an analysis, or unknown */
static bool run_named(const struct script_by_name *o, int argc, const char **argv, int *ret)
{
	bool is_record = !strcmp(argv[0], "record"), is_report = !strcmp(argv[0], "report");
	int first = is_record || is_report;
	struct user_script_places where = places();
	struct named_cmd n = { .o = o, .argc = argc - first - 1, .argv = argv + first + 1 };
	struct err err = ERR_INIT;
	int found;

	if (argc <= first || is_built_in(argv[first]))
		return false;
	found = user_script_find(&where, argv[first], &n.script, &err);
	if (found == -ENOENT)
		return false;
	if (found)
		*ret = die_err(&err);
	else if (is_record)
		*ret = record(&n);
	else
		*ret = take_input(&n) ?: (is_report || o->session->data.path ? report : run_live)(&n);
	user_script_release(&n.script);
	return true;
}

int script_run_name(struct script_by_name *o, int argc, const char **argv)
{
	int ret;

	return run_named(o, argc, argv, &ret) ? ret : script_run_analysis(o, argc, argv);
}
