/* Server of perf daemon: requests of clients and their answers. */
#include "server-private.h"
#include "../base/alloc.h"
#include "../base/units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000ull
#define CLIENTS_MAX 64u
#define SEND_MS 1000u			/* a client that does not read delays nobody for longer */
#define PING_NS (3 * NS_PER_S)		/* a recorder that starts up needs up to a second or two */

static void close_client(struct server *s, u32 at)
{
	struct daemon_client *c = s->client.v[at];

	loop_del_fd(&s->loop, c->fd);
	close(c->fd);
	vec_release(&c->wait);
	free(c);
	s->client.v[at] = s->client.v[--s->client.nr];
}

/* the peer is this user or root, so that nobody else learns or ends anything */
static bool is_allowed(int fd)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) &&
	       (!cred.uid || cred.uid == geteuid());
}

void server_accept(struct server *s)
{
	int fd = accept4(s->listen_fd, NULL, NULL, SOCK_CLOEXEC);
	struct daemon_client *c;

	if (fd < 0)
		return;
	if (!is_allowed(fd) || s->client.nr >= CLIENTS_MAX ||
	    loop_add_fd(&s->loop, fd, WATCH_ID(s->next_id, WATCH_CLIENT), NULL)) {
		close(fd);
		return;
	}
	daemon_socket_timeout(fd, SEND_MS);
	c = xcalloc(1, sizeof(*c));
	c->fd = fd;
	c->id = s->next_id++;
	vec_push(&s->client, c);
}

/* --- rows */

static u64 age_s(u64 start_ns)
{
	return (clock_ns(CLOCK_MONOTONIC) - start_ns) / NS_PER_S;
}

static int send_end(int fd, int code, const char *text)
{
	struct daemon_message m;

	daemon_message_set(&m, DAEMON_END, NULL, text);
	m.code = code;
	return daemon_message_send(fd, &m);
}

static int send_daemon(const struct server *s, int fd)
{
	struct daemon_message m;

	daemon_message_set(&m, DAEMON_ROW_DAEMON, NULL, s->base.path);
	m.pid = getpid();
	m.age_s = age_s(s->start_ns);
	return daemon_message_send(fd, &m);
}

/* "--freq-divisor=2 -a -g" and "cpu = 1% was exceeded: frequency divided by 2" */
static void set_lowered(struct daemon_message *m, const struct daemon_session *d)
{
	struct strbuf run = STRBUF_INIT, limit = STRBUF_INIT;

	strbuf_addf(&run, "--freq-divisor=%u %s", d->divisor, d->run);
	budget_text(&limit, &d->budget, d->exceeded);
	daemon_message_set(m, DAEMON_ROW_SESSION, d->name, strbuf_str(&run));
	snprintf(m->note, sizeof(m->note), "%s was exceeded: frequency divided by %u", strbuf_str(&limit),
		 d->divisor);
	strbuf_release(&run);
	strbuf_release(&limit);
}

static int send_session(int fd, const struct daemon_session *d, enum daemon_state state)
{
	struct daemon_message m;

	/* it has ended meanwhile */
	if (!d->pid)
		state = d->failure ? DAEMON_FAILED : DAEMON_ENDED;
	if (d->divisor > 1 && !d->failure)
		set_lowered(&m, d);
	else
		daemon_message_set(&m, DAEMON_ROW_SESSION, d->name, d->failure ? d->failure : d->run);
	m.pid = d->pid;
	m.age_s = age_s(d->start_ns);
	m.state = state;
	m.code = d->status;
	return daemon_message_send(fd, &m);
}

static struct daemon_session *session_of_id(const struct server *s, u32 id)
{
	vec_foreach(&s->session, d)
		if ((*d)->id == id)
			return *d;
	return NULL;
}

/* all rows that the client waited for; then it is gone */
static void answer(struct server *s, u32 at)
{
	struct daemon_client *c = s->client.v[at];
	int ret = send_daemon(s, c->fd);

	vec_foreach(&c->wait, w) {
		const struct daemon_session *d = session_of_id(s, w->id);

		if (d && !ret)
			ret = send_session(c->fd, d, w->open ? DAEMON_SILENT : w->state);
	}
	if (!ret)
		send_end(c->fd, 0, NULL);
	close_client(s, at);
}

static bool is_settled(const struct daemon_client *c)
{
	vec_foreach(&c->wait, w)
		if (w->open)
			return false;
	return true;
}

void server_settle(struct server *s, const struct daemon_session *session, enum daemon_state state)
{
	/* from the last one on, because answers remove clients */
	for (u32 i = s->client.nr; i-- > 0;) {
		struct daemon_client *c = s->client.v[i];
		bool waited = false;

		vec_foreach(&c->wait, w) {
			if (!w->open || w->id != session->id)
				continue;
			w->open = false;
			w->state = state;
			waited = true;
		}
		if (waited && is_settled(c))
			answer(s, i);
	}
}

u64 server_check_waits(struct server *s, u64 now_ns)
{
	u64 next = 0;

	for (u32 i = s->client.nr; i-- > 0;) {
		u64 deadline = s->client.v[i]->deadline_ns;

		if (deadline && deadline <= now_ns)
			answer(s, i);
		else if (deadline && (!next || deadline < next))
			next = deadline;
	}
	return next;
}

void server_release_clients(struct server *s)
{
	while (s->client.nr) {
		if (s->client.v[0]->stops)
			send_end(s->client.v[0]->fd, 0, NULL);
		close_client(s, 0);
	}
	vec_release(&s->client);
}

/* --- requests */

/* what a request makes of one session */
static struct daemon_wait serve(struct server *s, enum daemon_kind request, struct daemon_session *d)
{
	struct daemon_wait w = { .id = d->id, .state = d->pid ? DAEMON_RUNS : DAEMON_ENDED };

	if (!d->pid || request == DAEMON_LIST)
		return w;
	if (request == DAEMON_SIGNAL) {
		w.state = daemon_session_signal(d) ? DAEMON_RUNS : DAEMON_IGNORES;
		server_log(s, "signal %d sent to session '%s [%d]'", SIGUSR2, d->name, d->pid);
	} else if (daemon_session_ping(d)) {
		w.state = DAEMON_SILENT;
	} else {
		w.open = true;
		/* watched only meanwhile: others may use the FIFOs, too. It may be watched already */
		loop_add_fd(&s->loop, d->ack_fd, WATCH_ID(d->id, WATCH_ACK), NULL);
	}
	return w;
}

static void serve_all(struct server *s, u32 at, const struct daemon_message *m)
{
	struct daemon_client *c = s->client.v[at];

	vec_foreach(&s->session, d)
		if (!*m->name || !strcasecmp((*d)->name, m->name))
			vec_push(&c->wait, serve(s, m->kind, *d));
	if (*m->name && !c->wait.nr) {
		send_end(c->fd, -ENOENT, "not found");
		close_client(s, at);
		return;
	}
	c->deadline_ns = clock_ns(CLOCK_MONOTONIC) + PING_NS;
	if (is_settled(c))
		answer(s, at);
}

void server_read_client(struct server *s, u32 id)
{
	struct daemon_message m;
	u32 at = 0;

	while (at < s->client.nr && s->client.v[at]->id != id)
		at++;
	if (at == s->client.nr)
		return;
	/* one that says more than its one request, or has gone */
	if (s->client.v[at]->deadline_ns || s->client.v[at]->stops ||
	    daemon_message_receive(s->client.v[at]->fd, &m, NULL)) {
		close_client(s, at);
		return;
	}
	switch (m.kind) {
	case DAEMON_STOP:
		s->client.v[at]->stops = true;
		server_log(s, "asked to stop");
		server_stop(s);
		return;
	case DAEMON_LIST:
	case DAEMON_SIGNAL:
	case DAEMON_PING:
		serve_all(s, at, &m);
		return;
	default:
		send_end(s->client.v[at]->fd, -EINVAL, "not a request");
		close_client(s, at);
	}
}
