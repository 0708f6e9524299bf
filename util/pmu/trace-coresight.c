/* Arm CoreSight: what trace units (ETMv3, PTM, ETMv4, ETE) of the CPUs can do, from sysfs. */
#include "trace-pmu.h"
#include "../base/fs.h"
#include "../kernel/target.h"

#include <stdio.h>
#include <stdlib.h>

enum { VERSION = 1 };

#define MAGIC_V3 0x3030303030303030ull
#define MAGIC_V4 0x4040404040404040ull
#define MAGIC_ETE 0x5050505050505050ull

/* TRACEIDR: the kernel chooses, and says so in AUX_OUTPUT_HW_ID records; else those of older kernels */
#define ID_UNUSED (1ull << 31)
#define OLD_ID(cpu) ((0x10 + 2 * (cpu)) & 0x7f)

/* a register of a CPU's trace unit; 0 if there is none */
static u64 read_register(const struct trace_info *in, int cpu, const char *name)
{
	char path[128];
	u64 v;

	snprintf(path, sizeof(path), "cpu%d/%s", cpu, name);
	return trace_file_u64(in->pmu, path, &v) ? v : 0;
}

static bool has_register(const struct trace_info *in, int cpu, const char *name)
{
	char path[128];
	u64 v;

	snprintf(path, sizeof(path), "cpu%d/%s", cpu, name);
	return trace_file_u64(in->pmu, path, &v);
}

/* TRCCONFIGR, from the terms of the event */
static u64 config_of(const struct trace_info *in)
{
	static const struct {
		const char *term;
		u64 bits;
	} terms[] = {
		{ "branch_broadcast", 1u << 3 }, { "cycacc", 1u << 4 }, { "contextid1", 1u << 6 },
		{ "contextid2", 1u << 7 | 1u << 15 }, { "timestamp", 1u << 11 }, { "retstack", 1u << 12 },
	};
	u64 config = 0;

	for (size_t i = 0; i < ARRAY_SIZE(terms); i++)
		if (trace_get(in->pmu, &in->ev->attr, terms[i].term))
			config |= terms[i].bits;
	/* kernels before 5.10 have one name for what their exception level uses */
	if (!trace_bits(in->pmu, "contextid1") && trace_get(in->pmu, &in->ev->attr, "contextid"))
		config |= 1u << 6;
	return config;
}

static u64 id_of(const struct trace_info *in, int cpu)
{
	u64 id = read_register(in, cpu, "mgmt/trctraceid");

	return id ? id : OLD_ID(cpu) | ID_UNUSED;
}

/* ARCHID and version of an ETE in TRCDEVARCH */
static bool is_ete(u64 devarch)
{
	return (devarch & 0xfff) == 0xa13 && (devarch >> 12 & 0xf) >= 5;
}

static void put_unit(const struct trace_info *in, int cpu, struct strbuf *out)
{
	u64 devarch = read_register(in, cpu, "mgmt/trcdevarch");
	bool ete = is_ete(devarch);

	if (!has_register(in, cpu, "trcidr/trcidr0")) {
		const u64 v3[] = { MAGIC_V3, cpu, 4, in->ev->attr.config, OLD_ID(cpu),
				   read_register(in, cpu, "mgmt/etmccer"),
				   read_register(in, cpu, "mgmt/etmidr") };

		strbuf_add(out, v3, sizeof(v3));
		return;
	}
	const u64 v4[] = {
		ete ? MAGIC_ETE : MAGIC_V4, cpu, ete ? 9 : 8, config_of(in), id_of(in, cpu),
		read_register(in, cpu, "trcidr/trcidr0"), read_register(in, cpu, "trcidr/trcidr1"),
		read_register(in, cpu, "trcidr/trcidr2"), read_register(in, cpu, "trcidr/trcidr8"),
		read_register(in, cpu, "mgmt/trcauthstatus"),
	};
	u64 source = has_register(in, cpu, "ts_source") ? read_register(in, cpu, "ts_source") : UINT64_MAX;

	strbuf_add(out, v4, sizeof(v4));
	if (ete)
		trace_put(out, devarch);
	trace_put(out, source);
}

static void cs_words(const struct trace_info *in, struct strbuf *out)
{
	struct cpulist cpus = { 0 }, with = { 0 };

	trace_cpus(in, &cpus);
	vec_foreach(&cpus, cpu)
		if (has_register(in, *cpu, "trcidr/trcidr0") || has_register(in, *cpu, "mgmt/etmidr"))
			cpulist_add(&with, *cpu);
	trace_put(out, VERSION);
	trace_put(out, (u64)in->ev->attr.type << 32 | with.nr);
	trace_put(out, in->snapshot);
	vec_foreach(&with, cpu)
		put_unit(in, *cpu, out);
	vec_release(&cpus);
	vec_release(&with);
}

/* a register of the first trace unit that has it; 0 if none does */
static u64 first_register(const struct pmu *pmu, const char *name)
{
	struct cpulist cpus = { 0 };
	struct err err = ERR_INIT;
	u64 v = 0;

	cpus_online(&cpus, &err);
	vec_foreach(&cpus, cpu) {
		char path[128];

		snprintf(path, sizeof(path), "cpu%d/%s", *cpu, name);
		if (trace_file_u64(pmu, path, &v))
			break;
	}
	vec_release(&cpus);
	return v;
}

/*
 * Which thread ran is in the trace itself; times order the traces of several CPUs. Trace units without them
 * (fields TSSIZE and CIDSIZE) refuse the terms
 */
static void cs_defaults(const struct pmu *pmu, struct pe_attr *attr)
{
	if (first_register(pmu, "trcidr/trcidr0") >> 24 & 0x1f)
		trace_set(pmu, attr, "timestamp", 1);
	if (first_register(pmu, "trcidr/trcidr2") >> 5 & 0x1f)
		trace_set(pmu, attr, "contextid", 1);
}

const struct trace_pmu trace_pmu_coresight = {
	.title = "Arm CoreSight", .pmu = "cs_etm", .type = 3, .walks_code = true, .defaults = cs_defaults,
	.words = cs_words,
	.cpus = "Arm CPUs", .cpuinfo = "CPU implementer",
	.absent = "it needs trace units and a sink that the firmware describes (ACPI, device tree), and a "
		  "kernel with CONFIG_CORESIGHT_SOURCE_ETM4X; many firmwares leave them out",
};
