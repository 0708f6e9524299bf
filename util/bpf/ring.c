/* Ring: see ring.h. */
#include "ring.h"
#include "../base/fs.h"

#include <errno.h>
#include <sys/mman.h>

/* what begins a record: its length with two bits, and where it is */
struct ring_head {
	u32 len;
	u32 page;
};

int bpf_ring_create(struct bpf_ring *r, const char *name, u64 bytes, struct err *err)
{
	size_t page = page_size();
	struct bpf_map map;
	void *p, *q;
	int ret;

	if (bytes > UINT32_MAX)
		return err_set(err, -E2BIG, "a ring buffer of BPF programs can have at most 2 GB");
	ret = bpf_map_create(&map, BPF_MAP_TYPE_RINGBUF, name, 0, 0, bytes, 0, err);
	if (ret)
		return ret;
	*r = (struct bpf_ring){ .map = map, .size = bytes };
	p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, map.fd, 0);
	q = p == MAP_FAILED ? p : mmap(NULL, page + 2 * bytes, PROT_READ, MAP_SHARED, map.fd, page);
	if (q == MAP_FAILED) {
		ret = err_sys(err, errno, "a ring buffer of BPF programs cannot be mapped");
		if (p != MAP_FAILED)
			munmap(p, page);
		bpf_map_release(&r->map);
		return ret;
	}
	r->consumer = p;
	r->producer = q;
	r->data = (const u8 *)q + page;
	return 0;
}

void bpf_ring_read(struct bpf_ring *r, bpf_ring_fn fn, void *ctx)
{
	u64 end = __atomic_load_n(r->producer, __ATOMIC_ACQUIRE);
	u64 at = *r->consumer;

	while (at < end) {
		const struct ring_head *h = (const void *)(r->data + (at & (r->size - 1)));
		u32 word = __atomic_load_n(&h->len, __ATOMIC_ACQUIRE);
		u32 len = word & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);

		if (word & BPF_RINGBUF_BUSY_BIT || len > r->size - sizeof(*h))
			break;
		if (!(word & BPF_RINGBUF_DISCARD_BIT))
			fn(ctx, h + 1, len);
		at += (len + sizeof(*h) + 7) & ~7ull;
	}
	__atomic_store_n(r->consumer, at, __ATOMIC_RELEASE);
}

void bpf_ring_release(struct bpf_ring *r)
{
	if (r->consumer) {
		munmap(r->consumer, page_size());
		munmap((void *)r->producer, page_size() + 2 * r->size);
	}
	r->consumer = NULL;
	bpf_map_release(&r->map);
}
