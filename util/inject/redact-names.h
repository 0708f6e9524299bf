/*
 * Redact-names: numbered names for names that are to be replaced, such as /dir3/file7 and comm2; equal ones
 * for equal names. Zeroed but for the words: nothing was replaced yet. Results live until it is released.
 */
#ifndef PERF_INJECT_REDACT_NAMES_H
#define PERF_INJECT_REDACT_NAMES_H

#include "../base/strbuf.h"
#include "../base/strtab.h"

struct redact_names {
	u32 words;				/* bits of enum redact_word (inject.h) */
	struct strtab dir, file, comm, cgroup;
	struct strtab path;			/* results: equal ones are one string */
	struct strbuf text;
};

/*
 * of a file: the name itself if it is not a path, or paths are not to be replaced. Files of the kernel keep
 * their names, and their usual directories. NULL: NULL
 */
const char *redact_names_path(struct redact_names *r, const char *path, bool kernel);
/* of a thread, of a control group; the names themselves if they are not to be replaced */
const char *redact_names_comm(struct redact_names *r, const char *comm);
const char *redact_names_cgroup(struct redact_names *r, const char *path);
void redact_names_release(struct redact_names *r);

#endif
