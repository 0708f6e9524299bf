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

/* how well objects of one name agree; the best one is used */
enum agreement { IS_OTHER, MAY_BE_SAME, HAS_SAME_ID, IS_SAME_FILE };

static enum agreement compare_ids(const struct dso *d, const struct sympack_dso *p)
{
	if (p->id_len == d->buildid_len && !memcmp(p->id, d->buildid, p->id_len))
		return HAS_SAME_ID;
	return buildid_equal(p->id, p->id_len, d->buildid, d->buildid_len) ? MAY_BE_SAME : IS_OTHER;
}

/* what is known on one of the sides alone is not compared */
static enum agreement compare(const struct dso *d, const struct sympack_dso *p)
{
	if (p->kind != (u32)d->kind || strcmp(p->name, d->long_name))
		return IS_OTHER;
	if (d->kind == DSO_PERFMAP)
		return p->pid == d->pid ? IS_SAME_FILE : IS_OTHER;
	if (p->id_len && d->buildid_len)
		return compare_ids(d, p);
	/* maps with build-ids have no inodes */
	if (!p->ino || !d->ino)
		return MAY_BE_SAME;
	return p->ino == d->ino && p->ino_gen == d->ino_gen && p->maj == d->maj && p->min == d->min ?
	       IS_SAME_FILE : IS_OTHER;
}

static const struct sympack_dso *find(const struct sympack *p, const struct dso *d, bool spare)
{
	const struct sympack_dso *ret = NULL;
	enum agreement best = IS_OTHER, is;
	u32 i;

	HIDX_FOREACH(&p->idx, hash_str(d->long_name), i) {
		is = p->dso[i].spare == spare ? compare(d, &p->dso[i]) : IS_OTHER;
		if (is > best) {
			best = is;
			ret = &p->dso[i];
		}
	}
	return ret;
}

bool load_is_imported(const struct symbols *s, const struct dso *d)
{
	const struct sympack_dso *p = s->opts.packed ? find(s->opts.packed, d, false) : NULL;

	return p && p->letter == SYMPACK_IMPORTED;
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
