/*
 * Fs: files of the running system, below a prefix. fs_set_root("tests/data/roots/amd") selects /sys, /proc
 * and tracefs of a fake machine; only paths that name the machine (/proc, /sys, /tmp/perf-PID.map,
 * /usr/lib/debug) go through here, not files that the user names.
 */
#ifndef PERF_BASE_FS_H
#define PERF_BASE_FS_H

#include <stdio.h>
#include "strbuf.h"

/* NULL or "": the real root; also taken from $PERF_FS_ROOT at start-up (tests) */
void fs_set_root(const char *root);
const char *fs_root(void);
/* writes root + path to out (reset first); returns the string */
const char *fs_path(struct strbuf *out, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* open(2) with O_CLOEXEC below the root; fd or negative errno */
int fs_open(const char *path, int flags);
FILE *fs_fopen(const char *path);
bool fs_exists(const char *path);
/*
 * appends the whole file to out; 0 or negative errno. Works for /proc and /sys files, whose size is not known
 * before
 */
int fs_read(const char *path, struct strbuf *out);
/* reads the first line without its newline; out is reset first */
int fs_read_line(const char *path, struct strbuf *out);
/* a number in any base; 0 or negative errno */
int fs_read_u64(const char *path, u64 *ret);
int fs_read_s64(const char *path, s64 *ret);

struct err;
struct stat;
/*
 * opens a regular file for reading, not below the root; a file descriptor, or negative errno with err. Does
 * not block if the path is a FIFO
 */
int open_regular(const char *path, struct stat *ret_st, struct err *err);
/*
 * opens a file in a folder that everybody may write to, such as /tmp: it must be a regular file, no link, of
 * this user or of root; root accepts files of all users. A file descriptor, or negative errno: -EINVAL if it
 * is not regular, -EPERM if it belongs to another user
 */
int open_shared_dir(const char *path, struct stat *ret_st);
/* reads an open descriptor to its end */
int fd_read_all(int fd, struct strbuf *out);
/*
 * finds the file that execvp(3) would run for a name without "/" and writes its path to out (reset first);
 * false if $PATH has none
 */
bool program_find(const char *name, struct strbuf *out);
/* writes all bytes, also after EINTR and short writes; 0 or negative errno */
int fd_write_all(int fd, const void *buf, size_t len);
/*
 * Creates an output, or NULL with errno; replace false: EEXIST where there is a file. A file that is replaced
 * stays what it is until file_finish(): the new one is written beside it, where the folder allows that.
 */
FILE *file_create(const char *path, bool replace);
/*
 * closes an output of path; ret is 0 or a negative errno of writing it. An incomplete file is removed, but
 * never a device or a fifo. Returns ret, or the error of closing
 */
int file_finish(FILE *out, const char *path, int ret);

size_t page_size(void);

#endif
