/* Ring: mapped ring buffers of the kernel. */
#include "ring.h"
#include "../base/fs.h"
#include "../event/abi.h"
#include "../event/record-type.h"

#include <errno.h>
#include <sys/mman.h>

int ring_map(struct ring *r, int fd, u64 nr_pages, bool backward)
{
	size_t len = (nr_pages + 1) * page_size();
	/* an overwritable ring is mapped read-only: the kernel then never waits for a tail */
	void *p = mmap(NULL, len, backward ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	r->page = p;
	r->data = (u8 *)p + page_size();
	r->size = nr_pages * page_size();
	r->tail = r->pos = 0;
	r->fd = fd;
	r->backward = backward;
	return 0;
}

void ring_unmap(struct ring *r)
{
	if (r->page)
		munmap(r->page, r->size + page_size());
	r->page = NULL;
}

static int spans(const struct ring *r, u64 from, u64 len, struct iovec iov[2])
{
	u64 off = from & (r->size - 1), first = MIN(len, r->size - off);

	if (!len)
		return 0;
	iov[0] = (struct iovec){ r->data + off, first };
	if (first == len)
		return 1;
	iov[1] = (struct iovec){ r->data, len - first };
	return 2;
}

/*
 * the newest record starts at head; older ones follow until the ring is full or no record was written there
 */
static int peek_backward(struct ring *r, u64 head, struct iovec iov[2])
{
	u64 limit = MIN(r->size, r->tail - head), len = 0;

	while (len + sizeof(struct rec_header) <= limit) {
		const struct rec_header *h = (const void *)(r->data + ((head + len) & (r->size - 1)));

		if (h->size < sizeof(*h) || h->size % 8 || len + h->size > limit)
			break;
		len += h->size;
	}
	return spans(r, head, len, iov);
}

int ring_peek(struct ring *r, struct iovec iov[2])
{
	u64 head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);

	r->pos = head;
	if (r->backward)
		return peek_backward(r, head, iov);
	return spans(r, r->tail, head - r->tail, iov);
}

void ring_consume(struct ring *r)
{
	r->tail = r->pos;
	if (!r->backward)
		__atomic_store_n(&r->page->data_tail, r->tail, __ATOMIC_RELEASE);
}

void ring_consume_first(struct ring *r, u64 bytes)
{
	r->pos = r->tail + bytes;
	ring_consume(r);
}

/* the 64-bit word at byte offset off of the two spans; records are aligned to 8, so words never wrap */
static inline u64 word_at(const struct iovec *iov, int nr, u64 off)
{
	if (off < iov[0].iov_len)
		return *(const u64 *)((const u8 *)iov[0].iov_base + off);
	off -= iov[0].iov_len;
	if (nr > 1 && off < iov[1].iov_len)
		return *(const u64 *)((const u8 *)iov[1].iov_base + off);
	return 0;
}

void ring_clear_build_id_bit(const struct iovec *iov, int nr)
{
	u64 total = iov_bytes(iov, nr), off = 0;

	while (off + sizeof(struct rec_header) <= total) {
		bool first = off < iov[0].iov_len;
		struct rec_header *h = (void *)((u8 *)iov[!first].iov_base +
						(first ? off : off - iov[0].iov_len));

		if (h->size < sizeof(*h))
			break;
		if (unlikely(h->type == REC_MMAP2))
			h->misc &= ~MISC_MMAP_BUILD_ID;
		off += h->size;
	}
}

static void count_aux(struct aux_flags *c, u64 flags)
{
	c->truncated += !!(flags & ABI_AUX_TRUNCATED);
	c->partial += !!(flags & ABI_AUX_PARTIAL);
	c->collision += !!(flags & ABI_AUX_COLLISION);
}

static void count_other(struct ring_counts *c, u32 type, const struct iovec *iov, int nr, u64 off)
{
	switch (type) {
	case REC_LOST:			/* header, u64 id, u64 lost */
		c->lost += word_at(iov, nr, off + 16);
		break;
	case REC_LOST_SAMPLES:		/* header, u64 lost */
		c->lost_samples += word_at(iov, nr, off + 8);
		break;
	case REC_AUX:			/* header, u64 offset, u64 size, u64 flags */
		count_aux(&c->aux, word_at(iov, nr, off + 24));
		break;
	case REC_THROTTLE:
		c->throttled++;
		break;
	}
}

/* a record that may wrap */
static void copy_record(struct strbuf *to, const struct iovec *iov, int nr, u64 off, u64 size)
{
	for (int i = 0; i < nr && size; i++) {
		u64 len = off < iov[i].iov_len ? MIN(size, iov[i].iov_len - off) : 0;

		strbuf_add(to, (const u8 *)iov[i].iov_base + off, len);
		size -= len;
		off = len ? 0 : off - iov[i].iov_len;
	}
}

static bool is_of_tasks(u32 type)
{
	return type == REC_FORK || type == REC_EXIT || type == REC_COMM || type == REC_MMAP ||
	       type == REC_MMAP2;
}

/* the pid is just before the time */
static void note_pid(struct strbuf *pids, u64 word)
{
	union { u64 word; s32 pid[2]; } u = { .word = word };

	if (pids->len && !memcmp(pids->buf + pids->len - sizeof(s32), &u.pid[0], sizeof(s32)))
		return;
	strbuf_add(pids, &u.pid[0], sizeof(s32));
}

void ring_count(struct ring_counts *c, const struct ring_plan *plan, const struct iovec *iov, int nr)
{
	u64 total = iov_bytes(iov, nr), off = 0;

	while (off + sizeof(struct rec_header) <= total) {
		union { u64 word; struct rec_header h; } u = { .word = word_at(iov, nr, off) };

		if (u.h.size < sizeof(u.h))
			break;
		c->records++;
		if (likely(u.h.type == REC_SAMPLE)) {
			c->samples++;
			if (plan->time_off) {
				u64 t = word_at(iov, nr, off + sizeof(u.h) + plan->time_off);

				c->first_time = MIN(c->first_time, t);
				c->last_time = MAX(c->last_time, t);
				if (plan->pids)
					note_pid(plan->pids, word_at(iov, nr, off + plan->time_off));
			}
		} else {
			count_other(c, u.h.type, iov, nr, off);
			if (plan->side && is_of_tasks(u.h.type) && u.h.size <= total - off)
				copy_record(plan->side, iov, nr, off, u.h.size);
		}
		off += u.h.size;
	}
}
