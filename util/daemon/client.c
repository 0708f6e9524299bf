/* Client of perf daemon: requests, and the text of answers. */
#include "client.h"
#include "../base/alloc.h"
#include "base-dir.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ANSWER_MS 10000u	/* longer than the daemon waits for a recorder's answer */

/* --- requests */

static int read_answer(int fd, struct daemon_answer *a, struct err *err)
{
	struct daemon_message m;
	int ret;

	while (!(ret = daemon_message_receive(fd, &m, err))) {
		/* another user's daemon can say anything */
		text_sanitize(m.name, strlen(m.name));
		text_sanitize(m.text, m.text_size - 1);
		text_sanitize(m.note, strlen(m.note));
		if (m.kind == DAEMON_END)
			return m.code ? err_set(err, MIN(m.code, -1), "%s", m.text) : 0;
		vec_push(a, (struct daemon_row){ m.kind, m.state, m.pid, m.code, m.age_s, xstrdup(m.name),
						 xstrdup(m.text), xstrdup(m.note) });
	}
	return ret;
}

int daemon_ask(const char *base, enum daemon_kind request, const char *session, struct daemon_answer *ret_a,
	       struct err *err)
{
	struct base_dir dir;
	struct daemon_message m;
	int fd, ret = base_dir_open(&dir, base, true, err);

	*ret_a = (struct daemon_answer){ 0 };
	if (ret)
		return ret;
	fd = base_dir_connect(&dir, err);
	if (fd < 0) {
		base_dir_release(&dir);
		return fd;
	}
	/* recorders finish their files before the daemon ends: nobody knows how long that takes */
	daemon_socket_timeout(fd, request == DAEMON_STOP ? 0 : ANSWER_MS);
	daemon_message_set(&m, request, session, NULL);
	ret = daemon_message_send(fd, &m);
	ret = ret ? err_sys(err, -ret, "cannot ask the perf daemon of %s", dir.path) :
	      read_answer(fd, ret_a, err);
	if (ret == -ETIMEDOUT && base_dir_owner(&dir))
		err_hint(err, "its pid is %d: see whether it is stopped", base_dir_owner(&dir));
	close(fd);
	base_dir_release(&dir);
	if (ret)
		daemon_answer_release(ret_a);
	return ret;
}

void daemon_answer_release(struct daemon_answer *a)
{
	vec_foreach(a, row) {
		free(row->name);
		free(row->text);
		free(row->note);
	}
	vec_release(a);
}

/* --- text of answers */

static const char *base_of(const struct daemon_answer *a)
{
	vec_foreach(a, row)
		if (row->kind == DAEMON_ROW_DAEMON)
			return row->text;
	return "";
}

/* "  output:  /base/output" */
static void add_path(struct strbuf *out, const char *what, const char *dir, const char *file)
{
	strbuf_addf(out, "  %-8s %s%s%s\n", what, dir, *file ? "/" : "", file);
}

static void list_daemon(struct strbuf *out, const struct daemon_row *row, bool verbose)
{
	strbuf_addf(out, "[%d:daemon] base: %s\n", row->pid, row->text);
	if (!verbose)
		return;
	add_path(out, "output:", row->text, "output");
	add_path(out, "lock:", row->text, "lock");
	strbuf_addf(out, "  up:      %lu minutes\n", row->age_s / 60);
}

static void list_session(struct strbuf *out, const struct daemon_row *row, const char *base, bool verbose)
{
	char *dir = xasprintf("%s/session-%s", base, row->name);

	strbuf_addf(out, "[%d:%s] perf record %s\n", row->pid, row->name, row->text);
	if (*row->note)
		strbuf_addf(out, "  budget:  %s\n", row->note);
	if (verbose) {
		add_path(out, "base:", dir, "");
		add_path(out, "output:", dir, "output");
		add_path(out, "control:", dir, "control");
		add_path(out, "ack:", dir, "ack");
		strbuf_addf(out, "  up:      %lu minutes\n", row->age_s / 60);
	}
	free(dir);
}

static void separated(struct strbuf *out, const struct daemon_row *row, const char *base, char sep)
{
	char *dir = xasprintf("%s/session-%s", base, row->name);

	if (row->kind == DAEMON_ROW_DAEMON)
		strbuf_addf(out, "%d%cdaemon%c%s%c%s/output%c%s/lock%c", row->pid, sep, sep, base, sep, base,
			    sep, base, sep);
	else
		strbuf_addf(out, "%d%c%s%c%s%c%s%c%s/output%c%s/control%c%s/ack%c", row->pid, sep, row->name,
			    sep, row->text, sep, dir, sep, dir, sep, dir, sep, dir, sep);
	strbuf_addf(out, "%lu\n", row->age_s / 60);
	free(dir);
}

void daemon_list_text(struct strbuf *out, const struct daemon_answer *a, char separator, bool verbose)
{
	const char *base = base_of(a);

	vec_foreach(a, row) {
		if (row->state != DAEMON_RUNS)
			continue;
		if (separator)
			separated(out, row, base, separator);
		else if (row->kind == DAEMON_ROW_DAEMON)
			list_daemon(out, row, verbose);
		else
			list_session(out, row, base, verbose);
	}
}

void daemon_signal_text(struct strbuf *out, const struct daemon_answer *a)
{
	vec_foreach(a, row)
		if (row->kind == DAEMON_ROW_SESSION && row->pid)
			strbuf_addf(out, "signal %d sent to session '%s [%d]'\n", SIGUSR2, row->name,
				    row->pid);
}

u32 daemon_ping_text(struct strbuf *out, const struct daemon_answer *a)
{
	u32 nr = 0;

	vec_foreach(a, row) {
		if (row->kind != DAEMON_ROW_SESSION)
			continue;
		strbuf_addf(out, "%-4s %s\n", row->state == DAEMON_RUNS ? "OK" : "FAIL", row->name);
		nr += row->state != DAEMON_RUNS;
	}
	return nr;
}

void daemon_row_reason(struct strbuf *out, const struct daemon_row *row, const char *base)
{
	if (row->kind != DAEMON_ROW_SESSION || row->state == DAEMON_RUNS)
		return;
	strbuf_addf(out, "session '%s' ", row->name);
	if (row->state == DAEMON_IGNORES) {
		strbuf_addstr(out, "ignores the signal: its run has neither --switch-output nor --overwrite, "
			      "or it is still starting");
		return;
	}
	if (row->state == DAEMON_SILENT)
		strbuf_addf(out, "(pid %d) does not answer", row->pid);
	else if (row->state == DAEMON_FAILED)
		strbuf_addf(out, "could not be started: %s", row->text);
	else if (WIFSIGNALED(row->code))
		strbuf_addf(out, "was killed by signal %d", WTERMSIG(row->code));
	else
		strbuf_addf(out, "exited with status %d", WEXITSTATUS(row->code));
	if (row->state != DAEMON_FAILED)
		strbuf_addf(out, ": see %s/session-%s/output", base, row->name);
}
