/*
 * Rights: what the kernel allows this process: capabilities, user namespaces, kernel.perf_event_paranoid.
 * Read below the fs root each time; owns nothing.
 */
#ifndef PERF_KERNEL_RIGHTS_H
#define PERF_KERNEL_RIGHTS_H

#include "../base/types.h"

#define PARANOID_FILE "/proc/sys/kernel/perf_event_paranoid"

/* bit numbers of capabilities(7) */
enum capability {
	CAPABILITY_IPC_LOCK = 14, CAPABILITY_SYS_ADMIN = 21, CAPABILITY_PERFMON = 38, CAPABILITY_BPF = 39,
};

/* whether it is effective; CAP_SYS_ADMIN has the rights of CAP_PERFMON and CAP_BPF, too */
bool rights_have(enum capability c);
/*
 * whether this process is in a user namespace that is not the first one (unshare -r, rootless containers):
 * its capabilities do not count for the kernel's events
 */
bool rights_in_user_namespace(void);
/*
 * whether this process is in a PID namespace that is not the first one (containers): what identifies it for
 * BPF programs
 */
bool rights_in_pid_namespace(u64 *ret_dev, u64 *ret_inode);
/* CAP_PERFMON that counts */
bool rights_perfmon(void);
/* what a value of kernel.perf_event_paranoid allows: "ordinary users may ..." */
const char *paranoid_meaning(s64 v);

#endif
