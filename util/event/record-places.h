/*
 * What records contain that a copy may have to replace: addresses, and names of programs, files and threads;
 * by the words of records.def, so a new type is copied right by its row.
 */
#ifndef PERF_EVENT_RECORD_PLACES_H
#define PERF_EVENT_RECORD_PLACES_H

#include "record.h"

enum record_content {
	HOLDS_ADDRESS,		/* u64, and those that follow it up to the end of the place */
	HOLDS_FILE_OFFSET,	/* u64 of a map: the place in its file, which for some is an address */
	HOLDS_FILE_PATH,	/* a text and its NUL; nothing follows but padding and a sample_id trailer */
	HOLDS_TASK_NAME,	/* the same */
	HOLDS_GROUP_PATH,	/* the same: of a control group */
	HOLDS_TASKS,		/* rows of u64 tid, char name[16] */
	HOLDS_CODE,		/* instructions, in which addresses may be */
	HOLDS_ANYTHING,		/* bytes whose meaning the row does not say */
};

#define RECORD_PLACES_MAX 4u
#define TASKS_NAME_OFF 8u	/* in a row of HOLDS_TASKS */
#define TASKS_NAME_LEN 16u
#define TASKS_ROW_SIZE 24u

struct record_place {
	enum record_content what;
	u32 off, len;	/* in bytes, from the header on */
};

/* of a record that record_decode() accepted; the number of places, in the order of the record */
u32 record_places(const struct record_view *v, struct record_place ret[RECORD_PLACES_MAX]);

#endif
