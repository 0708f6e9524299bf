/*
 * Live: the handlers of util/tracing on the ring buffers of an observation, as tracing_run() runs them on a
 * file: in the order of time, with names by time, and with losses counted. A command calls it from the
 * operations of its observer (observe/observer.h):
 *
 *	start	tracing_live_open()
 *	drain	tracing_live_read(), and in `tick` as well: rings below their watermark wake nobody
 *	end	tracing_live_end()
 *	tracing_live_close()
 *
 * A pass copies the samples out of the rings, so that the kernel can write on while they are handled. A
 * sample is handled when no older one can come any more: when it is not newer than the newest record of the
 * pass before. So output is late by a pass, and memory holds at most what two passes brought.
 */
#ifndef PERF_TRACING_LIVE_H
#define PERF_TRACING_LIVE_H

#include "tracing.h"
#include "../kernel/rings.h"

struct tracing_live_opts {
	struct evset *set;		/* its events are open and have ids */
	const struct target *target;	/* tasks that exist already */
	struct sym_opts sym;
	bool cgroups;			/* samples have control groups: tells their names, too */
	bool kernel;			/* addresses of the kernel will be named: tells its maps */
	bool maps;			/* addresses will be named: tells also what is mapped where */
	u32 nr_sources;			/* of tracing_live_room() */
	const struct event *source_event;	/* its samples come from these */
	u64 map_timeout_ns;		/* for reading the maps of one process; 0: none */
};

struct tracing_live;

/*
 * Reads the state of /proc and binds the rows. 0, or a negative errno with err as tracing_run(). The options
 * must outlive it
 */
int tracing_live_open(struct tracing_live **ret, const struct tracing_live_opts *lo, struct tracing_opts *o,
		      struct err *err);
/* a sample that comes from elsewhere, such as a ring of BPF programs, and not as a record */
struct tracing_given {
	u32 pid, tid, cpu;
	u32 size;			/* of raw */
	u8 raw[];			/* as if it were PERF_SAMPLE_RAW; at a multiple of 8 */
};
/*
 * Room for a sample with `size` bytes in raw: the caller fills it in before tracing_live_read() or _end().
 * Samples of one source come in the order of time
 */
struct tracing_given *tracing_live_room(struct tracing_live *l, u32 source, u64 time, u32 size);
/* nr samples of sources found no room: they count as lost events */
void tracing_live_lost(struct tracing_live *l, u64 nr);
/* bytes of samples that wait and of room for them, which follows what the last passes needed */
size_t tracing_live_memory(const struct tracing_live *l);
/* a pass over the rings; calls handlers */
void tracing_live_read(struct tracing_live *l, struct rings *rings);
/* nothing more will come: handles what waits. rings NULL: what they contain is dropped */
void tracing_live_end(struct tracing_live *l, struct rings *rings);
struct session *tracing_live_session(struct tracing_live *l);
/* what the rings told: samples, losses */
const struct ring_counts *tracing_live_counts(const struct tracing_live *l);
void tracing_live_close(struct tracing_live *l);

#endif
