/* C2c stats view: the numbers above the tables. */
#include "c2c-view.h"

/* a line: a sum of stats */
struct stats_line {
	const char *key, *text;
	u8 nr;
	u8 stat[4];
};
#define MISSES { C2C_LCL_DRAM, C2C_RMT_DRAM, C2C_RMT_HIT, C2C_RMT_HITM }

static const struct stats_line loads[] = {
	{ "records", "  Total records                     : ", 1, { C2C_RECORDS } },
	{ "locked", "  Locked Load/Store Operations      : ", 1, { C2C_LOCKED } },
	{ "loads", "  Load Operations                   : ", 1, { C2C_LOAD } },
	{ "loads-uncacheable", "  Loads - uncacheable               : ", 1, { C2C_LD_UNCACHED } },
	{ "loads-io", "  Loads - IO                        : ", 1, { C2C_LD_IO } },
	{ "loads-miss", "  Loads - Miss                      : ", 1, { C2C_LD_MISS } },
	{ "loads-no-address", "  Loads - no mapping                : ", 1, { C2C_LD_NO_ADDR } },
	{ "loads-fill-buffer", "  Load Fill Buffer Hit              : ", 1, { C2C_LD_FB } },
	{ "loads-l1", "  Load L1D hit                      : ", 1, { C2C_LD_L1 } },
	{ "loads-l2", "  Load L2D hit                      : ", 1, { C2C_LD_L2 } },
	{ "loads-llc", "  Load LLC hit                      : ", 2, { C2C_LD_L3, C2C_LCL_HITM } },
	{ "local-hitm", "  Load Local HITM                   : ", 1, { C2C_LCL_HITM } },
	{ "remote-hitm", "  Load Remote HITM                  : ", 1, { C2C_RMT_HITM } },
	{ "remote-hit", "  Load Remote HIT                   : ", 1, { C2C_RMT_HIT } },
	{ "local-dram", "  Load Local DRAM                   : ", 1, { C2C_LCL_DRAM } },
	{ "remote-dram", "  Load Remote DRAM                  : ", 1, { C2C_RMT_DRAM } },
	{ "exclusive", "  Load MESI State Exclusive         : ", 1, { C2C_LD_EXCLUSIVE } },
	{ "shared", "  Load MESI State Shared            : ", 1, { C2C_LD_SHARED } },
	{ "llc-misses", "  Load LLC Misses                   : ", 4, MISSES },
	{ "blocked-by-data", "  Load access blocked by data       : ", 1, { C2C_BLOCKED_DATA } },
	{ "blocked-by-address", "  Load access blocked by address    : ", 1, { C2C_BLOCKED_ADDR } },
	{ "local-peer", "  Load HIT Local Peer               : ", 1, { C2C_LCL_PEER } },
	{ "remote-peer", "  Load HIT Remote Peer              : ", 1, { C2C_RMT_PEER } },
};
static const struct stats_line misses[] = {
	{ "misses-to-local-dram", "  LLC Misses to Local DRAM          : ", 1, { C2C_LCL_DRAM } },
	{ "misses-to-remote-dram", "  LLC Misses to Remote DRAM         : ", 1, { C2C_RMT_DRAM } },
	{ "misses-to-remote-hit", "  LLC Misses to Remote cache (HIT)  : ", 1, { C2C_RMT_HIT } },
	{ "misses-to-remote-hitm", "  LLC Misses to Remote cache (HITM) : ", 1, { C2C_RMT_HITM } },
};
static const struct stats_line stores[] = {
	{ "stores", "  Store Operations                  : ", 1, { C2C_STORE } },
	{ "stores-uncacheable", "  Store - uncacheable               : ", 1, { C2C_ST_UNCACHED } },
	{ "stores-no-address", "  Store - no mapping                : ", 1, { C2C_ST_NO_ADDR } },
	{ "stores-l1-hit", "  Store L1D Hit                     : ", 1, { C2C_ST_L1_HIT } },
	{ "stores-l1-miss", "  Store L1D Miss                    : ", 1, { C2C_ST_L1_MISS } },
	{ "stores-no-level", "  Store No available memory level   : ", 1, { C2C_ST_NA } },
	{ "unmapped", "  No Page Map Rejects               : ", 1, { C2C_UNMAPPED } },
	{ "unknown", "  Unable to parse data source       : ", 1, { C2C_UNKNOWN } },
};
static const struct stats_line shared[] = {
	{ "loads", "  Load HITs on shared lines         : ", 1, { C2C_LOAD } },
	{ "fill-buffer", "  Fill Buffer Hits on shared lines  : ", 1, { C2C_LD_FB } },
	{ "l1", "  L1D hits on shared lines          : ", 1, { C2C_LD_L1 } },
	{ "l2", "  L2D hits on shared lines          : ", 1, { C2C_LD_L2 } },
	{ "llc", "  LLC hits on shared lines          : ", 2, { C2C_LD_L3, C2C_LCL_HITM } },
	{ "peer", "  Load hits on peer cache or nodes  : ", 2, { C2C_LCL_PEER, C2C_RMT_PEER } },
	{ "locked", "  Locked Access on shared lines     : ", 1, { C2C_LOCKED } },
	{ "blocked", "  Blocked Access on shared lines    : ", 2, { C2C_BLOCKED_DATA, C2C_BLOCKED_ADDR } },
	{ "stores", "  Store HITs on shared lines        : ", 1, { C2C_STORE } },
	{ "stores-l1-hit", "  Store L1D hits on shared lines    : ", 1, { C2C_ST_L1_HIT } },
	{ "stores-no-level", "  Store No available memory level   : ", 1, { C2C_ST_NA } },
	{ "records-merged", "  Total Merged records              : ", 3,
	  { C2C_LCL_HITM, C2C_RMT_HITM, C2C_STORE } },
};

static u64 sum_of(const struct stats_line *l, const struct c2c_stats *s)
{
	u64 sum = 0;

	for (u32 i = 0; i < l->nr; i++)
		sum += s->n[l->stat[i]];
	return sum;
}

static void add_lines(struct view_summary *b, const struct stats_line *l, u32 nr, const struct c2c_stats *s)
{
	for (u32 i = 0; i < nr; i++)
		view_add_number(b, l[i].key, l[i].text, sum_of(&l[i], s))->width = 10;
}

static void add_miss_shares(struct view_summary *b, const struct c2c_stats *s)
{
	static const struct stats_line all = { NULL, NULL, 4, MISSES };
	u64 of = sum_of(&all, s);

	for (u32 i = 0; i < ARRAY_SIZE(misses); i++) {
		struct view_words *w = view_add_number(b, misses[i].key, misses[i].text, 0);

		w->value.type = VIEW_SHARE;
		w->value.real = of ? 100.0 * sum_of(&misses[i], s) / of : 0;
		w->decimals = 1;
		w->width = 11;
	}
}

void c2c_add_stats(const struct c2c *c, struct view *v)
{
	struct view_summary *b = view_add_summary(v, "trace-events", "Trace Event Information");
	struct c2c_stats sum = { 0 };
	u64 nr = 0;

	b->framed = true;
	add_lines(b, loads, ARRAY_SIZE(loads), &c->total);
	add_miss_shares(b, &c->total);
	add_lines(b, stores, ARRAY_SIZE(stores), &c->total);
	vec_foreach(&c->line, l) {
		if (!c2c_hitm(&l->stats) && !c2c_peer(&l->stats))
			continue;
		nr++;
		for (u32 i = 0; i < C2C_NR_STATS; i++)
			sum.n[i] += l->stats.n[i];
	}
	b = view_add_summary(v, "shared-lines", "Global Shared Cache Line Event Information");
	b->framed = true;
	view_add_number(b, "lines", "  Total Shared Cache Lines          : ", nr)->width = 10;
	add_lines(b, shared, ARRAY_SIZE(shared), &sum);
}

static void add_text(struct view_summary *b, const char *key, const char *before, const char *text)
{
	struct view_words *w = view_add_number(b, key, before, 0);

	w->value = (struct view_value){ .type = VIEW_TEXT, .text = text };
}

void c2c_add_details(const struct c2c *c, struct view *v)
{
	static const char *const sorted[] = { "Total HITMs", "Local HITMs", "Remote HITMs", "Peer Snoop" };
	struct view_summary *b = view_add_summary(v, "c2c-details", "c2c details");
	struct strbuf text = STRBUF_INIT;
	bool any = false;

	b->framed = b->text_only = true;
	vec_foreach(&c->session->data->evset->ev, e) {
		strbuf_reset(&text);
		strbuf_add_safe(&text, (*e)->name);
		add_text(b, "event", any ? "                                    : " :
					   "  Events                            : ",
			 arena_strdup(&v->arena, strbuf_str(&text)));
		any = true;
	}
	add_text(b, "sorted-by", "  Cachelines sort on                : ", sorted[c->o->display]);
	strbuf_reset(&text);
	strbuf_addf(&text, "offset,%s", c->o->by_words ? c->o->by_words : "iaddr");
	add_text(b, "grouped-by", "  Cacheline data grouping           : ",
		 arena_strdup(&v->arena, strbuf_str(&text)));
	strbuf_release(&text);
	view_fact_text(&v->fact, "sorted-by", sorted[c->o->display]);
}
