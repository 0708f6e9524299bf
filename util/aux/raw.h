/*
 * Raw: writes a trace as it was recorded into a folder, with all that a decoder must know besides: the words
 * of AUXTRACE_INFO, the clock, when bytes were there, who ran where, and what was mapped. For other decoders.
 */
#ifndef PERF_AUX_RAW_H
#define PERF_AUX_RAW_H

#include "../data/data.h"

struct machine;
struct stream_format;

struct aux_raw_result {
	u32 nr_streams;
	u64 bytes;
};

/*
 * dir: made, or an empty folder that is there; nothing is replaced. words: of the raw dump, for the file with
 * the words of AUXTRACE_INFO by name. Files that were begun are removed after an error. 0, or a negative
 * errno with err: there is no trace, the folder is not empty, or cannot be written
 */
int aux_write_raw(const struct data *d, const struct machine *m, const struct stream_format *words,
		  const char *dir, struct aux_raw_result *ret, struct err *err);

#endif
