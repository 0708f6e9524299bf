/* CPU identity: from each architecture, and regular expressions for it. */
#include "cpu-ident.h"

#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../arch/arch.h"
#include "../base/fs.h"
#include "../base/units.h"

#define REGEX_MAX 512
#define REPEAT_MAX 32		/* "{n}" of a regular expression: repetitions of repetitions take memory */

static void add(void *ctx, const char *ident)
{
	struct cpu_idents *out = ctx;

	for (size_t i = 0; i < out->nr; i++)
		if (!strcmp(out->v[i], ident))
			return;
	vec_push(out, xstrdup(ident));
}

void cpu_idents_read(struct cpu_idents *out)
{
	struct strbuf cpuinfo = STRBUF_INIT;
	const char *env = secure_getenv("PERF_CPUID");
	const struct arch *a;

	if (env && *env) {
		add(out, env);
		return;
	}
	fs_read("/proc/cpuinfo", &cpuinfo);
	/* the first one that finds an identity: each recognizes its machine by the files there are */
	for (size_t i = 0; (a = arch_row(i)) && !out->nr; i++)
		if (a->cpu_ident)
			a->cpu_ident(strbuf_str(&cpuinfo), add, out);
	strbuf_release(&cpuinfo);
}

void cpu_idents_release(struct cpu_idents *ids)
{
	vec_foreach(ids, id)
		free(*id);
	vec_release(ids);
}

/* true if it is so simple that compiling it is harmless, whoever wrote it */
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
