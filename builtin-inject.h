/* Inject: what perf inject and perf pack share. */
#ifndef PERF_BUILTIN_INJECT_H
#define PERF_BUILTIN_INJECT_H

#include "builtin-session.h"
#include "util/inject/inject.h"

struct inject_cmd {
	struct session_opts session;
	struct inject_opts inject;
	bool correlate;		/* --vm-time-correlation */
};

#endif
