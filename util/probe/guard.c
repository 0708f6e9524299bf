/* Guard: see guard.h. */
#include "guard.h"

#include <string.h>
#include <time.h>
#include "../base/fs.h"
#include "../base/units.h"
#include "../kernel/tracefs.h"
#include "cost.h"

/* the number of the line "PATH EVENT HITS" (user) or "EVENT HITS MISSES"; events have no group there */
static u64 hits_of(const char *text, const struct probe_planned *p)
{
	for (const char *line = text; line && *line;) {
		const char *end = strchrnul(line, '\n'), *w = line + strspn(line, " ");
		size_t len = p->is_user ? strcspn(w, " \n") : 0;
		u64 hits = 0;

		if (p->is_user) {
			const char *place = strchr(p->definition, ' ');
			bool same = place && !strncmp(place + 1, w, len) && place[1 + len] == ':';

			w += len;
			w += strspn(w, " ");
			len = same ? strcspn(w, " \n") : 0;
		} else {
			len = strcspn(w, " \n");
		}
		if (len && len == strlen(p->event) && !memcmp(w, p->event, len)) {
			for (w += len + strspn(w + len, " "); *w >= '0' && *w <= '9'; w++)
				hits = hits * 10 + (*w - '0');
			return hits;
		}
		line = *end ? end + 1 : end;
	}
	return 0;
}

struct rates {
	double rate[2], most;		/* of entries and returns, a second */
	const struct probe_planned *hot;
};

static struct rates rates_of(struct probe_guard *g, const char *uprobes, const char *kprobes, double seconds)
{
	struct rates r = { 0 };

	while (g->hits.nr < g->plan->nr)
		vec_push(&g->hits, 0);
	for (size_t i = 0; i < g->plan->nr; i++) {
		const struct probe_planned *p = &g->plan->v[i];
		u64 now = hits_of(p->is_user ? uprobes : kprobes, p);
		double rate = now > g->hits.v[i] ? (now - g->hits.v[i]) / seconds : 0;

		g->hits.v[i] = now;
		r.rate[p->definition[0] == 'r'] += rate;
		if (rate > r.most) {
			r.most = rate;
			r.hot = p;
		}
	}
	return r;
}

static u64 cost_of(struct probe_guard *g, u32 kinds, bool is_kernel)
{
	if (!g->is_measured[kinds])
		g->ns[kinds] = (g->cost ? g->cost : probe_cost_measure)(kinds, is_kernel);
	g->is_measured[kinds] = true;
	return g->ns[kinds];
}

/* the share of a CPU's time, in percent; entry and return of the same function trap at the same place */
static double share_of(struct probe_guard *g, const struct rates *r)
{
	bool is_kernel = !r->hot->is_user;
	double calls = MAX(r->rate[0], r->rate[1]), both = MIN(r->rate[0], r->rate[1]);
	u32 kind = r->rate[0] >= r->rate[1] ? PROBE_COST_ENTRY : PROBE_COST_RETURN;
	double ns = 0;

	if (both > 0)
		ns += both * cost_of(g, PROBE_COST_ENTRY | PROBE_COST_RETURN, is_kernel);
	if (calls > both)
		ns += (calls - both) * cost_of(g, kind, is_kernel);
	return ns / 1e7;
}

bool probe_guard_check(struct probe_guard *g, const char *uprobes, const char *kprobes, u64 time,
		       struct strbuf *out)
{
	double seconds = time > g->time ? (time - g->time) / 1e9 : 0;
	bool first = !g->time;
	struct rates r;
	double share;

	if (g->has_warned || !(seconds > 0))
		return false;
	g->time = time;
	r = rates_of(g, uprobes, kprobes, seconds);
	if (first || !r.hot || r.most < PROBE_RATE_CHECKED)
		return false;
	share = share_of(g, &r);
	if (share < PROBE_SHARE_LIMIT && r.most < PROBE_RATE_LIMIT)
		return false;
	g->has_warned = true;
	strbuf_addf(out, "%s:%s occurs %.0f times a second", r.hot->group, r.hot->event, r.most);
	if (share > 0)
		strbuf_addf(out, ": the probes take about %.0f %% of a CPU's time", share);
	return true;
}

bool probe_guard_look(struct probe_guard *g, struct strbuf *out)
{
	struct strbuf text[2] = { STRBUF_INIT, STRBUF_INIT };
	static const char *const names[] = { "uprobe_profile", "kprobe_profile" };
	const char *dir = tracefs_path();
	char path[256];
	bool ret;

	for (int i = 0; i < 2 && dir; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		fs_read(path, &text[i]);
	}
	ret = probe_guard_check(g, strbuf_str(&text[0]), strbuf_str(&text[1]), clock_ns(CLOCK_MONOTONIC),
				out);
	for (int i = 0; i < 2; i++)
		strbuf_release(&text[i]);
	return ret;
}

void probe_guard_release(struct probe_guard *g)
{
	vec_release(&g->hits);
}
