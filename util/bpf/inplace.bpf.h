/* Inplace.bpf: the writer of the rings of inplace.h. */
#ifndef PERF_BPF_INPLACE_BPF_H
#define PERF_BPF_INPLACE_BPF_H

#include "common.bpf.h"
#include "inplace-types.h"

/*
 * The room for the next record in the ring of this CPU, one of an array of maps by CPU; NULL if this CPU has
 * no ring, or it is full, which is counted. size: of the ring; room: of a record
 */
static __always_inline void *inplace_begin(void *rings, u64 size, u64 room,
					   struct bpf_inplace_head **ret_head)
{
	u32 cpu = bpf_get_smp_processor_id(), first = 0;
	void *ring = bpf_map_lookup_elem(rings, &cpu);
	struct bpf_inplace_head *head = ring ? bpf_map_lookup_elem(ring, &first) : NULL;

	if (!head)
		return NULL;
	*ret_head = head;
	if (head->written - *(volatile u64 *)&head->read > size - room - sizeof(u64)) {
		head->lost++;
		return NULL;
	}
	return (void *)head + (head->written & (size - 1)) + sizeof(*head) + sizeof(u64);
}

/*
 * The record has this number of bytes, and can be read from now on. True if `enough` bytes were written since
 * this was true: then the reader should be woken
 */
static __always_inline bool inplace_end(struct bpf_inplace_head *head, void *record, u64 bytes, u64 size,
					u64 enough)
{
	u64 step = (bytes + sizeof(u64) + 7) & -8ull, end = head->written + step;

	((u64 *)record)[-1] = bytes;
	if ((head->written & (size - 1)) + step >= size)
		end &= -size;
	/* the compiler keeps the order, and so do the machines that have these rings */
	asm volatile("" ::: "memory");
	*(volatile u64 *)&head->written = end;
	head->unread += step;
	if (head->unread < enough)
		return false;
	head->unread = 0;
	return true;
}

#endif
