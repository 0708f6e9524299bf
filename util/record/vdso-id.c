/* Vdso-id: the vdso's build-id for outputs, its image for the build-id cache. */
#include "vdso-id.h"
#include "../base/alloc.h"
#include "../base/fs.h"
#include "../base/vdso.h"
#include "../data/features-write.h"
#include "../obj/buildid.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* of images of any kind: that of 32-bit programs is beside that of 64-bit ones */
#define CACHE_NAME "[vdso]"

bool vdso_build_id(struct build_id *ret, const char **ret_name)
{
	struct vdso v = vdso_of_self();

	*ret_name = v.name;
	return v.image && build_id_of_image(v.image, v.size, ret);
}

void vdso_synthesize(struct strbuf *out)
{
	struct buildid_entry e = { .misc = CPUMODE_USER, .pid = -1 };
	struct build_id id;

	if (!vdso_build_id(&id, &e.filename))
		return;
	e.len = id.len;
	memcpy(e.id, id.id, sizeof(e.id));
	buildid_encode(out, &e);
}

/* with those above it */
static int make_dir(const char *path)
{
	char *copy = xstrdup(path);
	int ret = 0;

	for (char *p = strchr(copy + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(copy, 0755);
		*p = '/';
	}
	if (mkdir(copy, 0755) < 0 && errno != EEXIST)
		ret = -errno;
	free(copy);
	return ret;
}

/* whole or not at all, whoever writes the same beside us */
static int write_file(const char *path, const void *p, size_t len)
{
	char *tmp = xasprintf("%s.XXXXXX", path);
	int fd = mkostemp(tmp, O_CLOEXEC), ret = fd < 0 ? -errno : fd_write_all(fd, p, len);

	/* what it holds is no secret, and the cache may be shared */
	if (!ret && (fchmod(fd, 0644) < 0 || rename(tmp, path) < 0))
		ret = -errno;
	if (fd >= 0) {
		close(fd);
		if (ret)
			unlink(tmp);
	}
	free(tmp);
	return ret;
}

/* DIR/.build-id/ab/cdef to ../../[vdso]/abcdef */
static int link_id(const char *dir, const struct build_id *id, const char *hex)
{
	struct strbuf path = STRBUF_INIT;
	char *target = xasprintf("../../" CACHE_NAME "/%s", hex), *up;
	int ret;

	buildid_path(&path, dir, id->id, id->len, "");
	up = xstrndup(path.buf, strrchr(path.buf, '/') - path.buf);
	ret = make_dir(up);
	if (!ret && symlink(target, path.buf) < 0 && errno != EEXIST)
		ret = -errno;
	free(up);
	free(target);
	strbuf_release(&path);
	return ret;
}

static int keep(const char *dir, const struct vdso *v, const struct build_id *id)
{
	struct strbuf hex = STRBUF_INIT;
	char *home, *file;
	struct stat st;
	int ret = 0;

	buildid_hex(&hex, id->id, id->len);
	home = xasprintf("%s/" CACHE_NAME "/%s", dir, hex.buf);
	file = xasprintf("%s/vdso", home);
	if (stat(file, &st) < 0 || st.st_size != (off_t)v->size) {
		ret = make_dir(home);
		if (!ret)
			ret = write_file(file, v->image, v->size);
	}
	if (!ret)
		ret = link_id(dir, id, hex.buf);
	free(file);
	free(home);
	strbuf_release(&hex);
	return ret;
}

int vdso_keep(struct err *err)
{
	struct vdso v = vdso_of_self();
	char *dir = buildid_cache_dir();
	struct build_id id;
	int ret = 0;

	if (dir && v.image && build_id_of_image(v.image, v.size, &id) && id.len > 1)
		ret = keep(dir, &v, &id);
	if (ret < 0)
		err_sys(err, -ret, "cannot keep the vdso in the build-id cache %s", dir);
	free(dir);
	return ret;
}
