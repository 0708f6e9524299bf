/* CPU identity: a row per way that kernels tell it. */
#include "cpu-ident.h"

#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../base/fs.h"
#include "../base/units.h"

#define CPUS_MAX 8192
#define MIDR_VARIANT_REVISION 0xf0000full
#define REGEX_MAX 512
#define REPEAT_MAX 32		/* "{n}" of a regular expression: repetitions of repetitions take memory */

/* "key<blanks>: value" of a text of many lines */
static bool colon_value(const char *text, const char *key, char *buf, size_t size)
{
	size_t len = strlen(key);

	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		const char *p = line += *line == '\n';

		if (strncmp(p, key, len))
			continue;
		p += len;
		p += strspn(p, " \t");
		if (*p++ != ':')
			continue;
		p += strspn(p, " \t");
		snprintf(buf, size, "%.*s", (int)strcspn(p, "\n"), p);
		for (size_t n = strlen(buf); n && isspace((unsigned char)buf[n - 1]); n--)
			buf[n - 1] = '\0';
		return *buf;
	}
	return false;
}

static void add(struct cpu_idents *out, const char *ident)
{
	for (size_t i = 0; i < out->nr; i++)
		if (!strcmp(out->v[i], ident))
			return;
	vec_push(out, xstrdup(ident));
}

static void from_x86(struct cpu_idents *out, const char *cpuinfo)
{
	char vendor[64], family[32], model[32], stepping[32], ident[256];

	if (!colon_value(cpuinfo, "vendor_id", vendor, sizeof(vendor)) ||
	    !colon_value(cpuinfo, "cpu family", family, sizeof(family)) || !colon_value(cpuinfo, "model", model, sizeof(model)))
		return;
	if (!colon_value(cpuinfo, "stepping", stepping, sizeof(stepping)))
		snprintf(stepping, sizeof(stepping), "0");
	snprintf(ident, sizeof(ident), "%s-%lu-%lX-%lX", vendor, strtoul(family, NULL, 10), strtoul(model, NULL, 10),
		 strtoul(stepping, NULL, 10));
	add(out, ident);
}

static void from_midr(struct cpu_idents *out, const char *cpuinfo)
{
	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		char path[96], ident[32];
		u64 midr;

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1", cpu);
		if (fs_read_u64(path, &midr)) {
			snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d", cpu);
			if (!fs_exists(path))
				return;
			continue;	/* offline */
		}
		snprintf(ident, sizeof(ident), "0x%016llx", (unsigned long long)(midr & ~MIDR_VARIANT_REVISION));
		add(out, ident);
	}
}

static void from_s390(struct cpu_idents *out, const char *cpuinfo)
{
	char maker[64], type[64], model[64], level[128], version[32] = "", authorization[32] = "", ident[400];
	struct strbuf info = STRBUF_INIT, levels = STRBUF_INIT;

	fs_read("/proc/sysinfo", &info);
	fs_read("/proc/service_levels", &levels);
	if (colon_value(strbuf_str(&info), "Manufacturer", maker, sizeof(maker)) &&
	    colon_value(strbuf_str(&info), "Type", type, sizeof(type)) &&
	    colon_value(strbuf_str(&info), "Model", model, sizeof(model))) {
		/* "Model: 703 T01": comma for blank */
		for (char *p = model; (p = strpbrk(p, " \t")); ) {
			size_t n = strspn(p, " \t");

			*p++ = ',';
			memmove(p, p + n - 1, strlen(p + n - 1) + 1);
		}
		if (colon_value(strbuf_str(&levels), "CPU-MF", level, sizeof(level)))
			sscanf(level, "Counter facility version=%31s authorization=%31s", version, authorization);
		version[strcspn(version, ",")] = '\0';
		snprintf(ident, sizeof(ident), "%s,%s,%s%s%s%s%s", maker, type, model, *version ? "," : "", version,
			 *authorization ? "," : "", authorization);
		add(out, ident);
	}
	strbuf_release(&info);
	strbuf_release(&levels);
}

/* "revision : 2.2 (pvr 004e 1202)" */
static void from_pvr(struct cpu_idents *out, const char *cpuinfo)
{
	char revision[128], ident[32];
	unsigned int high, low;
	const char *pvr;

	if (!colon_value(cpuinfo, "revision", revision, sizeof(revision)))
		return;
	pvr = strstr(revision, "(pvr ");
	if (pvr && sscanf(pvr, "(pvr %4x %4x)", &high, &low) == 2) {
		snprintf(ident, sizeof(ident), "0x%04x%04x", high, low);
		add(out, ident);
	}
}

static void from_riscv(struct cpu_idents *out, const char *cpuinfo)
{
	char vendor[64], arch[64], implementation[64], ident[256];

	if (colon_value(cpuinfo, "mvendorid", vendor, sizeof(vendor)) && colon_value(cpuinfo, "marchid", arch, sizeof(arch)) &&
	    colon_value(cpuinfo, "mimpid", implementation, sizeof(implementation))) {
		snprintf(ident, sizeof(ident), "%s-%s-%s", vendor, arch, implementation);
		add(out, ident);
	}
}

/* the first that finds one; each tells its own architecture by what is there */
static void (*const ways[])(struct cpu_idents *out, const char *cpuinfo) = {
	from_x86, from_riscv, from_pvr, from_s390, from_midr,
};

void cpu_idents_read(struct cpu_idents *out)
{
	struct strbuf cpuinfo = STRBUF_INIT;
	const char *env = secure_getenv("PERF_CPUID");

	if (env && *env) {
		add(out, env);
		return;
	}
	fs_read("/proc/cpuinfo", &cpuinfo);
	for (size_t i = 0; i < ARRAY_SIZE(ways) && !out->nr; i++)
		ways[i](out, strbuf_str(&cpuinfo));
	strbuf_release(&cpuinfo);
}

void cpu_idents_release(struct cpu_idents *ids)
{
	vec_foreach(ids, id)
		free(*id);
	vec_release(ids);
}

/* small enough that compiling it is harmless, whoever wrote it */
static bool regex_is_harmless(const char *s)
{
	int nr_braces = 0;

	if (strlen(s) > REGEX_MAX)
		return false;
	for (; *s; s++) {
		if (*s != '{')
			continue;
		if (++nr_braces > 3)
			return false;
		for (const char *p = s + 1; *p && *p != '}'; p++)
			if (isdigit((unsigned char)*p) && strtoul(p, NULL, 10) > REPEAT_MAX)
				return false;
	}
	return true;
}

int cpu_ident_matches(const char *ident, const char *regex)
{
	char whole[REGEX_MAX + 16], short_ident[256];
	const char *last = strrchr(ident, '-');
	regex_t re;
	int ret;

	if (!regex_is_harmless(regex))
		return -EINVAL;
	snprintf(whole, sizeof(whole), "^(%s)$", regex);
	if (regcomp(&re, whole, REG_EXTENDED | REG_NOSUB))
		return -EINVAL;
	ret = !regexec(&re, ident, 0, NULL, 0);
	if (!ret && last && (size_t)(last - ident) < sizeof(short_ident)) {
		snprintf(short_ident, sizeof(short_ident), "%.*s", (int)(last - ident), ident);
		ret = !regexec(&re, short_ident, 0, NULL, 0);
	}
	regfree(&re);
	return ret;
}
