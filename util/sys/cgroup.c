/* Cgroup: hierarchy and groups. */
#include "cgroup.h"
#include "synthesize.h"
#include "../base/alloc.h"
#include "../base/fs.h"
#include "../data/features-write.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

bool cgroup_mount(struct strbuf *ret)
{
	FILE *f = fs_fopen("/proc/mounts");
	char line[4096], dir[2048], type[64], opts[1024];
	bool found = false;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%*s %2047s %63s %1023s", dir, type, opts) != 3)
			continue;
		if (!strcmp(type, "cgroup") && strstr(opts, "perf_event")) {
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

/* header, u64 id, path below the mount padded to 8, sample_id */
static void put_cgroup(struct strbuf *out, u64 id, const char *name, u32 trailer)
{
	size_t len = strlen(name), padded = ALIGN_UP(len + 1, (size_t)8);

	put_u32(out, REC_CGROUP);
	put_u16(out, 0);
	put_u16(out, sizeof(struct rec_header) + sizeof(u64) + padded + trailer);
	put_u64(out, id);
	strbuf_add(out, name, len);
	strbuf_pad(out, '\0', padded - len + trailer);
}

static void walk(struct strbuf *out, struct strbuf *path, size_t mount_len, const struct synth_opts *o)
{
	size_t len = path->len;
	struct dirent *e;
	DIR *dir;
	u64 id = cgroup_id(path->buf);

	/* names that long are not made by anybody; deeper ones neither */
	if (len - mount_len > 4000)
		return;
	if (id)
		put_cgroup(out, id, len > mount_len ? path->buf + mount_len : "/", o->trailer);
	dir = opendir(path->buf);
	while (dir && (e = readdir(dir))) {
		if (e->d_type != DT_DIR || e->d_name[0] == '.')
			continue;
		strbuf_addf(path, "/%s", e->d_name);
		walk(out, path, mount_len, o);
		strbuf_setlen(path, len);
	}
	if (dir)
		closedir(dir);
}

void synth_cgroups(struct strbuf *out, const struct synth_opts *o)
{
	struct strbuf mount = STRBUF_INIT, path = STRBUF_INIT;

	if (cgroup_mount(&mount)) {
		fs_path(&path, "%s", mount.buf);
		walk(out, &path, path.len, o);
	}
	strbuf_release(&mount);
	strbuf_release(&path);
}
