/*
 * Tar: blocks of 512 bytes. A header: char name[100], mode[8], uid[8], gid[8], size[12], mtime[12],
 * checksum[8], type, target[100], magic[6], version[2], user[32], group[32], major[8], minor[8], prefix[155];
 * numbers are octal text. Type L and K: the bytes are the name or the target of the next header; x: pax
 * records.
 */
#include "tar.h"
#include "../base/types.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 512u
#define NAMES_MAX (64u << 10)	/* bytes of a header that holds names */
#define NAME_FIELD 100u

struct tar_header {
	char name[NAME_FIELD], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type,
	     target[NAME_FIELD], magic[6], version[2], user[32], group[32], major[8], minor[8], prefix[155],
	     rest[12];
};
_Static_assert(sizeof(struct tar_header) == BLOCK, "a header is one block");

/* octal digits between blanks; or, with the highest bit, a big endian number */
static bool parse_number(const char *p, size_t len, u64 *ret)
{
	const char *end = p + len;

	*ret = 0;
	if ((u8)*p & 0x80) {
		for (p = end - 8; p < end; p++)
			*ret = *ret << 8 | (u8)*p;
		return true;
	}
	while (p < end && *p == ' ')
		p++;
	for (; p < end && *p >= '0' && *p <= '7'; p++)
		*ret = *ret << 3 | (*p - '0');
	return p == end || *p == ' ' || !*p;
}

static u32 checksum_of(const struct tar_header *h)
{
	const u8 *p = (const u8 *)h;
	u32 sum = 8 * ' ';

	for (size_t i = 0; i < BLOCK; i++)
		if (i < offsetof(struct tar_header, checksum) || i >= offsetof(struct tar_header, type))
			sum += p[i];
	return sum;
}

static ssize_t member_read(struct in_stream *s, void *buf, size_t len)
{
	struct tar_reader *t = (struct tar_reader *)s;
	ssize_t n = t->left ? t->from->read(t->from, buf, MIN((u64)len, t->left)) : 0;

	if (!n && t->left)
		return -EBADMSG;
	t->left -= MAX(n, 0);
	return n;
}

void tar_reader_init(struct tar_reader *t, struct in_stream *from)
{
	*t = (struct tar_reader){ .s.read = member_read, .from = from };
}

void tar_reader_release(struct tar_reader *t)
{
	strbuf_release(&t->name);
	strbuf_release(&t->target);
}

static int skip_rest(struct tar_reader *t)
{
	char buf[8192];

	t->left += t->pad;
	t->pad = 0;
	while (t->left) {
		ssize_t n = member_read(&t->s, buf, sizeof(buf));

		if (n < 0)
			return n;
	}
	return 0;
}

/* the bytes of a header that describes the next one */
static int read_names(struct tar_reader *t, struct strbuf *out)
{
	ssize_t n;

	strbuf_reset(out);
	if (t->left > NAMES_MAX)
		return -EBADMSG;
	n = stream_read_full(&t->s, strbuf_room(out, t->left), t->left);
	if (n < 0)
		return n;
	out->len = n;
	out->buf[n] = '\0';
	return 0;
}

/* rows "LENGTH KEY=VALUE\n" */
static int take_pax(struct tar_reader *t, const struct strbuf *text)
{
	const char *p = text->buf, *end = p + text->len;

	while (p < end) {
		char *key, *next;
		unsigned long len = strtoul(p, &key, 10);

		next = (char *)p + len;
		if (len < 5 || len > (size_t)(end - p) || *key != ' ' || key >= next || next[-1] != '\n')
			return -EBADMSG;
		next[-1] = '\0';
		key++;
		if (!strncmp(key, "path=", 5)) {
			strbuf_reset(&t->name);
			strbuf_addstr(&t->name, key + 5);
		} else if (!strncmp(key, "linkpath=", 9)) {
			strbuf_reset(&t->target);
			strbuf_addstr(&t->target, key + 9);
		} else if (!strncmp(key, "size=", 5)) {
			t->pax_size = strtoull(key + 5, NULL, 10);
			t->has_size = true;
		}
		p = next;
	}
	return 0;
}

static int take_extension(struct tar_reader *t, char type)
{
	struct strbuf text = STRBUF_INIT;
	int ret;

	if (type == 'L')
		return read_names(t, &t->name);
	if (type == 'K')
		return read_names(t, &t->target);
	ret = read_names(t, &text);
	if (!ret && type == 'x' && text.len)
		ret = take_pax(t, &text);
	strbuf_release(&text);
	return ret;
}

/* 1, or 0 at the end: two blocks of zeros, or simply the end of the file */
static int read_header(struct tar_reader *t, struct tar_header *h)
{
	ssize_t n = stream_read_full(t->from, h, sizeof(*h));
	u64 sum;

	if (n < 0)
		return n;
	if (!n || (n == BLOCK && !h->name[0] && !h->magic[0]))
		return 0;
	if (n < (ssize_t)BLOCK || !parse_number(h->checksum, sizeof(h->checksum), &sum) ||
	    sum != checksum_of(h) ||
	    !parse_number(h->size, sizeof(h->size), &t->left) || t->left > INT64_MAX - BLOCK)
		return -EBADMSG;
	return 1;
}

static enum tar_kind kind_of_type(char type)
{
	switch (type) {
	case '0':
	case '\0':
		return TAR_FILE;
	case '2':
		return TAR_LINK;
	case '5':
		return TAR_FOLDER;
	default:
		return TAR_OTHER;
	}
}

static void fill_member(struct tar_reader *t, const struct tar_header *h, struct tar_member *ret)
{
	u64 mode;

	ret->kind = kind_of_type(h->type);
	if (!t->name.len) {
		if (!memcmp(h->magic, "ustar", 6) && h->prefix[0])
			strbuf_addf(&t->name, "%.*s/", (int)sizeof(h->prefix), h->prefix);
		strbuf_addf(&t->name, "%.*s", (int)sizeof(h->name), h->name);
	}
	if (!t->target.len)
		strbuf_addf(&t->target, "%.*s", (int)sizeof(h->target), h->target);
	ret->name = strbuf_str(&t->name);
	ret->target = strbuf_str(&t->target);
	if (ret->kind != TAR_FILE)
		t->left = 0;
	ret->size = t->left;
	ret->mode = parse_number(h->mode, sizeof(h->mode), &mode) ? mode & 07777 : 0;
	t->pad = ALIGN_UP(t->left, (u64)BLOCK) - t->left;
}

int tar_next(struct tar_reader *t, struct tar_member *ret, struct err *err)
{
	struct tar_header h;
	int code = skip_rest(t);

	strbuf_reset(&t->name);
	strbuf_reset(&t->target);
	t->has_size = false;
	while (!code) {
		code = read_header(t, &h);
		if (code <= 0)
			break;
		if (t->has_size && kind_of_type(h.type) == TAR_FILE)
			t->left = MIN(t->pax_size, (u64)INT64_MAX - BLOCK);
		if (!strchr("LKxg", h.type) || !h.type) {
			fill_member(t, &h, ret);
			return 1;
		}
		t->pad = ALIGN_UP(t->left, (u64)BLOCK) - t->left;
		code = take_extension(t, h.type);
		if (!code)
			code = skip_rest(t);
	}
	return code ? err_sys(err, -code, "the archive is damaged") : 0;
}

static int put_header(struct out_stream *to, char type, const char *name, const char *target, u64 size,
		      u32 mode,
		      u64 mtime)
{
	struct tar_header h = { .type = type, .magic = "ustar", .user = "root", .group = "root" };

	if (size >> 33)
		return -EFBIG;
	memcpy(h.name, name, MIN(strlen(name), sizeof(h.name)));
	memcpy(h.target, target, MIN(strlen(target), sizeof(h.target)));
	memcpy(h.version, "00", 2);
	snprintf(h.mode, sizeof(h.mode), "%07o", mode & 07777);
	snprintf(h.uid, sizeof(h.uid), "%07o", 0);
	snprintf(h.gid, sizeof(h.gid), "%07o", 0);
	snprintf(h.size, sizeof(h.size), "%011llo", (unsigned long long)size);
	snprintf(h.mtime, sizeof(h.mtime), "%011llo", (unsigned long long)mtime & 077777777777ull);
	snprintf(h.checksum, sizeof(h.checksum), "%06o", checksum_of(&h));
	h.checksum[7] = ' ';
	return to->write(to, &h, sizeof(h));
}

/* a text that does not fit into its field comes before the header, with its NUL */
static int put_long(struct out_stream *to, char type, const char *text)
{
	u64 size = strlen(text) + 1;
	int ret;

	if (size <= NAME_FIELD)
		return 0;
	ret = put_header(to, type, "././@LongLink", "", size, 0, 0);
	if (!ret)
		ret = to->write(to, text, size);
	return ret ? ret : tar_put_padding(to, size);
}

static int put_member(struct out_stream *to, char type, const char *name, const char *target, u64 size,
		      u32 mode,
		      u64 mtime)
{
	int ret = put_long(to, 'K', target);

	if (!ret)
		ret = put_long(to, 'L', name);
	return ret ? ret : put_header(to, type, name, target, size, mode, mtime);
}

int tar_put_file(struct out_stream *to, const char *name, u64 size, u32 mode, u64 mtime)
{
	return put_member(to, '0', name, "", size, mode, mtime);
}

int tar_put_link(struct out_stream *to, const char *name, const char *target)
{
	return put_member(to, '2', name, target, 0, 0777, 0);
}

int tar_put_padding(struct out_stream *to, u64 size)
{
	static const char zeros[BLOCK];

	return to->write(to, zeros, ALIGN_UP(size, (u64)BLOCK) - size);
}

int tar_put_end(struct out_stream *to)
{
	static const char zeros[2 * BLOCK];

	return to->write(to, zeros, sizeof(zeros));
}
