/*
 * World: which process had what mapped where, and what it was called, at any time of the recording. Built from side-band
 * records sorted by (time, file offset), then frozen; all queries are const and thread-safe. Never touches the running
 * machine. Also owns the registry of dsos (identities only; symbols come from util/sym).
 */
#ifndef PERF_WORLD_WORLD_H
#define PERF_WORLD_WORLD_H

#include "../base/arena.h"
#include "../base/diag.h"
#include "../base/strtab.h"
#include "../base/vec.h"
#include "../data/features.h"
#include "../event/sample.h"
#include "dso.h"

#define WORLD_NONE UINT32_MAX

/* protection bits of map.prot are PROT_*, flags MAP_*; 0 where the record had none */
struct map {
	u64 start, end;		/* ip: run-time addresses */
	u64 pgoff;		/* file offset (user) of start; kernel maps: see dso kind */
	u64 from_time, to_time;	/* from when it was there, until a later one covers it; to_time is UINT64_MAX */
	u64 from_off, to_off;	/* file offsets that break ties in time */
	u32 dso;		/* id in world's dso registry */
	u32 prot, flags;
	u32 maj, min; u64 ino, ino_gen;
	bool is_mmap2;		/* the record had prot, flags and an object id */
};

/* one thread's name over time */
struct comm_span {
	u64 time, off;		/* from when */
	u32 comm;		/* id in world->comms */
	bool exec;
};

struct thread {
	u32 idx;
	s32 pid, tid;
	s32 ppid;		/* process that forked it; -1 unknown */
	bool from_map;		/* known by its map records alone, never forked or named */
	u64 birth_time, birth_off;		/* 0, 0 where it was there before the recording */
	u64 death_time, death_off;		/* UINT64_MAX where it outlived it */
	u32 space;		/* idx of its address space at birth; exec starts a new one: world_space() answers by time */
	const struct comm_span *comms;
	u32 nr_comms;
	bool starts_nameless;	/* its first comm is ":TID" */
};

struct world;

/* Where an address landed. dso_addr: address that the dso's symbol table is asked for (file offset based for user objects:
 * ip - map.start + map.pgoff; the ip itself for kernel text, modules, JIT and BPF). */
struct loc {
	u32 dso;		/* WORLD_NONE: no map there */
	u64 dso_addr;
	const struct map *map;	/* NULL: no map */
	u8 cpumode;		/* enum cpumode after call-chain markers */
};

/*
 * Side-band record references in file order (any order is accepted). The world sorts them by (time, off), decodes MMAP, MMAP2,
 * COMM, FORK, EXIT, KSYMBOL, BPF_EVENT, NAMESPACES, CGROUP, TEXT_POKE records and builds itself. Records without time count as
 * "before everything" in file order where the file has times, and use their offset as time where it has none at all.
 */
struct sideband {
	struct { VEC(struct rec); } recs;
	struct arena arena;			/* for the bytes of recs, where they are copies */
	struct { VEC(u64); } times;		/* same length */
	bool has_time;				/* false: the file has no time stamps, times[] are offsets */
};

struct world_opts {
	const struct evset *evset;
	const struct sample_plan *plan;
	const struct features *feat;	/* build-ids, arch */
	bool is_local;			/* recorded on this machine and kernel as far as the header tells */
	bool grows;			/* world_append() will be called; feat must live as long as the world */
};

/* whether records of that type change a world: the others need not be in a sideband */
bool world_wants(u32 rec_type);
struct world *world_build(const struct sideband *sb, const struct world_opts *opts, struct diag *diag);
/*
 * For a recording that is read while it is made: records that are not older than any applied before. Numbers that were given
 * out (dsos, comms, spaces) stay; pointers into the world and answers that were kept with their span do not.
 */
void world_append(struct world *w, const struct sideband *sb, struct diag *diag);
void world_free(struct world *w);

/* threads: by (tid, time); creates nothing, so an unknown tid gives NULL: its comm is ":TID" then */
const struct thread *world_thread(const struct world *w, s32 pid, s32 tid, u64 time, u64 off);
/* the first name that a thread of that id has, for what it did before the recording told of it; WORLD_NONE where it never does */
u32 world_first_comm(const struct world *w, s32 tid);
/* its name at that time, or its first one where it had none yet; world_comm_id() says ":TID" then. t may be NULL: WORLD_NONE */
u32 world_comm_or_first(const struct world *w, const struct thread *t, u64 time, u64 off);
u32 world_nr_threads(const struct world *w);
const struct thread *world_thread_at(const struct world *w, u32 idx);
/* name at that time; never NULL (":TID" for unknown ones, good until the thread's next call; "swapper" for tid 0) */
const char *world_comm(const struct world *w, s32 pid, s32 tid, u64 time, u64 off);
/* comm id in the comm table at that time. A thread that side-band names only later is ":TID" until then; t NULL: WORLD_NONE */
u32 world_comm_id(const struct world *w, const struct thread *t, u64 time, u64 off);
const char *world_comm_name(const struct world *w, u32 comm);

/* address spaces: an id for each life of a process, shared by its threads; WORLD_NONE unknown. An exec keeps the id, and the
 * old maps where no new ones cover them: the call chain of the exec itself still ends in the old image. */
u32 world_space(const struct world *w, s32 pid, s32 tid, u64 time, u64 off);
/* cpumode decides between kernel, user and guest maps. loc.dso is WORLD_NONE where nothing is mapped */
struct loc world_locate(const struct world *w, u32 space, u8 cpumode, u64 ip, u64 time, u64 off);
/* how far an answer reaches: all times inside (from, to), both exclusive, and all addresses of [lo, hi) */
struct loc_span {
	u64 from, to;
	u64 lo, hi;
};
/* the same, and where else it holds: for caches */
struct loc world_locate_span(const struct world *w, u32 space, u8 cpumode, u64 ip, u64 time, u64 off, struct loc_span *ret);
/* any map there, data maps included, for addr fields */
struct loc world_locate_data(const struct world *w, u32 space, u8 cpumode, u64 addr, u64 time, u64 off);

/*
 * All maps of a space at the end of the recording, in start order, cut to what later ones left of them (pgoff follows start).
 * Returns how many; *ret is the caller's to free. For --mmaps and tests.
 */
size_t world_space_maps(const struct world *w, u32 space, struct map **ret);

const struct dsos *world_dsos(const struct world *w);
/* the cgroup namespace of a space: device << 32 | inode; 0 where it was not recorded */
u64 world_cgroup_ns(const struct world *w, u32 space);
const char *world_cgroup(const struct world *w, u64 id);	/* NULL where unknown */

#endif
