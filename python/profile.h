/*
 * Profile: a recording that is open, and what names its addresses. Session objects, their iterators and their
 * events share one; the last of them that goes closes it.
 */
#ifndef PERF_PYTHON_PROFILE_H
#define PERF_PYTHON_PROFILE_H

#include "events.h"
#include "../util/base/hash.h"
#include "../util/base/strtab.h"
#include "../util/resolve/resolver.h"
#include "../util/session/session.h"

struct lines;
struct deferred;

struct profile_symbol {
	u32 dso, sym;			/* position in its table; ID_NONE: addresses without a symbol */
	const char *name;
};

struct profile {
	struct origin origin;		/* its first member */
	struct session *s;
	struct resolver resolver;
	struct arena scratch;		/* for one sample */
	struct frame_loc *address;	/* of the call chain that is being named; NULL: none was yet */
	struct deferred *deferred;
	struct lines *lines[2];		/* without and with lines of sources; NULL: not needed yet */
	struct { VEC(PyObject *); } name;	/* texts of dsos, NULL: not made yet */
	struct { VEC(bool); } loaded;	/* by dso: its symbols */
	struct { VEC(bool); } told;	/* by dso: why they are missing */
	/* names of symbols as numbers from 0 on: those of columns */
	struct { VEC(struct profile_symbol); } symbol;
	struct hidx symbol_idx;
	struct arena texts;
	struct strtab comms;		/* the same of tasks; comm_of: by the machine's number, 0: not yet */
	struct { VEC(u32); } comm_of;
	pid_t pid;			/* who opened it: threads of its pool are not in a child */
	PyThread_type_lock lock;	/* of what is above: taken without Python's lock */
	unsigned long owner;		/* the thread that has it; 0: nobody */
};

/* opens a file; what is damaged in it becomes warnings. NULL with an exception */
struct profile *profile_open(const struct session_opts *opts);
static inline struct profile *profile_of(struct origin *o)
{
	return (struct profile *)o;
}

/*
 * Around all that changes the profile, because some of that runs without Python's lock. false with an
 * exception in a child of the process that opened it with threads, and in a finalizer that runs in between
 */
bool profile_enter(struct profile *p);
void profile_leave(struct profile *p);

/* the name of the task that a record belongs to, None if it belongs to none */
PyObject *profile_comm(struct event_object *e);
/* a list of perf.frame: the call chain, innermost first, or the sampled address alone */
PyObject *profile_frames(struct event_object *e, bool inlines, bool lines);
/* the number of the name of a symbol, as a column has it. Entered; without Python's lock */
u32 profile_symbol_of(struct profile *p, const struct loc *loc, bool caller);
/* the file of a dso as frames show it; a borrowed reference or NULL with an exception */
PyObject *profile_dso_text(struct profile *p, u32 dso);

int frames_init(PyObject *module);

#endif
