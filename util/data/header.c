/* Header: see header.h. Every section is clipped to the file. */
#include "header.h"
#include "events.h"
#include "features-read.h"
#include "foreign.h"
#include "magic.h"
#include "pipe.h"
#include "streams.h"
#include "../base/cursor.h"
#include "../event/attr.h"

#include <errno.h>

#define HEADER_SIZE_OLD 72u	/* without the feature bitmap */

struct file_section {
	u64 off, size;
};

struct file_header {
	u64 size, attr_size;
	struct file_section attrs, data, event_types;
	u64 features[FEAT_NR / 64];
};

static struct file_section read_section(struct cursor *c)
{
	struct file_section s;

	s.off = cursor_u64(c);
	s.size = cursor_u64(c);
	return s;
}

/* clips a section to the file; false if it was not completely inside */
static bool clip_section(struct file_section *s, u64 file_size)
{
	if (s->off <= file_size && s->size <= file_size - s->off)
		return true;
	if (s->off > file_size)
		s->off = file_size;
	s->size = file_size - s->off;
	return false;
}

static bool attr_size_plausible(u64 size)
{
	return size >= PE_ATTR_SIZE_MIN + sizeof(struct file_section) && size <= 4096 && !(size % 8);
}

static int read_magic(struct data *d, struct cursor *c)
{
	u64 magic = cursor_u64(c);

	if (magic == DATA_MAGIC2 || bswap_64(magic) == DATA_MAGIC2) {
		d->version = 2;
		c->swap = d->swap = magic != DATA_MAGIC2;
		return 0;
	}
	if (memcmp(c->p - 8, "PERFFILE", 8))
		return -EINVAL;
	/* version 1 does not state its byte order: the size of an attribute is small only in the right one */
	struct cursor k = *c;

	d->version = 1;
	cursor_u64(&k);
	c->swap = d->swap = !attr_size_plausible(cursor_u64(&k));
	return 0;
}

bool data_is_pipe_header(struct data *d, const void *p)
{
	struct cursor c = cursor_of(p, DATA_PIPE_HEADER, false);

	return !read_magic(d, &c) && cursor_u64(&c) == DATA_PIPE_HEADER;
}

static void read_feature_bits(struct cursor *c, u64 *bits)
{
	for (int i = 0; i < FEAT_NR / 64; i++)
		bits[i] = cursor_u64(c);
}

static void read_attrs(struct data *d, const struct file_header *h, const u8 *base, u64 file_size)
{
	struct file_section s = h->attrs;
	u32 attr_size = d->attr_size - sizeof(struct file_section);
	u64 ids_left = file_size;

	if (!clip_section(&s, file_size))
		diag_count(&d->diag, DIAG_BAD_ATTR, s.off);
	for (u64 off = s.off; s.off + s.size - off >= d->attr_size; off += d->attr_size) {
		struct cursor c = cursor_of(base + off + attr_size, sizeof(struct file_section), d->swap);
		struct file_section ids = read_section(&c);

		/* an id belongs to one event: overlapping sections could need any amount of memory */
		if (!clip_section(&ids, file_size) || ids.size > ids_left) {
			diag_count(&d->diag, DIAG_BAD_ATTR, off);
			ids.size = MIN(ids.size, ids_left);
		}
		ids_left -= ids.size;
		data_add_attr(d, base + off, attr_size, base + ids.off, ids.size);
	}
}

static void read_feature(struct data *d, unsigned int bit, struct file_section s, const u8 *base,
			 u64 file_size)
{
	bool whole = clip_section(&s, file_size);

	if (features_decode(&d->feat, bit, base + s.off, s.size, d->swap) < 0 || !whole)
		diag_count(&d->diag, DIAG_BAD_FEATURE, s.off);
	if (bit == FEAT_EVENT_DESC)
		data_apply_event_desc(d, base + s.off, s.size);
}

/* their list is after the data, in the order of bits */
/* returns the end of the last section that the header and its table name */
static u64 read_features(struct data *d, const struct file_header *h, const u8 *base, u64 file_size)
{
	u64 at = d->data_offset + d->data_size, end = at;
	struct cursor c;

	if (at < d->data_offset || at > file_size) {
		for (int i = 0; i < FEAT_NR / 64; i++)
			if (h->features[i])
				d->truncated = true;
		return file_size;
	}
	c = cursor_of(base + at, file_size - at, d->swap);
	for (unsigned int bit = 0; bit < FEAT_NR; bit++) {
		struct file_section s;

		if (!(h->features[bit / 64] >> (bit % 64) & 1))
			continue;
		s = read_section(&c);
		if (c.bad) {
			diag_count(&d->diag, DIAG_BAD_FEATURE, at);
			return file_size;
		}
		read_feature(d, bit, s, base, file_size);
		if (s.size <= file_size && s.off <= file_size - s.size)
			end = MAX(end, s.off + s.size);
	}
	return MAX(end, file_size - cursor_left(&c));
}

/*
 * Our recorder continues after the table of features: the records it wrote after the last update of the
 * header are a stream, too.
 */
static void read_unfinished(struct data *d, const u8 *base, u64 end, u64 file_size, int fd)
{
	struct rec_header h;

	if (d->truncated || file_size - end < sizeof(h))
		return;
	memcpy(&h, base + end, sizeof(h));
	if (d->swap) {
		h.type = bswap_32(h.type);
		h.size = bswap_16(h.size);
	}
	if (!h.type || h.type >= REC_TYPE_MAX || h.size < sizeof(h) || h.size % 8 || h.size > file_size - end)
		return;
	data_add_stream(d, d->path, fd, base, end, file_size);
	diag_count(&d->diag, DIAG_UNFINISHED, end);
	d->diag.kind[DIAG_UNFINISHED].nr += file_size - end - 1;
}

/* A recorder that was killed leaves a data size that is 0 or too small, and no features. */
static void read_data_section(struct data *d, const struct file_header *h, const u8 *base, u64 file_size,
			      int fd)
{
	struct file_section s = h->data;
	u64 any = 0;

	d->data_offset = s.off;
	d->data_size = s.size;
	for (int i = 0; i < FEAT_NR / 64; i++)
		any |= h->features[i];
	if (!s.size || !any) {
		d->truncated |= !s.size || s.off + s.size != file_size;
		s.size = UINT64_MAX - s.off;
		clip_section(&s, file_size);
	} else if (!clip_section(&s, file_size)) {
		d->truncated = true;
	}
	data_add_stream(d, "data", fd, base, s.off, s.off + s.size);
}

static int read_pipe(struct data *d, const u8 *base, u64 file_size, int fd)
{
	d->is_pipe = true;
	d->data_offset = DATA_PIPE_HEADER;
	d->data_size = file_size - DATA_PIPE_HEADER;
	data_add_stream(d, "data", fd, base, DATA_PIPE_HEADER, file_size);
	data_collect_header_records(d, &d->stream.v[0]);
	return 0;
}

/* the names of tracepoints in files of the oldest recorders: rows of u64 config, char name[64] */
static void read_event_types(struct data *d, struct file_section s, const u8 *base, u64 file_size)
{
	clip_section(&s, file_size);
	for (u64 off = s.off; s.off + s.size - off >= 72; off += 72)
		data_name_by_config(d, base + off, 72);
}

int data_read_header(struct data *d, const u8 *base, u64 file_size, int fd, struct err *err)
{
	struct cursor c = cursor_of(base, file_size, false);
	struct file_header h = { 0 };

	if (file_size < 16)
		return err_set(err, -EINVAL,
			       "incompatible file format: %s is too short for a perf.data file (%llu bytes)",
			       d->path, (unsigned long long)file_size);
	if (read_magic(d, &c))
		return err_foreign_file(err, d->path, base, file_size);
	h.size = cursor_u64(&c);
	if (!c.bad && h.size == DATA_PIPE_HEADER)
		return read_pipe(d, base, file_size, fd);
	h.attr_size = cursor_u64(&c);
	h.attrs = read_section(&c);
	h.data = read_section(&c);
	h.event_types = read_section(&c);
	if (h.size > HEADER_SIZE_OLD)
		read_feature_bits(&c, h.features);
	if (c.bad || h.size < HEADER_SIZE_OLD)
		return err_set(err, -EBADMSG,
			       "%s: file ends inside its header, or the header is damaged (size %llu)",
			       d->path, (unsigned long long)h.size);
	if (!attr_size_plausible(h.attr_size))
		return err_set(err, -EBADMSG, "%s: the header declares event attributes of %llu bytes, which "
			       "is not possible (offset 0x10)", d->path, (unsigned long long)h.attr_size);
	d->attr_size = h.attr_size;
	d->priv->attrs_off = h.attrs.off;
	read_attrs(d, &h, base, file_size);
	read_data_section(d, &h, base, file_size, fd);
	if (d->data_size)
		read_unfinished(d, base, read_features(d, &h, base, file_size), file_size, fd);
	read_event_types(d, h.event_types, base, file_size);
	d->priv->maybe_packed = d->truncated || feature_present(&d->feat, FEAT_COMPRESSED);
	if (d->truncated)
		diag_assume(&d->diag, DIAG_TRUNCATED_FILE, file_size);
	return 0;
}
