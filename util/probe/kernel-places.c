/* Kernel-places: looks wanted functions up in the symbols of the debug files. */
#include "kernel-places.h"

#include <stdlib.h>
#include <string.h>
#include "../base/hash.h"
#include "debug-file.h"
#include "debug-place.h"
#include "source.h"

struct wanted_function {
	const char *name;
	u64 addr;
	u32 nr_found;
};

/* the kernel, or one of its modules */
struct kernel_part {
	struct probe_source src;
	struct { VEC(struct wanted_function); } function;
	struct hidx by_name;
	bool looked_up;
};

struct kernel_places {
	const char *vmlinux, *symfs;
	struct { VEC(struct kernel_part *); } part;
	struct arena mem;
};

struct kernel_places *kernel_places_new(const char *vmlinux, const char *symfs)
{
	struct kernel_places *kp = xcalloc(1, sizeof(*kp));

	kp->vmlinux = vmlinux;
	kp->symfs = symfs;
	return kp;
}

void kernel_places_free(struct kernel_places *kp)
{
	if (!kp)
		return;
	vec_foreach(&kp->part, p) {
		probe_source_release(&(*p)->src);
		vec_release(&(*p)->function);
		hidx_release(&(*p)->by_name);
	}
	vec_release(&kp->part);
	arena_release(&kp->mem);
	free(kp);
}

static struct kernel_part *part_of(struct kernel_places *kp, const char *module)
{
	struct kernel_part *part;

	vec_foreach(&kp->part, p) {
		const char *own = (*p)->src.t.module;

		if (own && module ? !strcmp(own, module) : own == module)
			return *p;
	}
	part = ARENA_NEW(&kp->mem, struct kernel_part);
	part->src.t = (struct probe_target){
		.is_kernel = true, .module = module ? arena_strdup(&kp->mem, module) : NULL,
		.debug_file = module ? NULL : kp->vmlinux, .symfs = kp->symfs,
	};
	vec_push(&kp->part, part);
	return part;
}

static struct wanted_function *find(struct kernel_part *part, const char *name)
{
	u32 id;

	HIDX_FOREACH(&part->by_name, hash_str(name), id)
		if (!strcmp(part->function.v[id].name, name))
			return &part->function.v[id];
	return NULL;
}

void kernel_places_want(struct kernel_places *kp, const char *module, const char *function)
{
	struct kernel_part *part = part_of(kp, module);

	if (find(part, function))
		return;
	hidx_insert(&part->by_name, hash_str(function), part->function.nr);
	vec_push(&part->function, (struct wanted_function){ .name = arena_strdup(&kp->mem, function) });
}

static bool note_symbol(void *ctx, const char *name, u64 addr)
{
	struct wanted_function *f = find(ctx, name);

	if (f && (!f->nr_found || f->addr != addr))
		f->nr_found++;
	if (f)
		f->addr = addr;
	return true;
}

bool kernel_place_text(struct kernel_places *kp, const char *module, const char *function, u64 off,
		       bool is_return, struct strbuf *out)
{
	struct kernel_part *part = part_of(kp, module);
	struct debug_file *d = probe_source_debug(&part->src, NULL);
	struct wanted_function *f;

	if (d && !module && !strcmp(function, "_text"))
		return debug_place_text(d, debug_link_text(&d->link) + off, is_return, out);
	if (d && !part->looked_up) {
		part->looked_up = true;
		debug_link_functions(&d->link, note_symbol, part);
	}
	f = d ? find(part, function) : NULL;
	return f && f->nr_found == 1 && debug_place_text(d, f->addr + off, is_return, out);
}
