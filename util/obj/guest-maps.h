/*
 * Guest-maps: where the kernel of a virtual machine and its modules are, from files that were copied out of
 * it: /proc/kallsyms, /proc/modules ("NAME SIZE REFS USERS STATE 0xADDRESS" per line), vmlinux. Records of a
 * host cannot tell it: the host sees addresses only.
 */
#ifndef PERF_OBJ_GUEST_MAPS_H
#define PERF_OBJ_GUEST_MAPS_H

#include "../base/err.h"
#include "../base/types.h"
#include "../base/vec.h"

/* paths, each NULL if it was not given */
struct guest_files {
	const char *kallsyms, *modules, *vmlinux;
};

struct guest_map {
	u64 start, len;
	u64 pgoff;		/* of the kernel: the address of the symbol that its name ends with */
	char *name;		/* "[guest.kernel.kallsyms]_text", "[ext4]" */
};

struct guest_maps {
	VEC(struct guest_map);
};

/*
 * The kernel first. Nothing is found where no file was given. Negative errno if a file cannot be read, or
 * has no addresses; ret is empty then
 */
int guest_maps_read(const struct guest_files *f, struct guest_maps *ret, struct err *err);
void guest_maps_release(struct guest_maps *m);

#endif
