/*
 * The parts of the server that its files share: sessions and clients of one daemon. Only server.c and
 * answers.c include this.
 */
#ifndef PERF_DAEMON_SERVER_PRIVATE_H
#define PERF_DAEMON_SERVER_PRIVATE_H

#include "../base/vec.h"
#include "../observe/loop.h"
#include "base-dir.h"
#include "config-watch.h"
#include "protocol.h"
#include "server.h"
#include "session.h"

/* what a client waits for of one session */
struct daemon_wait {
	u32 id;			/* of the session */
	enum daemon_state state;
	bool open;		/* not known yet */
};

struct daemon_client {
	int fd;
	u32 id;
	u64 deadline_ns;	/* 0: the request has not come, or it waits for the end of the daemon */
	bool stops;
	struct { VEC(struct daemon_wait); } wait;
};

struct server {
	const struct daemon_opts *o;
	char *base_word;		/* as it was given */
	struct base_dir base;
	struct loop loop;
	struct config_watch watch;
	int listen_fd, log_fd;
	u32 next_id;
	u64 start_ns;
	bool stopping;
	struct { VEC(struct daemon_session *); } session;
	struct { VEC(struct daemon_client *); } client;
};

/* identities of descriptors in the loop: of the server, of sessions and of clients by their id */
enum watched { WATCH_LISTEN, WATCH_CONFIG, WATCH_RECORDER, WATCH_ACK, WATCH_CLIENT, WATCHED };
#define WATCH_ID(id, what) ((id) * WATCHED + (what))

void server_log(struct server *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* asks all recorders to end, and then the daemon */
void server_stop(struct server *s);

/* --- answers.c */

void server_accept(struct server *s);
/* a client's request, or its end */
void server_read_client(struct server *s, u32 id);
/* this session answered a ping, or can no longer do so: clients that wait for it */
void server_settle(struct server *s, const struct daemon_session *session, enum daemon_state state);
/* answers clients that have waited long enough; returns the time of the next one, 0: nobody waits */
u64 server_check_waits(struct server *s, u64 now_ns);
/* tells clients that waited for it that the daemon has ended, and disconnects all */
void server_release_clients(struct server *s);

#endif
