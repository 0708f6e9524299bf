/* mkdata: bytes, the file's layout, damage. */
#include "mkdata.h"
#include "../../../util/base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_SIZE 104

void put(const struct mkdata *m, struct strbuf *out, u64 v, unsigned int bytes)
{
	for (unsigned int i = 0; i < bytes; i++)
		strbuf_addch(out, v >> 8 * (m->big_endian ? bytes - 1 - i : i));
}

void put_padded(struct strbuf *out, const char *s, size_t len, size_t align)
{
	strbuf_add(out, s, len);
	strbuf_pad(out, 0, ALIGN_UP(len, align) - len);
}

static void put_file(const struct line *l, const char *path, struct strbuf *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fd_read_all(fd, out))
		fatal(l, "cannot read %s: %s", path, strerror(errno));
	close(fd);
}

static void put_token(const struct mkdata *m, const struct line *l, const struct token *t, struct strbuf *out)
{
	struct mk_numbers n = { 0 };

	if (put_packet(l, t, out))
		return;
	if (t->key[0] == 'u') {
		numbers_parse(l, t->value, &n);
		vec_foreach(&n, v)
			put(m, out, *v, atoi(t->key + 1) / 8);
		vec_release(&n);
	} else if (!strcmp(t->key, "str")) {	/* a header string: length, text, padded to 64 */
		size_t len = ALIGN_UP(t->len + 1, (size_t)64);

		put(m, out, len, 4);
		strbuf_add(out, t->value, t->len);
		strbuf_pad(out, 0, len - t->len);
	} else if (!strcmp(t->key, "z")) {
		put_padded(out, t->value, t->len + 1, 8);
	} else if (!strcmp(t->key, "hex")) {
		token_bytes(l, t, out);
	} else if (!strcmp(t->key, "text")) {
		strbuf_add(out, t->value, t->len);
	} else if (!strcmp(t->key, "zero")) {
		strbuf_pad(out, 0, expr_value(l, t->value));
	} else if (!strcmp(t->key, "pad")) {
		u64 align = expr_value(l, t->value);

		while (align && out->len % align)
			strbuf_addch(out, 0);
	} else if (!strcmp(t->key, "file")) {
		put_file(l, t->value, out);
	}
}

void put_body(const struct mkdata *m, const struct line *l, struct strbuf *out)
{
	vec_foreach(&l->tok, t)
		if (t->sep == ':')
			put_token(m, l, t, out);
}

static void add_label(struct mkdata *m, const char *name, u64 off)
{
	vec_push(&m->labels, (struct label){ .name = xstrdup(name), .off = off, .absolute = true });
}

/* a header field, or what "header NAME=VALUE" says instead */
static u64 header_value(const struct mkdata *m, const char *name, u64 right)
{
	static const struct line none;

	vec_foreach(&m->header, t)
		if (!strcmp(t->key, name))
			return expr_value(&none, t->value);
	return right;
}

static void put_section(const struct mkdata *m, struct strbuf *out, const char *name, u64 off, u64 size)
{
	char key[64];

	snprintf(key, sizeof(key), "%s_offset", name);
	put(m, out, header_value(m, key, off), 8);
	snprintf(key, sizeof(key), "%s_size", name);
	put(m, out, header_value(m, key, size), 8);
}

static void put_features(struct mkdata *m, struct strbuf *out)
{
	u64 nr = 0, off;

	for (int i = 0; i < NR_FEATURES; i++)
		nr += m->feature[i].there;
	off = out->len + nr * 16;
	add_label(m, "features", out->len);
	for (int i = 0; i < NR_FEATURES; i++) {
		char label[32];

		if (!m->feature[i].there)
			continue;
		snprintf(label, sizeof(label), "feature:%d", i);
		add_label(m, label, off);
		snprintf(label, sizeof(label), "section:%d", i);
		add_label(m, label, out->len);
		put(m, out, off, 8);
		put(m, out, m->feature[i].body.len, 8);
		off += m->feature[i].body.len;
	}
	for (int i = 0; i < NR_FEATURES; i++)
		strbuf_add(out, m->feature[i].body.buf, m->feature[i].body.len);
}

/* header, ids, attrs, data, feature table, features: the order in which perf writes them */
static void layout_file(struct mkdata *m, struct strbuf *out)
{
	const struct strbuf *data = &m->streams.v[0].bytes;
	u64 nr_ids = 0, entry = m->events.nr ? m->events.v[0].size + 16 : 0, ids_at = HEADER_SIZE, attrs_at,
			data_at;
	u8 bits[NR_FEATURES / 8] = { 0 };

	vec_foreach(&m->events, e)
		nr_ids += e->ids.nr;
	attrs_at = ids_at + nr_ids * 8;
	data_at = attrs_at + m->events.nr * entry;
	strbuf_add(out, m->magic, 8);
	put(m, out, header_value(m, "size", HEADER_SIZE), 8);
	put(m, out, header_value(m, "attr_size", entry), 8);
	put_section(m, out, "attrs", attrs_at, m->events.nr * entry);
	put_section(m, out, "data", data_at, data->len);
	put_section(m, out, "event_types", 0, 0);
	for (int i = 0; i < NR_FEATURES; i++)	/* a bitmap of u64 words */
		if (m->feature[i].there)
			bits[m->big_endian ? (i / 64 * 8) + 7 - i % 64 / 8 : i / 8] |= 1 << i % 8;
	strbuf_add(out, bits, sizeof(bits));
	vec_foreach(&m->events, e)
		vec_foreach(&e->ids, id)
			put(m, out, *id, 8);
	add_label(m, "ids", ids_at);
	add_label(m, "attrs", attrs_at);
	add_label(m, "data", data_at);
	vec_foreach(&m->events, e) {
		put_attr(m, out, e);
		put(m, out, ids_at, 8);
		put(m, out, e->ids.nr * 8, 8);
		ids_at += e->ids.nr * 8;
	}
	strbuf_add(out, data->buf, data->len);
	add_label(m, "data_end", out->len);
	put_features(m, out);
	vec_foreach(&m->labels, l)
		if (!l->absolute && !l->stream)
			l->off += data_at, l->absolute = true;
}

static void layout_pipe(struct mkdata *m, struct strbuf *out)
{
	const struct strbuf *data = &m->streams.v[0].bytes;

	record_stream(m);	/* attributes even where no record follows */
	strbuf_add(out, m->magic, 8);
	put(m, out, header_value(m, "size", 16), 8);
	strbuf_add(out, data->buf, data->len);
	add_label(m, "data", 16);
	vec_foreach(&m->labels, l)
		if (!l->absolute && !l->stream)
			l->off += 16, l->absolute = true;
}

/* NUMBER, -NUMBER (from the end), @label, @label+NUMBER */
static u64 place(const struct mkdata *m, const struct patch *p, u64 file_size)
{
	struct line l = { .nr = p->line };
	const char *plus = strpbrk(p->where, "+-");
	size_t len = plus ? (size_t)(plus - p->where) : strlen(p->where);

	if (p->where[0] == '-')
		return file_size + expr_value(&l, p->where);
	if (p->where[0] != '@')
		return expr_value(&l, p->where);
	vec_foreach(&m->labels, lb)
		if (strlen(lb->name) == len - 1 && !strncmp(lb->name, p->where + 1, len - 1))
			return lb->off + (plus ? expr_value(&l, *plus == '+' ? plus + 1 : plus) : 0);
	fatal(&l, "no label '%.*s'", (int)len, p->where);
}

static void damage(struct mkdata *m, struct strbuf *out)
{
	vec_foreach(&m->patches, p) {
		struct line l = { .nr = p->line };
		u64 at = place(m, p, out->len);

		if (at > out->len || p->bytes.len > out->len - at)
			fatal(&l, "offset %lu is outside the file", at);
		if (p->truncate)
			strbuf_setlen(out, at);
		else
			memcpy(out->buf + at, p->bytes.buf, p->bytes.len);
	}
}

static void save(const char *path, const struct strbuf *bytes)
{
	int fd = strcmp(path, "-") ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
					  0600) : STDOUT_FILENO, ret;

	if (fd < 0)
		fatal(NULL, "cannot write %s: %s", path, strerror(errno));
	ret = fd_write_all(fd, bytes->buf, bytes->len);
	if (ret)
		fatal(NULL, "cannot write %s: %s", path, strerror(-ret));
	close(fd);
}

void write_all(struct mkdata *m, const char *path)
{
	struct strbuf out = STRBUF_INIT;

	if (m->pipe)
		layout_pipe(m, &out);
	else
		layout_file(m, &out);
	damage(m, &out);
	if (m->streams.nr == 1) {
		save(path, &out);
	} else {
		if (mkdir(path, 0700) && errno != EEXIST)
			fatal(NULL, "cannot make directory %s: %s", path, strerror(errno));
		for (size_t i = 0; i < m->streams.nr; i++) {
			char *file = xasprintf("%s/%s", path, m->streams.v[i].name);

			save(file, i ? &m->streams.v[i].bytes : &out);
			free(file);
		}
	}
	strbuf_release(&out);
}
