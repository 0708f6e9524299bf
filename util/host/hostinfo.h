/*
 * Hostinfo: the header features that describe this machine and kernel, from /proc, /sys and uname, through
 * base/fs. Strings live in the arena of the features.
 */
#ifndef PERF_HOST_HOSTINFO_H
#define PERF_HOST_HOSTINFO_H

#include "../data/features.h"

/*
 * fills, and marks as present, all that is known about this machine: host, CPUs, memory, topology, caches,
 * PMUs
 */
void hostinfo_gather(struct features *f, const char *version);
/* the command line, argv[0] resolved to the running program */
void hostinfo_cmdline(struct features *f, int argc, const char *const *argv);

#endif
