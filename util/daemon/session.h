/*
 * Session of perf daemon: a section [session-NAME] and its recorder, perf record in a process group of its
 * own and in BASE/session-NAME, with its standard output and errors in the file output and the FIFOs control
 * and ack there. A session without a running recorder keeps how it ended. Owns its descriptors and strings.
 */
#ifndef PERF_DAEMON_SESSION_H
#define PERF_DAEMON_SESSION_H

#include <signal.h>
#include "base-dir.h"
#include "settings.h"

struct daemon_session {
	char *name, *run;
	char *next_run;		/* to be started when the recorder has ended; or NULL */
	u32 id;			/* of the session in its daemon */
	pid_t pid;		/* 0: no recorder runs */
	int pidfd, control_fd, ack_fd;
	u64 start_ns;		/* CLOCK_MONOTONIC */
	struct budget budget;
	struct budget_meter meter;
	u32 divisor;		/* of frequencies; a power of 2, 1 unless a budget was exceeded */
	enum budget_kind exceeded;	/* the last one, with divisor > 1 */
	u64 kill_ns;		/* it was asked to end, and is killed at this time; 0: it was not */
	bool removed;		/* its section is gone */
	bool pinged;		/* it has not yet answered a ping */
	int status;		/* wait status of the last recorder */
	char *failure;		/* why none could be started, or NULL */
};

struct daemon_session *daemon_session_new(const struct daemon_setting *setting, u32 id);
/* starts the recorder; an error is kept as failure, too. mask: signals that it blocks */
int daemon_session_start(struct daemon_session *s, const struct base_dir *b, const sigset_t *mask,
			 struct err *err);
/* asks the recorder to finish its file and end; it is killed after grace_ns */
void daemon_session_end(struct daemon_session *s, u64 grace_ns);
/* ends a recorder that does not end by itself, and its command */
void daemon_session_kill(struct daemon_session *s);
/* the recorder has ended, but was not reaped yet */
bool daemon_session_has_ended(const struct daemon_session *s);
/* true: the recorder has ended; status says how */
bool daemon_session_reap(struct daemon_session *s);
/* asks the recorder to answer, unless it was asked before and has not answered yet */
int daemon_session_ping(struct daemon_session *s);
/* reads answers; true: the ping was answered */
bool daemon_session_answered(struct daemon_session *s);
/* sends SIGUSR2; false: the recorder does not listen to it */
bool daemon_session_signal(const struct daemon_session *s);
void daemon_session_free(struct daemon_session *s);

#endif
