/* Lines: the rows of the formats, the printer, and what formats share. */
#include "lines.h"

#include <string.h>
#include "../util/base/fs.h"

static const struct lines_format formats[] = {
#define LINES(name, block, end, remarks) { name, block, end, remarks },
#include "formats.def"
};

const struct lines_format *lines_format_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

void lines_state_release(struct lines_state *st)
{
	strbuf_release(&st->header);
	json_release(&st->json);
}

static int write_out(const struct lines_printer *p, struct strbuf *out)
{
	int ret = out->len && !p->o->quiet ? fd_write_all(p->fd, out->buf, out->len) : 0;

	strbuf_release(out);
	return ret < 0 ? ret : 0;
}

static int printer_block(struct view_sink *s, const struct view_block *b)
{
	struct lines_printer *p = (struct lines_printer *)s;
	struct strbuf out = STRBUF_INIT;

	if (b->kind == VIEW_INTERVAL && p->o->clear) {
		strbuf_addstr(&out, "\033[H\033[2J");
		/* the heading is gone as well */
		lines_state_release(&p->state);
		p->state.nr_blocks = 0;
	}
	p->format->block(b, p->o, &p->state, &out);
	return write_out(p, &out);
}

static int printer_end(struct view_sink *s)
{
	struct lines_printer *p = (struct lines_printer *)s;
	struct strbuf out = STRBUF_INIT;

	if (p->format->end)
		p->format->end(&p->state, &out);
	return write_out(p, &out);
}

void lines_printer_init(struct lines_printer *p, const struct lines_format *format,
			const struct lines_opts *o, int fd)
{
	*p = (struct lines_printer){ .sink = { printer_block, printer_end, format->remarks },
				     .format = format, .o = o, .fd = fd };
}

void lines_printer_release(struct lines_printer *p)
{
	lines_state_release(&p->state);
}

void lines_time(struct strbuf *out, u64 ns)
{
	strbuf_addf(out, "%llu.%09llu", (unsigned long long)(ns / 1000000000),
		    (unsigned long long)(ns % 1000000000));
}

void lines_fixed(struct strbuf *out, double v, int decimals)
{
	size_t start = out->len;

	strbuf_addf(out, "%.*f", decimals, v);
	for (size_t i = start; i < out->len; i++)
		if (out->buf[i] == ',')
			out->buf[i] = '.';
}

const char *lines_place(const struct view_block *b, const struct view_line *l)
{
	return b->places->v[l->place].name;
}

const char *lines_state_name(enum view_state state)
{
	static const char *const names[] = {
		[VIEW_COUNTED] = "counted", [VIEW_NOT_COUNTED] = "not counted",
		[VIEW_NOT_SUPPORTED] = "not supported",
	};

	return names[state];
}

const char *lines_grade_name(enum view_grade grade)
{
	static const char *const names[] = { [VIEW_PLAIN] = NULL, [VIEW_GOOD] = "good", [VIEW_BAD] = "bad" };

	return names[grade];
}

struct view_value lines_cell(const struct view_block *b, size_t row, u32 column)
{
	struct view_value v = { .type = VIEW_ABSENT };

	b->table->value(b->table, row, column, 0, NULL, &v);
	return v;
}

void lines_header(struct strbuf *out, struct lines_state *st, struct strbuf *header)
{
	strbuf_addch(header, '\n');
	if (strcmp(strbuf_str(header), strbuf_str(&st->header))) {
		strbuf_addstr(out, strbuf_str(header));
		strbuf_release(&st->header);
		st->header = *header;
	} else {
		strbuf_release(header);
	}
}
