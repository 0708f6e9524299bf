/* Cgroups: the events of a set once for each of several control groups (--for-each-cgroup). */
#ifndef PERF_STAT_CGROUPS_H
#define PERF_STAT_CGROUPS_H

#include "../base/err.h"
#include "../event/event.h"

struct stat_cgroups {
	/* by event of the expanded set: its group; the strings live in the set's arena */
	VEC(const char *);
};

/*
 * names: groups ("/", "system.slice") or regular expressions that whole names of groups match, separated by
 * commas. All events for the first group come first, then all for the second. -ENOENT where a name means no
 * group, -EINVAL if it is not an expression.
 */
int stat_cgroups_expand(struct stat_cgroups *ret, struct evset *set, const char *names, struct err *err);

#endif
