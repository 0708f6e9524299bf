/*
 * Events: records and samples as objects, of a ring or of a file. The kinds and their members are rows of
 * event-types.def. An object owns a copy of a ring's record; a record of a file stays in the mapping, which
 * its origin keeps.
 */
#ifndef PERF_PYTHON_EVENTS_H
#define PERF_PYTHON_EVENTS_H

#include "module.h"
#include "../util/event/record.h"
#include "../util/event/sample.h"

struct features;
struct profile;
struct tracefmt;

/* where records come from; counts its users, the last of which calls release */
struct origin {
	int users;
	const struct sample_plan *plan;
	const struct evset *set;
	struct profile *profile;	/* of a file; NULL: of rings */
	/* formats of tracepoints, when they are needed (fields.c): those of the file, or the kernel's */
	struct tracefmt *formats;
	struct features *kernel;
	bool formats_tried;
	void (*release)(struct origin *o);
};

struct origin *origin_use(struct origin *o);
void origin_drop(struct origin *o);
/* fields.c: of who releases an origin */
void origin_forget_formats(struct origin *o);

struct event_object {
	PyObject_HEAD
	struct origin *from;
	PyObject *evsel;		/* None: the record belongs to no event that is known */
	u8 *copy;			/* of the record; NULL: rec.p is in the file */
	struct rec rec;
	u64 time;			/* by which it was put in order; 0: it has none */
	struct record_view view;	/* of records that are not samples */
	struct sample sample;		/* of other records: what their trailer has */
};

/*
 * The object of a record, copied if copy is true. evsels: by place in the origin's set. NULL with an
 * exception, or without one if the record is shorter than its fields
 */
PyObject *event_new(struct origin *from, const struct rec *rec, u64 time, PyObject *const *evsels, bool copy);

#endif
