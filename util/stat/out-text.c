/* Out-text: the classic table, as people have read it since there is perf stat. */
#include "lines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "metric.h"
#include "out.h"

#define VALUE_WIDTH 18
#define NAME_WIDTH 32		/* of an event that was counted */
#define CGROUP_WIDTH 16
#define NAME_WIDTH_BARE 25	/* of one that was not */
#define METRIC_WIDTH 35		/* " #", number, label */
#define UNIT_WIDTH 4

/* what an aggregate is called: title of its column, and how wide it is */
static const struct mode_text {
	const char *title;
	bool counters;		/* the number of counters stands beside it */
} modes[] = {
	[AGGR_GLOBAL] = { "", false },
	[AGGR_NONE] = { "CPU        ", false },
	[AGGR_SOCKET] = { "socket cpus ", true },
	[AGGR_DIE] = { "die          cpus ", true },
	[AGGR_CLUSTER] = { "cluster              cpus ", true },
	[AGGR_CACHE] = { "cache                  cpus ", true },
	[AGGR_CORE] = { "core            cpus ", true },
	[AGGR_NODE] = { "node   cpus ", true },
	[AGGR_THREAD] = { "            comm-pid      ", false },
};

static void put_id(struct strbuf *out, const struct aggr *a, u32 id)
{
	const struct aggr_id *i = &a->id.v[id];
	const struct cpu_location *p = &i->place;
	struct strbuf comm = STRBUF_INIT;

	switch (a->mode) {
	case AGGR_GLOBAL:
	case AGGR_PORT:	/* has no such lines, only metrics */
		break;
	case AGGR_NONE:
		if (p->cpu >= 0)
			strbuf_addf(out, "CPU%-7d ", p->cpu);
		else	/* a percore event: the sum of a core */
			strbuf_addf(out, "S%d-D%d-C%-3d ", p->socket, p->die, p->core);
		break;
	case AGGR_SOCKET:
		strbuf_addf(out, "S%-5d", p->socket);
		break;
	case AGGR_DIE:
		strbuf_addf(out, "S%d-D%-8d", p->socket, p->die);
		break;
	case AGGR_CLUSTER:
		strbuf_addf(out, "S%d-D%d-CLS%-11d", p->socket, p->die, p->cluster);
		break;
	case AGGR_CACHE:
		strbuf_addf(out, "S%d-D%d-L%d-ID%-11d", p->socket, p->die, p->cache_level, p->cache);
		break;
	case AGGR_CORE:
		strbuf_addf(out, "S%d-D%d-C%-8d", p->socket, p->die, p->core);
		break;
	case AGGR_NODE:
		strbuf_addf(out, "N%-5d", p->node);
		break;
	case AGGR_THREAD:
		strbuf_add_safe(&comm, i->comm ? i->comm : "");
		strbuf_addf(out, "%16s-%-8d ", strbuf_str(&comm), i->tid);
		strbuf_release(&comm);
		break;
	}
}

/* thousands apart, whatever the locale */
static void put_number(struct strbuf *out, double v, int decimals, bool big_num)
{
	char digits[400], grouped[600];
	size_t n = 0, whole;

	snprintf(digits, sizeof(digits), "%.*f", decimals, v);
	whole = strcspn(digits, ".");
	for (size_t i = 0; digits[i]; i++) {
		if (big_num && i && i < whole && (whole - i) % 3 == 0 && digits[i - 1] != '-')
			grouped[n++] = ',';
		grouped[n++] = digits[i];
	}
	grouped[n] = '\0';
	strbuf_addf(out, "%*s", VALUE_WIDTH, grouped);
}

static int unit_width(const struct stat_block *b)
{
	size_t width = UNIT_WIDTH;

	vec_foreach(&b->line, l)
		width = MAX(width, strlen(l->unit ? l->unit : ""));
	return width;
}

/* of the column of control groups; 0: there is none */
static size_t cgroup_width(const struct stat_block *b)
{
	size_t width = 0;

	vec_foreach(&b->line, l)
		width = MAX(width, l->cgroup ? MAX(strlen(l->cgroup), (size_t)CGROUP_WIDTH) : 0);
	return width;
}

static const char *color_of(enum stat_grade g)
{
	return g == STAT_BAD ? "\033[31m" : g == STAT_GOOD ? "\033[32m" : "";
}

static void put_metric(struct strbuf *out, const struct stat_metric *m, const struct stat_out_opts *o)
{
	const char *color = o->color ? color_of(m->grade) : "";
	size_t width, start = out->len;

	strbuf_addstr(out, " # ");
	stat_metric_text(m, color, out);
	width = out->len - start - (*color ? strlen(color) + strlen("\033[m") : 0);
	strbuf_pad(out, ' ', width < METRIC_WIDTH ? METRIC_WIDTH - width : 0);
}

static void put_value(struct strbuf *out, const struct stat_line *l, const struct stat_out_opts *o)
{
	static const char *const words[] = { [STAT_NOT_COUNTED] = "<not counted>", [STAT_NOT_SUPPORTED] = "<not supported>" };

	if (l->state != STAT_COUNTED)
		strbuf_addf(out, "%*s", VALUE_WIDTH, words[l->state]);
	else
		put_number(out, l->value, l->fraction ? 2 : 0, o->big_num);
}

/* what begins each line: the time of an interval, the aggregate */
static void put_prefix(struct strbuf *out, const struct stat_block *b, const struct stat_line *l)
{
	if (b->interval)
		strbuf_addf(out, "%6llu.%09llu ", (unsigned long long)(b->time_ns / 1000000000),
			    (unsigned long long)(b->time_ns % 1000000000));
	put_id(out, b->aggr, l->id);
	if (modes[b->aggr->mode].counters)
		strbuf_addf(out, " %4u ", l->nr);
}

/* behind the last thing that a line says of a count */
static void put_trust(struct strbuf *out, const struct stat_line *l)
{
	if (l->state == STAT_COUNTED && l->stddev_percent > 0)
		strbuf_addf(out, "  ( +-%6.2f%% )", l->stddev_percent);
	if (l->state == STAT_COUNTED ? l->running_percent < 99.995 : l->enabled && !l->run_ns)
		strbuf_addf(out, "  (%.2f%%)", l->running_percent);
	strbuf_addch(out, '\n');
}

/* widths that depend on what a block shows */
struct widths {
	int unit;
	size_t cgroup;
};

/* further metrics stand below the first */
static void put_metrics(struct strbuf *out, const struct stat_block *b, const struct stat_line *l, const struct stat_out_opts *o,
			const struct widths *w)
{
	for (u32 i = 0; i < l->nr_metrics; i++) {
		if (i || !l->event) {
			if (i)
				strbuf_addch(out, '\n');
			put_prefix(out, b, l);
			strbuf_pad(out, ' ', VALUE_WIDTH + 1 + w->unit + 1 + NAME_WIDTH + (w->cgroup ? 1 + w->cgroup : 0));
		}
		put_metric(out, &b->metric.v[l->metric + i], o);
	}
	if (!l->nr_metrics)
		strbuf_pad(out, ' ', METRIC_WIDTH);
}

static void put_padded(struct strbuf *out, const char *word, size_t width)
{
	size_t start = out->len;

	strbuf_add_safe(out, word);
	strbuf_pad(out, ' ', out->len - start < width ? width - (out->len - start) : 0);
}

static void put_line(struct strbuf *out, const struct stat_block *b, const struct stat_line *l, const struct stat_out_opts *o,
		     const struct widths *w)
{
	bool bare = l->state != STAT_COUNTED && !l->nr_metrics && !w->cgroup;

	if (l->event) {
		put_prefix(out, b, l);
		put_value(out, l, o);
		strbuf_addf(out, " %-*s ", w->unit, l->unit ? l->unit : "");
		put_padded(out, l->event, bare ? NAME_WIDTH_BARE : NAME_WIDTH);
		if (w->cgroup) {
			strbuf_addch(out, ' ');
			put_padded(out, l->cgroup ? l->cgroup : "", w->cgroup);
		}
	}
	put_metrics(out, b, l, o, w);
	put_trust(out, l);
}

void stat_text_head(const struct stat_block *b, struct strbuf *out)
{
	strbuf_addf(out, "\n Performance counter stats for ");
	strbuf_add_safe(out, b->title ? b->title : "");
	if (b->nr_runs > 1)
		strbuf_addf(out, " (%u runs)", b->nr_runs);
	strbuf_addstr(out, ":\n\n");
}

/* as many decimals as show three digits of the deviation */
static int times_precision(double stddev)
{
	int p = stddev > 0 ? 2 - (int)floor(log10(stddev)) : 9;

	return p < 0 ? 0 : MIN(p, 9);
}

static void put_table(struct strbuf *out, const struct stat_block *b, int precision)
{
	int indent = VALUE_WIDTH - 2 - precision;

	strbuf_addf(out, "%*s# Table of individual measurements:\n", indent, "");
	vec_foreach(&b->run_sec, run) {
		double diff = *run - b->elapsed_sec, percent = *run > 0 ? fabs(100 * diff / *run) : 0;

		strbuf_addf(out, "%*.*f (%+.*f) ", VALUE_WIDTH, precision, *run, precision, diff);
		strbuf_pad(out, '#', MIN((size_t)ceil(percent / 5), (size_t)200));
		strbuf_addch(out, '\n');
	}
	strbuf_addf(out, "\n%*s# Final result:\n", indent, "");
}

static void put_times(struct strbuf *out, const struct stat_block *b, const struct stat_out_opts *o)
{
	int precision = times_precision(b->elapsed_stddev);

	if (b->elapsed_sec < 0)
		return;
	strbuf_addch(out, '\n');
	if (b->nr_runs > 1) {
		if (o->table)
			put_table(out, b, precision);
		strbuf_addf(out, "%*.*f +- %.*f seconds time elapsed", VALUE_WIDTH, precision, b->elapsed_sec, precision,
			    b->elapsed_stddev);
		if (b->elapsed_stddev > 0)
			strbuf_addf(out, "  ( +-%6.2f%% )", 100 * b->elapsed_stddev / b->elapsed_sec);
		strbuf_addch(out, '\n');
		return;
	}
	strbuf_addf(out, "%*.9f seconds time elapsed\n", VALUE_WIDTH, b->elapsed_sec);
	if (b->user_sec >= 0)
		strbuf_addf(out, "\n%*.9f seconds user\n%*.9f seconds sys\n", VALUE_WIDTH, b->user_sec, VALUE_WIDTH, b->sys_sec);
}

static void put_notes(struct strbuf *out, const struct stat_block *b)
{
	if (b->note.nr)
		strbuf_addch(out, '\n');
	vec_foreach(&b->note, n) {
		strbuf_addch(out, ' ');
		strbuf_add_safe(out, *n);
		strbuf_addch(out, '\n');
	}
}

void stat_text_foot(const struct stat_block *b, const struct stat_out_opts *o, struct strbuf *out)
{
	put_times(out, b, o);
	put_notes(out, b);
	/* the classic table ends with more room below the times of a command */
	strbuf_addstr(out, b->user_sec >= 0 && b->nr_runs == 1 ? "\n\n" : "\n");
}

void stat_out_text(const struct stat_block *b, const struct stat_out_opts *o, struct stat_out_state *st, struct strbuf *out)
{
	const struct widths w = { unit_width(b), cgroup_width(b) };

	if (!b->interval)
		stat_text_head(b, out);
	else if (st->nr_blocks % 25 == 0)
		strbuf_addf(out, "#           time %s%18s unit events\n", modes[b->aggr->mode].title, "counts");
	vec_foreach(&b->line, l)
		put_line(out, b, l, o, &w);
	st->nr_blocks++;
	if (!b->interval)
		stat_text_foot(b, o, out);
}
