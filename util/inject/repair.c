/* Repair: leaves out records that cannot be read, and what is damaged in the header. */
#include "inject-private.h"
#include "../data/features-write.h"
#include "../event/record-type.h"
#include "../session/health.h"

#include <stdlib.h>

struct repair_state {
	struct arena scratch;
};

int repair_start(struct inject *in, struct err *err UNUSED)
{
	const struct session *s = in->session;

	in->repair = xcalloc(1, sizeof(*in->repair));
	if (!s->packed)
		feature_clear(&in->feat, FEAT_PACKED_SYMBOLS);
	return 0;
}

int repair_record(struct inject *in, const struct rec *rec, u64 time UNUSED)
{
	int ret = session_check_record(in->session, rec, &in->repair->scratch);

	if (!ret)
		return 1;
	++*(rec->type == REC_SAMPLE ? &in->opts->repair->nr_samples : &in->opts->repair->nr_others);
	return 0;
}

void repair_end(struct inject *in)
{
	if (!in->repair)
		return;
	arena_release(&in->repair->scratch);
	free(in->repair);
	in->repair = NULL;
}
