/*
 * Field worker: what a counting thread needs to take keys from payloads: formats of tracepoints, and texts
 * until they are merged (field_canon_text). One per thread, released when the keys of its samples are merged.
 */
#ifndef PERF_FIELDS_FIELD_WORKER_H
#define PERF_FIELDS_FIELD_WORKER_H

#include "../base/strtab.h"
#include "../session/session.h"
#include "../tep/tracefmt.h"

struct field_opts;
struct resolver;
struct resolved_sample;

struct field_worker {
	const struct field_opts *opts;	/* not owned */
	struct resolver *resolver;	/* not owned; NULL: texts are not needed */
	struct strtab texts;		/* slots of text fields are ids in it */
	struct tracefmt *trace;		/* NULL: not used yet, or there are no formats */
	bool trace_tried;
	/* the current sample: names of kernel addresses are those at its time */
	const struct resolved_sample *rs;
	struct arena names;
	struct strbuf text, scratch;
	const void *text_of;		/* the payload whose text is kept here */
};

/*
 * format of the sample's payload; NULL if its event is not a tracepoint, or if the file has no format of it
 */
const struct tracefmt_event *field_worker_format(struct field_worker *w, const struct resolved_sample *rs);
/* the same for an event, with formats of a file's header */
const struct tracefmt_event *field_worker_event(struct field_worker *w, const struct feat_blob *formats,
						const struct event *ev);
void field_worker_release(struct field_worker *w);

#endif
