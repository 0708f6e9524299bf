/*
 * Fuzz: perf trace on a file: formats of tracepoints, pairs of calls, lines as text and as cells, summaries.
 */
#include "../../util/trace/trace.h"
#include "../../ui/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
/* the library of the sanitizer looks for it */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);

/* of a damaged format the library forgets parts that it has read */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent";
}

static void trace_all(struct session *s, struct trace_opts *o)
{
	struct tracing_opts tracing = { .row = trace_rows, .nr_rows = trace_nr_rows,
					.record = "perf trace record", .other = trace_other_event };
	struct strbuf text = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct trace t = { 0 };

	tracing.ctx = &t;
	if (!trace_init(&t, o, s, &err) && !tracing_run(s, &tracing, &err)) {
		trace_end(&t);
		if (o->timeline)
			trace_timeline_finish(&t, &err);
		trace_add_summary(&t, &text);
		view_free(trace_summary_view(&t));
	}
	trace_release(&t);
	strbuf_release(&text);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct session_opts o = { .sym = SYM_OPTS_INIT, .jobs = 1, .chunk_size = 4096 };
	struct trace_opts lines = { .lines = true, .summary = true, .errnos = true, .histogram = true,
				    .alignment = TRACE_ALIGNMENT, .show_cpu = true };
	struct trace_opts cells = lines, picture = { .timeline = true };
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct err err = ERR_INIT;
	struct session *s;
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	o.data.path = path;
	cells.format = format_find_stream("json");
	cells.library_text = true;
	if (!session_open(&s, &o, &err)) {
		trace_all(s, &lines);
		trace_all(s, &cells);
		trace_all(s, &picture);
		session_close(s);
	}
	close(fd);
	return 0;
}
