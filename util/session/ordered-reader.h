/*
 * Ordered reader: returns every record of all streams by (time, file offset), in the order that upstream's
 * FINISHED_ROUND rule gives; records without time come at once, in file order. Needs bounded memory: only the
 * records between two rounds are held. With trace_once, samples of a trace are valid until the second call
 * of ordered_reader_next() after they were returned; else records stay where they are.
 */
#ifndef PERF_SESSION_ORDERED_READER_H
#define PERF_SESSION_ORDERED_READER_H

#include "session.h"

struct ordered_reader;
struct ordered_reader *ordered_reader_open(const struct session *s);
/* does not complete the session, but scans what it reads, until somebody completes it */
struct ordered_reader *ordered_reader_open_scanning(const struct session *s);
/* all records in the order of the file */
struct ordered_reader *ordered_reader_open_unsorted(const struct session *s);
/*
 * to be called before the first record. events: by idx of an event, true: its samples are scanned, but not
 * returned. The caller keeps the array until the reader is closed
 */
void ordered_reader_leave_out(struct ordered_reader *c, const bool *events);
/* the bytes of such samples so far */
u64 ordered_reader_left_out(const struct ordered_reader *c);
/*
 * up to max next records into ret (rec and time, 0 for records without time); returns their number, 0 at the
 * end
 */
size_t ordered_reader_next(struct ordered_reader *c, struct rec *ret, u64 *ret_time, size_t max);
/* after session_more(), when all returned records are printed: continues with the new records */
void ordered_reader_more(struct ordered_reader *c);
/* problems that it met: records that came later than a round allows */
const struct diag *ordered_reader_diag(const struct ordered_reader *c);
void ordered_reader_close(struct ordered_reader *c);

#endif
