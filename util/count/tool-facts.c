/* Facts about the machine that can be counted as events. */
#include "tool-facts.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include "../base/fs.h"
#include "../base/strtab.h"
#include "../base/units.h"
#include "../kernel/open.h"

#define CPU_DIR "/sys/devices/system/cpu"
#define DEVICES "/sys/bus/event_source/devices"

static bool cpus_of(const char *file, struct cpulist *ret)
{
	return !cpulist_read(ret, file) && ret->nr;
}

/*
 * the CPUs that belong together with this one, from the first of these topology files that exists; false if
 * none does
 */
static bool siblings(int cpu, const char *const *files, struct strbuf *line)
{
	char path[128];

	for (; *files; files++) {
		snprintf(path, sizeof(path), CPU_DIR "/cpu%d/topology/%s", cpu, *files);
		if (!fs_read_line(path, line) && line->len)
			return true;
	}
	return false;
}

static const char *const core_files[] = { "core_cpus_list", "thread_siblings_list", NULL };
static const char *const die_files[] = { "die_cpus_list", "package_cpus_list", "core_siblings_list", NULL };
static const char *const package_files[] = { "package_cpus_list", "core_siblings_list", NULL };

/* the number of distinct lists that the online CPUs have */
static bool count_distinct(const char *const *files, u64 *ret)
{
	struct strbuf line = STRBUF_INIT;
	struct cpulist online = { 0 };
	struct strtab tab = { 0 };

	strtab_add(&tab, "");
	cpus_of(CPU_DIR "/online", &online);
	vec_foreach(&online, cpu)
		if (siblings(*cpu, files, &line))
			strtab_add(&tab, line.buf);
	*ret = tab.str.nr - 1;
	strtab_release(&tab);
	strbuf_release(&line);
	vec_release(&online);
	return *ret;
}

static bool num_cores(const struct target *t, u64 *ret) { return count_distinct(core_files, ret); }
static bool num_dies(const struct target *t, u64 *ret) { return count_distinct(die_files, ret); }
static bool num_packages(const struct target *t, u64 *ret) { return count_distinct(package_files, ret); }

static bool num_of(const char *file, u64 *ret)
{
	struct cpulist list = { 0 };
	bool ok = cpus_of(file, &list);

	*ret = list.nr;
	vec_release(&list);
	return ok;
}

static bool num_cpus(const struct target *t, u64 *ret) { return num_of(CPU_DIR "/present", ret); }
static bool num_cpus_online(const struct target *t, u64 *ret) { return num_of(CPU_DIR "/online", ret); }

/* the regions of non-volatile memory that libnvdimm knows */
static bool has_pmem(const struct target *t, u64 *ret)
{
	struct strbuf path = STRBUF_INIT;
	struct dirent *de;
	DIR *dir = opendir(fs_path(&path, "/sys/bus/nd/devices"));

	*ret = 0;
	while (dir && (de = readdir(dir)))
		*ret |= !strncmp(de->d_name, "region", 6);
	if (dir)
		closedir(dir);
	strbuf_release(&path);
	return true;
}

/* of a core PMU that provides it (arm64) */
static bool slots(const struct target *t, u64 *ret)
{
	struct strbuf path = STRBUF_INIT;
	struct dirent *de;
	DIR *dir = opendir(fs_path(&path, DEVICES));
	bool found = false;

	while (dir && !found && (de = readdir(dir))) {
		strbuf_reset(&path);
		strbuf_addf(&path, DEVICES "/%s/caps/slots", de->d_name);
		found = de->d_name[0] != '.' && !fs_read_u64(path.buf, ret);
	}
	if (dir)
		closedir(dir);
	strbuf_release(&path);
	return found && *ret;
}

static bool smt_on(const struct target *t, u64 *ret)
{
	u64 cores, cpus;

	if (!fs_read_u64(CPU_DIR "/smt/active", ret))
		return true;
	if (!num_cores(t, &cores) || !num_cpus_online(t, &cpus))
		return false;
	*ret = cpus > cores;
	return true;
}

/* the kernel publishes how it converts the counter to nanoseconds: ns = ticks * mult >> shift */
static bool system_tsc_freq(const struct target *t, u64 *ret)
{
	struct pe_attr a = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
			     .size = PE_ATTR_SIZE_MIN,
			     .flags = ATTR_DISABLED | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV };
	const struct perf_event_mmap_page *page;
	int fd = open_raw(&a, 0, -1, -1, 0);

	*ret = 0;
	if (fd < 0)
		return false;
	page = mmap(NULL, page_size(), PROT_READ, MAP_SHARED, fd, 0);
	if (page != MAP_FAILED) {
		if (page->cap_user_time && page->time_mult && page->time_shift < 64)
			*ret = (u64)(((__uint128_t)1000000000u << page->time_shift) / page->time_mult);
		munmap((void *)page, page_size());
	}
	close_raw(fd);
	return *ret;
}

static bool target_cpu(const struct target *t, u64 *ret)
{
	*ret = t && t->kind == TARGET_SYSTEM;
	return true;
}

/* true if each measured core is measured with all its threads */
static bool core_wide(const struct target *t, u64 *ret)
{
	struct strbuf line = STRBUF_INIT;
	u64 smt = 0;

	*ret = 1;
	if (!smt_on(t, &smt) || !smt)
		return true;
	*ret = t && t->kind == TARGET_SYSTEM;
	for (size_t i = 0; *ret && i < t->cpus.nr; i++) {
		struct cpulist core = { 0 };

		if (siblings(t->cpus.v[i], core_files, &line))
			cpulist_parse(&core, line.buf, NULL);
		vec_foreach(&core, cpu)
			*ret &= cpulist_has(&t->cpus, *cpu);
		vec_release(&core);
	}
	strbuf_release(&line);
	return true;
}

static const struct {
	const char *name;
	bool (*get)(const struct target *t, u64 *ret);
} facts[] = {
	{ "has_pmem", has_pmem },
	{ "num_cores", num_cores },
	{ "num_cpus", num_cpus },
	{ "num_cpus_online", num_cpus_online },
	{ "num_dies", num_dies },
	{ "num_packages", num_packages },
	{ "slots", slots },
	{ "smt_on", smt_on },
	{ "system_tsc_freq", system_tsc_freq },
	{ "core_wide", core_wide },
	{ "target_cpu", target_cpu },
};

bool tool_fact_by_name(const char *name, const struct target *t, u64 *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		if (!strcmp(facts[i].name, name))
			return facts[i].get(t, ret);
	return false;
}
