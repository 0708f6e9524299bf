/*
 * Dump of records for report -D and script -D: the bytes, then one line (or more) of what they mean, in the layout that users
 * of upstream know. Rows of record types: util/event/records.def. The order in which records are shown is the caller's.
 */
#ifndef PERF_DATA_DUMP_H
#define PERF_DATA_DUMP_H

#include "data.h"
#include "../base/strbuf.h"

enum dump_for { DUMP_REPORT = 1, DUMP_SCRIPT = 2 };

/*
 * Appends the dump of one record. For a SAMPLE the caller adds dump_frame() once it knows thread and dso. Records that are
 * too short for their type say so instead of a meaning.
 */
void dump_record(const struct data *d, const struct rec *rec, enum dump_for who, struct strbuf *out);
/*
 * What the dump shows behind the name of a record's type, with the end of the line. For types that need neither the event that the
 * record belongs to nor the file it is in: maps, tasks, switches, symbols of the kernel, control groups.
 */
void dump_view(const struct record_view *v, struct strbuf *out);
/* " ... thread: ls:8920" and " ...... dso: /usr/bin/ls"; comm ":TID" where it is unknown, dso NULL where no map holds the ip */
void dump_frame(const char *comm, u32 tid, const char *dso, struct strbuf *out);

#endif
