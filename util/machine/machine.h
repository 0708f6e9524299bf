/*
 * Machine: which process had what mapped where, and what it was called, at any time of the recording. Built from side-band
 * records sorted by (time, file offset), then frozen; all queries are const and thread-safe. Never touches the running
 * machine. Also owns the registry of dsos (identities only; symbols come from util/sym).
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

#define ID_NONE UINT32_MAX

/* protection bits of map.prot are PROT_*, flags MAP_*; 0 where the record had none */
struct map {
	u64 start, end;		/* ip: run-time addresses */
	u64 pgoff;		/* file offset (user) of start; kernel maps: see dso kind */
	u64 from_time, to_time;	/* from when it was there, until a later one covers it; to_time is UINT64_MAX */
	u64 from_off, to_off;	/* file offsets that break ties in time */
	u32 dso;		/* id in machine's dso registry */
	u32 prot, flags;
	u32 maj, min; u64 ino, ino_gen;
	bool is_mmap2;		/* the record had prot, flags and an object id */
};

/* one thread's name over time */
struct comm_span {
	u64 time, off;		/* from when */
	u32 comm;		/* id in machine->comms */
	bool exec;
};

struct thread {
	u32 idx;
	s32 pid, tid;
	s32 ppid;		/* process that forked it; -1 unknown */
	bool from_map;		/* known by its map records alone, never forked or named */
	u64 birth_time, birth_off;		/* 0, 0 where it was there before the recording */
	u64 death_time, death_off;		/* UINT64_MAX where it outlived it */
	u32 maps;		/* idx of its address space at birth; exec starts a new one: machine_maps() answers by time */
	const struct comm_span *comms;
	u32 nr_comms;
	bool starts_nameless;	/* its first comm is ":TID" */
};

struct machine;

/*
 * Sample context: who and when. Made once per sample by session_sample_ctx(); whatever looks up an address of the sample takes it.
 */
struct sample_ctx {
	u64 time;		/* the file offset where the file has no times */
	u64 off;		/* file offset of the record: breaks ties in time */
	s32 pid, tid;
	u32 maps;		/* address space; ID_NONE: unknown */
	const struct thread *thread;	/* NULL: unknown */
};

/* Where an address landed. dso_addr: address that the dso's symbol table is asked for (file offset based for user objects:
 * ip - map.start + map.pgoff; the ip itself for kernel text, modules, JIT and BPF). */
struct loc {
	u32 dso;		/* ID_NONE: no map there */
	u64 dso_addr;
	const struct map *map;	/* NULL: no map */
	u8 cpumode;		/* enum cpumode after call-chain markers */
};

/*
 * Side-band record references in file order (any order is accepted). The machine sorts them by (time, off), decodes MMAP, MMAP2,
 * COMM, FORK, EXIT, KSYMBOL, BPF_EVENT, NAMESPACES, CGROUP, TEXT_POKE records and builds itself. Records without time count as
 * "before everything" in file order where the file has times, and use their offset as time where it has none at all.
 */
struct sideband {
	struct { VEC(struct rec); } recs;
	struct arena arena;			/* for the bytes of recs, where they are copies */
	struct { VEC(u64); } times;		/* same length */
	bool has_time;				/* false: the file has no time stamps, times[] are offsets */
};

struct machine_opts {
	const struct evset *evset;
	const struct sample_plan *plan;
	const struct features *feat;	/* build-ids, arch */
	bool is_local;			/* recorded on this machine and kernel as far as the header tells */
	bool grows;			/* machine_append() will be called; feat must live as long as the machine */
};

/* of a sideband, records that are not record_is_side_band() say nothing here */
struct machine *machine_build(const struct sideband *sb, const struct machine_opts *opts, struct diag *diag);
/*
 * For a recording that is read while it is made: records that are not older than any applied before. Numbers that were given
 * out (dsos, comms, maps) stay; pointers into the machine and answers that were kept with their span do not.
 */
void machine_append(struct machine *w, const struct sideband *sb, struct diag *diag);
void machine_free(struct machine *w);

/* threads: by (tid, time); creates nothing, so an unknown tid gives NULL: its comm is ":TID" then */
const struct thread *machine_thread(const struct machine *w, s32 pid, s32 tid, u64 time, u64 off);
/* the first name that a thread of that id has, for what it did before the recording told of it; ID_NONE where it never does */
u32 machine_first_comm(const struct machine *w, s32 tid);
/* its name at that time, or its first one where it had none yet; machine_comm_id() says ":TID" then. t may be NULL: ID_NONE */
u32 machine_comm_or_first(const struct machine *w, const struct thread *t, u64 time, u64 off);
u32 machine_nr_threads(const struct machine *w);
const struct thread *machine_thread_at(const struct machine *w, u32 idx);
/* name at that time; never NULL (":TID" for unknown ones, good until the thread's next call; "swapper" for tid 0) */
const char *machine_comm(const struct machine *w, s32 pid, s32 tid, u64 time, u64 off);
/* comm id in the comm table at that time. A thread that side-band names only later is ":TID" until then; t NULL: ID_NONE */
u32 machine_comm_id(const struct machine *w, const struct thread *t, u64 time, u64 off);
const char *machine_comm_name(const struct machine *w, u32 comm);

/* address spaces: an id for each life of a process, shared by its threads; ID_NONE unknown. An exec keeps the id, and the
 * old maps where no new ones cover them: the call chain of the exec itself still ends in the old image. */
u32 machine_maps(const struct machine *w, s32 pid, s32 tid, u64 time, u64 off);
/* cpumode decides between kernel, user and guest maps; data maps count as well. loc.dso is ID_NONE where nothing is mapped */
struct loc machine_locate(const struct machine *w, const struct sample_ctx *ctx, u8 cpumode, u64 ip);
/* how far an answer reaches: all times inside (from, to), both exclusive, and all addresses of [lo, hi) */
struct loc_span {
	u64 from, to;
	u64 lo, hi;
};
/* the same, and where else it holds: for caches */
struct loc machine_locate_span(const struct machine *w, const struct sample_ctx *ctx, u8 cpumode, u64 ip, struct loc_span *ret);

/*
 * All maps of an address space at the end of the recording, in start order, cut to what later ones left of them (pgoff follows start).
 * Returns how many; *ret is the caller's to free. For --mmaps and tests.
 */
size_t machine_maps_at_end(const struct machine *w, u32 maps, struct map **ret);

const struct dsos *machine_dsos(const struct machine *w);
/* the cgroup namespace of an address space: device << 32 | inode; 0 where it was not recorded */
u64 machine_cgroup_ns(const struct machine *w, u32 maps);
const char *machine_cgroup(const struct machine *w, u64 id);	/* NULL where unknown */

#endif
