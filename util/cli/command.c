/* Commands: their rows, look-up, and the functions with which all of them end. */
#include "builtin.h"
#include "../base/diag.h"
#include "../base/log.h"
#include "../base/units.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PERF_PREFIX
#define PERF_PREFIX "/usr/local"
#define PERF_MAN_DIR PERF_PREFIX "/share/man"
#define PERF_DATA_DIR PERF_PREFIX "/share/perf"
#define PERF_NAME "perf"
#endif

const struct command commands[] = {
#define COMMAND(name, function, summary) { name, function, summary },
#include "commands.def"
#undef COMMAND
	{ NULL, NULL, NULL }
};

const struct command *command_find(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

/* names of commands that the user may have meant, at most 3, NULL-terminated */
static void nearest(const char *name, const char *ret[4])
{
	unsigned int limit = strlen(name) / 3 + 1, best = limit + 1;
	int nr = 0;

	for (const struct command *c = commands; c->name; c++)
		best = MIN(best, edit_distance(name, c->name));
	for (const struct command *c = commands; c->name && nr < 3; c++) {
		size_t len = strlen(name);
		bool begins = len > 1 && !strncmp(c->name, name, len);

		if (begins || (best <= limit && edit_distance(name, c->name) == best))
			ret[nr++] = c->name;
	}
	ret[nr] = NULL;
}

/* what other tools and people call a command, and how it is run here */
static const char *other_name(const char *name)
{
	static const struct { const char *name, *command; } rows[] = {
		{ "flamegraph", "perf script flamegraph" }, { "flame", "perf script flamegraph" },
		{ "convert", "perf data convert" }, { "profile", "perf record" },
		{ "latency", "perf sched latency" }, { "timehist", "perf sched timehist" },
		{ "strace", "perf trace" }, { "contention", "perf lock contention" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].name, name))
			return rows[i].command;
	return NULL;
}

int err_no_command(struct err *err, const char *name)
{
	struct strbuf names = STRBUF_INIT;
	const char *near[4];

	err_set(err, -ENOENT, "'%s' is not a perf-command", name);
	nearest(name, near);
	for (int i = 0; near[i]; i++)
		strbuf_addf(&names, "%s'%s'", i ? ", " : "", near[i]);
	if (other_name(name))
		err_hint(err, "'%s' does this", other_name(name));
	else if (names.len)
		err_hint(err, "did you mean %s?", names.buf);
	else
		err_hint(err, "'perf help' lists the commands");
	strbuf_release(&names);
	return -ENOENT;
}

int die_err(const struct err *err)
{
	struct strbuf sb = STRBUF_INIT;

	err_describe(err, &sb);
	fflush(stdout);
	fprintf(stderr, "Error: %s", strbuf_str(&sb));
	strbuf_release(&sb);
	return 1;
}

int die(const char *fmt, ...)
{
	struct err err = ERR_INIT;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err.msg, sizeof(err.msg), fmt, ap);
	va_end(ap);
	text_sanitize(err.msg, strlen(err.msg));
	return die_err(&err);
}

void warn_diag(const struct diag *diag)
{
	struct strbuf sb = STRBUF_INIT;

	if (diag_describe(diag, &sb)) {
		fflush(stdout);
		log_warn_lines(strbuf_str(&sb));
	}
	strbuf_release(&sb);
}

const char *exec_path(void)
{
	const char *env = getenv("PERF_EXEC_PATH");

	return env && *env ? env : PERF_PREFIX "/libexec/perf-core";
}

const char *doc_path(void)
{
	const char *env = getenv("PERF_DOC_PATH");

	return env && *env ? env : PERF_DATA_DIR "/pages";
}

const char *man_path(void)
{
	const char *env = getenv("PERF_MAN_PATH");

	return env && *env ? env : PERF_MAN_DIR;
}

const char *installed_name(void)
{
	return PERF_NAME;
}
