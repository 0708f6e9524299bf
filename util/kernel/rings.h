/*
 * Rings: the ring buffers of a matrix of events: one ring per CPU (or per thread, if events follow threads),
 * into which all events of that CPU write; overwritable events have rings of their own; trace PMUs have AUX
 * areas beside them. Owns the mappings.
 */
#ifndef PERF_KERNEL_RINGS_H
#define PERF_KERNEL_RINGS_H

#include "../base/err.h"
#include "../base/vec.h"
#include "../event/event.h"
#include "aux-ring.h"
#include "open.h"
#include "ring.h"

struct rings {
	struct { VEC(struct ring); } r;
	struct { VEC(struct aux_ring); } aux;	/* of the rings whose event is that of a trace PMU */
	bool any_backward;
	u64 pages;
};

/*
 * The default size of each of nr_rings rings: as much as an unprivileged user may lock; for root up to 2 MB,
 * less if there are hundreds of rings. In pages, a power of two
 */
u64 rings_default_pages(u64 nr_rings);
/* the same without root's privilege */
u64 rings_mlock_pages(void);
/* -m "128", "512K": pages (rounded up to a power of two, which *rounded reports); -EINVAL */
int rings_parse_pages(const char *s, u64 *ret, bool *rounded);

int rings_map(struct rings *rs, const struct open_fds *fds, const struct evset *set, u64 pages,
	      struct err *err);
/*
 * After that: the AUX areas of nr_pages each (a power of two) beside the rings of events of a trace PMU
 * (event.trace); overwrite: for snapshots
 */
int rings_map_aux(struct rings *rs, const struct open_fds *fds, const struct evset *set, u64 nr_pages,
		  bool overwrite, struct err *err);
/*
 * Passes every whole record that was written since the last call to fn, ring after ring: each in one piece,
 * in place if it does not wrap, and valid during the call. Then the space is returned to the kernel. Counts
 * (samples, losses, throttling) are added to c. Backward rings are left alone. If fn returns a value other
 * than 0, it ends with this value, and the rest of that ring is dropped.
 */
struct rec_header;
typedef int (*ring_record_fn)(void *ctx, const struct ring *r, const struct rec_header *h);
int rings_read(struct rings *rs, struct ring_counts *c, ring_record_fn fn, void *ctx);
/*
 * The same for backward rings, which are paused meanwhile: what they still hold and was not read yet, oldest
 * first. What the kernel wrote over since the last call is gone, and nobody counts it.
 */
int rings_read_backward(struct rings *rs, struct ring_counts *c, ring_record_fn fn, void *ctx);
/* backward rings: stops or resumes the kernel's writing (PERF_EVENT_IOC_PAUSE_OUTPUT) */
void rings_pause(const struct rings *rs, bool pause);
void rings_unmap(struct rings *rs);

#endif
