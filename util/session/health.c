/* Health: see health.h. */
#include "health.h"
#include "../event/record.h"

#include <errno.h>
#include "../event/callchain.h"

const char *health_word(enum health_state state)
{
	static const char *const words[] = { "whole", "usable", "lost" };

	return words[state];
}

int session_check_record(const struct session *s, const struct rec *rec, struct arena *scratch)
{
	struct record_view v;
	struct sample sample;
	int ret;

	if (rec->type != REC_SAMPLE) {
		ret = record_decode(rec, &v);
		return ret == -ENOENT ? 0 : ret;
	}
	ret = sample_decode(s->data->plan, rec, &sample, scratch);
	arena_reset(scratch);
	return ret;
}

static void check_chain(const struct session *s, const struct rec *rec, struct arena *scratch,
			struct health *h)
{
	struct chain_walk w;
	struct chain_run run;
	struct sample sample;

	if (sample_decode(s->data->plan, rec, &sample, scratch))
		return;
	w = chain_walk_of(&sample, UINT64_MAX);
	while (chain_next_run(&w, &run))
		;
	if (w.damaged)
		diag_count(&h->damage, DIAG_BAD_CALLCHAIN, rec->off);
	arena_reset(scratch);
}

static void check_sample(const struct session *s, const struct rec *rec, struct arena *scratch,
			 struct health *h)
{
	int ret = session_check_record(s, rec, scratch);

	if (ret) {
		diag_count_record(&h->damage, ret == -ENOENT ? DIAG_UNKNOWN_ID : DIAG_TRUNCATED_RECORD,
				  rec->off, record_name(rec->type));
		return;
	}
	h->nr_samples++;
	check_chain(s, rec, scratch, h);
}

/* side-band was looked at when the machine was built */
static void check_samples(const struct session *s, struct health *h)
{
	struct arena scratch = { 0 };
	struct rec rec;

	vec_foreach(&s->chunks, c) {
		struct rec_walk w = rec_walk_of(s->data, c->stream, c->off, c->end, &(struct diag){ 0 });

		while (rec_next(&w, &rec) > 0)
			if (rec.type == REC_SAMPLE)
				check_sample(s, &rec, &scratch, h);
	}
	arena_release(&scratch);
}

void session_health(const struct session *s, struct health *ret)
{
	bool damaged = false;

	*ret = (struct health){ .nr_counts = s->nr_records[REC_STAT] };
	for (u32 k = 0; k < DIAG_NR; k++)
		if (diag_is_damage(k))
			ret->damage.kind[k] = s->diag.kind[k];
	check_samples(s, ret);
	for (u32 k = 0; k < DIAG_NR; k++)
		damaged |= ret->damage.kind[k].nr;
	ret->state = !damaged ? HEALTH_WHOLE :
		     ret->nr_samples || ret->nr_counts ? HEALTH_USABLE : HEALTH_LOST;
}
