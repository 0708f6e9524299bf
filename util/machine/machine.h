/*
 * Machine: what each process had mapped at which address, and its name, at any time of the recording. Built
 * from side-band records sorted by (time, file offset), then frozen; all queries are const and thread-safe.
 * Never touches the running system. Also owns the registry of dsos (identities only; symbols are in
 * util/sym).
 */
#ifndef PERF_MACHINE_MACHINE_H
#define PERF_MACHINE_MACHINE_H

#include "../base/arena.h"
#include "../base/diag.h"
#include "../base/strtab.h"
#include "../base/vec.h"
#include "../data/features.h"
#include "../event/sample.h"
#include "dso.h"

struct guest_maps;

#define ID_NONE UINT32_MAX

/* a point in the recording */
struct when {
	u64 time;		/* the file offset if the file has no times */
	u64 off;		/* file offset of the record: orders equal times */
};
#define WHEN_END ((struct when){ UINT64_MAX, UINT64_MAX })

static inline bool when_before(struct when a, struct when b)
{
	return a.time < b.time || (a.time == b.time && a.off < b.off);
}

/* protection bits of map.prot are PROT_*, flags MAP_*; 0 if the record had none */
struct map {
	u64 start, end;		/* ip: run-time addresses */
	u64 pgoff;		/* file offset (user) of start; kernel maps: see dso kind */
	struct when from;	/* it is there from then on until a later one covers it */
	u32 dso;		/* id in machine's dso registry */
	u32 prot, flags;
	u32 maj, min; u64 ino, ino_gen;
	bool is_mmap2;		/* the record had prot, flags and an object id */
};

/* the name of a thread from a time on */
struct comm_span {
	struct when from;
	u32 comm;		/* id in machine->comms */
	bool exec;
};

struct thread {
	u32 idx;
	s32 pid, tid;
	s32 ppid, ptid;		/* the process, and its task, that forked it; -1: unknown */
	bool from_map;		/* known by its map records alone, never forked or named */
	struct when birth;	/* 0, 0 if it existed before the recording */
	struct when death;	/* WHEN_END if it did not end */
	u32 maps;		/* idx of its address space */
	const struct comm_span *comms;
	u32 nr_comms;
	bool starts_nameless;	/* its first comm is ":TID" */
};

struct machine;

/*
 * Sample context: time and task. Made once per sample by session_sample_ctx() or locator_sample_ctx(), and
 * passed to everything that asks about the sample's task or looks up an address of the sample.
 */
struct sample_ctx {
	struct when when;
	s32 pid, tid;
	u32 maps;		/* address space; ID_NONE: unknown */
	const struct thread *thread;	/* NULL: unknown */
};

/*
 * Where an address is. dso_addr is the address to look up in the dso's symbol table (for user objects an
 * address based on file offsets: ip - map.start + map.pgoff; for kernel text, modules, JIT and BPF the ip
 * itself).
 */
struct loc {
	u32 dso;		/* ID_NONE: nothing is mapped there */
	u64 dso_addr;
	const struct map *map;	/* NULL: no map */
	u8 cpumode;		/* enum cpumode, changed by call-chain markers */
};

/*
 * References to side-band records in file order (any order is accepted). The machine sorts them by (time,
 * off), decodes MMAP, MMAP2, COMM, FORK, EXIT, KSYMBOL, BPF_EVENT, NAMESPACES, CGROUP, TEXT_POKE records and
 * builds itself. If the file has times, records without time count as earlier than all others, in file order;
 * if it has none at all, their file offset is used as time.
 */
struct sideband {
	struct { VEC(struct rec); } recs;
	struct arena arena;			/* for the bytes of recs, if they are copies */
	struct { VEC(u64); } times;		/* same length */
	bool has_time;				/* false: the file has no times, and times[] are offsets */
};

struct machine_opts {
	const struct evset *evset;
	const struct sample_plan *plan;
	const struct features *feat;	/* build-ids, arch */
	bool is_local;			/* recorded on this machine and kernel, as far as the header shows */
	/* the kernel of the guest, for recordings without its maps; or NULL */
	const struct guest_maps *guest;
	/* machine_append() will be called; feat must live as long as the machine */
	bool grows;
};

/* records of a sideband for which record_is_side_band() is false are ignored */
struct machine *machine_build(const struct sideband *sb, const struct machine_opts *opts, struct diag *diag);
/* the same in two steps: between them the machine is only an address that others may keep */
struct machine *machine_new(const struct machine_opts *opts);
void machine_fill(struct machine *w, const struct sideband *sb, struct diag *diag);
/*
 * For a recording that is read while it is made: adds records that are not older than any record before. Ids
 * that were returned (dsos, comms, maps) stay valid; pointers into the machine, and answers that were kept
 * with their span of time, do not.
 */
void machine_append(struct machine *w, const struct sideband *sb, struct diag *diag);
/*
 * The same for one that has no end: forgets the threads that ended before that time, and of the others old
 * names and maps that were covered, so that it grows with what lives, not with what has lived. Only times
 * after the last applied record may be asked about from then on; numbers of dsos and comms stay, those of
 * maps and threads do not. Does nothing as long as there is little to forget.
 */
void machine_compact(struct machine *w, u64 before);
void machine_free(struct machine *w);

/*
 * the context of a task at that time, with its thread and address space. Creates nothing: thread is NULL for
 * an unknown tid (its comm is ":TID"), and the address space is that of the leader then. Address spaces have
 * an id for each life of a process, shared by its threads; ID_NONE: unknown. An exec keeps the id, and the
 * old maps that no new ones cover: the call chain of the exec itself still ends in the old image.
 */
struct sample_ctx machine_sample_ctx(const struct machine *w, s32 pid, s32 tid, struct when when);
/*
 * contexts of samples of these tasks will be asked for: fetches all of them at once into the processor's
 * cache, where a look-up would wait for memory five times. Does nothing with few threads
 */
#define EXPECT_TASKS 16u
void machine_expect_tasks(const struct machine *w, const s32 *tid, u32 nr);
/*
 * the first name that a thread of that id has, for samples from before the recording mentions the thread;
 * ID_NONE if it never has one
 */
u32 machine_first_comm(const struct machine *w, s32 tid);
/*
 * its name at that time, or its first name if it had none yet (for which machine_comm_id() returns ":TID"). t
 * may be NULL: ID_NONE
 */
u32 machine_comm_or_first(const struct machine *w, const struct thread *t, struct when when);
u32 machine_nr_threads(const struct machine *w);
const struct thread *machine_thread_at(const struct machine *w, u32 idx);
/*
 * name of ctx->thread at that time; never NULL (":TID" if thread is NULL, valid until the thread's next call;
 * "swapper" for tid 0)
 */
const char *machine_comm(const struct machine *w, const struct sample_ctx *ctx);
/*
 * id in the comm table of its name at that time. A thread that side-band names only later is ":TID" until
 * then; t NULL: ID_NONE
 */
static inline u32 machine_comm_id(const struct machine *w, const struct thread *t, struct when when);
u32 machine_comm_search(const struct machine *w, const struct thread *t, struct when when);
const char *machine_comm_name(const struct machine *w, u32 comm);

/*
 * cpumode decides between kernel, user and guest maps; data maps count as well. loc.dso is ID_NONE where
 * nothing is mapped
 */
struct loc machine_locate(const struct machine *w, const struct sample_ctx *ctx, u8 cpumode, u64 ip);
/*
 * where an answer is valid: at all times inside (from, to), both exclusive, and for all addresses of [lo, hi)
 */
struct loc_span {
	u64 from, to;
	u64 lo, hi;
};
/* the same, and where else it holds: for caches */
struct loc machine_locate_span(const struct machine *w, const struct sample_ctx *ctx, u8 cpumode, u64 ip,
			       struct loc_span *ret);

/*
 * All maps of an address space at the end of the recording, sorted by start, cut to the parts that no later
 * map covers (pgoff follows start). Returns the number; the caller frees *ret. For --mmaps and tests.
 */
size_t machine_maps_at_end(const struct machine *w, u32 maps, struct map **ret);

const struct dsos *machine_dsos(const struct machine *w);
/* the cgroup namespace of an address space: device << 32 | inode; 0 if it was not recorded */
u64 machine_cgroup_ns(const struct machine *w, u32 maps);
const char *machine_cgroup(const struct machine *w, u64 id);	/* NULL if unknown */

/* most questions are about the last name, as threads take theirs early */
static inline u32 machine_comm_id(const struct machine *w, const struct thread *t, struct when when)
{
	if (likely(t && t->nr_comms && !when_before(when, t->comms[t->nr_comms - 1].from)))
		return t->comms[t->nr_comms - 1].comm;
	return machine_comm_search(w, t, when);
}

#endif
