/* Trace instance: finding a place, settings, cleaning up. */
#include "trace-instance.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/nearest.h"
#include "trace-files.h"
#include "tracefs.h"

#define PIPE_BYTES 65536

/* files that exist only in the top directory, and options of tracers: all instances share them */
static const struct {
	const char *name;
	bool top;
} shared[] = {
	{ "set_graph_function", true }, { "set_graph_notrace", true },
	{ "max_graph_depth", true }, { "tracing_thresh", true },
	{ "options/funcgraph-", false }, { "options/sleep-time", false },
	{ "options/graph-time", false }, { "options/func_stack_trace", false },
};

static const struct {
	const char *tracer, *option;
} kernel_options[] = {
	{ "function", "CONFIG_FUNCTION_TRACER" }, { "function_graph", "CONFIG_FUNCTION_GRAPH_TRACER" },
	{ "irqsoff", "CONFIG_IRQSOFF_TRACER" }, { "preemptoff", "CONFIG_PREEMPT_TRACER" },
	{ "preemptirqsoff", "CONFIG_IRQSOFF_TRACER and CONFIG_PREEMPT_TRACER" },
	{ "wakeup", "CONFIG_SCHED_TRACER" }, { "wakeup_rt", "CONFIG_SCHED_TRACER" },
	{ "wakeup_dl", "CONFIG_SCHED_TRACER" }, { "hwlat", "CONFIG_HWLAT_TRACER" },
	{ "osnoise", "CONFIG_OSNOISE_TRACER" }, { "timerlat", "CONFIG_TIMERLAT_TRACER" },
	{ "mmiotrace", "CONFIG_MMIOTRACE" }, { "blk", "CONFIG_BLK_DEV_IO_TRACE" },
};

/* ---- paths ---- */

static bool is_shared(const char *name, bool *ret_top)
{
	for (size_t i = 0; i < ARRAY_SIZE(shared); i++)
		if (!strncmp(name, shared[i].name, strlen(shared[i].name))) {
			*ret_top = shared[i].top;
			return true;
		}
	*ret_top = false;
	return false;
}

#define PATH_BYTES 192
/* a file of the instance, or of the top directory where there is only one; in buf, of PATH_BYTES */
static const char *path_in(const struct trace_instance *t, const char *name, char *buf)
{
	bool top;

	is_shared(name, &top);
	snprintf(buf, PATH_BYTES, "%s%s", top ? "" : t->dir, name);
	return buf;
}
/* good until the end of the block */
#define path_of(t, name) path_in(t, name, (char[PATH_BYTES]){ 0 })

bool trace_instance_has(const struct trace_instance *t, const char *name)
{
	return trace_file_exists(path_of(t, name));
}

/* ---- instances of processes that are gone ---- */

/* 0: there is no such process */
static u64 start_time(s32 pid)
{
	struct strbuf line = STRBUF_INIT;
	const char *p;
	char path[64];
	u64 start = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	/* the name, in parentheses, can contain anything; the state is field 3 */
	if (!fs_read_line(path, &line) && (p = strrchr(strbuf_str(&line), ')')) &&
	    sscanf(p, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d "
		   "%" SCNu64, &start) != 1)
		start = 0;
	strbuf_release(&line);
	return start;
}

static int remove_instance(const char *name)
{
	struct strbuf path = STRBUF_INIT;
	int ret = rmdir(fs_path(&path, "%s/instances/%s", tracefs_path(), name)) ? -errno : 0;

	strbuf_release(&path);
	return ret;
}

static void remove_dead_instances(void)
{
	struct strbuf path = STRBUF_INIT;
	DIR *dir = opendir(fs_path(&path, "%s/instances", tracefs_path()));
	struct dirent *de;
	u64 start;
	s32 pid;
	int end;

	strbuf_release(&path);
	while (dir && (de = readdir(dir))) {
		end = 0;
		if (sscanf(de->d_name, "perf-%" SCNd32 "-%" SCNu64 "%n", &pid, &start, &end) != 2 ||
		    de->d_name[end] || start_time(pid) == start)
			continue;
		/* one that is read from cannot be removed: of a process that is not visible from here */
		if (!remove_instance(de->d_name))
			log_v("removed %s/instances/%s of a perf that was killed", tracefs_path(),
			      de->d_name);
	}
	if (dir)
		closedir(dir);
}

/* ---- finding a place ---- */

static int err_no_tracer(const char *tracer, struct err *err)
{
	struct strbuf words = STRBUF_INIT, near = STRBUF_INIT;
	const char *option = NULL;
	struct nearest n;

	for (size_t i = 0; i < ARRAY_SIZE(kernel_options); i++)
		if (!strcmp(kernel_options[i].tracer, tracer))
			option = kernel_options[i].option;
	trace_file_read("available_tracers", &words, NULL);
	text_sanitize(words.buf, words.len);
	nearest_init(&n, tracer, strlen(tracer));
	for (char *s = words.buf, *word; !option && words.len && (word = strtok_r(s, " ", &s));)
		nearest_offer(&n, word);
	nearest_describe(&n, &near);
	if (option)
		err_set(err, -ENODEV, "this kernel has no tracer '%s'", tracer);
	else
		err_set(err, -EINVAL, "'%s' is not a tracer of this kernel%s", tracer, strbuf_str(&near));
	trace_file_read("available_tracers", &words, NULL);
	text_sanitize(words.buf, words.len);
	if (option)
		err_hint(err, "it needs a kernel with %s", option);
	err_hint(err, "tracers here: %s", strbuf_str(&words));
	strbuf_release(&words);
	strbuf_release(&near);
	return err->code;
}

static bool make_instance(struct trace_instance *t)
{
	struct strbuf path = STRBUF_INIT, file = STRBUF_INIT;
	char name[48];
	int ret;

	snprintf(name, sizeof(name), "perf-%d-%" PRIu64, getpid(), start_time(getpid()));
	ret = mkdir(fs_path(&path, "%s/instances/%s", tracefs_path(), name), 0700) ? errno : 0;
	if (ret)
		log_v("cannot make an instance of tracing: %s", strerror(ret));
	strbuf_addf(&file, "instances/%s/available_tracers", name);
	if (!ret && !trace_file_has_word(file.buf, t->tracer)) {
		log_v("the kernel has the tracer %s only in its top instance", t->tracer);
		remove_instance(name);
		ret = EINVAL;
	}
	if (!ret) {
		snprintf(t->dir, sizeof(t->dir), "instances/%s/", name);
		log_v("tracing in %s/%s", tracefs_path(), t->dir);
	}
	strbuf_release(&path);
	strbuf_release(&file);
	t->own = !ret;
	return t->own;
}

static int err_busy(const char *what, const char *reset, struct err *err)
{
	err_set(err, -EBUSY, "somebody traces already: %s; on this kernel that can be done only once", what);
	err_hint(err, "wait for its end, or end it: echo %s", reset);
	return -EBUSY;
}

/* whether lines of the trace are not comments; reads the beginning */
static bool has_events(void)
{
	int fd = trace_file_open("trace", O_RDONLY);
	bool at_start = true, found = false, comment = false;
	char buf[4096];
	ssize_t n = fd >= 0 ? read(fd, buf, sizeof(buf)) : 0;

	for (ssize_t i = 0; i < n && !found; i++) {
		comment = at_start ? buf[i] == '#' : comment;
		found = !comment && buf[i] != '\n';
		at_start = buf[i] == '\n';
	}
	if (fd >= 0)
		close(fd);
	return found;
}

/* the top instance, if nobody uses it */
static int use_top(struct trace_instance *t, struct err *err)
{
	struct strbuf value = STRBUF_INIT, events = STRBUF_INIT;
	const char *top = tracefs_path();
	char what[256], reset[256];
	int ret = trace_file_read("current_tracer", &value, err);

	if (!ret)
		ret = trace_file_read("set_event", &events, err);
	if (!ret && strcmp(strbuf_str(&value), "nop")) {
		text_sanitize(value.buf, value.len);
		snprintf(what, sizeof(what), "%s/current_tracer is %.64s", top, strbuf_str(&value));
		snprintf(reset, sizeof(reset), "nop > %s/current_tracer", top);
		ret = err_busy(what, reset, err);
	} else if (!ret && events.len) {
		snprintf(what, sizeof(what), "%s/set_event is not empty", top);
		snprintf(reset, sizeof(reset), "> %s/set_event", top);
		ret = err_busy(what, reset, err);
	} else if (!ret && has_events()) {
		snprintf(what, sizeof(what), "%s/trace contains a trace", top);
		snprintf(reset, sizeof(reset), "> %s/trace", top);
		ret = err_busy(what, reset, err);
	}
	if (!ret)
		ret = trace_journal_open(&t->journal, err);
	/* put back last: it is emptied */
	if (!ret)
		ret = trace_journal_add(&t->journal, "trace", "", err);
	strbuf_release(&value);
	strbuf_release(&events);
	return ret;
}

int trace_instance_open(struct trace_instance *t, const char *tracer, struct err *err)
{
	struct strbuf value = STRBUF_INIT;
	int ret, fd;

	*t = (struct trace_instance)TRACE_INSTANCE_INIT;
	t->tracer = tracer;
	ret = trace_file_read("available_tracers", &value, err);
	strbuf_release(&value);
	if (ret)
		return ret;
	fd = trace_file_open("current_tracer", O_RDWR);
	if (fd < 0)
		return trace_file_explain("current_tracer", fd, err);
	close(fd);
	if (!trace_file_has_word("available_tracers", tracer))
		return err_no_tracer(tracer, err);
	trace_journal_recover();
	remove_dead_instances();
	if (!make_instance(t))
		ret = use_top(t, err);
	return ret ? ret : trace_instance_set(t, "tracing_on", "0", NULL, err);
}

/* ---- settings ---- */

/* the name of another instance with this tracer, "" for the top one; NULL: there is none */
static char *other_user(const struct trace_instance *t)
{
	struct strbuf path = STRBUF_INIT, file = STRBUF_INIT;
	struct dirent *de;
	char *user = NULL;
	DIR *dir;

	if (t->own && trace_file_has_word("current_tracer", t->tracer))
		return xstrdup("");
	dir = opendir(fs_path(&path, "%s/instances", tracefs_path()));
	while (dir && !user && (de = readdir(dir))) {
		strbuf_reset(&file);
		strbuf_addf(&file, "instances/%s/", de->d_name);
		if (de->d_name[0] == '.' || !strcmp(file.buf, t->dir))
			continue;
		strbuf_addstr(&file, "current_tracer");
		if (trace_file_has_word(file.buf, t->tracer))
			user = xasprintf("/instances/%s", de->d_name);
	}
	if (dir)
		closedir(dir);
	strbuf_release(&path);
	strbuf_release(&file);
	return user;
}

/* a setting that all users of the tracer share is left alone while there are others */
static int check_shared(struct trace_instance *t, const char *name, const char *old, bool top,
			struct err *err)
{
	char *user;

	/* a list, or a limit, that somebody has made */
	if (top && *old && strcmp(old, "0")) {
		err_set(err, -EBUSY, "%s/%s is in use: others trace with it", tracefs_path(), name);
		err_hint(err, "wait for their end, or reset it: echo %s > %s/%s",
			 *old >= '0' && *old <= '9' ? "0" : "", tracefs_path(), name);
		return -EBUSY;
	}
	user = other_user(t);
	if (!user)
		return 0;
	err_set(err, -EBUSY, "%s%s uses the tracer %s, and %s would change its trace, too", tracefs_path(),
		user, t->tracer, name);
	err_hint(err, "wait for its end");
	free(user);
	return -EBUSY;
}

int trace_instance_set(struct trace_instance *t, const char *name, const char *value, const char **ret_line,
		       struct err *err)
{
	struct strbuf old = STRBUF_INIT;
	bool top, common = is_shared(name, &top);
	int ret = trace_file_value(path_of(t, name), &old, err);

	if (ret_line)
		*ret_line = NULL;
	if (ret)
		goto out;
	if (!strcmp(strbuf_str(&old), value)) {
		/* another perf that has made it so would put it back too early */
		if (common && *value && strcmp(value, "0"))
			ret = trace_journal_open(&t->journal, err);
		goto out;
	}
	if (common)
		ret = check_shared(t, name, strbuf_str(&old), top, err);
	if (!ret && (common || !t->own)) {
		ret = trace_journal_open(&t->journal, err);
		if (!ret)
			ret = trace_journal_add(&t->journal, path_of(t, name), strbuf_str(&old), err);
	}
	if (!ret)
		ret = trace_file_write(path_of(t, name), value, ret_line, err);
out:
	strbuf_release(&old);
	return ret;
}

int trace_instance_set_tracer(struct trace_instance *t, struct err *err)
{
	int ret = trace_instance_set(t, "current_tracer", t->tracer, NULL, err);

	if (ret)
		return ret;
	t->pipe = trace_file_open(path_of(t, "trace_pipe"), O_RDONLY | O_NONBLOCK);
	return t->pipe < 0 ? trace_file_explain(path_of(t, "trace_pipe"), t->pipe, err) : 0;
}

/* ---- while it traces ---- */

void trace_instance_head(const struct trace_instance *t, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;
	const char *line, *end;

	trace_file_read(path_of(t, "trace"), &text, NULL);
	for (line = strbuf_str(&text); *line == '#'; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		strbuf_add(out, line, end - line);
		strbuf_addch(out, '\n');
	}
	strbuf_release(&text);
}

int trace_instance_switch(struct trace_instance *t, bool on, struct err *err)
{
	return trace_file_write(path_of(t, "tracing_on"), on ? "1" : "0", NULL, err);
}

int trace_instance_read(struct trace_instance *t, struct strbuf *out)
{
	char *p = strbuf_room(out, PIPE_BYTES);
	ssize_t n;

	do
		n = read(t->pipe, p, PIPE_BYTES);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN ? 0 : -errno;
	strbuf_setlen(out, out->len + n);
	return n;
}

int trace_instance_close(struct trace_instance *t, struct err *err)
{
	struct err why = ERR_INIT, journal = ERR_INIT;
	int ret = 0;

	/* a tracer cannot be changed while its pipe is open */
	if (t->pipe >= 0)
		close(t->pipe);
	if (t->own)
		ret = trace_file_write(path_of(t, "current_tracer"), "nop", NULL, &why);
	if (trace_journal_undo(&t->journal, &journal) && !ret)
		ret = err_copy(&why, &journal);
	if (t->own) {
		const char *from = t->dir + strlen("instances/");
		char *name = xstrndup(from, strlen(from) - 1);	/* without the slash */
		int code = remove_instance(name);

		if (code && !ret)
			ret = err_sys(&why, -code, "%s/instances/%s cannot be removed", tracefs_path(), name);
		free(name);
	}
	if (ret)
		err_copy(err, &why);
	*t = (struct trace_instance)TRACE_INSTANCE_INIT;
	return ret;
}
