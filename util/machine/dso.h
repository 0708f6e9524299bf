/*
 * Dso: the identity of a mapped object: its name, its build and where it may be found. Filled while the
 * machine is built, const afterwards. Its symbols are in util/sym, in an array indexed by dso->id.
 */
#ifndef PERF_MACHINE_DSO_H
#define PERF_MACHINE_DSO_H

#include <string.h>
#include "../base/hash.h"
#include "../base/types.h"
#include "../base/vec.h"
#include "../data/features.h"

enum dso_kind {
	DSO_USER,	/* ELF file; addresses are file offsets */
	DSO_VDSO,	/* [vdso]; also [vdso32], that of 32-bit programs on a 64-bit machine */
	DSO_VSYSCALL,	/* [vsyscall] */
	DSO_KERNEL,	/* [kernel.kallsyms], [kernel.vmlinux]; addresses are run-time addresses */
	DSO_MODULE,	/* [ext4] or a path ending in .ko*; addresses are run-time addresses */
	DSO_GUEST_KERNEL, DSO_GUEST_MODULE,
	DSO_PERFMAP,	/* anonymous executable memory: /tmp/perf-PID.map; addresses are run-time addresses */
	DSO_BPF,	/* bpf_prog_TAG_NAME or a trampoline: one KSYMBOL is one symbol */
	DSO_ANON,	/* [heap], [stack], //anon data: no symbols */
	DSO_UNKNOWN,	/* [unknown], hypervisor */
};

struct dso {
	u32 id;
	enum dso_kind kind;
	const char *long_name;		/* path or bracketed name as recorded */
	const char *short_name;		/* what reports show: basename, or the bracketed name */
	/* kernel, module: the path of its file in the build-id table; NULL: it has none */
	const char *listed;
	u8 buildid[BUILDID_MAX];
	u8 buildid_len;			/* 0: unknown */
	bool id_is_mapped;		/* its maps have the build-id, not the header alone */
	u64 ino, ino_gen; u32 maj, min;
	/* a process that mapped it, for /proc/PID/root and perf-PID.map; -1: none */
	s32 pid;
	u32 mnt_ns;			/* low bits of the mount namespace's inode, 0: unknown */
	/* of its largest map as recorded: of user dsos that of an executable one; 0: none */
	u64 map_size;
	u64 text_start, text_end;	/* run-time range for kernel, module, BPF, perfmap dsos */
	/*
	 * module: it was loaded at several addresses, so a run-time address does not say which
	 * part of it is meant
	 */
	bool moved;
	/* DSO_KERNEL: run-time address of ref_reloc_sym (the map's pgoff), to relocate vmlinux */
	u64 ref_reloc_addr;
	const char *ref_reloc_sym;	/* "_text" or "_stext" */
	bool is_64bit;
};

struct dsos {
	struct { VEC(struct dso *); } dso;
	struct hidx idx;
	struct arena arena;
};

/* the kernel's mark after names of files that were deleted or replaced while they were mapped */
#define DSO_DELETED " (deleted)"
static inline bool path_is_marked_deleted(const char *path)
{
	size_t len = strlen(path), mark = strlen(DSO_DELETED);

	return len > mark && !strcmp(path + len - mark, DSO_DELETED);
}

static inline bool dso_is_deleted(const struct dso *d)
{
	return path_is_marked_deleted(d->long_name);
}

/* the path of its file: from the build-id table, or else from the map */
static inline const char *dso_path(const struct dso *d)
{
	return d->listed ? d->listed : d->long_name;
}

/*
 * how an address without a name is shown: in a module as an offset from its start, elsewhere as loc.dso_addr
 */
static inline u64 dso_shown_addr(const struct dso *d, u64 dso_addr)
{
	return d && d->kind == DSO_MODULE && !d->moved &&
	       dso_addr >= d->text_start ? dso_addr - d->text_start : dso_addr;
}

/* what reports show of an object of that kind and long name; it may be in the arena */
const char *dso_short_name(struct arena *arena, enum dso_kind kind, const char *long_name);

static inline const struct dso *dsos_at(const struct dsos *ds, u32 id)
{
	return id < ds->dso.nr ? ds->dso.v[id] : NULL;
}

#endif
