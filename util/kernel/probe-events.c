/* Probe events: reading and changing kprobe_events and uprobe_events. */
#include "probe-events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../base/caret.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "traced.h"
#include "tracefs.h"

#define LINE_MAX_BYTES 4094	/* WRITE_BUFSIZE of the kernel's trace.h, without newline and NUL */
#ifndef ENOTSUPP
#define ENOTSUPP 524
#endif

static const char *file_name(bool user)
{
	return user ? "uprobe_events" : "kprobe_events";
}

static int err_not_mounted(struct err *err)
{
	if (tracefs_explain_missing(err))
		return -EPERM;
	err_set(err, -ENOENT, "probes cannot be used: tracefs is not mounted");
	err_hint(err, "as root: mount -t tracefs nodev /sys/kernel/tracing");
	return -ENOENT;
}

/* why a file of tracefs cannot be opened */
static int err_open(int code, bool user, struct err *err)
{
	if (code == -ENOENT && tracefs_explain_missing(err))
		return -EPERM;
	if (code == -ENOENT) {
		err_set(err, -ENOENT, "this kernel has no probes in %s: there is no %s/%s",
			user ? "programs" : "itself", tracefs_path(), file_name(user));
		err_hint(err, "they need a kernel with %s",
			 user ? "CONFIG_UPROBE_EVENTS" : "CONFIG_KPROBE_EVENTS");
		return -ENOENT;
	}
	if (code == -EACCES || code == -EPERM) {
		bool locked = tracefs_locked_down();

		/* names are looked up in both files, so one of them would mislead */
		err_set(err, code, "no permission to use probe events of %s%s", tracefs_path(),
			locked ? ": the kernel is locked down" : "");
		err_hint(err, "%s", locked ? "boot without Secure Boot or lockdown=" : "run as root");
		return code;
	}
	err_sys(err, -code, "%s/%s cannot be opened", tracefs_path(), file_name(user));
	if (code == -EROFS)
		err_hint(err, "as root: mount -o remount,rw %s", tracefs_path());
	return code;
}

/* --- reading */

static char *copy(struct probe_events *l, const char *s, size_t len)
{
	return arena_strndup(&l->mem, s, len);
}

static u64 name_hash(const char *group, const char *name)
{
	return hash_mix(hash_str(group), hash_str(name));
}

bool probe_event_parse(struct probe_events *l, const char *line, size_t len, bool user)
{
	char *text = copy(l, line, len), *colon = strchr(text, ':'), *slash, *blank, *end;
	struct probe_event e = { .is_user = user, .line = text };

	if (!colon || (*text != 'p' && *text != 'r'))
		return false;
	slash = strchr(colon, '/');
	blank = strchr(colon, ' ');
	if (!slash || !blank || blank < slash)
		return false;
	e.is_return = *text == 'r' || strstr(blank, "%return") != NULL;
	e.group = copy(l, colon + 1, slash - colon - 1);
	e.name = copy(l, slash + 1, blank - slash - 1);
	while (*blank == ' ')
		blank++;
	end = blank + strcspn(blank, " ");
	if (end == blank || slash == colon + 1 || blank == slash + 1)
		return false;
	e.place = copy(l, blank, end - blank);
	e.args = copy(l, end + strspn(end, " "), strlen(end + strspn(end, " ")));
	if (user) {
		/* PATH:0xOFFSET, then perhaps (0xOFFSET) of a semaphore, or %return */
		char *at = strrchr(e.place, ':');

		if (!at)
			return false;
		e.path = copy(l, e.place, at - e.place);
		e.off = strtoull(at + 1, NULL, 16);
	}
	hidx_insert(&l->by_name, name_hash(e.group, e.name), l->nr);
	vec_push(l, e);
	return true;
}

static int read_file(struct probe_events *l, bool user, struct err *err)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	const char *line, *end;
	int ret;

	strbuf_addf(&path, "%s/%s", tracefs_path(), file_name(user));
	ret = fs_read(path.buf, &text);
	for (line = strbuf_str(&text); *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		probe_event_parse(l, line, end - line, user);
	}
	strbuf_release(&path);
	strbuf_release(&text);
	return ret && ret != -ENOENT ? err_open(ret, user, err) : 0;
}

int probe_events_read(struct probe_events *out, struct err *err)
{
	int ret;

	if (!tracefs_path())
		return err_not_mounted(err);
	ret = read_file(out, false, err);
	return ret ? ret : read_file(out, true, err);
}

void probe_events_release(struct probe_events *l)
{
	vec_release(l);
	hidx_release(&l->by_name);
	arena_release(&l->mem);
}

const struct probe_event *probe_events_find(const struct probe_events *l, const char *group, const char *name)
{
	const struct probe_event *first = NULL;
	u32 i;

	HIDX_FOREACH(&l->by_name, name_hash(group, name), i) {
		const struct probe_event *e = &l->v[i];

		if (!strcmp(e->group, group) && !strcmp(e->name, name) && (!first || e < first))
			first = e;
	}
	return first;
}

/* --- writing */

/*
 * The newest entry of error_log about this command: "[TIME] trace_uprobe: error: WHY", "  Command: TEXT",
 * and a caret below the place. Appends WHY; *ret_column: of the caret in the command
 */
static bool kernels_reason(const char *definition, struct strbuf *why, size_t *ret_column)
{
	static const char error[] = ": error: ", command[] = "  Command: ";
	struct strbuf path = STRBUF_INIT, log = STRBUF_INIT;
	const char *found = NULL, *p, *from, *caret;
	size_t len = strlen(definition);

	strbuf_addf(&path, "%s/error_log", tracefs_path());
	fs_read(path.buf, &log);
	for (p = strbuf_str(&log); (p = strstr(p, command)); p++)
		if (!strncmp(p + strlen(command), definition, len) && p[strlen(command) + len] == '\n')
			found = p;
	if (found) {
		for (from = found - 1; from > log.buf && from[-1] != '\n'; from--)
			;
		p = strstr(from, error);
		if (p && p < found)
			strbuf_add(why, p + strlen(error), strcspn(p + strlen(error), "\n"));
		caret = found + strlen(command) + len + 1;
		p = caret + strspn(caret, " ");
		*ret_column = *p == '^' && p >= caret + strlen(command) ? p - caret - strlen(command) : 0;
	}
	strbuf_release(&path);
	strbuf_release(&log);
	if (why->len && why->buf[0] >= 'A' && why->buf[0] <= 'Z')
		why->buf[0] += 'a' - 'A';
	text_sanitize(why->buf, why->len);
	return why->len > 0;
}

/* "p:GROUP/EVENT MODULE:FUNCTION+OFFSET": a function that the kernel does not probe, which it only logs */
static bool explain_notrace(const char *definition, struct err *err)
{
	const char *name = definition + strcspn(definition, " ");
	struct traced *t;
	size_t len;
	bool is_notrace;

	name += *name == ' ';
	if (name[strcspn(name, ": +")] == ':')
		name = strchr(name, ':') + 1;
	len = strcspn(name, " +");
	/* _text is for functions whose names are not unique */
	t = strncmp(name, "_text+", 6) && len && *name != '0' ? traced_load() : NULL;
	is_notrace = t && !traced_has(t, name, len);
	traced_free(t);
	if (!is_notrace)
		return false;
	err_set(err, -EINVAL, "'%.*s' cannot be probed: the kernel makes no probes in functions that it "
		"cannot trace (notrace)", (int)len, name);
	err_hint(err, "probe its callers; %s/available_filter_functions lists functions that it can trace",
		 tracefs_path());
	return true;
}

static int explain(const char *definition, bool user, int code, struct err *err)
{
	struct strbuf why = STRBUF_INIT;
	size_t column = 0;

	if (!user && code == -EINVAL && explain_notrace(definition, err))
		return code;
	if (kernels_reason(definition, &why, &column)) {
		err_set(err, code, "the kernel refuses the probe: %s", why.buf);
		if (column < strlen(definition))
			err_caret(err, definition, column, strcspn(definition + column, " "));
		strbuf_release(&why);
		return code;
	}
	strbuf_release(&why);
	switch (code) {
	case -EPERM:
	case -EACCES:
		return err_open(code, user, err);
	case -EEXIST:
		return err_set(err, code, "an event of this name exists already, with other arguments");
	case -EILSEQ:
		return err_set(err, code, "the kernel refuses the probe: it is not at the start of an "
			       "instruction");
	case -EINVAL:
		err_set(err, code, "the kernel refuses the probe");
		err_caret(err, definition, 0, strlen(definition));
		return code;
	case -ENOTSUPP:
	case -EOPNOTSUPP:
		return err_set(err, code, "the kernel cannot probe there");
	default:
		return err_sys(err, -code, "the kernel refuses the probe '%s'", definition);
	}
}

/* opens the file of definitions for additions; a descriptor, or a negative errno with err */
static int open_definitions(bool user, struct err *err)
{
	struct strbuf path = STRBUF_INIT;
	int fd;

	if (!tracefs_path())
		return err_not_mounted(err);
	strbuf_addf(&path, "%s/%s", tracefs_path(), file_name(user));
	/* without O_APPEND the kernel would delete all probes */
	fd = fs_open(path.buf, O_WRONLY | O_APPEND);
	strbuf_release(&path);
	return fd < 0 ? err_open(fd, user, err) : fd;
}

int probe_events_allowed(bool user, struct err *err)
{
	int fd = open_definitions(user, err);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static int write_line(const char *line, bool user, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int fd = open_definitions(user, err), ret = 0;

	if (fd < 0)
		return fd;
	strbuf_addf(&text, "%s\n", line);
	/* one write: the kernel takes what a write has, line by line */
	if (write(fd, text.buf, text.len) != (ssize_t)text.len)
		ret = errno ? -errno : -EIO;
	close(fd);
	strbuf_release(&text);
	return ret;
}

int probe_event_add(const char *definition, bool user, struct err *err)
{
	int ret;

	if (strlen(definition) > LINE_MAX_BYTES)
		return err_set(err, -E2BIG, "the definition is too long for the kernel, which takes %d "
			       "bytes: use fewer arguments", LINE_MAX_BYTES);
	for (const char *p = definition; *p; p++)
		if ((u8)*p < ' ' || *p == '#' || (u8)*p == 0x7f)
			return err_set(err, -EINVAL, "the kernel's definitions cannot contain '#' or "
				       "control characters");
	log_v("writing to %s: %s", file_name(user), definition);
	err_clear(err);
	ret = write_line(definition, user, err);
	return ret && !err->code ? explain(definition, user, ret, err) : ret;
}

int probe_event_delete(const char *group, const char *name, bool user, struct err *err)
{
	char *line = xasprintf("-:%s/%s", group, name);
	int ret;

	err_clear(err);
	log_v("writing to %s: %s", file_name(user), line);
	ret = write_line(line, user, err);
	free(line);
	if (!ret || err->code)
		return ret;
	if (ret == -EBUSY) {
		err_set(err, ret, "%s:%s is in use: something is recording it, or it is enabled in tracefs",
			group, name);
		err_hint(err, "end the recording, or: echo 0 > %s/events/%s/%s/enable", tracefs_path(), group,
			 name);
		return ret;
	}
	return err_sys(err, -ret, "%s:%s cannot be removed", group, name);
}
