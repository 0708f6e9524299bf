/* Mem: what the benchmarks of memory have in common. */
#include "mem.h"
#include "../base/strbuf.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/mman.h>
#include <sys/mman.h>

static u64 whole_pages(u64 size, u64 page)
{
	return page ? (size + page - 1) / page * page : size;
}

void *bench_mem_map(u64 size, u64 page, int flags, struct err *err)
{
	void *p;

	flags |= MAP_PRIVATE | MAP_ANONYMOUS;
	if (page > 4096)
		flags |= MAP_HUGETLB | (page > 2 << 20 ? MAP_HUGE_1GB : MAP_HUGE_2MB);
	p = mmap(NULL, whole_pages(size, page), PROT_READ | PROT_WRITE, flags, -1, 0);
	if (p != MAP_FAILED)
		return p;
	err_sys(err, errno, "cannot get %" PRIu64 " bytes of memory", size);
	if (page > 4096)
		err_hint(err, "pages of this size are reserved by /proc/sys/vm/nr_hugepages (2 MB) or at "
			      "boot (1 GB)");
	return NULL;
}

void bench_mem_unmap(void *p, u64 size, u64 page)
{
	if (p)
		munmap(p, whole_pages(size, page));
}

bool bench_mem_wants(const struct bench_opts *o, const char *name)
{
	return !o->function || !strcmp(o->function, "all") || !strcmp(o->function, name);
}

int bench_mem_names(const struct bench_opts *o, const struct bench_sink *sink, const char *const *name,
		    u32 nr, const char *const *help, struct err *err)
{
	bool list = o->function && !strcmp(o->function, "help");
	u32 wanted = 0;

	for (u32 i = 0; i < nr; i++)
		wanted += bench_mem_wants(o, name[i]);
	if (!list && wanted)
		return 0;
	if (!list) {
		err_set(err, -EINVAL, "function '%s' is not known", o->function);
		err_hint(err, "-f help lists the functions");
		return err->code;
	}
	bench_say(sink, "Available functions:");
	for (u32 i = 0; i < nr; i++)
		bench_say(sink, "\t%s ... %s", name[i], help[i]);
	return 1;
}

void bench_mem_begin(const struct bench_sink *sink, const char *name, const char *help, u64 size)
{
	static const char *const units[] = { "B", "KB", "MB", "GB", "TB" };
	u32 unit = 0;

	while (unit + 1 < ARRAY_SIZE(units) && size >= 1024 && size % 1024 == 0) {
		size /= 1024;
		unit++;
	}
	bench_say(sink, "# function '%s' (%s)", name, help);
	bench_say(sink, "# Copying %" PRIu64 "%s bytes ...", size, units[unit]);
	bench_say(sink, "%s", "");
}

void bench_mem_speed(const struct bench_sink *sink, const char *name, double bytes, u64 ns)
{
	static const char *const units[] = { "B", "KB", "MB", "GB" };
	double rate = ns ? bytes * 1e9 / ns : 0, shown = rate;
	u32 unit = 0;

	while (unit + 1 < ARRAY_SIZE(units) && shown >= 1024) {
		shown /= 1024;
		unit++;
	}
	bench_put(sink, name, rate, "B/s", 6, " %14f %s/sec", shown, units[unit]);
}
