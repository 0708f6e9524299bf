/* Schedstat: reading and writing. See schedstat.h. */
#include "schedstat.h"
#include "../event/record-put.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "../base/fs.h"

static u32 domain_values(u32 version)
{
	return version < 17 ? 36 : 45;
}

/* up to max numbers of a text; their number */
static u32 read_values(const char *text, u64 *ret, u32 max)
{
	u32 nr = 0;
	char *end;

	for (; nr < max; nr++, text = end) {
		ret[nr] = strtoull(text, &end, 10);
		if (end == text)
			break;
	}
	return nr;
}

/* "domain0 [NAME] MASK 1 2 ...": the text after name and mask, NULL if it is damaged */
static const char *read_domain(const char *text, u32 version, struct schedstat_line *l)
{
	int skip = 0;

	if (version >= SCHEDSTAT_NAMED) {
		if (sscanf(text, "domain%u %15s %*s%n", &l->domain, l->name, &skip) != 2)
			return NULL;
	} else if (sscanf(text, "domain%u %*s%n", &l->domain, &skip) != 1) {
		return NULL;
	}
	return skip ? text + skip : NULL;
}

static void read_line(struct schedstat *s, const char *text, u32 *cpu)
{
	struct schedstat_line l = { .cpu = *cpu, .domain = SCHEDSTAT_NO_DOMAIN };
	const char *values;
	int skip = 0;

	if (sscanf(text, "timestamp %lu", &s->timestamp) == 1)
		return;
	if (sscanf(text, "cpu%u%n", cpu, &skip) == 1) {
		l.cpu = *cpu;
		l.nr = read_values(text + skip, l.value, SCHEDSTAT_CPU_VALUES);
	} else {
		values = *cpu == UINT32_MAX ? NULL : read_domain(text, s->version, &l);
		if (!values)
			return;
		l.nr = read_values(values, l.value, domain_values(s->version));
	}
	vec_push(&s->line, l);
}

int schedstat_read(struct schedstat *s, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	u32 cpu = UINT32_MAX;
	char *save, *line;
	int ret = fs_read("/proc/schedstat", &text);

	*s = (struct schedstat){ 0 };
	if (ret) {
		strbuf_release(&text);
		err_set(err, ret, "cannot read /proc/schedstat: %s", strerror(-ret));
		if (ret == -ENOENT)
			err_hint(err, "it needs a kernel with CONFIG_SCHEDSTATS; sched latency needs none");
		return ret;
	}
	line = strtok_r(text.len ? text.buf : (char[]){ "" }, "\n", &save);
	if (!line || sscanf(line, "version %u", &s->version) != 1 || s->version < 15 || s->version > 17)
		ret = err_set(err, -ENOTSUP, "/proc/schedstat has an unknown version: '%s'",
			      line ? line : "");
	while (!ret && (line = strtok_r(NULL, "\n", &save)))
		read_line(s, line, &cpu);
	strbuf_release(&text);
	if (!ret && !s->line.nr)
		ret = err_set(err, -ENODATA, "/proc/schedstat has no CPUs");
	return ret;
}

void schedstat_release(struct schedstat *s)
{
	vec_release(&s->line);
	hidx_release(&s->idx);
}

static void put_line(const struct schedstat *s, const struct schedstat_line *l, struct strbuf *out)
{
	const u64 *n = l->value;
	u32 value[SCHEDSTAT_MAX_VALUES], nr = domain_values(s->version);

	if (l->domain == SCHEDSTAT_NO_DOMAIN) {
		record_put(out, &(struct record_view){
			.type = REC_SCHEDSTAT_CPU,
			.schedstat_cpu = { .timestamp = s->timestamp, .cpu = l->cpu, .version = s->version,
				.yields = n[0], .expired = n[1], .schedules = n[2], .idles = n[3],
				.wakeups = n[4], .local_wakeups = n[5], .run_time = n[6], .wait_time = n[7],
				.timeslices = n[8] } }, NULL, 0);
		return;
	}
	for (u32 i = 0; i < nr; i++)
		value[i] = n[i];
	record_put(out, &(struct record_view){
		.type = REC_SCHEDSTAT_DOMAIN,
		.schedstat_domain = { .timestamp = s->timestamp, .cpu = l->cpu, .version = s->version,
				      .domain = l->domain,
				      .values = { (const u8 *)value, nr, sizeof(value[0]) } } }, NULL, 0);
}

void schedstat_put(const struct schedstat *s, const struct id_filter *cpus, struct strbuf *out)
{
	vec_foreach(&s->line, l)
		if (id_filter_ok(cpus, l->cpu))
			put_line(s, l, out);
}

/* ---- from a file ---- */

static const char *domain_name(const struct features *f, u32 cpu, u32 domain)
{
	for (u32 i = 0; i < f->nr_cpu_domains; i++)
		for (u32 k = 0; f->cpu_domains[i].cpu == cpu && k < f->cpu_domains[i].nr; k++)
			if (f->cpu_domains[i].domain[k].number == domain)
				return f->cpu_domains[i].domain[k].name;
	return NULL;
}

static struct schedstat_line *find_line(struct schedstat *s, u32 cpu, u32 domain)
{
	u64 hash = hash_u64((u64)cpu << 32 | domain);
	u32 id;

	HIDX_FOREACH(&s->idx, hash, id)
		if (s->line.v[id].cpu == cpu && s->line.v[id].domain == domain)
			return &s->line.v[id];
	return NULL;
}

static void keep_line(struct schedstat *first, struct schedstat *last, u64 timestamp, u32 version,
		      const struct schedstat_line *l)
{
	struct schedstat_line *old = find_line(last, l->cpu, l->domain);

	if (!first->line.nr)
		first->timestamp = timestamp;
	first->version = last->version = version;
	last->timestamp = timestamp;
	if (old) {
		*old = *l;
		return;
	}
	hidx_insert(&last->idx, hash_u64((u64)l->cpu << 32 | l->domain), last->line.nr);
	vec_push(&first->line, *l);
	vec_push(&last->line, *l);
}

static void read_domain_record(const struct record_view *v, struct schedstat_line *l)
{
	const struct rec_schedstat_domain_view *d = &v->schedstat_domain;
	u32 value;

	l->cpu = d->cpu;
	l->domain = d->domain;
	l->nr = MIN(d->values.nr, (u64)SCHEDSTAT_MAX_VALUES);
	for (u32 i = 0; i < l->nr; i++) {
		memcpy(&value, rec_row(&d->values, i), 4);
		l->value[i] = d->values.swap ? __builtin_bswap32(value) : value;
	}
}

static void read_record(struct schedstat *first, struct schedstat *last, const struct session *s,
			const struct record_view *v)
{
	struct schedstat_line l = { .domain = SCHEDSTAT_NO_DOMAIN, .nr = SCHEDSTAT_CPU_VALUES };
	const char *name;

	if (v->type == REC_SCHEDSTAT_CPU) {
		const struct rec_schedstat_cpu_view *c = &v->schedstat_cpu;
		const u64 values[] = { c->yields, c->expired, c->schedules, c->idles, c->wakeups,
				       c->local_wakeups, c->run_time, c->wait_time, c->timeslices };

		l.cpu = c->cpu;
		memcpy(l.value, values, sizeof(values));
		keep_line(first, last, c->timestamp, c->version, &l);
		return;
	}
	read_domain_record(v, &l);
	name = domain_name(&s->data->feat, l.cpu, l.domain);
	snprintf(l.name, sizeof(l.name), "%s", name ? name : "");
	keep_line(first, last, v->schedstat_domain.timestamp, v->schedstat_domain.version, &l);
}

int schedstat_load(struct schedstat *first, struct schedstat *last, const struct session *s, struct err *err)
{
	struct diag diag = { 0 };
	struct record_view v;
	struct rec rec;

	*first = *last = (struct schedstat){ 0 };
	vec_foreach(&s->data->stream, stream) {
		struct rec_walk walk = rec_walk_of(s->data, stream, stream->start, stream->end, &diag);

		while (rec_next(&walk, &rec))
			if ((rec.type == REC_SCHEDSTAT_CPU || rec.type == REC_SCHEDSTAT_DOMAIN) &&
			    !record_decode(&rec, &v))
				read_record(first, last, s, &v);
	}
	if (first->line.nr && first->version >= 15 && first->version <= 17)
		return 0;
	err_set(err, -ENOENT, "%s has no readings of /proc/schedstat in a known version", s->data->path);
	err_hint(err, "record them with perf sched stats record");
	return -ENOENT;
}
