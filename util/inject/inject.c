/* Inject: the copy. */
#include "inject-private.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/progress.h"
#include "../data/features-write.h"
#include "../data/spool.h"
#include "../event/record-type.h"
#include "../session/ordered-reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define AUXTRACE_SIZE_OFF 8u	/* of the bytes after an AUXTRACE record */

enum { FILE_ORDER, SORTED };

struct rewriter {
	int (*start)(struct inject *in, struct err *err);
	int (*record)(struct inject *in, const struct rec *rec, u64 time);
	void (*end)(struct inject *in);
	int order;
	int (*last)(struct inject *in);	/* or NULL */
	void (*prepare)(struct inject *in, const struct inject_batch *b);	/* or NULL */
};

static const struct rewriter rewriters[] = {
#define REWRITER(name, condition, order, last, prepare) \
	{ name##_start, name##_record, name##_end, order, last, prepare },
#include "rewriters.def"
#undef REWRITER
};
#define NR_REWRITERS ARRAY_SIZE(rewriters)

static bool is_active(const struct inject_opts *o, size_t row)
{
	size_t n = 0;

#define REWRITER(name, condition, order, ...) \
	if (n++ == row) \
		return condition;
#include "rewriters.def"
#undef REWRITER
	return false;
}

struct rec inject_rec(const void *p)
{
	struct rec_header h;

	memcpy(&h, p, sizeof(h));
	return (struct rec){ .p = p, .type = h.type, .misc = h.misc, .size = h.size };
}

/* whole records, one after another, that were made */
static int write_records(struct inject *in, const u8 *p, size_t size)
{
	const u8 *end = p + size;
	struct rec_header h;
	int ret = 0;

	if (!in->aslr)
		return gather_copy(&in->out, &in->writer, p, size);
	for (; p < end && !ret; p += h.size) {
		memcpy(&h, p, sizeof(h));
		ret = aslr_write(in, p);
	}
	return ret;
}

int inject_flush(struct inject *in)
{
	int ret = write_records(in, (const u8 *)in->buf.buf, in->buf.len);

	strbuf_reset(&in->buf);
	return ret;
}

/* a record of the batch, as it is, with the bytes that follow it */
static int copy_record(struct inject *in, const struct rec *rec)
{
	u64 size = data_payload_size(in->session->data, rec), aux_size = size;
	struct iovec iov[] = { { (void *)rec->p, rec->size }, { (void *)(rec->p + rec->size), size } };
	int ret;

	if (in->aslr)	/* which writes no traces */
		return aslr_write(in, rec->p);
	if (rec->type != REC_AUXTRACE)
		return gather_span(&in->out, &in->writer, rec->p, rec->size);
	ret = gather_flush(&in->out, &in->writer);
	if (ret)
		return ret;
	vec_push(&in->aux, (struct aux_place){ rec->off, writer_file_size(&in->writer) });
	/* in a file that is cut there are fewer bytes than the record says: the copy says how many */
	if (rec->size >= AUXTRACE_SIZE_OFF + sizeof(aux_size)) {
		strbuf_add(&in->buf, rec->p, rec->size);
		memcpy(in->buf.buf + AUXTRACE_SIZE_OFF, &aux_size, sizeof(aux_size));
		iov[0].iov_base = in->buf.buf;
	}
	ret = writer_writev(&in->writer, iov, size ? 2 : 1);
	strbuf_reset(&in->buf);
	return ret;
}

int inject_emit(struct inject *in, const void *rec)
{
	struct rec r = inject_rec(rec);
	int ret = in->opts->redact ? redact_record(in, &r, 0) : 1;

	return ret == 1 ? write_records(in, rec, r.size) : ret;
}

u32 inject_trailer_size(const struct inject *in)
{
	const struct pe_attr *a = &evset_at(in->session->data->evset, 0)->attr;

	return a->flags & ATTR_SAMPLE_ID_ALL ?
	       8 * __builtin_popcountll(a->sample_type & ABI_SAMPLE_TRAILER) : 0;
}

void inject_put_trailer(const struct inject *in, struct strbuf *out, s32 pid, s32 tid, u64 time)
{
	const struct event *ev = evset_at(in->set, 0);
	u64 type = ev->attr.sample_type, id = ev->nr_ids ? ev->ids[0] : 0;

	if (!(ev->attr.flags & ATTR_SAMPLE_ID_ALL))
		return;
	if (type & ABI_SAMPLE_TID) {
		put_u32(out, pid);
		put_u32(out, tid);
	}
	if (type & ABI_SAMPLE_TIME)
		put_u64(out, time);
	if (type & ABI_SAMPLE_ID)
		put_u64(out, id);
	if (type & ABI_SAMPLE_STREAM_ID)
		put_u64(out, id);
	if (type & ABI_SAMPLE_CPU)
		put_u64(out, 0);
	if (type & ABI_SAMPLE_IDENTIFIER)
		put_u64(out, id);
}

static struct evset *copy_set(const struct evset *from)
{
	struct evset *set = evset_new();

	vec_foreach(&from->ev, it) {
		struct event *ev = evset_add(set, (*it)->name);

		ev->attr = (*it)->attr;
		evset_set_ids(set, ev, (*it)->ids, (*it)->nr_ids);
	}
	return set;
}

static void copy_features(struct inject *in)
{
	const struct features *f = &in->session->data->feat;

	in->feat = *f;
	in->feat.buildids.v = NULL;
	in->feat.buildids.nr = in->feat.buildids.alloc = 0;
	vec_foreach(&f->buildids, e)
		vec_push(&in->feat.buildids, *e);
	/* the copy is one file with plain records */
	feature_clear(&in->feat, FEAT_COMPRESSED);
	feature_clear(&in->feat, FEAT_DIR_FORMAT);
	if (in->set->ev.nr)
		feature_set(&in->feat, FEAT_EVENT_DESC);
}

/* in a pipe, the header's contents are records, which the writer makes */
static bool is_header_record(u32 type)
{
	return type == REC_ATTR || type == REC_FEATURE || type == REC_TRACING_DATA || type == REC_EVENT_TYPE;
}

/* pipes have no table of build-ids: it becomes records, before all others */
static int write_table_records(struct inject *in)
{
	vec_foreach(&in->feat.buildids, e)
		buildid_encode(&in->buf, e);
	return inject_flush(in);
}

static int one_record(struct inject *in, const bool *active, const struct rec *rec, u64 time)
{
	int ret = 1;

	if (is_header_record(rec->type))
		return 0;
	for (size_t i = 0; i < NR_REWRITERS && ret == 1; i++)
		if (active[i])
			ret = rewriters[i].record(in, rec, time);
	return ret == 1 ? copy_record(in, rec) : ret;
}

/* batches of records: one is copied while a thread of the pool reads and prepares the next one */
struct copy_reader {
	struct inject *in;
	const bool *active;
	struct ordered_reader *from;
	struct pool *pool;		/* NULL: the caller reads */
	struct pool_job job;
	struct inject_batch *batch[2];
	u32 next;			/* which one is read */
};

static void read_batch(void *ctx)
{
	struct copy_reader *r = ctx;
	struct inject_batch *b = r->batch[r->next];

	b->nr = ordered_reader_next(r->from, b->rec, b->time, INJECT_BATCH);
	for (size_t i = 0; i < NR_REWRITERS; i++)
		if (r->active[i] && rewriters[i].prepare)
			rewriters[i].prepare(r->in, b);
}

/* with less data than this no thread reads ahead; nor if nothing is prepared, as pages are released then */
#define THREAD_MIN (1u << 20)

static struct pool *reading_pool(const struct session *s, const bool *active)
{
	bool prepares = false;
	u64 size = 0;

	for (size_t i = 0; i < NR_REWRITERS; i++)
		prepares |= active[i] && rewriters[i].prepare;
	vec_foreach(&s->data->stream, st)
		size += st->end - st->start;
	return prepares && size >= THREAD_MIN ? s->pool : NULL;
}

static int copy_batch(struct inject *in, const bool *active, const struct inject_batch *b)
{
	int ret = 0;

	in->batch = b;
	for (in->at = 0; in->at < b->nr && !ret; in->at++)
		ret = one_record(in, active, &b->rec[in->at], b->time[in->at]);
	return ret ? ret : gather_flush(&in->out, &in->writer);
}

static int copy_batches(struct copy_reader *r)
{
	const struct inject_batch *b;
	int ret = 0;

	pool_beside(r->pool, &r->job);
	for (;;) {
		pool_wait(r->pool, &r->job);
		b = r->batch[r->next];
		if (!b->nr)
			return 0;
		r->next = !r->next;
		pool_beside(r->pool, &r->job);
		ret = copy_batch(r->in, r->active, b);
		if (!ret)
			continue;
		pool_wait(r->pool, &r->job);
		return ret;
	}
}

static int copy_records(struct inject *in, const bool *active, bool sorted)
{
	const struct session *s = in->session;
	struct copy_reader r = { .in = in, .active = active, .pool = reading_pool(s, active),
				 .job = { .run = read_batch, .ctx = &r } };
	int ret;

	r.from = sorted ? ordered_reader_open(s) : ordered_reader_open_unsorted(s);
	for (u32 i = 0; i < 2; i++) {
		r.batch[i] = xmalloc(sizeof(*r.batch[i]));
		r.batch[i]->slot = i;
	}
	progress_at("copying records");
	ret = copy_batches(&r);
	ordered_reader_close(r.from);
	free(r.batch[0]);
	free(r.batch[1]);
	for (size_t i = 0; i < NR_REWRITERS && !ret; i++)
		if (active[i] && rewriters[i].last)
			ret = rewriters[i].last(in);
	return ret;
}

/*
 * AUXTRACE: u64 number, rows of u64 file offset and size. The offsets become those of the copy; without the
 * index, which readers do not need, if one of them is wrong.
 */
static void move_aux_index(struct inject *in)
{
	const struct feat_blob *b = &in->feat.raw[FEAT_AUXTRACE];
	u64 *row = arena_memdup(&in->arena, b->data, b->size), nr = b->size / 16;
	bool ok = b->size >= 8 && row[0] == nr && b->size == 8 + 16 * nr;
	size_t k = 0;

	for (u64 i = 0; ok && i < nr; i++) {
		while (k < in->aux.nr && in->aux.v[k].from != row[1 + 2 * i])
			k++;
		ok = k < in->aux.nr;
		if (ok)
			row[1 + 2 * i] = in->aux.v[k].to;
	}
	if (ok)
		in->feat.raw[FEAT_AUXTRACE].data = row;
	else
		feature_clear(&in->feat, FEAT_AUXTRACE);
}

static int write_copy(struct inject *in, const char *path, const bool *active, bool sorted, struct err *err)
{
	int ret;

	in->to_pipe = writer_is_pipe(path);
	if (in->to_pipe && feature_present(&in->feat, FEAT_PACKED_SYMBOLS))
		log_warn("packed symbols are left out of a pipe: write to a file with -o to keep them");
	ret = writer_open(&in->writer, path, in->set, &in->feat, err);
	if (ret)
		return ret;
	if (in->to_pipe)
		ret = write_table_records(in);
	if (!ret)
		ret = copy_records(in, active, sorted);
	if (!ret)
		ret = gather_flush(&in->out, &in->writer);
	if (ret)
		ret = err_sys(err, -ret, "cannot write to %s", path);
	if (!ret && feature_present(&in->feat, FEAT_AUXTRACE))
		move_aux_index(in);
	if (!ret)
		ret = writer_finish(&in->writer, in->set, &in->feat, err);
	writer_close(&in->writer);
	return ret;
}

/* all bytes of a file, from its beginning, to standard output or a fifo */
static int pour(int from, const char *path, struct err *err)
{
	bool std = !strcmp(path, "-");
	int to = std ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC), ret = to < 0 ? -errno : 0;
	char buf[32768];
	off_t at = 0;
	ssize_t n;

	while (!ret && (n = pread(from, buf, sizeof(buf), at))) {
		ret = n < 0 ? -errno : fd_write_all(to, buf, n);
		at += n;
	}
	if (!std && to >= 0)
		close(to);
	return ret ? err_sys(err, -ret, "cannot write to %s", std ? "standard output" : path) : 0;
}

/*
 * The pipe format has no place for packed symbols. Readers of pipes read files, too: the file is made first,
 * because its header is written last
 */
static int write_file_to_pipe(struct inject *in, const bool *active, bool sorted, struct err *err)
{
	struct spool spool;
	char path[32];
	int ret = spool_open(&spool, err), fd = ret ? ret : spool_finish(&spool, err);

	if (fd < 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ret = write_copy(in, path, active, sorted, err);
	if (!ret)
		ret = pour(fd, in->opts->output, err);
	close(fd);
	return ret;
}

static int start_rewriters(struct inject *in, bool *active, bool *sorted, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < NR_REWRITERS && !ret; i++) {
		active[i] = is_active(in->opts, i);
		*sorted |= active[i] && rewriters[i].order == SORTED;
		if (active[i])
			ret = rewriters[i].start(in, err);
	}
	return ret;
}

bool inject_only_itrace(const struct inject_opts *opts)
{
	u32 nr = 0;

	for (size_t i = 0; i < NR_REWRITERS; i++)
		nr += is_active(opts, i);
	return opts->itrace && nr == 1;
}

int inject_run(const struct session *s, const struct inject_opts *opts, struct err *err)
{
	struct inject in = { .session = s, .opts = opts };
	/* the streams of a directory are joined by time */
	bool active[NR_REWRITERS] = { false }, sorted = s->data->stream.nr > 1;
	int ret;

	if (s->data->swap) {
		err_set(err, -ENOTSUP, "%s was recorded on a machine of the other byte order", s->data->path);
		err_hint(err, "run perf inject on a machine of that byte order");
		return -ENOTSUP;
	}
	if (!s->data->evset->ev.nr)
		return err_set(err, -EINVAL, "%s has no events", s->data->path);
	in.set = copy_set(s->data->evset);
	copy_features(&in);
	ret = start_rewriters(&in, active, &sorted, err);
	if (!ret && opts->pack && writer_is_pipe(opts->output))
		ret = write_file_to_pipe(&in, active, sorted, err);
	else if (!ret)
		ret = write_copy(&in, opts->output, active, sorted, err);
	for (size_t i = 0; i < NR_REWRITERS; i++)
		if (active[i])
			rewriters[i].end(&in);
	vec_release(&in.feat.buildids);
	vec_release(&in.aux);
	strbuf_release(&in.buf);
	gather_release(&in.out);
	arena_release(&in.arena);
	evset_free(in.set);
	return ret;
}
