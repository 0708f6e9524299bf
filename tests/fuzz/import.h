/* Import: what targets of readers of other profiles share: what is read becomes an undamaged recording. */
#ifndef PERF_FUZZ_IMPORT_H
#define PERF_FUZZ_IMPORT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "../../util/base/alloc.h"
#include "../../util/data/import.h"
#include "../../util/session/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void read_back(int fd)
{
	struct session_opts o = { .sym = SYM_OPTS_INIT, .jobs = 1 };
	struct session *s;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	o.data.path = path;
	if (session_open(&s, &o, NULL) || !s->nr_samples || !s->packed)
		abort();
	for (u32 i = 0; i < DIAG_NR; i++)
		if (s->diag.kind[i].nr)
			abort();
	session_close(s);
}

static inline int import_any(const char *name, const uint8_t *data, size_t size)
{
	struct diag diag = { 0 };
	bool more;
	int fd;

	import_probe(data, size, &more);
	import_probe(data, size, NULL);
	fd = import_run(import_find(name, NULL), data, size, &diag, NULL);
	if (fd < 0)
		return 0;
	read_back(fd);
	close(fd);
	return 0;
}

#endif
