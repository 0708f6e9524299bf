/* report -D, script -D: a dump of all records. */
#include "contents.h"
#include "../event/record-type.h"

#include "../aux/aux.h"
#include "../machine/locator.h"
#include "../view/stream.h"
#include "../session/reads.h"
#include "../session/ordered-reader.h"

#define DUMP_BATCH 1024

static void dump_sample_frame(const struct session *s, struct locator *l, const struct rec *rec,
			      struct arena *scratch, const struct stream_format *f, struct strbuf *out)
{
	struct sample sample;
	struct sample_ctx w;
	struct loc loc;
	const struct dso *dso;
	u32 nr = 1;

	if (sample_decode(s->data->plan, rec, &sample, scratch))
		return;
	w = locator_sample_ctx(l, s, &sample, rec);
	loc = locator_find(l, &w, sample.cpumode, sample.ip);
	dso = dsos_at(machine_dsos(s->machine), loc.dso);
	if (session_has_reads(s, &sample))
		nr = session_nr_reads(s, rec, &sample);
	f->begin_rows(out, "where");
	for (u32 i = 0; i < nr; i++) {
		if (i)
			f->next_row(out);
		f->begin_row(out);
		dump_frame(machine_comm(s->machine, &w), sample.tid, dso ? dso_path(dso) : NULL, f, out);
		f->end_row(out);
	}
	f->end_rows(out);
}

int contents_dump(const struct session *s, enum dump_for who, const struct stream_format *f, bool unsorted,
		  contents_write write, void *ctx)
{
	struct ordered_reader *c = unsorted ? ordered_reader_open_unsorted(s) : ordered_reader_open(s);
	struct rec rec[DUMP_BATCH];
	u64 time[DUMP_BATCH];
	struct locator l = { 0 };
	struct arena scratch = { 0 };
	struct strbuf out = STRBUF_INIT;
	size_t nr;
	int ret = 0;

	locator_init(&l, s->machine);
	while (!ret && (nr = ordered_reader_next(c, rec, time, DUMP_BATCH))) {
		for (size_t i = 0; i < nr; i++) {
			dump_record(s->data, &rec[i], who, f, &out);
			if (rec[i].type == REC_SAMPLE)
				dump_sample_frame(s, &l, &rec[i], &scratch, f, &out);
			aux_dump(s->data, &rec[i], s->trace_type, f, &out);
			f->end(&out);
			arena_reset(&scratch);
		}
		ret = write(ctx, strbuf_str(&out), out.len);
		strbuf_reset(&out);
	}
	locator_release(&l);
	arena_release(&scratch);
	strbuf_release(&out);
	ordered_reader_close(c);
	return ret;
}
