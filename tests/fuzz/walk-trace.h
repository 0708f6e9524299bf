/*
 * What fuzz targets of traces share that walk code: the bytes are a recording, whose trace is decoded with a
 * program at /proc/self/fd/200, by pieces or by the ordered reader.
 */
#ifndef PERF_FUZZ_WALK_TRACE_H
#define PERF_FUZZ_WALK_TRACE_H

#include "../../util/session/ordered-reader.h"
#include "../../util/session/session.h"
#include "trace-letters.h"

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
