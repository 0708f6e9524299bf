/*
 * Config: the settings in /etc/perfconfig and ~/.perfconfig, or only those in $PERF_CONFIG if it is set. The
 * format is that of git: [section] or [section "subsection"], then "key = value" lines; a key alone means
 * true; # and ; begin comments. Names are lower case here, subsections as written: "report.children",
 * "alias.cold". Read once, when first asked for; for a bad line there is a warning, and it is skipped.
 * $PERF_CONFIG_NOSYSTEM and $PERF_CONFIG_NOGLOBAL exclude a file.
 */
#ifndef PERF_CLI_CONFIG_H
#define PERF_CLI_CONFIG_H

#include "../base/err.h"
#include "../base/vec.h"

struct config_entry {
	char *key;		/* "section.key" or "section.sub section.key" */
	char *value;		/* "true" for a key alone */
	char *file;		/* the file, as it was opened */
	u32 line;
};

/* entries in the order of the files; a later one with the same key overrides. Owns its strings */
struct config {
	VEC(struct config_entry);
};

/* the value in force, or NULL; valid until the end of the program */
const char *config_get(const char *key);
/*
 * "FILE:LINE: " of the value in force, for messages about it; "" if the key is not set. Valid until the next
 * call
 */
const char *config_origin(const char *key);
/* a value that is true/false, yes/no, on/off or 1/0; fallback if it is not set or is something else */
bool config_get_bool(const char *key, bool fallback);
/* all entries of the files that are in force */
const struct config *config_all(void);
/* appends the entries that these files have now, for programs that run while their files change */
void config_read_all(struct config *c);
/* the files that are in force, whether or not they exist; returns how many. Valid until the program ends */
u32 config_paths(const char *ret_path[2]);

/* the file of --system, --user (NULL: no home directory) */
const char *config_system_path(void);
const char *config_user_path(void);

/* appends the entries of one file to c; -ENOENT if it does not exist. Warns about bad lines */
int config_read(struct config *c, const char *path, struct err *err);
/* the last value of key in c, or NULL */
const char *config_find(const struct config *c, const char *key);
/* sets one key in a file and keeps everything else as it is; creates the file if it does not exist */
int config_write(const char *path, const char *key, const char *value, struct err *err);
void config_release(struct config *c);

#endif
