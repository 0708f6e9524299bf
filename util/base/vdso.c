/* Vdso: its address is in the auxiliary vector, its size in /proc/self/maps. */
#include "vdso.h"
#include "map-lines.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/utsname.h>

struct mapped {
	u64 addr;
	size_t size;
};

static bool note_size(void *ctx, const struct proc_map *m)
{
	struct mapped *at = ctx;

	if (m->start == at->addr && m->prot & PROT_READ)
		at->size = m->end - m->start;
	return !at->size;
}

/* the number of bytes mapped from addr on; 0: unknown */
static size_t mapped_at(u64 addr)
{
	struct mapped at = { .addr = addr };

	map_lines_each(0, note_size, &at);
	return at.size;
}

static bool kernel_is_64bit(void)
{
	struct utsname u;

	return !uname(&u) && (strstr(u.machine, "64") || !strcmp(u.machine, "s390x"));
}

struct vdso vdso_of_self(void)
{
	u64 addr = getauxval(AT_SYSINFO_EHDR);
	struct vdso v = { .size = addr ? mapped_at(addr) : 0 };

	v.name = sizeof(void *) == 4 && kernel_is_64bit() ? "[vdso32]" : "[vdso]";
	if (v.size >= sizeof(Elf64_Ehdr) && !memcmp((const void *)(uintptr_t)addr, ELFMAG, SELFMAG))
		v.image = (const void *)(uintptr_t)addr;
	return v;
}
