/* Config keys: which names of the configuration mean something, from config-keys.def. */
#ifndef PERF_CLI_CONFIG_KEYS_H
#define PERF_CLI_CONFIG_KEYS_H

struct config_key {
	const char *name;	/* "report.children", "pager.*" */
	const char *unused;	/* why this perf does not read it, or NULL */
};

/* all rows, ended by a NULL name */
extern const struct config_key config_keys[];
/* the row of a name as users write it; NULL: no command has ever heard of it */
const struct config_key *config_key_find(const char *name);
/* a name that may have been meant, or NULL */
const char *config_key_nearest(const char *name);

#endif
