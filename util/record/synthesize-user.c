/* Synthesize: records of user-space types: id index, maps of threads and CPUs, event updates. */
#include "synthesize.h"
#include "../base/fs.h"
#include "../data/features-write.h"
#include "../event/record-put.h"

#include <stdio.h>

void synth_marker(struct strbuf *out, u32 type)
{
	record_put(out, &(struct record_view){ .type = type }, NULL, 0);
}

/* a sample_id, its fields in order */
static void put_sample_id(struct strbuf *out, u64 type, u64 id, s32 tid, int cpu, u64 time)
{
	if (type & PERF_SAMPLE_TID) {
		put_u32(out, tid);
		put_u32(out, tid);
	}
	if (type & PERF_SAMPLE_TIME)
		put_u64(out, time);
	if (type & PERF_SAMPLE_ID)
		put_u64(out, id);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_u64(out, id);
	if (type & PERF_SAMPLE_CPU)
		put_u64(out, (u32)cpu);
	if (type & PERF_SAMPLE_IDENTIFIER)
		put_u64(out, id);
}

void synth_lost_samples(struct strbuf *out, const struct event *ev, u64 id, s32 tid, int cpu, u16 misc,
			u64 time, u64 lost)
{
	struct strbuf trailer = STRBUF_INIT;

	if (ev->attr.flags & ATTR_SAMPLE_ID_ALL)
		put_sample_id(&trailer, ev->attr.sample_type, id, tid, cpu, time);
	record_put(out, &(struct record_view){ .type = REC_LOST_SAMPLES, .misc = misc,
					       .lost_samples = { .lost = lost } }, trailer.buf, trailer.len);
	strbuf_release(&trailer);
}

static void put_ids(struct strbuf *out, struct strbuf *rows, u32 row_size)
{
	u64 nr = rows->len / row_size;

	record_put(out, &(struct record_view){
		.type = REC_ID_INDEX,
		.id_index = { .nr = nr, .ids = { (const u8 *)rows->buf, nr, row_size } } }, NULL, 0);
	strbuf_reset(rows);
}

void synth_id_index(struct strbuf *out, const struct open_fds *f)
{
	const u32 row_size = 32, max = (UINT16_MAX - 16) / row_size;
	struct strbuf rows = STRBUF_INIT;

	for (u32 ev = 0; ev < f->nr_events; ev++)
		for (u32 cpu = 0; cpu < f->nr_cpus; cpu++)
			for (u32 th = 0; th < f->nr_threads; th++) {
				size_t at = open_at(f, ev, cpu, th);

				if (f->fd[at] < 0)
					continue;
				put_u64(&rows, f->id[at]);
				put_u64(&rows, f->nr_cpus > 1 ? cpu : th);	/* index of the ring */
				put_u64(&rows, (s64)f->cpu[cpu]);
				put_u64(&rows, (s64)f->tid[th]);
				/* the size of a record has 16 bits: another one when it is full */
				if (rows.len == (size_t)max * row_size)
					put_ids(out, &rows, row_size);
			}
	if (rows.len)
		put_ids(out, &rows, row_size);
	strbuf_release(&rows);
}

void synth_thread_map(struct strbuf *out, const s32 *tid, u32 nr)
{
	const u32 row_size = 24;
	struct strbuf comm = STRBUF_INIT, rows = STRBUF_INIT;
	char path[64];

	nr = MIN(nr, (UINT16_MAX - 16u) / row_size);
	for (u32 i = 0; i < nr; i++) {
		char name[16] = "";

		snprintf(path, sizeof(path), "/proc/%d/comm", tid[i]);
		if (tid[i] > 0 && !fs_read_line(path, &comm))
			snprintf(name, sizeof(name), "%s", strbuf_str(&comm));
		put_u64(&rows, (s64)tid[i]);
		strbuf_add(&rows, name, sizeof(name));
	}
	record_put(out, &(struct record_view){
		.type = REC_THREAD_MAP,
		.thread_map = { .nr = nr, .threads = { (const u8 *)rows.buf, nr, row_size } } }, NULL, 0);
	strbuf_release(&comm);
	strbuf_release(&rows);
}

enum { CPU_MAP_CPUS, CPU_MAP_MASK, CPU_MAP_RANGE };

/* u16 type, then a range {u8 any_cpu, u8 pad, u16 first, u16 last} or a list {u16 nr, u16 cpu[nr]} */
static void put_cpu_map_data(struct strbuf *out, const int *cpu, u32 nr)
{
	bool range = nr && cpu[0] >= 0 && cpu[nr - 1] - cpu[0] == (int)nr - 1;
	size_t at = out->len;

	put_u16(out, range ? CPU_MAP_RANGE : CPU_MAP_CPUS);
	if (range) {
		put_u16(out, 0);
		put_u16(out, cpu[0]);
		put_u16(out, cpu[nr - 1]);
	} else {
		put_u16(out, nr);
		for (u32 i = 0; i < nr; i++)
			put_u16(out, cpu[i]);	/* -1, any CPU, is 0xffff */
	}
	strbuf_pad(out, '\0', ALIGN_UP(out->len - at, (size_t)8) - (out->len - at));
}

void synth_cpu_map(struct strbuf *out, const int *cpu, u32 nr)
{
	struct strbuf data = STRBUF_INIT;

	put_cpu_map_data(&data, cpu, MIN(nr, 30000u));
	record_put(out, &(struct record_view){ .type = REC_CPU_MAP,
					       .cpu_map.map = { (const u8 *)data.buf, data.len } }, NULL, 0);
	strbuf_release(&data);
}

void synth_update(struct strbuf *out, u64 what, u64 id, const void *data, size_t len)
{
	record_put(out, &(struct record_view){
		.type = REC_EVENT_UPDATE,
		.event_update = { .what = what, .id = id, .value = { data, len } } },
		NULL, ALIGN_UP(len, (size_t)8) - len);
}

static void put_update(struct strbuf *out, const struct event *ev, u64 what, const void *data, size_t len)
{
	if (ev->nr_ids)
		synth_update(out, what, ev->ids[0], data, len);
}

void synth_event_updates(struct strbuf *out, const struct evset *set)
{
	struct strbuf cpus = STRBUF_INIT;

	vec_foreach(&set->ev, it) {
		const struct event *ev = *it;

		if (ev->unit && *ev->unit)
			put_update(out, ev, ABI_UPDATE_UNIT, ev->unit, strlen(ev->unit) + 1);
		if (ev->scale != 1.0)
			put_update(out, ev, ABI_UPDATE_SCALE, &ev->scale, sizeof(ev->scale));
		if (ev->cpus) {
			strbuf_reset(&cpus);
			put_cpu_map_data(&cpus, ev->cpus, ev->nr_cpus);
			put_update(out, ev, ABI_UPDATE_CPUS, cpus.buf, cpus.len);
		}
		put_update(out, ev, ABI_UPDATE_NAME, ev->name, strlen(ev->name) + 1);
	}
	strbuf_release(&cpus);
}
