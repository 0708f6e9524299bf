/*
 * Names: groups and events of probes, made from functions and files, and different from existing events.
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
 * The last number that probe_name_free() has appended to each name: smaller numbers are taken, because names
 * are only added. A zeroed one is empty
 */
struct probe_numbers {
	struct strtab name;	/* "GROUP:NAME" */
	struct { VEC(u32); } last;	/* by id of the name */
};
void probe_numbers_release(struct probe_numbers *n);

/*
 * Changes name to one that is in neither list and at most PROBE_NAME_MAX long, by a suffix. If suffix is
 * false, a name that is taken is -EEXIST with err, which says what has that name.
 */
int probe_name_free(const struct probe_events *live, const struct probe_events *planned,
		    struct probe_numbers *numbers, const char *group, struct strbuf *name, bool suffix,
		    struct err *err);
/* appends the place and arguments of an event in words: "foo+4 in /bin/x with a b" */
void probe_event_place(const struct probe_event *e, struct strbuf *out);

#endif
