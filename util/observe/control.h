/*
 * Control: commands to a running recorder through descriptors or named pipes (--control): enable, disable
 * (all or one event), snapshot, evlist, ping, stop. Every command is answered with "ack
 * " if there is a descriptor for answers.
 */
#ifndef PERF_OBSERVE_CONTROL_H
#define PERF_OBSERVE_CONTROL_H

#include "../base/err.h"
#include "../base/strbuf.h"
#include "../kernel/open.h"

enum control_cmd {
	CONTROL_NONE,		/* an unknown word: arg contains the line */
	CONTROL_ENABLE, CONTROL_DISABLE, CONTROL_SNAPSHOT, CONTROL_EVLIST, CONTROL_PING, CONTROL_STOP,
};

struct control_msg {
	enum control_cmd cmd;
	char arg[256];		/* event name of enable/disable, flags of evlist; "" */
};

struct control {
	int fd, ack_fd;		/* -1: none */
	bool opened;		/* fifos: they must be closed */
	struct strbuf in;	/* bytes of an incomplete line */
};
#define CONTROL_INIT { -1, -1, false, STRBUF_INIT }

/*
 * "fd:N[,M]" or "fifo:PATH[,PATH]". To be called before we open descriptors of our own: N belongs to the
 * caller
 */
int control_open(struct control *c, const char *spec, struct err *err);
/* reads the available bytes. -EPIPE: the other end of an inherited descriptor is closed */
int control_read(struct control *c);
/* the next complete command; false: none */
bool control_next(struct control *c, struct control_msg *ret);
void control_ack(struct control *c);

/* what commands do in the running command; negative errno with err ends the run */
struct control_ops {
	int (*enable_all)(void *ctx, bool on, struct err *err);
	int (*snapshot)(void *ctx, struct err *err);	/* NULL: there is no such command here */
	bool *stop;					/* set by "stop" */
	const struct evset *set;
	const struct open_fds *fds;
};
/* reads, executes and answers the available commands; an input that has ended is not watched any longer */
struct loop;
int control_serve(struct control *c, struct loop *loop, const struct control_ops *ops, void *ctx,
		  struct err *err);
void control_close(struct control *c);

#endif
