/*
 * Table-ids: the table of build-ids of a file's header. In pipes it becomes records, which inject.c writes
 * before all others. Entries of the input stay, unless their build-ids are known to be wrong.
 */
#include "ids.h"
#include "../data/features-write.h"

#include <string.h>

static u16 cpumode_of(const struct dso *d)
{
	switch (d->kind) {
	case DSO_KERNEL:
	case DSO_MODULE:
		return CPUMODE_KERNEL;
	case DSO_GUEST_KERNEL:
	case DSO_GUEST_MODULE:
		return CPUMODE_GUEST_KERNEL;
	default:
		return CPUMODE_USER;
	}
}

static struct buildid_entry *find_entry(struct inject *in, const char *name, u16 cpumode)
{
	vec_foreach(&in->feat.buildids, e)
		if (!strcmp(e->filename, name) && (e->misc & MISC_CPUMODE_MASK) == cpumode)
			return e;
	return NULL;
}

static void set_entry(struct inject *in, const struct dso *d, const struct build_id *id)
{
	const char *name = d->kind == DSO_KERNEL ? d->long_name : dso_path(d);
	struct buildid_entry *e = find_entry(in, dso_path(d), cpumode_of(d));

	if (!e)
		e = find_entry(in, name, cpumode_of(d));
	if (!e) {
		vec_push(&in->feat.buildids, (struct buildid_entry){ .misc = cpumode_of(d), .pid = -1,
			 .filename = arena_strdup(&in->arena, name) });
		e = &in->feat.buildids.v[in->feat.buildids.nr - 1];
	}
	memset(e->id, 0, sizeof(e->id));
	memcpy(e->id, id->id, id->len);
	e->len = id->len;
}

int table_ids_start(struct inject *in, struct err *err)
{
	const struct dsos *dsos = machine_dsos(in->session->machine);
	int ret = inject_ids_get(in, err);

	if (ret)
		return ret;
	vec_foreach(&dsos->dso, d) {
		const struct build_id *id = inject_ids_of(in, (*d)->id, in->opts->table);

		/* in profiles of other programs, a module of the same name may be without one */
		if (id && !symbols_imported(in->session->symbols, (*d)->id))
			set_entry(in, *d, id);
	}
	if (in->feat.buildids.nr)
		feature_set(&in->feat, FEAT_BUILD_ID);
	return 0;
}

int table_ids_record(struct inject *in UNUSED, const struct rec *rec UNUSED, u64 time UNUSED)
{
	return 1;
}

void table_ids_end(struct inject *in)
{
	inject_ids_put(in);
}
