/* Aux-ring: mapped AUX areas. */
#include "aux-ring.h"
#include "../base/fs.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>

int aux_ring_map(struct aux_ring *a, const struct ring *r, u64 nr_pages, bool overwrite)
{
	u64 off = page_size() + r->size;
	size_t len = nr_pages * page_size();
	void *p;

	/* the kernel reads both when the area is mapped; without PROT_WRITE it never waits for a tail */
	r->page->aux_offset = off;
	r->page->aux_size = len;
	p = mmap(NULL, len, overwrite ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, off);
	if (p == MAP_FAILED)
		return -errno;
	*a = (struct aux_ring){ .page = r->page, .data = p, .size = len, .overwrite = overwrite,
				.fd = r->fd, .cpu = r->cpu, .tid = r->tid };
	return 0;
}

void aux_ring_unmap(struct aux_ring *a)
{
	if (a->page)
		munmap(a->data, a->size);
	a->page = NULL;
}

static int spans(struct aux_ring *a, u64 from, u64 end, struct iovec iov[2])
{
	u64 len = end - from, off = from & (a->size - 1), first = MIN(len, a->size - off);

	a->from = from;
	a->end = end;
	if (!len)
		return 0;
	iov[0] = (struct iovec){ a->data + off, first };
	if (first == len)
		return 1;
	iov[1] = (struct iovec){ a->data, len - first };
	return 2;
}

static u64 head_of(const struct aux_ring *a)
{
	/* after it the bytes before it are read */
	return __atomic_load_n(&a->page->aux_head, __ATOMIC_ACQUIRE);
}

int aux_ring_peek(struct aux_ring *a, struct iovec iov[2])
{
	u64 head = head_of(a), from = a->pos;

	if (head < from)	/* not what a kernel does */
		return spans(a, from, from, iov);
	if (head - from > a->size) {
		a->lost += head - from - a->size;
		from = head - a->size;
	}
	return spans(a, from, head, iov);
}

/* ---- snapshots ---- */

static bool is_zero(const u8 *p, size_t len)
{
	return !len || (!p[0] && !memcmp(p, p + 1, len - 1));
}

/* copies len bytes before pos */
static void copy_tail(const struct aux_ring *a, u8 *out, u32 len)
{
	for (u32 i = 0; i < len; i++)
		out[i] = a->data[(a->pos - len + i) & (a->size - 1)];
}

/*
 * More than a whole lap was written, rather than `ahead` bytes after the last snapshot: then the bytes before
 * it have changed, as far as those `ahead` bytes would have left them.
 */
static bool lapped(const struct aux_ring *a, u64 ahead)
{
	u32 len = MIN((u64)a->tail_len, a->size - ahead);
	u8 now[AUX_RING_TAIL];

	copy_tail(a, now, len);
	return memcmp(now, a->tail + a->tail_len - len, len);
}

/* the position that an offset in the area means. The area is zeros at first */
static u64 position_of(struct aux_ring *a, u64 off)
{
	u64 ahead = (off - a->pos) & (a->size - 1);

	if (!a->wrapped && off >= a->pos && is_zero(a->data + off, a->size - off))
		return off;
	if (!a->wrapped && !a->taken) {	/* the first snapshot: any number of laps */
		a->wrapped = true;
		return a->size + off;
	}
	a->wrapped = true;
	return a->pos + ahead + (lapped(a, ahead) ? a->size : 0);
}

int aux_ring_snapshot(struct aux_ring *a, u64 most, struct iovec iov[2])
{
	u64 head = head_of(a), have;

	if (a->head_wraps) {
		head = position_of(a, head & (a->size - 1));
	} else {
		a->wrapped |= head >= a->size;
		head = MAX(head, a->pos);
	}
	have = a->wrapped ? a->size : head;
	return spans(a, head == a->pos ? head : head - MIN(have, most), head, iov);
}

void aux_ring_consume(struct aux_ring *a)
{
	a->pos = a->end;
	a->taken = true;
	if (a->overwrite && a->head_wraps) {
		a->tail_len = a->wrapped ? AUX_RING_TAIL : MIN(a->pos, (u64)AUX_RING_TAIL);
		copy_tail(a, a->tail, a->tail_len);
	}
	/* before it the bytes have been read */
	if (!a->overwrite)
		__atomic_store_n(&a->page->aux_tail, a->pos, __ATOMIC_RELEASE);
}
