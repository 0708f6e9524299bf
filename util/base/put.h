/* Put: numbers in the byte order of this machine, appended to bytes that are being made. */
#ifndef PERF_BASE_PUT_H
#define PERF_BASE_PUT_H

#include "strbuf.h"

static inline void put_u16(struct strbuf *out, u16 v) { strbuf_add(out, &v, sizeof(v)); }
static inline void put_u32(struct strbuf *out, u32 v) { strbuf_add(out, &v, sizeof(v)); }
static inline void put_u64(struct strbuf *out, u64 v) { strbuf_add(out, &v, sizeof(v)); }

#endif
