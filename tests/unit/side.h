/* Side: assembles side-band records in memory, for tests of the machine. The test sets times and offsets. */
#ifndef PERF_TESTS_UNIT_SIDE_H
#define PERF_TESTS_UNIT_SIDE_H

#include "bytes.h"
#include "../../util/event/record-type.h"
#include "../../util/machine/machine.h"

#include <string.h>

struct side {
	struct arena arena;
	struct sideband sb;
	u64 off;		/* of the next record */
};

struct side_rec {
	u8 b[512];
	u32 n;
};

static inline void side_put(struct side_rec *r, u64 v, u32 bytes)
{
	memcpy(r->b + r->n, low_bytes(&v, bytes), bytes);
	r->n += bytes;
}

static inline void side_str(struct side_rec *r, const char *s)
{
	memset(r->b + r->n, 0, ALIGN_UP(strlen(s) + 1, 8));
	memcpy(r->b + r->n, s, strlen(s));
	r->n += ALIGN_UP(strlen(s) + 1, 8);
}

static inline void side_add(struct side *s, u32 type, u16 misc, u64 time, struct side_rec *r)
{
	struct rec rec = { .size = r->n, .type = type, .misc = misc, .off = s->off };
	struct rec_header h = { type, misc, r->n };

	memcpy(r->b, &h, sizeof(h));
	rec.p = arena_memdup(&s->arena, r->b, r->n);
	vec_push(&s->sb.recs, rec);
	vec_push(&s->sb.times, time);
	s->sb.has_time = true;
	s->off += r->n;
}

static inline void side_comm(struct side *s, u64 time, s32 pid, s32 tid, const char *comm, bool exec)
{
	struct side_rec r = { .n = 8 };

	side_put(&r, (u32)pid, 4);
	side_put(&r, (u32)tid, 4);
	side_str(&r, comm);
	side_add(s, REC_COMM, exec ? MISC_COMM_EXEC : 0, time, &r);
}

static inline void side_task(struct side *s, u32 type, u16 misc, u64 time, s32 pid, s32 ppid, s32 tid,
			     s32 ptid)
{
	struct side_rec r = { .n = 8 };

	side_put(&r, (u32)pid, 4);
	side_put(&r, (u32)ppid, 4);
	side_put(&r, (u32)tid, 4);
	side_put(&r, (u32)ptid, 4);
	side_put(&r, time, 8);
	side_add(s, type, misc, time, &r);
}

static inline void side_fork(struct side *s, u64 time, s32 pid, s32 ppid, s32 tid, s32 ptid)
{
	side_task(s, REC_FORK, 0, time, pid, ppid, tid, ptid);
}

static inline void side_exit(struct side *s, u64 time, s32 pid, s32 tid)
{
	side_task(s, REC_EXIT, 0, time, pid, pid, tid, tid);
}

/* PROT_READ|PROT_EXEC, inode 77 of device 8:1 */
static inline void side_mmap2(struct side *s, u64 time, u16 misc, s32 pid, s32 tid, u64 start, u64 len,
			      u64 pgoff, const char *name)
{
	struct side_rec r = { .n = 8 };

	side_put(&r, (u32)pid, 4);
	side_put(&r, (u32)tid, 4);
	side_put(&r, start, 8);
	side_put(&r, len, 8);
	side_put(&r, pgoff, 8);
	side_put(&r, 8, 4);
	side_put(&r, 1, 4);
	side_put(&r, 77, 8);
	side_put(&r, 0, 8);
	side_put(&r, 5, 4);
	side_put(&r, 2, 4);
	side_str(&r, name);
	side_add(s, REC_MMAP2, misc, time, &r);
}

static inline void side_ksymbol(struct side *s, u64 time, u64 addr, u32 len, u16 flags, const char *name)
{
	struct side_rec r = { .n = 8 };

	side_put(&r, addr, 8);
	side_put(&r, len, 4);
	side_put(&r, 1, 2);
	side_put(&r, flags, 2);
	side_str(&r, name);
	side_add(s, REC_KSYMBOL, 0, time, &r);
}

static inline struct machine *side_machine(struct side *s, struct diag *diag)
{
	struct machine_opts opts = { 0 };

	return machine_build(&s->sb, &opts, diag);
}

#endif
