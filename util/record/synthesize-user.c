/* Synthesize: records of user-space types: id index, maps of threads and CPUs, event updates. */
#include "synthesize.h"
#include "../base/fs.h"
#include "../data/features-write.h"
#include "../event/record-type.h"

#include <stdio.h>

static void put_header_misc(struct strbuf *out, u32 type, u16 misc, size_t size)
{
	put_u32(out, type);
	put_u16(out, misc);
	put_u16(out, size);
}

static void put_header(struct strbuf *out, u32 type, size_t size)
{
	put_header_misc(out, type, 0, size);
}

void synth_marker(struct strbuf *out, u32 type)
{
	put_header(out, type, sizeof(struct rec_header));
}

void synth_lost_samples(struct strbuf *out, const struct event *ev, u64 id, s32 tid, int cpu, u16 misc,
			u64 lost)
{
	u64 type = ev->attr.flags & ATTR_SAMPLE_ID_ALL ? ev->attr.sample_type : 0;

	put_header_misc(out, REC_LOST_SAMPLES, misc, 16 + synth_trailer_size(&ev->attr));
	put_u64(out, lost);
	/* sample_id, its fields in order */
	if (type & PERF_SAMPLE_TID) {
		put_u32(out, tid);
		put_u32(out, tid);
	}
	if (type & PERF_SAMPLE_TIME)
		put_u64(out, 0);
	if (type & PERF_SAMPLE_ID)
		put_u64(out, id);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_u64(out, id);
	if (type & PERF_SAMPLE_CPU)
		put_u64(out, (u32)cpu);
	if (type & PERF_SAMPLE_IDENTIFIER)
		put_u64(out, id);
}

void synth_id_index(struct strbuf *out, const struct open_fds *f)
{
	const u32 max = (UINT16_MAX - 16) / 32;
	u32 left = 0;

	for (size_t i = 0; i < (size_t)f->nr_events * f->nr_cpus * f->nr_threads; i++)
		left += f->fd[i] >= 0;
	for (u32 ev = 0, n = 0; ev < f->nr_events; ev++)
		for (u32 cpu = 0; cpu < f->nr_cpus; cpu++)
			for (u32 th = 0; th < f->nr_threads; th++) {
				size_t at = open_at(f, ev, cpu, th);

				if (f->fd[at] < 0)
					continue;
				/* header.size has 16 bits: starts another record when one is full */
				if (!n) {
					n = MIN(left, max);
					left -= n;
					put_header(out, REC_ID_INDEX, 16 + (size_t)n * 32);
					put_u64(out, n);
				}
				n--;
				put_u64(out, f->id[at]);
				put_u64(out, f->nr_cpus > 1 ? cpu : th);	/* index of the ring */
				put_u64(out, (s64)f->cpu[cpu]);
				put_u64(out, (s64)f->tid[th]);
			}
}

void synth_thread_map(struct strbuf *out, const s32 *tid, u32 nr)
{
	struct strbuf comm = STRBUF_INIT;
	char path[64];

	nr = MIN(nr, (UINT16_MAX - 16u) / 24);
	put_header(out, REC_THREAD_MAP, 16 + (size_t)nr * 24);
	put_u64(out, nr);
	for (u32 i = 0; i < nr; i++) {
		char name[16] = "";

		snprintf(path, sizeof(path), "/proc/%d/comm", tid[i]);
		if (tid[i] > 0 && !fs_read_line(path, &comm))
			snprintf(name, sizeof(name), "%s", strbuf_str(&comm));
		put_u64(out, (s64)tid[i]);
		strbuf_add(out, name, sizeof(name));
	}
	strbuf_release(&comm);
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
	put_header(out, REC_CPU_MAP, sizeof(struct rec_header) + data.len);
	strbuf_add(out, data.buf, data.len);
	strbuf_release(&data);
}

enum { UPDATE_UNIT, UPDATE_SCALE, UPDATE_NAME, UPDATE_CPUS };

static void put_update(struct strbuf *out, const struct event *ev, u64 what, const void *data, size_t len)
{
	size_t padded = ALIGN_UP(len, (size_t)8);

	if (!ev->nr_ids || padded > UINT16_MAX - 24)
		return;
	put_header(out, REC_EVENT_UPDATE, 24 + padded);
	put_u64(out, what);
	put_u64(out, ev->ids[0]);
	strbuf_add(out, data, len);
	strbuf_pad(out, '\0', padded - len);
}

void synth_event_updates(struct strbuf *out, const struct evset *set)
{
	struct strbuf cpus = STRBUF_INIT;

	vec_foreach(&set->ev, it) {
		const struct event *ev = *it;

		if (ev->unit && *ev->unit)
			put_update(out, ev, UPDATE_UNIT, ev->unit, strlen(ev->unit) + 1);
		if (ev->scale != 1.0)
			put_update(out, ev, UPDATE_SCALE, &ev->scale, sizeof(ev->scale));
		if (ev->cpus) {
			strbuf_reset(&cpus);
			put_cpu_map_data(&cpus, ev->cpus, ev->nr_cpus);
			put_update(out, ev, UPDATE_CPUS, cpus.buf, cpus.len);
		}
		put_update(out, ev, UPDATE_NAME, ev->name, strlen(ev->name) + 1);
	}
	strbuf_release(&cpus);
}
