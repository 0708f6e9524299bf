/* File facts: the rows. */
#include "file-facts.h"

static void add_command_line(struct view_facts *facts, struct arena *arena, const struct features *f)
{
	struct strbuf line = STRBUF_INIT;

	for (u32 i = 0; i < f->nr_cmdline; i++)
		strbuf_addf(&line, "%s%s", i ? " " : "", f->cmdline[i]);
	view_fact_text(facts, "command-line", f->nr_cmdline ? arena_strdup(arena, strbuf_str(&line)) : NULL);
	strbuf_release(&line);
}

static void add_number(struct view_facts *facts, const struct features *f, enum feature_id id,
		       const char *key, u64 number)
{
	if (feature_present(f, id))
		view_fact_number(facts, key, number);
}

void file_facts(struct view_facts *facts, struct arena *arena, const struct session *s)
{
	const struct features *f = &s->data->feat;

	view_fact_text(facts, "file", s->data->path);
	view_fact_text(facts, "hostname", f->hostname);
	view_fact_text(facts, "os-release", f->osrelease);
	view_fact_text(facts, "perf-version", f->version);
	view_fact_text(facts, "arch", f->arch);
	view_fact_text(facts, "cpu", f->cpudesc);
	view_fact_text(facts, "cpu-id", f->cpuid);
	add_number(facts, f, FEAT_NRCPUS, "cpus-online", f->nr_cpus_online);
	add_number(facts, f, FEAT_NRCPUS, "cpus-available", f->nr_cpus_avail);
	add_number(facts, f, FEAT_TOTAL_MEM, "memory-bytes", f->total_mem_kb * 1024);
	add_command_line(facts, arena, f);
	add_number(facts, f, FEAT_SAMPLE_TIME, "first-sample-ns", f->sample_time_first);
	add_number(facts, f, FEAT_SAMPLE_TIME, "last-sample-ns", f->sample_time_last);
	view_fact_number(facts, "lost-samples", s->nr_lost_samples);
}
