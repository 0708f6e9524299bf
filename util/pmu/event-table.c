/* Event tables: see event-table.h: where they are, and which files are read. */
#include "event-table.h"
#include "event-table-files.h"
#include "event-table-map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "pmu.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/strbuf.h"

/* files beside mapfile.csv, read once: the targets of ArchStdEvent */
static int read_standards(struct table_reader *r)
{
	struct event_table *std = xcalloc(1, sizeof(*std));
	struct table_reader inner = { .t = std, .json = r->json, .root = r->root, .default_pmu = "cpu",
				      .standards = std, .standards_only = true, .err = r->err };
	int ret;

	r->standards = std;
	ret = table_read_dir(&inner, r->root);
	r->json = inner.json;
	return ret;
}

static int compare_events(const void *pa, const void *pb)
{
	const struct table_event *a = pa, *b = pb;
	int d = strcmp(a->name, b->name);

	return d ? d : strcmp(a->pmu, b->pmu);
}

static int compare_metrics(const void *a, const void *b)
{
	return strcmp(((const struct table_metric *)a)->name, ((const struct table_metric *)b)->name);
}

static void sort_rows(struct event_table *t)
{
	size_t to = 0;

	if (t->metric.nr)
		qsort(t->metric.v, t->metric.nr, sizeof(*t->metric.v), compare_metrics);
	if (!t->event.nr)
		return;
	qsort(t->event.v, t->event.nr, sizeof(*t->event.v), compare_events);
	/* keeps one row per name and PMU */
	for (size_t i = 1; i < t->event.nr; i++)
		if (compare_events(&t->event.v[to], &t->event.v[i]))
			t->event.v[++to] = t->event.v[i];
	t->event.nr = to + 1;
}

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static int read_table(struct table_reader *r)
{
	struct strbuf map = STRBUF_INIT;
	struct cpu_idents ids = { 0 };
	int ret;

	cpu_idents_read(&ids);
	r->fixed_counters = ids.nr && !strncmp(ids.v[0], "GenuineIntel-", strlen("GenuineIntel-"));
	strbuf_addf(&map, "%s/mapfile.csv", r->root);
	if (access(map.buf, F_OK)) {
		ret = table_read_dir(r, r->root);
	} else {
		ret = read_standards(r);
		if (!ret)
			sort_rows(r->standards);
		if (!ret)
			ret = table_read_mapfile(r, map.buf, &ids);
	}
	strbuf_release(&map);
	cpu_idents_release(&ids);
	return ret;
}

static int load_dir(struct event_table *ret_table, const char *dir, struct err *err)
{
	struct event_table t = { .dir = NULL };
	struct table_reader r = { .t = &t, .root = dir, .default_pmu = "cpu", .err = err };
	int ret = read_table(&r);

	if (r.standards) {
		if (r.standards->nr_bad && !t.nr_bad)
			t.bad = arena_strdup(&t.arena, r.standards->bad);
		t.nr_bad += r.standards->nr_bad;
		event_table_release(r.standards);
		free(r.standards);
	}
	if (ret) {
		event_table_release(&t);
		return ret;
	}
	sort_rows(&t);
	if (t.event.nr || t.metric.nr)
		t.dir = arena_strdup(&t.arena, dir);
	*ret_table = t;
	return 0;
}

/* writes the next directory of the search path to out; false after the last one */
static bool next_place(struct strbuf *out, const char **env, int *step)
{
	static const char *const fixed[] = { "/etc", "/usr/local/share", "/usr/share" };
	const char *base;

	strbuf_reset(out);
	while (*env && **env) {
		size_t len = strcspn(*env, ":");

		strbuf_add(out, *env, len);
		*env += len + ((*env)[len] == ':');
		if (len)
			return true;
	}
	if (*step < 0) {
		++*step;
		base = secure_getenv("XDG_DATA_HOME");
		if (base && *base)
			strbuf_addf(out, "%s/perf-events", base);
		else if ((base = secure_getenv("HOME")) && *base)
			strbuf_addf(out, "%s/.local/share/perf-events", base);
		if (out->len)
			return true;
	}
	if ((size_t)*step >= ARRAY_SIZE(fixed))
		return false;
	fs_path(out, "%s/perf-events", fixed[(*step)++]);
	return true;
}

int event_table_load(struct event_table *ret_table, const char *dir, struct err *err)
{
	struct strbuf place = STRBUF_INIT;
	const char *env = secure_getenv("PERF_EVENT_TABLES");
	int step = -1, ret = 0;

	memset(ret_table, 0, sizeof(*ret_table));
	if (dir)
		return load_dir(ret_table, dir, err);
	while (!ret && !ret_table->dir && next_place(&place, &env, &step))
		if (is_dir(place.buf))
			ret = load_dir(ret_table, place.buf, err);
	strbuf_release(&place);
	return ret;
}

const struct event_table *table_source_get(struct table_source *s, struct err *err)
{
	if (!s->tried) {
		s->tried = true;
		s->status = event_table_load(&s->table, s->dir, &s->err);
		if (!s->status && s->table.nr_bad > 1)
			log_warn("%s: left out, and %u more", s->table.bad, s->table.nr_bad - 1);
		else if (!s->status && s->table.nr_bad)
			log_warn("%s: left out", s->table.bad);
	}
	if (s->status) {
		err_copy(err, &s->err);
		return NULL;
	}
	return s->table.dir ? &s->table : NULL;
}

void table_source_release(struct table_source *s)
{
	event_table_release(&s->table);
	s->tried = false;
}

/* "hisi_sccl,ddrc": hisi_sccl1_ddrc0, whose number is in the middle */
static bool has_words(const char *name, const char *words)
{
	const char *at = name;
	char word[64];

	while (at && *words) {
		size_t len = strcspn(words, ",");

		if (!len || len >= sizeof(word))
			return false;
		memcpy(word, words, len);
		word[len] = '\0';
		at = at == name ? (strncmp(name, word, len) ? NULL : name) : strstr(at, word);
		at = at ? at + len : NULL;
		words += len + (words[len] == ',');
	}
	return at;
}

bool table_event_on(const struct table_event *ev, const struct pmu *pmu)
{
	static const char uncore[] = "uncore_";
	size_t len = strlen(ev->pmu);

	if (!strcmp(ev->pmu, "cpu"))
		return pmu->is_core;
	if (strchr(ev->pmu, ','))
		return has_words(pmu->name, ev->pmu);
	if (pmu_matches(pmu, ev->pmu, len))
		return true;
	/* a unit with the name of its PMU ("msr") */
	return !strncmp(ev->pmu, uncore, strlen(uncore)) &&
	       pmu_matches(pmu, ev->pmu + strlen(uncore), len - strlen(uncore));
}

/* events from sysfs itself: the first nr */
static bool has_own_event(const struct pmu *pmu, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcasecmp(pmu->event.v[i].name, name))
			return true;
	return false;
}

size_t event_table_extend(struct pmus *ps, const struct event_table *t)
{
	size_t nr = 0;

	pmus_scan(ps);
	vec_foreach(&ps->pmu, p) {
		struct pmu *pmu = *p;
		size_t own;

		pmu_load(ps, pmu);
		own = pmu->event.nr;
		vec_foreach(&t->event, ev) {
			if (!table_event_on(ev, pmu) || has_own_event(pmu, own, ev->name))
				continue;
			vec_push(&pmu->event, (struct pmu_event){ .name = ev->name, .terms = ev->terms,
				 .unit = ev->unit, .scale = ev->scale, .per_pkg = ev->per_pkg });
			nr++;
		}
	}
	return nr;
}
