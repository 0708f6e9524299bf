/* Log lines on stderr (or a file), by level. */
#include "log.h"
#include "err.h"
#include "strbuf.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

int log_level;

#define MAX_HELD (1u << 20)	/* bytes: a program that runs for days must not grow */

static FILE *log_file;
static log_sink log_to;
static bool holding;
static struct strbuf held;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

static void log_line(const char *head, const char *fmt, va_list ap)
{
	FILE *f = log_file ? log_file : stderr;
	struct strbuf sb = STRBUF_INIT;

	strbuf_addstr(&sb, head);
	strbuf_vaddf(&sb, fmt, ap);
	text_sanitize(sb.buf, sb.len);
	if (!sb.len || sb.buf[sb.len - 1] != '\n')
		strbuf_addch(&sb, '\n');
	pthread_mutex_lock(&log_lock);
	if (log_to && !log_file)
		log_to(*head, sb.buf + strlen(head), sb.len - strlen(head) - 1);
	else if (holding && !log_file && held.len < MAX_HELD)
		strbuf_add(&held, sb.buf, sb.len);
	else if (!holding || log_file)
		fwrite(sb.buf, 1, sb.len, f);
	if (log_file)
		fflush(f);
	pthread_mutex_unlock(&log_lock);
	strbuf_release(&sb);
}

void log_warn(const char *fmt, ...)
{
	va_list ap;

	if (log_level < 0)
		return;
	va_start(ap, fmt);
	log_line("Warning: ", fmt, ap);
	va_end(ap);
}

void log_warn_err(const struct err *err)
{
	struct strbuf sb = STRBUF_INIT;

	err_describe(err, &sb);
	log_warn("%s", strbuf_str(&sb));
	strbuf_release(&sb);
}

void log_warn_lines(const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		log_warn("%.*s", (int)len, text);
		text += len + (text[len] == '\n');
	}
}

void log_note(const char *fmt, ...)
{
	va_list ap;

	if (log_level < 0)
		return;
	va_start(ap, fmt);
	log_line("", fmt, ap);
	va_end(ap);
}

void log_debug_at(int level, const char *fmt, ...)
{
	va_list ap;

	if (log_level < level)
		return;
	va_start(ap, fmt);
	log_line("", fmt, ap);
	va_end(ap);
}

void log_set_sink(log_sink sink)
{
	pthread_mutex_lock(&log_lock);
	log_to = sink;
	pthread_mutex_unlock(&log_lock);
}

int log_open(const char *path)
{
	FILE *f = fopen(path, "we");

	if (!f)
		return -errno;
	log_file = f;
	return 0;
}

void log_hold(bool hold)
{
	pthread_mutex_lock(&log_lock);
	holding = hold;
	if (!hold) {
		fwrite(strbuf_str(&held), 1, held.len, stderr);
		strbuf_release(&held);
	}
	pthread_mutex_unlock(&log_lock);
}
