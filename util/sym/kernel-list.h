/*
 * Kernel-list: the running kernel's list of symbols. The kernel takes 60 ms and more to print /proc/kallsyms,
 * so a copy is kept for this user, in $XDG_CACHE_HOME/perf or ~/.cache/perf, and used until the next boot or
 * until a module is loaded or unloaded. It is mapped rather than parsed. It has no symbols of BPF programs
 * and of the kernel's own trampolines, whose changes cannot be noticed. A copy that other users could have
 * written is not read, and none is written into other users' folders. Without such a folder the kernel is
 * asked each time.
 */
#ifndef PERF_SYM_KERNEL_LIST_H
#define PERF_SYM_KERNEL_LIST_H

#include "../obj/kallsyms.h"

/* as kallsyms_read_live() */
int kernel_list_read(struct kallsyms **ret, struct err *err);

#endif
