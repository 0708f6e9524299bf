/* Commands: the rows and the ends. */
#include "builtin.h"
#include "../base/diag.h"
#include "../base/log.h"
#include "../base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PERF_PREFIX
#define PERF_PREFIX "/usr/local"
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

static const struct { const char *name, *instead; } later[] = {
#define LATER(name, instead) { name, instead },
#include "later-commands.def"
#undef LATER
};

const char *command_later(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(later); i++)
		if (!strcmp(later[i].name, name))
			return later[i].instead;
	return NULL;
}

void command_nearest(const char *name, const char *ret[4])
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

int die_err(const struct err *err)
{
	fflush(stdout);
	fprintf(stderr, "Error: %s\n", err->msg);
	return 1;
}

void warn_diag(const struct diag *diag)
{
	struct strbuf sb = STRBUF_INIT;

	if (log_level >= 0 && diag_describe(diag, &sb)) {
		fflush(stdout);
		fputs(strbuf_str(&sb), stderr);
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

	return env && *env ? env : PERF_PREFIX "/share/doc/perf";
}

const char *man_path(void)
{
	const char *env = getenv("PERF_MAN_PATH");

	return env && *env ? env : PERF_PREFIX "/share/man";
}
