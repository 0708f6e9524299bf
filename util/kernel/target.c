/* Targets: from options to lists of threads and CPUs. */
#include "target.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../base/option-words.h"
#include "../base/fs.h"
#include "../base/units.h"

#define NO_UID UINT32_MAX

static void add_thread(struct target *t, s32 tid, s32 pid)
{
	vec_push(&t->tids, tid);
	vec_push(&t->pids, pid);
}

/* true for a number that was given twice */
static bool has_number(const s32 *v, size_t nr, s32 want)
{
	for (size_t i = 0; i < nr; i++)
		if (v[i] == want)
			return true;
	return false;
}

static int compare_s32(const void *a, const void *b)
{
	s32 x = *(const s32 *)a, y = *(const s32 *)b;

	return (x > y) - (x < y);
}

/* the names in a directory that are numbers, ascending; false if it cannot be read */
struct dir_numbers {
	VEC(s32);
};
static bool numbers_in(struct dir_numbers *out, const char *dir_path)
{
	struct strbuf path = STRBUF_INIT;
	struct dirent *de;
	DIR *dir = opendir(fs_path(&path, "%s", dir_path));
	u64 v;

	strbuf_release(&path);
	if (!dir)
		return false;
	while ((de = readdir(dir)))
		if (isdigit((unsigned char)de->d_name[0]) && !parse_u64(de->d_name, &v) && v <= INT32_MAX)
			vec_push(out, (s32)v);
	closedir(dir);
	if (out->nr)
		qsort(out->v, out->nr, sizeof(*out->v), compare_s32);
	return true;
}

/* adds all threads of a process; false if it has ended */
static bool add_process(struct target *t, s32 pid)
{
	struct dir_numbers tids = { 0 };
	char path[64];
	bool ok;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	ok = numbers_in(&tids, path) && tids.nr;
	for (size_t i = 0; i < tids.nr; i++)
		add_thread(t, tids.v[i], pid);
	vec_release(&tids);
	return ok;
}

static int parse_id(const char *word, const char *what, s32 *ret, struct err *err)
{
	u64 v;

	if (parse_u64(word, &v) || !v || v > INT32_MAX)
		return err_set(err, -EINVAL, "'%s' is not a %s ID", word, what);
	*ret = v;
	return 0;
}

/* false if it has ended */
static bool add_tid(struct target *t, s32 tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d", tid);
	if (!fs_exists(path))
		return false;
	add_thread(t, tid, -1);
	return true;
}

/* what -p and -t list */
static const struct target_list {
	const char *option, *one, *several;
	bool (*add)(struct target *t, s32 id);
} by_pid = { "-p", "process", "processes", add_process }, by_tid = { "-t", "thread", "threads", add_tid };

/* tasks that have ended are left out with a note, unless all have */
static int add_list(struct target *t, const struct target_list *kind, const char *list, struct strbuf *notes,
		    struct err *err)
{
	struct strbuf gone = STRBUF_INIT;
	const char *one;
	char word[32];
	s32 id = 0;
	u32 nr = 0;
	int ret = 0;

	while (!ret && next_word(&list, word, sizeof(word))) {
		ret = parse_id(word, kind->one, &id, err);
		if (ret || has_number(t->by_tid ? t->tids.v : t->pids.v, t->tids.nr, id) || kind->add(t, id))
			continue;
		strbuf_addf(&gone, "%s%d", nr++ ? ", " : "", id);
	}
	one = nr > 1 ? kind->several : kind->one;
	if (!ret && t->tids.nr && nr)
		strbuf_addf(notes, "%s %s of %s %s not exist, left out\n", one, strbuf_str(&gone),
			    kind->option, nr > 1 ? "do" : "does");
	else if (!ret && nr)
		ret = err_set(err, -ESRCH, "%s %s %s not exist", one, strbuf_str(&gone),
			      nr > 1 ? "do" : "does");
	else if (!ret && !t->tids.nr)
		ret = err_set(err, -EINVAL, "%s needs %s IDs", kind->option, kind->one);
	strbuf_release(&gone);
	return ret;
}

/* effective user of a process; NO_UID if it has ended */
static u32 process_uid(s32 pid)
{
	struct strbuf text = STRBUF_INIT;
	char path[64], *line;
	unsigned int uid = NO_UID;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	if (!fs_read(path, &text)) {
		line = strstr(strbuf_str(&text), "\nUid:");
		if (line)
			sscanf(line, "\nUid: %*u %u", &uid);
	}
	strbuf_release(&text);
	return uid;
}

static int find_user(struct target *t, const char *user, struct err *err)
{
	const struct passwd *pw = getpwnam(user);
	u64 uid;

	if (!pw && (parse_u64(user, &uid) || uid >= NO_UID))
		return err_set(err, -EINVAL, "there is no user '%s'", user);
	t->uid = pw ? pw->pw_uid : uid;
	return 0;
}

static int add_user(struct target *t, const char *user, struct err *err)
{
	struct dir_numbers pids = { 0 };

	if (!numbers_in(&pids, "/proc"))
		return err_set(err, -EACCES, "/proc cannot be read");
	for (size_t i = 0; i < pids.nr; i++)
		if (process_uid(pids.v[i]) == t->uid)
			/* a process that has ended no longer belongs to the user */
			add_process(t, pids.v[i]);
	vec_release(&pids);
	return t->tids.nr ? 0 : err_set(err, -ESRCH, "user '%s' has no running process", user);
}

static int add_all_threads(struct target *t, struct err *err)
{
	struct dir_numbers pids = { 0 };

	if (!numbers_in(&pids, "/proc"))
		return err_set(err, -EACCES, "/proc cannot be read");
	for (size_t i = 0; i < pids.nr; i++)
		if (pids.v[i] != getpid())
			add_process(t, pids.v[i]);
	vec_release(&pids);
	return t->tids.nr ? 0 : err_set(err, -ESRCH, "/proc lists no process");
}

int cpus_online(struct cpulist *ret, struct err *err)
{
	struct strbuf line = STRBUF_INIT;
	long n;

	if (!fs_read_line("/sys/devices/system/cpu/online", &line) && line.len) {
		int rc = cpulist_parse(ret, line.buf, err);

		strbuf_release(&line);
		return rc;
	}
	strbuf_release(&line);
	n = sysconf(_SC_NPROCESSORS_ONLN);
	for (int i = 0; i < MAX(n, 1); i++)
		cpulist_add(ret, i);
	return 0;
}

/* checks -C against the CPUs there are: those that are not online are left out, unless all are */
static int resolve_cpu_list(struct target *t, const char *cpus, struct strbuf *notes, struct err *err)
{
	struct cpulist online = { 0 }, wanted = { 0 }, missing = { 0 };
	struct strbuf text = STRBUF_INIT, gone = STRBUF_INIT;
	int ret = cpulist_parse(&wanted, cpus, err);

	if (!ret)
		ret = cpus_online(&online, err);
	if (!ret && !wanted.nr)
		ret = err_set(err, -EINVAL, "-C needs CPU numbers, like 0-3,8");
	for (size_t i = 0; !ret && i < wanted.nr; i++)
		cpulist_add(cpulist_has(&online, wanted.v[i]) ? &t->cpus : &missing, wanted.v[i]);
	cpulist_format(&online, &text);
	cpulist_format(&missing, &gone);
	if (missing.nr && t->cpus.nr)
		strbuf_addf(notes, "CPU %s of -C is not online, left out (online: %s)\n", strbuf_str(&gone),
			    strbuf_str(&text));
	else if (missing.nr)
		ret = err_set(err, -ENODEV, "CPU %s is not online (online: %s)", strbuf_str(&gone),
			      strbuf_str(&text));
	strbuf_release(&text);
	strbuf_release(&gone);
	vec_release(&wanted);
	vec_release(&missing);
	vec_release(&online);
	return ret;
}

/* which of conflicting options have priority: the same as in upstream */
static struct target_opts settle(const struct target_opts *o, struct strbuf *notes)
{
	struct target_opts s = *o;
	const char *tasks = s.pids ? "-p" : s.tids ? "-t" : s.user && !s.user_is_filtered ? "-u" : NULL;

	if (s.pids && s.tids) {
		strbuf_addstr(notes, "-p selects the tasks: -t is ignored\n");
		s.tids = NULL;
	}
	if ((s.pids || s.tids) && s.user) {
		strbuf_addf(notes, "%s selects the tasks: -u is ignored\n", tasks);
		s.user = NULL;
	}
	if (tasks && s.cpus) {
		strbuf_addf(notes, "%s selects the tasks, on all CPUs: -C is ignored\n", tasks);
		s.cpus = NULL;
	}
	if (tasks && s.all_cpus) {
		strbuf_addf(notes, "%s selects the tasks: -a is ignored\n", tasks);
		s.all_cpus = false;
	}
	if ((s.all_cpus || s.cpus) && s.per_thread) {
		strbuf_addf(notes, "%s selects whole CPUs: --per-thread is ignored\n", s.cpus ? "-C" : "-a");
		s.per_thread = false;
	}
	return s;
}

static void add_system(struct target *t)
{
	t->kind = TARGET_SYSTEM;
	add_thread(t, -1, -1);
}

static int resolve(struct target *t, const struct target_opts *s, struct strbuf *notes, struct err *err)
{
	int ret = 0;

	t->kind = TARGET_TASKS;
	if (s->pids) {
		ret = add_list(t, &by_pid, s->pids, notes, err);
	} else if (s->tids) {
		t->by_tid = true;
		ret = add_list(t, &by_tid, s->tids, notes, err);
	} else if (s->user) {
		ret = find_user(t, s->user, err);
		t->by_user = s->user_is_filtered;
		if (t->by_user)
			add_system(t);
		else if (!ret)
			ret = add_user(t, s->user, err);
	} else if (s->all_threads) {
		t->all_threads = true;
		ret = add_all_threads(t, err);
	} else if (s->has_workload && !s->all_cpus && !s->cpus) {
		t->kind = TARGET_WORKLOAD;
		add_thread(t, 0, 0);
	} else {
		add_system(t);
	}
	t->workload_is_timer = s->has_workload && t->kind != TARGET_WORKLOAD;
	t->per_thread = s->per_thread && t->kind != TARGET_SYSTEM;
	t->cpu_list = s->cpus;
	if (ret)
		return ret;
	if (s->cpus && !t->all_threads)
		return resolve_cpu_list(t, s->cpus, notes, err);
	if (!t->per_thread && !t->all_threads)
		return cpus_online(&t->cpus, err);
	cpulist_add(&t->cpus, -1);
	return 0;
}

int target_resolve(struct target *ret, const struct target_opts *o, struct strbuf *notes, struct err *err)
{
	struct strbuf unused = STRBUF_INIT;
	struct target_opts s = settle(o, notes ? notes : &unused);
	int rc;

	memset(ret, 0, sizeof(*ret));
	rc = resolve(ret, &s, notes ? notes : &unused, err);
	strbuf_release(&unused);
	if (rc)
		target_release(ret);
	return rc;
}

void target_set_workload(struct target *t, s32 pid)
{
	if (t->kind == TARGET_WORKLOAD)
		t->tids.v[0] = t->pids.v[0] = pid;
}

void target_release(struct target *t)
{
	vec_release(&t->tids);
	vec_release(&t->pids);
	vec_release(&t->cpus);
}
