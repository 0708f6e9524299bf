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

/*
 * a page of the kernel in each 64-bit process, [vsyscall], which only the text of maps lists; its rights
 * depend on how the kernel was started
 */
struct map_gate {
	bool is_known, exists;
	u64 start, len, pgoff;
	u32 prot;
	char path[16];
};

struct proc_maps {
	VEC(struct mmap2);
	struct strbuf text;	/* of the paths */
};

/* empty if the process has ended */
void proc_maps_read(struct proc_maps *ret, s32 pid);
/*
 * at least all executable maps and the maps with a hole: less work for the kernel. *gate is filled by the
 * first call, and needs no release
 */
void proc_maps_read_exec(struct proc_maps *ret, s32 pid, struct map_gate *gate);
void proc_maps_release(struct proc_maps *maps);

#endif
