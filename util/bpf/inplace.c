/* In-place: see inplace.h. */
#include "inplace.h"
#include "registers.h"
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

void bpf_inplace_begin(struct bpf_code *c, const struct bpf_inplace *model, const struct bpf_map *rings,
		       u8 room, s16 at, s16 key, u32 out)
{
	u32 fits = bpf_label(c);

	bpf_call_helper(c, BPF_FUNC_get_smp_processor_id);
	bpf_store(c, BPF_W, FRAME, key, R0);
	bpf_lookup(c, rings->fd, key);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, out);
	bpf_store_imm(c, BPF_W, FRAME, key, 0);
	bpf_copy(c, R1, R0);
	bpf_frame_address(c, R2, key);
	bpf_call_helper(c, BPF_FUNC_map_lookup_elem);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, out);
	bpf_store(c, BPF_DW, FRAME, at, R0);
	bpf_load(c, BPF_DW, R1, R0, HEAD(written));
	bpf_load(c, BPF_DW, R2, R0, HEAD(read));
	bpf_copy(c, R3, R1);
	bpf_alu(c, BPF_SUB, R3, R2);
	bpf_jump_imm(c, BPF_JLE, R3, (s32)(model->size - model->room - sizeof(u64)), fits);
	bpf_load(c, BPF_DW, R1, R0, HEAD(lost));
	bpf_alu_imm(c, BPF_ADD, R1, 1);
	bpf_store(c, BPF_DW, R0, HEAD(lost), R1);
	bpf_jump_always(c, out);
	bpf_place(c, fits);
	bpf_alu_imm(c, BPF_AND, R1, (s32)(model->size - 1));
	bpf_copy(c, room, R0);
	bpf_alu(c, BPF_ADD, room, R1);
	bpf_alu_imm(c, BPF_ADD, room, sizeof(struct bpf_inplace_head) + sizeof(u64));
}

void bpf_inplace_end(struct bpf_code *c, const struct bpf_inplace *model, u8 room, s16 at, u32 enough,
		     u32 few)
{
	u32 inside = bpf_label(c);

	bpf_store(c, BPF_DW, room, -(s16)sizeof(u64), R3);
	bpf_load(c, BPF_DW, R1, FRAME, at);
	bpf_alu_imm(c, BPF_ADD, R3, sizeof(u64) + 7);
	bpf_alu_imm(c, BPF_AND, R3, -8);
	bpf_load(c, BPF_DW, R2, R1, HEAD(written));
	bpf_copy(c, R4, R2);
	bpf_alu_imm(c, BPF_AND, R4, (s32)(model->size - 1));
	bpf_alu(c, BPF_ADD, R4, R3);
	bpf_alu(c, BPF_ADD, R2, R3);
	bpf_jump_imm(c, BPF_JLT, R4, (s32)model->size, inside);
	bpf_alu_imm(c, BPF_AND, R2, -(s32)model->size);
	bpf_place(c, inside);
	bpf_store(c, BPF_DW, R1, HEAD(written), R2);
	bpf_load(c, BPF_DW, R5, R1, HEAD(unread));
	bpf_alu(c, BPF_ADD, R5, R3);
	bpf_store(c, BPF_DW, R1, HEAD(unread), R5);
	bpf_jump_imm(c, BPF_JLT, R5, (s32)enough, few);
	bpf_store_imm(c, BPF_DW, R1, HEAD(unread), 0);
}
