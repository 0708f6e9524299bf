/* In-place: see inplace.h. */
#include "inplace.h"
#include "../base/fs.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

#define SIZE_MAX_BYTES (256u << 20)
#define HEAD(field) offsetof(struct bpf_inplace_head, field)

_Static_assert(sizeof(struct bpf_inplace_head) == 128 && HEAD(read) == 64, "two cache lines");

/* of the value */
static u64 bytes_of(u64 size, u32 room)
{
	return sizeof(struct bpf_inplace_head) + size + ((sizeof(u64) + room + 7) & ~7u);
}

static u64 mapped_bytes(const struct bpf_inplace *r)
{
	return (bytes_of(r->size, r->room) + page_size() - 1) & ~((u64)page_size() - 1);
}

int bpf_inplace_create(struct bpf_inplace *r, const char *name, u64 size, u32 room, struct err *err)
{
	struct bpf_map map;
	void *p;
	int ret;

	if (size > SIZE_MAX_BYTES || size & (size - 1) || size < 4 * (u64)room)
		return err_set(err, -E2BIG, "a ring buffer of BPF programs cannot have this size");
	ret = bpf_map_create(&map, BPF_MAP_TYPE_ARRAY, name, 4, bytes_of(size, room), 1, BPF_F_MMAPABLE, err);
	if (ret)
		return ret;
	*r = (struct bpf_inplace){ .map = map, .size = size, .room = room };
	p = mmap(NULL, mapped_bytes(r), PROT_READ | PROT_WRITE, MAP_SHARED, map.fd, 0);
	if (p == MAP_FAILED) {
		ret = err_sys(err, errno, "a ring buffer of BPF programs cannot be mapped");
		bpf_map_release(&r->map);
		return ret;
	}
	r->head = p;
	r->data = (const u8 *)p + sizeof(*r->head);
	return 0;
}

void bpf_inplace_read(struct bpf_inplace *r, bpf_inplace_fn fn, void *ctx)
{
	u64 end = __atomic_load_n(&r->head->written, __ATOMIC_ACQUIRE), at = r->head->read;

	while (at < end) {
		u64 off = at & (r->size - 1);
		const u64 *record = (const void *)(r->data + off);
		u64 len = *record;

		if (len > r->room) {
			at = end;	/* no program writes this */
			break;
		}
		fn(ctx, record + 1, len);
		len = (sizeof(*record) + len + 7) & ~7ull;
		at += len;
		if (off + len >= r->size)
			at &= ~(r->size - 1);
	}
	__atomic_store_n(&r->head->read, at, __ATOMIC_RELEASE);
}

u64 bpf_inplace_lost(const struct bpf_inplace *r)
{
	return __atomic_load_n(&r->head->lost, __ATOMIC_RELAXED);
}

void bpf_inplace_release(struct bpf_inplace *r)
{
	if (r->head)
		munmap(r->head, mapped_bytes(r));
	r->head = NULL;
	bpf_map_release(&r->map);
}
