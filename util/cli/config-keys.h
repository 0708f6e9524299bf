/* Config keys: the configuration names that have a meaning, from config-keys.def. */
#ifndef PERF_CLI_CONFIG_KEYS_H
#define PERF_CLI_CONFIG_KEYS_H

#include "../base/err.h"

enum config_kind {
	CONFIG_ANY,
	CONFIG_BOOL,		/* true false yes no on off 1 0 */
	CONFIG_NUMBER,		/* at least 0; may have a fraction and a percent sign */
	CONFIG_SIZE,		/* bytes: 8192, 8K */
	CONFIG_WORD,		/* one of the words */
	CONFIG_FIRST_WORD,	/* one of the words, and anything after a comma */
};

struct config_key {
	const char *name;	/* "report.children", "pager.*" */
	enum config_kind kind;
	/* further values that are accepted beside the values of the kind, separated by blanks; or NULL */
	const char *words;
	const char *unused;	/* why this perf does not read it, or NULL */
};

/* all rows; the last one has a NULL name */
extern const struct config_key config_keys[];
/* the row of a name as users write it; NULL if the name is unknown */
const struct config_key *config_key_find(const char *name);
/* a name that may have been meant, or NULL */
const char *config_key_nearest(const char *name);
/* 0, or -EINVAL with err saying which values the key accepts */
int config_key_check(const struct config_key *k, const char *value, struct err *err);

#endif
