/*
 * Fuzz: copies of a file as it is, with other addresses, and with redacted names. A copy as it is has the
 * bytes of its input and no others: memory after the end of a record must not leave the machine.
 */
#include "../../util/inject/inject.h"
#include "../../util/base/log.h"
#include "../../util/event/record-type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define AUX_SIZE_OFF 8u	/* of the number of bytes after an AUXTRACE record, which is mended in a cut file */

/* the next record that is copied, with its bytes up to *ret_end; false: there is none */
static bool next_copied(struct rec_walk *w, struct rec *rec, u64 *ret_end)
{
	while (rec_next(w, rec) > 0) {
		*ret_end = w->off;
		if (rec->type != REC_ATTR && rec->type != REC_FEATURE && rec->type != REC_TRACING_DATA &&
		    rec->type != REC_EVENT_TYPE)
			return true;
	}
	return false;
}

static bool same_record(const struct rec *a, u64 a_end, const struct rec *b, u64 b_end)
{
	u64 len = a_end - a->off, at = sizeof(struct rec_header);

	if (len != b_end - b->off || memcmp(a->p, b->p, at))
		return false;
	if (a->type == REC_AUXTRACE)
		at = MIN(a->size, AUX_SIZE_OFF + (u32)sizeof(u64));
	return !memcmp(a->p + at, b->p + at, len - at);
}

static void compare(const struct data *in, const char *path)
{
	struct data_opts o = { .path = path };
	struct err err = ERR_INIT;
	struct diag diag = { 0 };
	struct rec_walk a, b;
	struct rec from, to;
	u64 from_end, to_end;
	struct data *out;

	if (data_open(&out, &o, &err))
		abort();
	a = rec_walk_of(in, &in->stream.v[0], 0, UINT64_MAX, &diag);
	b = rec_walk_of(out, &out->stream.v[0], 0, UINT64_MAX, &diag);
	if (!rec_next(&b, &to))		/* the writer's first mark */
		abort();
	while (next_copied(&a, &from, &from_end))
		if (!next_copied(&b, &to, &to_end) || !same_record(&from, from_end, &to, to_end))
			abort();
	if (rec_next(&b, &to))
		abort();
	data_close(out);
}

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
	if (!inject_run(s, &o, &err) && !o.aslr && !o.redact && s->data->stream.nr == 1)
		compare(s->data, path);
	close(fd);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const struct inject_opts kinds[] = {
		{ .aslr = true }, { .redact = REDACT_DIRS | REDACT_FILES | REDACT_COMMS | REDACT_ARGS },
		{ .aslr = true, .sched_stat = true }, { 0 },
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
