/* Decoding of all pieces in the threads of a pool, and the records that come of it. */
#include "aux-private.h"
#include "fold.h"
#include "history.h"
#include "log.h"
#include "queues.h"
#include "skip.h"
#include "switches.h"
#include "../base/pool.h"
#include "../base/progress.h"
#include "../data/made.h"
#include "../data/spool.h"
#include "../machine/machine.h"
#include "../sym/sym.h"

#include <byteswap.h>
#include <stdio.h>
#include <stdlib.h>

#define PIECES_PER_WORKER 8	/* as many are decoded before their records are written */

static inline char *put_u64(char *p, u64 v, bool swap)
{
	v = swap ? bswap_64(v) : v;
	memcpy(p, &v, sizeof(v));
	return p + sizeof(v);
}

static inline char *put_u32s(char *p, u32 a, u32 b, bool swap)
{
	const u32 v[2] = { swap ? bswap_32(a) : a, swap ? bswap_32(b) : b };

	memcpy(p, v, sizeof(v));
	return p + sizeof(v);
}

static char *put_header(char *p, u8 cpumode, bool swap)
{
	const u32 type = swap ? bswap_32(REC_SAMPLE) : REC_SAMPLE;
	const u16 misc = swap ? bswap_16(cpumode) : cpumode;

	memcpy(p, &type, sizeof(type));
	memcpy(p + 4, &misc, sizeof(misc));
	return p + sizeof(struct rec_header);	/* the size is put in at the end */
}

static char *put_raw(char *p, const struct aux_sample *s, bool swap)
{
	const u32 size = s->raw ? s->raw_size : sizeof(u32);	/* without any, 4 zeros */
	const u32 put = swap ? bswap_32(size) : size;

	memcpy(p, &put, sizeof(put));
	memset(p + sizeof(put), 0, sizeof(u32));
	if (s->raw)
		memcpy(p + sizeof(put), s->raw, size);
	return p + sizeof(put) + size;
}

/* with the fields in the order of the bits, as a kernel has them */
static char *put_fields(const struct aux *a, const struct aux_event *ev, const struct aux_sample *s, char *p)
{
	bool swap = a->data->swap;
	u64 type = a->sample_type;

	p = put_u64(p, ev->id, swap);
	p = put_u64(p, s->ip, swap);
	p = put_u32s(p, s->pid, s->tid, swap);
	if (type & ABI_SAMPLE_TIME)
		p = put_u64(p, s->time, swap);
	p = put_u64(p, s->addr, swap);
	if (type & ABI_SAMPLE_CPU)
		p = put_u32s(p, s->cpu, 0, swap);
	p = put_u64(p, s->period, swap);
	if (type & ABI_SAMPLE_CALLCHAIN) {
		p = put_u64(p, s->nr_chain, swap);
		for (u32 i = 0; i < s->nr_chain; i++)
			p = put_u64(p, s->chain[i], swap);
	}
	if (type & ABI_SAMPLE_RAW)
		p = put_raw(p, s, swap);
	if (type & ABI_SAMPLE_BRANCH_STACK) {
		p = put_u64(p, s->nr_branches, swap);
		for (u32 i = 0; i < s->nr_branches; i++) {
			p = put_u64(p, s->branch[i].from, swap);
			p = put_u64(p, s->branch[i].to, swap);
			p = put_u64(p, s->branch[i].flags, swap);
		}
	}
	if (type & ABI_SAMPLE_WEIGHT)
		p = put_u64(p, s->weight, swap);
	if (type & ABI_SAMPLE_DATA_SRC)
		p = put_u64(p, s->data_src, swap);
	if (type & ABI_SAMPLE_PHYS_ADDR)
		p = put_u64(p, s->phys_addr, swap);
	if (type & ABI_SAMPLE_MADE)
		p = put_u64(p, s->made, swap);
	if (type & ABI_SAMPLE_INSN_FLAGS)
		p = put_u64(p, s->insn_flags, swap);
	if (type & ABI_SAMPLE_TIMES)
		p = put_u64(p, s->times, swap);
	return p;
}

/* the process of a thread, as the machine knows it */
static s32 pid_of(const struct aux *a, s32 tid, u64 time)
{
	struct when when = { a->timeless ? AUX_NO_TIME : time, UINT64_MAX };
	const struct thread *t = tid < 0 ? NULL : machine_sample_ctx(a->machine, -1, tid, when).thread;

	return t ? t->pid : -1;
}

void aux_out_sample(struct aux_out *out, const struct aux_event *ev, struct aux_sample *s)
{
	enum { MAX_SIZE = 8 + 8 * 17 };
	bool swap = out->a->data->swap;
	char *begin = strbuf_room(&out->rec, MAX_SIZE + 8 * (size_t)s->nr_chain + s->raw_size +
				  sizeof(*s->branch) * s->nr_branches), *end;
	size_t nr;
	u16 size;

	if (s->pid < 0)
		s->pid = pid_of(out->a, s->tid, s->time);
	end = put_fields(out->a, ev, s, put_header(begin, s->cpumode, swap));
	size = end - begin;
	out->rec.len += size;
	*end = '\0';
	size = swap ? bswap_16(size) : size;
	memcpy(begin + 6, &size, sizeof(size));
	nr = ev - out->a->event;
	out->nr[nr]++;
	if (nr < AUX_CARRIED && !out->first[nr])
		out->first[nr] = out->rec.len - (end - begin) + 1;
}

void aux_out_again(struct aux_out *out, size_t at, const struct aux_event *ev, u64 addr, u64 period)
{
	enum { ID_AT = 8, TIME_AT = 32 };
	bool swap = out->a->data->swap;
	u64 type = out->a->sample_type;
	size_t size = out->rec.len - at, nr = ev - out->a->event;
	size_t addr_at = type & ABI_SAMPLE_TIME ? TIME_AT + 8 : TIME_AT;
	char *p = strbuf_room(&out->rec, size);

	memcpy(p, out->rec.buf + at, size);
	put_u64(p + ID_AT, ev->id, swap);
	put_u64(p + addr_at, addr, swap);
	put_u64(p + addr_at + (type & ABI_SAMPLE_CPU ? 16 : 8), period, swap);
	out->rec.len += size;
	p[size] = '\0';
	out->nr[nr]++;
	if (nr < AUX_CARRIED && !out->first[nr])
		out->first[nr] = out->rec.len - size + 1;
}

void aux_out_error(struct aux_out *out, const struct aux_error *e)
{
	enum { SIZE = 112, TEXT_AT = 48, INSTRUCTION_TRACE = 1, HAS_TIME = 1 };
	bool swap = out->a->data->swap;
	char *begin = strbuf_room(&out->rec, SIZE), *p = begin;
	const u32 type = REC_AUXTRACE_ERROR;
	u16 size = swap ? bswap_16(SIZE) : SIZE;

	memset(begin, 0, SIZE);
	p = put_u32s(p, type, 0, swap);
	memcpy(begin + 6, &size, sizeof(size));
	p = put_u32s(p, INSTRUCTION_TRACE, e->code, swap);
	p = put_u32s(p, e->cpu, e->pid, swap);
	p = put_u32s(p, e->tid, HAS_TIME, swap);
	p = put_u64(p, e->ip, swap);
	put_u64(p, e->time, swap);
	snprintf(begin + TEXT_AT, SIZE - TEXT_AT, "%s", e->text);
	out->rec.len += SIZE;
	begin[SIZE] = '\0';
}

struct aux_batch {
	const struct aux *a;
	struct aux_cut *cut;
	struct aux_out *out;	/* of each cut */
	struct strbuf *buf;	/* of each worker */
	void **worker;
	struct aux_fold **fold;	/* of each worker; NULL: a->folds is not set */
	/* if the kind measures: a summary of each cut, then of all before it; and of all so far */
	u8 *summary, *so_far;
};

static void get_piece(struct aux_batch *b, u32 worker, size_t i, struct aux_piece *ret)
{
	const struct aux_kind *kind = b->a->kind;

	aux_queues_piece(b->a->queues, &b->cut[i], kind->ahead, &b->buf[worker], ret);
	if (kind->worker_new && !b->worker[worker])
		b->worker[worker] = kind->worker_new(b->a);
}

/* the worker's fold, with room for the samples of one more piece */
static void fold_of(struct aux_batch *b, u32 worker, struct aux_out *out)
{
	if (!b->fold[worker])
		b->fold[worker] = aux_fold_new(b->a);
	out->fold = b->fold[worker];
	if (aux_fold_full(out->fold))
		aux_fold_write(out->fold, out);
}

static void decode_piece(void *arg, unsigned int worker, size_t i)
{
	struct aux_batch *b = arg;
	struct aux_piece piece;

	get_piece(b, worker, i, &piece);
	piece.before = b->a->measures ? b->summary + i * b->a->kind->measure_size : NULL;
	b->out[i].worker = b->worker[worker];
	if (b->a->folds)
		fold_of(b, worker, &b->out[i]);
	b->a->kind->decode(b->a, &piece, &b->out[i]);
}

static void *summary_of(const struct aux_batch *b, size_t i)
{
	return b->summary + i * b->a->kind->measure_size;
}

static void measure_piece(void *arg, unsigned int worker, size_t i)
{
	struct aux_batch *b = arg;
	struct aux_piece piece;

	get_piece(b, worker, i, &piece);
	b->a->kind->measure(b->a, &piece, b->worker[worker], summary_of(b, i));
}

/* summaries become those of all that is before each piece; b->so_far goes on in the next batch */
static void add_up(struct aux_batch *b, size_t nr)
{
	size_t size = b->a->kind->measure_size;
	u8 *own = xcalloc(1, size);

	for (size_t i = 0; i < nr; i++) {
		memcpy(own, summary_of(b, i), size);
		if (b->cut[i].starts)
			memset(b->so_far, 0, size);
		memcpy(summary_of(b, i), b->so_far, size);
		b->a->kind->add(b->so_far, own);
	}
	free(own);
}

static void measure(struct aux_batch *b, struct pool *pool, size_t nr)
{
	memset(b->summary, 0, nr * b->a->kind->measure_size);
	pool_run(pool, nr, measure_piece, b);
	add_up(b, nr);
}

/* adds to the period of the SAMPLE record at p */
static void add_period(const struct aux *a, char *p, u64 more)
{
	bool swap = a->data->swap;
	u64 v;

	p += sizeof(struct rec_header) + 8 * (4 + !!(a->sample_type & ABI_SAMPLE_TIME) +
					      !!(a->sample_type & ABI_SAMPLE_CPU));
	memcpy(&v, p, sizeof(v));
	put_u64(p, (swap ? bswap_64(v) : v) + more, swap);
}

void aux_carry_rest(const struct aux *a, u64 rest[AUX_CARRIED], struct aux_out *out)
{
	for (u32 i = 0; i < AUX_CARRIED; i++) {
		if (!out->first[i])
			continue;
		add_period(a, out->rec.buf + out->first[i] - 1, rest[i]);
		rest[i] = 0;
		out->first[i] = 0;
	}
}

void aux_take_rest(struct aux_out *out, u64 rest[AUX_CARRIED])
{
	for (u32 i = 0; i < AUX_CARRIED; i++) {
		rest[i] += out->rest[i];
		out->rest[i] = 0;
	}
}

static void carry_rest(struct aux *a, const struct aux_cut *cut, struct aux_out *out)
{
	if (cut->starts)
		memset(a->rest, 0, sizeof(a->rest));
	aux_carry_rest(a, a->rest, out);
	aux_take_rest(out, a->rest);
}

static void add_missing(struct aux *a, struct aux_out *out)
{
	vec_foreach(&out->missing, m)
		aux_add_missing(&a->missing, m->dso, m->nr);
	out->missing.nr = 0;
}

static void write_out(struct aux *a, struct aux_out *out, struct spool *spool, struct diag *diag)
{
	spool_add(spool, out->rec.buf, out->rec.len);
	for (u32 k = 0; k < AUX_EVENTS_MAX; k++)
		a->event[k].nr += out->nr[k];
	a->folded += out->folded;
	a->span.from = MIN(a->span.from, out->span.from);
	a->span.to = MAX(a->span.to, out->span.to);
	diag_merge(diag, &out->diag);
	add_missing(a, out);
	strbuf_reset(&out->rec);
	memset(out->nr, 0, sizeof(out->nr));
	out->folded = 0;
	out->diag = (struct diag){ 0 };
}

static void write_batch(struct aux_batch *b, struct aux *a, size_t nr, struct spool *spool, struct diag *diag)
{
	for (size_t i = 0; i < nr; i++) {
		carry_rest(a, &b->cut[i], &b->out[i]);
		aux_log_write(a->log, &b->out[i]);
		if (a->opts.skip && b->cut[i].starts)
			vec_push(&a->start, spool->size);
		write_out(a, &b->out[i], spool, diag);
	}
}

/* what the workers have folded, after the last piece */
static void write_folds(struct aux_batch *b, struct aux *a, u32 workers, struct spool *spool,
			struct diag *diag)
{
	for (u32 i = 0; i < workers; i++) {
		if (!b->fold[i])
			continue;
		aux_fold_write(b->fold[i], &b->out[0]);
		write_out(a, &b->out[0], spool, diag);
		aux_fold_free(b->fold[i]);
	}
}

/* what AUX records said is not of a piece */
static void write_lost(struct aux *a, struct spool *spool)
{
	struct aux_out out = { .a = a };

	vec_foreach(&a->lost, e)
		aux_out_error(&out, e);
	spool_add(spool, out.rec.buf, out.rec.len);
	strbuf_release(&out.rec);
}

static void decode_all(struct aux *a, struct pool *pool, struct spool *spool, struct diag *diag)
{
	const struct aux_span no_time = { UINT64_MAX, 0 };
	u32 workers = pool_nr_workers(pool);
	size_t max = a->log ? 1 : workers * PIECES_PER_WORKER, nr;
	struct aux_batch b = {
		.a = a, .cut = xcalloc(max, sizeof(*b.cut)), .out = xcalloc(max, sizeof(*b.out)),
		.buf = xcalloc(workers, sizeof(*b.buf)), .worker = xcalloc(workers, sizeof(*b.worker)),
		.summary = xcalloc(max, a->kind->measure_size + 1),
		.so_far = xcalloc(1, a->kind->measure_size + 1),
		.fold = xcalloc(workers, sizeof(*b.fold)),
	};

	a->span = no_time;
	for (size_t i = 0; i < max; i++)
		b.out[i] = (struct aux_out){ .a = a, .span = no_time };
	while ((nr = aux_queues_cut(a->queues, a->kind, b.cut, max))) {
		if (a->measures)
			measure(&b, pool, nr);
		pool_run(pool, nr, decode_piece, &b);
		write_batch(&b, a, nr, spool, diag);
	}
	write_folds(&b, a, workers, spool, diag);
	for (size_t i = 0; i < max; i++) {
		strbuf_release(&b.out[i].rec);
		strbuf_release(&b.out[i].log);
		strbuf_release(&b.out[i].recent);
		vec_release(&b.out[i].missing);
	}
	for (u32 i = 0; i < workers; i++) {
		strbuf_release(&b.buf[i]);
		if (b.worker[i])
			a->kind->worker_free(b.worker[i]);
	}
	free(b.cut);
	free(b.out);
	free(b.buf);
	free(b.worker);
	free(b.fold);
	free(b.summary);
	free(b.so_far);
}

/* the event that recorded the trace has no samples itself */
static void begin_events(struct aux *a)
{
	bool no_cpus = !aux_queues_of_cpus(a->queues);

	vec_foreach(&a->data->evset->ev, ev)
		(*ev)->dummy |= a->words.nr && aux_recorded_by(a, *ev);
	for (u32 i = 0; i < AUX_EVENTS_MAX; i++)
		if (a->event[i].on)
			evset_at(a->data->evset, a->event[i].idx)->no_cpus = no_cpus;
}

/* nobody asks for what never occurred */
static void end_events(struct aux *a)
{
	for (u32 i = 0; i < AUX_EVENTS_MAX; i++)
		if (a->event[i].on && !a->event[i].nr)
			evset_at(a->data->evset, a->event[i].idx)->dummy = true;
}

/* what knows at which addresses the code of a kernel was */
static void load_kernels(const struct machine *m, struct symbols *symbols, struct pool *pool)
{
	struct { VEC(u32); } id = { 0 };

	vec_foreach(&machine_dsos(m)->dso, d)
		if ((*d)->kind == DSO_KERNEL)
			vec_push(&id, (*d)->id);
	symbols_load(symbols, pool, id.v, id.nr);
	vec_release(&id);
}

int aux_prepare(struct aux *a, const struct machine *m, struct symbols *symbols, struct pool *pool,
		struct err *err)
{
	progress_at("decoding the trace");
	a->machine = m;
	a->symbols = symbols;
	if (a->wants_kernel)
		load_kernels(m, symbols, pool);
	aux_switches_sort(a->switches);
	aux_queues_sort(a->queues);
	begin_events(a);
	if (a->kind->split)
		return a->kind->split(a, err);
	if (a->history)
		aux_history_find(a);
	return 0;
}

void aux_set_want(struct aux *a, struct aux_want want)
{
	a->want = want;
}

bool aux_wants_running(const struct aux *a)
{
	return a->folds;
}

void aux_set_running(struct aux *a, struct aux_running running)
{
	a->running = running;
}

u64 aux_folded(const struct aux *a, u64 *first, u64 *last)
{
	*first = MIN(*first, a->span.from);
	*last = MAX(*last, a->span.to);
	return a->folded;
}

u64 aux_end(struct aux *a, struct diag *diag, u64 *nr)
{
	for (u32 i = 0; i < AUX_EVENTS_MAX; i++)
		*nr += a->event[i].nr;
	diag_merge(diag, &a->diag);
	end_events(a);
	return a->left_out;
}

bool aux_needs_file(const struct aux *a)
{
	return a->opts.skip;
}

int aux_decode(struct aux *a, const struct machine *m, struct symbols *symbols, struct pool *pool,
	       struct diag *diag, struct err *err)
{
	struct err end_err = ERR_INIT;
	struct spool spool;
	int ret = spool_open(&spool, err), ended;

	if (ret)
		return ret;
	ret = aux_prepare(a, m, symbols, pool, err);
	write_lost(a, &spool);
	if (!ret)
		decode_all(a, pool, &spool, diag);
	if (!ret && a->opts.skip)
		ret = aux_skip(a, &spool, err);
	end_events(a);
	ended = data_made_end(a->data, a->stream, &spool, ret ? &end_err : err);
	return ret ? ret : ended;
}
