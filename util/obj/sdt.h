/*
 * Sdt: statically defined markers of a program: notes "stapsdt" of type 3 in .note.stapsdt. A note has three
 * addresses (the marker's place, the address of .stapsdt.base when it was written, the marker's semaphore or
 * 0),
 * then provider, name and arguments, each ended by a NUL. If .stapsdt.base has moved since (prelink), the
 * addresses have moved as far.
 */
#ifndef PERF_OBJ_SDT_H
#define PERF_OBJ_SDT_H

#include "../base/arena.h"
#include "../base/vec.h"

struct elf_obj;

struct sdt_marker {
	const char *provider, *name;
	const char *args;	/* "8@%rdi -4@$5", or "" */
	u64 svma;
	u64 semaphore;		/* svma; 0: none */
};
struct sdt_markers {
	VEC(struct sdt_marker);
	struct arena mem;
};

/* adds the markers in the order of the file; damaged notes are passed over */
void sdt_markers_read(const struct elf_obj *o, struct sdt_markers *out);
void sdt_markers_release(struct sdt_markers *m);

#endif
