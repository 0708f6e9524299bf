/*
 * Proc-maps: /proc/PID/maps as a list, in the order of addresses, read through base/fs. Damaged lines are
 * left out.
 */
#ifndef PERF_RECORD_PROC_MAPS_H
#define PERF_RECORD_PROC_MAPS_H

#include "../base/strbuf.h"
#include "../base/vec.h"
#include "../host/build-id.h"

/* a map as an MMAP2 record has it */
struct mmap2 {
	s32 pid, tid;
	u64 start, len, pgoff, ino;
	u32 maj, min, prot, flags;
	struct build_id bid;
	const char *path;
	/*
	 * executable maps lie between this map and another one of the same file, which goes on after them:
	 * with both, readers know what the program has moved there
	 */
	bool has_hole;
};

struct proc_maps {
	VEC(struct mmap2);
	struct strbuf text;	/* of the paths */
};

/* empty if the process has ended */
void proc_maps_read(struct proc_maps *ret, s32 pid);
void proc_maps_release(struct proc_maps *maps);

#endif
