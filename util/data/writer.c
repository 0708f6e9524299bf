/* Writer: a perf.data file that grows. */
#include "writer.h"
#include "async.h"
#include "count-samples.h"
#include "features-write.h"
#include "keep-old.h"
#include "write-spans.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/strbuf.h"
#include "../base/units.h"
#include "../event/record-put.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct raw_header {
	char magic[8];
	u64 size;
	u64 attr_size;		/* of one entry: attribute and section of its ids */
	struct data_section attrs, data, event_types;
	u64 features[FEAT_NR / 64];
};

struct pipe_header {
	char magic[8];
	u64 size;
};

/* as a native u64, so that readers see the byte order; little endian reads PERFILE2 */
#define MAGIC 0x32454c4946524550ull

static const u64 magic = MAGIC;

/* written by a commit with one call: size of the data, then event types (unused), then the bitmap */
struct header_tail {
	u64 data_size;
	struct data_section event_types;
	u64 features[FEAT_NR / 64];
};
#define HEADER_TAIL_OFF (offsetof(struct raw_header, data) + offsetof(struct data_section, size))

#define SPARE_BYTES 8192u
#define PIPE_ATTR_SIZE 128u
#define COMMIT_BYTES (1u << 20)
#define COMMIT_NS 1000000000ull

/* features that are known, or complete, only at the end; a pipe contains the programs of the start */
static bool feature_is_late(const struct writer *w, unsigned int bit)
{
	return bit == FEAT_SAMPLE_TIME || bit == FEAT_BUILD_ID || bit == FEAT_AUXTRACE ||
	       (!w->pipe && (bit == FEAT_BPF_PROG_INFO || bit == FEAT_BPF_BTF));
}

/* payloads that are known now; their offsets are kept for the tables */
static void encode_early(struct writer *w, struct strbuf *out, const struct evset *set,
			 const struct features *f)
{
	for (unsigned int bit = 0; f && bit < FEAT_NR; bit++) {
		struct data_section s = { .offset = out->len };

		if (!feature_present(f, bit) || !feature_can_encode(bit) || feature_is_late(w, bit))
			continue;
		feature_encode(out, bit, f, set);
		s.size = out->len - s.offset;
		vec_push(&w->early, s);
		w->bitmap[bit / 64] |= 1ull << (bit % 64);
	}
}

/*
 * A first round mark and a table after it, as at a commit: other readers refuse a file whose header says that
 * it has no data, and the recorder may be killed before its first commit.
 */
static void begin_data(struct writer *w, struct strbuf *out, struct raw_header *h)
{
	struct rec_header mark = { .type = REC_FINISHED_ROUND, .size = sizeof(mark) };

	h->data.size = sizeof(mark);
	memcpy(h->features, w->bitmap, sizeof(h->features));
	w->mark = out->len;
	strbuf_add(out, &mark, sizeof(mark));
	strbuf_add(out, w->early.v, w->early.nr * sizeof(*w->early.v));
	w->mark_size = out->len - w->mark;
	w->size = w->committed = out->len - w->data_off;
}

static void encode_file_header(struct writer *w, struct strbuf *out, const struct evset *set,
			       const struct features *f)
{
	struct raw_header h;

	u32 attr_size = attr_encode_size(set);
	struct data_section ids;
	u64 nr_ids = 0;

	vec_foreach(&set->ev, ev)
		nr_ids += (*ev)->nr_ids;
	h = (struct raw_header){
		.size = sizeof(h),
		.attr_size = attr_size + sizeof(struct data_section),
		.attrs.offset = sizeof(h) + nr_ids * sizeof(u64),
	};
	memcpy(h.magic, &magic, sizeof(h.magic));
	h.attrs.size = h.attr_size * set->ev.nr;
	strbuf_add(out, &h, sizeof(h));
	vec_foreach(&set->ev, ev)
		strbuf_add(out, (*ev)->ids, (*ev)->nr_ids * sizeof(u64));
	ids.offset = sizeof(h);
	vec_foreach(&set->ev, ev) {
		attr_encode(out, &(*ev)->attr, attr_size);
		ids.size = (*ev)->nr_ids * sizeof(u64);
		strbuf_add(out, &ids, sizeof(ids));
		ids.offset += ids.size;
	}
	encode_early(w, out, set, f);
	w->spare_off = out->len;
	strbuf_pad(out, '\0', ALIGN_UP(out->len + SPARE_BYTES, (size_t)8) - out->len);
	h.data.offset = w->data_off = out->len;
	if (w->regular)
		begin_data(w, out, &h);
	memcpy(out->buf, &h, sizeof(h));
}

/* header.size has 16 bits: ids that do not fit are left out (readers find them in the ID_INDEX records) */
static void encode_attr_record(struct strbuf *out, const struct event *ev, u32 attr_size)
{
	u32 room = (UINT16_MAX - sizeof(struct rec_header) - attr_size) / sizeof(u64);
	struct strbuf attr = STRBUF_INIT;

	attr_encode(&attr, &ev->attr, attr_size);
	strbuf_add(&attr, ev->ids, MIN(ev->nr_ids, room) * sizeof(u64));
	record_put(out, &(struct record_view){
		.type = REC_ATTR, .attr.attr = { (const u8 *)attr.buf, attr.len } }, NULL, 0);
	strbuf_release(&attr);
}

/* one that is too large for a record is left out */
static void encode_feature_record(struct strbuf *out, unsigned int bit, const struct features *f,
				  const struct evset *set)
{
	struct strbuf sb = STRBUF_INIT;

	feature_encode(&sb, bit, f, set);
	record_put(out, &(struct record_view){
		.type = REC_FEATURE, .feature = { .bit = bit, .content = { (const u8 *)sb.buf, sb.len } } },
		NULL, 0);
	strbuf_release(&sb);
}

/* the record has 16 bytes; its payload follows and is not in its size */
static void encode_tracing_data(struct strbuf *out, const struct feat_blob *b)
{
	u32 padded = ALIGN_UP(b->size, (u64)8);

	record_put(out, &(struct record_view){
		.type = REC_TRACING_DATA, .tracing_data.size = padded }, NULL, 0);
	strbuf_add(out, b->data, b->size);
	strbuf_pad(out, '\0', padded - b->size);
}

/*
 * A header has the size of each feature, so readers skip unknown ones. In a pipe readers end at unknown ones:
 * so the newest features in pipes are those of perf 6.1, and features without content are left out as well.
 */
static bool feature_in_pipe(unsigned int bit, const struct features *f)
{
	if (bit > FEAT_PMU_CAPS)
		return false;
	switch (bit) {
	case FEAT_HYBRID_TOPOLOGY:
		return f->nr_hybrid;
	case FEAT_PMU_CAPS:
		return f->nr_pmu_caps;
	case FEAT_TRACING_DATA:		/* they have records of their own */
	case FEAT_BUILD_ID:
	case FEAT_SAMPLE_TIME:		/* not known yet */
	case FEAT_BRANCH_STACK:		/* a bit without payload */
	case FEAT_STAT:
	case FEAT_AUXTRACE:		/* file offsets */
	case FEAT_DIR_FORMAT:
		return false;
	}
	return true;
}

static void encode_pipe_start(struct strbuf *out, const struct evset *set, const struct features *f)
{
	struct pipe_header h = { .size = sizeof(h) };
	/*
	 * readers up to 6.x read as many bytes as their own attributes have, whatever the size says: these
	 * bytes must be zero
	 */
	u32 attr_size = MAX(attr_encode_size(set), PIPE_ATTR_SIZE);

	memcpy(h.magic, &magic, sizeof(h.magic));
	strbuf_add(out, &h, sizeof(h));
	vec_foreach(&set->ev, ev)
		encode_attr_record(out, *ev, attr_size);
	for (unsigned int bit = 0; f && bit < FEAT_NR; bit++)
		if (feature_present(f, bit) && feature_can_encode(bit) && feature_in_pipe(bit, f))
			encode_feature_record(out, bit, f, set);
	if (f && feature_present(f, FEAT_TRACING_DATA))
		encode_tracing_data(out, &f->tracing_data);
}

int writer_open_pipe(struct writer *w, int fd, const struct evset *set, const struct features *f,
		     struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	int ret;

	*w = (struct writer){ .fd = fd, .pipe = true };
	encode_pipe_start(&sb, set, f);
	ret = fd_write_all(fd, sb.buf, sb.len);
	w->data_off = sb.len;
	strbuf_release(&sb);
	return ret < 0 ? err_sys(err, -ret, "cannot write the header to the pipe") : 0;
}

/* a file of ours in which nothing, or half a header, is written: nobody can read it */
static void remove_output(const char *path)
{
	struct stat st;

	if (!writer_is_descriptor_link(path) && !lstat(path, &st) && S_ISREG(st.st_mode))
		unlink(path);
}

static int open_output(const char *path, struct stat *st, struct err *err)
{
	int fd, ret = writer_keep_old(path, err);

	if (ret < 0)
		return ret;
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ret = -errno;
	if (fd < 0 && ret == -EACCES)
		fd = open(path, O_WRONLY | O_CLOEXEC);	/* a fifo or device that is only writable */
	if (fd < 0) {
		err_sys(err, -ret, "cannot create %s", path);
		if (ret == -EACCES || ret == -EPERM || ret == -EROFS)
			err_hint(err, "choose another place with -o");
		return ret;
	}
	if (fstat(fd, st) < 0) {
		ret = err_sys(err, errno, "cannot find out what kind of file %s is", path);
		remove_output(path);
		close(fd);
		return ret;
	}
	return fd;
}

bool writer_is_pipe(const char *path)
{
	struct stat st;

	return !strcmp(path, "-") || (!stat(path, &st) && S_ISFIFO(st.st_mode));
}

static int write_header(struct writer *w, const struct evset *set, const struct features *f)
{
	struct strbuf sb = STRBUF_INIT;
	int ret;

	encode_file_header(w, &sb, set, f);
	ret = fd_write_all(w->fd, sb.buf, sb.len);
	strbuf_release(&sb);
	return ret;
}

int writer_open_file(struct writer *w, int fd, const struct evset *set, const struct features *f,
		     struct err *err)
{
	int ret;

	*w = (struct writer){ .fd = fd, .regular = true };
	ret = write_header(w, set, f);
	if (ret)
		writer_close(w);
	return ret ? err_sys(err, -ret, "cannot write the header of a recording") : 0;
}

int writer_open(struct writer *w, const char *path, const struct evset *set, const struct features *f,
		struct err *err)
{
	struct stat st;
	int fd, ret;

	*w = (struct writer){ .fd = -1 };
	if (!strcmp(path, "-")) {
		fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
		if (fd < 0)
			return err_sys(err, errno, "cannot write to standard output");
		return writer_open_pipe(w, fd, set, f, err);
	}
	fd = open_output(path, &st, err);
	if (fd < 0)
		return fd;
	if (S_ISFIFO(st.st_mode))
		return writer_open_pipe(w, fd, set, f, err);
	*w = (struct writer){ .fd = fd, .regular = S_ISREG(st.st_mode),
			      .packed = f && feature_present(f, FEAT_COMPRESSED) };
	ret = write_header(w, set, f);
	if (ret < 0) {
		remove_output(path);
		writer_close(w);
		return err_sys(err, -ret, "cannot write the header of %s", path);
	}
	return 0;
}

int writer_open_plain(struct writer *w, const char *path, struct err *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0)
		return err_sys(err, errno, "cannot create %s", path);
	*w = (struct writer){ .fd = fd, .regular = true, .plain = true };
	return 0;
}

void writer_set_async(struct writer *w, unsigned int nr_blocks)
{
	if (w->regular && !w->pipe)
		w->async = async_new(w->fd, nr_blocks);
}

bool writer_samples_dropped(const struct writer *w, u64 *ret_samples)
{
	if (!w->failed || (!w->async && !w->cut_back))
		return false;
	*ret_samples = samples_between(w->fd, w->data_off, w->data_off + w->size);
	return true;
}

/*
 * Makes room for the last table: a hole in the middle of the file does not help against a limit of file
 * sizes. Keeps as many written bytes as fit; if that is not enough, records before them are removed, at most
 * back to the last commit; compressed records in units of writes.
 */
static size_t leave_room(struct writer *w, size_t done)
{
	u64 pos = w->data_off + w->committed, want = w->data_off + w->size + done;
	struct rec_header h;

	if (done >= SPARE_BYTES || !w->regular || w->plain || want < SPARE_BYTES)
		return done - MIN(done, (size_t)SPARE_BYTES);
	want -= SPARE_BYTES;
	vec_foreach(&w->ends, end)
		pos = w->data_off + *end <= want ? w->data_off + *end : pos;
	while (!w->packed && pread(w->fd, &h, sizeof(h), pos) == sizeof(h) && h.size >= sizeof(h) &&
	       pos + h.size <= want)
		pos += h.size;
	w->cut_back = pos < w->data_off + w->size;
	w->size = pos - w->data_off;
	return 0;
}

static int write_failed(struct writer *w, int code)
{
	u64 bad;

	w->failed = code;
	/* the file ends before the first write that failed; later writes may have succeeded */
	if (w->async && async_drain(w->async, &bad) < 0 && bad < w->data_off + w->size)
		w->size = MAX(bad, w->data_off) - w->data_off;
	if (w->async && code == -EFBIG)
		leave_room(w, 0);
	/* half a record at the end is useless, and the last table needs room */
	if (w->regular && ftruncate(w->fd, w->data_off + w->size) < 0)
		return code;
	if (w->regular && !w->plain)
		fallocate(w->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, w->spare_off, SPARE_BYTES);
	return code;
}

static int write_async(struct writer *w, const struct iovec *iov, int nr)
{
	int ret = async_write(w->async, iov, nr, w->data_off + w->size);

	if (ret < 0)
		return write_failed(w, ret);
	for (int i = 0; i < nr; i++)
		w->size += iov[i].iov_len;
	if (w->packed)
		vec_push(&w->ends, w->size);
	return 0;
}

int writer_write(struct writer *w, const void *p, size_t len)
{
	return writer_writev(w, &(struct iovec){ (void *)p, len }, 1);
}

int writer_writev(struct writer *w, const struct iovec *iov, int nr)
{
	size_t done;
	int ret;

	w->kept = 0;
	if (w->failed)
		return w->failed;
	if (w->async)
		return write_async(w, iov, nr);
	ret = write_spans(w->fd, iov, nr, &done);
	if (!ret) {
		w->size += done;
		if (w->packed)
			vec_push(&w->ends, w->size);
		return 0;
	}
	if (ret == -EFBIG)
		done = leave_room(w, done);
	/* the bytes that were written are in the file, up to the last whole record */
	if (w->regular)
		w->kept = whole_records(iov, nr, done);
	w->size += w->kept;
	return write_failed(w, ret);
}

int writer_write_payload(struct writer *w, const void *rec, size_t len, const struct iovec *iov, int nr)
{
	static const u8 zeros[8];
	size_t bytes = nr > 0 ? iov[0].iov_len : 0, done;
	u64 before = w->size;
	int ret;

	bytes += nr > 1 ? iov[1].iov_len : 0;
	w->packed = true;	/* what follows a header is not a record from now on */
	ret = writer_write(w, rec, len);
	if (ret || w->async) {
		ret = ret ? ret : write_async(w, iov, nr);
		return ret || !(bytes % 8) ? ret : writer_write(w, zeros, 8 - bytes % 8);
	}
	ret = write_spans(w->fd, iov, nr, &done);
	if (!ret && bytes % 8)
		ret = write_spans(w->fd, &(struct iovec){ (void *)zeros, 8 - bytes % 8 }, 1, &done);
	if (!ret) {
		w->size += ALIGN_UP(bytes, (size_t)8);
		vec_push(&w->ends, w->size);
		return 0;
	}
	w->size = before;
	w->kept = 0;
	if (ret == -EFBIG)
		leave_room(w, done);
	return write_failed(w, ret);
}

static int pwrite_all(int fd, const void *p, size_t len, u64 off)
{
	while (len) {
		ssize_t n = pwrite(fd, p, len, off);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		p = (const char *)p + n;
		len -= n;
		off += n;
	}
	return 0;
}

bool writer_commit_due(const struct writer *w, u64 now_ns)
{
	return w->size - w->committed >= COMMIT_BYTES || now_ns - w->commit_ns >= COMMIT_NS;
}

/* makes the record before the last table cover it: data follows */
static int extend_mark(const struct writer *w)
{
	if (!w->mark)
		return 0;
	return pwrite_all(w->fd, &w->mark_size, sizeof(w->mark_size),
			  w->mark + offsetof(struct rec_header, size));
}

/* writes table and payloads after the data; then, in this order, what makes readers see them */
static int publish(struct writer *w, const struct strbuf *table, const u64 bitmap[FEAT_NR / 64])
{
	struct header_tail tail = { .data_size = w->size };
	int ret = pwrite_all(w->fd, table->buf, table->len, w->data_off + w->size);

	memcpy(tail.features, bitmap, sizeof(tail.features));
	if (!ret)
		ret = extend_mark(w);
	if (!ret)
		ret = pwrite_all(w->fd, &tail, sizeof(tail), HEADER_TAIL_OFF);
	if (!ret)
		w->committed = w->size;
	return ret;
}

/* waits until all data that the header includes is in the file */
static int drain_async(struct writer *w)
{
	u64 bad;
	int ret = w->async ? async_drain(w->async, &bad) : 0;

	return ret < 0 && !w->failed ? write_failed(w, ret) : ret;
}

int writer_commit(struct writer *w)
{
	struct strbuf table = { .buf = (char *)w->early.v, .len = w->early.nr * sizeof(*w->early.v) };
	int ret;

	if (w->pipe || w->plain || !w->regular || w->failed || w->size < sizeof(struct rec_header) ||
	    w->size == w->committed)	/* the last table is still at the end */
		return 0;
	if (drain_async(w) < 0)
		return w->failed;
	ret = publish(w, &table, w->bitmap);
	if (ret == -EFBIG)
		leave_room(w, 0);
	if (ret < 0)
		return write_failed(w, ret);
	w->mark = w->data_off + w->size - sizeof(struct rec_header);
	w->mark_size = sizeof(struct rec_header) + table.len;
	w->size += table.len;
	w->committed = w->size;
	w->ends.nr = 0;
	w->commit_ns = clock_ns(CLOCK_MONOTONIC);
	lseek(w->fd, w->data_off + w->size, SEEK_SET);
	return 0;
}

static bool is_early(const struct writer *w, unsigned int bit)
{
	return w->bitmap[bit / 64] >> (bit % 64) & 1;
}

/* perf pack knows its symbols at the start, perf record at the end */
static bool comes_last(const struct writer *w, const struct features *f, unsigned int bit)
{
	return feature_present(f, bit) &&
	       (feature_is_late(w, bit) || (bit == FEAT_PACKED_SYMBOLS && !is_early(w, bit)));
}

/* early features at their offsets, late ones after the table */
static void encode_last(const struct writer *w, struct strbuf *out, const struct evset *set,
			const struct features *f, u64 bitmap[FEAT_NR / 64])
{
	struct strbuf body = STRBUF_INIT;
	size_t early = 0, nr = w->early.nr, base;

	for (unsigned int bit = 0; bit < FEAT_NR; bit++)
		nr += comes_last(w, f, bit);
	base = w->data_off + w->size + nr * sizeof(struct data_section);
	memcpy(bitmap, w->bitmap, sizeof(w->bitmap));
	for (unsigned int bit = 0; bit < FEAT_NR; bit++) {
		struct data_section s = { .offset = base + body.len };

		if (is_early(w, bit)) {
			strbuf_add(out, &w->early.v[early++], sizeof(s));
		} else if (comes_last(w, f, bit)) {
			feature_encode(&body, bit, f, set);
			s.size = base + body.len - s.offset;
			strbuf_add(out, &s, sizeof(s));
			bitmap[bit / 64] |= 1ull << (bit % 64);
		}
	}
	strbuf_add(out, body.buf, body.len);
	strbuf_release(&body);
}

/* an early feature that is complete only at the end; its length does not change */
static int rewrite_early(const struct writer *w, unsigned int want, const struct evset *set,
			 const struct features *f)
{
	struct strbuf sb = STRBUF_INIT;
	size_t early = 0;
	int ret = 0;

	if (!w->regular || !is_early(w, want))
		return 0;
	for (unsigned int bit = 0; bit < want; bit++)
		early += is_early(w, bit);
	feature_encode(&sb, want, f, set);
	if (sb.len == w->early.v[early].size &&
	    pwrite(w->fd, sb.buf, sb.len, w->early.v[early].offset) != (ssize_t)sb.len)
		ret = -errno;
	strbuf_release(&sb);
	return ret;
}

static int publish_last(struct writer *w, const struct evset *set, const struct features *f, size_t *ret_len)
{
	u64 bitmap[FEAT_NR / 64];
	struct strbuf sb = STRBUF_INIT;
	int ret;

	encode_last(w, &sb, set, f, bitmap);
	ret = publish(w, &sb, bitmap);
	*ret_len = sb.len;
	strbuf_release(&sb);
	return ret;
}

/* for a full disk or a limit: the samples can be read without the large features of the last table */
static int publish_less(struct writer *w, const struct evset *set, const struct features *f, size_t *ret_len)
{
	static const unsigned int large[] = { FEAT_BPF_BTF, FEAT_BPF_PROG_INFO, FEAT_PACKED_SYMBOLS,
					      FEAT_BUILD_ID };
	struct features less = *f;
	int ret = -ENOSPC;

	for (size_t i = 0; ret < 0 && i < ARRAY_SIZE(large); i++) {
		if (!feature_present(&less, large[i]))
			continue;
		feature_clear(&less, large[i]);
		log_warn("the file has no room for the header feature %s", feature_name(large[i]));
		ret = publish_last(w, set, &less, ret_len);
	}
	return ret;
}

int writer_finish(struct writer *w, const struct evset *set, const struct features *f, struct err *err)
{
	size_t len;
	int ret;

	if (w->pipe || w->plain)
		return 0;
	if (w->fd < 0)
		return err_set(err, -EBADF, "no file is open");
	ret = drain_async(w);
	if (ret < 0)
		err_sys(err, -ret, "cannot write the records");
	/* nothing follows the last table: the final table replaces it */
	if (w->mark && w->committed == w->size) {
		w->size = w->mark + sizeof(struct rec_header) - w->data_off;
		w->mark = 0;
	}
	ret = publish_last(w, set, f, &len);
	if (ret == -EFBIG || ret == -ENOSPC || ret == -EDQUOT)
		ret = publish_less(w, set, f, &len);
	if (!ret)
		ret = rewrite_early(w, FEAT_COMPRESSED, set, f);	/* its ratio */
	if (!ret && w->regular && ftruncate(w->fd, w->data_off + w->size + len) < 0)
		ret = -errno;
	return ret < 0 ? err_sys(err, -ret, "cannot write the header features") : 0;
}

void writer_close(struct writer *w)
{
	async_free(w->async);
	w->async = NULL;
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
	vec_release(&w->early);
	vec_release(&w->ends);
	memset(w->bitmap, 0, sizeof(w->bitmap));	/* of early */
}

u64 writer_file_size(const struct writer *w)
{
	return w->data_off + w->size;
}
