/*
 * Cgroup: finds the hierarchy that perf events follow (perf_event of version 1, or the unified one) and
 * opens groups in it.
 */
#ifndef PERF_KERNEL_CGROUP_H
#define PERF_KERNEL_CGROUP_H

#include "../base/err.h"
#include "../base/strbuf.h"
#include "../base/vec.h"

/* cgroups by event, each name owned; NULL: none */
struct event_cgroups {
	VEC(const char *);
};

/*
 * "a,b": adds a group for each event below nr that has none yet, the last one for all that are left; an empty
 * name means none
 */
void event_cgroups_add(struct event_cgroups *names, const char *list, size_t nr);
/* the same for all events of an observer at once: its array of groups by event; NULL where list is NULL */
const char *const *event_cgroups_choose(struct event_cgroups *names, const char *list, size_t nr);
void event_cgroups_release(struct event_cgroups *names);

/* the mount point, not below the fs root; false if there is none */
bool cgroup_mount(struct strbuf *ret);
/* the same of the unified hierarchy alone, whose ids BPF programs see */
bool cgroup_unified_mount(struct strbuf *ret);
/* descriptor of a group ("/" or "a/b") for PERF_FLAG_PID_CGROUP; -errno with err */
int cgroup_open(const char *name, struct err *err);
/* the id as it is in CGROUP records and samples; 0 if the kernel does not tell */
u64 cgroup_id(const char *path);

#endif
