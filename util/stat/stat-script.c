/* Recorded counts as perf script prints them. */
#include "stat-file.h"

#include <inttypes.h>

void stat_script_titles(struct strbuf *out)
{
	strbuf_addf(out, "%3s %8s %15s %15s %15s %15s %s\n", "CPU", "THREAD", "VAL", "ENA", "RUN", "TIME",
		    "EVENT");
}

void stat_script_round(const struct stat_file *f, const struct stat_round *round, struct strbuf *out)
{
	const struct counts *c = &f->counts;

	for (u32 e = 0; e < c->nr_events; e++)
		for (u32 t = 0; t < c->nr_threads; t++)
			for (u32 cpu = 0; cpu < c->nr_cpus; cpu++) {
				size_t at = counts_at(c, e, cpu, t);
				const struct count *v = &c->v[at];

				if (c->state[at] == COUNT_ABSENT)
					continue;
				strbuf_addf(out, "%3d %8d %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " %15"
					    PRIu64 " ", c->cpu[cpu], c->tid[t], v->val, v->ena, v->run,
					    round->time_ns);
				strbuf_add_safe(out, evset_at(f->set, e)->name);
				strbuf_addch(out, '\n');
			}
}
