/* Hostinfo: the header features about the machine. CPU topology, caches and memory are in hosttopo.c. */
#include "hostinfo.h"
#include "hosttopo.h"
#include "../../arch/arch.h"
#include "../../arch/cpuinfo.h"
#include "../base/fs.h"
#include "../base/self.h"
#include "../data/features-write.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

static void set_str(struct features *f, unsigned int bit, const char **field, const char *value)
{
	if (!value || !*value)
		return;
	*field = arena_strdup(&f->arena, value);
	feature_set(f, bit);
}

static void take_first(void *ctx, const char *ident)
{
	struct strbuf *id = ctx;

	if (!id->len)
		strbuf_addstr(id, ident);
}

/* asks the first architecture that recognizes its CPU */
static void gather_cpu(struct features *f)
{
	struct strbuf info = STRBUF_INIT, id = STRBUF_INIT;
	const struct arch *a;
	char buf[512];

	fs_read("/proc/cpuinfo", &info);
	for (size_t i = 0; (a = arch_row(i)) && !(f->cpudesc && id.len); i++) {
		if (!f->cpudesc && cpuinfo_value(strbuf_str(&info), a->model_key, buf, 256))
			set_str(f, FEAT_CPUDESC, &f->cpudesc, buf);
		if (id.len)
			continue;
		if (!a->cpu_id && a->cpu_ident)
			a->cpu_ident(strbuf_str(&info), take_first, &id);
		else if (a->cpu_id && a->cpu_id(strbuf_str(&info), buf, sizeof(buf)))
			strbuf_addstr(&id, buf);
	}
	set_str(f, FEAT_CPUID, &f->cpuid, strbuf_str(&id));
	strbuf_release(&info);
	strbuf_release(&id);
}

static void gather_memory(struct features *f)
{
	struct strbuf sb = STRBUF_INIT;
	char buf[64];

	if (!fs_read("/proc/meminfo", &sb) && cpuinfo_value(strbuf_str(&sb), "MemTotal", buf, sizeof(buf))) {
		f->total_mem_kb = strtoull(buf, NULL, 10);
		feature_set(f, FEAT_TOTAL_MEM);
	}
	strbuf_release(&sb);
}

static void gather_nrcpus(struct features *f)
{
	long conf = sysconf(_SC_NPROCESSORS_CONF), online = sysconf(_SC_NPROCESSORS_ONLN);

	f->nr_cpus_avail = conf > 0 ? conf : 1;
	f->nr_cpus_online = online > 0 ? online : 1;
	feature_set(f, FEAT_NRCPUS);
}

static int pmu_cmp(const void *a, const void *b)
{
	return strcmp(((const struct feat_pmu *)a)->name, ((const struct feat_pmu *)b)->name);
}

static void gather_pmus(struct features *f)
{
	struct { VEC(struct feat_pmu); } pmus = { 0 };
	struct strbuf path = STRBUF_INIT;
	struct dirent *e;
	DIR *dir = opendir(fs_path(&path, "/sys/bus/event_source/devices"));

	while (dir && (e = readdir(dir))) {
		char type[PATH_MAX];
		u64 v;

		snprintf(type, sizeof(type), "/sys/bus/event_source/devices/%s/type", e->d_name);
		if (e->d_name[0] != '.' && !fs_read_u64(type, &v))
			vec_push(&pmus, (struct feat_pmu){ v, arena_strdup(&f->arena, e->d_name) });
	}
	if (dir)
		closedir(dir);
	if (pmus.nr) {
		qsort(pmus.v, pmus.nr, sizeof(*pmus.v), pmu_cmp);
		f->nr_pmus = pmus.nr;
		f->pmus = arena_memdup(&f->arena, pmus.v, pmus.nr * sizeof(*pmus.v));
		feature_set(f, FEAT_PMU_MAPPINGS);
	}
	vec_release(&pmus);
	strbuf_release(&path);
}

/* the caps/NAME files of a PMU; returns their number */
static u32 read_caps(struct features *f, const char *pmu, const char ***ret_name, const char ***ret_value)
{
	struct { VEC(const char *); } name = { 0 }, value = { 0 };
	struct strbuf path = STRBUF_INIT, line = STRBUF_INIT;
	struct dirent *e;
	DIR *dir = opendir(fs_path(&path, "/sys/bus/event_source/devices/%s/caps", pmu));
	u32 nr;

	while (dir && (e = readdir(dir))) {
		char file[PATH_MAX];

		snprintf(file, sizeof(file), "/sys/bus/event_source/devices/%s/caps/%s", pmu, e->d_name);
		if (e->d_name[0] == '.' || fs_read_line(file, &line))
			continue;
		vec_push(&name, arena_strdup(&f->arena, e->d_name));
		vec_push(&value, arena_strdup(&f->arena, strbuf_str(&line)));
	}
	if (dir)
		closedir(dir);
	nr = name.nr;
	*ret_name = arena_memdup(&f->arena, name.v, nr * sizeof(*name.v));
	*ret_value = arena_memdup(&f->arena, value.v, nr * sizeof(*value.v));
	vec_release(&name);
	vec_release(&value);
	strbuf_release(&path);
	strbuf_release(&line);
	return nr;
}

static void gather_caps(struct features *f)
{
	struct { VEC(struct feat_caps); } caps = { 0 };

	f->nr_cpu_caps = read_caps(f, "cpu", &f->cpu_cap_name, &f->cpu_cap_value);
	feature_set(f, FEAT_CPU_PMU_CAPS);
	for (u32 i = 0; i < f->nr_pmus; i++) {
		struct feat_caps c = { .pmu = f->pmus[i].name };

		if (!strcmp(c.pmu, "cpu"))
			continue;
		c.nr = read_caps(f, c.pmu, &c.name, &c.value);
		if (c.nr)
			vec_push(&caps, c);
	}
	f->nr_pmu_caps = caps.nr;
	f->pmu_caps = arena_memdup(&f->arena, caps.v, caps.nr * sizeof(*caps.v));
	feature_set(f, FEAT_PMU_CAPS);
	vec_release(&caps);
}

/* Intel hybrid machines have cpu_core and cpu_atom instead of cpu, each with its list of CPUs */
static void gather_hybrid(struct features *f)
{
	static const char *const names[] = { "cpu_core", "cpu_atom", "cpu_lowpower" };
	struct strbuf line = STRBUF_INIT;
	char path[128];
	u32 nr = 0;

	f->hybrid = arena_zalloc(&f->arena, ARRAY_SIZE(names) * sizeof(*f->hybrid));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/cpus", names[i]);
		if (fs_read_line(path, &line))
			continue;
		f->hybrid[nr].pmu = names[i];
		f->hybrid[nr++].cpus = arena_strdup(&f->arena, strbuf_str(&line));
	}
	f->nr_hybrid = nr;
	if (nr)
		feature_set(f, FEAT_HYBRID_TOPOLOGY);
	strbuf_release(&line);
}

/* the machine of this program, which is what the system runs natively */
static void gather_machine(struct features *f)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr eh;

	if (fd < 0)
		return;
	if (pread(fd, &eh, sizeof(eh), 0) == sizeof(eh) && !memcmp(eh.e_ident, ELFMAG, SELFMAG)) {
		f->e_machine = eh.e_machine;
		f->e_flags = eh.e_ident[EI_CLASS] == ELFCLASS64 ? eh.e_flags :
								  ((const Elf32_Ehdr *)&eh)->e_flags;
		feature_set(f, FEAT_E_MACHINE);
	}
	close(fd);
}

void hostinfo_gather(struct features *f, const char *version)
{
	struct utsname uts;

	if (!uname(&uts)) {
		set_str(f, FEAT_HOSTNAME, &f->hostname, uts.nodename);
		set_str(f, FEAT_OSRELEASE, &f->osrelease, uts.release);
		set_str(f, FEAT_ARCH, &f->arch, uts.machine);
	}
	set_str(f, FEAT_VERSION, &f->version, version);
	gather_nrcpus(f);
	gather_cpu(f);
	gather_memory(f);
	gather_pmus(f);
	gather_caps(f);
	gather_hybrid(f);
	gather_machine(f);
	hosttopo_gather(f);
}

void hostinfo_cmdline(struct features *f, int argc, const char *const *argv)
{
	const char *self = self_path();

	f->cmdline = arena_alloc(&f->arena, (argc + 1) * sizeof(*f->cmdline));
	f->cmdline[0] = arena_strdup(&f->arena, self ? self : "perf");
	for (int i = 0; i < argc; i++)
		f->cmdline[i + 1] = arena_strdup(&f->arena, argv[i]);
	f->nr_cmdline = argc + 1;
	feature_set(f, FEAT_CMDLINE);
}
