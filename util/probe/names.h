/*
 * Names: groups and events of probes: made from functions and files, and free of other events of that name.
 */
#ifndef PERF_PROBE_NAMES_H
#define PERF_PROBE_NAMES_H

#include "../base/err.h"
#include "../base/strbuf.h"
#include "../base/strtab.h"

struct probe_event;
struct probe_events;
struct probe_point;
struct probe_spec;
struct probe_target;

#define PROBE_NAME_MAX 63	/* MAX_EVENT_NAME_LEN - 1 of the kernel */

/* "probe" for the kernel, "probe_libc" for /lib/libc.so.6 */
void probe_group_name(const struct probe_target *t, struct strbuf *out);
/* "vfs_read", "vfs_read__return", "foo_L3", "abs_1139", "ns_A_n" */
void probe_event_name(const struct probe_spec *spec, const struct probe_point *p, struct strbuf *out);
/*
 * The last number that probe_name_free() has appended to each name: those before it are taken, as names are
 * only added. A zeroed one is empty
 */
struct probe_numbers {
	struct strtab name;	/* "GROUP:NAME" */
	struct { VEC(u32); } last;	/* by id of the name */
};
void probe_numbers_release(struct probe_numbers *n);

/*
 * Makes name, which is at most PROBE_NAME_MAX long then, one that is not in any of the two lists. May it not
 * be changed (suffix is false), -EEXIST with err, which says what has that name.
 */
int probe_name_free(const struct probe_events *live, const struct probe_events *planned,
		    struct probe_numbers *numbers, const char *group, struct strbuf *name, bool suffix,
		    struct err *err);
/* appends "foo+4 in /bin/x with a b": what a definition of the kernel says */
void probe_event_place(const struct probe_event *e, struct strbuf *out);

#endif
