/*
 * Contents: what a recording contains: numbers of records and samples, tasks and maps, counts of threads,
 * attributes of events, and all of its records. As text, which is the same as upstream's byte for byte and is
 * appended to out, and as tables of typed values for formats that programs read. Tables refer to the session,
 * which must outlive the view.
 */
#ifndef PERF_CONTENTS_CONTENTS_H
#define PERF_CONTENTS_CONTENTS_H

#include "../base/strbuf.h"
#include "../data/dump.h"
#include "../view/view.h"

struct data;
struct machine;
struct session;

/* gets pieces of text in order; a negative return ends the output and is returned */
typedef int (*contents_write)(void *ctx, const char *text, size_t len);

/*
 * the number of records of each type, and of samples of each event; lost: also the number of lost samples,
 * which a dump does not show
 */
void contents_print_stats(const struct session *s, bool lost, struct strbuf *out);
/* section "stats": tables "records" (by type) and "samples" (by event, with lost ones) */
void contents_add_stats(const struct session *s, struct view *v);

/* the tree of tasks at the end of the recording; with_maps: also what each has mapped */
void contents_print_tasks(const struct machine *machine, bool with_maps, struct strbuf *out);
/* section "tasks": table "threads" in the order of the tree; with_maps: also "maps", of each address space */
void contents_add_tasks(const struct machine *machine, bool with_maps, struct view *v);

/*
 * The counts of each event in each thread (record -s), one line per thread, or with list one per thread and
 * event. -ENOENT: the file has no such counts
 */
int contents_print_threads(const struct session *s, bool list, contents_write write, void *ctx);
/* section "threads": table "counts", of each thread and event. False: the file has no counts */
bool contents_add_threads(const struct session *s, struct view *v);

/* section "attributes": table "events", a row for each */
void contents_add_attributes(const struct data *data, struct view *v);

/* all records in the order in which they take effect; unsorted: in the order of the file */
int contents_dump(const struct session *s, enum dump_for who, const struct stream_format *f, bool unsorted,
		  contents_write write, void *ctx);

#endif
