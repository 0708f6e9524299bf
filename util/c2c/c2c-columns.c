/* C2c columns: see c2c-columns.h. Tables are over arrays of pointers. */
#include "c2c-columns.h"

u32 c2c_columns_shown(const struct c2c_opts *o, u32 form)
{
	u32 family = o->display == C2C_PEER ? C2C_SHOWS_PEER : C2C_SHOWS_HITM;

	if (form == VIEW_FORM_VALUES)
		family = C2C_SHOWS_PEER | C2C_SHOWS_HITM;
	return C2C_SHOWS(o->display) | family | C2C_SHOWS_ALWAYS | C2C_SHOWS_BY(o->by) |
	       (o->by & C2C_BY_CODE && !o->no_source ? C2C_SHOWS_SOURCE : 0);
}

/* a column of a group: the first one, one after it; and one without a group */
#define FIRST(key, in, name_, text_) \
	.column = { .name = key, .title = in " " name_, .group = in, .title_in_group = text_, \
		    .type = VIEW_NUMBER, .width = 7, .right = true }
#define NEXT(key, in, name_, text_) \
	.column = { .name = key, .title = in " " name_, .group = in, .title_in_group = text_, \
		    .type = VIEW_NUMBER, .width = 9, .right = true }
#define ALONE(key, title_, type_, width_) \
	.column = { .name = key, .title = title_, .type = type_, .width = width_, .right = true }
#define ALWAYS .tables = C2C_SHOWS_ALWAYS
#define HITM .tables = C2C_SHOWS_HITM
#define PEER .tables = C2C_SHOWS_PEER
#define FOR_PEOPLE .forms = VIEW_FORM_TEXT
#define FOR_PROGRAMS .forms = VIEW_FORM_SEPARATED | VIEW_FORM_VALUES
#define VALUES .forms = VIEW_FORM_VALUES

/* ---- lines ---- */

#define LINE(type, name, value) \
static type line_##name(const void *p) \
{ \
	const struct c2c_line *l = *(const struct c2c_line *const *)p; \
	return value; \
}
#define LINE_STAT(name, stat) LINE(u64, name, l->stats.n[C2C_##stat])
LINE(u64, index, l->index)
LINE(u64, address, l->address)
LINE(const char *, node, l->node_text)
LINE(u64, phys, l->phys.nr_changes)
LINE(double, share, l->share)
LINE(u64, hitm, c2c_hitm(&l->stats))
LINE(u64, peer, c2c_peer(&l->stats))
LINE(u64, records, c2c_records(&l->stats))
LINE(u64, loads, c2c_loads(&l->stats))
LINE_STAT(lcl_hitm, LCL_HITM)
LINE_STAT(rmt_hitm, RMT_HITM)
LINE_STAT(lcl_peer, LCL_PEER)
LINE_STAT(rmt_peer, RMT_PEER)
LINE_STAT(stores, STORE)
LINE_STAT(st_l1_hit, ST_L1_HIT)
LINE_STAT(st_l1_miss, ST_L1_MISS)
LINE_STAT(st_na, ST_NA)
LINE_STAT(fb, LD_FB)
LINE_STAT(l1, LD_L1)
LINE_STAT(l2, LD_L2)
LINE_STAT(l3, LD_L3)
LINE_STAT(rmt_hit, RMT_HIT)
LINE_STAT(lcl_dram, LCL_DRAM)
LINE_STAT(rmt_dram, RMT_DRAM)

#define SHARE(key, in, text_, display) \
	{ .column = { .name = key, .title = in " " text_, .group = in, .title_in_group = text_, \
		      .type = VIEW_SHARE, .width = 7, .right = true }, \
	  .tables = C2C_SHOWS(display), .decimals = 2, .real = line_share }

const struct view_field c2c_line_columns[] = {
	{ ALONE("index", "Index", VIEW_NUMBER, 5), ALWAYS, .number = line_index },
	{ .column = { .name = "cacheline", .title = "Cacheline Address", .group = "Cacheline",
		      .title_in_group = "Address", .type = VIEW_ADDRESS, .width = 18, .right = true },
	  ALWAYS, .number = line_address },
	{ .column = { .name = "node", .title = "Cacheline Node", .group = "Cacheline",
		      .title_in_group = "Node", .type = VIEW_TEXT, .width = 6, .right = true },
	  ALWAYS, .text = line_node },
	{ NEXT("pa_cnt", "Cacheline", "PA cnt", "PA cnt"), ALWAYS, .number = line_phys },
	SHARE("share", "Tot", "Hitm", C2C_TOTAL_HITM),
	SHARE("share", "Lcl", "Hitm", C2C_LOCAL_HITM),
	SHARE("share", "Rmt", "Hitm", C2C_REMOTE_HITM),
	SHARE("share", "Peer", "Snoop", C2C_PEER),
	{ FIRST("hitm", "Load Hitm", "Total", "Total"), HITM, .number = line_hitm },
	{ NEXT("lcl_hitm", "Load Hitm", "Lcl", "LclHitm"), HITM, .number = line_lcl_hitm },
	{ NEXT("rmt_hitm", "Load Hitm", "Rmt", "RmtHitm"), HITM, .number = line_rmt_hitm },
	{ FIRST("peer", "Load Peer", "Total", "Total"), PEER, .number = line_peer },
	{ NEXT("lcl_peer", "Load Peer", "Lcl", "Local"), PEER, .number = line_lcl_peer },
	{ NEXT("rmt_peer", "Load Peer", "Rmt", "Remote"), PEER, .number = line_rmt_peer },
	{ FIRST("records", "Total", "Records", "records"), ALWAYS, .number = line_records },
	{ NEXT("loads", "Total", "Loads", "Loads"), ALWAYS, .number = line_loads },
	{ NEXT("stores", "Total", "Stores", "Stores"), ALWAYS, .number = line_stores },
	{ FIRST("st_l1_hit", "Stores", "L1 Hit", "L1Hit"), ALWAYS, .number = line_st_l1_hit },
	{ NEXT("st_l1_miss", "Stores", "L1 Miss", "L1Miss"), ALWAYS, .number = line_st_l1_miss },
	{ NEXT("st_na", "Stores", "N/A", "N/A"), ALWAYS, .number = line_st_na },
	{ FIRST("ld_fb", "Core Load Hit", "FB", "FB"), ALWAYS, .number = line_fb },
	{ NEXT("ld_l1", "Core Load Hit", "L1", "L1"), ALWAYS, .number = line_l1 },
	{ NEXT("ld_l2", "Core Load Hit", "L2", "L2"), ALWAYS, .number = line_l2 },
	{ FIRST("ld_llc", "LLC Load Hit", "Lcl", "LclHit"), ALWAYS, .number = line_l3 },
	{ NEXT("ld_llc_hitm", "LLC Load Hit", "Hitm", "LclHitm"), FOR_PEOPLE, ALWAYS,
	  .number = line_lcl_hitm },
	{ FIRST("rmt_hit", "RMT Load Hit", "Rmt", "RmtHit"), ALWAYS, .number = line_rmt_hit },
	{ NEXT("rmt_hit_hitm", "RMT Load Hit", "Hitm", "RmtHitm"), FOR_PEOPLE, ALWAYS,
	  .number = line_rmt_hitm },
	{ FIRST("lcl_dram", "Load Dram", "Lcl", "Lcl"), ALWAYS, .number = line_lcl_dram },
	{ NEXT("rmt_dram", "Load Dram", "Rmt", "Rmt"), ALWAYS, .number = line_rmt_dram },
};
const u32 c2c_nr_line_columns = ARRAY_SIZE(c2c_line_columns);

/* ---- rows of a line ---- */

static double percent(u64 part, u64 of)
{
	return of ? 100.0 * part / of : 0;
}

/* rounded, as it is printed */
static u64 mean_cost(const struct c2c_row *r, enum c2c_cost kind)
{
	return r->nr_cost[kind] ? (r->cost[kind] + r->nr_cost[kind] / 2) / r->nr_cost[kind] : 0;
}

#define ROW(type, name, value) \
static type row_##name(const void *p) \
{ \
	const struct c2c_row *r = *(const struct c2c_row *const *)p; \
	return value; \
}
#define ROW_STAT(name, stat) \
	ROW(u64, name, r->stats.n[C2C_##stat]) \
	ROW(double, name##_share, percent(r->stats.n[C2C_##stat], r->of->stats.n[C2C_##stat]))
static void format_offset(u64 number, struct strbuf *out)
{
	strbuf_addstr(out, "0x");
	strbuf_add_hex(out, number, 0, ' ');
}
static const char *row_empty(const void *p UNUSED)
{
	return "";
}
ROW(u64, index, r->of->index)
ROW(u64, cacheline, r->of->address)
ROW_STAT(lcl_hitm, LCL_HITM)
ROW_STAT(rmt_hitm, RMT_HITM)
ROW_STAT(lcl_peer, LCL_PEER)
ROW_STAT(rmt_peer, RMT_PEER)
ROW_STAT(st_l1_hit, ST_L1_HIT)
ROW_STAT(st_l1_miss, ST_L1_MISS)
ROW_STAT(st_na, ST_NA)
ROW(u64, loads, c2c_loads(&r->stats))
ROW(u64, stores, r->stats.n[C2C_STORE])
ROW(u64, offset, r->offset)
ROW(const char *, node, r->node_text)
ROW(u64, phys, r->phys.nr_changes)
ROW(u64, pid, r->pid)
ROW(u64, tid, r->tid)
ROW(const char *, comm, r->comm)
ROW(const char *, task, r->task)
ROW(u64, code, r->ip)
ROW(u64, cost_rmt_hitm, mean_cost(r, C2C_COST_RMT_HITM))
ROW(u64, cost_lcl_hitm, mean_cost(r, C2C_COST_LCL_HITM))
ROW(u64, cost_rmt_peer, mean_cost(r, C2C_COST_RMT_PEER))
ROW(u64, cost_lcl_peer, mean_cost(r, C2C_COST_LCL_PEER))
ROW(u64, cost_load, mean_cost(r, C2C_COST_LOAD))
ROW(u64, records, c2c_records(&r->stats))
ROW(u64, cpus, r->cpu.nr)
ROW(const char *, symbol, r->symbol)
ROW(const char *, dso, r->dso)
ROW(const char *, source, r->source)
ROW(const char *, nodes, r->nodes)

#define ROW_SHARE(key, width_, in, text_, get) \
	{ .column = { .name = key, .title = in " " text_, .group = in, .title_in_group = text_, \
		      .type = VIEW_SHARE, .width = width_, .right = true }, .decimals = 2, .real = get
#define BY(by) .tables = C2C_SHOWS_BY(by)

const struct view_field c2c_row_columns[] = {
	{ ALONE("num", "Num", VIEW_TEXT, 5), FOR_PEOPLE, ALWAYS, .text = row_empty },
	{ ALONE("index", "Index", VIEW_NUMBER, 5), FOR_PROGRAMS, ALWAYS, .number = row_index },
	{ ALONE("cacheline", "Cacheline", VIEW_ADDRESS, 18), FOR_PROGRAMS, ALWAYS, .number = row_cacheline },
	ROW_SHARE("rmt_hitm_share", 7, "HITM", "RmtHitm", row_rmt_hitm_share), HITM },
	ROW_SHARE("lcl_hitm_share", 9, "HITM", "LclHitm", row_lcl_hitm_share), HITM },
	ROW_SHARE("rmt_peer_share", 7, "Peer Snoop", "Rmt", row_rmt_peer_share), PEER },
	ROW_SHARE("lcl_peer_share", 9, "Peer Snoop", "Lcl", row_lcl_peer_share), PEER },
	ROW_SHARE("st_l1_hit_share", 7, "Store Refs", "L1 Hit", row_st_l1_hit_share), ALWAYS },
	ROW_SHARE("st_l1_miss_share", 9, "Store Refs", "L1 Miss", row_st_l1_miss_share), ALWAYS },
	ROW_SHARE("st_na_share", 9, "Store Refs", "N/A", row_st_na_share), ALWAYS },
	{ ALONE("lcl_hitm", "LclHitm", VIEW_NUMBER, 7), VALUES, ALWAYS, .number = row_lcl_hitm },
	{ ALONE("rmt_hitm", "RmtHitm", VIEW_NUMBER, 7), VALUES, ALWAYS, .number = row_rmt_hitm },
	{ ALONE("lcl_peer", "LclPeer", VIEW_NUMBER, 7), VALUES, ALWAYS, .number = row_lcl_peer },
	{ ALONE("rmt_peer", "RmtPeer", VIEW_NUMBER, 7), VALUES, ALWAYS, .number = row_rmt_peer },
	{ ALONE("loads", "Loads", VIEW_NUMBER, 7), VALUES, ALWAYS, .number = row_loads },
	{ ALONE("stores", "Stores", VIEW_NUMBER, 7), VALUES, ALWAYS, .number = row_stores },
	{ ALONE("st_l1_hit", "L1 Hit", VIEW_NUMBER, 7), VALUES, ALWAYS, .number = row_st_l1_hit },
	{ ALONE("st_l1_miss", "L1 Miss", VIEW_NUMBER, 7), VALUES, ALWAYS, .number = row_st_l1_miss },
	{ ALONE("st_na", "N/A", VIEW_NUMBER, 7), VALUES, ALWAYS, .number = row_st_na },
	{ .column = { .name = "offset", .title = "Offset", .group = "Data address",
		      .title_in_group = "Offset", .type = VIEW_ADDRESS, .width = 18, .right = true },
	  ALWAYS, .number = row_offset, .format = format_offset },
	{ .column = { .name = "node", .title = "Data Node", .group = "Data address",
		      .title_in_group = "Node", .type = VIEW_TEXT, .width = 6, .right = true },
	  ALWAYS, .text = row_node },
	{ NEXT("pa_cnt", "Data address", "PA cnt", "PA cnt"), ALWAYS, .number = row_phys },
	{ ALONE("pid", "Pid", VIEW_NUMBER, 7), BY(C2C_BY_PID), .number = row_pid },
	{ VIEW_NAME("task", "Tid", VIEW_TEXT, 0), FOR_PEOPLE, BY(C2C_BY_TID), .text = row_task },
	{ ALONE("tid", "Tid", VIEW_NUMBER, 7), FOR_PROGRAMS, BY(C2C_BY_TID), .number = row_tid },
	{ VIEW_NAME("comm", "Command", VIEW_TEXT, 0), FOR_PROGRAMS, BY(C2C_BY_TID), .text = row_comm },
	{ ALONE("iaddr", "Code address", VIEW_ADDRESS, 18), BY(C2C_BY_CODE), .number = row_code },
	{ FIRST("cycles_rmt_hitm", "cycles", "rmt hitm", "rmt hitm"), HITM, .number = row_cost_rmt_hitm },
	{ NEXT("cycles_lcl_hitm", "cycles", "lcl hitm", "lcl hitm"), HITM, .number = row_cost_lcl_hitm },
	{ FIRST("cycles_rmt_peer", "cycles", "rmt peer", "rmt peer"), PEER, .number = row_cost_rmt_peer },
	{ NEXT("cycles_lcl_peer", "cycles", "lcl peer", "lcl peer"), PEER, .number = row_cost_lcl_peer },
	{ NEXT("cycles_load", "cycles", "load", "load"), ALWAYS, .number = row_cost_load },
	{ FIRST("records", "Total", "records", "records"), ALWAYS, .number = row_records },
	{ FIRST("cpus", "cpu", "cnt", "cnt"), ALWAYS, .number = row_cpus },
	{ VIEW_NAME("symbol", "Symbol", VIEW_TEXT, 0), BY(C2C_BY_CODE), .text = row_symbol },
	{ VIEW_NAME("dso", "Shared Object", VIEW_TEXT, 0), BY(C2C_BY_CODE | C2C_BY_DSO), .text = row_dso },
	{ VIEW_NAME("source", "Source:Line", VIEW_TEXT, 0), .tables = C2C_SHOWS_SOURCE, .text = row_source },
	{ VIEW_NAME("nodes", "Node", VIEW_TEXT, 0), ALWAYS, .column.no_pad = true, .text = row_nodes },
};
const u32 c2c_nr_row_columns = ARRAY_SIZE(c2c_row_columns);
