/*
 * Tracefs: the kernel's tracepoints and probes as files. Finds the mount (/sys/kernel/tracing,
 * /sys/kernel/debug/tracing, or the one in /proc/mounts) below the fs root; reads ids, formats and lists.
 * Owns nothing.
 */
#ifndef PERF_KERNEL_TRACEFS_H
#define PERF_KERNEL_TRACEFS_H

#include "../base/err.h"
#include "../base/fs.h"
#include "../base/vec.h"

/*
 * the mount point ("/sys/kernel/tracing"), not below the fs root: pass it to fs_*; NULL if tracefs is not
 * mounted
 */
const char *tracefs_path(void);
/* forgets the mount point (for tests that change the fs root) */
void tracefs_forget(void);
/* whether the kernel restricts itself (lockdown), so that even root may not use some files of tracefs */
bool tracefs_locked_down(void);
/* the same to the point that it hides its memory (confidentiality): then tracefs is empty, also for root */
bool kernel_is_confidential(void);
/* where something of tracefs is missing: -EPERM with err if lockdown is the reason, else 0 */
int tracefs_explain_missing(struct err *err);

/*
 * The id of sys:name. 0, or a negative errno with err (not mounted, not permitted, no such event); err may be
 * NULL.
 */
int tracefs_event_id(const char *sys, const char *name, u64 *ret_id, struct err *err);
/* true if there are events of that system; cheap */
bool tracefs_has_system(const char *sys);
/* appends the text of events/SYS/NAME/format to out */
int tracefs_event_format(const char *sys, const char *name, struct strbuf *out);
/*
 * where a field lies in the payload, from the format, at least 8: before that is what all events have. 0;
 * -ENOENT: no such event or field; -EBADMSG: its line has no offset, or not one of a payload
 */
int tracefs_field_offset(const char *sys, const char *name, const char *field, u32 *ret);

/* The definitions of all events that were made at run time (probes), a line each, appended to out. */
void tracefs_dynamic_events(struct strbuf *out);
/* whether one of these definitions makes the event sys:name */
bool tracefs_is_dynamic(const struct strbuf *definitions, const char *sys, const char *name);

struct tracefs_event {
	char *sys, *name;
};
struct tracefs_events {
	VEC(struct tracefs_event);
};
/*
 * All events whose system and name match the globs, sorted by system, then by name as in the directory. 0
 * (perhaps without events) or a negative errno with err.
 */
int tracefs_list(struct tracefs_events *out, const char *sys_glob, const char *name_glob, struct err *err);
void tracefs_events_release(struct tracefs_events *l);

#endif
