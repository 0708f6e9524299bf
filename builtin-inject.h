/* Inject: what perf inject and perf pack share. */
#ifndef PERF_BUILTIN_INJECT_H
#define PERF_BUILTIN_INJECT_H

#include "builtin-session.h"
#include "util/inject/inject.h"

struct option;

struct inject_cmd {
	struct session_opts session;
	struct inject_opts inject;
	bool correlate;		/* --vm-time-correlation */
};

/* reads options of a command that has no other arguments: 0, or the exit status of a wrong usage */
int inject_parse(int argc, const char **argv, const struct option *options, const char *const *usage);

#endif
