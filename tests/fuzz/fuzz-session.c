/*
 * Fuzz: a whole session over a file: scan, machine, ordered records, chains, the dump with packets of traces,
 * texts of --tasks, --mmaps and --stats, and the same as values.
 */
#include "../../util/base/alloc.h"
#include "../../util/event/record-type.h"
#include "../../util/contents/contents.h"
#include "../../util/resolve/resolver.h"
#include "../../ui/format.h"
#include "../../util/session/ordered-reader.h"
#include "trace-letters.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void walk(const struct session *s)
{
	struct frame_loc frames[RESOLVE_MAX_STACK];
	struct ordered_reader *c = ordered_reader_open(s);
	struct arena scratch = { 0 };
	struct resolver r;
	struct rec rec[16];
	u64 time[16];
	size_t nr;

	resolver_init(&r, s, &scratch);
	while ((nr = ordered_reader_next(c, rec, time, 16))) {
		for (size_t i = 0; i < nr; i++) {
			struct sample sm;
			struct sample_ctx w;

			if (rec[i].type != REC_SAMPLE || sample_decode(s->data->plan, &rec[i], &sm, &scratch))
				continue;
			w = locator_sample_ctx(&r.locator, s, &sm, &rec[i]);
			locator_find(&r.locator, &w, sm.cpumode, sm.ip);
			chain_resolve(&r, &sm, &w, frames, ARRAY_SIZE(frames));
			machine_comm(s->machine, &w);
			arena_reset(&scratch);
		}
	}
	resolver_release(&r);
	arena_release(&scratch);
	ordered_reader_close(c);
}

static void read_values(const struct session *s)
{
	struct view *v = xcalloc(1, sizeof(*v));

	contents_add_attributes(s->data, v);
	contents_add_tasks(s->machine, true, v);
	contents_add_stats(s, v);
	contents_add_threads(s, v);
	view_free(v);
}

static int ignore_text(void *ctx UNUSED, const char *text UNUSED, size_t len UNUSED)
{
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct session_opts o = { .sym = SYM_OPTS_INIT, .jobs = 1, .chunk_size = 4096,
				  .itrace.decodes = true };
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct strbuf text = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct session *s;
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	o.data.path = path;
	no_log();
	if (size % 4)	/* others have the default of --itrace */
		choose_letters(&o.itrace, hash_bytes(data, size));
	o.trace_once = streams(data, size);
	if (!session_open(&s, &o, &err)) {
		walk(s);
		contents_dump(s, DUMP_SCRIPT, format_find_stream(o.trace_once ? "json" : "text"), false,
			      ignore_text, NULL);
		session_trace_end(s);
		contents_print_stats(s, true, &text);
		contents_print_tasks(s->machine, true, &text);
		read_values(s);
		session_close(s);
	}
	strbuf_release(&text);
	close(fd);
	return 0;
}
