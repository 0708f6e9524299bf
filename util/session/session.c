/* What a session knows of its machine, its guests and the task of a sample. */
#include "session.h"

const struct session_guest *session_guest_of(const struct session *s, u64 id)
{
	u32 i;

	HIDX_FOREACH(&s->guest_idx, hash_u64(id), i)
		if (s->guest.v[i].id == id)
			return &s->guest.v[i];
	return NULL;
}

u16 session_elf_machine(const struct session *s)
{
	const struct arch *a = features_arch(&s->data->feat);

	return a ? a->abi[1].e_machine ? a->abi[1].e_machine : a->abi[0].e_machine : 0;
}

struct sample_ctx session_sample_ctx(const struct session *s, const struct sample *sample,
				     const struct rec *rec)
{
	return machine_sample_ctx(s->machine, sample->pid, sample->tid, session_when(s, sample, rec));
}

struct sample_ctx locator_sample_ctx(struct locator *l, const struct session *s, const struct sample *sample,
				     const struct rec *rec)
{
	struct sample_ctx ctx;

	locator_ctx(l, sample->pid, sample->tid, session_when(s, sample, rec), &ctx);
	return ctx;
}

static bool is_dead(const struct thread *t, const struct sample_ctx *w)
{
	return when_before(t->death, w->when);
}

void sample_ctx_forget_dead(const struct session *s, const struct sample *sample, struct sample_ctx *w)
{
	const struct thread *leader;

	if (likely(w->thread && !is_dead(w->thread, w)))
		return;
	leader = machine_sample_ctx(s->machine, sample->pid, sample->pid, w->when).thread;
	w->thread = NULL;
	w->maps = leader && !is_dead(leader, w) ? leader->maps : ID_NONE;
}
