/* Scan: one pass over record headers. Finds side-band, counts records, divides the streams into chunks. */
#include "session-private.h"
#include "../aux/aux.h"
#include "../base/progress.h"
#include "../data/copied-walk.h"
#include "../event/record.h"

#include <stdlib.h>

void window_move(struct window *w, u64 off, u64 keep_from)
{
	progress_count(off - w->stream->start, w->stream->end - w->stream->start);
	if (keep_from > w->start) {
		data_dont_need(w->stream, w->start, keep_from);
		w->start = keep_from;
	}
	w->end = MIN(off + SESSION_WINDOW, w->stream->end);
	data_will_need(w->stream, off, w->end);
	if (w->end == w->stream->end)
		w->end = UINT64_MAX;
}

bool session_set_has_time(const struct evset *set)
{
	for (size_t i = 0; i < set->ev.nr; i++)
		if (set->ev.v[i]->attr.sample_type & PERF_SAMPLE_TIME)
			return true;
	return false;
}

static void add_chunk(struct session *s, const struct data_stream *st, u64 off, u64 end)
{
	if (off < end)
		vec_push(&s->chunks, (struct chunk){ st, off, end });
}

static void count_lost(struct session *s, const struct rec *r)
{
	struct record_view v;

	if (record_decode(r, &v) < 0)
		return;
	if (r->type == REC_LOST)
		s->nr_lost += v.lost.lost;
	else if (v.misc & MISC_LOST_BY_BPF)
		s->nr_filtered_samples += v.lost_samples.lost;
	else
		s->nr_lost_samples += v.lost_samples.lost;
}

static inline void scan_sample(struct session *s, const struct rec *r)
{
	u64 time;

	if (unlikely(s->sees_samples))
		aux_see_sample(s->aux, r);
	s->nr_samples++;
	if (!s->has_time)
		time = r->off;
	else if (!sample_time_at(s->data->plan, s->time_off, r, &time))
		return;
	s->first_time = MIN(s->first_time, time);
	s->last_time = MAX(s->last_time, time);
}

/* If the trace is not decoded, users are told so, once per kind */
static void note_aux(struct session *s, const struct rec *r)
{
	static const enum diag_kind kinds[] = { DIAG_AUX_OTHER, DIAG_AUX_INTEL_PT, DIAG_AUX_INTEL_BTS,
						DIAG_AUX_CORESIGHT, DIAG_AUX_ARM_SPE, DIAG_AUX_S390_CPUMSF,
						DIAG_AUX_HISI_PTT, DIAG_AUX_VPA_DTL };
	struct record_view v;
	u32 type;

	if (record_decode(r, &v) < 0)
		return;
	s->trace_type = type = v.auxtrace_info.auxtrace_type;
	if (s->aux || (s->keeps_trace && aux_kind_find(type)))
		return;
	diag_count(&s->diag, type < ARRAY_SIZE(kinds) ? kinds[type] : DIAG_AUX_OTHER, r->off);
}

/* ids of guests come before their samples */
static void scan_ids(struct session *s, const struct rec *r)
{
	struct record_view v;

	if (record_decode(r, &v) < 0)
		return;
	for (u64 i = 0; i < MIN(v.id_index.ids.nr, v.id_index.guests.nr); i++) {
		struct session_guest g = { rec_row_u64(&v.id_index.ids, i, 0),
					   rec_row_u64(&v.id_index.guests, i, 0),
					   rec_row_u64(&v.id_index.guests, i, 8) };

		if (!g.machine_pid)
			continue;
		hidx_insert(&s->guest_idx, hash_u64(g.id), s->guest.nr);
		vec_push(&s->guest, g);
	}
}

static void scan_other(struct session *s, const struct rec *r, struct sideband *sb)
{
	u64 time = r->off;

	if (r->type == REC_LOST || r->type == REC_LOST_SAMPLES)
		count_lost(s, r);
	if (r->type == REC_AUXTRACE_INFO)
		note_aux(s, r);
	if (unlikely(s->aux))
		aux_see(s->aux, r, &s->diag);
	if (r->type == REC_ID_INDEX)
		scan_ids(s, r);
	if (!record_is_side_band(r->type))
		return;
	if (s->has_time && !sample_time(s->data->plan, r, &time))
		time = 0;
	/*
	 * copied, because the machine is built at the end and would otherwise read most pages of the file
	 * again
	 */
	vec_push(&sb->recs, *r);
	sb->recs.v[sb->recs.nr - 1].p = arena_memdup(&sb->arena, r->p, r->size);
	vec_push(&sb->times, time);
}

static inline void scan_record(struct session *s, const struct rec *r, struct sideband *sb)
{
	s->nr_records[r->type < REC_TYPE_MAX ? r->type : 0]++;
	if (likely(r->type == REC_SAMPLE))
		scan_sample(s, r);
	else
		scan_other(s, r, sb);
}

void session_scan_record(struct session *s, const struct rec *r, struct sideband *sb)
{
	scan_record(s, r, sb);
}

static inline void pass_record(struct session_pass *p, const struct rec *r)
{
	if (unlikely(r->off - p->chunk >= p->chunk_size)) {
		add_chunk(p->s, p->stream, p->chunk, r->off);
		p->chunk = r->off;
	}
	scan_record(p->s, r, p->sb);
}

void session_pass_record(struct session_pass *p, const struct rec *r)
{
	pass_record(p, r);
}

void session_pass_rest(struct session_pass *p, u64 off)
{
	const struct data_stream *st = p->stream;
	u8 *buf = session_may_copy(p->s) ? xmalloc(COPIED_WALK_SIZE) : NULL;
	struct copied_walk c = copied_walk_of(rec_walk_of(p->s->data, st, off, st->end, &p->s->diag), buf);
	struct rec r;

	for (;;) {
		if (copied_walk_needs(&c)) {
			progress_count(c.walk.off - st->start, st->end - st->start);
			copied_walk_next(&c);
		}
		if (rec_next(&c.walk, &r) <= 0)
			break;
		__builtin_prefetch(r.p + 1024);
		pass_record(p, &r);
	}
	add_chunk(p->s, st, p->chunk, st->end);
	copied_walk_end(&c);
	free(buf);
}

bool session_may_copy(const struct session *s)
{
	return !s->aux && !s->reads;
}

void session_scan_init(struct session *s)
{
	s->has_time = session_set_has_time(s->data->evset);
	s->time_off = sample_time_offset(s->data->plan, s->data->swap);
	s->first_time = UINT64_MAX;
	s->nr_records[REC_COMPRESSED] += s->data->nr_packed[0];
	s->nr_records[REC_COMPRESSED2] += s->data->nr_packed[1];
}

void session_scan(struct session *s, struct sideband *sb, u64 chunk_size)
{
	progress_at("reading the file");
	for (size_t i = 0; i < s->data->stream.nr && !s->data->live; i++) {
		const struct data_stream *st = &s->data->stream.v[i];
		struct session_pass pass = { s, st, sb, st->start, chunk_size };

		session_pass_rest(&pass, st->start);
	}
	sb->has_time = s->has_time;
}

void session_scan_made(struct session *s, const struct data_stream *st, u64 chunk_size)
{
	struct sideband none = { 0 };
	struct session_pass pass = { s, st, &none, st->start, chunk_size };

	session_pass_rest(&pass, st->start);
}
