/* Vdso: its address is in the auxiliary vector, its size in /proc/self/maps. */
#include "vdso.h"
#include "fs.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <unistd.h>

/*
 * the number of bytes mapped from addr on; 0: unknown. Not below the fs root, because this process itself is
 * meant
 */
static size_t mapped_at(u64 addr)
{
	struct strbuf maps = STRBUF_INIT;
	unsigned long start, end;
	size_t size = 0;
	char readable;
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	if (!fd_read_all(fd, &maps)) {
		for (const char *p = strbuf_str(&maps); p && *p; p = strchr(p, '\n'), p = p ? p + 1 : p)
			if (sscanf(p, "%lx-%lx %c", &start, &end, &readable) == 3 && start == addr &&
			    readable == 'r')
				size = end - start;
	}
	close(fd);
	strbuf_release(&maps);
	return size;
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
