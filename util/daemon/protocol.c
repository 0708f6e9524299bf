/* Protocol of perf daemon's socket: making, checking, sending and receiving messages. */
#include "protocol.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#define HEAD offsetof(struct daemon_message, text)

/* without padding, so that no bytes of our memory are sent */
_Static_assert(HEAD == 8 + 4 * 4 + 8 + 2 * 4 + DAEMON_NAME_MAX + DAEMON_NOTE_MAX,
	       "padding in struct daemon_message");

void daemon_message_set(struct daemon_message *m, enum daemon_kind kind, const char *name, const char *text)
{
	memset(m, 0, HEAD);
	memcpy(m->signature, DAEMON_SIGNATURE, sizeof(m->signature));
	m->kind = kind;
	snprintf(m->name, sizeof(m->name), "%s", name ? name : "");
	snprintf(m->text, sizeof(m->text), "%s", text ? text : "");
	m->text_size = strlen(m->text) + 1;
}

int daemon_message_check(const struct daemon_message *m, size_t size, struct err *err)
{
	bool good = size > HEAD && size <= sizeof(*m) &&
		    !memcmp(m->signature, DAEMON_SIGNATURE, sizeof(m->signature)) &&
		    m->kind && m->kind < DAEMON_KINDS && m->state < DAEMON_STATES &&
		    m->text_size == size - HEAD && memchr(m->name, 0, sizeof(m->name)) &&
		    memchr(m->note, 0, sizeof(m->note)) &&
		    memchr(m->text, 0, m->text_size) == m->text + m->text_size - 1;

	if (good)
		return 0;
	err_set(err, -EBADMSG, "the message is not one of this perf's daemon");
	err_hint(err, "client and daemon must be the same version of perf: stop the daemon with the one that "
		 "started it");
	return -EBADMSG;
}

int daemon_message_send(int fd, const struct daemon_message *m)
{
	size_t size = HEAD + m->text_size;
	ssize_t n;

	do
		n = send(fd, m, size, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)size ? 0 : n < 0 ? -errno : -EIO;
}

int daemon_message_receive(int fd, struct daemon_message *m, struct err *err)
{
	ssize_t n;

	do
		n = recv(fd, m, sizeof(*m), MSG_TRUNC);
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != ECONNRESET)
		return err_sys(err, errno, "cannot read from the socket of perf daemon");
	if (n < 0 && errno != ECONNRESET)
		return err_set(err, -ETIMEDOUT, "the perf daemon does not answer");
	if (n <= 0)
		return err_set(err, -EPIPE, "the perf daemon ended before its answer was complete");
	return daemon_message_check(m, n, err);
}

void daemon_socket_timeout(int fd, u32 ms)
{
	struct timeval tv = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv));
}
