/* Left-over: see left-over.h. */
#include "left-over.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/strbuf.h"
#include "cost.h"

#define DIRECTORY "/run/perf-probes"
#define MAX_SIZE (4u << 20)

/* opens the directory if only we can write to it; -1: there is none */
static int open_directory(bool make)
{
	struct strbuf path = STRBUF_INIT;
	struct stat st;
	int fd;

	fs_path(&path, "%s", DIRECTORY);
	if (make)
		mkdir(path.buf, 0700);
	fd = open(path.buf, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	strbuf_release(&path);
	if (fd >= 0 && (fstat(fd, &st) || st.st_uid != geteuid() || st.st_mode & 022)) {
		close(fd);
		return -1;
	}
	return fd;
}

int left_over_list(const struct probe_plan *plan, char **ret_path)
{
	int dir = open_directory(true), fd = -1;
	struct strbuf text = STRBUF_INIT, path = STRBUF_INIT;
	char name[32];

	*ret_path = NULL;
	if (dir < 0)
		return -1;
	snprintf(name, sizeof(name), "%d", (int)getpid());
	vec_foreach(plan, p)
		strbuf_addf(&text, "%c %s\n", p->is_user ? 'u' : 'k', p->definition);
	/* one of an earlier process with this number would have been swept if it could be */
	unlinkat(dir, name, 0);
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0 && (flock(fd, LOCK_EX | LOCK_NB) || fd_write_all(fd, strbuf_str(&text), text.len))) {
		close(fd);
		fd = -1;
	}
	close(dir);
	if (fd >= 0)
		*ret_path = xstrdup(fs_path(&path, "%s/%s", DIRECTORY, name));
	strbuf_release(&text);
	strbuf_release(&path);
	return fd;
}

static bool same_place(const struct probe_event *a, const struct probe_event *b)
{
	if (a->is_user != b->is_user || a->is_return != b->is_return)
		return false;
	return a->is_user ? a->off == b->off && a->path && b->path && !strcmp(a->path, b->path) :
			    !strcmp(a->place, b->place);
}

/* a line of a list: "u p:GROUP/EVENT PLACE ..." */
static void remove_line(const struct probe_events *live, const char *line, size_t len)
{
	struct probe_events one = { 0 };
	const struct probe_event *now;

	if (len > 2 && probe_event_parse(&one, line + 2, len - 2, line[0] == 'u')) {
		struct err err = ERR_INIT;

		now = probe_events_find(live, one.v[0].group, one.v[0].name);
		if (now && same_place(now, &one.v[0])) {
			log_v("removing the left-over probe %s:%s", now->group, now->name);
			probe_event_delete(now->group, now->name, now->is_user, &err);
		}
	}
	probe_events_release(&one);
}

static void sweep_file(int dir, const char *name, const struct probe_events *live)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct strbuf text = STRBUF_INIT;
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= MAX_SIZE &&
	    !flock(fd, LOCK_EX | LOCK_NB)) {
		fd_read_all(fd, &text);
		for (const char *p = strbuf_str(&text); *p;) {
			size_t len = strcspn(p, "\n");

			remove_line(live, p, len);
			p += len + (p[len] == '\n');
		}
		unlinkat(dir, name, 0);
	}
	close(fd);
	strbuf_release(&text);
}

/* probes with which a cost was measured by a process that has ended */
static void sweep_costs(const struct probe_events *live)
{
	const size_t len = strlen(PROBE_COST_GROUP);

	vec_foreach(live, e) {
		struct err err = ERR_INIT;
		int pid = strncmp(e->group, PROBE_COST_GROUP, len) ? 0 : atoi(e->group + len);

		if (pid > 0 && kill(pid, 0) && errno == ESRCH)
			probe_event_delete(e->group, e->name, e->is_user, &err);
	}
}

void left_over_sweep(void)
{
	struct probe_events live = { 0 };
	struct err err = ERR_INIT;
	int dir = open_directory(false);
	DIR *d = dir >= 0 ? fdopendir(dir) : NULL;
	struct dirent *de;

	if (!probe_events_read(&live, &err)) {
		sweep_costs(&live);
		while (d && (de = readdir(d)))
			if (de->d_name[0] != '.')
				sweep_file(dir, de->d_name, &live);
	}
	probe_events_release(&live);
	if (d)
		closedir(d);
	else if (dir >= 0)
		close(dir);
}
