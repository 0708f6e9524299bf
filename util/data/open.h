/*
 * Open: which file is read, whether it may be read, and of what kind it is: a plain file, a pipe, a
 * directory, or a profile of another program.
 */
#ifndef PERF_DATA_OPEN_H
#define PERF_DATA_OPEN_H

#include "data.h"

struct importer;
struct stacks;
struct data_opts {
	/* NULL: "perf.data"; if this file does not exist and standard input is a pipe: standard input */
	const char *path;
	bool force;		/* open a file that belongs to someone else */
	bool header_only;	/* do not unpack streams */
	/*
	 * a pipe need not be read to its end: data_more() may be called. data->live is set if
	 * this is possible
	 */
	bool live;
	/* the input is of this format (import_find()), whatever its bytes look like; NULL: they show it */
	const struct importer *import;
};

/* the bytes of a recording that was made from another profile (d->imported); they belong to d */
const u8 *data_imported_bytes(const struct data *d, u64 *ret_size);
/*
 * Adds the stacks of a file that is a profile of another tool to the element of out for its format
 * (IMPORT_FORMATS of them), and makes no recording of it. True, with the time of the file in seconds, and
 * what was wrong with it in diag. False if it is a recording, or if data_open() has to say what is wrong:
 * nothing was added
 */
bool data_read_stacks(const struct data_opts *opts, struct stacks *out, s64 *ret_mtime, struct diag *diag);
/* whether data_open() will read standard input */
bool data_from_pipe(const struct data_opts *opts);
/*
 * 0 or negative errno with err. A damaged but readable file is opened, and its problems are counted in diag.
 */
int data_open(struct data **ret, const struct data_opts *opts, struct err *err);
void data_close(struct data *d);
/*
 * Whether an input that was closed before became unreadable while it was read: it was cut or overwritten, or
 * its disk failed. Readers see zeros then and go on; whoever ends the program asks this. 0, or a negative
 * errno with err
 */
int data_input_lost(struct err *err);

#endif
