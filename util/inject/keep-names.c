/* Keep-names: see keep-names.h. */
#include "keep-names.h"

#include <string.h>
#include "../machine/dso.h"
#include "../sym/sym.h"
#include "pack-frames.h"

/* the running kernel has its own names, and those of BPF programs are in the header */
static bool is_kept(const struct dso *d)
{
	return d->kind == DSO_USER || d->kind == DSO_PERFMAP;
}

static struct sympack_dso kept_dso(struct pack_frames *p, const struct session *s, size_t at, size_t nr)
{
	const struct dso *d = dsos_at(machine_dsos(s->machine), p->v[at].dso);
	struct sympack_dso out = pack_frames_dso(p, s, at, nr);

	out.spare = true;
	out.debug_info = false;
	out.id_len = MIN((size_t)d->buildid_len, sizeof(out.id));
	memcpy(out.id, d->buildid, out.id_len);
	return out;
}

int keep_names(const char *path, struct strbuf *out, struct err *err)
{
	const struct session_opts o = { .data = { .path = path, .force = true },
					.sym = { .demangle = true } };
	struct { VEC(struct sympack_dso); } dso = { 0 };
	struct pack_frames frames = { 0 };
	struct session *s;
	int ret = session_open(&s, &o, err);

	if (ret)
		return ret;
	pack_frames_find(&frames, s, is_kept);
	for (size_t i = 0, nr; i < frames.nr; i += nr) {
		struct sympack_dso d;

		nr = pack_frames_of_dso(&frames, i);
		d = kept_dso(&frames, s, i, nr);
		if (d.nr_syms)
			vec_push(&dso, d);
	}
	if (dso.nr)
		sympack_write(out, dso.v, dso.nr);
	vec_release(&dso);
	pack_frames_release(&frames);
	session_close(s);
	return 0;
}
