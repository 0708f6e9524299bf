/* Features-write: header features as bytes. Layout: Documentation/dev/perf-data-format.txt. */
#include "features-write.h"
#include "../event/attr.h"
#include "../event/record-put.h"

#include <linux/perf_event.h>

#define STRING_ALIGN 64u
/* of a HEADER_BUILD_ID record: the byte after the id contains its size */
#define MISC_BUILD_ID_SIZE (1u << 15)

void put_string(struct strbuf *out, const char *s)
{
	size_t len = s ? strlen(s) : 0;
	size_t padded = ALIGN_UP(len + 1, (size_t)STRING_ALIGN);

	put_u32(out, padded);
	strbuf_add(out, s, len);
	strbuf_pad(out, '\0', padded - len);
}

/* the end of each published attribute size; a field after the size must be zero */
static const u16 attr_sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144 };

static u32 attr_size_of(const struct pe_attr *a)
{
	const u8 *p = (const u8 *)a;
	size_t end = sizeof(*a);

	while (end > PE_ATTR_SIZE_MIN && !p[end - 1])
		end--;
	for (size_t i = 0; i < ARRAY_SIZE(attr_sizes); i++)
		if (attr_sizes[i] >= end)
			return attr_sizes[i];
	return sizeof(*a);
}

u32 attr_encode_size(const struct evset *set)
{
	u32 size = PE_ATTR_SIZE_MIN;

	vec_foreach(&set->ev, ev)
		size = MAX(size, attr_size_of(&(*ev)->attr));
	return size;
}

void attr_encode(struct strbuf *out, const struct pe_attr *a, u32 attr_size)
{
	struct pe_attr copy = *a;

	copy.size = attr_size;
	copy.flags = pe_attr_kernel_flags(a->flags);
	strbuf_add(out, &copy, attr_size);
}

void buildid_encode(struct strbuf *out, const struct buildid_entry *e)
{
	size_t fixed = record_min_size(REC_BUILD_ID), len = strlen(e->filename), end, size;

	/* the name is padded to 64, and the record to 8, because records are aligned in the stream */
	end = ALIGN_UP(fixed + ALIGN_UP(len + 1, (size_t)STRING_ALIGN), (size_t)8);
	size = ALIGN_UP(fixed + len + 1, (size_t)8);
	record_put(out, &(struct record_view){
		.type = REC_BUILD_ID, .misc = e->misc | MISC_BUILD_ID_SIZE,
		.build_id = { .pid = e->pid, .id = { e->len, e->id },
			      .filename = { (const u8 *)e->filename, len } } }, NULL, end - size);
}

#define STRING_FEATURE(field) \
static void enc_##field(struct strbuf *out, const struct features *f, const struct evset *set) \
{ \
	put_string(out, f->field); \
}
STRING_FEATURE(hostname)
STRING_FEATURE(osrelease)
STRING_FEATURE(version)
STRING_FEATURE(arch)
STRING_FEATURE(cpudesc)
STRING_FEATURE(cpuid)

static void enc_blob(struct strbuf *out, const struct feat_blob *b)
{
	strbuf_add(out, b->data, b->size);
}

static void enc_tracing_data(struct strbuf *out, const struct features *f, const struct evset *set)
{
	enc_blob(out, &f->tracing_data);
}

static void enc_build_id(struct strbuf *out, const struct features *f, const struct evset *set)
{
	vec_foreach(&f->buildids, e)
		buildid_encode(out, e);
}

static void enc_nrcpus(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u32(out, f->nr_cpus_avail);
	put_u32(out, f->nr_cpus_online);
}

static void enc_total_mem(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u64(out, f->total_mem_kb);
}

static void put_strings(struct strbuf *out, u32 nr, const char *const *s)
{
	put_u32(out, nr);
	for (u32 i = 0; i < nr; i++)
		put_string(out, s[i]);
}

static void enc_cmdline(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_strings(out, f->nr_cmdline, f->cmdline);
}

static void enc_event_desc(struct strbuf *out, const struct features *f, const struct evset *set)
{
	u32 size = attr_encode_size(set);

	put_u32(out, set->ev.nr);
	put_u32(out, size);
	vec_foreach(&set->ev, it) {
		const struct event *ev = *it;

		attr_encode(out, &ev->attr, size);
		put_u32(out, ev->nr_ids);
		put_string(out, ev->name);
		strbuf_add(out, ev->ids, ev->nr_ids * sizeof(u64));
	}
}

static void enc_cpu_topology(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_strings(out, f->nr_core_siblings, f->core_siblings);
	put_strings(out, f->nr_thread_siblings, f->thread_siblings);
	for (u32 i = 0; f->cpu_core && i < f->nr_cpus_avail; i++) {
		put_u32(out, f->cpu_core[i]);
		put_u32(out, f->cpu_socket[i]);
	}
	if (!f->cpu_die)
		return;
	put_strings(out, f->nr_die_siblings, f->die_siblings);
	for (u32 i = 0; i < f->nr_cpus_avail; i++)
		put_u32(out, f->cpu_die[i]);
}

static void enc_numa_topology(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u32(out, f->nr_nodes);
	for (u32 i = 0; i < f->nr_nodes; i++) {
		put_u32(out, f->nodes[i].node);
		put_u64(out, f->nodes[i].mem_total_kb);
		put_u64(out, f->nodes[i].mem_free_kb);
		put_string(out, f->nodes[i].cpus);
	}
}

/* the bit alone is the information */
static void enc_nothing(struct strbuf *out, const struct features *f, const struct evset *set)
{
}

static void enc_pmu_mappings(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u32(out, f->nr_pmus);
	for (u32 i = 0; i < f->nr_pmus; i++) {
		put_u32(out, f->pmus[i].type);
		put_string(out, f->pmus[i].name);
	}
}

static void enc_group_desc(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u32(out, f->nr_groups);
	for (u32 i = 0; i < f->nr_groups; i++) {
		put_string(out, f->groups[i].name);
		put_u32(out, f->groups[i].leader);
		put_u32(out, f->groups[i].nr_members);
	}
}

static void enc_cache(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u32(out, 1);	/* version */
	put_u32(out, f->nr_caches);
	for (u32 i = 0; i < f->nr_caches; i++) {
		const struct feat_cache *c = &f->caches[i];

		put_u32(out, c->level);
		put_u32(out, c->line_size);
		put_u32(out, c->sets);
		put_u32(out, c->ways);
		put_string(out, c->type);
		put_string(out, c->size);
		put_string(out, c->map);
	}
}

static void enc_sample_time(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u64(out, f->sample_time_first);
	put_u64(out, f->sample_time_last);
}

static void enc_mem_topology(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u64(out, 1);	/* version */
	put_u64(out, f->mem_block_size);
	put_u64(out, f->nr_mem_nodes);
	for (u32 i = 0; i < f->nr_mem_nodes; i++) {
		const struct feat_mem_node *n = &f->mem_nodes[i];

		put_u64(out, n->node);
		put_u64(out, n->nr_bits);
		put_u64(out, n->nr_bits);	/* a second time: a bitmap starts with its size */
		strbuf_add(out, n->bitmap, (n->nr_bits + 63) / 64 * sizeof(u64));
	}
}

static void enc_clockid(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u64(out, f->clockid_res_ns);
}

static void enc_dir_format(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u64(out, f->dir_version);
}

static void enc_bpf_prog_info(struct strbuf *out, const struct features *f, const struct evset *set)
{
	if (f->bpf_prog_info.size)
		enc_blob(out, &f->bpf_prog_info);
	else
		put_u32(out, 0);
}

static void enc_bpf_btf(struct strbuf *out, const struct features *f, const struct evset *set)
{
	if (f->bpf_btf.size)
		enc_blob(out, &f->bpf_btf);
	else
		put_u32(out, 0);
}

static void enc_compressed(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u32(out, f->comp_version);
	put_u32(out, f->comp_type);
	put_u32(out, f->comp_level);
	put_u32(out, f->comp_ratio);
	put_u32(out, f->comp_mmap_len);
}

static void enc_cpu_domains(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u32(out, f->schedstat_version);
	put_u32(out, f->max_domains);
	for (u32 i = 0; i < f->nr_cpu_domains; i++) {
		const struct feat_cpu_domains *d = &f->cpu_domains[i];

		put_u32(out, d->cpu);
		put_u32(out, d->nr);
		for (u32 k = 0; k < d->nr; k++) {
			put_u32(out, d->domain[k].number);
			if (f->schedstat_version >= SCHEDSTAT_NAMED)
				put_string(out, d->domain[k].name);
			put_string(out, d->domain[k].mask);
			put_string(out, d->domain[k].cpus);
		}
	}
}

static void put_pairs(struct strbuf *out, u32 nr, const char *const *name, const char *const *value)
{
	for (u32 i = 0; i < nr; i++) {
		put_string(out, name[i]);
		put_string(out, value[i]);
	}
}

static void enc_cpu_pmu_caps(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u32(out, f->nr_cpu_caps);
	put_pairs(out, f->nr_cpu_caps, f->cpu_cap_name, f->cpu_cap_value);
}

static void enc_clock_data(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u32(out, 1);	/* version */
	put_u32(out, f->clockid);
	put_u64(out, f->clock_tod_ns);
	put_u64(out, f->clock_ns);
}

static void enc_hybrid_topology(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u32(out, f->nr_hybrid);
	for (u32 i = 0; i < f->nr_hybrid; i++) {
		put_string(out, f->hybrid[i].pmu);
		put_string(out, f->hybrid[i].cpus);
	}
}

static void enc_pmu_caps(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u32(out, f->nr_pmu_caps);
	for (u32 i = 0; i < f->nr_pmu_caps; i++) {
		const struct feat_caps *c = &f->pmu_caps[i];

		put_u32(out, c->nr);
		put_pairs(out, c->nr, c->name, c->value);
		put_string(out, c->pmu);
	}
}

static void enc_auxtrace(struct strbuf *out, const struct features *f, const struct evset *set)
{
	enc_blob(out, &f->raw[FEAT_AUXTRACE]);
}

static void enc_packed_symbols(struct strbuf *out, const struct features *f, const struct evset *set)
{
	enc_blob(out, &f->raw[FEAT_PACKED_SYMBOLS]);
}

static void enc_e_machine(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u32(out, f->e_machine);
	put_u32(out, f->e_flags);
}

static void enc_cacheline_size(struct strbuf *out, const struct features *f, const struct evset *set)
{
	put_u32(out, f->cacheline_size);
}

typedef void feature_encoder(struct strbuf *out, const struct features *f, const struct evset *set);

static feature_encoder *encoder_of(unsigned int bit)
{
	switch (bit) {
	case FEAT_TRACING_DATA: return enc_tracing_data;
	case FEAT_BUILD_ID: return enc_build_id;
	case FEAT_HOSTNAME: return enc_hostname;
	case FEAT_OSRELEASE: return enc_osrelease;
	case FEAT_VERSION: return enc_version;
	case FEAT_ARCH: return enc_arch;
	case FEAT_NRCPUS: return enc_nrcpus;
	case FEAT_CPUDESC: return enc_cpudesc;
	case FEAT_CPUID: return enc_cpuid;
	case FEAT_TOTAL_MEM: return enc_total_mem;
	case FEAT_CMDLINE: return enc_cmdline;
	case FEAT_EVENT_DESC: return enc_event_desc;
	case FEAT_CPU_TOPOLOGY: return enc_cpu_topology;
	case FEAT_NUMA_TOPOLOGY: return enc_numa_topology;
	case FEAT_BRANCH_STACK: return enc_nothing;
	case FEAT_PMU_MAPPINGS: return enc_pmu_mappings;
	case FEAT_GROUP_DESC: return enc_group_desc;
	case FEAT_AUXTRACE: return enc_auxtrace;
	case FEAT_STAT: return enc_nothing;
	case FEAT_CACHE: return enc_cache;
	case FEAT_SAMPLE_TIME: return enc_sample_time;
	case FEAT_MEM_TOPOLOGY: return enc_mem_topology;
	case FEAT_CLOCKID: return enc_clockid;
	case FEAT_DIR_FORMAT: return enc_dir_format;
	case FEAT_BPF_PROG_INFO: return enc_bpf_prog_info;
	case FEAT_BPF_BTF: return enc_bpf_btf;
	case FEAT_COMPRESSED: return enc_compressed;
	case FEAT_CPU_DOMAIN_INFO: return enc_cpu_domains;
	case FEAT_CPU_PMU_CAPS: return enc_cpu_pmu_caps;
	case FEAT_CLOCK_DATA: return enc_clock_data;
	case FEAT_HYBRID_TOPOLOGY: return enc_hybrid_topology;
	case FEAT_PMU_CAPS: return enc_pmu_caps;
	case FEAT_E_MACHINE: return enc_e_machine;
	case FEAT_CACHELINE_SIZE: return enc_cacheline_size;
	case FEAT_PACKED_SYMBOLS: return enc_packed_symbols;
	default: return NULL;
	}
}

bool feature_can_encode(unsigned int bit)
{
	return encoder_of(bit);
}

void feature_encode(struct strbuf *out, unsigned int bit, const struct features *f, const struct evset *set)
{
	feature_encoder *encode = encoder_of(bit);

	if (encode)
		encode(out, f, set);
}
