/* Fuzz target: text of trace_pipe, in pieces: lines of function_graph, their profile, lines for terminals. */
#include <stdlib.h>
#include <string.h>
#include "../../util/ftrace/histogram.h"
#include "../../util/ftrace/lines.h"
#include "../../util/ftrace/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct ftrace_sums {
	struct ftrace_profile profile;
	struct ftrace_histogram histogram;
	struct strbuf text;
};

static void add(void *ctx, const char *line, size_t len)
{
	struct ftrace_sums *s = ctx;
	struct graph_line g;

	graph_line_parse(line, len, &g);
	if (g.name && (!g.name_len || g.name < line || g.name + g.name_len > line + len))
		abort();
	if (g.timed)
		ftrace_histogram_add(&s->histogram, g.duration);
	ftrace_profile_add(&s->profile, &g);
	strbuf_reset(&s->text);
	trace_line_add_safe(&s->text, line, len);
	/* what is printed cannot drive a terminal */
	for (size_t i = 0; i + 1 < s->text.len; i++)
		if ((u8)s->text.buf[i] < ' ' && s->text.buf[i] != '\t')
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct ftrace_histogram_opts ways[] = {
		{ 0 }, { .nsec = true }, { .range = 5 }, { .range = 3, .min = 2, .max = 40 },
	};
	const struct ftrace_histogram_opts *o = &ways[size % ARRAY_SIZE(ways)];
	u64 from, to, last = 0;
	struct trace_lines lines = { 0 };
	struct view_sort sort = { 0 };
	struct err err = ERR_INIT;
	struct ftrace_sums s = { 0 };

	if (ftrace_histogram_init(&s.histogram, o, &err))
		abort();
	/* heap copies of odd sizes: reading past a piece is seen */
	for (size_t at = 0; at < size;) {
		size_t n = MIN((size_t)(data[at] % 61 + 1), size - at);
		char *piece = memcpy(malloc(n), data + at, n);

		trace_lines_feed(&lines, piece, n, add, &s);
		free(piece);
		at += n;
	}
	trace_lines_end(&lines, add, &s);
	if (ftrace_histogram_percentile(&s.histogram, 99) > s.histogram.max)
		abort();
	for (u32 i = 0; i < s.histogram.nr_buckets; i++) {
		ftrace_histogram_range(&s.histogram, i, &from, &to);
		if (from < last || to < from)
			abort();
		last = from;
	}
	view_free(ftrace_profile_view(&s.profile, &sort, 0, VIEW_FORM_TEXT));
	view_free(ftrace_histogram_view(&s.histogram, 1, VIEW_FORM_TEXT));
	ftrace_profile_release(&s.profile);
	ftrace_histogram_release(&s.histogram);
	trace_lines_release(&lines);
	strbuf_release(&s.text);
	return 0;
}
