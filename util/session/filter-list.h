/*
 * Filter lists: the names, tids or CPUs selected with --comms, --dsos, --symbols, --pid, --tid, --cpu. Const
 * after parsing. A filter that was never parsed lets everything pass.
 */
#ifndef PERF_SESSION_FILTER_LIST_H
#define PERF_SESSION_FILTER_LIST_H

#include "../base/err.h"
#include "../base/strtab.h"
#include "../base/vec.h"
#include "../machine/dso.h"

struct name_filter {
	bool active;
	struct strtab names;
};

/*
 * "a,b,c" (base/list-word.h): exact names, also as they are printed ("\x1b"); "file://PATH": one name per
 * line, empty lines and lines that begin with # are ignored. NULL: no filter. 0, or a negative errno of the
 * file with err
 */
int name_filter_parse(struct name_filter *f, const char *list, struct err *err);
void name_filter_release(struct name_filter *f);
bool name_filter_has(const struct name_filter *f, const char *name);

/* the name if the list has only one, else NULL */
const char *name_filter_only(const struct name_filter *f);

static inline bool name_filter_ok(const struct name_filter *f, const char *name)
{
	return likely(!f->active) || name_filter_has(f, name);
}

/* matches its long or its short name; NULL matches addresses in no dso */
bool name_filter_dso(const struct name_filter *f, const struct dso *d);

struct id_filter {
	bool active;
	struct { VEC(s32); } ids;	/* sorted */
};

/* what: the option, for messages: "--pid". "1,2,3" */
int id_filter_parse(struct id_filter *f, const char *what, const char *list, struct err *err);
/* CPU lists: "0,2-3" */
int id_filter_parse_cpus(struct id_filter *f, const char *list, struct err *err);
/* numbers of tasks that ran at a time: "1,4-8" */
int id_filter_parse_levels(struct id_filter *f, const char *list, struct err *err);
void id_filter_release(struct id_filter *f);
bool id_filter_has(const struct id_filter *f, s32 id);

static inline bool id_filter_ok(const struct id_filter *f, s32 id)
{
	return likely(!f->active) || id_filter_has(f, id);
}

#endif
