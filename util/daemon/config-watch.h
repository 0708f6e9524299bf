/*
 * Config watch: says when a configuration file was written, replaced or removed, by inotify(7) on the
 * directories that have it, so that a file that does not exist yet is noticed, too. Owns its descriptor.
 */
#ifndef PERF_DAEMON_CONFIG_WATCH_H
#define PERF_DAEMON_CONFIG_WATCH_H

#include "../base/err.h"
#include "../base/vec.h"

struct config_watch {
	int fd;
	struct {
		VEC(struct watched_file {
			int wd;
			char *name;
		});
	} file;
};
#define CONFIG_WATCH_NONE { .fd = -1 }

/* file: of --config, or NULL: the files that are in force */
int config_watch_open(struct config_watch *w, const char *file, struct err *err);
/* reads what has happened; true: one of the files has changed */
bool config_watch_changed(struct config_watch *w);
void config_watch_close(struct config_watch *w);

#endif
