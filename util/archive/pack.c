/* Pack: what the cache has of the dsos, else the files themselves, while they are of the recorded build. */
#include "archive.h"
#include "tar.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/progress.h"
#include "../base/vdso.h"
#include "../cache/build-cache.h"
#include "../data/spool.h"
#include "../obj/buildid.h"
#include "../resolve/dso-hits.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct packer_state {
	const struct session *s;
	const char *cache;
	struct out_stream *to;
	struct archive_result *result;
	struct strtab seen;		/* build-ids in hex */
};

static int copy_bytes(struct out_stream *to, int fd, u64 size)
{
	char buf[65536];

	for (u64 left = size; left;) {
		ssize_t n = read(fd, buf, MIN(left, sizeof(buf)));
		int ret;

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;	/* it became shorter */
		ret = to->write(to, buf, n);
		if (ret)
			return ret;
		left -= n;
		progress_count(size - left, size);
	}
	return tar_put_padding(to, size);
}

static int put_file(struct out_stream *to, const char *path, const char *name)
{
	struct stat st;
	int fd = open_regular(path, &st, NULL), ret;

	if (fd < 0)
		return fd;
	progress_at("packing files");
	ret = tar_put_file(to, name, st.st_size, 0644 | (st.st_mode & 0111), st.st_mtime);
	if (!ret)
		ret = copy_bytes(to, fd, st.st_size);
	close(fd);
	return ret;
}

static int put_bytes(struct out_stream *to, const void *p, size_t size, const char *name)
{
	int ret = tar_put_file(to, name, size, 0644, 0);

	if (!ret)
		ret = to->write(to, p, size);
	return ret ? ret : tar_put_padding(to, size);
}

/* .build-id/xx/yyyy -> ../../ENTRY */
static int put_id_link(struct packer_state *p, const char *hex, const char *entry)
{
	char *name = xasprintf(".build-id/%.2s/%s", hex, hex + 2), *target = xasprintf("../../%s", entry);
	int ret = tar_put_link(p->to, name, target);

	free(name);
	free(target);
	return ret;
}

/* all files of an entry of the cache; 1 if there are none */
static int pack_cached(struct packer_state *p, const char *hex, const char *entry)
{
	char *folder = xasprintf("%s/%s", p->cache, entry);
	DIR *d = opendir(folder);
	struct dirent *de;
	struct stat st;
	int ret = 0, nr = 0;

	while (d && !ret && (de = readdir(d))) {
		char *path, *name;

		if (fstatat(dirfd(d), de->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode) ||
		    !st.st_size)
			continue;
		path = xasprintf("%s/%s", folder, de->d_name);
		name = xasprintf("%s/%s", entry, de->d_name);
		ret = nr++ ? 0 : put_id_link(p, hex, entry);
		if (!ret)
			ret = put_file(p->to, path, name);
		free(path);
		free(name);
	}
	if (d)
		closedir(d);
	free(folder);
	p->result->nr_files += nr;
	return ret || nr ? ret : 1;
}

/* a file that was put together here, in an entry that the cache does not have; NULL bytes: path */
static int pack_new(struct packer_state *p, const char *hex, const char *name, const char *file,
		    const char *path,
		    const struct strbuf *bytes)
{
	char *entry = xasprintf("%s/%s", name, hex), *member = xasprintf("%s/%s", entry, file);
	int ret = put_id_link(p, hex, entry);

	if (!ret)
		ret = bytes ? put_bytes(p->to, bytes->buf, bytes->len, member) : put_file(p->to, path,
											  member);
	free(entry);
	free(member);
	p->result->nr_files++;
	return ret;
}

static bool has_id(const struct build_id *found, const struct dso *d)
{
	return buildid_equal(found->id, found->len, d->buildid, d->buildid_len);
}

static int pack_kernel(struct packer_state *p, const struct dso *d, const char *hex)
{
	struct strbuf list = STRBUF_INIT;
	struct build_id id;
	int ret = 1;

	if (build_id_of_kernel(&id) && has_id(&id, d) && !fs_read("/proc/kallsyms", &list))
		ret = pack_new(p, hex, "[kernel.kallsyms]", "kallsyms", NULL, &list);
	strbuf_release(&list);
	return ret;
}

static int pack_vdso(struct packer_state *p, const struct dso *d, const char *hex)
{
	struct vdso v = vdso_of_self();
	struct build_id id;
	struct strbuf bytes = { .buf = (char *)v.image, .len = v.size };

	if (!v.image || !build_id_of_image(v.image, v.size, &id) || !has_id(&id, d))
		return 1;
	return pack_new(p, hex, "[vdso]", "vdso", NULL, &bytes);
}

static int pack_mapped(struct packer_state *p, const struct dso *d, const char *hex)
{
	const char *path = dso_path(d);
	struct build_id id;

	if (*path != '/' || !cache_path_is_inside(path + 1) || !build_id_of_file(path, &id) || !has_id(&id,
												       d))
		return 1;
	return pack_new(p, hex, path + 1, "elf", path, NULL);
}

/* 0, 1 if it is not there, or a negative errno */
static int pack_dso(struct packer_state *p, const struct dso *d)
{
	struct strbuf hex = STRBUF_INIT, entry = STRBUF_INIT;
	struct build_id id = { .len = d->buildid_len };
	int ret = 1;

	memcpy(id.id, d->buildid, d->buildid_len);
	buildid_hex(&hex, id.id, id.len);
	if (id.len < 2) {
		ret = 1;
	} else if (strtab_find(&p->seen, hex.buf, hex.len) != HIDX_NONE) {
		ret = 0;
	} else {
		strtab_add(&p->seen, hex.buf);
		if (p->cache && cache_entry_of(p->cache, &id, &entry))
			ret = pack_cached(p, hex.buf, entry.buf);
		if (ret == 1)
			ret = d->kind == DSO_KERNEL ? pack_kernel(p, d, hex.buf) :
			      d->kind == DSO_VDSO ? pack_vdso(p, d, hex.buf) : pack_mapped(p, d, hex.buf);
		p->result->nr_dsos += !ret;
	}
	strbuf_release(&hex);
	strbuf_release(&entry);
	return ret;
}

static bool has_file(const struct dso *d)
{
	return d->kind == DSO_USER || d->kind == DSO_VDSO || d->kind == DSO_KERNEL || d->kind == DSO_MODULE;
}

int archive_pack(const struct session *s, const char *cache, struct out_stream *to,
		 struct archive_result *result,
		 struct err *err)
{
	struct packer_state p = { .s = s, .cache = cache, .to = to, .result = result };
	bool *hit = session_dso_hits(s);
	int ret = 0;

	vec_foreach(&machine_dsos(s->machine)->dso, d) {
		if (ret < 0 || !hit[(*d)->id] || !has_file(*d))
			continue;
		ret = pack_dso(&p, *d);
		if (ret < 0) {
			err_sys(err, -ret, "cannot pack %s", dso_path(*d));
		} else if (ret) {
			log_v("%s: %s", dso_path(*d), (*d)->buildid_len ? "no file of that build is there" :
			      "the recording has no build-id of it");
			result->nr_missing++;
		}
	}
	if (ret >= 0) {
		ret = tar_put_end(to);
		if (ret)
			err_sys(err, -ret, "cannot write the archive");
	}
	strtab_release(&p.seen);
	free(hit);
	return MIN(ret, 0);
}

struct spool_out {
	struct out_stream s;
	struct spool spool;
};

static int spool_write(struct out_stream *s, const void *buf, size_t len)
{
	struct spool_out *o = (struct spool_out *)s;

	spool_add(&o->spool, buf, len);
	return o->spool.error;
}

/* a temporary file with the tar file of the symbols: its descriptor, or negative errno with err */
static int spool_symbols(const struct session *s, const char *cache, struct bz2_out **bz2, bool packed,
			 u64 *ret_size,
			 struct archive_result *result, struct err *err)
{
	struct spool_out o = { .s.write = spool_write };
	int ret = spool_open(&o.spool, err), fd, end;

	if (ret < 0)
		return ret;
	*bz2 = packed ? bz2_out_new(&o.s) : NULL;
	ret = archive_pack(s, cache, *bz2 ? bz2_out_stream(*bz2) : &o.s, result, err);
	if (*bz2) {
		end = bz2_out_end(*bz2);
		ret = ret || !end ? ret : err_sys(err, -end, "cannot compress the archive");
	}
	*ret_size = o.spool.size;
	fd = spool_finish(&o.spool, ret ? NULL : err);
	if (ret && fd >= 0)
		close(fd);
	return ret ? ret : fd;
}

int archive_pack_all(const struct session *s, const char *cache, const char *path, bool packed,
		     struct out_stream *to, struct archive_result *result, struct err *err)
{
	const char *base = strrchr(path, '/');
	struct bz2_out *bz2;
	u64 size;
	int ret, fd = spool_symbols(s, cache, &bz2, packed, &size, result, err);

	if (fd < 0)
		return fd;
	ret = put_file(to, path, base ? base + 1 : path);
	if (!ret)
		ret = tar_put_file(to, bz2 ? ARCHIVE_SYMBOLS ".bz2" : ARCHIVE_SYMBOLS, size, 0644,
				   s->data->mtime);
	if (!ret && lseek(fd, 0, SEEK_SET) < 0)
		ret = -errno;
	if (!ret)
		ret = copy_bytes(to, fd, size);
	if (!ret)
		ret = tar_put_end(to);
	close(fd);
	return ret ? err_sys(err, -ret, "cannot pack %s", path) : 0;
}
