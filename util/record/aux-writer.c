/* Aux-writer: AUXTRACE records. */
#include "aux-writer.h"
#include "../base/units.h"
#include "../event/record-put.h"
#include "../../arch/time-counter.h"

#include <time.h>

/* a value that differs from record to record: that of the trace's counter, if it can be read; never 0 */
static u64 reference(void)
{
	return arch_time_counter() ?: clock_ns(CLOCK_MONOTONIC_RAW) ?: 1;
}

static s64 write_spans_of(struct aux_writer *x, const struct aux_ring *a, const struct iovec *iov, int nr,
			  struct writer *w)
{
	u64 bytes = iov_bytes(iov, nr), at = w->data_off + w->size;
	struct strbuf rec = STRBUF_INIT;
	int ret;

	record_put(&rec, &(struct record_view){
		.type = REC_AUXTRACE, .auxtrace = {
			.size = ALIGN_UP(bytes, 8ull), .offset = a->from, .reference = reference(),
			.idx = a->idx, .tid = a->tid, .cpu = a->cpu } }, NULL, 0);
	ret = writer_write_payload(w, rec.buf, rec.len, iov, nr);
	if (!ret) {
		vec_push(&x->place, (struct data_section){ at, rec.len });
		x->bytes += bytes;
	}
	strbuf_release(&rec);
	return ret < 0 ? ret : (s64)bytes;
}

s64 aux_write_new(struct aux_writer *x, struct aux_ring *a, struct writer *w)
{
	u64 lost = a->lost;
	struct iovec iov[2];
	int nr = aux_ring_peek(a, iov);
	s64 n = nr ? write_spans_of(x, a, iov, nr, w) : 0;

	x->lost += a->lost - lost;
	if (n > 0)
		aux_ring_consume(a);
	return n;
}

s64 aux_write_snapshot(struct aux_writer *x, struct aux_ring *a, u64 most, struct writer *w)
{
	struct iovec iov[2];
	int nr = aux_ring_snapshot(a, most, iov);
	s64 n = nr ? write_spans_of(x, a, iov, nr, w) : 0;

	if (n > 0)
		aux_ring_consume(a);
	return n;
}

void aux_writer_reset(struct aux_writer *x)
{
	x->place.nr = 0;
	strbuf_reset(&x->index);
}

void aux_writer_feature(struct aux_writer *x, const struct writer *w, struct features *f)
{
	u64 nr = 0, end = w->data_off + w->size;

	feature_clear(f, FEAT_AUXTRACE);
	/* records that a full disk has cut off again are not in the file */
	while (nr < x->place.nr && x->place.v[nr].offset < end)
		nr++;
	if (!nr || !w->regular)
		return;
	strbuf_reset(&x->index);
	strbuf_add(&x->index, &nr, sizeof(nr));
	strbuf_add(&x->index, x->place.v, nr * sizeof(*x->place.v));
	f->raw[FEAT_AUXTRACE] = (struct feat_blob){ x->index.buf, x->index.len };
	feature_set(f, FEAT_AUXTRACE);
}

void aux_writer_release(struct aux_writer *x)
{
	vec_release(&x->place);
	strbuf_release(&x->index);
}
