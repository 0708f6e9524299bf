/*
 * BPF-event: an event whose samples perf writes itself, from what BPF programs have found (--off-cpu,
 * --wall). It counts nothing in the kernel.
 */
#ifndef PERF_RECORD_BPF_EVENT_H
#define PERF_RECORD_BPF_EVENT_H

#include "../event/event.h"
#include "../kernel/open.h"

/* adds it to the set, as its own leader */
struct event *bpf_event_add(struct evset *set, const char *name);
/* what its samples have (PERF_SAMPLE_*), after the set was configured */
void bpf_event_configure(struct event *ev, u64 sample_type);
/* the id that its samples have; 0: it is not open */
u64 bpf_event_id(const struct event *ev, const struct open_fds *f);

#endif
