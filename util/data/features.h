/*
 * Header features of a perf.data file, decoded. Strings and arrays belong to the arena in the struct. An
 * absent feature is NULL / 0. One row per feature in features.def: bit number, name, decode, encode, print
 * (--header).
 */
#ifndef PERF_DATA_FEATURES_H
#define PERF_DATA_FEATURES_H

#include "../../arch/arch.h"
#include "../base/arena.h"
#include "../base/vec.h"
#include "../event/event.h"

/* bit numbers in the header's feature bitmap */
enum feature_id {
	FEAT_TRACING_DATA = 1, FEAT_BUILD_ID, FEAT_HOSTNAME, FEAT_OSRELEASE, FEAT_VERSION, FEAT_ARCH,
	FEAT_NRCPUS, FEAT_CPUDESC, FEAT_CPUID, FEAT_TOTAL_MEM, FEAT_CMDLINE, FEAT_EVENT_DESC,
	FEAT_CPU_TOPOLOGY, FEAT_NUMA_TOPOLOGY, FEAT_BRANCH_STACK, FEAT_PMU_MAPPINGS, FEAT_GROUP_DESC,
	FEAT_AUXTRACE, FEAT_STAT, FEAT_CACHE, FEAT_SAMPLE_TIME, FEAT_MEM_TOPOLOGY, FEAT_CLOCKID,
	FEAT_DIR_FORMAT, FEAT_BPF_PROG_INFO, FEAT_BPF_BTF, FEAT_COMPRESSED, FEAT_CPU_PMU_CAPS,
	FEAT_CLOCK_DATA, FEAT_HYBRID_TOPOLOGY, FEAT_PMU_CAPS, FEAT_CPU_DOMAIN_INFO, FEAT_E_MACHINE,
	FEAT_CACHELINE_SIZE,
	/* of this perf: see util/obj/sympack.h. Other readers skip it by its size */
	FEAT_PACKED_SYMBOLS = 200,
	FEAT_NR = 256
};


struct buildid_entry {		/* FEAT_BUILD_ID, or HEADER_BUILD_ID records */
	u16 misc;		/* cpumode in the low bits */
	s32 pid;
	u8 id[BUILDID_MAX];
	u8 len;
	const char *filename;
};

struct feat_cache { u32 level, line_size, sets, ways; const char *type, *size, *map; };
struct feat_node { u32 node; u64 mem_total_kb, mem_free_kb; const char *cpus; };
struct feat_pmu { u32 type; const char *name; };
struct feat_group { const char *name; u32 leader, nr_members; };
struct feat_caps { const char *pmu; u32 nr; const char **name, **value; };
struct feat_hybrid { const char *pmu, *cpus; };
/* name: since version SCHEDSTAT_NAMED */
struct feat_domain { u32 number; const char *name, *mask, *cpus; };
struct feat_cpu_domains { u32 cpu, nr; struct feat_domain *domain; };
struct feat_mem_node { u64 node, nr_bits; const u64 *bitmap; };
struct feat_blob { const void *data; u64 size; };	/* payload that is not decoded, in place */

/* first version of /proc/schedstat that names domains */
#define SCHEDSTAT_NAMED 17

struct features {
	struct arena arena;
	u64 present[FEAT_NR / 64];		/* bitmap of the header, or of records seen in a pipe */
	const char *hostname, *osrelease, *version, *arch, *cpudesc, *cpuid;
	u32 nr_cpus_avail, nr_cpus_online;
	u64 total_mem_kb;
	u32 nr_cmdline;
	const char **cmdline;
	/*
	 * CPU topology: core/thread sibling lists, then ids per CPU (nr_cpus_avail entries), -1 unknown; NULL
	 * if absent
	 */
	u32 nr_core_siblings, nr_thread_siblings, nr_die_siblings;
	const char **core_siblings, **thread_siblings, **die_siblings;
	const s32 *cpu_core, *cpu_socket, *cpu_die;
	u32 nr_nodes;		struct feat_node *nodes;
	u32 nr_pmus;		struct feat_pmu *pmus;
	u32 nr_groups;		struct feat_group *groups;
	u32 nr_caches;		struct feat_cache *caches;
	u32 nr_cpu_caps;	const char **cpu_cap_name, **cpu_cap_value;
	u32 nr_pmu_caps;	struct feat_caps *pmu_caps;
	u64 mem_block_size;	u32 nr_mem_nodes;	struct feat_mem_node *mem_nodes;
	u32 nr_hybrid;		struct feat_hybrid *hybrid;
	u64 sample_time_first, sample_time_last;
	u64 clockid_res_ns;
	u32 clockid; u64 clock_tod_ns, clock_ns;	/* FEAT_CLOCK_DATA */
	u32 comp_version, comp_type, comp_level, comp_ratio, comp_mmap_len;
	u64 dir_version;
	u32 schedstat_version, max_domains, nr_cpu_domains;	/* FEAT_CPU_DOMAIN_INFO */
	struct feat_cpu_domains *cpu_domains;
	u32 e_machine, e_flags;
	u32 cacheline_size;
	struct { VEC(struct buildid_entry); } buildids;
	struct arena buildid_names;	/* of a recorder, which gathers them anew for each output */
	struct feat_blob tracing_data;		/* for util/tep */
	struct feat_blob bpf_prog_info, bpf_btf;
	struct arena bpf_arena;		/* of a recorder, as buildid_names */
	struct feat_blob raw[FEAT_NR];		/* payload of every feature as stored, also of unknown ones */
};

static inline bool feature_present(const struct features *f, unsigned int bit)
{
	return bit < FEAT_NR && f->present[bit / 64] >> (bit % 64) & 1;
}

/*
 * the architecture of the machine that recorded: by its ELF machine, else by its name; this machine's if the
 * file has neither. NULL: unknown
 */
const struct arch *features_arch(const struct features *f);

/* fills an entry from a BUILD_ID record; its name is copied to the arena */
struct record_view;
void buildid_entry_of(struct buildid_entry *ret, struct arena *arena, const struct record_view *v);

/* "HOSTNAME", or NULL if the bit is unknown */
const char *feature_name(unsigned int bit);

/* frees what it owns */
void features_release(struct features *f);

#endif
