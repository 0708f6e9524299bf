/* Synthesize: the existing control groups. */
#include "synthesize.h"
#include "../base/fs.h"
#include "../data/features-write.h"
#include "../event/record-type.h"
#include "../kernel/cgroup.h"

#include <dirent.h>
#include <string.h>

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

	/* there are no names of this length, and no deeper ones */
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
