/*
 * Records other than samples, decoded: record_decode() checks a record against its row of records.def once
 * and fills a view of its fields, in native byte order; texts, bytes and rows stay in the record. All code
 * that reads records uses these views: a filled view needs no further checks. Samples and sample_id trailers:
 * sample.h.
 */
#ifndef PERF_EVENT_RECORD_H
#define PERF_EVENT_RECORD_H

#include <byteswap.h>
#include <string.h>
#include "abi.h"
#include "record-type.h"

struct rec;

/* in the record, without a NUL unless its row says otherwise */
struct rec_bytes {
	const u8 *p;
	u64 len;
};

/* in the record and in the file's byte order: read with rec_row_u64() */
struct rec_rows {
	const u8 *p;
	u64 nr;
	u32 size;	/* of a row, in bytes */
	bool swap;
};

static inline const u8 *rec_row(const struct rec_rows *r, u64 i)
{
	return r->p + i * r->size;
}

/* the number at an offset of a row */
static inline u64 rec_row_u64(const struct rec_rows *r, u64 i, u32 off)
{
	u64 v;

	memcpy(&v, rec_row(r, i) + off, sizeof(v));
	return r->swap ? bswap_64(v) : v;
}

static inline u32 rec_row_u32(const struct rec_rows *r, u64 i, u32 off)
{
	u32 v;

	memcpy(&v, rec_row(r, i) + off, sizeof(v));
	return r->swap ? bswap_32(v) : v;
}

/*
 * Which file an MMAP2 record maps: device and inode, or, with MISC_MMAP_BUILD_ID, a build-id. Some kernels
 * leave that bit set on records that hold an inode; a size above BUILDID_MAX shows this. Size 0 means no
 * build-id: the bytes are then read as device and inode, too (file systems without a device have major number
 * 0), but the record is shown with an empty build-id.
 */
struct rec_file_id {
	bool is_build_id;	/* the record says that it holds a build-id, and the size is possible */
	u8 id_len;		/* 0: not known */
	const u8 *id;
	u32 maj, min;		/* these four are 0 if there is a build-id */
	u64 ino, gen;
};

/* of a BUILD_ID record. Older records do not contain the size: it is 20, including any padding */
struct rec_build_id {
	u8 len;			/* at most BUILDID_MAX */
	const u8 *id;
};

/* struct rec_VIEW_view, one per row of records.def that has fields of its own */
#define U8(name) u8 name;
#define U16(name) u16 name;
#define U32(name) u32 name;
#define U64(name) u64 name;
#define S32(name) s32 name;
#define PAD(n)
#define RAW(name, n) const u8 *name;
#define FIXED_TEXT(name, n) struct rec_bytes name;
#define FILE_ID(name) struct rec_file_id name;
#define BUILD_ID(name) struct rec_build_id name;
#define STRING(name) const char *name;
#define TEXT(name, n) struct rec_bytes name;
#define REST(name) struct rec_bytes name;
#define REST_MIN(name, n) struct rec_bytes name;
#define PART(name, n) struct rec_bytes name;
#define COUNTED(name) struct rec_bytes name;
#define ROWS(name, size, n) struct rec_rows name;
#define U64_IF(name, condition) u64 name;
#define NEWER(name, n) bool name;
#define MAYBE_U8(name) u8 name;
#define MAYBE_U64(name) u64 name;
#define RECORD(nr, type, view, size, kind, left_alone, show, ...) struct rec_##view##_view { __VA_ARGS__ };
#define RECORD_AS(...)
#include "records.def"

struct record_view {
	u32 type;
	u16 misc;
	bool swap;	/* of the bytes that stay in the record */
	union {
		struct { u8 unused; } none;
#define RECORD(nr, type, view, ...) struct rec_##view##_view view;
#define RECORD_AS(...)
#include "records.def"
	};
};

/*
 * 0, -ENOENT for a type without a row, or -EBADMSG for a record that is shorter than its fields or has a text
 * without a NUL
 */
int record_decode(const struct rec *rec, struct record_view *ret);

/* what MMAP and MMAP2 have in common */
struct record_map {
	s32 pid, tid;
	u64 addr, len, pgoff;
	const char *filename;
};

/* false: the record is of another type */
bool record_map_of(const struct record_view *v, struct record_map *ret);

/*
 * from the rows: the name of a type, "MMAP2", or NULL for an unknown type; the bytes that each record of a
 * type has at least, 8 for an unknown type
 */
const char *record_name(u32 type);
u32 record_min_size(u32 type);
/* of a NAMESPACES record's links, in their order: "net", as in /proc/PID/ns */
#define NR_NAMESPACES 7u
extern const char *const namespace_names[NR_NAMESPACES];
/* whether the machine is built from records of this type */
bool record_is_side_band(u32 type);

#endif
