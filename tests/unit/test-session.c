/* Session: order of records, chunks, counts; and that machine and replay agree on recordings. */
#include "bytes.h"
#include "replay.h"
#include "test.h"
#include "../../util/base/progress.h"
#include "../../util/base/strbuf.h"
#include "../../util/event/record-type.h"
#include "../../util/resolve/deferred.h"
#include "../../util/resolve/resolver.h"
#include "../../util/session/read-ahead.h"
#include "../../util/session/session.h"
#include "../../util/session/switches.h"
#include "../../util/session/ordered-reader.h"

#include <stdlib.h>
#include <string.h>

/*
 * a file with one event that samples IP and TIME (or IP alone), without ids; or with two, whose ids are 100
 * and 101
 */
struct file {
	struct strbuf b;
	bool timed;
	u64 start;		/* of its records */
};

static void put(struct file *f, u64 v, u32 bytes)
{
	strbuf_add(&f->b, low_bytes(&v, bytes), bytes);
}

static void put_head(struct file *f, u32 type, u32 size)
{
	put(f, type, 4);
	put(f, CPUMODE_USER, 2);
	put(f, size, 2);
}

static void file_start_events(struct file *f, bool timed, u64 nr_events)
{
	static const u64 attr_size = 64;
	u64 attrs = nr_events * (attr_size + 16), ids = nr_events > 1 ? 8 : 0;

	f->timed = timed;
	f->start = 104 + attrs + nr_events * ids;
	strbuf_add(&f->b, HOST_IS_BE ? "2ELIFREP" : "PERFILE2", 8);
	put(f, 104, 8);
	put(f, attr_size + 16, 8);
	put(f, 104, 8);
	put(f, attrs, 8);
	put(f, f->start, 8);
	strbuf_pad(&f->b, '\0', 56);
	for (u64 i = 0; i < nr_events; i++) {
		put(f, 1, 4);
		put(f, attr_size, 4);
		put(f, 0, 8);
		put(f, 1000, 8);
		put(f, PERF_SAMPLE_IP | (timed ? PERF_SAMPLE_TIME : 0) |
		       (ids ? PERF_SAMPLE_IDENTIFIER : 0), 8);
		put(f, 0, 8);
		put(f, HOST_IS_BE ? 1ull << 45 : ATTR_SAMPLE_ID_ALL, 8);
		strbuf_pad(&f->b, '\0', 16);
		put(f, ids ? 104 + attrs + i * ids : 0, 8);
		put(f, ids, 8);
	}
	for (u64 i = 0; i < nr_events && ids; i++)
		put(f, 100 + i, 8);
}

static void file_start(struct file *f, bool timed)
{
	file_start_events(f, timed, 1);
}

static void put_sample(struct file *f, u64 ip, u64 time)
{
	put_head(f, REC_SAMPLE, f->timed ? 24 : 16);
	put(f, ip, 8);
	if (f->timed)
		put(f, time, 8);
}

static struct session *file_open_with(struct file *f, struct session_opts o)
{
	struct session *s = NULL;
	u64 size = f->b.len - f->start;
	FILE *out = fopen("x.data", "w");
	struct err err = ERR_INIT;

	o.data.path = "x.data";
	o.sym = (struct sym_opts)SYM_OPTS_INIT;
	o.jobs = MAX(o.jobs, 1u);
	memcpy(f->b.buf + 48, &size, 8);
	if (out) {
		fwrite(f->b.buf, 1, f->b.len, out);
		fclose(out);
	}
	if (session_open(&s, &o, &err))
		unit_fail(__FILE__, __LINE__, "%s", err.msg);
	return s;
}

static struct session *file_open(struct file *f, u64 chunk_size)
{
	return file_open_with(f, (struct session_opts){ .chunk_size = chunk_size });
}

static u32 rnd(u64 *seed, u32 n)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(*seed >> 33) % n;
}

struct u64s {
	VEC(u64);
};

struct expected {
	u64 time, ip;
	u32 seq;
};

static int cmp_expected(const void *a, const void *b)
{
	const struct expected *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->seq < y->seq ? -1 : 1;
}

/* what must come out: at each round all up to the newest time of the round before */
struct model {
	struct { VEC(struct expected); } pending, out;
	u64 max_time, limit;
};

static void model_round(struct model *m, u64 limit)
{
	size_t n = 0;

	qsort(m->pending.v, m->pending.nr, sizeof(*m->pending.v), cmp_expected);
	for (; n < m->pending.nr && m->pending.v[n].time <= limit; n++)
		vec_push(&m->out, m->pending.v[n]);
	memmove(m->pending.v, m->pending.v + n, (m->pending.nr - n) * sizeof(*m->pending.v));
	m->pending.nr -= n;
	m->limit = m->max_time;
}

static void sample_both(struct file *f, struct model *m, u64 time)
{
	u32 seq = m->out.nr + m->pending.nr;

	put_sample(f, seq, time);
	if (!time) {
		vec_push(&m->out, (struct expected){ 0, seq, seq });
		return;
	}
	vec_push(&m->pending, (struct expected){ time, seq, seq });
	m->max_time = MAX(m->max_time, time);
}

TEST(ordered_by_rounds)
{
	for (u64 round = 1; round <= 10; round++) {
		struct file f = { 0 };
		struct model m = { 0 };
		struct session *s;
		struct ordered_reader *c;
		struct rec recs[7];
		u64 times[7], seed = round, base = 1000;
		size_t nr, i = 0;
		u32 bad = 0;

		file_start(&f, true);
		for (u32 r = 0; r < 50; r++, base += 150) {
			for (u32 cpu = 0; cpu < 4; cpu++) {
				u64 t = base + rnd(&seed, 50);

				for (u32 k = rnd(&seed, 12); k; k--, t += rnd(&seed, 40))
					sample_both(&f, &m, t);
			}
			if (r % 7 == 3)
				sample_both(&f, &m, 0);
			if (r % 11 == 5)
				sample_both(&f, &m, base - 400);
			put_head(&f, REC_FINISHED_ROUND, 8);
			model_round(&m, m.limit);
		}
		for (u32 k = 0; k < 20; k++)
			sample_both(&f, &m, base - 13 * k);
		model_round(&m, UINT64_MAX);
		s = file_open(&f, 0);
		REQUIRE(s);
		c = ordered_reader_open(s);
		while ((nr = ordered_reader_next(c, recs, times, 7)))
			for (size_t k = 0; k < nr; k++) {
				u64 ip;

				if (recs[k].type != REC_SAMPLE)
					continue;
				memcpy(&ip, recs[k].p + 8, 8);
				bad += i >= m.out.nr || ip != m.out.v[i].ip || times[k] != m.out.v[i].time;
				i++;
			}
		CHECK_INT(bad, 0);
		CHECK_U64(i, m.out.nr);
		CHECK(ordered_reader_diag(c)->kind[DIAG_OUT_OF_ORDER].nr > 0);
		ordered_reader_close(c);
		session_close(s);
	}
}

/* samples of two events by round and CPU, some in the wrong order and some without time */
static void put_two_events(struct file *f, u64 seed)
{
	u64 base = 1000;

	file_start_events(f, true, 2);
	for (u32 r = 0; r < 50; r++, base += 150) {
		for (u32 k = 0; k < 60; k++) {
			u64 time = base + k % 20 * 5 + rnd(&seed, 7);

			if (!rnd(&seed, 40))
				time = rnd(&seed, 2) * (base - 400);
			put_head(f, REC_SAMPLE, 32);
			put(f, 100 + (rnd(&seed, 8) < r / 7), 8);
			put(f, k, 8);
			put(f, time, 8);
		}
		put_head(f, REC_FINISHED_ROUND, 8);
	}
}

/* what the reader returns with and without samples of one event */
static void leave_out(struct session *s, u32 event)
{
	bool events[] = { event == 0, event == 1 };
	struct ordered_reader *all = ordered_reader_open(s), *some = ordered_reader_open(s);
	u64 nr = 0, bytes = 0, time, time_of_some;
	struct rec rec, rec_of_some;
	u32 bad = 0;

	ordered_reader_leave_out(some, events);
	while (ordered_reader_next(all, &rec, &time, 1)) {
		if (rec.type == REC_SAMPLE && sample_event(s->data->plan, &rec)->idx == event) {
			bytes += rec.size;
			continue;
		}
		nr++;
		bad += !ordered_reader_next(some, &rec_of_some, &time_of_some, 1) ||
		       rec_of_some.off != rec.off || time_of_some != time;
	}
	CHECK_INT(bad, 0);
	CHECK(nr > 100 && bytes > 3200);
	CHECK_INT(ordered_reader_next(some, &rec, &time, 1), 0);
	CHECK_U64(ordered_reader_left_out(some), bytes);
	CHECK(ordered_reader_diag(all)->kind[DIAG_OUT_OF_ORDER].nr > 0);
	CHECK_U64(ordered_reader_diag(some)->kind[DIAG_OUT_OF_ORDER].nr,
		  ordered_reader_diag(all)->kind[DIAG_OUT_OF_ORDER].nr);
	ordered_reader_close(all);
	ordered_reader_close(some);
}

TEST(samples_of_an_event_are_left_out)
{
	for (u64 seed = 1; seed <= 10; seed++) {
		struct file f = { 0 };
		struct session *s;

		put_two_events(&f, seed);
		s = file_open(&f, 0);
		REQUIRE(s);
		leave_out(s, 0);
		leave_out(s, 1);
		session_close(s);
	}
}

TEST(without_times)
{
	struct file f = { 0 };
	struct session *s;
	struct ordered_reader *c;
	struct rec recs[300];
	u64 times[300];

	file_start(&f, false);
	for (u32 i = 0; i < 200; i++) {
		put_sample(&f, i, 0);
		if (i % 50 == 20)
			put_head(&f, REC_FINISHED_ROUND, 8);
	}
	s = file_open(&f, 0);
	REQUIRE(s);
	CHECK(!s->has_time);
	CHECK_U64(s->first_time, 184);
	c = ordered_reader_open(s);
	REQUIRE(ordered_reader_next(c, recs, times, 300) == 204);
	for (u32 i = 1; i < 204; i++)
		CHECK(recs[i].off > recs[i - 1].off);
	CHECK_INT(ordered_reader_next(c, recs, times, 300), 0);
	ordered_reader_close(c);
	session_close(s);
}

TEST(chunks_cover_the_file)
{
	struct file f = { 0 };
	struct session *s;
	u64 nr = 0, off = 184;

	file_start(&f, true);
	for (u32 i = 0; i < 1000; i++)
		put_sample(&f, i, 5000 - i);
	put_head(&f, REC_LOST, 24);
	put(&f, 1, 8);
	put(&f, 77, 8);
	s = file_open(&f, 1000);
	REQUIRE(s);
	CHECK_U64(s->nr_samples, 1000);
	CHECK_U64(s->nr_records[REC_SAMPLE], 1000);
	CHECK_U64(s->nr_lost, 77);
	CHECK_U64(s->first_time, 4001);
	CHECK_U64(s->last_time, 5000);
	CHECK(s->chunks.nr > 20);
	for (size_t i = 0; i < s->chunks.nr; i++) {
		struct rec_walk w = rec_walk_of(s->data, s->chunks.v[i].stream, s->chunks.v[i].off,
						s->chunks.v[i].end, &s->diag);
		struct rec r;

		CHECK_U64(s->chunks.v[i].off, off);
		off = s->chunks.v[i].end;
		while (rec_next(&w, &r))
			nr++;
	}
	CHECK_U64(off, 184 + 1000 * 24 + 24);
	CHECK_U64(nr, 1001);
	session_close(s);
}

static void put_comm(struct file *f, u32 pid, const char *comm, u64 time)
{
	put_head(f, REC_COMM, 8 + 8 + 8 + 8);
	put(f, pid, 4);
	put(f, pid, 4);
	strbuf_add(&f->b, comm, 8);
	put(f, time, 8);
}

static bool same_knowledge(const struct session *a, const struct session *b)
{
	bool same = a->nr_samples == b->nr_samples && a->first_time == b->first_time &&
		    a->last_time == b->last_time && a->chunks.nr == b->chunks.nr &&
		    !memcmp(a->nr_records, b->nr_records, sizeof(a->nr_records));

	for (size_t i = 0; same && i < a->chunks.nr; i++)
		same = a->chunks.v[i].off == b->chunks.v[i].off && a->chunks.v[i].end == b->chunks.v[i].end;
	for (int k = 0; same && k < DIAG_NR; k++)
		same = a->diag.kind[k].nr == b->diag.kind[k].nr && a->diag.kind[k].off == b->diag.kind[k].off;
	for (u32 pid = 0; same && pid < 20; pid++) {
		struct sample_ctx x = machine_sample_ctx(a->machine, pid, pid, (struct when){ 1500, 0 });
		struct sample_ctx y = machine_sample_ctx(b->machine, pid, pid, (struct when){ 1500, 0 });

		same = !strcmp(machine_comm(a->machine, &x), machine_comm(b->machine, &y));
	}
	return same;
}

/* rounds, tasks, and, where damage says so, zeros in the middle and half a record at the end */
static void put_rounds(struct file *f, bool damage)
{
	file_start(f, true);
	for (u64 i = 0; i < 400; i++) {
		put_sample(f, i, 1000 + i + 7 * (i % 3));
		if (i % 40 == 9)
			put_comm(f, i / 20, i % 80 == 9 ? "one\0\0\0\0\0" : "other\0\0\0", 1000 + i);
		if (i % 50 == 20)
			put_head(f, REC_FINISHED_ROUND, 8);
		if (i == 300 && damage)
			strbuf_pad(&f->b, '\0', 64);
	}
	if (damage)
		put_head(f, REC_SAMPLE, 100);
}

/* how many records it returns; wherever the scan is completed, the session knows the same afterwards */
static u32 read_late(struct file *f, const struct session *whole, u32 complete_at, struct rec *ret, u32 max)
{
	struct session *s = file_open_with(f, (struct session_opts){ .chunk_size = 1000, .scan_late = true });
	struct ordered_reader *c;
	u64 time;
	u32 nr = 0;

	REQUIRE(s);
	CHECK(s->late);
	CHECK_U64(s->nr_samples, 0);
	c = ordered_reader_open_scanning(s);
	while (nr < max && ordered_reader_next(c, &ret[nr], &time, 1))
		if (++nr == complete_at)
			session_complete(s);
	diag_merge(&s->diag, ordered_reader_diag(c));
	ordered_reader_close(c);
	session_complete(s);
	CHECK(!s->late);
	CHECK(same_knowledge(s, whole));
	session_close(s);
	return nr;
}

TEST(scan_beside_the_reader)
{
	for (int damage = 0; damage < 2; damage++) {
		static const u32 at[] = { 0, 1, 100, 350, 1000 };
		struct rec once[500], late[500];
		struct file f = { 0 };
		struct session *s;
		struct ordered_reader *c;
		u32 nr = 0, bad = 0;
		u64 time;

		put_rounds(&f, damage);
		s = file_open(&f, 1000);
		REQUIRE(s);
		CHECK_INT(s->diag.kind[DIAG_BAD_RECORD_SIZE].nr, damage);
		CHECK_INT(s->diag.kind[DIAG_TRUNCATED_FILE].nr, damage);
		c = ordered_reader_open(s);
		while (nr < 500 && ordered_reader_next(c, &once[nr], &time, 1))
			nr++;
		diag_merge(&s->diag, ordered_reader_diag(c));	/* what was counted is not counted again */
		CHECK_INT(s->diag.kind[DIAG_BAD_RECORD_SIZE].nr, damage);
		CHECK_INT(s->diag.kind[DIAG_TRUNCATED_FILE].nr, damage);
		CHECK(nr > 400);
		for (u32 k = 0; k < ARRAY_SIZE(at); k++) {
			CHECK_U64(read_late(&f, s, at[k], late, 500), nr);
			for (u32 i = 0; i < nr; i++)
				bad += late[i].off != once[i].off;
		}
		CHECK_INT(bad, 0);
		ordered_reader_close(c);
		session_close(s);
	}
}

/* samples of two CPUs, whose rounds overlap, and at the end half a record; enough for reading ahead */
static void put_long(struct file *f)
{
	file_start(f, true);
	for (u64 i = 0; i < 60000; i++) {
		put_sample(f, i, 1000 + i - (i % 200 < 100 ? 0 : 95));
		if (i % 3000 == 9)
			put_comm(f, i / 3000, i % 2 ? "one\0\0\0\0\0" : "other\0\0\0", 1000 + i);
		if (i % 1000 == 999)
			put_head(f, REC_FINISHED_ROUND, 8);
	}
	put_head(f, REC_SAMPLE, 100);
}

/* reads all, or up to the record stop_at, by a number of threads: the offsets into *ret */
static void read_ahead_all(struct file *f, const struct session *whole, u32 jobs, u32 complete_at,
			   u32 stop_at, struct u64s *ret)
{
	struct session *s = file_open_with(f, (struct session_opts){ .jobs = jobs, .chunk_size = 1000,
								     .scan_late = true });
	const struct read_batch *b;
	struct read_ahead *a;
	u32 bad = 0;

	REQUIRE(s && s->late);
	a = read_ahead_open(s, NULL);
	while (ret->nr < stop_at && (b = read_ahead_next(a)))
		for (size_t i = 0; i < b->nr; i++) {
			vec_push(ret, b->rec[i].off);
			bad += b->rec[i].type == REC_SAMPLE && b->event[i] != evset_at(s->data->evset, 0);
			if (ret->nr == complete_at)
				session_complete(s);
		}
	CHECK_INT(bad, 0);
	read_ahead_close(a, &s->diag);
	session_complete(s);
	CHECK(same_knowledge(s, whole));
	session_close(s);
}

TEST(reading_ahead_changes_nothing)
{
	struct u64s once = { 0 }, ahead = { 0 };
	struct ordered_reader *c;
	struct file f = { 0 };
	struct session *s;
	struct rec rec;
	u64 time;

	put_long(&f);
	s = file_open(&f, 1000);
	REQUIRE(s);
	c = ordered_reader_open(s);
	while (ordered_reader_next(c, &rec, &time, 1))
		vec_push(&once, rec.off);
	CHECK(once.nr > 60000);
	ordered_reader_close(c);
	for (u32 jobs = 1; jobs <= 3; jobs++)
		for (u32 k = 0; k < 3; k++) {
			static const u32 complete_at[] = { 0, 20000, 1 }, stop_at[] = { 1000000, 1000000, 5 };

			ahead.nr = 0;
			read_ahead_all(&f, s, jobs, complete_at[k], stop_at[k], &ahead);
			CHECK(k == 2 ? ahead.nr >= 5 : ahead.nr == once.nr);
			CHECK(!memcmp(ahead.v, once.v, ahead.nr * sizeof(*ahead.v)));
		}
	session_close(s);
}

/* one user address: the machine's answer and the replay's */
static bool same_loc(struct locator *l, struct replay *r, const struct sample *sm, const struct sample_ctx *w,
		     u64 ip)
{
	struct loc loc = locator_find(l, w, CPUMODE_USER, ip);
	const struct dso *d = dsos_at(machine_dsos(l->machine), loc.dso);
	u64 file_off = 0;
	const char *name = replay_map(r, sm->pid, sm->tid, ip, &file_off);

	if (!d || !name)
		return !d && !name;
	if (d->kind == DSO_PERFMAP || d->kind == DSO_ANON)
		return loc.dso_addr == ip;
	return !strcmp(d->long_name, name) && loc.dso_addr == file_off;
}

static u32 compare_sample(struct resolver *l, struct replay *r, const struct session *s,
			  const struct rec *rec, struct arena *scratch)
{
	struct frame_loc frames[RESOLVE_MAX_STACK];
	struct sample sm;
	struct sample_ctx w;
	u32 bad;
	size_t nr;

	if (sample_decode(s->data->plan, rec, &sm, scratch))
		return 0;
	w = locator_sample_ctx(&l->locator, s, &sm, rec);
	bad = !!strcmp(machine_comm(s->machine, &w), replay_comm(r, sm.tid));
	if (sm.cpumode == CPUMODE_USER)
		bad += !same_loc(&l->locator, r, &sm, &w, sm.ip);
	nr = chain_resolve(l, &sm, &w, frames, ARRAY_SIZE(frames));
	for (size_t i = 0; i < nr; i++)
		if (frames[i].loc.cpumode == CPUMODE_USER)
			bad += !same_loc(&l->locator, r, &sm, &w, frames[i].ip);
	arena_reset(scratch);
	return bad;
}

/* run by tests/interop on real recordings: PERF_TEST_RECORDING=FILE */
TEST(recording_agrees_with_replay)
{
	struct session_opts o = { .data = { .path = getenv("PERF_TEST_RECORDING") }, .sym = SYM_OPTS_INIT,
				  .jobs = 1 };
	struct arena scratch = { 0 };
	struct err err = ERR_INIT;
	struct session *s;
	struct ordered_reader *c;
	struct replay *r = replay_new();
	struct resolver l;
	struct rec rec;
	u64 time, nr = 0;
	u32 bad = 0;

	if (!o.data.path)
		SKIP("PERF_TEST_RECORDING names no file");
	if (session_open(&s, &o, &err))
		unit_fail(__FILE__, __LINE__, "%s", err.msg);
	REQUIRE(!err.code);
	resolver_init(&l, s, &scratch);
	c = ordered_reader_open(s);
	while (ordered_reader_next(c, &rec, &time, 1)) {
		if (rec.type != REC_SAMPLE) {
			replay_apply(r, &rec);
			continue;
		}
		nr++;
		bad += compare_sample(&l, r, s, &rec, &scratch);
	}
	CHECK(nr > 0);
	CHECK_INT(bad, 0);
	ordered_reader_close(c);
	resolver_release(&l);
	session_close(s);
	replay_free(r);
}

/* a caller that waits for it can show the progress */
TEST(looking_through_the_file_is_progress)
{
	struct file f = { .b = STRBUF_INIT };
	struct switch_opts on = { .on = "cpu-clock" };
	struct err err = ERR_INIT;
	struct switches *switches;
	struct deferred *deferred;
	struct session *s;

	file_start(&f, true);
	for (u64 i = 1; i <= 40; i++)
		put_sample(&f, i, i);
	s = file_open(&f, 240);
	progress_at("");
	CHECK_INT(switches_new(&switches, s, &on, NULL, &err), 0);
	CHECK_STR(progress_now().what, "looking for switches");
	CHECK_U64(progress_now().total, s->chunks.nr);
	CHECK(progress_now().total > 2);
	s->data->evset->ev.v[0]->attr.flags |= ATTR_DEFER_CALLCHAIN;
	deferred = deferred_new(s);
	CHECK_STR(progress_now().what, "reading deferred call chains");
	CHECK_U64(progress_now().total, s->chunks.nr);
	switches_free(switches);
	deferred_free(deferred);
	session_close(s);
	strbuf_release(&f.b);
}
