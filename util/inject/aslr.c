/*
 * Aslr: other addresses in all records (new-addresses.h), so that the copy does not say where programs and
 * the kernel were in memory. Runs last, so that it changes the output of all other rewriters. Data that may
 * contain addresses at unknown places is removed from samples (raw data, registers, stacks), left out
 * (records), or refused (hardware traces, packed symbols).
 */
#include "inject-private.h"
#include "new-addresses.h"
#include "../base/log.h"
#include "../data/features-write.h"
#include "../event/record-places.h"
#include "../obj/jitdump.h"
#include "../session/ordered-reader.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#define TAKEN_OUT (ABI_SAMPLE_RAW | ABI_SAMPLE_REGS_USER | ABI_SAMPLE_STACK_USER | ABI_SAMPLE_REGS_INTR | \
		   ABI_SAMPLE_PHYS_ADDR | ABI_SAMPLE_AUX)
/* what the name of a breakpoint begins with; its address follows */
#define BREAKPOINT_NAME "mem:0x"

struct aslr_state {
	struct new_addresses addr;
	struct pe_attr *attr;		/* of each event, as samples have it before this */
	struct strbuf out;
	u64 left_out, damaged;
};

/* a sample that is copied field by field */
struct moved_sample {
	struct cursor in;
	struct strbuf *out;
	struct new_addresses *addr;
	const struct pe_attr *attr;
};

static void keep(struct moved_sample *p, u64 size)
{
	const void *bytes = cursor_bytes(&p->in, size);

	if (bytes)
		strbuf_add(p->out, bytes, size);
}

static void keep_u64(struct moved_sample *p)
{
	keep(p, sizeof(u64));
}

static void put_address(struct moved_sample *p)
{
	put_u64(p->out, new_address(p->addr, cursor_u64(&p->in)));
}

static u64 keep_count(struct moved_sample *p)
{
	u64 nr = cursor_u64(&p->in);

	put_u64(p->out, nr);
	return nr;
}

static void keep_read(struct moved_sample *p)
{
	u64 fmt = p->attr->read_format;
	u64 times = !!(fmt & ABI_READ_TIME_ENABLED) + !!(fmt & ABI_READ_TIME_RUNNING);
	u64 value = 1 + !!(fmt & ABI_READ_ID) + !!(fmt & ABI_READ_LOST);
	u64 nr = fmt & ABI_READ_GROUP ? keep_count(p) : 1;

	keep(p, times * sizeof(u64));
	for (u64 i = 0; i < nr && !p->in.bad; i++)
		keep(p, value * sizeof(u64));
}

/* context markers stay, and the cookie of a chain whose user part was recorded later */
static void put_chain(struct moved_sample *p)
{
	u64 nr = keep_count(p);

	for (u64 i = 0, before = 0; i < nr && !p->in.bad; i++) {
		u64 ip = cursor_u64(&p->in);

		put_u64(p->out, before == CHAIN_USER_DEFERRED ? ip : new_address(p->addr, ip));
		before = ip;
	}
}

static void put_branches(struct moved_sample *p)
{
	u64 nr = keep_count(p);

	if (p->attr->branch_sample_type & ABI_BRANCH_HW_INDEX)
		keep_u64(p);
	for (u64 i = 0; i < nr && !p->in.bad; i++) {
		put_address(p);
		put_address(p);
		keep_u64(p);
	}
	for (u64 i = 0; i < nr && !p->in.bad && p->attr->branch_sample_type & ABI_BRANCH_COUNTERS; i++)
		keep_u64(p);
}

static void drop_raw(struct moved_sample *p)
{
	cursor_skip(&p->in, cursor_u32(&p->in));
}

static void drop_regs(struct moved_sample *p, u64 mask)
{
	if (cursor_u64(&p->in))
		cursor_skip(&p->in, __builtin_popcountll(mask) * sizeof(u64));
}

static void drop_user_regs(struct moved_sample *p)
{
	drop_regs(p, p->attr->sample_regs_user);
}

static void drop_intr_regs(struct moved_sample *p)
{
	drop_regs(p, p->attr->sample_regs_intr);
}

/* the number of valid bytes follows a copy that is not empty */
static void drop_stack(struct moved_sample *p)
{
	u64 size = cursor_u64(&p->in);

	cursor_skip(&p->in, size);
	cursor_skip(&p->in, size ? sizeof(u64) : 0);
}

static void drop_u64(struct moved_sample *p)
{
	cursor_skip(&p->in, sizeof(u64));
}

static void drop_aux(struct moved_sample *p)
{
	cursor_skip(&p->in, cursor_u64(&p->in));
}

/* in the order of a SAMPLE record */
static const struct {
	u64 bit;
	void (*put)(struct moved_sample *p);
} fields[] = {
	{ ABI_SAMPLE_IDENTIFIER, keep_u64 },
	{ ABI_SAMPLE_IP, put_address },
	{ ABI_SAMPLE_TID, keep_u64 },
	{ ABI_SAMPLE_TIME, keep_u64 },
	{ ABI_SAMPLE_ADDR, put_address },
	{ ABI_SAMPLE_ID, keep_u64 },
	{ ABI_SAMPLE_STREAM_ID, keep_u64 },
	{ ABI_SAMPLE_CPU, keep_u64 },
	{ ABI_SAMPLE_PERIOD, keep_u64 },
	{ ABI_SAMPLE_READ, keep_read },
	{ ABI_SAMPLE_CALLCHAIN, put_chain },
	{ ABI_SAMPLE_RAW, drop_raw },
	{ ABI_SAMPLE_BRANCH_STACK, put_branches },
	{ ABI_SAMPLE_REGS_USER, drop_user_regs },
	{ ABI_SAMPLE_STACK_USER, drop_stack },
	{ ABI_SAMPLE_WEIGHT, keep_u64 },
	{ ABI_SAMPLE_WEIGHT_STRUCT, keep_u64 },
	{ ABI_SAMPLE_DATA_SRC, keep_u64 },
	{ ABI_SAMPLE_TRANSACTION, keep_u64 },
	{ ABI_SAMPLE_REGS_INTR, drop_intr_regs },
	{ ABI_SAMPLE_PHYS_ADDR, drop_u64 },
	{ ABI_SAMPLE_CGROUP, keep_u64 },
	{ ABI_SAMPLE_DATA_PAGE_SIZE, keep_u64 },
	{ ABI_SAMPLE_CODE_PAGE_SIZE, keep_u64 },
	{ ABI_SAMPLE_AUX, drop_aux },
};

static int damaged(struct aslr_state *st)
{
	st->damaged++;
	return 0;
}

/* ids are at the same place whatever rewriters did before */
static int write_sample(struct inject *in, const struct rec *rec)
{
	struct aslr_state *st = in->aslr;
	const struct event *ev = sample_event(in->session->data->plan, rec);
	struct moved_sample p = { .in = cursor_of(rec->p, rec->size, false), .out = &st->out,
				  .addr = &st->addr };
	struct rec_header h;

	if (!ev)
		return damaged(st);
	p.attr = &st->attr[ev->idx];
	keep(&p, sizeof(h));
	for (size_t i = 0; i < ARRAY_SIZE(fields) && !p.in.bad; i++)
		if (p.attr->sample_type & fields[i].bit)
			fields[i].put(&p);
	if (p.in.bad)
		return damaged(st);
	memcpy(&h, st->out.buf, sizeof(h));
	h.size = st->out.len;
	memcpy(st->out.buf, &h, sizeof(h));
	return gather_copy(&in->out, &in->writer, st->out.buf, st->out.len);
}

static void change_address(struct aslr_state *st, u32 off)
{
	u64 addr;

	memcpy(&addr, st->out.buf + off, sizeof(addr));
	addr = new_address(&st->addr, addr);
	memcpy(st->out.buf + off, &addr, sizeof(addr));
}

/* of maps, where the offset in the "file" is an address: the kernel, memory without a file */
static bool is_offset_address(u16 misc, const char *name, u64 pgoff)
{
	return pgoff && ((misc & MISC_CPUMODE_MASK) != CPUMODE_USER || *name == '[' ||
			 !strncmp(name, "//", 2));
}

/* whether the record of a map is written */
static bool map_is_kept(struct aslr_state *st, const struct record_map *map)
{
	/* its contents are addresses as they were */
	if (jitdump_is_name(map->filename)) {
		st->left_out++;
		return false;
	}
	if (!new_addresses_has(&st->addr, map->addr, map->len)) {
		st->damaged++;
		return false;
	}
	return true;
}

/* names of breakpoints have their addresses */
static bool is_breakpoint(const struct evset *set, u64 id)
{
	const struct event *ev = evset_by_id(set, id);

	return ev && ev->attr.type == PERF_TYPE_BREAKPOINT;
}

/* the record is in st->out; false: it is left out, because it may contain other addresses */
static bool change_place(struct aslr_state *st, const struct record_view *v, const struct record_map *map,
			 const struct record_place *p)
{
	switch (p->what) {
	case HOLDS_FILE_OFFSET:
		if (!map || !is_offset_address(v->misc, map->filename, map->pgoff))
			return true;
		/* fall through */
	case HOLDS_ADDRESS:
		for (u32 off = p->off; off < p->off + p->len; off += sizeof(u64))
			change_address(st, off);
		return true;
	case HOLDS_CODE:
	case HOLDS_ANYTHING:
		st->left_out++;
		return false;
	default:
		return true;
	}
}

static bool change_record(struct inject *in, const struct record_view *v)
{
	struct aslr_state *st = in->aslr;
	struct record_place place[RECORD_PLACES_MAX];
	struct record_map map;
	bool is_map = record_map_of(v, &map);
	u32 nr;

	/* all of these have no addresses, but for the names of breakpoints */
	if (v->type == REC_EVENT_UPDATE && (v->event_update.what != ABI_UPDATE_NAME ||
					    !is_breakpoint(in->set, v->event_update.id)))
		return true;
	if (is_map && !map_is_kept(st, &map))
		return false;
	nr = record_places(v, place);
	for (u32 i = 0; i < nr; i++)
		if (!change_place(st, v, is_map ? &map : NULL, &place[i]))
			return false;
	return true;
}

int aslr_write(struct inject *in, const void *p)
{
	struct aslr_state *st = in->aslr;
	struct rec rec = inject_rec(p);
	struct record_view v;

	strbuf_reset(&st->out);
	if (rec.type == REC_SAMPLE)
		return write_sample(in, &rec);
	if (record_decode(&rec, &v)) {
		st->left_out++;
		return 0;
	}
	strbuf_add(&st->out, p, rec.size);
	if (!change_record(in, &v))
		return 0;
	return gather_copy(&in->out, &in->writer, st->out.buf, st->out.len);
}

/* without records that machines ignore, too */
static void add_range(struct aslr_state *st, const struct rec *rec)
{
	struct record_map map;
	struct record_view v;

	if ((rec->type != REC_MMAP && rec->type != REC_MMAP2 && rec->type != REC_KSYMBOL) ||
	    record_decode(rec, &v))
		return;
	if (record_map_of(&v, &map))
		new_addresses_add(&st->addr, map.addr, map.len);
	else
		new_addresses_add(&st->addr, v.ksymbol.addr, v.ksymbol.len);
}

static int find_ranges(struct inject *in, struct err *err)
{
	struct ordered_reader *r = ordered_reader_open_unsorted(in->session);
	struct rec rec[256];
	u64 time[ARRAY_SIZE(rec)];
	size_t nr;
	int ret;

	while ((nr = ordered_reader_next(r, rec, time, ARRAY_SIZE(rec))))
		for (size_t i = 0; i < nr; i++)
			add_range(in->aslr, &rec[i]);
	ordered_reader_close(r);
	jit_add_ranges(in, &in->aslr->addr);
	ret = new_addresses_place(&in->aslr->addr);
	return ret ? err_set(err, ret, "--aslr: the maps of %s are too large to be moved",
			     in->session->data->path) : 0;
}

static int check_file(const struct inject *in, struct err *err)
{
	const struct session *s = in->session;

	if (session_has_trace(s))
		return err_set(err, -ENOTSUP, "--aslr: %s has a hardware trace, which contains addresses",
			       s->data->path);
	if (feature_present(&in->feat, FEAT_PACKED_SYMBOLS)) {
		err_set(err, -ENOTSUP, "--aslr: %s has packed symbols, which contain addresses",
			s->data->path);
		err_hint(err, "inject --aslr first, then pack its output");
		return -ENOTSUP;
	}
	return 0;
}

/* "mem:0xADDRESS/LEN:rw" */
static const char *breakpoint_name(struct inject *in, const char *name, u64 addr)
{
	size_t len = strlen(BREAKPOINT_NAME);
	const char *ret;

	if (strncmp(name, BREAKPOINT_NAME, len))
		return name;
	name += len + strspn(name + len, "0123456789abcdefABCDEF");
	strbuf_addf(&in->buf, BREAKPOINT_NAME "%llx%s", (unsigned long long)addr, name);
	ret = arena_strdup(&in->arena, strbuf_str(&in->buf));
	strbuf_reset(&in->buf);
	return ret;
}

static u64 change_event(struct inject *in, struct event *ev)
{
	struct pe_attr *a = &ev->attr;
	u64 taken = a->sample_type & TAKEN_OUT;

	in->aslr->attr[ev->idx] = *a;
	a->sample_type &= ~taken;
	a->sample_regs_user = a->sample_stack_user = a->sample_regs_intr = a->aux_sample_size = 0;
	if (taken & ABI_SAMPLE_STACK_USER)
		a->flags &= ~(u64)ATTR_EXCLUDE_CALLCHAIN_USER;
	if (a->type == PERF_TYPE_BREAKPOINT) {
		a->config1 = new_address(&in->aslr->addr, a->config1);
		ev->name = breakpoint_name(in, ev->name, a->config1);
	}
	return taken;
}

static int change_events(struct inject *in, struct err *err)
{
	u64 known = 0, taken = 0;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		known |= fields[i].bit;
	in->aslr->attr = xcalloc(in->set->ev.nr, sizeof(*in->aslr->attr));
	vec_foreach(&in->set->ev, ev) {
		if ((*ev)->attr.sample_type & ~known)
			return err_set(err, -ENOTSUP, "--aslr: samples of %s have unknown fields",
				       (*ev)->name);
		taken |= change_event(in, *ev);
	}
	if (taken & ABI_SAMPLE_STACK_USER)
		log_warn("--aslr leaves out stacks: --convert-callchain keeps their call chains");
	if (taken & ABI_SAMPLE_RAW)
		log_note("--aslr leaves out the fields of tracepoints: they may contain addresses");
	return 0;
}

int aslr_start(struct inject *in, struct err *err)
{
	/* formats of tracepoints come with texts at addresses of the kernel */
	static const unsigned int dropped[] = { FEAT_TRACING_DATA, FEAT_BPF_PROG_INFO, FEAT_BPF_BTF };
	int ret = check_file(in, err);

	in->aslr = xcalloc(1, sizeof(*in->aslr));
	for (size_t i = 0; i < ARRAY_SIZE(dropped); i++)
		feature_clear(&in->feat, dropped[i]);
	if (!ret)
		ret = find_ranges(in, err);
	return ret ? ret : change_events(in, err);
}

int aslr_record(struct inject *in UNUSED, const struct rec *rec UNUSED, u64 time UNUSED)
{
	return 1;
}

void aslr_end(struct inject *in)
{
	struct aslr_state *st = in->aslr;

	if (!st)
		return;
	if (st->left_out)
		log_note("records that --aslr left out, because they may contain addresses: %llu",
			 (unsigned long long)st->left_out);
	if (st->damaged)
		log_warn("damaged records that were left out: %llu", (unsigned long long)st->damaged);
	new_addresses_release(&st->addr);
	strbuf_release(&st->out);
	free(st->attr);
	free(st);
	in->aslr = NULL;
}
