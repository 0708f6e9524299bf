/*
 * Every row of records.def, with bytes that are made from its layout: complete, as short as can be, one byte
 * too short, in both byte orders, and with arbitrary bytes.
 */
#include "bytes.h"
#include "side.h"
#include "test.h"
#include "../../util/event/record-put.h"
#include "../../util/event/record.h"
#include "../../util/event/sample.h"

#include <errno.h>
#include <stdlib.h>

/*
 * the fields of a record, one after another: field N is filled with the number N. As in the file, and in
 * native order for rows
 */
struct maker {
	u8 file[1024], native[1024];
	u32 n;
	u64 next;
	bool swap;
};

static u64 put(struct maker *m, u32 bytes)
{
	u64 v = m->next++;

	memcpy(m->native + m->n, low_bytes(&v, bytes), bytes);
	for (u32 i = 0; i < bytes; i++)
		m->file[m->n + i] = m->native[m->n + (m->swap ? bytes - 1 - i : i)];
	m->n += bytes;
	return v;
}

static const u8 *put_bytes(struct maker *m, const void *p, u32 len)
{
	const u8 *at = m->native + m->n;

	memcpy(m->native + m->n, p, len);
	memcpy(m->file + m->n, p, len);
	m->n += len;
	return at;
}

static struct rec_bytes put_blob(struct maker *m, u64 len)
{
	static const u8 blob[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789";

	REQUIRE(len < sizeof(blob));
	return (struct rec_bytes){ .p = put_bytes(m, blob, len), .len = len };
}

static struct rec_bytes put_text(struct maker *m, u32 field)
{
	static const char text[512] = "a text";
	u32 len = strlen(text);

	return (struct rec_bytes){ .p = put_bytes(m, text, MAX(field, len + 1)), .len = len };
}

static struct rec_bytes put_counted(struct maker *m)
{
	u64 len = put(m, 8);

	return put_blob(m, len);
}

static struct rec_rows put_rows(struct maker *m, u32 size, u64 nr)
{
	struct rec_rows r = { .p = m->native + m->n, .nr = MIN(nr, 3ull), .size = size };

	for (u64 i = 0; i < r.nr * size; i += MIN(size, 8u))
		put(m, MIN(size, 8u));
	return r;
}

static struct rec_file_id put_file_id(struct maker *m)
{
	struct rec_file_id f = { .maj = put(m, 4), .min = put(m, 4) };

	f.ino = put(m, 8);
	f.gen = put(m, 8);
	return f;
}

static struct rec_build_id put_build_id(struct maker *m)
{
	return (struct rec_build_id){ .len = BUILDID_MAX, .id = put_blob(m, 24).p };
}

#define U8(name) want->name = put(m, 1);
#define U16(name) want->name = put(m, 2);
#define U32(name) want->name = put(m, 4);
#define U64(name) want->name = put(m, 8);
#define S32(name) want->name = put(m, 4);
#define PAD(n) put_blob(m, n);
#define RAW(name, n) want->name = put_blob(m, n).p;
#define FIXED_TEXT(name, n) want->name = put_text(m, n);
#define FILE_ID(name) want->name = put_file_id(m);
#define BUILD_ID(name) want->name = put_build_id(m);
#define STRING(name) want->name = (const char *)put_text(m, 0).p;
#define TEXT(name, n) want->name = put_text(m, MIN(n, 100ull));
#define REST(name) want->name = put_blob(m, 16);
#define REST_MIN(name, n) want->name = put_blob(m, n + 8);
#define PART(name, n) want->name = put_blob(m, n);
#define COUNTED(name) want->name = put_counted(m);
#define ROWS(name, size, n) want->name = put_rows(m, size, n);
#define U64_IF(name, condition) want->name = condition ? put(m, 8) : 0;
#define NEWER(name, n) want->name = true;
#define MAYBE_U8(name) want->name = put(m, 1);
#define MAYBE_U64(name) want->name = put(m, 8);
#define RECORD(nr, type, view, size, kind, left_alone, show, ...) \
static void make_##type(struct maker *m, struct record_view *ret) \
{ \
	typeof(ret->view) *want = &ret->view, *v = want; \
\
	*v = (typeof(*v)){ 0 }; \
	__VA_ARGS__ \
}
#include "../../util/event/records.def"

static void check_bytes(const struct rec_bytes *got, const struct rec_bytes *want)
{
	CHECK_U64(got->len, want->len);
	if (got->len == want->len)
		CHECK_MEM(got->p, want->p, got->len);
}

static void check_rows(const struct rec_rows *got, const struct rec_rows *want)
{
	CHECK_U64(got->nr, want->nr);
	for (u64 i = 0; i < MIN(got->nr, want->nr); i++)
		for (u32 off = 0; off < want->size; off += 8)
			if (want->size < 8)
				CHECK_U64(rec_row_u32(got, i, off), rec_row_u32(want, i, off));
			else
				CHECK_U64(rec_row_u64(got, i, off), rec_row_u64(want, i, off));
}

static void check_file_id(const struct rec_file_id *got, const struct rec_file_id *want)
{
	CHECK_U64(got->maj, want->maj);
	CHECK_U64(got->min, want->min);
	CHECK_U64(got->ino, want->ino);
	CHECK_U64(got->gen, want->gen);
	CHECK_INT(got->id_len, want->id_len);
}

static void check_build_id(const struct rec_build_id *got, const struct rec_build_id *want)
{
	CHECK_INT(got->len, want->len);
	CHECK_MEM(got->id, want->id, want->len);
}

#define SAME(name) CHECK_U64(g->name, w->name);
#define U8 SAME
#define U16 SAME
#define U32 SAME
#define U64 SAME
#define S32 SAME
#define PAD(n)
#define RAW(name, n) CHECK_MEM(g->name, w->name, n);
#define FIXED_TEXT(name, n) check_bytes(&g->name, &w->name);
#define FILE_ID(name) check_file_id(&g->name, &w->name);
#define BUILD_ID(name) check_build_id(&g->name, &w->name);
#define STRING(name) CHECK_STR(g->name, w->name);
#define TEXT(name, n) check_bytes(&g->name, &w->name);
#define REST(name) check_bytes(&g->name, &w->name);
#define REST_MIN(name, n) check_bytes(&g->name, &w->name);
#define PART(name, n) check_bytes(&g->name, &w->name);
#define COUNTED(name) check_bytes(&g->name, &w->name);
#define ROWS(name, size, n) check_rows(&g->name, &w->name);
#define U64_IF(name, condition) SAME(name)
#define NEWER(name, n) SAME(name)
#define MAYBE_U8 SAME
#define MAYBE_U64 SAME
#define RECORD(nr, type, view, size, kind, left_alone, show, ...) \
static void check_##type(const struct record_view *got, const struct record_view *want) \
{ \
	const typeof(got->view) *g = &got->view, *w = &want->view; \
\
	(void)g, (void)w; \
	__VA_ARGS__ \
}
#include "../../util/event/records.def"
#undef SAME

/* has_string: fields without which a record is damaged, though its smallest size does not count them */
#define U8(name)
#define U16(name)
#define U32(name)
#define U64(name)
#define S32(name)
#define PAD(n)
#define RAW(name, n)
#define FIXED_TEXT(name, n)
#define FILE_ID(name)
#define BUILD_ID(name)
#define STRING(name) || true
#define TEXT(name, n)
#define REST(name)
#define REST_MIN(name, n)
#define PART(name, n)
#define COUNTED(name)
#define ROWS(name, size, n)
#define U64_IF(name, condition)
#define NEWER(name, n)
#define MAYBE_U8(name)
#define MAYBE_U64(name)
static const struct row {
	u32 type, size;
	bool has_string;
	void (*make)(struct maker *m, struct record_view *ret);
	void (*check)(const struct record_view *got, const struct record_view *want);
} rows[] = {
#define RECORD(nr, type, view, size, kind, left_alone, show, ...) \
	{ nr, size, false __VA_ARGS__, make_##type, check_##type },
#include "../../util/event/records.def"
};

/*
 * a record of a type with these bytes as its body, which end where its memory does, so that a sanitizer sees
 * every byte too many
 */
static struct rec rec_of(u32 type, const u8 *body, u32 len, bool swap)
{
	u8 *p = xmalloc(8 + len);

	memset(p, 0, 8);
	memcpy(p + 8, body, len);
	return (struct rec){ .p = p, .size = 8 + len, .type = type, .swap = swap };
}

static void rec_free(struct rec *rec)
{
	free((u8 *)rec->p);
}

TEST(every_field_in_both_byte_orders)
{
	for (size_t i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i / 2];
		struct maker m = { .next = 1, .swap = i % 2 };
		struct record_view want = { .type = row->type }, got;
		struct rec rec;

		row->make(&m, &want);
		rec = rec_of(row->type, m.file, m.n, m.swap);
		CHECK_INT(record_decode(&rec, &got), 0);
		CHECK_INT(got.type, row->type);
		row->check(&got, &want);
		rec_free(&rec);
	}
}

/* what is encoded from a view decodes to the view */
TEST(every_field_is_encoded)
{
	static const u8 trailer[8] = "trailer";

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf out = STRBUF_INIT;
		struct maker m = { .next = 1 };
		struct record_view want = { .type = rows[i].type, .misc = MISC_BUILD_ID_SIZE }, got;
		struct rec rec;

		rows[i].make(&m, &want);
		CHECK(record_put(&out, &want, NULL, 0));
		REQUIRE(out.len >= rows[i].size);
		rec = rec_of(rows[i].type, (const u8 *)out.buf + 8, out.len - 8, false);
		rec.misc = want.misc;
		CHECK_INT(record_decode(&rec, &got), 0);
		/* fewer rows of SCHEDSTAT_DOMAIN than its version says: the padding looks like one more */
		if (rows[i].type != REC_SCHEDSTAT_DOMAIN)
			rows[i].check(&got, &want);
		rec_free(&rec);
		CHECK(record_put(&out, &want, trailer, sizeof(trailer)));
		CHECK_MEM(out.buf + out.len - sizeof(trailer), trailer, sizeof(trailer));
		strbuf_release(&out);
	}
}

TEST(records_that_are_not_encoded)
{
	struct record_view v = { .type = REC_FEATURE };
	struct strbuf out = STRBUF_INIT;
	u8 *big = xcalloc(1, 65536);

	v.feature.content = (struct rec_bytes){ big, 65535 - 16 };
	CHECK(record_put(&out, &v, NULL, 0));
	CHECK_U64(out.len, 65535);
	v.feature.content.len++;
	CHECK(!record_put(&out, &v, NULL, 0));
	v.type = 63;
	CHECK(!record_put(&out, &v, NULL, 0));
	CHECK_U64(out.len, 65535);
	strbuf_release(&out);
	free(big);
}

TEST(the_shortest_and_one_byte_less)
{
	static const u8 zeros[1024];
	struct record_view v;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		u32 len = rows[i].size - 8;
		struct rec rec = rec_of(rows[i].type, zeros, len, false);

		CHECK_U64(record_min_size(rows[i].type), rows[i].size);
		CHECK_INT(record_decode(&rec, &v), rows[i].has_string ? -EBADMSG : 0);
		rec_free(&rec);
		rec = rec_of(rows[i].type, zeros, len + 1, false);
		CHECK_INT(record_decode(&rec, &v), 0);
		rec_free(&rec);
		if (!len)
			continue;
		rec = rec_of(rows[i].type, zeros, len - 1, false);
		CHECK_INT(record_decode(&rec, &v), -EBADMSG);
		rec_free(&rec);
	}
}

TEST(a_text_without_an_end)
{
	u32 nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct record_view v;
		struct rec rec;
		u8 body[256];

		memset(body, 'x', sizeof(body));
		rec = rec_of(rows[i].type, body, rows[i].size + 16, false);
		if (rows[i].has_string)
			CHECK_INT(record_decode(&rec, &v), -EBADMSG);
		nr += rows[i].has_string;
		rec_free(&rec);
	}
	CHECK(nr >= 5);
}

/*
 * whatever was accepted, its fields are inside of the record: compared with themselves, they are
 * read to their ends
 */
TEST(arbitrary_bytes)
{
	static const u8 fill[] = { 0, 1, 3, 0x7f, 0x80, 0xff };
	u64 seed = 42;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		for (u32 round = 0; round < 400; round++) {
			struct record_view v;
			struct rec rec;
			u8 body[512];

			for (u32 k = 0; k < sizeof(body); k++) {
				seed = seed * 6364136223846793005ull + 1442695040888963407ull;
				body[k] = seed >> 60 ? fill[(seed >> 40) % sizeof(fill)] : seed >> 32;
			}
			rec = rec_of(rows[i].type, body, rows[i].size - 8 + round % 64, round % 2);
			rec.misc = seed >> 20;
			if (record_decode(&rec, &v) == 0)
				rows[i].check(&v, &v);
			rec_free(&rec);
		}
	}
}

TEST(types_without_a_row)
{
	struct record_view v;
	u8 body[64] = { 0 };

	for (u32 k = 0; k < 3; k++) {
		static const u32 types[] = { 0, REC_TYPE_MAX, UINT32_MAX };
		struct rec rec = rec_of(types[k], body, sizeof(body), false);

		CHECK_INT(record_decode(&rec, &v), -ENOENT);
		CHECK(!record_name(types[k]));
		CHECK(!record_is_side_band(types[k]));
		rec_free(&rec);
	}
	CHECK_STR(record_name(REC_MMAP2), "MMAP2");
	CHECK_STR(record_name(REC_SAMPLE), "SAMPLE");
}

/* of all types that the machine is built from, complete and damaged ones: it knows what to do with each */
TEST(the_machine_takes_all_side_band)
{
	u32 nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct side s = { 0 };
		struct diag diag = { 0 };
		struct maker m = { .next = 1 };
		struct record_view want;
		struct machine *w;

		if (!record_is_side_band(rows[i].type))
			continue;
		nr++;
		rows[i].make(&m, &want);
		vec_push(&s.sb.recs, rec_of(rows[i].type, m.file, m.n, false));
		vec_push(&s.sb.times, 1);
		vec_push(&s.sb.recs, rec_of(rows[i].type, m.file, 3, false));
		vec_push(&s.sb.times, 2);
		w = machine_build(&s.sb, NULL, &diag);
		CHECK_U64(diag.kind[DIAG_TRUNCATED_RECORD].nr, 1);
		machine_free(w);
	}
	CHECK(nr >= 9);
}

static struct rec_file_id file_id_of(u8 size, u16 misc)
{
	u8 body[72] = { [32] = size, [36] = 0xaa, [37] = 0xbb, [64] = '/' };
	struct rec rec = rec_of(REC_MMAP2, body, sizeof(body), HOST_IS_BE);
	struct record_view v;

	rec.misc = misc;
	REQUIRE(record_decode(&rec, &v) == 0);
	return v.mmap2.file;
}

/* a build-id of size 0 is shown as one; with an impossible size the bit is wrong */
TEST(sizes_of_build_ids)
{
	struct rec_file_id f = file_id_of(2, MISC_MMAP_BUILD_ID);

	CHECK(f.is_build_id);
	CHECK_INT(f.id_len, 2);
	CHECK_MEM(f.id, "\xaa\xbb", 2);
	CHECK_INT(f.min, 0);
	f = file_id_of(20, MISC_MMAP_BUILD_ID);
	CHECK_INT(f.id_len, 20);
	f = file_id_of(0, MISC_MMAP_BUILD_ID);
	CHECK(f.is_build_id);
	CHECK_INT(f.id_len, 0);
	CHECK_INT(f.min, 0xbbaa);
	f = file_id_of(21, MISC_MMAP_BUILD_ID);
	CHECK(!f.is_build_id);
	CHECK_INT(f.id_len, 0);
	CHECK_INT(f.maj, 21);
	f = file_id_of(8, 0);
	CHECK(!f.is_build_id);
	CHECK_INT(f.maj, 8);
}
