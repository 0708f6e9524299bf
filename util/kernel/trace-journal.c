/* Trace journal: a locked file of former values. */
#include "trace-journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/vec.h"
#include "trace-files.h"

#define JOURNAL "/run/perf-ftrace"
#define MAX_BYTES (64u << 20)	/* a filter can list all functions of a kernel: 5 MB */

static void close_journal(struct trace_journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	j->fd = -1;
}

/* a path that cannot leave tracefs */
static bool is_inside(const char *path)
{
	return *path && *path != '/' && !strstr(path, "..");
}

/* "PATH=VALUE", where newlines of the value are "\n" and backslashes are doubled; changes line */
static void put_back(char *line, struct err *err)
{
	char *value = strchr(line, '='), *to;
	struct err why = ERR_INIT;

	if (!value)
		return;
	*value++ = '\0';
	to = value;
	for (const char *from = value; *from; from++, to++) {
		bool escaped = *from == '\\' && from[1];

		from += escaped;
		*to = escaped && *from == 'n' ? '\n' : *from;
	}
	*to = '\0';
	/* a file that is gone belonged to an instance that is gone */
	if (is_inside(line) && trace_file_write(line, value, NULL, &why) && why.code != -ENOENT && !err->code)
		err_copy(err, &why);
}

static int put_all_back(struct trace_journal *j, struct err *err)
{
	struct { VEC(char *); } line = { 0 };
	struct strbuf text = STRBUF_INIT;
	struct err first = ERR_INIT;

	if (lseek(j->fd, 0, SEEK_SET) < 0 || fd_read_all(j->fd, &text) < 0) {
		/* it keeps what it has */
		err_sys(err, errno, "settings of tracing are not put back: %s cannot be read", JOURNAL);
		err_hint(err, "the next perf ftrace puts them back");
		strbuf_release(&text);
		return err->code;
	}
	/* the last line can lack its end, if the run was killed before it changed anything */
	for (char *s = text.len ? text.buf : NULL, *end; s && (end = strchr(s, '\n')); s = end + 1) {
		*end = '\0';
		vec_push(&line, s);
	}
	while (line.nr)
		put_back(line.v[--line.nr], &first);
	if (ftruncate(j->fd, 0) < 0 && !first.code)
		err_sys(&first, errno, "%s cannot be emptied", JOURNAL);
	vec_release(&line);
	strbuf_release(&text);
	return first.code ? err_copy(err, &first) : 0;
}

/* 0, also where there is no file and flags do not create one: fd is -1 then */
static int open_locked(struct trace_journal *j, int flags, struct err *err)
{
	struct stat st;

	j->fd = fs_open(JOURNAL, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | flags);
	if (j->fd == -ENOENT && !flags) {
		j->fd = -1;
		return 0;
	}
	if (j->fd < 0) {
		int code = j->fd;

		j->fd = -1;
		return err_sys(err, -code, "%s cannot be opened: it keeps the settings of tracing while perf "
			       "changes them", JOURNAL);
	}
	if (fstat(j->fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    st.st_size > MAX_BYTES) {
		close_journal(j);
		return err_set(err, -EINVAL, "%s is not a file that perf has written: remove it", JOURNAL);
	}
	if (flock(j->fd, LOCK_EX | LOCK_NB) < 0) {
		close_journal(j);
		err_set(err, -EBUSY, "another perf ftrace uses settings that all tracing shares");
		err_hint(err, "wait for its end; the function tracer (-T without -G) can run beside it");
		return -EBUSY;
	}
	return 0;
}

int trace_journal_open(struct trace_journal *j, struct err *err)
{
	int ret;

	if (j->fd >= 0)
		return 0;
	ret = open_locked(j, O_CREAT, err);
	return ret ? ret : put_all_back(j, err);
}

int trace_journal_add(struct trace_journal *j, const char *path, const char *value, struct err *err)
{
	struct strbuf line = STRBUF_INIT;
	int ret;

	strbuf_addf(&line, "%s=", path);
	for (; *value; value++) {
		if (*value == '\n' || *value == '\\')
			strbuf_addch(&line, '\\');
		strbuf_addch(&line, *value == '\n' ? 'n' : *value);
	}
	strbuf_addch(&line, '\n');
	ret = fd_write_all(j->fd, line.buf, line.len);
	strbuf_release(&line);
	return ret ? err_sys(err, -ret, "cannot write to %s", JOURNAL) : 0;
}

int trace_journal_undo(struct trace_journal *j, struct err *err)
{
	int ret = j->fd >= 0 ? put_all_back(j, err) : 0;

	close_journal(j);
	return ret;
}

void trace_journal_recover(void)
{
	struct trace_journal j = TRACE_JOURNAL_INIT;
	struct err err = ERR_INIT;

	if (open_locked(&j, 0, &err) || trace_journal_undo(&j, &err))
		log_v("settings of an earlier perf ftrace are not put back: %s", err.msg);
}
