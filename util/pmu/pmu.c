/* PMUs of sysfs: scanning, formats, named events, and spreading values over format bits. */
#include "pmu.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../base/fs.h"
#include "../base/units.h"

#define DEVICES "/sys/bus/event_source/devices"
#define NAMES_MAX 100000	/* entries of one directory: far more than any machine has */

/* first line of DEVICES/pmu/file; false if there is none */
__attribute__((format(printf, 3, 4)))
static bool pmu_file(const struct pmu *pmu, struct strbuf *out, const char *fmt, ...)
{
	struct strbuf path = STRBUF_INIT;
	va_list ap;
	int ret;

	strbuf_addf(&path, DEVICES "/%s/", pmu->name);
	va_start(ap, fmt);
	strbuf_vaddf(&path, fmt, ap);
	va_end(ap);
	strbuf_reset(out);
	ret = fs_read_line(path.buf, out);
	strbuf_release(&path);
	return ret == 0 && out->len;
}

static void pmu_scan_one(struct pmus *ps, const char *name)
{
	struct pmu *pmu = ARENA_NEW(&ps->arena, struct pmu);
	struct strbuf line = STRBUF_INIT;
	u64 v;

	pmu->name = arena_strdup(&ps->arena, name);
	if (!pmu_file(pmu, &line, "type") || parse_u64(line.buf, &v) || v > UINT32_MAX)
		goto out;
	pmu->type = v;
	/* PERF_TYPE_RAW: the first core PMU, such as cpum_cf */
	pmu->is_core = !strcmp(name, "cpu") || v == 4;
	if (v < PERF_TYPE_MAX && v != PERF_TYPE_RAW)
		;	/* the kernel's own PMUs (software, tracepoint, breakpoint) are on all CPUs */
	else if (pmu_file(pmu, &line, "cpus"))
		pmu->is_core = pmu->cpus_only = true;
	else if (pmu_file(pmu, &line, "cpumask"))
		pmu->cpus_only = true;
	if (pmu->cpus_only)
		cpulist_parse(&pmu->cpus, strbuf_str(&line), NULL);
	pmu->max_precise = UINT32_MAX;
	vec_push(&ps->pmu, pmu);
out:
	strbuf_release(&line);
}

static int compare_pmus(const void *pa, const void *pb)
{
	const struct pmu *const *a = pa, *const *b = pb;

	return strcmp((*a)->name, (*b)->name);
}

void pmus_scan(struct pmus *ps)
{
	struct strbuf path = STRBUF_INIT;
	struct dirent *de;
	DIR *dir;

	if (ps->scanned)
		return;
	ps->scanned = true;
	dir = opendir(fs_path(&path, DEVICES));
	strbuf_release(&path);
	if (!dir)
		return;
	while ((de = readdir(dir)) && ps->pmu.nr < NAMES_MAX)
		if (de->d_name[0] != '.')
			pmu_scan_one(ps, de->d_name);
	closedir(dir);
	if (ps->pmu.nr)
		qsort(ps->pmu.v, ps->pmu.nr, sizeof(*ps->pmu.v), compare_pmus);
}

void pmus_release(struct pmus *ps)
{
	vec_foreach(&ps->pmu, pmu) {
		vec_release(&(*pmu)->cpus);
		vec_release(&(*pmu)->format);
		vec_release(&(*pmu)->event);
	}
	vec_release(&ps->pmu);
	arena_release(&ps->arena);
	memset(ps, 0, sizeof(*ps));
}

/* "config1:0-7,32-35" */
static bool format_parse(const char *s, struct pmu_format *f)
{
	char *end;

	if (strncmp(s, "config", 6))
		return false;
	s += 6;
	f->word = 0;
	if (*s >= '0' && *s <= '4')
		f->word = *s++ - '0';
	if (*s++ != ':')
		return false;
	for (;;) {
		unsigned long from, to;

		if (!isdigit((unsigned char)*s))
			return false;
		from = to = strtoul(s, &end, 10);
		if (*end == '-' && isdigit((unsigned char)end[1]))
			to = strtoul(end + 1, &end, 10);
		if (from > to || to > 63)
			return false;
		f->mask |= (~0ull >> (63 - (to - from))) << from;
		if (*end != ',')
			return !*end;
		s = end + 1;
	}
}

static void load_format(struct pmus *ps, struct pmu *pmu, const char *name)
{
	struct pmu_format f = { .name = NULL };
	struct strbuf line = STRBUF_INIT;

	if (pmu_file(pmu, &line, "format/%s", name) && format_parse(line.buf, &f)) {
		f.name = arena_strdup(&ps->arena, name);
		vec_push(&pmu->format, f);
	}
	strbuf_release(&line);
}

static bool has_suffix(const char *s, const char *suffix)
{
	size_t len = strlen(s), n = strlen(suffix);

	return len > n && !strcmp(s + len - n, suffix);
}

static void load_event(struct pmus *ps, struct pmu *pmu, const char *name)
{
	struct pmu_event ev = { .unit = "", .scale = 1.0 };
	struct strbuf line = STRBUF_INIT;

	if (has_suffix(name, ".unit") || has_suffix(name, ".scale") || has_suffix(name, ".per-pkg") ||
	    has_suffix(name, ".snapshot"))
		return;		/* attributes of the event of that name, read with it */
	if (!pmu_file(pmu, &line, "events/%s", name))
		goto out;
	ev.name = arena_strdup(&ps->arena, name);
	ev.terms = arena_strdup(&ps->arena, line.buf);
	if (pmu_file(pmu, &line, "events/%s.unit", name))
		ev.unit = arena_strdup(&ps->arena, line.buf);
	if (pmu_file(pmu, &line, "events/%s.scale", name))
		ev.scale = strtod(line.buf, NULL);
	ev.per_pkg = pmu_file(pmu, &line, "events/%s.per-pkg", name) && line.buf[0] == '1';
	ev.snapshot = pmu_file(pmu, &line, "events/%s.snapshot", name) && line.buf[0] == '1';
	vec_push(&pmu->event, ev);
out:
	strbuf_release(&line);
}

static void for_each_file(struct pmus *ps, struct pmu *pmu, const char *sub,
			  void (*fn)(struct pmus *, struct pmu *, const char *))
{
	struct strbuf path = STRBUF_INIT;
	struct dirent *de;
	size_t nr = 0;
	DIR *dir;

	dir = opendir(fs_path(&path, DEVICES "/%s/%s", pmu->name, sub));
	strbuf_release(&path);
	while (dir && nr++ < NAMES_MAX && (de = readdir(dir)))
		if (de->d_name[0] != '.')
			fn(ps, pmu, de->d_name);
	if (dir)
		closedir(dir);
}

static int compare_format(const void *a, const void *b)
{
	return strcmp(((const struct pmu_format *)a)->name, ((const struct pmu_format *)b)->name);
}

static int compare_event(const void *a, const void *b)
{
	return strcmp(((const struct pmu_event *)a)->name, ((const struct pmu_event *)b)->name);
}

/* servers have a hundred PMUs: what few users need is not read with the list */
static void load_caps(struct pmu *pmu)
{
	struct strbuf line = STRBUF_INIT;
	u64 v;

	if (pmu_file(pmu, &line, "caps/max_precise") && !parse_u64(line.buf, &v) && v <= 3)
		pmu->max_precise = v;
	if (pmu_file(pmu, &line, "nr_addr_filters") && !parse_u64(line.buf, &v) && v <= UINT32_MAX)
		pmu->nr_addr_filters = v;
	strbuf_release(&line);
}

void pmu_load(struct pmus *ps, struct pmu *pmu)
{
	if (pmu->loaded)
		return;
	pmu->loaded = true;
	load_caps(pmu);
	for_each_file(ps, pmu, "format", load_format);
	for_each_file(ps, pmu, "events", load_event);
	if (pmu->format.nr)
		qsort(pmu->format.v, pmu->format.nr, sizeof(*pmu->format.v), compare_format);
	if (pmu->event.nr)
		qsort(pmu->event.v, pmu->event.nr, sizeof(*pmu->event.v), compare_event);
}

/* read when no PMU has the name that is looked up */
static bool has_alias(struct pmus *ps, struct pmu *pmu, const char *name, size_t len)
{
	struct strbuf line = STRBUF_INIT;

	if (!pmu->alias)
		pmu->alias = pmu_file(pmu, &line, "alias") ? arena_strdup(&ps->arena, line.buf) : "";
	strbuf_release(&line);
	return strlen(pmu->alias) == len && !memcmp(pmu->alias, name, len);
}

struct pmu *pmus_find(struct pmus *ps, const char *name, size_t len)
{
	pmus_scan(ps);
	vec_foreach(&ps->pmu, pmu)
		if (strlen((*pmu)->name) == len && !memcmp((*pmu)->name, name, len)) {
			pmu_load(ps, *pmu);
			return *pmu;
		}
	vec_foreach(&ps->pmu, pmu)
		if (len && has_alias(ps, *pmu, name, len)) {
			pmu_load(ps, *pmu);
			return *pmu;
		}
	return NULL;
}

struct pmu *pmus_by_type(struct pmus *ps, u32 type)
{
	pmus_scan(ps);
	vec_foreach(&ps->pmu, pmu)
		if ((*pmu)->type == type)
			return *pmu;
	return NULL;
}

const struct pmu_format *pmu_format(const struct pmu *pmu, const char *name, size_t len)
{
	vec_foreach(&pmu->format, f)
		if (strlen(f->name) == len && !memcmp(f->name, name, len))
			return f;
	return NULL;
}

const struct pmu_event *pmu_event(const struct pmu *pmu, const char *name, size_t len)
{
	vec_foreach(&pmu->event, ev)
		if (strlen(ev->name) == len && !strncasecmp(ev->name, name, len))
			return ev;
	return NULL;
}

/* true if s is word, or word and "_N" (also a hexadecimal number, as some vendors use) */
static bool instance_of(const char *s, const char *word, size_t len)
{
	if (strncmp(s, word, len))
		return false;
	if (!s[len])
		return true;
	s += len;
	if (*s == '_')
		s++;
	return *s && s[strspn(s, "0123456789abcdef")] == '\0' && isdigit((unsigned char)*s);
}

bool pmu_matches(const struct pmu *pmu, const char *word, size_t len)
{
	char pattern[256];

	if (!len || len >= sizeof(pattern))
		return false;
	memcpy(pattern, word, len);
	pattern[len] = '\0';
	if (has_glob(pattern))
		return glob_match(pattern, pmu->name);
	if (instance_of(pmu->name, word, len))
		return true;
	return !strncmp(pmu->name, "uncore_", 7) && instance_of(pmu->name + 7, word, len);
}

bool pmu_is_cputype(const char *name, const char *word)
{
	return !strcmp(name, word) || (!strncmp(name, "cpu_", 4) && !strcmp(name + 4, word));
}

bool pmus_have_cputype(struct pmus *ps, const char *word)
{
	bool core = false;

	pmus_scan(ps);
	vec_foreach(&ps->pmu, p) {
		if (pmu_is_cputype((*p)->name, word))
			return true;
		core |= (*p)->is_core;
	}
	return !core && !strcmp(word, "cpu");
}

u64 pmu_format_max(const struct pmu_format *f)
{
	int bits = __builtin_popcountll(f->mask);

	return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

int pmu_format_set(const struct pmu_format *f, struct pe_attr *attr, u64 value)
{
	u64 *const words[] = { &attr->config, &attr->config1, &attr->config2, &attr->config3,
			       &attr->config4 };
	u64 out = 0, left = value;

	if (value > pmu_format_max(f))
		return -ERANGE;
	for (u64 mask = f->mask; mask; mask &= mask - 1) {
		if (left & 1)
			out |= mask & -mask;
		left >>= 1;
	}
	*words[f->word] = (*words[f->word] & ~f->mask) | out;
	return 0;
}
