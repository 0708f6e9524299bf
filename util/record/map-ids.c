/* Map-ids: build-ids by device and inode. Files without one are looked at again: they are rare. */
#include "map-ids.h"
#include "../base/fs.h"

#include <inttypes.h>
#include <sys/stat.h>

/*
 * opened through the process, so that its mount namespace and deleted files do not matter; slower, so tried
 * second
 */
static bool read_id(const struct mmap2 *m, s32 pid, struct build_id *ret)
{
	struct strbuf path = STRBUF_INIT;
	struct stat st;
	bool found;

	fs_path(&path, "%s", m->path);
	found = !stat(path.buf, &st) && st.st_ino == m->ino && build_id_of_file(path.buf, ret);
	if (!found) {
		fs_path(&path, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, m->start, m->start + m->len);
		found = build_id_of_file(path.buf, ret);
	}
	strbuf_release(&path);
	return found;
}

void map_ids_find(struct map_ids *ids, struct mmap2 *m, s32 pid)
{
	u64 hash = hash_mix(hash_u64((u64)m->maj << 32 | m->min), m->ino);
	u32 i;

	if (m->path[0] != '/' || m->path[1] == '/' || !m->ino)
		return;
	HIDX_FOREACH(&ids->by_file, hash, i) {
		const struct map_file *f = &ids->v[i];

		if (f->ino == m->ino && f->maj == m->maj && f->min == m->min) {
			m->bid = f->id;
			return;
		}
	}
	if (!read_id(m, pid, &m->bid))
		return;
	hidx_insert(&ids->by_file, hash, ids->nr);
	vec_push(ids, (struct map_file){ m->maj, m->min, m->ino, m->bid });
}

void map_ids_release(struct map_ids *ids)
{
	vec_release(ids);
	hidx_release(&ids->by_file);
}
