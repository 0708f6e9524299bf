/* Synthesize: the existing control groups. */
#include "synthesize.h"
#include "../base/fs.h"
#include "../event/record-put.h"
#include "../kernel/cgroup.h"

#include <dirent.h>
#include <string.h>

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
		record_put(out, &(struct record_view){
			.type = REC_CGROUP, .cgroup = { .id = id, .path = len > mount_len ?
							path->buf + mount_len : "/" } }, NULL, o->trailer);
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
