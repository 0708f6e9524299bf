/* Fuzz: copies of a file with other addresses, and with redacted names. */
#include "../../util/inject/inject.h"
#include "../../util/base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void copy(const struct session *s, const struct inject_opts *opts)
{
	int fd = memfd_create("copy", MFD_CLOEXEC);
	struct inject_opts o = *opts;
	struct err err = ERR_INIT;
	char path[64];

	if (fd < 0)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	o.output = path;
	inject_run(s, &o, &err);
	close(fd);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const struct inject_opts kinds[] = {
		{ .aslr = true }, { .redact = REDACT_DIRS | REDACT_FILES | REDACT_COMMS | REDACT_ARGS },
		{ .aslr = true, .sched_stat = true },
	};
	struct session_opts o = { .sym = SYM_OPTS_INIT, .jobs = 1, .chunk_size = 4096 };
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct err err = ERR_INIT;
	struct session *s;
	char path[64];

	log_level = -1;
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	o.data.path = path;
	if (!session_open(&s, &o, &err)) {
		for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
			copy(s, &kinds[i]);
		session_close(s);
	}
	close(fd);
	return 0;
}
