/* Kernel names: see kernel-names.h. */
#include "kernel-names.h"

void kernel_names_load(const struct session *s)
{
	const struct dsos *dsos = machine_dsos(s->machine);
	struct { VEC(u32); } ids = { 0 };

	session_complete(s);
	for (u32 d = 0; d < dsos->dso.nr; d++)
		if (dsos_at(dsos, d)->kind == DSO_KERNEL || dsos_at(dsos, d)->kind == DSO_MODULE)
			vec_push(&ids, d);
	symbols_load(s->symbols, s->pool, ids.v, ids.nr);
	vec_release(&ids);
}

bool kernel_name_find(struct resolver *r, const struct sample_ctx *ctx, u64 addr, struct arena *names,
		      struct kernel_name *ret)
{
	const struct session *s = r->session;
	struct loc loc = locator_find(&r->locator, ctx, CPUMODE_KERNEL, addr);
	const struct symbol *sym = loc.dso == ID_NONE ? NULL : symbols_find(s->symbols, loc.dso,
									    loc.dso_addr);
	const struct dso *d = dsos_at(machine_dsos(s->machine), loc.dso);

	if (!sym)
		return false;
	*ret = (struct kernel_name){
		.name = symbols_show(s->symbols, loc.dso, sym, names),
		.module = d->kind == DSO_MODULE ? d->short_name : NULL,
		.start = sym->start + (addr - loc.dso_addr),
	};
	return true;
}
