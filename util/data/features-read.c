/*
 * Header features: payloads to struct features. Integers are in the file's byte order; a string is u32
 * length, then that many bytes, NUL-terminated and padded. A count is checked against the bytes that are left
 * before anything is allocated for it.
 */
#include "features-read.h"
#include "../base/cursor.h"
#include "../event/record.h"
#include "../event/sample.h"

#include <errno.h>

typedef void (*feature_decode)(struct features *f, struct cursor *c);

static const char *read_str(struct cursor *c)
{
	return cursor_str(c, cursor_u32(c));
}

/* n if n elements of at least min bytes each fit into the rest, else 0 and c->bad */
static u32 read_count(struct cursor *c, size_t min)
{
	u32 n = cursor_u32(c);

	if (n > cursor_left(c) / min) {
		c->bad = true;
		return 0;
	}
	return n;
}

static const char **read_strings(struct features *f, struct cursor *c, u32 *ret_nr)
{
	u32 nr = read_count(c, sizeof(u32));
	const char **v = arena_zalloc(&f->arena, nr * sizeof(*v));

	for (u32 i = 0; i < nr; i++) {
		v[i] = read_str(c);
		if (!v[i])
			v[i] = "";
	}
	*ret_nr = nr;
	return v;
}

#define DECODE_STRING(name) \
static void decode_##name(struct features *f, struct cursor *c) \
{ \
	f->name = read_str(c); \
}
DECODE_STRING(hostname)
DECODE_STRING(osrelease)
DECODE_STRING(version)
DECODE_STRING(arch)
DECODE_STRING(cpudesc)
DECODE_STRING(cpuid)

static void decode_tracing_data(struct features *f, struct cursor *c)
{
	f->tracing_data = (struct feat_blob){ c->p, cursor_left(c) };
}

static void decode_bpf_prog_info(struct features *f, struct cursor *c)
{
	f->bpf_prog_info = (struct feat_blob){ c->p, cursor_left(c) };
}

static void decode_bpf_btf(struct features *f, struct cursor *c)
{
	f->bpf_btf = (struct feat_blob){ c->p, cursor_left(c) };
}

static void decode_build_ids(struct features *f, struct cursor *c)
{
	while (cursor_left(c)) {
		struct rec rec = { .p = c->p, .swap = c->swap, .type = REC_BUILD_ID };
		struct cursor h = *c;
		struct buildid_entry e;
		struct record_view v;

		cursor_u32(&h);		/* its type, which some writers leave 0 */
		rec.misc = cursor_u16(&h);
		rec.size = cursor_u16(&h);
		if (h.bad || rec.size < 8 || rec.size > cursor_left(c) || record_decode(&rec, &v) < 0) {
			c->bad = true;
			return;
		}
		buildid_entry_of(&e, &f->arena, &v);
		vec_push(&f->buildids, e);
		cursor_skip(c, rec.size);
	}
}

static void decode_nrcpus(struct features *f, struct cursor *c)
{
	f->nr_cpus_avail = cursor_u32(c);
	f->nr_cpus_online = cursor_u32(c);
}

static void decode_total_mem(struct features *f, struct cursor *c)
{
	f->total_mem_kb = cursor_u64(c);
}

static void decode_cmdline(struct features *f, struct cursor *c)
{
	f->cmdline = read_strings(f, c, &f->nr_cmdline);
}

/*
 * The per-CPU ids and the die list were added later: older files end before them. NRCPUS has been decoded
 * before.
 */
static void decode_cpu_topology(struct features *f, struct cursor *c)
{
	u32 nr = f->nr_cpus_avail;
	s32 *core, *socket, *die;

	f->core_siblings = read_strings(f, c, &f->nr_core_siblings);
	f->thread_siblings = read_strings(f, c, &f->nr_thread_siblings);
	if (c->bad || !nr || cursor_left(c) / 8 < nr)
		return;
	core = arena_alloc(&f->arena, nr * sizeof(*core));
	socket = arena_alloc(&f->arena, nr * sizeof(*socket));
	for (u32 i = 0; i < nr; i++) {
		core[i] = cursor_u32(c);
		socket[i] = cursor_u32(c);
	}
	f->cpu_core = core;
	f->cpu_socket = socket;
	if (!cursor_left(c))
		return;
	f->die_siblings = read_strings(f, c, &f->nr_die_siblings);
	if (c->bad || cursor_left(c) / 4 < nr)
		return;
	die = arena_alloc(&f->arena, nr * sizeof(*die));
	for (u32 i = 0; i < nr; i++)
		die[i] = cursor_u32(c);
	f->cpu_die = die;
}

static void decode_numa_topology(struct features *f, struct cursor *c)
{
	u32 nr = read_count(c, 24);

	f->nodes = arena_zalloc(&f->arena, nr * sizeof(*f->nodes));
	for (u32 i = 0; i < nr; i++) {
		struct feat_node *n = &f->nodes[i];

		n->node = cursor_u32(c);
		n->mem_total_kb = cursor_u64(c);
		n->mem_free_kb = cursor_u64(c);
		n->cpus = read_str(c);
		f->nr_nodes += !c->bad;
	}
}

static void decode_pmu_mappings(struct features *f, struct cursor *c)
{
	u32 nr = read_count(c, 8);

	f->pmus = arena_zalloc(&f->arena, nr * sizeof(*f->pmus));
	for (u32 i = 0; i < nr; i++) {
		f->pmus[i].type = cursor_u32(c);
		f->pmus[i].name = read_str(c);
		f->nr_pmus += !c->bad;
	}
}

static void decode_group_desc(struct features *f, struct cursor *c)
{
	u32 nr = read_count(c, 12);

	f->groups = arena_zalloc(&f->arena, nr * sizeof(*f->groups));
	for (u32 i = 0; i < nr; i++) {
		f->groups[i].name = read_str(c);
		f->groups[i].leader = cursor_u32(c);
		f->groups[i].nr_members = cursor_u32(c);
		f->nr_groups += !c->bad;
	}
}

static void decode_cache(struct features *f, struct cursor *c)
{
	u32 version = cursor_u32(c), nr;

	if (version != 1)
		return;
	nr = read_count(c, 28);
	f->caches = arena_zalloc(&f->arena, nr * sizeof(*f->caches));
	for (u32 i = 0; i < nr; i++) {
		struct feat_cache *k = &f->caches[i];

		k->level = cursor_u32(c);
		k->line_size = cursor_u32(c);
		k->sets = cursor_u32(c);
		k->ways = cursor_u32(c);
		k->type = read_str(c);
		k->size = read_str(c);
		k->map = read_str(c);
		f->nr_caches += !c->bad;
	}
}

static void decode_sample_time(struct features *f, struct cursor *c)
{
	f->sample_time_first = cursor_u64(c);
	f->sample_time_last = cursor_u64(c);
}

/*
 * u64 version, u64 block size, u64 nr; each: u64 node, u64 bits, then a bitmap, which begins with its number
 * of bits again
 */
static void decode_mem_topology(struct features *f, struct cursor *c)
{
	u64 version = cursor_u64(c), nr;

	f->mem_block_size = cursor_u64(c);
	nr = cursor_u64(c);
	if (version != 1 || nr > cursor_left(c) / 24) {
		c->bad = true;
		return;
	}
	f->mem_nodes = arena_zalloc(&f->arena, nr * sizeof(*f->mem_nodes));
	for (u64 i = 0; i < nr && !c->bad; i++) {
		struct feat_mem_node *n = &f->mem_nodes[i];
		u64 bits, words, *map;

		n->node = cursor_u64(c);
		cursor_u64(c);
		bits = cursor_u64(c);
		words = bits / 64 + !!(bits % 64);
		if (words > cursor_left(c) / 8) {
			c->bad = true;
			return;
		}
		map = arena_alloc(&f->arena, words * 8);
		for (u64 k = 0; k < words; k++)
			map[k] = cursor_u64(c);
		n->nr_bits = bits;
		n->bitmap = map;
		f->nr_mem_nodes += !c->bad;
	}
}

static void decode_clockid(struct features *f, struct cursor *c)
{
	f->clockid_res_ns = cursor_u64(c);
}

static void decode_dir_format(struct features *f, struct cursor *c)
{
	f->dir_version = cursor_u64(c);
}

static void decode_compressed(struct features *f, struct cursor *c)
{
	f->comp_version = cursor_u32(c);
	f->comp_type = cursor_u32(c);
	f->comp_level = cursor_u32(c);
	f->comp_ratio = cursor_u32(c);
	f->comp_mmap_len = cursor_u32(c);
}

static u32 read_pairs(struct features *f, struct cursor *c, const char ***ret_name, const char ***ret_value)
{
	u32 nr = read_count(c, 8), good = 0;

	*ret_name = arena_zalloc(&f->arena, nr * sizeof(char *));
	*ret_value = arena_zalloc(&f->arena, nr * sizeof(char *));
	for (u32 i = 0; i < nr; i++) {
		(*ret_name)[i] = read_str(c);
		(*ret_value)[i] = read_str(c);
		good += !c->bad;
	}
	return good;
}

static void decode_cpu_pmu_caps(struct features *f, struct cursor *c)
{
	f->nr_cpu_caps = read_pairs(f, c, &f->cpu_cap_name, &f->cpu_cap_value);
}

static void decode_pmu_caps(struct features *f, struct cursor *c)
{
	u32 nr = read_count(c, 8);

	f->pmu_caps = arena_zalloc(&f->arena, nr * sizeof(*f->pmu_caps));
	for (u32 i = 0; i < nr; i++) {
		struct feat_caps *p = &f->pmu_caps[i];

		p->nr = read_pairs(f, c, &p->name, &p->value);
		p->pmu = read_str(c);
		f->nr_pmu_caps += !c->bad;
	}
}

static void decode_clock_data(struct features *f, struct cursor *c)
{
	if (cursor_u32(c) != 1)
		return;
	f->clockid = cursor_u32(c);
	f->clock_tod_ns = cursor_u64(c);
	f->clock_ns = cursor_u64(c);
}

static void decode_hybrid(struct features *f, struct cursor *c)
{
	u32 nr = read_count(c, 8);

	f->hybrid = arena_zalloc(&f->arena, nr * sizeof(*f->hybrid));
	for (u32 i = 0; i < nr; i++) {
		f->hybrid[i].pmu = read_str(c);
		f->hybrid[i].cpus = read_str(c);
		f->nr_hybrid += !c->bad;
	}
}

/*
 * u32 version, u32 maximum number of domains; up to the end: u32 cpu, u32 nr; each: u32 domain, name (since
 * version 17), mask, list
 */
static void decode_cpu_domains(struct features *f, struct cursor *c)
{
	struct { VEC(struct feat_cpu_domains); } cpus = { 0 };

	f->schedstat_version = cursor_u32(c);
	f->max_domains = cursor_u32(c);
	while (!c->bad && cursor_left(c)) {
		struct feat_cpu_domains d = { .cpu = cursor_u32(c) };

		d.nr = read_count(c, 12);
		d.domain = arena_zalloc(&f->arena, d.nr * sizeof(*d.domain));
		for (u32 i = 0; i < d.nr; i++) {
			d.domain[i].number = cursor_u32(c);
			d.domain[i].name = f->schedstat_version >= SCHEDSTAT_NAMED ? read_str(c) : NULL;
			d.domain[i].mask = read_str(c);
			d.domain[i].cpus = read_str(c);
		}
		if (!c->bad)
			vec_push(&cpus, d);
	}
	f->nr_cpu_domains = cpus.nr;
	f->cpu_domains = arena_memdup(&f->arena, cpus.v, cpus.nr * sizeof(*cpus.v));
	vec_release(&cpus);
}

static void decode_e_machine(struct features *f, struct cursor *c)
{
	f->e_machine = cursor_u32(c);
	f->e_flags = cursor_u32(c);
}

static void decode_cacheline(struct features *f, struct cursor *c)
{
	f->cacheline_size = cursor_u32(c);
}

static feature_decode decoder_of(unsigned int bit)
{
	switch (bit) {
#define FEATURE(bit, name, decode, print, when) case bit: return decode;
#include "features.def"
#undef FEATURE
	default: return NULL;
	}
}

int features_decode(struct features *f, unsigned int bit, const void *p, u64 size, bool swap)
{
	struct cursor c = cursor_of(p, size, swap);
	feature_decode decode = decoder_of(bit);

	if (bit >= FEAT_NR)
		return -EINVAL;
	/* a pipe may contain one twice: arrays and their counts must stay consistent */
	if (feature_present(f, bit))
		return -EEXIST;
	f->present[bit / 64] |= 1ull << (bit % 64);
	f->raw[bit] = (struct feat_blob){ p, size };
	if (decode)
		decode(f, &c);
	return c.bad ? -EBADMSG : 0;
}
