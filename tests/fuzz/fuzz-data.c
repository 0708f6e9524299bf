/* Fuzz target: a perf.data file or pipe is opened, its header printed, every record walked and every sample decoded. */
#include "../../util/base/fs.h"
#include "../../util/data/data.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void walk(struct data *d)
{
	struct arena scratch = { 0 };

	vec_foreach(&d->stream, s) {
		struct rec_walk w = rec_walk_of(d, s, s->start, s->end, &d->diag);
		struct sample sample;
		struct rec rec;
		u64 time;

		while (rec_next(&w, &rec) > 0) {
			if (rec.type == REC_SAMPLE)
				sample_decode(d->plan, &rec, &sample, &scratch);
			else if (rec.type < REC_USER_START)
				sample_decode_id(d->plan, &rec, &sample);
			sample_time(d->plan, &rec, &time);
			arena_reset(&scratch);
		}
	}
	arena_release(&scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct strbuf out = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct data *d;
	char path[64];

	if (fd < 0 || fd_write_all(fd, bytes, size))
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!data_open(&d, &(struct data_opts){ .path = path, .force = true }, &err)) {
		features_print(d, &out, true);
		walk(d);
		diag_describe(&d->diag, &out);
		data_close(d);
	}
	strbuf_release(&out);
	close(fd);
	return 0;
}
