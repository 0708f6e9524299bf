/*
 * Base directory of a daemon: BASE/lock, which the running daemon holds by flock(2) with its PID in it,
 * BASE/control, its socket, BASE/output, its log, and BASE/session-NAME/ for each session. All are reached
 * through a descriptor of the directory, so that neither the length of its path nor a later rename matters,
 * and no symbolic link is followed. Owns its descriptors and path.
 */
#ifndef PERF_DAEMON_BASE_DIR_H
#define PERF_DAEMON_BASE_DIR_H

#include <sys/types.h>
#include "../base/err.h"

struct base_dir {
	char *path;		/* absolute, without links */
	int fd, lock_fd;	/* lock_fd -1: not ours */
};
#define BASE_DIR_NONE { NULL, -1, -1 }

/*
 * The directory must exist, belong to this user, and nobody else may write to it. A client of root's may ask
 * the daemons of other users, too
 */
int base_dir_open(struct base_dir *b, const char *path, bool client, struct err *err);
/* makes this process the one daemon of the directory, until it ends. -EBUSY: another one runs */
int base_dir_lock(struct base_dir *b, struct err *err);
/* the PID in the lock file if somebody holds the lock, else 0 */
pid_t base_dir_owner(const struct base_dir *b);
/* a new listening socket BASE/control; one that is left of a killed daemon is replaced */
int base_dir_listen(const struct base_dir *b, struct err *err);
/* connects to the daemon. -ENOENT: none runs */
int base_dir_connect(const struct base_dir *b, struct err *err);
/* an empty file output in the directory at dir_fd, for appending; path names the directory in errors */
int base_dir_output(int dir_fd, const char *path, struct err *err);
/* BASE/session-NAME, made if it does not exist; a descriptor */
int base_dir_session(const struct base_dir *b, const char *name, struct err *err);
/* an empty FIFO NAME in a session's directory, open for reading and writing; a descriptor */
int base_dir_fifo(int dir_fd, const char *name, struct err *err);
/* removes the socket, and releases the lock */
void base_dir_unlock(struct base_dir *b);
void base_dir_release(struct base_dir *b);

#endif
