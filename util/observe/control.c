/* Control: --control commands. */
#include "control.h"
#include "../base/alloc.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "loop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_MAX_BYTES 4096u

static const struct {
	const char *word;
	enum control_cmd cmd;
} commands[] = {
	{ "enable",	CONTROL_ENABLE },
	{ "disable",	CONTROL_DISABLE },
	{ "snapshot",	CONTROL_SNAPSHOT },
	{ "evlist",	CONTROL_EVLIST },
	{ "ping",	CONTROL_PING },
	{ "stop",	CONTROL_STOP },
};

/* asks the kernel: files and directories cannot be waited for, nor can devices such as /dev/null */
static bool can_be_waited_for(int fd)
{
	struct epoll_event ev = { .events = EPOLLIN };
	int epfd = epoll_create1(EPOLL_CLOEXEC);
	bool can = !epoll_ctl(epfd, EPOLL_CTL_ADD, fd, &ev) || errno != EPERM;

	close(epfd);
	return can;
}

static bool is_fifo(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISFIFO(st.st_mode);
}

/*
 * opened for reading and writing, so that the end of one writer does not end the pipe, and nothing blocks
 * here. -1 with err
 */
static int open_fifo(const char *path, struct err *err)
{
	int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0) {
		err_sys(err, errno, "--control: cannot open the fifo %s", path);
	} else if (!is_fifo(fd)) {
		err_set(err, -EINVAL, "--control: %s is not a fifo (mkfifo makes one)", path);
		close(fd);
		fd = -1;
	}
	return fd;
}

static int parse_fds(struct control *c, const char *s, struct err *err)
{
	char *end;
	long fd = strtol(s, &end, 10), ack = -1;
	bool bad = end == s || fd < 0;

	if (!bad && *end == ',') {
		s = end + 1;
		ack = strtol(s, &end, 10);
		bad = end == s || ack < 0;
	}
	if (bad || *end)
		return err_set(err, -EINVAL,
			       "--control fd: needs numbers of open descriptors, as in fd:10,11");
	if (fcntl(fd, F_GETFD) < 0 || (ack >= 0 && fcntl(ack, F_GETFD) < 0))
		return err_set(err, -EBADF, "--control: descriptor %ld is not open",
			       fcntl(fd, F_GETFD) < 0 ? fd : ack);
	if (!can_be_waited_for(fd))
		return err_set(err, -EINVAL, "--control: descriptor %ld is a file, a directory or /dev/null, "
			       "not a pipe, socket or terminal", fd);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	c->fd = fd;
	c->ack_fd = ack;
	return 0;
}

static int open_fifos(struct control *c, const char *s, struct err *err)
{
	const char *comma = strchrnul(s, ',');
	char *path = xstrndup(s, comma - s);

	c->opened = true;
	c->fd = open_fifo(path, err);
	if (c->fd >= 0 && *comma)
		c->ack_fd = open_fifo(comma + 1, err);
	free(path);
	return c->fd < 0 || (*comma && c->ack_fd < 0) ? err->code : 0;
}

int control_open(struct control *c, const char *spec, struct err *err)
{
	*c = (struct control)CONTROL_INIT;
	if (!strncmp(spec, "fd:", 3))
		return parse_fds(c, spec + 3, err);
	if (!strncmp(spec, "fifo:", 5) && spec[5] && spec[5] != ',')
		return open_fifos(c, spec + 5, err);
	return err_set(err, -EINVAL, "--control needs fd:N[,M] or fifo:PATH[,PATH], not '%s'", spec);
}

int control_read(struct control *c)
{
	char buf[512];
	ssize_t n = read(c->fd, buf, sizeof(buf));

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	if (!n)
		return -EPIPE;
	/* no command is that long */
	if (c->in.len + n > LINE_MAX_BYTES)
		strbuf_reset(&c->in);
	strbuf_add(&c->in, buf, n);
	return 0;
}

static void parse_line(char *line, struct control_msg *ret)
{
	size_t len;

	line += strspn(line, " \t");
	len = strcspn(line, " \t");
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		char *arg = line + len + strspn(line + len, " \t");

		if (strlen(commands[i].word) != len || strncmp(commands[i].word, line, len))
			continue;
		ret->cmd = commands[i].cmd;
		/* names may be quoted */
		if (*arg == '\'' || *arg == '"')
			arg++;
		snprintf(ret->arg, sizeof(ret->arg), "%.*s", (int)strcspn(arg, "'\""), arg);
		return;
	}
	ret->cmd = CONTROL_NONE;
	snprintf(ret->arg, sizeof(ret->arg), "%s", line);
}

bool control_next(struct control *c, struct control_msg *ret)
{
	char *line = c->in.buf, *end;
	size_t used;

	if (!c->in.len)
		return false;
	/* lines end with a newline; a missing one, or a NUL instead, is accepted */
	end = line + strcspn(line, "\n");
	used = MIN((size_t)(end - line) + 1, c->in.len);
	*end = '\0';
	while (end > line && (end[-1] == '\r' || end[-1] == ' '))
		*--end = '\0';
	parse_line(line, ret);
	memmove(line, line + used, c->in.len - used);
	strbuf_setlen(&c->in, c->in.len - used);
	return true;
}

/* the first of the events with that name; 1 after a warning if there is none */
static int enable_event(const struct control_ops *ops, const char *name, bool on, struct err *err)
{
	vec_foreach(&ops->set->ev, ev)
		if (!strcmp((*ev)->name, name))
			return open_enable_event(ops->fds, *ev, on, err);
	log_warn("--control: no event is called '%s'", name);
	return 1;
}

static int enable(const struct control_ops *ops, void *ctx, const char *name, bool on, struct err *err)
{
	int ret = *name ? enable_event(ops, name, on, err) : ops->enable_all(ctx, on, err);

	if (!ret)
		log_note("Events %s", on ? "enabled" : "disabled");
	return MIN(ret, 0);
}

int control_serve(struct control *c, struct loop *loop, const struct control_ops *ops, void *ctx,
		  struct err *err)
{
	struct control_msg m;
	int ret = 0;

	if (control_read(c) < 0)
		loop_del_fd(loop, c->fd);
	while (!ret && control_next(c, &m)) {
		if (m.cmd == CONTROL_NONE || (m.cmd == CONTROL_SNAPSHOT && !ops->snapshot)) {
			log_warn("--control: '%s' is not a command%s", m.cmd ? "snapshot" : m.arg,
				 m.cmd ? " of this subcommand" : "");
			continue;
		}
		if (m.cmd == CONTROL_ENABLE || m.cmd == CONTROL_DISABLE)
			ret = enable(ops, ctx, m.arg, m.cmd == CONTROL_ENABLE, err);
		else if (m.cmd == CONTROL_SNAPSHOT)
			ret = ops->snapshot(ctx, err);
		else if (m.cmd == CONTROL_STOP)
			*ops->stop = true;
		else if (m.cmd == CONTROL_EVLIST)
			vec_foreach(&ops->set->ev, ev)
				log_note("%s", (*ev)->name);
		control_ack(c);
	}
	return ret;
}

void control_ack(struct control *c)
{
	/* errors do not matter: then nobody listens */
	if (c->ack_fd >= 0)
		fd_write_all(c->ack_fd, "ack\n", 4);
}

void control_close(struct control *c)
{
	if (c->opened) {
		if (c->fd >= 0)
			close(c->fd);
		if (c->ack_fd >= 0)
			close(c->ack_fd);
	}
	strbuf_release(&c->in);
	c->fd = c->ack_fd = -1;
}
