/* Config watch: configuration files and the directories that they are in. */
#include "config-watch.h"
#include "../cli/config.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#define CHANGES (IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)

/* a directory that does not exist cannot be watched, and nothing is said: it has no file either */
static void watch_path(struct config_watch *w, const char *path)
{
	char *dir = xstrdup(path), *name = xstrdup(path);
	int wd = inotify_add_watch(w->fd, dirname(dir), CHANGES | IN_ONLYDIR);

	if (wd >= 0)
		vec_push(&w->file, (struct watched_file){ wd, xstrdup(basename(name)) });
	free(dir);
	free(name);
}

/* a link to a file elsewhere: both can change */
static void watch_file(struct config_watch *w, const char *path)
{
	char *real = realpath(path, NULL);

	watch_path(w, path);
	if (real && strcmp(real, path))
		watch_path(w, real);
	free(real);
}

int config_watch_open(struct config_watch *w, const char *file, struct err *err)
{
	const char *path[2] = { file };
	u32 nr = file ? 1 : config_paths(path);

	*w = (struct config_watch)CONFIG_WATCH_NONE;
	w->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (w->fd < 0)
		return err_sys(err, errno, "cannot watch the configuration");
	for (u32 i = 0; i < nr; i++)
		watch_file(w, path[i]);
	return 0;
}

static bool is_ours(const struct config_watch *w, const struct inotify_event *e)
{
	if (e->mask & IN_Q_OVERFLOW)
		return true;
	vec_foreach(&w->file, f)
		if (f->wd == e->wd && e->len && !strcmp(f->name, e->name))
			return true;
	return false;
}

bool config_watch_changed(struct config_watch *w)
{
	char buf[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	bool changed = false;
	ssize_t n;

	while ((n = read(w->fd, buf, sizeof(buf))) > 0) {
		const struct inotify_event *e;

		for (ssize_t at = 0; at < n; at += sizeof(*e) + e->len) {
			e = (const struct inotify_event *)(buf + at);
			changed |= is_ours(w, e);
		}
	}
	return changed;
}

void config_watch_close(struct config_watch *w)
{
	vec_foreach(&w->file, f)
		free(f->name);
	vec_release(&w->file);
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}
