/*
 * Debug-binary: the file with the debug information of a probe's target, which is searched for as util/sym
 * does, opened for libelf and libdw; and what its header says of the machine.
 */
#ifndef PERF_PROBE_DEBUG_BINARY_H
#define PERF_PROBE_DEBUG_BINARY_H

#include <elfutils/libdw.h>
#include "../base/err.h"
#include "../obj/elf-obj.h"
#include "../obj/elf-sections.h"

struct arch;
struct probe_target;

struct debug_binary {
	const struct probe_target *t;
	char *target;		/* what is probed, as the user named it */
	char *path;		/* file with the debug information */
	char *linked;		/* its relocated copy; NULL unless it is a relocatable file (.o, .ko) */
	int fd;			/* -1: not open */
	Elf *elf;		/* libdw's; its sections may be unpacked */
	struct elf_unpacked unpacked;
	Dwarf *dw;
	struct elf_obj *obj;	/* the same file as it is */
	const struct arch *arch;	/* NULL: unknown machine */
	bool is64, is_big_endian, is_kernel;
};

/*
 * Finds the file; t is kept. 0, -ENODATA if there is no debug information (a hint says which package), or
 * -ENOENT if there is no such target. err is not NULL, as in debug_binary_open()
 */
int debug_binary_find(struct debug_binary *b, const struct probe_target *t, struct err *err);
/* opens it; 0, -ENODATA, or another negative errno */
int debug_binary_open(struct debug_binary *b, struct err *err);
void debug_binary_release(struct debug_binary *b);
/* path of the target, which has one, below --symfs; the caller frees it */
char *debug_binary_target_path(const struct debug_binary *b);

#endif
