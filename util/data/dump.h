/*
 * Dump of records for report -D and script -D: the bytes, then one or more lines with their meaning, as cells
 * of a stream. Their words give text the layout that users of upstream know. Rows of record types:
 * util/event/records.def. The caller decides the order of the records.
 */
#ifndef PERF_DATA_DUMP_H
#define PERF_DATA_DUMP_H

#include "data.h"
#include "../base/strbuf.h"

enum dump_for { DUMP_REPORT = 1, DUMP_SCRIPT = 2 };

struct stream_format;

/*
 * Begins a line with the dump of one record; the caller ends it (f->end()). For a SAMPLE the caller adds
 * dump_frame() before that, once thread and dso are known. A record that is too short for its type is
 * reported as such.
 */
void dump_record(const struct data *d, const struct rec *rec, enum dump_for who,
		 const struct stream_format *f, struct strbuf *out);
/*
 * What the dump shows after the name of a record's type, up to the end of the line. For types that need
 * neither their event nor their file: maps, tasks, switches, kernel symbols, control groups.
 */
void dump_view(const struct record_view *v, const struct stream_format *f, struct strbuf *out);
/*
 * " ... thread: ls:8920" and " ...... dso: /usr/bin/ls"; comm is ":TID" if unknown, dso is NULL if no map
 * contains the ip
 */
void dump_frame(const char *comm, u32 tid, const char *dso, const struct stream_format *f,
		struct strbuf *out);

#endif
