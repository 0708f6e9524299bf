/*
 * Protocol of perf daemon's socket: a request is one message, an answer is a message per row and one at the
 * end. It is private: client and daemon are the same perf. Messages are packets (SOCK_SEQPACKET), and each is
 * checked before anything else reads it. Owns nothing.
 */
#ifndef PERF_DAEMON_PROTOCOL_H
#define PERF_DAEMON_PROTOCOL_H

#include "../base/err.h"
#include "settings.h"

enum daemon_kind {
	/* requests; name: the session, or "" for all */
	DAEMON_LIST = 1, DAEMON_SIGNAL, DAEMON_PING, DAEMON_STOP,
	/* rows and the end of an answer */
	DAEMON_ROW_DAEMON,	/* pid, age_s; text: the base directory */
	DAEMON_ROW_SESSION,	/* name, pid, age_s, state; text: the value of run; note */
	DAEMON_END,		/* code: 0 or a negative errno, then text is the message */
	DAEMON_KINDS
};

/* what a row says of its session */
enum daemon_state {
	DAEMON_RUNS,		/* list, signal: the signal was sent; ping: it answered */
	DAEMON_IGNORES,		/* signal: it was sent, but the recorder does not listen to it */
	DAEMON_SILENT,		/* ping: no answer in time */
	DAEMON_ENDED,		/* it does not run; code is its wait status */
	DAEMON_FAILED,		/* it could not be started; text says why */
	DAEMON_STATES
};

#define DAEMON_SIGNATURE "perfdmn2"
#define DAEMON_NOTE_MAX 64	/* bytes of a note, with its NUL */

struct daemon_message {
	char signature[8];	/* DAEMON_SIGNATURE without a NUL */
	u32 kind, state;
	s32 pid, code;
	u64 age_s;		/* seconds since the start */
	u32 text_size, zero;	/* bytes of text that follow, with its NUL */
	char name[DAEMON_NAME_MAX];
	char note[DAEMON_NOTE_MAX];	/* what is to be known about the session, or "" */
	char text[DAEMON_RUN_MAX];
};

/* kind, name and text ("" if NULL) of a message; what does not fit is cut */
void daemon_message_set(struct daemon_message *m, enum daemon_kind kind, const char *name, const char *text);
/* whether size bytes at m, of which all but size may be garbage, are a message */
int daemon_message_check(const struct daemon_message *m, size_t size, struct err *err);
/* sends one message; does not wait longer than the socket's timeout */
int daemon_message_send(int fd, const struct daemon_message *m);
/* receives and checks one. -EPIPE: the other end was closed, -ETIMEDOUT: nothing came within the timeout */
int daemon_message_receive(int fd, struct daemon_message *m, struct err *err);
/* milliseconds, for sending and receiving; 0: for ever */
void daemon_socket_timeout(int fd, u32 ms);

#endif
