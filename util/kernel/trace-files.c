/* Trace files: reading and writing, with errors that say what to do. */
#include "trace-files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "../base/fs.h"
#include "tracefs.h"

int trace_file_open(const char *path, int flags)
{
	const char *top = tracefs_path();
	struct strbuf full = STRBUF_INIT;
	int fd;

	if (!top)
		return -ENODEV;
	strbuf_addf(&full, "%s/%s", top, path);
	fd = fs_open(full.buf, flags);
	strbuf_release(&full);
	return fd;
}

bool trace_file_exists(const char *path)
{
	int fd = trace_file_open(path, O_PATH);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

int trace_file_explain(const char *path, int code, struct err *err)
{
	const char *why, *todo;

	if (((code == -ENODEV && !tracefs_path()) || code == -ENOENT) && tracefs_explain_missing(err))
		return -EPERM;
	if (code == -ENODEV && !tracefs_path()) {
		err_set(err, code, "functions cannot be traced: tracefs is not mounted");
		err_hint(err, "as root: mount -t tracefs nodev /sys/kernel/tracing");
		return code;
	}
	if (code == -EACCES || code == -EPERM) {
		why = tracefs_locked_down() ? ": the kernel is locked down" :
		      geteuid() ? "" : ": the kernel refuses it, even to root";
		todo = tracefs_locked_down() ? "boot without Secure Boot or lockdown=" :
		       geteuid() ? "run as root" :
		       "a security module of the kernel, or a container, restricts tracing here";
		err_set(err, code, "no permission to use %s/%s%s", tracefs_path(), path, why);
		err_hint(err, "%s", todo);
		return code;
	}
	if (code == -ENOENT) {
		err_set(err, code, "this kernel has no %s/%s", tracefs_path(), path);
		return code;
	}
	return err_sys(err, -code, "%s/%s cannot be used", tracefs_path(), path);
}

int trace_file_read(const char *path, struct strbuf *out, struct err *err)
{
	int fd = trace_file_open(path, O_RDONLY), ret = fd;

	strbuf_reset(out);
	if (fd >= 0) {
		ret = fd_read_all(fd, out);
		close(fd);
	}
	while (out->len && out->buf[out->len - 1] == '\n')
		strbuf_setlen(out, out->len - 1);
	return ret < 0 ? trace_file_explain(path, ret, err) : 0;
}

/* one line of a file, as it can be written back */
static void add_value(struct strbuf *out, const char *line, size_t len)
{
	static const char expanded[] = " (expanded: ";
	char *text = xstrndup(line, len), *module = strstr(text, " ["), *size = strstr(text, expanded);

	if (out->len)
		strbuf_addch(out, '\n');
	if (size)
		strbuf_add(out, size + strlen(expanded), strcspn(size + strlen(expanded), ")"));
	else if (module)
		strbuf_addf(out, "%.*s:mod:%.*s", (int)(module - text), text, (int)strcspn(module + 2, "]"),
			    module + 2);
	else
		strbuf_addstr(out, text);
	free(text);
}

int trace_file_value(const char *path, struct strbuf *out, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = trace_file_read(path, &text, err);
	const char *line, *end;

	strbuf_reset(out);
	for (line = strbuf_str(&text); *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		if (end == line || *line == '#' || !strncmp(line, "no pid", 6) ||
		    (memchr(line, ':', end - line) && !memchr(line, '(', end - line)))
			continue;
		add_value(out, line, end - line);
	}
	strbuf_release(&text);
	return ret;
}

int trace_file_write(const char *path, const char *value, const char **ret_line, struct err *err)
{
	int fd = trace_file_open(path, O_WRONLY | O_TRUNC | O_NOFOLLOW), ret = MIN(fd, 0);
	struct strbuf line = STRBUF_INIT;

	if (ret_line)
		*ret_line = NULL;
	while (!ret && *value) {
		size_t len = strcspn(value, "\n");

		strbuf_reset(&line);
		strbuf_add(&line, value, len);
		strbuf_addch(&line, '\n');
		ret = fd_write_all(fd, line.buf, line.len);
		if (ret && ret_line)
			*ret_line = value;
		value += len + (value[len] == '\n');
	}
	strbuf_release(&line);
	/* filters of functions come into force here */
	if (fd >= 0 && close(fd) < 0 && !ret)
		ret = -errno;
	return ret ? trace_file_explain(path, ret, err) : 0;
}

bool trace_file_has_word(const char *path, const char *word)
{
	struct strbuf text = STRBUF_INIT;
	size_t len = strlen(word);
	bool found = false;

	trace_file_read(path, &text, NULL);
	for (const char *s = strbuf_str(&text); *s && !found; s += strspn(s, " \n")) {
		size_t n = strcspn(s, " \n");

		found = n == len && !memcmp(s, word, n);
		s += n;
	}
	strbuf_release(&text);
	return found;
}
