/*
 * Decoder of records: the bytes are the body of a record of every type, in both byte orders. All that its
 * view holds is read.
 */
#include "../../util/base/types.h"
#include "../../util/event/record-places.h"
#include "../../util/event/record-put.h"
#include "../../util/event/sample.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static u64 sum;		/* so that nothing that was decoded is optimised away */

static void touch(const void *p, u64 len)
{
	for (u64 i = 0; i < len; i++)
		sum += ((const u8 *)p)[i];
}

static void touch_rows(const struct rec_rows *r)
{
	for (u64 i = 0; i < r->nr; i++)
		for (u32 off = 0; off < r->size; off += 4)
			sum += rec_row_u32(r, i, off);
}

#define U8(name) sum += v->name;
#define U16(name) sum += v->name;
#define U32(name) sum += v->name;
#define U64(name) sum += v->name;
#define S32(name) sum += v->name;
#define PAD(n)
#define RAW(name, n) touch(v->name, n);
#define FIXED_TEXT(name, n) touch(v->name.p, v->name.len);
#define FILE_ID(name) touch(v->name.id, v->name.id_len);
#define BUILD_ID(name) touch(v->name.id, v->name.len);
#define STRING(name) sum += strlen(v->name);
#define TEXT(name, n) touch(v->name.p, v->name.len);
#define REST(name) touch(v->name.p, v->name.len);
#define REST_MIN(name, n) touch(v->name.p, v->name.len);
#define PART(name, n) touch(v->name.p, v->name.len);
#define COUNTED(name) touch(v->name.p, v->name.len);
#define ROWS(name, size, n) touch_rows(&v->name);
#define U64_IF(name, condition) sum += v->name;
#define NEWER(name, n) sum += v->name;
#define MAYBE_U8(name) sum += v->name;
#define MAYBE_U64(name) sum += v->name;
#define RECORD(nr, type, view, size, kind, left_alone, show, ...) \
static void touch_##type(const struct record_view *view_) \
{ \
	const typeof(view_->view) *v = &view_->view; \
\
	(void)v; \
	__VA_ARGS__ \
}
#include "../../util/event/records.def"

static const struct {
	u32 type;
	void (*touch)(const struct record_view *v);
} rows[] = {
#define RECORD(nr, type, ...) { nr, touch_##type },
#include "../../util/event/records.def"
};

/* what copies change and write: all places are inside of the record */
static void copy(const struct record_view *v, const struct rec *rec)
{
	struct record_place place[RECORD_PLACES_MAX];
	struct strbuf out = STRBUF_INIT;
	struct record_view native = *v;
	u32 nr = record_places(v, place);

	for (u32 i = 0; i < nr; i++) {
		if (place[i].off + place[i].len > rec->size)
			abort();
		touch(rec->p + place[i].off, place[i].len);
	}
	native.swap = false;
	record_put(&out, &native, NULL, 8);
	strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len = size < 65528 ? size : 65528;
	u8 *p = malloc(8 + len);	/* of exactly this size: a sanitizer sees every byte too many */

	if (!p)
		return 0;
	memset(p, 0, 8);
	memcpy(p + 8, data, len);
	for (size_t i = 0; i < 4 * ARRAY_SIZE(rows); i++) {
		struct rec rec = { .p = p, .size = 8 + len, .type = rows[i / 4].type, .swap = i & 1,
				   .misc = i & 2 ? 0xc002 : 2 };
		struct record_view v;

		if (record_decode(&rec, &v))
			continue;
		rows[i / 4].touch(&v);
		copy(&v, &rec);
	}
	free(p);
	return 0;
}
