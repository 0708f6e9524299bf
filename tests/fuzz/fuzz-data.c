/*
 * Reader of perf.data: opens the bytes as a file, prints the header, makes its facts, walks, decodes and
 * dumps every record.
 */
#include "../../ui/format.h"
#include "../../util/data/dump.h"
#include "../../util/data/events.h"
#include "../../util/data/header-facts.h"
#include "../../util/data/header-print.h"
#include "../../util/data/open.h"
#include "../../util/data/walk.h"
#include "../../util/event/attr.h"
#include "../../util/event/record-type.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static u64 sum;		/* so that nothing that was decoded is optimised away */

static void touch(const struct sample *s)
{
	sum += s->ip + s->time + s->nr_reads;
	for (u64 i = 0; i < s->nr_callchain; i++)
		sum += s->callchain[i];
	for (u64 i = 0; i < s->nr_branches; i++)
		sum += s->branches[i].flags + (s->branch_counters ? s->branch_counters[i] : 0);
	for (u64 i = 0; i < s->raw_size; i++)
		sum += ((const u8 *)s->raw)[i];
	for (u64 i = 0; i < s->user_stack_size; i++)
		sum += ((const u8 *)s->user_stack)[i];
	for (u64 i = 0; i < s->aux_size; i++)
		sum += ((const u8 *)s->aux)[i];
}

static void walk(struct data *d, const struct data_stream *s)
{
	struct rec_walk w = rec_walk_of(d, s, 0, UINT64_MAX, &d->diag);
	const struct stream_format *f;
	struct strbuf text = STRBUF_INIT;
	struct arena scratch = { 0 };
	struct sample smp;
	struct rec rec;
	u64 time;

	while (rec_next(&w, &rec) > 0) {
		if (rec.type == REC_SAMPLE && !sample_decode(d->plan, &rec, &smp, &scratch))
			touch(&smp);
		else if (!sample_decode_id(d->plan, &rec, &smp))
			sum += smp.id;
		sum += sample_time(d->plan, &rec, &time);
		f = format_find_stream(rec.off & 16 ? "json" : "text");
		dump_record(d, &rec, rec.off & 8 ? DUMP_SCRIPT : DUMP_REPORT, f, &text);
		f->end(&text);
		strbuf_reset(&text);
		arena_reset(&scratch);
	}
	strbuf_release(&text);
	arena_release(&scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("perf.data", 0);
	struct strbuf text = STRBUF_INIT;
	struct view_facts facts = { 0 };
	struct err err = ERR_INIT;
	struct arena arena = { 0 };
	struct data *d;
	char path[32];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!data_open(&d, &(struct data_opts){ .path = path }, &err)) {
		features_print(d, &text, true);
		header_facts(d, &arena, &facts);
		vec_foreach(&d->evset->ev, ev)
			pe_attr_print(&(*ev)->attr, data_pmu_name(d, &(*ev)->attr), (*ev)->tp_name, ": ",
				      &text);
		vec_foreach(&d->stream, s)
			walk(d, s);
		diag_describe(&d->diag, &text);
		data_close(d);
	}
	sum += facts.nr;
	vec_release(&facts);
	arena_release(&arena);
	strbuf_release(&text);
	close(fd);
	return 0;
}
