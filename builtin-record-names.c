/* perf record --keep-names: names of functions in the file, for programs that may be gone later. */
#include "builtin-record.h"
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/data/writer.h"
#include "util/inject/keep-names.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* paths of programs in there mean other files, or none, to a report */
static bool other_mounts(const char *pid, u64 own)
{
	struct strbuf path = STRBUF_INIT;
	struct stat st;
	bool other = !stat(fs_path(&path, "/proc/%s/ns/mnt", pid), &st) && st.st_ino != own;

	strbuf_release(&path);
	return other;
}

/* whether one of the tasks "PID,PID" is in a container */
static bool any_other_mounts(const char *tasks)
{
	struct strbuf path = STRBUF_INIT;
	struct stat st;
	char *copy = tasks ? xstrdup(tasks) : NULL, *save = NULL;
	bool found = false;

	if (copy && !stat(fs_path(&path, "/proc/self/ns/mnt"), &st))
		for (char *p = strtok_r(copy, ", ", &save); p && !found; p = strtok_r(NULL, ", ", &save))
			found = other_mounts(p, st.st_ino);
	strbuf_release(&path);
	free(copy);
	return found;
}

static void add_names(const struct record_opts *o, struct strbuf *out)
{
	struct err err = ERR_INIT;

	if (keep_names(o->output, out, &err))
		log_warn("no names of functions are kept in the file: %s", err.msg);
}

void record_settle_names(struct record_args *a)
{
	const struct target_opts *t = &a->o.observe.target;

	if (!a->keep_names_given)
		a->keep_names = any_other_mounts(t->pids) || any_other_mounts(t->tids);
	if (!a->keep_names)
		return;
	if (!writer_is_pipe(a->o.output))
		a->o.names = add_names;
	else if (a->keep_names_given)
		log_warn("no names of functions are kept: --keep-names needs an output file, not a pipe");
}
