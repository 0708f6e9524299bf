/*
 * Features-write: encodes struct features as the payloads of a perf.data header (or of the feature records of
 * a pipe). One function names the encoder of each bit; a feature is written if its presence bit is set. Owns
 * nothing.
 */
#ifndef PERF_DATA_FEATURES_WRITE_H
#define PERF_DATA_FEATURES_WRITE_H

#include "../base/strbuf.h"
#include "features.h"
#include "../base/put.h"

/* true for bits that feature_encode() can write */
bool feature_can_encode(unsigned int bit);
/* appends the payload of one feature; the set is needed for EVENT_DESC and may be NULL otherwise */
void feature_encode(struct strbuf *out, unsigned int bit, const struct features *f, const struct evset *set);
static inline void feature_set(struct features *f, unsigned int bit)
{
	f->present[bit / 64] |= 1ull << (bit % 64);
}
static inline void feature_clear(struct features *f, unsigned int bit)
{
	f->present[bit / 64] &= ~(1ull << (bit % 64));
}

/*
 * One entry of the build-id table as the record HEADER_BUILD_ID: header, s32 pid, 20 bytes of id, u8 size, 3
 * bytes of padding, file name padded to 64 bytes, and the whole to a multiple of 8. The bytes are the same in
 * the feature and in the stream.
 */
void buildid_encode(struct strbuf *out, const struct buildid_entry *e);

/* the attribute for a file in which each has attr_size bytes; sets attr.size to it */
void attr_encode(struct strbuf *out, const struct pe_attr *a, u32 attr_size);
/* the smallest published size that holds every attribute of the set */
u32 attr_encode_size(const struct evset *set);

/* u32 length, then the string padded with zeros to a multiple of 64 */
void put_string(struct strbuf *out, const char *s);

#endif
