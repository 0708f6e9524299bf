/* Memory events: see mem-events.h. */
#include "mem-events.h"
#include "../pmu/pmu.h"

#include <errno.h>
#include <string.h>

/* cycles; shorter loads are mostly hits in the first cache, and there are very many of them */
#define LDLAT_DEFAULT 30u

static bool has_event(const struct pmu *pmu, const char *name)
{
	return pmu_event(pmu, name, strlen(name));
}

static void add(struct mem_events *m, const char *name, u32 kinds, const char *spec)
{
	vec_push(&m->ev, (struct mem_event){ name, kinds, spec });
}

static void add_loads(struct mem_events *m, const struct pmu *pmu, u32 ldlat)
{
	bool aux = has_event(pmu, "mem-loads-aux");
	struct strbuf sb = STRBUF_INIT;

	if (aux)
		strbuf_addf(&sb, "{%s/mem-loads-aux/,", pmu->name);
	strbuf_addf(&sb, "%s/mem-loads", pmu->name);
	if (pmu_format(pmu, "ldlat", 5))
		strbuf_addf(&sb, ",ldlat=%u", ldlat ? ldlat : LDLAT_DEFAULT);
	strbuf_addstr(&sb, aux ? "/}:P" : "/P");
	add(m, "ldlat-loads", MEM_LOAD, arena_strdup(&m->arena, strbuf_str(&sb)));
	strbuf_release(&sb);
}

static void add_stores(struct mem_events *m, const struct pmu *pmu)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addf(&sb, "%s/mem-stores/P", pmu->name);
	add(m, "ldlat-stores", MEM_STORE, arena_strdup(&m->arena, strbuf_str(&sb)));
	strbuf_release(&sb);
}

static void add_ibs(struct mem_events *m, const struct pmu *pmu, u32 ldlat)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addf(&sb, "%s/", pmu->name);
	if (ldlat && pmu_format(pmu, "ldlat", 5))
		strbuf_addf(&sb, "ldlat=%u", ldlat);
	strbuf_addstr(&sb, "/");
	add(m, "mem-ldst", MEM_LOAD | MEM_STORE, arena_strdup(&m->arena, strbuf_str(&sb)));
	strbuf_release(&sb);
}

void mem_events_find(struct mem_events *m, u32 ldlat)
{
	struct pmus pmus = { 0 };

	pmus_scan(&pmus);
	vec_foreach(&pmus.pmu, at) {
		struct pmu *pmu = *at;

		pmu_load(&pmus, pmu);
		if (has_event(pmu, "mem-loads"))
			add_loads(m, pmu, ldlat);
		if (has_event(pmu, "mem-stores"))
			add_stores(m, pmu);
		if (!strcmp(pmu->name, "ibs_op"))
			add_ibs(m, pmu, ldlat);
	}
	pmus_release(&pmus);
}

void mem_events_release(struct mem_events *m)
{
	vec_release(&m->ev);
	arena_release(&m->arena);
}

int mem_kinds_parse(const char *list, u32 *ret, struct err *err)
{
	u32 kinds = 0;

	for (const char *p = list, *end; *p; p = end + (*end == ',')) {
		end = strchrnul(p, ',');
		if (end - p == 4 && !strncmp(p, "load", 4))
			kinds |= MEM_LOAD;
		else if (end - p == 5 && !strncmp(p, "store", 5))
			kinds |= MEM_STORE;
		else
			return err_set(err, -EINVAL, "'%.*s' is not a type of memory accesses: say load, "
				       "store or load,store", (int)(end - p), p);
	}
	if (!kinds)
		return err_set(err, -EINVAL, "no type of memory accesses: say load, store or load,store");
	*ret = kinds;
	return 0;
}
