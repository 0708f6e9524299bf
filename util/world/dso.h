/*
 * Dso: the identity of a mapped object: what it is called, which build it is, where it may be found. Filled while the world is
 * built, const afterwards. Its symbols live in util/sym, in an array indexed by dso->id.
 */
#ifndef PERF_WORLD_DSO_H
#define PERF_WORLD_DSO_H

#include "../base/hash.h"
#include "../base/types.h"
#include "../base/vec.h"
#include "../data/features.h"

enum dso_kind {
	DSO_USER,	/* ELF file; addresses are file offsets */
	DSO_VDSO,	/* [vdso]; [vdso32] of 32-bit programs on a 64-bit machine */
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
	u8 buildid[BUILDID_MAX];
	u8 buildid_len;			/* 0: unknown */
	u64 ino, ino_gen; u32 maj, min;
	s32 pid;			/* a process that mapped it, for /proc/PID/root and perf-PID.map; -1 none */
	u32 mnt_ns;			/* low bits of the mount namespace's inode, 0: unknown */
	u64 map_size;			/* of the largest executable map of a user dso; 0: none */
	u64 text_start, text_end;	/* run-time range for kernel, module, BPF, perfmap dsos */
	u64 ref_reloc_addr;		/* DSO_KERNEL: run-time address of ref_reloc_sym (the map's pgoff), to relocate vmlinux */
	const char *ref_reloc_sym;	/* "_text" or "_stext" */
	bool is_64bit;
};

struct dsos {
	struct { VEC(struct dso *); } dso;
	struct hidx idx;
	struct arena arena;
};

static inline const struct dso *dsos_at(const struct dsos *ds, u32 id)
{
	return id < ds->dso.nr ? ds->dso.v[id] : NULL;
}

#endif
