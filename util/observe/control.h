/*
 * Control: commands to a running recorder through descriptors or named pipes (--control): enable, disable (all or one event),
 * snapshot, evlist, ping, stop. Every command is answered with "ack\n" where there is an answer channel.
 */
#ifndef PERF_OBSERVE_CONTROL_H
#define PERF_OBSERVE_CONTROL_H

#include "../base/err.h"
#include "../base/strbuf.h"
#include "../kernel/open.h"

enum control_cmd {
	CONTROL_NONE,		/* an unknown word: arg holds the line */
	CONTROL_ENABLE, CONTROL_DISABLE, CONTROL_SNAPSHOT, CONTROL_EVLIST, CONTROL_PING, CONTROL_STOP,
};

struct control_msg {
	enum control_cmd cmd;
	char arg[256];		/* event name of enable/disable, flags of evlist; "" */
};

struct control {
	int fd, ack_fd;		/* -1: none */
	bool opened;		/* fifos: to be closed */
	struct strbuf in;	/* bytes of a line that is not complete */
};
#define CONTROL_INIT { -1, -1, false, STRBUF_INIT }

/* "fd:N[,M]" or "fifo:PATH[,PATH]". To be called before descriptors of our own are opened: N is the caller's */
int control_open(struct control *c, const char *spec, struct err *err);
/* reads what is there. -EPIPE: the other end of an inherited descriptor is gone */
int control_read(struct control *c);
/* the next complete command; false: none */
bool control_next(struct control *c, struct control_msg *ret);
void control_ack(struct control *c);

/* what commands mean to whoever runs; negative errno with err ends the run */
struct control_ops {
	int (*enable_all)(void *ctx, bool on, struct err *err);
	int (*snapshot)(void *ctx, struct err *err);	/* NULL: not a command here */
	bool *stop;					/* set by "stop" */
	const struct evset *set;
	const struct open_fds *fds;
};
/* reads, carries out and answers what is there; an input that has ended is not watched any more */
struct loop;
int control_serve(struct control *c, struct loop *loop, const struct control_ops *ops, void *ctx, struct err *err);
void control_close(struct control *c);

#endif
