/* Language: what perf knows of a language of scripts, a row of languages.def. */
#ifndef PERF_SCRIPT_LANGUAGE_H
#define PERF_SCRIPT_LANGUAGE_H

#include "../base/err.h"

struct engine_calls;
struct interpreter;
struct starter;

/* a row of languages.def */
struct language {
	const char *name;		/* this and ending are words for it on the command line */
	const char *ending;		/* of names of files, without the dot */
	const char *plugin;		/* runs its scripts */
	const char *package;		/* what is to be installed for it */
	const char *define;		/* the word before the name of a function */
	const char *scope;		/* joins a tracepoint's system and name to the name of a function */
	const struct engine_calls *calls;
	const struct starter *starter;
	/* loads the library whose functions the plug-in uses; NULL: the plug-in is linked with it */
	int (*load)(struct interpreter *ret, struct err *err);
};

#endif
