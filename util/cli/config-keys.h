/* Config keys: which names of the configuration mean something, from config-keys.def. */
#ifndef PERF_CLI_CONFIG_KEYS_H
#define PERF_CLI_CONFIG_KEYS_H

#include "../base/err.h"

enum config_kind {
	CONFIG_ANY,
	CONFIG_BOOL,		/* true false yes no on off 1 0 */
	CONFIG_NUMBER,		/* not below 0, perhaps with a fraction and a percent sign */
	CONFIG_SIZE,		/* bytes: 8192, 8K */
	CONFIG_WORD,		/* one of the words */
	CONFIG_FIRST_WORD,	/* the same up to a comma */
};

struct config_key {
	const char *name;	/* "report.children", "pager.*" */
	enum config_kind kind;
	const char *words;	/* other values than the kind's, with blanks between them; or NULL */
	const char *unused;	/* why this perf does not read it, or NULL */
};

/* all rows, ended by a NULL name */
extern const struct config_key config_keys[];
/* the row of a name as users write it; NULL: no command has ever heard of it */
const struct config_key *config_key_find(const char *name);
/* a name that may have been meant, or NULL */
const char *config_key_nearest(const char *name);
/* 0, or -EINVAL with err: what the key can be set to */
int config_key_check(const struct config_key *k, const char *value, struct err *err);

#endif
