/* What the outputs of stat share: names of places, numbers, fields. */
#include "out.h"

#include <math.h>
#include <stdio.h>

static const struct stat_mode_name modes[] = {
	[AGGR_GLOBAL] = { NULL, false },	[AGGR_NONE] = { "cpu", false },		[AGGR_SOCKET] = { "socket", true },
	[AGGR_DIE] = { "die", true },		[AGGR_CLUSTER] = { "cluster", true },	[AGGR_CACHE] = { "cache", true },
	[AGGR_CORE] = { "core", true },		[AGGR_NODE] = { "node", true },		[AGGR_THREAD] = { "thread", false },
	[AGGR_PORT] = { "port", false, true },
};

const struct stat_mode_name *stat_mode_name(enum aggr_mode mode)
{
	return &modes[mode < ARRAY_SIZE(modes) ? mode : AGGR_GLOBAL];
}

void stat_out_state_release(struct stat_out_state *st)
{
	strbuf_release(&st->header);
	json_release(&st->json);
}

/* "S0-D0", and what the mode tells apart inside */
static void add_die(struct strbuf *out, const struct cpu_location *p)
{
	strbuf_addf(out, "S%d-D%d", p->socket, p->die);
}

static void add_core(struct strbuf *out, const struct cpu_location *p)
{
	add_die(out, p);
	strbuf_addf(out, "-C%d", p->core);
}

void stat_location_add(struct strbuf *out, const struct aggr *aggr, u32 id)
{
	const struct aggr_id *a = &aggr->id.v[id];
	const struct cpu_location *p = &a->place;

	switch (aggr->mode) {
	case AGGR_GLOBAL:
		break;
	case AGGR_NONE:
		if (p->cpu >= 0)
			strbuf_addf(out, "CPU%d", p->cpu);
		else	/* an event of the term percore is one sum a core */
			add_core(out, p);
		break;
	case AGGR_CORE:
		add_core(out, p);
		break;
	case AGGR_SOCKET:
		strbuf_addf(out, "S%d", p->socket);
		break;
	case AGGR_DIE:
		add_die(out, p);
		break;
	case AGGR_CLUSTER:
		add_die(out, p);
		strbuf_addf(out, "-CLS%d", p->cluster);
		break;
	case AGGR_CACHE:
		add_die(out, p);
		strbuf_addf(out, "-L%d-ID%d", p->cache_level, p->cache);
		break;
	case AGGR_NODE:
		strbuf_addf(out, "N%d", p->node);
		break;
	case AGGR_THREAD:
		strbuf_add_safe(out, a->comm ? a->comm : "");
		strbuf_addf(out, "-%d", a->tid);
		break;
	case AGGR_PORT:
		strbuf_addstr(out, a->comm);
		break;
	}
}

void stat_time_add(struct strbuf *out, u64 ns)
{
	strbuf_addf(out, "%llu.%09llu", (unsigned long long)(ns / 1000000000), (unsigned long long)(ns % 1000000000));
}

void stat_fixed_add(struct strbuf *out, double v, int decimals)
{
	size_t start = out->len;

	strbuf_addf(out, "%.*f", decimals, v);
	for (size_t i = start; i < out->len; i++)
		if (out->buf[i] == ',')
			out->buf[i] = '.';
}

int stat_metric_decimals(const struct stat_metric *m)
{
	const char *dot = m->format ? strchr(m->format, '.') : NULL;

	return dot && dot[1] >= '0' && dot[1] <= '9' ? dot[1] - '0' : 3;
}

void stat_csv_field(struct strbuf *out, const char *separator, const char *text)
{
	struct strbuf safe = STRBUF_INIT;
	const char *p;

	strbuf_add_safe(&safe, text);
	p = strbuf_str(&safe);
	if (!strchr(p, '"') && !(*separator && strstr(p, separator))) {
		strbuf_addstr(out, p);
	} else {
		strbuf_addch(out, '"');
		for (; *p; p++)
			strbuf_addstr(out, *p == '"' ? "\"\"" : (char[]){ *p, '\0' });
		strbuf_addch(out, '"');
	}
	strbuf_release(&safe);
}

bool stat_has_cgroups(const struct stat_block *b)
{
	vec_foreach(&b->line, l)
		if (l->cgroup)
			return true;
	return false;
}

bool stat_is_repeated(const struct stat_block *b)
{
	vec_foreach(&b->line, l)
		if (l->stddev_percent >= 0)
			return true;
	return false;
}
