/*
 * Records and samples decoded from bytes. A struct rec points at one record in place; sample_decode() turns a
 * SAMPLE (or the sample_id trailer of any other record) into a struct sample whose pointers point into the
 * record, or into the scratch arena where the file has the other byte order or fields are unaligned. Layout:
 * <linux/perf_event.h>, comment at PERF_RECORD_SAMPLE.
 */
#ifndef PERF_EVENT_SAMPLE_H
#define PERF_EVENT_SAMPLE_H

#include "event.h"
#include "../base/arena.h"
#include "../base/err.h"

struct rec {
	const u8 *p;		/* the header; size bytes are readable from here */
	u32 size;		/* whole record, header included; >= 8 */
	u32 type;		/* enum rec_type, or anything */
	u16 misc;
	/* the bytes are in the other byte order (type, misc and size here are already native) */
	bool swap;
	u64 off;		/* file offset, for messages and to order records of equal times */
};

struct branch_entry {
	u64 from, to;
	/*
	 * mispred:1 predicted:1 in_tx:1 abort:1 cycles:16 type:4 spec:2 new_type:4 priv:3
	 * not_taken:1, lowest first
	 */
	u64 flags;
};
#define BRANCH_MISPRED		1u
#define BRANCH_PREDICTED	2u
#define BRANCH_IN_TX		4u
#define BRANCH_ABORT		8u
#define BRANCH_CYCLES(flags)	((u32)((flags) >> 4 & 0xffff))
#define BRANCH_NOT_TAKEN	(1ull << 33)
/* "COND"; "" if it has no type, NULL if the type is unknown */
const char *branch_type_name(u64 flags);
/* "SPEC_WRONG_PATH" and the like; "" if nothing is known */
const char *branch_spec_name(u64 flags);

struct read_value {
	u64 value, id, lost;
};

struct sample {
	const struct event *event;	/* by id; NULL if the file does not declare the id */
	u64 id, stream_id;
	u64 ip, time, addr;
	u64 period;			/* if not sampled: the attribute's period or frequency */
	u32 pid, tid, cpu;		/* (u32)-1 if not sampled */
	u8 cpumode;			/* enum cpumode, from the record's misc */
	u16 misc;
	u64 weight;			/* PERF_SAMPLE_WEIGHT, or var1 of WEIGHT_STRUCT */
	u16 ins_lat, p_stage_cyc;	/* var2, var3 of WEIGHT_STRUCT */
	/* u64 MEMBER of each row of kind U64: data_src, transaction, phys_addr, cgroup, page sizes ... */
#define MEMBER_U64(member) u64 member;
#define MEMBER_SLOT(member)
#define MEMBER_OWN(member)
#define SAMPLE_FIELD(name, bit, place, kind, member, ...) MEMBER_##kind(member)
#include "sample-fields.def"
#undef SAMPLE_FIELD
#undef MEMBER_U64
#undef MEMBER_SLOT
#undef MEMBER_OWN
	/* nr_callchain entries, context markers included; NULL if not sampled */
	const u64 *callchain;
	u64 nr_callchain;
	const void *raw;		/* PERF_SAMPLE_RAW payload, file byte order */
	u32 raw_size;
	const struct branch_entry *branches;	/* newest first */
	const u64 *branch_counters;	/* one per branch, or NULL */
	u64 nr_branches, branch_hw_idx;	/* hw_idx: (u64)-1 if not recorded */
	u64 user_abi, intr_abi;		/* 0: no registers */
	const u64 *user_regs, *intr_regs;	/* in order of the set bits of the masks */
	const void *user_stack;		/* not NULL if the event samples it, even if it is empty */
	u64 user_stack_size;		/* dyn_size: bytes that are valid */
	bool user_stack_full;		/* as many as fit: the stack may go on above them */
	u64 time_enabled, time_running;	/* PERF_SAMPLE_READ */
	const struct read_value *reads;
	u64 nr_reads;
	const void *aux;
	u64 aux_size;
	u64 deferred_cookie;		/* of a chain that ends with CHAIN_USER_DEFERRED */
};

/*
 * What is needed to decode the records of a set, computed once: where the id is, and which fields each event
 * has. Const afterwards, so threads share it. The set must outlive the plan.
 */
struct sample_plan;
struct sample_plan *sample_plan_new(const struct evset *set);
void sample_plan_free(struct sample_plan *plan);
/*
 * Samples of the event have the address of a probe in RAW, at off. x86 records the address after its
 * breakpoint as ip and as the innermost frame: decoding replaces it. To be called before threads share the
 * plan.
 */
void sample_plan_set_probe(struct sample_plan *plan, const struct event *event, u32 off);
/*
 * Samples of the event have these fields (CALLCHAIN, BRANCH_STACK) not in their records: find returns what
 * they are for the record at p, false if there is nothing. As above
 */
struct sample_history {
	const u64 *chain;
	u64 nr_chain;
	const struct branch_entry *branch;
	u64 nr_branches;
};
typedef bool sample_find_history(const void *ctx, const u8 *p, struct sample_history *ret);
void sample_plan_set_history(struct sample_plan *plan, const struct event *event, u64 fields,
			     sample_find_history *find, const void *ctx);

/*
 * the event that a record belongs to: by its id, or the only event there is; NULL if unknown. For a SAMPLE or
 * any record with a trailer
 */
const struct event *sample_event(const struct sample_plan *plan, const struct rec *rec);

/*
 * Decodes a SAMPLE record; fields that were not sampled are 0 / NULL / -1. Scratch is only used for
 * byte-swapped or unaligned arrays and may be reset between records. Returns 0, -ENOENT for an id that is not
 * declared, or -EBADMSG for a record that is shorter than its fields.
 */
int sample_decode(const struct sample_plan *plan, const struct rec *rec, struct sample *out,
		  struct arena *scratch);

/*
 * The same for the samples of one event, that sample_event() found, one after another into the same struct,
 * all zeros at first: what samples of the event never have is written once.
 */
int sample_decode_again(const struct sample_plan *plan, const struct rec *rec, const struct event *event,
			struct sample *out, struct arena *scratch);

/*
 * The same without the fields after PERIOD, for those who read no other members: they are not set. false: the
 * event is not known, its records may have other sizes, or this one does not have its size
 */
bool sample_decode_numbers(const struct sample_plan *plan, const struct rec *rec, struct sample *out);

/*
 * The sample_id trailer of a kernel record that is not a SAMPLE: pid, tid, time, id, cpu, stream_id. time is
 * 0 if it has none.
 */
int sample_decode_id(const struct sample_plan *plan, const struct rec *rec, struct sample *out);

/* the time of any record (SAMPLE or trailer), cheaply, without decoding the rest; false if it has none */
bool sample_time(const struct sample_plan *plan, const struct rec *rec, u64 *ret_time);

/*
 * where the time is in the SAMPLE records of all events; 0: not at the same offset, or in the other byte
 * order
 */
u32 sample_time_offset(const struct sample_plan *plan, bool swap);
/* sample_time() with that offset, for those who walk over all records */
static inline bool sample_time_at(const struct sample_plan *plan, u32 off, const struct rec *rec,
				  u64 *ret_time)
{
	if (unlikely(!off || rec->type != ABI_RECORD_SAMPLE || off + 8 > rec->size))
		return sample_time(plan, rec, ret_time);
	__builtin_memcpy(ret_time, rec->p + off, 8);
	return true;
}

#endif
