/* Metrics by name: what their expressions ask about the machine. */
#include "metric-private.h"

#include <string.h>
#include "../base/fs.h"
#include "../base/units.h"
#include "../pmu/cpu-ident.h"
#include "../count/tool-facts.h"

/* each is asked of the machine once */
static struct plan_fact *remember(const struct stat_metrics *m, const char *name, bool *is_new)
{
	struct plan_fact *f;

	*is_new = false;
	vec_foreach(m->facts, known)
		if (!strcmp(known->name, name))
			return known;
	f = vec_add(m->facts);
	f->name = arena_strdup(&m->facts->arena, name);
	*is_new = true;
	return f;
}

bool metric_literal(const void *ctx, const char *name, double *value)
{
	const struct stat_metrics *m = ctx;
	bool is_new;
	struct plan_fact *f = remember(m, name, &is_new);
	u64 v = 0;

	if (is_new) {
		f->known = tool_fact_by_name(name, m->target, &v);
		f->value = v;
	}
	*value = f->value;
	return f->known;
}

bool metric_unknown_fact(const struct stat_metrics *m, const char *name)
{
	vec_foreach(m->facts, f)
		if (!strcmp(f->name, name))
			return !f->known;
	return false;
}

#define MIDR_PART	0xff0ffff0ull	/* implementer, architecture, part */
#define MIDR_VARIANT(x)	((x) >> 20 & 0xf)
#define MIDR_REVISION(x) ((x) & 0xf)

/* arm64: the same part in this revision or a later one, as its vendor's tables mean it */
static bool midr_matches(u64 midr, u64 want)
{
	return (midr & MIDR_PART) == (want & MIDR_PART) &&
	       (MIDR_VARIANT(midr) << 4 | MIDR_REVISION(midr)) >= (MIDR_VARIANT(want) << 4 |
								   MIDR_REVISION(want));
}

static bool this_cpu(const char *pattern)
{
	struct cpu_idents ids = { 0 };
	u64 midr, want;
	bool ret = false;

	if (!parse_u64(pattern, &want) &&
	    !fs_read_u64("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", &midr))
		return midr_matches(midr, want);
	cpu_idents_read(&ids);
	vec_foreach(&ids, id)
		ret |= cpu_ident_matches(*id, pattern) > 0;
	cpu_idents_release(&ids);
	return ret;
}

bool metric_cpuid(const void *ctx, const char *pattern, bool *matches)
{
	bool is_new;
	struct plan_fact *f = remember(ctx, pattern, &is_new);

	if (is_new)
		f->value = this_cpu(pattern);
	f->known = true;
	*matches = f->value;
	return true;
}
