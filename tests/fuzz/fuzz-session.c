/* Fuzz: a whole session over a file: scan, world, ordered records, chains, texts of --tasks, --mmaps and --stats. */
#include "../../util/session/print.h"
#include "../../util/session/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void walk(const struct session *s)
{
	struct frame_loc frames[RESOLVE_MAX_STACK];
	struct rec_cursor *c = rec_cursor_open(s);
	struct arena scratch = { 0 };
	struct locator l;
	struct rec rec[16];
	u64 time[16];
	size_t nr;

	locator_init(&l, s->world);
	while ((nr = rec_cursor_next(c, rec, time, 16))) {
		for (size_t i = 0; i < nr; i++) {
			struct sample sm;
			struct whence w;

			if (rec[i].type != REC_SAMPLE || sample_decode(s->data->plan, &rec[i], &sm, &scratch))
				continue;
			w = locator_whence(&l, s, &sm, &rec[i]);
			resolve_ip(&l, &sm, &w);
			chain_resolve(&l, &sm, &w, frames, ARRAY_SIZE(frames), NULL);
			world_comm(s->world, sm.pid, sm.tid, w.time, w.off);
			arena_reset(&scratch);
		}
	}
	locator_release(&l);
	arena_release(&scratch);
	rec_cursor_close(c);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct session_opts o = { .sym = SYM_OPTS_INIT, .jobs = 1, .chunk_size = 4096 };
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct strbuf text = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct session *s;
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	o.data.path = path;
	if (!session_open(&s, &o, &err)) {
		walk(s);
		session_print_stats(s, true, &text);
		session_print_tasks(s, true, &text);
		session_close(s);
	}
	strbuf_release(&text);
	close(fd);
	return 0;
}
