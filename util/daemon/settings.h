/*
 * Settings of perf daemon: what configuration files say of it, [daemon] base and [session-NAME] run, read
 * anew each time. Never looks at the base directory, and starts nothing. Owns its strings.
 */
#ifndef PERF_DAEMON_SETTINGS_H
#define PERF_DAEMON_SETTINGS_H

#include "../base/err.h"
#include "../base/vec.h"
#include "budget.h"

#define DAEMON_NAME_MAX 64	/* bytes of a session's name, with its NUL */
#define DAEMON_RUN_MAX 16384	/* bytes of a value of run, with its NUL */

enum daemon_key { DAEMON_FOLD, DAEMON_KEEP, DAEMON_LABEL, DAEMON_CPU, DAEMON_MEMORY, DAEMON_NR_KEYS };

struct daemon_setting {
	char *name;		/* lower case, as in all sections; letters, digits and "-_." */
	/* arguments of perf record: the options that the other keys are, then run as written */
	char *run;
	char *key[DAEMON_NR_KEYS];	/* as written, or NULL */
	struct budget budget;		/* what cpu and memory say */
};

struct daemon_settings {
	char *base;				/* as written, or NULL */
	struct { VEC(struct daemon_setting); } session;	/* in the order of the files */
};

/*
 * file: of --config, or NULL: the files that are in force. What is not understood is an error, so that a
 * daemon never runs half of its sessions because of a typing error. No sessions and no base are none.
 */
int daemon_settings_read(struct daemon_settings *s, const char *file, struct err *err);
void daemon_settings_release(struct daemon_settings *s);
/*
 * only the base directory, which the caller frees; NULL with err. Does not look at sessions, so that a daemon
 * can be asked, and ended, while they have errors
 */
char *daemon_settings_base(const char *file, struct err *err);
const struct daemon_setting *daemon_setting_find(const struct daemon_settings *s, const char *name);

/*
 * Splits a value of run into words, at blanks outside of '...' and "..."; a backslash keeps the next
 * character as it is, but not inside of '...'. Nothing is expanded. words is zeroed or
 * holds words; the new ones are added
 */
struct daemon_words {
	VEC(char *);
};
int daemon_words_split(struct daemon_words *words, const char *run, struct err *err);
void daemon_words_release(struct daemon_words *words);

#endif
