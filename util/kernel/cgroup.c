/* Cgroup: hierarchy and groups. */
#include "cgroup.h"
#include "../base/alloc.h"
#include "../base/fs.h"
#include "../base/list-word.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void event_cgroups_add(struct event_cgroups *names, const char *list, size_t nr)
{
	while (names->nr < nr) {
		size_t len = list_word_len(list), bare = len;
		const char *word = list_word_bare(list, &bare);

		vec_push(names, len ? xstrndup(word, bare) : NULL);
		if (list[len])
			list += len + 1;
	}
}

const char *const *event_cgroups_choose(struct event_cgroups *names, const char *list, size_t nr)
{
	if (!list)
		return NULL;
	event_cgroups_add(names, list, nr);
	return names->v;
}

void event_cgroups_release(struct event_cgroups *names)
{
	vec_foreach(names, name)
		free((char *)*name);
	vec_release(names);
}

static bool find_mount(struct strbuf *ret, bool unified)
{
	FILE *f = fs_fopen("/proc/mounts");
	char line[4096], dir[2048], type[64], opts[1024];
	bool found = false;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%*s %2047s %63s %1023s", dir, type, opts) != 3)
			continue;
		if (!unified && !strcmp(type, "cgroup") && strstr(opts, "perf_event")) {
			strbuf_reset(ret);
			strbuf_addstr(ret, dir);
			found = true;
			break;
		}
		if (!strcmp(type, "cgroup2") && !found) {
			strbuf_reset(ret);
			strbuf_addstr(ret, dir);
			found = true;
		}
	}
	if (f)
		fclose(f);
	return found;
}

bool cgroup_mount(struct strbuf *ret)
{
	return find_mount(ret, false);
}

bool cgroup_unified_mount(struct strbuf *ret)
{
	return find_mount(ret, true);
}

int cgroup_open(const char *name, struct err *err)
{
	struct strbuf path = STRBUF_INIT;
	int fd;

	if (!cgroup_mount(&path)) {
		strbuf_release(&path);
		return err_set(err, -ENOENT, "-G: no control group hierarchy is mounted");
	}
	strbuf_addf(&path, "/%s", name);
	fd = fs_open(path.buf, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		err_sys(err, -fd, "-G: cannot open the control group %s", path.buf);
	strbuf_release(&path);
	return fd;
}

u64 cgroup_id(const char *path)
{
	struct {
		struct file_handle fh;
		u64 id;
	} h = { .fh.handle_bytes = sizeof(u64) };
	int mount_id;

	return name_to_handle_at(AT_FDCWD, path, &h.fh, &mount_id, 0) ? 0 : *(u64 *)h.fh.f_handle;
}
