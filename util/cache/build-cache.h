/*
 * Build-cache: the build-id cache as a folder that perf changes. A cached file is a directory, PATH/ID/ below
 * the cache (PATH is where the file was, or "[vdso]"), to which the link .build-id/xx/yyyy leads; in it are
 * "elf" (the file), "debug" (its separate debug file), "probes" (its SDT markers), "vdso" or "kallsyms".
 * Upstream lays the cache out in the same way. Files appear whole or not at all, also if other processes
 * change the cache. Nothing outside the cache is written or removed, wherever its links lead.
 */
#ifndef PERF_CACHE_BUILD_CACHE_H
#define PERF_CACHE_BUILD_CACHE_H

#include "../base/err.h"
#include "../base/vec.h"
#include "../host/build-id.h"

struct cached_file {
	char *path;		/* "/usr/bin/ls", "[vdso]" */
	bool is_kcore;		/* of cache_list_kcores() */
	struct build_id id;
	u64 size;		/* bytes of all files of the entry; a hard link counts, too */
	s64 used;		/* seconds since 1970 of the last use or change of the entry */
};
struct cached_files {
	VEC(struct cached_file);
};

/*
 * Entries in the order of their build-ids. If there is no cache, the list is empty. 0, or a negative errno
 * with err.
 */
int cache_list(const char *dir, struct cached_files *out, struct err *err);
void cached_files_release(struct cached_files *l);
bool cache_has(const char *dir, const struct build_id *id);
/* true if a path below the cache ("usr/bin/ls") cannot lead out of it: it has no empty part, "." or ".." */
bool cache_path_is_inside(const char *path);
struct strbuf;
/*
 * writes the entry to which the link of id leads, relative to dir ("usr/bin/ls/abcdef"), to out; false: no
 * link, or one that leads elsewhere
 */
bool cache_entry_of(const char *dir, const struct build_id *id, struct strbuf *out);

enum cache_added { CACHE_ADDED, CACHE_THERE, CACHE_REPLACED };

struct cache_source {
	const char *path;	/* of the file, as the user named it */
	const char *root;	/* path is relative to this folder ("/proc/123/root"), or NULL */
	bool replace;		/* also if the cache has this build-id */
};
/*
 * Adds a file with what belongs to it. Its bytes are cloned if the file system can do this, linked if a
 * package manager manages the file (below /usr, only root may write), else copied. *ret_path, if not NULL, is
 * its path in the cache (the caller frees it). One of enum cache_added, or a negative errno with err.
 */
int cache_add(const char *dir, const struct cache_source *src, struct build_id *ret_id, char **ret_path,
	      struct err *err);
/*
 * Adds the debug file of an entry, if the entry has none. 0, or a negative errno with err: -EBADMSG: its
 * build-id is another one
 */
int cache_add_debug(const char *dir, const struct build_id *id, const char *path, struct err *err);
/* whether the entry has a debug file */
bool cache_has_debug(const char *dir, const struct build_id *id);
/*
 * Keeps bytes as NAME/ID/FILE, such as "[vdso]"/ID/"vdso", unless there is a file of this size. 0, or a
 * negative errno.
 */
int cache_keep(const char *dir, const char *name, const char *file, const void *bytes, size_t size,
	       const struct build_id *id);

struct strbuf;
/*
 * appends a file of an entry, such as "probes", of at most max bytes. 0; -ENOENT: there is none; -EFBIG, or
 * another negative errno
 */
int cache_get_file(const char *dir, const struct build_id *id, const char *file, size_t max,
		   struct strbuf *out);
/* as cache_keep(), but a file that is there is replaced. name: as cached_file.path */
int cache_put_file(const char *dir, const char *name, const char *file, const void *bytes, size_t size,
		   const struct build_id *id);

struct cache_entry {
	const char *name;	/* "usr/bin/ls", "[vdso]": inside the cache */
	struct build_id id;
	const char *file;	/* "elf" */
	u32 mode;		/* its bits that let files be executed are kept */
	/* whether what was written to path is right; NULL: it is */
	bool (*check)(const char *path, const char *file, const struct build_id *id);
};
/*
 * Adds a file of an entry, whose bytes fill() writes. 0; -EEXIST: it is there; -EBADMSG: check() refused it,
 * and it is not kept; or another negative errno, also of fill().
 */
int cache_fill(const char *dir, const struct cache_entry *e, int (*fill)(int fd, void *ctx), void *ctx);

/*
 * Copies of running kernels (record/kcore.h) are in the folders CACHE_KCORES/ID/TIME of the cache. They have
 * no links, and are not listed: cached_file.path is this path. They count for cache_collect().
 */
#define CACHE_KCORES "[kernel.kcore]"
int cache_list_kcores(const char *dir, struct cached_files *out, struct err *err);
int cache_remove_kcore(const char *dir, const char *path, struct err *err);
/* makes path with all folders above it; 0 or a negative errno */
int cache_make_dir(const char *path);
/* removes a folder in the cache with the files in it; 0 or a negative errno */
int cache_remove_dir(const char *path);

/* 0; 1: the cache has no such entry; or a negative errno with err */
int cache_remove(const char *dir, const struct build_id *id, struct err *err);
/*
 * removes the entries that were not used for the longest time until at most max bytes remain; returns their
 * number, or a negative errno with err
 */
int cache_collect(const char *dir, u64 max, struct err *err);

#endif
