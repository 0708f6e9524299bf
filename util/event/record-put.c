/* Record-put: the encoders, made from the rows of records.def. */
#include "record-put.h"
#include "../base/put.h"

/* at most n bytes of b, filled with zeros */
static void put_filled(struct strbuf *out, const struct rec_bytes *b, u64 n)
{
	size_t len = MIN(b->len, n);

	strbuf_add(out, b->p, len);
	strbuf_pad(out, '\0', n - len);
}

static void put_text(struct strbuf *out, const struct rec_bytes *b, u64 n)
{
	if (n == UINT64_MAX)
		put_filled(out, b, b->len + 1);
	else
		put_filled(out, b, n);
}

/* of a build-id: u8, 3 bytes of no meaning */
static void put_size(struct strbuf *out, u8 size)
{
	strbuf_addch(out, size);
	strbuf_pad(out, '\0', 3);
}

/* see take_file_id() of record.c; a build-id needs MISC_MMAP_BUILD_ID in the view's misc */
static void put_file_id(struct strbuf *out, const struct rec_file_id *f)
{
	if (f->id_len) {
		put_size(out, f->id_len);
		put_filled(out, &(struct rec_bytes){ f->id, f->id_len }, BUILDID_MAX);
	} else {
		put_u32(out, f->maj);
		put_u32(out, f->min);
		put_u64(out, f->ino);
		put_u64(out, f->gen);
	}
}

static void put_build_id(struct strbuf *out, const struct rec_build_id *b)
{
	put_filled(out, &(struct rec_bytes){ b->id, b->len }, BUILDID_MAX);
	put_size(out, b->len);
}

static void put_rows(struct strbuf *out, const struct rec_rows *r)
{
	strbuf_add(out, r->p, r->nr * r->size);
}

/* put_TYPE(): one field after another; true: the record ends where its fields do */
#define U8(name) strbuf_addch(out, v->name);
#define U16(name) put_u16(out, v->name);
#define U32(name) put_u32(out, v->name);
#define U64(name) put_u64(out, v->name);
#define S32(name) put_u32(out, v->name);
#define PAD(n) strbuf_pad(out, '\0', n);
#define RAW(name, n) strbuf_add(out, v->name, n);
#define FIXED_TEXT(name, n) put_filled(out, &v->name, n);
#define FILE_ID(name) put_file_id(out, &v->name);
#define BUILD_ID(name) put_build_id(out, &v->name);
#define STRING(name) strbuf_add(out, v->name, strlen(v->name) + 1);
#define TEXT(name, n) put_text(out, &v->name, n);
#define REST(name) strbuf_add(out, v->name.p, v->name.len); exact = true;
#define REST_MIN(name, n) strbuf_add(out, v->name.p, v->name.len); exact = true;
#define PART(name, n) put_filled(out, &v->name, n);
#define COUNTED(name) put_u64(out, v->name.len); strbuf_add(out, v->name.p, v->name.len);
#define ROWS(name, size, n) put_rows(out, &v->name);
#define U64_IF(name, condition) if (condition) put_u64(out, v->name);
#define NEWER(name, n) newer = v->name;
#define MAYBE_U8(name) if (newer) strbuf_addch(out, v->name);
#define MAYBE_U64(name) if (newer) put_u64(out, v->name);
#define RECORD(nr, type, view, size, kind, left_alone, show, ...) \
static bool put_##type(struct strbuf *out, const struct record_view *from) \
{ \
	const typeof(from->view) *v = &from->view; \
	bool exact = false, newer = false; \
\
	(void)v, (void)newer; \
	__VA_ARGS__ \
	return exact; \
}
#include "records.def"

static bool (*const puts_of[REC_TYPE_MAX])(struct strbuf *out, const struct record_view *v) = {
#define RECORD(nr, type, ...) [nr] = put_##type,
#include "records.def"
};

bool record_put(struct strbuf *out, const struct record_view *v, const void *trailer, u32 len)
{
	size_t begin = out->len, size;
	struct rec_header h = { .type = v->type, .misc = v->misc };

	if (v->type >= REC_TYPE_MAX || !puts_of[v->type])
		return false;
	strbuf_add(out, &h, sizeof(h));
	if (!puts_of[v->type](out, v))
		strbuf_pad(out, '\0', -(out->len - begin) % 8);
	if (trailer)
		strbuf_add(out, trailer, len);
	else
		strbuf_pad(out, '\0', len);
	size = out->len - begin;
	h.size = size;
	if (size > UINT16_MAX)
		strbuf_setlen(out, begin);
	else
		memcpy(out->buf + begin, &h, sizeof(h));
	return size <= UINT16_MAX;
}
