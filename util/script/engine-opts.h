/* Engine-opts: the script that the user asked for. */
#ifndef PERF_SCRIPT_ENGINE_OPTS_H
#define PERF_SCRIPT_ENGINE_OPTS_H

#include <signal.h>

struct language;

/* what the user asked for */
struct engine_opts {
	const char *file;		/* NULL: no script */
	const struct language *language;
	int argc;			/* what follows the file */
	const char **argv;
	/* a value of the user's configuration, for scripts; NULL: it has none */
	const char *(*config)(const char *name);
	volatile sig_atomic_t stop;	/* set by a signal: trace_end() is called, and that is all */
	int status;			/* filled by the run: what the script gave to sys.exit() */
};

#endif
