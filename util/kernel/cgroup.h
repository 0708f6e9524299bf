/* Cgroup: finds the hierarchy that perf events follow (perf_event of version 1, or the unified one) and opens groups in it. */
#ifndef PERF_KERNEL_CGROUP_H
#define PERF_KERNEL_CGROUP_H

#include "../base/err.h"
#include "../base/strbuf.h"
#include "../base/vec.h"

/* groups by event, each name owned; NULL: none */
struct event_cgroups {
	VEC(const char *);
};

/* "a,b": a group for each event up to nr that has none yet, the last one for those that are left; an empty name is none */
void event_cgroups_add(struct event_cgroups *names, const char *list, size_t nr);
void event_cgroups_release(struct event_cgroups *names);

/* the mount point, not below the fs root; false where there is none */
bool cgroup_mount(struct strbuf *ret);
/* descriptor of a group ("/" or "a/b") for PERF_FLAG_PID_CGROUP; -errno with err */
int cgroup_open(const char *name, struct err *err);
/* its id as CGROUP records and samples carry it; 0 where the kernel does not say */
u64 cgroup_id(const char *path);

#endif
