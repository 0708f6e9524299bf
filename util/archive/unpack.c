/* Unpack: members of an archive that belong into a build-id cache, each checked. */
#include "archive.h"
#include "tar.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/strtab.h"
#include "../cache/build-cache.h"
#include "../obj/buildid.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define UNPACK_MAX (64ull << 30)	/* bytes of all members: no real archive is larger */
#define MEMBERS_MAX (1u << 20)

struct unpack_state {
	const char *cache, *folder;
	struct archive_result *result;
	u64 bytes;
	u32 members;
	bool inner;			/* the tar file of symbols in an archive with all */
};

/* what the cache keeps in an entry */
static bool is_entry_file(const char *name)
{
	static const char *const names[] = { "elf", "debug", "kallsyms", "vdso", "probes" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static bool parse_id(const char *p, size_t len, struct build_id *ret)
{
	if (len < 4 || len % 2 || len / 2 > sizeof(ret->id) || strspn(p, "0123456789abcdef") < len)
		return false;
	ret->len = len / 2;
	for (size_t i = 0; i < ret->len; i++) {
		unsigned int byte;

		sscanf(p + 2 * i, "%2x", &byte);
		ret->id[i] = byte;
	}
	return true;
}

/* "PATH/ID/FILE": *ret_path is allocated; false for any other name, and for those that lead elsewhere */
static bool parse_entry(const char *name, char **ret_path, struct build_id *ret_id, const char **ret_file)
{
	const char *file, *id;

	if (!strncmp(name, "./", 2))
		name += 2;
	file = strrchr(name, '/');
	if (!file || !cache_path_is_inside(name) || !is_entry_file(file + 1) || !strncmp(name, ".build-id/",
											 10))
		return false;
	id = memrchr(name, '/', file - name);
	if (!id || id == name || !parse_id(id + 1, file - id - 1, ret_id))
		return false;
	*ret_path = xstrndup(name, id - name);
	*ret_file = file + 1;
	return true;
}

static int fill_from_member(int fd, void *ctx)
{
	struct in_stream *s = ctx;
	char buf[65536];
	ssize_t n;
	int ret = 0;

	while (!ret && (n = s->read(s, buf, sizeof(buf))) > 0)
		ret = fd_write_all(fd, buf, n);
	return ret ? ret : MIN(n, 0);
}

/* a program whose build-id is another one would give wrong names */
static bool is_right_build(const char *path, const char *file, const struct build_id *id)
{
	struct build_id found;

	return (strcmp(file, "elf") && strcmp(file, "debug") && strcmp(file, "vdso")) ||
	       (build_id_of_file(path, &found) && buildid_equal(found.id, found.len, id->id, id->len));
}

static void refuse(struct unpack_state *u, const struct tar_member *m, const char *why)
{
	struct strbuf name = STRBUF_INIT;

	strbuf_add_safe(&name, m->name);
	log_v("left out %s: %s", strbuf_str(&name), why);
	strbuf_release(&name);
	u->result->nr_refused++;
}

static int unpack_entry(struct unpack_state *u, const struct tar_member *m, struct in_stream *bytes,
			struct err *err)
{
	struct cache_entry e;
	char *path;
	int ret;

	if (!parse_entry(m->name, &path, &e.id, &e.file)) {
		refuse(u, m, "it is not a file of a build-id cache");
		return 0;
	}
	e.name = path;
	e.mode = m->mode;
	e.check = is_right_build;
	ret = cache_fill(u->cache, &e, fill_from_member, bytes);
	if (ret == -EEXIST)
		refuse(u, m, "the cache has it");
	else if (ret == -EBADMSG)
		refuse(u, m, "its build-id is not the one of its folder");
	else if (ret)
		err_sys(err, -ret, "cannot add %s to the cache %s", path, u->cache);
	else
		u->result->nr_files++;
	free(path);
	return ret == -EEXIST || ret == -EBADMSG ? 0 : ret;
}

/* beside the archive with all: the recording; it is not replaced */
static int unpack_recording(struct unpack_state *u, const struct tar_member *m, struct in_stream *bytes,
			    struct err *err)
{
	char *path;
	int fd, ret;

	if (u->result->recording || *m->name == '.' || !*m->name) {
		refuse(u, m, "an archive has one recording");
		return 0;
	}
	path = xasprintf("%s/%s", u->folder, m->name);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	ret = fd < 0 ? -errno : fill_from_member(fd, bytes);
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && ret)
		unlink(path);
	if (ret) {
		err_sys(err, -ret, "cannot write %s", path);
		free(path);
		if (ret == -EEXIST)
			err_hint(err, "move it away, or unpack in another folder");
		return ret;
	}
	u->result->recording = path;
	return 0;
}

static int unpack_tar(struct unpack_state *u, struct in_stream *from, struct err *err);

static int unpack_symbols(struct unpack_state *u, struct in_stream *bytes, struct err *err)
{
	struct unpack_stream *p = unpack_stream_new(bytes, err);
	int ret;

	if (!p)
		return err->code;
	u->inner = true;
	ret = unpack_tar(u, unpack_stream_in(p), err);
	u->inner = false;
	unpack_stream_free(p);
	return ret;
}

static int unpack_member(struct unpack_state *u, const struct tar_member *m, struct in_stream *bytes,
			 struct err *err)
{
	/* folders are made for files, and links when a file is added */
	if (m->kind == TAR_FOLDER || (m->kind == TAR_LINK && strstr(m->name, ".build-id/")))
		return 0;
	if (m->kind != TAR_FILE) {
		refuse(u, m, "it is not a file");
		return 0;
	}
	if (!u->inner && !strchr(m->name, '/')) {
		if (!strncmp(m->name, ARCHIVE_SYMBOLS, strlen(ARCHIVE_SYMBOLS)))
			return unpack_symbols(u, bytes, err);
		return unpack_recording(u, m, bytes, err);
	}
	return m->size ? unpack_entry(u, m, bytes, err) : 0;
}

static int unpack_tar(struct unpack_state *u, struct in_stream *from, struct err *err)
{
	struct tar_reader t;
	struct tar_member m;
	int ret;

	tar_reader_init(&t, from);
	while ((ret = tar_next(&t, &m, err)) > 0) {
		u->bytes += m.size;
		if (u->bytes < m.size || u->bytes > UNPACK_MAX || ++u->members > MEMBERS_MAX)
			ret = err_set(err, -EFBIG, "the archive is larger than any real one");
		else
			ret = unpack_member(u, &m, &t.s, err);
		if (ret)
			break;
	}
	tar_reader_release(&t);
	return ret;
}

int archive_unpack(struct in_stream *from, const char *cache, const char *folder, struct archive_result *ret,
		   struct err *err)
{
	struct unpack_state u = { .cache = cache, .folder = folder, .result = ret };
	struct unpack_stream *p = unpack_stream_new(from, err);
	int code;

	if (!p)
		return err->code;
	code = unpack_tar(&u, unpack_stream_in(p), err);
	unpack_stream_free(p);
	return code;
}
