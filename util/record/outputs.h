/*
 * Outputs: names of output files. Switched outputs and those of --timestamp-filename get the time after their
 * name when they are finished; of switched outputs only the newest are kept if the user asked for this. Owns
 * the names.
 */
#ifndef PERF_RECORD_OUTPUTS_H
#define PERF_RECORD_OUTPUTS_H

#include "../base/err.h"
#include "../base/vec.h"

struct outputs {
	u64 last_stamp;		/* of the newest name, in hundredths of a second */
	const char *path;	/* the name while it is written */
	bool stamp;
	u32 max_files;		/* 0: all */
	struct { VEC(char *); } done;
	void (*finished)(void *ctx, const char *path);	/* NULL: nobody wants to know */
	void *ctx;
	char *last;		/* the name that it was told last, or that of a file that stays; or NULL */
};

void outputs_init(struct outputs *o, const char *path, bool stamp, u32 max_files);
/* -EINVAL if the output is to be renamed, but is something that must keep its name: a device, a fifo */
int outputs_check(const struct outputs *o, struct err *err);
/* the current file is complete: gives it its final name and removes files that are too old */
int outputs_rotate(struct outputs *o, struct err *err);
/* the same at the end of the recording */
int outputs_finish(struct outputs *o, struct err *err);
/* final name of the newest file */
const char *outputs_last(const struct outputs *o);
void outputs_release(struct outputs *o);

#endif
