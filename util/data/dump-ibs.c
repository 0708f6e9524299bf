/*
 * The dump of AMD IBS: the registers in the raw data of samples of ibs_fetch and ibs_op, by the names of the
 * Processor Programming Reference (MSRC001_1030 to 103D). The kernel writes a u32 of capabilities (CPUID
 * 8000_001B EAX), then the registers, 8 bytes each.
 */
#include "dump-private.h"

#include <byteswap.h>
#include <stdio.h>
#include <string.h>

#define CAP_BRANCH_TARGET	(1u << 5)
#define CAP_OP_DATA4		(1u << 10)
#define CAP_ZEN4		(1u << 11)	/* more data sources, filtering by L3 misses */

enum { FETCH_CTL, FETCH_LINEAR, FETCH_PHYSICAL, FETCH_EXT_CTL, FETCH_NEEDED = FETCH_EXT_CTL };
enum { OP_CTL, OP_RIP, OP_DATA, OP_DATA2, OP_DATA3, OP_LINEAR, OP_PHYSICAL, OP_MORE, OP_NEEDED = OP_MORE };
enum { REGISTERS_MAX = 16 };

struct ibs {
	u32 caps, nr;
	u64 v[REGISTERS_MAX];
	bool zen4;
	/*
	 * family 19h, models 0 to 0fh: they have other page sizes, no bit for misses of the instruction
	 * cache, and erratum 1293: some numbers of some accesses are wrong
	 */
	bool zen3;
};

/* a part of a register, with the words that show it */
struct ibs_field {
	const char *words;
	u8 shift, bits;
	u8 scale;	/* it counts 1 << scale */
};

static inline u64 bits_of(u64 v, u32 shift, u32 bits)
{
	return v >> shift & ((1ull << bits) - 1);
}

static void put_fields(struct dump *x, const struct ibs_field *f, size_t nr, u64 v)
{
	for (size_t i = 0; i < nr; i++)
		WORDS(x, f[i].words, NUM(bits_of(v, f[i].shift, f[i].bits) << f[i].scale));
}
#define FIELDS(x, table, v) put_fields(x, table, ARRAY_SIZE(table), v)

static void begin(struct dump *x, const char *key, const char *words, u64 v)
{
	x->f->begin_group(x->out, key);
	WORDS(x, words, NUM(v));
}

static void end(struct dump *x)
{
	SAY(x, "\n");
	x->f->end_group(x->out);
}

static void put_address(struct dump *x, const char *words, u64 v)
{
	WORDS(x, words, NUM(v));
}

/* ---- fetch ---- */

static void put_fetch_ctl(struct dump *x, const struct ibs *r)
{
	static const struct ibs_field always[] = {
		{ " MaxCnt {max-cnt:7d}", 0, 16, 4 }, { " Cnt {cnt:7d}", 16, 16, 4 },
		{ " Lat {lat:5d}", 32, 16, 0 },
		{ " En {en}", 48, 1, 0 }, { " Val {val}", 49, 1, 0 }, { " Comp {comp}", 50, 1, 0 },
	}, icache[] = {
		{ " IcMiss {ic-miss}", 51, 1, 0 },
	}, physical[] = {
		{ " PhyAddrValid {phy-addr-valid}", 52, 1, 0 },
	}, tlb[] = {
		{ " L1TlbMiss {l1-tlb-miss}", 55, 1, 0 }, { " L2TlbMiss {l2-tlb-miss}", 56, 1, 0 },
		{ " RandEn {rand-en}", 57, 1, 0 },
	}, l2[] = {
		{ " L2Miss {l2-miss}", 58, 1, 0 },
	}, zen4[] = {
		{ " L3MissOnly {l3-miss-only}", 59, 1, 0 }, { " FetchOcMiss {oc-miss}", 60, 1, 0 },
		{ " FetchL3Miss {l3-miss}", 61, 1, 0 },
	};
	static const char *const page[] = { "4KB", "2MB", "1GB", "RESERVED" };
	static const char *const page_zen3[] = { "4KB", "16KB", "2MB", "1GB" };
	u64 v = r->v[FETCH_CTL];

	begin(x, "ibs-fetch-ctl", "ibs_fetch_ctl:\t{value:016x}", v);
	FIELDS(x, always, v);
	if (!r->zen3)
		FIELDS(x, icache, v);
	FIELDS(x, physical, v);
	if (bits_of(v, 52, 1))
		WORDS(x, " L1TlbPgSz {l1-tlb-page-size}",
		      TEXT_OF((r->zen3 ? page_zen3 : page)[bits_of(v, 53, 2)]));
	FIELDS(x, tlb, v);
	if (bits_of(v, 50, 1))
		FIELDS(x, l2, v);
	if (r->zen4)
		FIELDS(x, zen4, v);
	end(x);
}

static void dump_fetch(struct dump *x, const struct ibs *r)
{
	if (r->nr < FETCH_NEEDED || bits_of(r->v[FETCH_CTL], 48, 2) != 3)	/* it is not valid */
		return;
	put_fetch_ctl(x, r);
	put_address(x, "IbsFetchLinAd:\t{ibs-fetch-linear:016x}\n", r->v[FETCH_LINEAR]);
	if (bits_of(r->v[FETCH_CTL], 52, 1))
		put_address(x, "IbsFetchPhysAd:\t{ibs-fetch-physical:016x}\n", r->v[FETCH_PHYSICAL]);
	if (r->nr > FETCH_EXT_CTL) {
		begin(x, "ic-ibs-ext-ctl", "ic_ibs_ext_ctl:\t{value:016x}", r->v[FETCH_EXT_CTL]);
		WORDS(x, " IbsItlbRefillLat {itlb-refill-lat:3d}", NUM(bits_of(r->v[FETCH_EXT_CTL], 0, 16)));
		end(x);
	}
}

/* ---- op ---- */

static void put_op_ctl(struct dump *x, const struct ibs *r)
{
	static const struct ibs_field zen4[] = {
		{ " L3MissOnly {l3-miss-only}", 16, 1, 0 },
	}, always[] = {
		{ " En {en}", 17, 1, 0 }, { " Val {val}", 18, 1, 0 }, { " CntCtl {cnt-ctl}", 19, 1, 0 },
	};
	u64 v = r->v[OP_CTL];

	begin(x, "ibs-op-ctl", "ibs_op_ctl:\t{value:016x}", v);
	WORDS(x, " MaxCnt {max-cnt:9d}", NUM((bits_of(v, 20, 7) << 16 | bits_of(v, 0, 16)) << 4));
	if (r->zen4)
		FIELDS(x, zen4, v);
	FIELDS(x, always, v);
	WORDS(x, "={unit} CurCnt {cur-cnt:9d}", TEXT_OF(bits_of(v, 19, 1) ? "uOps" : "cycles"),
	      NUM(bits_of(v, 32, 27)));
	end(x);
}

static void put_op_data(struct dump *x, u64 v)
{
	static const struct ibs_field first[] = {
		{ " CompToRetCtr {comp-to-ret:5d}", 0, 16, 0 }, { " TagToRetCtr {tag-to-ret:5d}", 16, 16, 0 },
	}, branch[] = {
		{ " OpReturn {return}", 34, 1, 0 }, { " OpBrnTaken {brn-taken}", 35, 1, 0 },
		{ " OpBrnMisp {brn-misp}", 36, 1, 0 },
	}, last[] = {
		{ " BrnRet {brn-ret}", 37, 1, 0 }, { "  RipInvalid {rip-invalid}", 38, 1, 0 },
		{ " BrnFuse {brn-fuse}", 39, 1, 0 }, { " Microcode {microcode}", 40, 1, 0 },
	};

	begin(x, "ibs-op-data", "ibs_op_data:\t{value:016x}", v);
	FIELDS(x, first, v);
	if (bits_of(v, 37, 1))	/* a branch that retired */
		FIELDS(x, branch, v);
	FIELDS(x, last, v);
	end(x);
}

/* by number; NULL: the data came from the core itself, or it is not known from where */
static const char *data_source(const struct ibs *r, u32 nr)
{
	static const char *const old[] = {
		NULL, "(reserved)", "Local node cache", "DRAM", "Remote node cache", "(reserved)",
		"(reserved)", "Other",
	}, *const zen4[] = {
		NULL, "Local L3 or other L1/L2 in CCX", "Another CCX cache in the same NUMA node", "DRAM",
		"(reserved)", "Another CCX cache in a different NUMA node", "Long-latency DIMM",
		"MMIO/Config/PCI/APIC", "Extension Memory", "(reserved)", "(reserved)", "(reserved)",
		"Coherent Memory of a different processor type",
	};

	if (r->zen4)
		return nr < ARRAY_SIZE(zen4) ? zen4[nr] : NULL;
	return old[nr & 7];
}

static void put_op_data2(struct dump *x, const struct ibs *r)
{
	u64 v = r->v[OP_DATA2];
	u32 nr = bits_of(v, 0, 3) | (r->zen4 ? bits_of(v, 6, 2) << 3 : 0);
	const char *source = data_source(r, nr);
	bool cached = r->zen4 ? nr == 1 || nr == 2 || nr == 5 : nr == 2;

	begin(x, "ibs-op-data2", "ibs_op_data2:\t{value:016x}", v);
	if (cached)
		WORDS(x, " CacheHitSt {cache-hit-st}={cache-state}", NUM(bits_of(v, 5, 1)),
		      TEXT_OF(bits_of(v, 5, 1) ? "O-State" : "M-state"));
	WORDS(x, " RmtNode {rmt-node}", NUM(bits_of(v, 4, 1)));
	if (source)
		WORDS(x, " DataSrc {data-src}={source}", NUM(nr), TEXT_OF(source));
	end(x);
}

static void put_op_data3(struct dump *x, const struct ibs *r, bool doubtful)
{
	static const struct ibs_field access[] = {
		{ " LdOp {ld-op}", 0, 1, 0 }, { " StOp {st-op}", 1, 1, 0 },
		{ " DcL1TlbMiss {dc-l1-tlb-miss}", 2, 1, 0 }, { " DcL2TlbMiss {dc-l2-tlb-miss}", 3, 1, 0 },
		{ " DcL1TlbHit2M {dc-l1-tlb-hit-2m}", 4, 1, 0 },
		{ " DcL1TlbHit1G {dc-l1-tlb-hit-1g}", 5, 1, 0 },
		{ " DcL2TlbHit2M {dc-l2-tlb-hit-2m}", 6, 1, 0 }, { " DcMiss {dc-miss}", 7, 1, 0 },
		{ " DcMisAcc {dc-mis-acc}", 8, 1, 0 }, { " DcWcMemAcc {dc-wc-mem-acc}", 13, 1, 0 },
		{ " DcUcMemAcc {dc-uc-mem-acc}", 14, 1, 0 }, { " DcLockedOp {dc-locked-op}", 15, 1, 0 },
		{ " DcMissNoMabAlloc {dc-miss-no-mab-alloc}", 16, 1, 0 },
		{ " DcLinAddrValid {dc-lin-addr-valid}", 17, 1, 0 },
		{ " DcPhyAddrValid {dc-phy-addr-valid}", 18, 1, 0 },
		{ " DcL2TlbHit1G {dc-l2-tlb-hit-1g}", 19, 1, 0 },
	}, l2[] = { { " L2Miss {l2-miss}", 20, 1, 0 } }, prefetch[] = { { " SwPf {sw-pf}", 21, 1, 0 } },
	requests[] = { { " OpDcMissOpenMemReqs {open-mem-reqs:2d}", 26, 6, 0 } }, latency[] = {
		{ " DcMissLat {dc-miss-lat:5d}", 32, 16, 0 },
	}, tlb_latency[] = {
		{ " TlbRefillLat {tlb-refill-lat:5d}", 48, 16, 0 },
	};
	u64 v = r->v[OP_DATA3], width = bits_of(v, 22, 4);

	begin(x, "ibs-op-data3", "ibs_op_data3:\t{value:016x}", v);
	FIELDS(x, access, v);
	if (!doubtful)
		FIELDS(x, l2, v);
	FIELDS(x, prefetch, v);
	if (width)
		WORDS(x, " OpMemWidth {mem-width:2d} bytes", NUM(1u << (width - 1)));
	if (!doubtful)
		FIELDS(x, requests, v);
	FIELDS(x, latency, v);
	if (!r->zen4 || bits_of(v, 18, 1))
		FIELDS(x, tlb_latency, v);
	end(x);
}

/* registers that only some processors have */
static void put_op_more(struct dump *x, const struct ibs *r)
{
	u32 data4 = OP_MORE + !!(r->caps & CAP_BRANCH_TARGET);

	if (bits_of(r->v[OP_DATA], 37, 1) && r->nr > OP_MORE)
		put_address(x, "IbsBrTarget:\t{ibs-branch-target:016x}\n", r->v[OP_MORE]);
	if (r->caps & CAP_OP_DATA4 && r->nr > data4) {
		begin(x, "ibs-op-data4", "ibs_op_data4:\t{value:016x}", r->v[data4]);
		WORDS(x, " LdResync {ld-resync}", NUM(r->v[data4] & 1));
		end(x);
	}
}

static void dump_op(struct dump *x, const struct ibs *r)
{
	u64 data3 = r->v[OP_DATA3];
	bool doubtful = r->zen3 && (bits_of(data3, 16, 1) || bits_of(data3, 21, 1));

	if (r->nr < OP_NEEDED || bits_of(r->v[OP_CTL], 17, 2) != 3)	/* it is not valid */
		return;
	put_op_ctl(x, r);
	if (!bits_of(r->v[OP_DATA], 38, 1))
		put_address(x, "IbsOpRip:\t{ibs-op-rip:016x}\n", r->v[OP_RIP]);
	put_op_data(x, r->v[OP_DATA]);
	if (!doubtful)
		put_op_data2(x, r);
	put_op_data3(x, r, doubtful);
	if (bits_of(data3, 17, 1))
		put_address(x, "IbsDCLinAd:\t{ibs-dc-linear:016x}\n", r->v[OP_LINEAR]);
	if (bits_of(data3, 18, 1) && (bits_of(data3, 17, 1) || !r->zen4))
		put_address(x, "IbsDCPhysAd:\t{ibs-dc-physical:016x}\n", r->v[OP_PHYSICAL]);
	put_op_more(x, r);
}

static const struct {
	const char *pmu;
	void (*dump)(struct dump *x, const struct ibs *r);
} kinds[] = { { "ibs_fetch", dump_fetch }, { "ibs_op", dump_op } };

static bool has_zen4_caps(const struct features *f)
{
	for (u32 i = 0; i < f->nr_pmu_caps; i++)
		for (u32 k = 0; k < f->pmu_caps[i].nr && !strcmp(f->pmu_caps[i].pmu, "ibs_op"); k++)
			if (!strcmp(f->pmu_caps[i].name[k], "zen4_ibs_extensions"))
				return true;
	return false;
}

static bool is_zen3(const struct features *f)
{
	unsigned int family, model;

	return f->cpuid && sscanf(f->cpuid, "AuthenticAMD,%u,%u", &family, &model) == 2 && family == 0x19 &&
	       model < 0x10;
}

static void read_registers(const struct dump *x, struct ibs *r)
{
	const u8 *p = x->id->raw;

	memcpy(&r->caps, p, sizeof(r->caps));
	r->caps = x->d->swap ? bswap_32(r->caps) : r->caps;
	r->nr = MIN((x->id->raw_size - (u32)sizeof(r->caps)) / 8, (u32)REGISTERS_MAX);
	for (u32 i = 0; i < r->nr; i++) {
		memcpy(&r->v[i], p + sizeof(r->caps) + 8 * i, sizeof(r->v[i]));
		r->v[i] = x->d->swap ? bswap_64(r->v[i]) : r->v[i];
	}
	r->zen4 = r->caps & CAP_ZEN4 || has_zen4_caps(&x->d->feat);
	r->zen3 = is_zen3(&x->d->feat);
}

void dump_ibs(struct dump *x)
{
	const struct features *f = &x->d->feat;
	struct ibs r = { 0 };

	for (u32 i = 0; i < f->nr_pmus && x->id->raw_size >= sizeof(r.caps); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
			if (f->pmus[i].type != x->id->event->attr.type ||
			    strcmp(f->pmus[i].name, kinds[k].pmu))
				continue;
			read_registers(x, &r);
			return kinds[k].dump(x, &r);
		}
	}
}
