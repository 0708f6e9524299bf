/*
 * perf script NAME: the options that it uses, and where its command begins. All other options are refused,
 * because they would be parsed and ignored.
 */
#include "builtin-script.h"
#include "util/analyses/analysis.h"
#include "util/base/fs.h"
#include "util/cli/parse-options.h"

#include <errno.h>
#include <string.h>

#define SHOWN	(SCRIPT_REPORT | SCRIPT_LIVE)
#define NAMES	(1u << 3)	/* only of analyses that show functions */
#define SAMPLES	(1u << 4)	/* not of those that read counts */
#define TASKS	(1u << 5)	/* not of those that combine events of several tasks */

#define usage_error(o, ...) opt_usage_error((o)->options, NULL, (o)->usage, __VA_ARGS__)

static u32 option_use(const char *name)
{
	static const struct {
		const char *name;
		u32 use;
	} rows[] = {
		{ "all-cpus", SCRIPT_RECORD | SCRIPT_LIVE },
		{ "comms", SHOWN | SAMPLES | TASKS },
		{ "cpu", SHOWN | SAMPLES },
		{ "debuginfod", SHOWN | NAMES },
		{ "debuginfod-seconds", SHOWN | NAMES },
		{ "demangle", SHOWN | NAMES },
		{ "demangle-kernel", SHOWN | NAMES },
		{ "field-separator", SHOWN },
		{ "force", SCRIPT_REPORT },
		{ "guestkallsyms", SCRIPT_REPORT | NAMES },
		{ "guestmodules", SCRIPT_REPORT | NAMES },
		{ "guestvmlinux", SCRIPT_REPORT | NAMES },
		{ "input", SCRIPT_REPORT },
		{ "jobs", SCRIPT_REPORT | SAMPLES },
		{ "json", SHOWN },
		{ "kallsyms", SHOWN | NAMES },
		{ "name-style", SHOWN | NAMES },
		{ "pid", SHOWN | SAMPLES | TASKS },
		{ "stdio-color", SHOWN },
		{ "symfs", SHOWN | NAMES },
		{ "tid", SHOWN | SAMPLES | TASKS },
		{ "time", SCRIPT_REPORT | SAMPLES },
		{ "verbose", SCRIPT_RECORD | SHOWN },
		{ "vmlinux", SHOWN | NAMES },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(name, rows[i].name))
			return rows[i].use;
	return 0;
}

int script_check_options(const struct script_by_name *o, const struct analysis *a, u32 form)
{
	const char *way = form == SCRIPT_RECORD ? "record " : form == SCRIPT_REPORT ? "report " : "";

	for (size_t i = 0; o->options[i].type != OPT_END; i++) {
		const char *name = o->options[i].long_name;
		u32 use = o->given[i] ? option_use(name) : form;

		if (!use)
			return usage_error(o, "--%s has no effect on analyses by name, such as %s", name,
					   a->name);
		if (!(use & form))
			return usage_error(o, "--%s has no effect on 'perf script %s%s': it is for %s", name,
					   way, a->name, use & SCRIPT_REPORT ? "the analysis of a file" :
					   "recording");
		if (use & NAMES && !a->ops->kernel_names)
			return usage_error(o, "--%s is about names of functions, which %s does not show",
					   name, a->name);
		if (use & SAMPLES && a->ops->read)
			return usage_error(o, "--%s is about samples, but %s reads counts", name, a->name);
		if (use & TASKS && a->ops->whole_system)
			return usage_error(o, "--%s would leave out events that %s needs: it combines those "
					   "of all tasks", name, a->name);
	}
	return 0;
}

static bool is_program(const char *word)
{
	struct strbuf path = STRBUF_INIT;
	bool ret = strchr(word, '/') || program_find(word, &path);

	strbuf_release(&path);
	return ret;
}

int script_check_command(const char *name, const char *args, const char *word, struct err *err)
{
	if (!word || is_program(word))
		return 0;
	err_set(err, -ENOENT, "'%s' is not a program that could be started", word);
	if (!*args)
		return -ENOENT;
	err_hint(err, "arguments of the analysis, %s, follow 'perf script report %s', or stand before '--': "
		 "perf script -a %s %s -- sleep 1", args, name, name, word);
	return -ENOENT;
}
