/*
 * The kernel's perf ABI as every file and system call speaks it: attribute layout, record types, sample bits.
 * Sources: <linux/perf_event.h> (UAPI) and, for what is newer than the installed header, the layout written
 * out here. struct pe_attr is our own so that any header version builds the same program and files of any age
 * can be held in it.
 */
#ifndef PERF_EVENT_ABI_H
#define PERF_EVENT_ABI_H

#include <linux/perf_event.h>
#include "../base/types.h"

/* struct perf_event_attr, all fields up to size 144. Zero after the attr size of the file or kernel. */
struct pe_attr {
	u32 type;
	u32 size;
	u64 config;
	u64 sample_period;		/* or frequency, with bit freq */
	u64 sample_type;
	u64 read_format;
	u64 flags;			/* the bit field at offset 40 as one native u64; ATTR_* masks below */
	u32 wakeup_events;		/* or wakeup_watermark, with ATTR_WATERMARK */
	u32 bp_type;
	u64 config1;			/* or bp_addr, kprobe_func, uprobe_path */
	u64 config2;			/* or bp_len, kprobe_addr, probe_offset */
	u64 branch_sample_type;
	u64 sample_regs_user;
	u32 sample_stack_user;
	s32 clockid;
	u64 sample_regs_intr;
	u32 aux_watermark;
	u16 sample_max_stack;
	u16 reserved_2;
	u32 aux_sample_size;
	u32 aux_action;
	u64 sig_data;
	u64 config3;			/* size 136 */
	u64 config4;			/* size 144 */
};
#define PE_ATTR_SIZE_MIN 64u

/*
 * types of events that are read in another way, never opened (count/tool-events); the numbers are those of
 * upstream, because files contain them
 */
#define PE_TYPE_TOOL	0xfffffffeu
#define PE_TYPE_HWMON	0xffff0000u	/* + N of hwmonN */

/* pe_attr.flags, lowest bit first, as a little-endian kernel lays out the bit field */
#define ATTR_BIT(n) (1ull << (n))
#define ATTR_DISABLED			ATTR_BIT(0)
#define ATTR_INHERIT			ATTR_BIT(1)
#define ATTR_PINNED			ATTR_BIT(2)
#define ATTR_EXCLUSIVE			ATTR_BIT(3)
#define ATTR_EXCLUDE_USER		ATTR_BIT(4)
#define ATTR_EXCLUDE_KERNEL		ATTR_BIT(5)
#define ATTR_EXCLUDE_HV			ATTR_BIT(6)
#define ATTR_EXCLUDE_IDLE		ATTR_BIT(7)
#define ATTR_MMAP			ATTR_BIT(8)
#define ATTR_COMM			ATTR_BIT(9)
#define ATTR_FREQ			ATTR_BIT(10)
#define ATTR_INHERIT_STAT		ATTR_BIT(11)
#define ATTR_ENABLE_ON_EXEC		ATTR_BIT(12)
#define ATTR_TASK			ATTR_BIT(13)
#define ATTR_WATERMARK			ATTR_BIT(14)
#define ATTR_PRECISE_SHIFT		15	/* two bits: 0..3 */
#define ATTR_PRECISE_MASK		(3ull << 15)
#define ATTR_MMAP_DATA			ATTR_BIT(17)
#define ATTR_SAMPLE_ID_ALL		ATTR_BIT(18)
#define ATTR_EXCLUDE_HOST		ATTR_BIT(19)
#define ATTR_EXCLUDE_GUEST		ATTR_BIT(20)
#define ATTR_EXCLUDE_CALLCHAIN_KERNEL	ATTR_BIT(21)
#define ATTR_EXCLUDE_CALLCHAIN_USER	ATTR_BIT(22)
#define ATTR_MMAP2			ATTR_BIT(23)
#define ATTR_COMM_EXEC			ATTR_BIT(24)
#define ATTR_USE_CLOCKID		ATTR_BIT(25)
#define ATTR_CONTEXT_SWITCH		ATTR_BIT(26)
#define ATTR_WRITE_BACKWARD		ATTR_BIT(27)
#define ATTR_NAMESPACES			ATTR_BIT(28)
#define ATTR_KSYMBOL			ATTR_BIT(29)
#define ATTR_BPF_EVENT			ATTR_BIT(30)
#define ATTR_AUX_OUTPUT			ATTR_BIT(31)
#define ATTR_CGROUP			ATTR_BIT(32)
#define ATTR_TEXT_POKE			ATTR_BIT(33)
#define ATTR_BUILD_ID			ATTR_BIT(34)
#define ATTR_INHERIT_THREAD		ATTR_BIT(35)
#define ATTR_REMOVE_ON_EXEC		ATTR_BIT(36)
#define ATTR_SIGTRAP			ATTR_BIT(37)
#define ATTR_DEFER_CALLCHAIN		ATTR_BIT(38)
#define ATTR_DEFER_OUTPUT		ATTR_BIT(39)

static inline unsigned int attr_precise(const struct pe_attr *a)
{
	return (a->flags & ATTR_PRECISE_MASK) >> ATTR_PRECISE_SHIFT;
}

/*
 * sample_type bits (PERF_SAMPLE_*) and their numbers, from the rows of sample-fields.def. ABI_SAMPLE_TRAILER:
 * those that a sample_id trailer may also have; ABI_SAMPLE_SLOTS: those that take exactly one u64
 */
enum abi_sample_nr {
#define SAMPLE_FIELD(name, bit, ...) ABI_SAMPLE_NR_##name = bit,
#include "sample-fields.def"
#undef SAMPLE_FIELD
};
enum abi_sample {
#define SAMPLE_FIELD(name, bit, ...) ABI_SAMPLE_##name = 1ull << bit,
#include "sample-fields.def"
#undef SAMPLE_FIELD
};
#define ABI_SAMPLE_TRAILER (ABI_SAMPLE_TID | ABI_SAMPLE_TIME | ABI_SAMPLE_ID | ABI_SAMPLE_STREAM_ID | \
			    ABI_SAMPLE_CPU | ABI_SAMPLE_IDENTIFIER)
#define ABI_SAMPLE_SLOTS (ABI_SAMPLE_TRAILER | ABI_SAMPLE_IP | ABI_SAMPLE_ADDR | ABI_SAMPLE_PERIOD)

/* whether samples have branches that were taken, and not calls that have not returned */
static inline bool attr_has_branches(const struct pe_attr *a)
{
	return a->sample_type & PERF_SAMPLE_BRANCH_STACK &&
	       !(a->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK);
}

/* read_format bits */
#define ABI_READ_TIME_ENABLED		1u
#define ABI_READ_TIME_RUNNING		2u
#define ABI_READ_ID			4u
#define ABI_READ_GROUP			8u
#define ABI_READ_LOST			16u

/* branch_sample_type bits that change the layout of a sample, or its meaning; all branches */
#define ABI_BRANCH_ANY			(1ull << 3)
#define BRANCH_CALL_STACK		(1ull << 11)
#define ABI_BRANCH_HW_INDEX		(1ull << 17)
#define ABI_BRANCH_COUNTERS		(1ull << 19)

/*
 * Record types (record-type.h): above all numbers; and those that inline readers of every record ask for, so
 * that these do not depend on the rows of records.def
 */
#define REC_TYPE_MAX			96u
#define ABI_RECORD_SAMPLE		9u
#define ABI_RECORD_TRACING_DATA		66u
#define ABI_RECORD_AUXTRACE_INFO	70u
#define ABI_RECORD_AUXTRACE		71u

#define BUILDID_MAX 20	/* bytes of a build-id that a record has room for */

/* what an EVENT_UPDATE record says about an event */
enum abi_update { ABI_UPDATE_UNIT, ABI_UPDATE_SCALE, ABI_UPDATE_NAME, ABI_UPDATE_CPUS };
/*
 * A kind of EVENT_UPDATE that upstream does not have: the position of an event in place of its id, and the
 * name of the control group that the event is limited to. Upstream skips such a record.
 */
#define ABI_UPDATE_CGROUP 0x70756f7267ull	/* "group" */

/* flags of AUX records */
#define ABI_AUX_TRUNCATED		1u
#define ABI_AUX_PARTIAL			4u
#define ABI_AUX_COLLISION		8u
#define ABI_AUX_FORMAT			0xff00u	/* of a PMU that has several */
#define ABI_AUX_CORESIGHT_RAW		0x100u	/* without frames */

/* misc bits of a record header that older headers lack */
#define MISC_CPUMODE_MASK		7u
#define MISC_PROC_MAP_PARSE_TIMEOUT	(1u << 12)
#define MISC_MMAP_DATA			(1u << 13)
#define MISC_COMM_EXEC			(1u << 13)
#define MISC_FORK_EXEC			(1u << 13)
#define MISC_SWITCH_OUT			(1u << 13)
#define MISC_MMAP_BUILD_ID		(1u << 14)
#define MISC_SWITCH_OUT_PREEMPT		(1u << 14)
/* of BUILD_ID records: they contain the length of the id */
#define MISC_BUILD_ID_SIZE		(1u << 15)
#define MISC_LOST_BY_BPF		(1u << 15)	/* of LOST_SAMPLES */

enum cpumode {
	CPUMODE_UNKNOWN, CPUMODE_KERNEL, CPUMODE_USER, CPUMODE_HYPERVISOR, CPUMODE_GUEST_KERNEL,
	CPUMODE_GUEST_USER
};

/* markers inside call chains: values at or above this are not addresses */
#define CHAIN_CONTEXT_MAX		((u64)-4095)
#define CHAIN_HV			((u64)-32)
#define CHAIN_KERNEL			((u64)-128)
#define CHAIN_USER			((u64)-512)
#define CHAIN_USER_DEFERRED		((u64)-640)
#define CHAIN_GUEST			((u64)-2048)
#define CHAIN_GUEST_KERNEL		((u64)-2176)
#define CHAIN_GUEST_USER		((u64)-2560)

struct rec_header {
	u32 type;
	u16 misc;
	u16 size;
};

#endif
