/* Records: the decoders, made from the rows of records.def. */
#include "sample.h"
#include "../base/cursor.h"
#include "record.h"

#include <errno.h>

static u64 min_u64(u64 a, u64 b)
{
	return a < b ? a : b;
}

static struct rec_bytes take_bytes(struct cursor *c, u64 len)
{
	const u8 *p = cursor_bytes(c, len);

	return (struct rec_bytes){ .p = p, .len = p ? len : 0 };
}

static struct rec_bytes take_text(struct cursor *c, u64 max)
{
	struct rec_bytes b = take_bytes(c, min_u64(max, cursor_left(c)));

	if (b.p)
		b.len = strnlen((const char *)b.p, b.len);
	return b;
}

static struct rec_rows take_rows(struct cursor *c, u32 size, u64 nr)
{
	nr = min_u64(nr, cursor_left(c) / size);
	return (struct rec_rows){ .p = cursor_bytes(c, nr * size), .nr = nr, .size = size, .swap = c->swap };
}

/* u8 size, 3 bytes, u8 id[20]; or u32 maj, min, u64 ino, generation */
static struct rec_file_id take_file_id(struct cursor *c, u16 misc)
{
	struct rec_file_id f = { 0 };
	const u8 *p = c->p;

	f.is_build_id = misc & MISC_MMAP_BUILD_ID && p[0] <= BUILDID_MAX;
	if (f.is_build_id && p[0]) {
		f.id_len = p[0];
		f.id = p + 4;
		cursor_skip(c, 24);
	} else {
		f.maj = cursor_u32(c);
		f.min = cursor_u32(c);
		f.ino = cursor_u64(c);
		f.gen = cursor_u64(c);
	}
	return f;
}

/* u8 id[20], size, 3 bytes */
static struct rec_build_id take_build_id(struct cursor *c, u16 misc)
{
	const u8 *p = cursor_bytes(c, 24);

	return (struct rec_build_id){ .len = misc & MISC_BUILD_ID_SIZE ? min_u64(p[20], BUILDID_MAX) :
				      BUILDID_MAX, .id = p };
}

/*
 * decode_TYPE(): one field after another; record_decode() has checked that those at fixed positions are there
 */
#define U8(name) v->name = cursor_u8(c);
#define U16(name) v->name = cursor_u16(c);
#define U32(name) v->name = cursor_u32(c);
#define U64(name) v->name = cursor_u64(c);
#define S32(name) v->name = cursor_u32(c);
#define PAD(n) cursor_skip(c, n);
#define RAW(name, n) v->name = cursor_bytes(c, n);
#define FIXED_TEXT(name, n) v->name = take_text(c, n);
#define FILE_ID(name) v->name = take_file_id(c, ret->misc);
#define BUILD_ID(name) v->name = take_build_id(c, ret->misc);
#define STRING(name) v->name = cursor_str(c, cursor_left(c));
#define TEXT(name, n) v->name = take_text(c, n);
#define REST(name) v->name = take_bytes(c, cursor_left(c));
#define REST_MIN(name, n) v->name = take_bytes(c, cursor_left(c));
#define PART(name, n) v->name = take_bytes(c, n);
#define COUNTED(name) v->name = take_bytes(c, cursor_u64(c));
#define ROWS(name, size, n) v->name = take_rows(c, size, n);
#define U64_IF(name, condition) v->name = condition ? cursor_u64(c) : 0;
#define NEWER(name, n) v->name = cursor_left(c) >= n;
#define MAYBE_U8(name) v->name = cursor_left(c) >= 1 ? cursor_u8(c) : 0;
#define MAYBE_U64(name) v->name = cursor_left(c) >= 8 ? cursor_u64(c) : 0;
#define RECORD(nr, type, view, size, kind, left_alone, show, ...) \
static void decode_##type(struct cursor *c, struct record_view *ret) \
{ \
	typeof(ret->view) *v = &ret->view; \
\
	*v = (typeof(*v)){ 0 }; \
	__VA_ARGS__ \
}
#include "records.def"

/* check that each row's size is the sum of its fields */
#define U8(name) + 1
#define U16(name) + 2
#define U32(name) + 4
#define U64(name) + 8
#define S32(name) + 4
#define PAD(n) + n
#define RAW(name, n) + n
#define FIXED_TEXT(name, n) + n
#define FILE_ID(name) + 24
#define BUILD_ID(name) + 24
#define STRING(name)
#define TEXT(name, n)
#define REST(name)
#define REST_MIN(name, n) + n
#define PART(name, n)
#define COUNTED(name) + 8
#define ROWS(name, size, n)
#define U64_IF(name, condition)
#define NEWER(name, n)
#define MAYBE_U8(name)
#define MAYBE_U64(name)
#define RECORD(nr, type, view, size, kind, left_alone, show, ...) \
	_Static_assert(size == sizeof(struct rec_header) __VA_ARGS__, #type);
#include "records.def"

/* what headers know of the rows without including them */
_Static_assert(REC_SAMPLE == ABI_RECORD_SAMPLE && REC_TRACING_DATA == ABI_RECORD_TRACING_DATA &&
	       REC_AUXTRACE_INFO == ABI_RECORD_AUXTRACE_INFO && REC_AUXTRACE == ABI_RECORD_AUXTRACE, "abi.h");
#define RECORD(nr, type, ...) _Static_assert(nr < REC_TYPE_MAX, #type);
#include "records.def"

enum kind { PLAIN, SIDE_BAND };

static const struct record_row {
	const char *name;
	void (*decode)(struct cursor *c, struct record_view *ret);
	u32 size;
	enum kind kind;
} rows[REC_TYPE_MAX] = {
#define RECORD(nr, type, view, size, kind, ...) [nr] = { #type, decode_##type, size, kind },
#include "records.def"
};

static const struct record_row *find_row(u32 type)
{
	return type < REC_TYPE_MAX && rows[type].name ? &rows[type] : NULL;
}

int record_decode(const struct rec *rec, struct record_view *ret)
{
	const struct record_row *row = find_row(rec->type);
	struct cursor c;

	if (!row)
		return -ENOENT;
	if (rec->size < row->size)
		return -EBADMSG;
	c = cursor_of(rec->p + sizeof(struct rec_header), rec->size - sizeof(struct rec_header), rec->swap);
	ret->type = rec->type;
	ret->misc = rec->misc;
	ret->swap = rec->swap;
	row->decode(&c, ret);
	return c.bad ? -EBADMSG : 0;
}

bool record_map_of(const struct record_view *v, struct record_map *ret)
{
	const struct rec_mmap_view *m = &v->mmap;
	const struct rec_mmap2_view *m2 = &v->mmap2;

	if (v->type == REC_MMAP)
		*ret = (struct record_map){ m->pid, m->tid, m->addr, m->len, m->pgoff, m->filename };
	else if (v->type == REC_MMAP2)
		*ret = (struct record_map){ m2->pid, m2->tid, m2->addr, m2->len, m2->pgoff, m2->filename };
	return v->type == REC_MMAP || v->type == REC_MMAP2;
}

const char *const namespace_names[NR_NAMESPACES] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };

const char *record_name(u32 type)
{
	const struct record_row *row = find_row(type);

	return row ? row->name : NULL;
}

u32 record_min_size(u32 type)
{
	const struct record_row *row = find_row(type);

	return row ? row->size : sizeof(struct rec_header);
}

bool record_is_side_band(u32 type)
{
	return type < REC_TYPE_MAX && rows[type].kind == SIDE_BAND;
}
