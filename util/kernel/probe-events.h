/*
 * Probe events: the definitions in kprobe_events and uprobe_events of tracefs: read, written, removed. The
 * only code that changes these files. Texts from them are the kernel's own; names that are written are
 * checked here again, so that one definition is one line.
 */
#ifndef PERF_KERNEL_PROBE_EVENTS_H
#define PERF_KERNEL_PROBE_EVENTS_H

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/hash.h"
#include "../base/vec.h"

/* a line such as "p:probe_a/main /bin/a:0x0000000000001139 x=%di" */
struct probe_event {
	bool is_user;
	bool is_return;
	char *group, *name;
	char *place;		/* "vfs_read+0", "ext4:foo+8", "/bin/a:0x1139(0x4010)" */
	char *path;		/* user: the file; else NULL */
	u64 off;		/* user: in the file */
	char *args;		/* "x=%di y=$retval", or "" */
	char *line;		/* the definition without the newline */
};
struct probe_events {
	VEC(struct probe_event);
	struct hidx by_name;	/* positions by group and name */
	struct arena mem;
};

/*
 * all probes, kernel probes first. 0, or a negative errno with err: tracefs is not mounted or not
 * permitted. A kernel without one of the two kinds has none of that kind
 */
int probe_events_read(struct probe_events *out, struct err *err);
void probe_events_release(struct probe_events *l);
/* parses one line of kprobe_events (user: uprobe_events); false: it is not a definition */
bool probe_event_parse(struct probe_events *l, const char *line, size_t len, bool user);
/* the first one of that name; NULL: there is none */
const struct probe_event *probe_events_find(const struct probe_events *l, const char *group,
					    const char *name);

/* whether probes may be added; changes nothing. 0, or a negative errno with err; -ENOENT: there are none */
int probe_events_allowed(bool user, struct err *err);
/*
 * Adds a definition, one line without its end. Errors are explained from the kernel's error_log; -EEXIST: the
 * event exists and is another one
 */
int probe_event_add(const char *definition, bool user, struct err *err);
/* -EBUSY: it is in use */
int probe_event_delete(const char *group, const char *name, bool user, struct err *err);

#endif
