/* Header features: see features.h. */
#include "features.h"
#include "../event/record.h"

const char *feature_name(unsigned int bit)
{
	switch (bit) {
#define FEATURE(bit, name, decode, print, when) case bit: return #name;
#include "features.def"
#undef FEATURE
	default: return NULL;
	}
}

/*
 * after the record header: s32 pid, u8 id[20], u8 len, 3 bytes of padding, name. misc bit 15: len is valid,
 * else it is 20
 */
void buildid_entry_of(struct buildid_entry *ret, struct arena *arena, const struct record_view *v)
{
	const struct rec_build_id_view *b = &v->build_id;

	*ret = (struct buildid_entry){ .misc = v->misc, .pid = b->pid, .len = b->id.len };
	memcpy(ret->id, b->id.id, b->id.len);
	ret->filename = arena_strndup(arena, (const char *)b->filename.p, b->filename.len);
}

const struct arch *features_arch(const struct features *f)
{
	const struct arch *a = arch_by_machine(f->e_machine);

	if (!a && f->arch)
		a = arch_by_uname(f->arch);
	return a || f->e_machine || f->arch ? a : arch_native();
}

void features_release(struct features *f)
{
	vec_release(&f->buildids);
	arena_release(&f->buildid_names);
	arena_release(&f->bpf_arena);
	arena_release(&f->arena);
}
