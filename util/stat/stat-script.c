/* Recorded counts as perf script prints them. */
#include "stat-file.h"
#include "../view/stream.h"

#include <inttypes.h>

bool stat_file_counter(const struct stat_file *f, size_t *at, struct stat_counter *ret)
{
	const struct counts *c = &f->counts;
	size_t nr = (size_t)c->nr_events * c->nr_threads * c->nr_cpus;

	while (*at < nr) {
		size_t i = (*at)++;
		u32 cpu = i % c->nr_cpus, thread = i / c->nr_cpus % c->nr_threads;
		u32 event = i / c->nr_cpus / c->nr_threads;
		size_t place = counts_at(c, event, cpu, thread);

		if (c->state[place] == COUNT_ABSENT)
			continue;
		*ret = (struct stat_counter){ evset_at(f->set, event)->name, c->cpu[cpu], c->tid[thread],
					      &c->v[place] };
		return true;
	}
	return false;
}

void stat_script_round(const struct stat_file *f, const struct stat_round *round, bool titles,
		       struct strbuf *out)
{
	struct stat_counter c;
	size_t at = 0;

	if (titles)
		strbuf_addf(out, "%3s %8s %15s %15s %15s %15s %s\n", "CPU", "THREAD", "VAL", "ENA", "RUN",
			    "TIME", "EVENT");
	while (stat_file_counter(f, &at, &c)) {
		strbuf_addf(out, "%3d %8d %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " ", c.cpu,
			    c.tid, c.count->val, c.count->ena, c.count->run, round->time_ns);
		strbuf_add_safe(out, c.event);
		strbuf_addch(out, '\n');
	}
}

void stat_script_cells(const struct stat_file *f, const struct stat_round *round,
		       const struct stream_format *format, struct strbuf *out)
{
	struct stat_counter c;
	size_t at = 0;

	while (stat_file_counter(f, &at, &c)) {
		format->begin(out);
		stream_text(format, out, "type", "count");
		stream_time(format, out, "time", round->time_ns);
		if (c.cpu >= 0)
			stream_number(format, out, "cpu", c.cpu);
		if (c.tid >= 0)
			stream_number(format, out, "tid", c.tid);
		stream_text(format, out, "event", c.event);
		stream_number(format, out, "value", c.count->val);
		stream_time(format, out, "time-enabled", c.count->ena);
		stream_time(format, out, "time-running", c.count->run);
		format->end(out);
	}
}
