/*
 * Sources: symbols in the recording itself (obj/sympack.h): all symbols that perf pack found, and names kept
 * by perf record, which are used if the file no longer exists.
 */
#include "load.h"

#include <string.h>

#include "../obj/buildid.h"
#include "../obj/sympack.h"

/* files have these numbers */
_Static_assert((int)SYMPACK_USER == DSO_USER && (int)SYMPACK_KERNEL == DSO_KERNEL &&
	       (int)SYMPACK_MODULE == DSO_MODULE, "enum sympack_kind");

/* of objects of one name: what the file says of it is the same, or is not known on one of the sides */
static bool is_same(const struct dso *d, const struct sympack_dso *p)
{
	if (p->kind != (u32)d->kind || strcmp(p->name, d->long_name))
		return false;
	if (d->kind == DSO_PERFMAP)
		return p->pid == d->pid;
	if (p->id_len && d->buildid_len)
		return buildid_equal(p->id, p->id_len, d->buildid, d->buildid_len);
	/* maps with build-ids have no inodes */
	if (!p->ino || !d->ino)
		return true;
	return p->ino == d->ino && p->ino_gen == d->ino_gen && p->maj == d->maj && p->min == d->min;
}

static const struct sympack_dso *find(const struct sympack *p, const struct dso *d, bool spare)
{
	u32 i;

	HIDX_FOREACH(&p->idx, hash_str(d->long_name), i)
		if (p->dso[i].spare == spare && is_same(d, &p->dso[i]))
			return &p->dso[i];
	return NULL;
}

bool load_is_packed(const struct symbols *s, const struct dso *d)
{
	return s->opts.packed && find(s->opts.packed, d, false);
}

static bool use(struct load *l, bool spare)
{
	const struct sympack *pack = l->s->opts.packed;
	const struct sympack_dso *p = pack ? find(pack, l->dso, spare) : NULL;
	struct dso_symbols *out = l->out;

	if (!p)
		return false;
	for (u32 i = 0; i < p->nr_syms; i++)
		symvec_add(&out->vec, p->sym[i].start, p->sym[i].end, p->sym[i].name,
			   strlen(p->sym[i].name), p->sym[i].binding, p->sym[i].type);
	for (u32 i = 0; i < p->nr_segs; i++)
		vec_push(&out->seg, p->seg[i]);
	out->packed = p;
	out->tab.adjust = p->adjust;
	out->tab.debug_info = p->debug_info;
	out->reason = *p->reason ? xstrdup(p->reason) : NULL;
	if (p->nr_syms)
		load_done(l, 'P', "the recording");
	return true;
}

bool src_packed(struct load *l)
{
	return use(l, false);
}

bool src_kept(struct load *l)
{
	return !l->runtime && !l->full && use(l, true);
}
