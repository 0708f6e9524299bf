/*
 * The contents of a machine. While it is built, records change the newest state (maps of a process, names of
 * a thread); freezing sorts all of it into arrays. Private to util/machine.
 *
 * Maps are the address space of one process: its own maps, and the address space from which it was forked. A
 * fork copies nothing: an address that no own map covers is looked up in the parent's space at the time of
 * the fork. A map stays until another one covers it: there are records of mmap, but not of munmap. exec keeps
 * maps, too, because the call chains of the exec itself still end in the old image.
 */
#ifndef PERF_MACHINE_MACHINE_PRIVATE_H
#define PERF_MACHINE_MACHINE_PRIVATE_H

#include "machine.h"
#include "../base/cursor.h"

/*
 * Own maps in the order of time are own[0..nr_own). If no two of them overlap in address, flat holds them by
 * address: start[] are sorted map starts. Otherwise there is a segment tree over the sorted distinct
 * boundaries start[]: node[] lists, for each node of the tree, the positions in own[] of the maps that cover
 * the node's range, oldest first.
 */
#define MAPS_TEXTS 4
struct maps {
	s32 pid;
	u32 parent;			/* index of maps or ID_NONE */
	/*
	 * number of the parent's own maps that existed at the fork, its oldest ones; later ones
	 * are not inherited
	 */
	u32 parent_nr;
	u32 depth;			/* number of ancestors from which it inherits */
	u64 inherited;			/* number of own maps of all ancestors */
	u32 mnt_ns;
	u64 cgroup_ns;			/* device << 32 | inode */
	/* indices into machine->map: the first executable maps of its program, since the last exec */
	u32 text[MAPS_TEXTS];
	u32 nr_text;
	bool own_text;			/* it runs a program of its own: it was not only forked */
	u32 nr_own, alloc_own;
	u32 *own;			/* indices into machine->map */
	/* set by freezing, when there were nr_frozen own maps */
	u32 nr_frozen;
	u32 nr_start;
	u64 *start;
	/* position in own[] of the map at start[i]; NULL if there is a tree */
	u32 *flat;
	u32 *node_first;		/* 2 * nr_start + 1 */
	u32 *node;
};

struct thread_slot {
	s32 tid;
	u32 current;			/* idx of the living thread, or ID_NONE */
	u32 exited;			/* if an EXIT record ended it: idx of the last one; else ID_NONE */
	u32 first, nr;			/* when frozen: its lives in by_tid, oldest first */
};

struct comm_row {
	u32 thread;
	struct comm_span span;
};

struct cgroup_row {
	u64 id;
	const char *path;
};

/* positions in machine->maps that belong to no process */
enum { MAPS_KERNEL, MAPS_GUEST_KERNEL, MAPS_FIRST_USER };

struct machine {
	struct arena arena;
	struct strtab names;			/* file names of maps, cgroup paths */
	struct strtab comms;
	struct dsos dsos;
	struct { VEC(struct map); } map;
	struct { VEC(struct maps); } maps;
	struct { VEC(struct thread); } threads;
	struct { VEC(struct thread_slot); } slots;
	struct hidx slot_idx;
	/* the data needed for building is kept, because more records may come */
	bool grows;
	size_t full_threads, full_maps;		/* machine_compact() does nothing below these numbers */
	struct { VEC(u32); } comm_now;		/* while building: by thread, its newest name or ID_NONE */
	u32 *by_tid;				/* thread indices, grouped by slot */
	struct { VEC(struct comm_row); } comm_rows;	/* while building */
	struct comm_span *comm_spans;		/* frozen, grouped by thread */
	struct { VEC(struct cgroup_row); } cgroups;
	struct hidx cgroup_idx;
	struct { VEC(struct buildid_entry); } buildids;	/* while building: from the header and from records */
	struct hidx buildid_idx;		/* index of them by file name */
	const struct features *feat;
	const struct guest_maps *guest;		/* until the first records are applied */
	struct diag *diag;
};

/* dsos.c */
struct dso_key {
	const char *name;		/* as recorded */
	u8 cpumode;
	s32 pid;
	u32 prot, flags;
	u8 buildid[BUILDID_MAX];
	u8 buildid_len;
	u32 maj, min;
	u64 ino, ino_gen;
	u32 mnt_ns;
};
u32 dsos_get(struct machine *w, const struct dso_key *key);
/* executable memory that no file holds, or only a deleted one: a JIT compiler, or the program, wrote it */
bool dso_key_is_code(const struct dso_key *key);
/* the dso of a BPF program or trampoline, from its KSYMBOL */
u32 dsos_get_ksymbol(struct machine *w, const char *name);
/*
 * gives a build-id to dsos of that name whose own records have none, those that exist and those that come
 * later; the first entry counts
 */
void dsos_add_buildid(struct machine *w, const struct buildid_entry *e);
/* true if the header does not say */
bool arch_is_64bit(const struct features *feat);
void dsos_release(struct dsos *ds);
static inline struct dso *dso_mut(struct machine *w, u32 id)
{
	return w->dsos.dso.v[id];
}
/* whether addresses of this kind are run-time addresses, independent of the map's pgoff */
bool dso_kind_is_absolute(enum dso_kind kind);

/*
 * moved-text.c: programs copy their text to memory that they map in its place, for instance to huge pages.
 * Such memory keeps the dso of the text
 */
/* true: m is memory in place of the program's text; m->dso and pgoff are those of the text then */
bool moved_text_find(const struct machine *w, u32 maps, const struct dso_key *key, struct map *m);
/* to be called after each map: it may be text, or the end of a file in which memory has filled a hole */
void moved_text_added(struct machine *w, u32 maps, u32 map);

/* maps.c */
u32 maps_new(struct machine *w, s32 pid, u32 parent);
void maps_add_map(struct machine *w, u32 maps, u32 map);
void maps_freeze(struct machine *w, struct maps *s);
void maps_release(struct maps *s);
/* the map at ip at that time, or NULL, and the span in which the answer is the same */
const struct map *maps_find(const struct machine *w, u32 maps, u64 ip, struct when when,
			    struct loc_span *valid);

/* thread.c: while building */
struct thread_slot *threads_slot(struct machine *w, s32 tid);
struct thread *threads_get(struct machine *w, s32 pid, s32 tid, struct when now);
void threads_comm(struct machine *w, s32 pid, s32 tid, const char *name, bool exec, struct when now);
void threads_fork(struct machine *w, s32 pid, s32 ppid, s32 tid, s32 ptid, bool share_nothing,
		  struct when now);
void threads_exit(struct machine *w, s32 tid, struct when now);
void threads_freeze(struct machine *w);

#endif
