/* Tracefs: finding the mount, reading ids and formats, listing by glob. */
#include "tracefs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../base/units.h"

#define NAME_LEN_MAX 255	/* of a directory entry */
#define TRACEFS_COMMON 8u	/* bytes of the fields that all events have */

/* found once; the mount does not change while we run */
static char mount_point[PATH_MAX];

void tracefs_forget(void)
{
	mount_point[0] = '\0';
}

/* also true for one that this user may not read: the message is then about permission */
static bool is_tracefs(const char *dir)
{
	struct strbuf path = STRBUF_INIT;
	int fd;

	strbuf_addf(&path, "%s/events", dir);
	fd = fs_open(path.buf, O_PATH | O_DIRECTORY);
	strbuf_release(&path);
	if (fd >= 0)
		close(fd);
	return fd >= 0 || fd == -EACCES;
}

/*
 * a tracefs mount in /proc/mounts, for systems that have it elsewhere. Another mount may cover it, as in
 * containers
 */
static bool mount_from_proc(void)
{
	char line[PATH_MAX + 256], path[PATH_MAX], type[64];
	FILE *f = fs_fopen("/proc/mounts");
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s %4095s %63s", path, type) == 2 && !strcmp(type, "tracefs") &&
		    is_tracefs(path)) {
			memcpy(mount_point, path, strlen(path) + 1);
			found = true;
		}
	if (f)
		fclose(f);
	return found;
}

const char *tracefs_path(void)
{
	static const char *const usual[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	const char *debugfs = getenv("PERF_DEBUGFS_DIR");	/* perf --debugfs-dir */

	if (mount_point[0])
		return mount_point;
	if (debugfs && strlen(debugfs) < sizeof(mount_point) - sizeof("/tracing")) {
		snprintf(mount_point, sizeof(mount_point), "%s/tracing", debugfs);
		return mount_point;
	}
	for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
		if (is_tracefs(usual[i])) {
			memcpy(mount_point, usual[i], strlen(usual[i]) + 1);
			return mount_point;
		}
	return mount_from_proc() ? mount_point : NULL;
}

/* "none integrity [confidentiality]" */
static bool lockdown_says(const char *word)
{
	struct strbuf text = STRBUF_INIT;
	bool says = !fs_read("/sys/kernel/security/lockdown", &text) && text.len && strstr(text.buf, word);

	strbuf_release(&text);
	return says;
}

bool tracefs_locked_down(void)
{
	return lockdown_says("[") && !lockdown_says("[none]");
}

bool kernel_is_confidential(void)
{
	return lockdown_says("[confidentiality]");
}

int tracefs_explain_missing(struct err *err)
{
	if (!kernel_is_confidential())
		return 0;
	err_set(err, -EPERM, "the kernel is locked down (confidentiality): it has no tracepoints, probes and "
		"tracers for anyone");
	err_hint(err, "boot without lockdown=confidentiality");
	return -EPERM;
}

static int err_not_mounted(struct err *err)
{
	if (tracefs_explain_missing(err))
		return -EPERM;
	err_set(err, -ENOENT, "tracepoints cannot be read: tracefs is not mounted or not readable");
	err_hint(err, "as root: mount -t tracefs nodev /sys/kernel/tracing");
	return -ENOENT;
}

static int err_not_permitted(struct err *err)
{
	err_set(err, -EACCES, "no permission to read %s/events", tracefs_path());
	err_hint(err, "run as root, or let all users read it: mount -o remount,mode=755 %s", tracefs_path());
	return -EACCES;
}

/* a name from a command line must not leave the events directory */
static bool name_is_plain(const char *s)
{
	return *s && *s != '.' && !strchr(s, '/') && strlen(s) <= NAME_LEN_MAX;
}

bool tracefs_has_system(const char *sys)
{
	struct strbuf path = STRBUF_INIT;
	bool there;

	if (!tracefs_path() || !name_is_plain(sys))
		return false;
	strbuf_addf(&path, "%s/events/%s", tracefs_path(), sys);
	there = fs_exists(path.buf);
	strbuf_release(&path);
	return there;
}

int tracefs_event_id(const char *sys, const char *name, u64 *ret_id, struct err *err)
{
	struct strbuf path = STRBUF_INIT;
	int ret;

	if (!tracefs_path())
		return err_not_mounted(err);
	if (!name_is_plain(sys) || !name_is_plain(name))
		return err_set(err, -ENOENT, "'%s:%s' is not a tracepoint name", sys, name);
	strbuf_addf(&path, "%s/events/%s/%s/id", tracefs_path(), sys, name);
	ret = fs_read_u64(path.buf, ret_id);
	strbuf_release(&path);
	if (ret == -EACCES || ret == -EPERM)
		return err_not_permitted(err);
	if (ret)
		return err_set(err, ret, "tracepoint '%s:%s' not found", sys, name);
	return 0;
}

int tracefs_event_format(const char *sys, const char *name, struct strbuf *out)
{
	struct strbuf path = STRBUF_INIT;
	int ret;

	if (!tracefs_path() || !name_is_plain(sys) || !name_is_plain(name))
		return -ENOENT;
	strbuf_addf(&path, "%s/events/%s/%s/format", tracefs_path(), sys, name);
	ret = fs_read(path.buf, out);
	strbuf_release(&path);
	return ret;
}

/* the number after "offset:" in the line of a field: "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;" */
static int parse_offset(const char *format, const char *field, u32 *ret)
{
	char *words = xasprintf(" %s;", field);
	const char *line = strstr(format, words), *end;
	char *digits;
	u64 value;
	int code;

	free(words);
	if (!line)
		return -ENOENT;
	line = strstr(line, "offset:");
	end = line ? strchr(line, ';') : NULL;
	if (!end)
		return -EBADMSG;
	line += strlen("offset:");
	digits = xstrndup(line, end - line);
	code = parse_u64(digits, &value);
	free(digits);
	if (code < 0 || value < TRACEFS_COMMON || value > UINT16_MAX)
		return -EBADMSG;
	*ret = value;
	return 0;
}

int tracefs_field_offset(const char *sys, const char *name, const char *field, u32 *ret)
{
	struct strbuf format = STRBUF_INIT;
	int code = tracefs_event_format(sys, name, &format);

	if (!code)
		code = parse_offset(strbuf_str(&format), field, ret);
	strbuf_release(&format);
	return code;
}

static int compare_events(const void *pa, const void *pb)
{
	const struct tracefs_event *a = pa, *b = pb;
	int d = strcmp(a->sys, b->sys);

	return d ? d : strcmp(a->name, b->name);
}

/* the events of one system; one without "id" is not an event for perf (ftrace's own) */
static void list_system(struct tracefs_events *out, const char *sys, const char *name_glob)
{
	struct strbuf path = STRBUF_INIT, full = STRBUF_INIT;
	struct dirent *de;
	DIR *dir;

	strbuf_addf(&path, "%s/events/%s", tracefs_path(), sys);
	dir = opendir(fs_path(&full, "%s", path.buf));
	while (dir && (de = readdir(dir))) {
		if (de->d_name[0] == '.' || !glob_match(name_glob, de->d_name))
			continue;
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/events/%s/%s/id", tracefs_path(), sys, de->d_name);
		if (fs_exists(path.buf))
			vec_push(out, (struct tracefs_event){ xstrdup(sys), xstrdup(de->d_name) });
	}
	if (dir)
		closedir(dir);
	strbuf_release(&path);
	strbuf_release(&full);
}

int tracefs_list(struct tracefs_events *out, const char *sys_glob, const char *name_glob, struct err *err)
{
	struct strbuf path = STRBUF_INIT;
	struct dirent *de;
	DIR *dir;

	if (!tracefs_path())
		return err_not_mounted(err);
	dir = opendir(fs_path(&path, "%s/events", tracefs_path()));
	strbuf_release(&path);
	if (!dir)
		return err_not_permitted(err);
	while ((de = readdir(dir)))
		/*
		 * "ftrace" contains formats of that tracer's own records, which are not events: it matches
		 * only its full name
		 */
		if (de->d_name[0] != '.' && glob_match(sys_glob, de->d_name) &&
		    (strcmp(de->d_name, "ftrace") || !has_glob(sys_glob)))
			list_system(out, de->d_name, name_glob);
	closedir(dir);
	if (out->nr)
		qsort(out->v, out->nr, sizeof(*out->v), compare_events);
	return 0;
}

void tracefs_events_release(struct tracefs_events *l)
{
	vec_foreach(l, e) {
		free(e->sys);
		free(e->name);
	}
	vec_release(l);
}

void tracefs_dynamic_events(struct strbuf *out)
{
	static const char *const files[] = { "kprobe_events", "uprobe_events", "dynamic_events" };
	struct strbuf path = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(files) && tracefs_path(); i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%s", tracefs_path(), files[i]);
		fs_read(path.buf, out);
	}
	strbuf_release(&path);
}

/* a definition begins with a letter for its kind: "p:probe/foo ...", "r8:probe/foo ..." */
bool tracefs_is_dynamic(const struct strbuf *definitions, const char *sys, const char *name)
{
	char want[512];
	size_t len = snprintf(want, sizeof(want), ":%s/%s ", sys, name);
	const char *hit = len < sizeof(want) ? strbuf_str(definitions) : NULL;

	while (hit && (hit = strstr(hit, want))) {
		const char *line = hit;

		while (line > definitions->buf && line[-1] != '\n')
			line--;
		if (strchr("prfte", *line))
			return true;
		hit++;
	}
	return false;
}
