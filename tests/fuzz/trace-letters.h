/*
 * What fuzz targets of traces choose by the bytes of a file: letters of --itrace and how they are read.
 */
#ifndef PERF_FUZZ_TRACE_LETTERS_H
#define PERF_FUZZ_TRACE_LETTERS_H

#include "../../util/base/hash.h"
#include "../../util/data/itrace-opts.h"

#include <stdio.h>
#include <stdlib.h>

/* half of all mutants of a file, whatever its size: traces are decoded by the ordered reader */
static bool streams(const u8 *data, size_t size)
{
	u8 all = 0;

	for (size_t i = 0; i < size; i++)
		all ^= data[i];
	return all & 1;
}

/* by a checksum of the file, so that mutants try all letters with each other */
static void choose_letters(struct itrace_opts *o, u64 sum)
{
	const char *letters = "iybcrexwpoIdgGlLAZTaNfmtMs";
	u32 k = 0;

	for (const char *p = letters; *p; p++)
		if (sum >> k++ & 1)
			o->letters |= itrace_letter(*p);
	o->unit = (sum >> 26 & 3) % 3;
	o->period = sum >> 28 & 15;
	o->frames = o->other_frames = sum >> 32 & 7;
	o->branches = o->other_branches = sum >> 35 & 7;
	o->quick = sum >> 38 & 15 ? 0 : 1 + (sum >> 42 & 1);
	o->to_file = sum >> 43 & 1;
	o->depths = sum >> 44 & 1;
	o->in_order = sum >> 45 & 1;
	o->lists = sum >> 46 & 1;
	o->no_overflow = sum >> 47 & 1;
	o->mispred_all = sum >> 48 & 1;
	o->skip = sum >> 49 & 1 ? 1 + (sum >> 56 & 3) : 0;
	o->log_only_errors = sum >> 50 & 1;
	o->log_all_records = sum >> 51 & 1;
	o->sums = sum >> 52 & 1;
	o->log_to_stdout = true;
}

static void no_log(void)
{
	static bool done;

	if (!done && !freopen("/dev/null", "w", stdout))
		abort();
	done = true;
}

#endif
