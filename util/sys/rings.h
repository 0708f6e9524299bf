/*
 * Rings: the ring buffers of a matrix of events: one ring for each CPU (or each thread, where events follow threads), into
 * which all events of that CPU write; events that overwrite have rings of their own. Owns the mappings.
 */
#ifndef PERF_SYS_RINGS_H
#define PERF_SYS_RINGS_H

#include "../base/err.h"
#include "../base/vec.h"
#include "../event/event.h"
#include "open.h"
#include "ring.h"

struct rings {
	struct { VEC(struct ring); } r;
	bool any_backward;
	u64 pages;
};

/*
 * How big each of so many rings is when nobody said: as much as an unprivileged user may lock; for root up to 2 MB, less where
 * there are hundreds of them. In pages, a power of two
 */
u64 rings_default_pages(u64 nr_rings);
/* the same without root's privilege */
u64 rings_mlock_pages(void);
/* -m "128", "512K": pages (rounded up to a power of two, *rounded says so); -EINVAL */
int rings_parse_pages(const char *s, u64 *ret, bool *rounded);

int rings_map(struct rings *rs, const struct open_fds *fds, const struct evset *set, u64 pages, struct err *err);
/* backward rings: stop or let go the kernel's writing (PERF_EVENT_IOC_PAUSE_OUTPUT) */
void rings_pause(const struct rings *rs, bool pause);
void rings_unmap(struct rings *rs);

#endif
