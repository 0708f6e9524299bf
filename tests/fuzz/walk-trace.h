/*
 * What fuzz targets of traces share that walk code: the bytes are a recording, whose trace is decoded with a
 * program at /proc/self/fd/200, by pieces or by the ordered reader.
 */
#ifndef PERF_FUZZ_WALK_TRACE_H
#define PERF_FUZZ_WALK_TRACE_H

#include "../../util/base/hash.h"
#include "../../util/session/ordered-reader.h"
#include "../../util/session/session.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PROGRAM_FD 200

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static int in_memory(const void *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	return fd;
}

static void walk(const struct session *s)
{
	struct ordered_reader *c = ordered_reader_open(s);
	struct rec rec[16];
	u64 time[16];

	while (ordered_reader_next(c, rec, time, 16))
		;
	ordered_reader_close(c);
}

/* half of all mutants of a file, whatever its size: the trace is decoded by the ordered reader */
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
	const char *letters = "iybcrexwpoIdgGlLAZTaN";
	u32 k = 0;

	for (const char *p = letters; *p; p++)
		if (sum >> k++ & 1)
			o->letters |= itrace_letter(*p);
	o->unit = (sum >> 24 & 3) % 3;
	o->period = sum >> 26 & 15;
	o->frames = o->other_frames = sum >> 30 & 7;
	o->branches = o->other_branches = sum >> 33 & 7;
	o->quick = sum >> 36 & 15 ? 0 : 1 + (sum >> 40 & 1);
	o->to_file = sum >> 41 & 1;
	o->depths = sum >> 42 & 1;
	o->in_order = sum >> 43 & 1;
	o->lists = sum >> 44 & 1;
	o->no_overflow = sum >> 45 & 1;
	o->mispred_all = sum >> 46 & 1;
	o->skip = sum >> 47 & 1;
	o->log_only_errors = sum >> 48 & 1;
	o->log_all_records = sum >> 49 & 1;
	o->log_to_stdout = true;
}

static void no_log(void)
{
	static bool done;

	if (!done && !freopen("/dev/null", "w", stdout))
		abort();
	done = true;
}

static int walk_trace(const u8 *data, size_t size, const void *program, size_t program_size)
{
	struct session_opts o = { .sym = SYM_OPTS_INIT, .jobs = 1, .chunk_size = 4096,
				  .itrace = { .decodes = true, .unit = ITRACE_INSTRUCTIONS, .period = 3 } };
	int fd = in_memory(data, size), code = in_memory(program, program_size);
	struct err err = ERR_INIT;
	struct session *s;
	char path[64];

	if (dup2(code, PROGRAM_FD) < 0)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	o.data.path = path;
	o.sym.symfs = "/proc/self/fd";
	o.trace_once = streams(data, size);
	no_log();
	if (size % 4)
		choose_letters(&o.itrace, hash_bytes(data, size));
	else
		o.itrace.letters = itrace_letter('i');
	if (!session_open(&s, &o, &err)) {
		walk(s);
		session_trace_end(s);
		session_close(s);
	}
	close(fd);
	close(code);
	close(PROGRAM_FD);
	return 0;
}

#endif
