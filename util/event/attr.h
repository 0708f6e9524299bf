/*
 * Event attributes as bytes and as text. The bit field at offset 40 is one native u64 in struct pe_attr: a
 * big-endian kernel lays it out from the highest bit down.
 */
#ifndef PERF_EVENT_ATTR_H
#define PERF_EVENT_ATTR_H

#include "abi.h"
#include "../base/strbuf.h"

/*
 * Reads size bytes at p; swap: they are in the other byte order. Fields beyond size are 0. Returns false if
 * bytes after the known fields are not zero.
 */
bool pe_attr_decode(struct pe_attr *out, const void *p, u32 size, bool swap);

/*
 * pe_attr.flags in the layout of this machine's kernel: for the system call and for files in native byte
 * order
 */
u64 pe_attr_kernel_flags(u64 flags);

/*
 * Texts below: pmu is the name of the PMU that attr->type (for hardware events: the upper half of config)
 * stands for, tracepoint the "system:name" of a tracepoint's config; either may be NULL.
 *
 * The name of an event that no file or user named: "cycles", "cpu-clock:u",
 * "L1-dcache-load-misses", "raw 0x1c2".
 */
void pe_attr_make_name(const struct pe_attr *attr, const char *pmu, struct strbuf *out);
/* the name of the constant in config, "PERF_COUNT_SW_CPU_CLOCK"; false if it has none */
bool pe_attr_config_symbol(const struct pe_attr *attr, const char *pmu, const char *tracepoint,
			   struct strbuf *out);
/*
 * "type: 1 (PERF_TYPE_SOFTWARE), size: 136, ..."; assign is put between names and values: ": " or " = ".
 * NULL: one indented line per field, as -vv shows the events that are opened
 */
void pe_attr_print(const struct pe_attr *attr, const char *pmu, const char *tracepoint, const char *assign,
		   struct strbuf *out);

#endif
