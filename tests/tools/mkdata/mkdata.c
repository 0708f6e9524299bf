/* mkdata: reads the text and runs it line by line. */
#include "mkdata.h"
#include "../../../util/base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct mk_script {
	struct { VEC(char *); } line;
};

static const char *word(const struct line *l, size_t i)
{
	if (i >= l->tok.nr)
		fatal(l, "'%s' wants another word", l->tok.v[0].value);
	return l->tok.v[i].value;
}

static void set_defaults(struct mkdata *m, const struct line *l)
{
	for (size_t i = 1; i < l->tok.nr; i++) {
		const struct token *t = &l->tok.v[i];
		struct token copy = { xstrdup(t->key), t->sep, xstrdup(t->value), t->len, t->quoted };
		struct token *old = (struct token *)line_key(&m->defaults, t->key);

		if (old)
			*old = copy;
		else
			vec_push(&m->defaults.tok, copy);
	}
}

static void set_header(struct mkdata *m, const struct line *l)
{
	for (size_t i = 1; i < l->tok.nr; i++)
		vec_push(&m->header, (struct token){ .key = xstrdup(l->tok.v[i].key),
						     .value = xstrdup(l->tok.v[i].value) });
}

static void add_patch(struct mkdata *m, const struct line *l, bool truncate)
{
	struct patch *p = vec_add(&m->patches);

	p->where = xstrdup(word(l, 1));
	p->truncate = truncate;
	p->line = l->nr;
	put_body(m, l, &p->bytes);
}

static void choose_stream(struct mkdata *m, const char *name)
{
	for (m->cur = 0; m->cur < m->streams.nr; m->cur++)
		if (!strcmp(m->streams.v[m->cur].name, name))
			return;
	vec_push(&m->streams, (struct mk_stream){ .name = xstrdup(name) });
}

static void add_label_here(struct mkdata *m, const char *name)
{
	vec_push(&m->labels,
		 (struct label){ .name = xstrdup(name), .stream = m->cur, .off = record_stream(m)->len });
}

/* a zstd frame of one stored (not compressed) block: RFC 8878, sections 3.1.1.1 and 3.1.1.2 */
static void put_zstd_frame(struct strbuf *out, const struct strbuf *bytes)
{
	struct mkdata little = { .big_endian = false };
	size_t pos = 0;

	put(&little, out, 0xfd2fb528, 4);
	put(&little, out, 0xa0, 1);		/* single segment, content size in 4 bytes */
	put(&little, out, bytes->len, 4);
	do {
		size_t n = MIN(bytes->len - pos, (size_t)100000);

		put(&little, out, n << 3 | (pos + n == bytes->len), 3);
		strbuf_add(out, bytes->buf + pos, n);
		pos += n;
	} while (pos < bytes->len);
}

static size_t run(struct mkdata *m, const struct mk_script *s, size_t from, u64 index);

/* the lines up to "end" make records that are packed into one COMPRESSED (81) or COMPRESSED2 (83) record */
static size_t run_compressed(struct mkdata *m, const struct mk_script *s, size_t at, const struct line *l,
			     u32 type)
{
	struct strbuf inside = STRBUF_INIT, body = STRBUF_INIT;
	size_t next;

	record_stream(m);
	m->block = &inside;
	next = run(m, s, at + 1, l->index);
	m->block = NULL;
	if (type == 83) {
		struct strbuf frame = STRBUF_INIT;

		put_zstd_frame(&frame, &inside);
		put(m, &body, value_of(m, l, "data_size", frame.len), 8);
		put_padded(&body, frame.buf, frame.len, 8);
		strbuf_release(&frame);
	} else {
		put_zstd_frame(&body, &inside);
	}
	record_put(m, l, type, 0, &body);
	strbuf_release(&inside);
	strbuf_release(&body);
	return next;
}

static void split_lines(struct mk_script *s, struct strbuf *text);

/* the lines of another file, as if they stood here */
static void run_include(struct mkdata *m, const struct line *l)
{
	struct strbuf text = STRBUF_INIT;
	struct mk_script s = { 0 };
	int fd = open(word(l, 1), O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fd_read_all(fd, &text))
		fatal(l, "cannot read %s: %s", word(l, 1), strerror(errno));
	close(fd);
	split_lines(&s, &text);
	run(m, &s, 0, l->index);
	vec_release(&s.line);
}

static size_t run_repeat(struct mkdata *m, const struct mk_script *s, size_t at, const struct line *l)
{
	u64 nr = expr_value(l, word(l, 1));
	size_t next = at + 1;

	if (!nr)
		fatal(l, "repeat 0 is not possible");
	for (u64 i = 0; i < nr; i++)
		next = run(m, s, at + 1, i);
	return next;
}

static void run_setting(struct mkdata *m, const struct line *l)
{
	const char *what = word(l, 0), *arg = l->tok.nr > 1 ? l->tok.v[1].value : "";

	if (!strcmp(what, "magic"))
		memcpy(m->magic, arg, MIN(strlen(arg), (size_t)8));
	else if (!strcmp(what, "order"))
		m->big_endian = !strcmp(arg, "big");
	else if (!strcmp(what, "format"))
		m->pipe = !strcmp(arg, "pipe");
	else if (!strcmp(what, "event"))
		event_define(m, l);
	else if (!strcmp(what, "include"))
		run_include(m, l);
	else if (!strcmp(what, "default"))
		set_defaults(m, l);
	else if (!strcmp(what, "header"))
		set_header(m, l);
	else if (!strcmp(what, "feature"))
		feature_add(m, l);
	else if (!strcmp(what, "buildid"))
		buildid_add(m, l);
	else if (!strcmp(what, "patch"))
		add_patch(m, l, false);
	else if (!strcmp(what, "truncate"))
		add_patch(m, l, true);
	else if (!strcmp(what, "label"))
		add_label_here(m, word(l, 1));
	else if (!strcmp(what, "stream"))
		choose_stream(m, word(l, 1));
	else if (!strcmp(what, "bytes"))
		put_body(m, l, record_stream(m));
	else if (!record_add(m, l))
		fatal(l, "'%s' is not known", what);
}

/* the magic of the other byte order is the same number stored the other way round */
static void fix_magic(struct mkdata *m, const struct line *l)
{
	if (strcmp(word(l, 0), "order") || !m->big_endian || strcmp(m->magic, "PERFILE2"))
		return;
	memcpy(m->magic, "2ELIFREP", 8);
}

/* runs lines until "end" or the last one; returns the number of the next line */
static size_t run(struct mkdata *m, const struct mk_script *s, size_t at, u64 index)
{
	while (at < s->line.nr) {
		struct line l = { .nr = at + 1, .index = index };
		const char *what;

		line_parse(&l, s->line.v[at]);
		what = l.tok.nr ? l.tok.v[0].value : "";
		if (!strcmp(what, "end")) {
			line_release(&l);
			return at + 1;
		}
		if (!strcmp(what, "repeat")) {
			at = run_repeat(m, s, at, &l);
		} else if (!strcmp(what, "compressed")) {
			at = run_compressed(m, s, at, &l, 81);
		} else if (!strcmp(what, "compressed2")) {
			at = run_compressed(m, s, at, &l, 83);
		} else {
			if (*what) {
				run_setting(m, &l);
				fix_magic(m, &l);
			}
			at++;
		}
		line_release(&l);
	}
	return at;
}

static void split_lines(struct mk_script *s, struct strbuf *text)
{
	char *p = strbuf_detach(text), *nl;

	for (; *p; p = nl + 1) {
		vec_push(&s->line, p);
		nl = strchr(p, '\n');
		if (!nl)
			break;
		*nl = '\0';
	}
}

int main(int argc, char **argv)
{
	struct mkdata m = { .magic = "PERFILE2" };
	struct mk_script s = { 0 };
	struct strbuf text = STRBUF_INIT;
	const char *out = "perf.data";
	int opt, fd = STDIN_FILENO;

	while ((opt = getopt(argc, argv, "o:")) != -1) {
		if (opt != 'o') {
			fprintf(stderr, "usage: mkdata [-o FILE|-] [TEXT]\n");
			return 129;
		}
		out = optarg;
	}
	if (optind < argc)
		fd = open(argv[optind], O_RDONLY);
	if (fd < 0 || fd_read_all(fd, &text))
		fatal(NULL, "cannot read %s: %s", optind < argc ? argv[optind] : "standard input",
		      strerror(errno));
	vec_push(&m.streams, (struct mk_stream){ .name = xstrdup("data") });
	split_lines(&s, &text);
	run(&m, &s, 0, 0);
	write_all(&m, out);
	return 0;
}
