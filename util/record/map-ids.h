/*
 * Map-ids: build-ids of mapped files. Most processes map the same libraries, so each file is opened once: a
 * file that is mapped keeps its device and inode.
 */
#ifndef PERF_RECORD_MAP_IDS_H
#define PERF_RECORD_MAP_IDS_H

#include "../base/hash.h"
#include "../base/vec.h"
#include "proc-maps.h"

struct map_file {
	u32 maj, min;
	u64 ino;
	struct build_id id;
};

struct map_ids {
	VEC(struct map_file);
	struct hidx by_file;
};

/* sets m->bid, the build-id of the file that process pid has mapped; len stays 0 if it has none */
void map_ids_find(struct map_ids *ids, struct mmap2 *m, s32 pid);
void map_ids_release(struct map_ids *ids);

#endif
