/* Recorded by: PERF_SAMPLE_* and the option of perf record that sets it. */
#include "recorded-by.h"

#include <linux/perf_event.h>
#include <stddef.h>

#include "../event/abi.h"

static const struct {
	u64 sample_bits;
	const char *option;
} rows[] = {
	{ PERF_SAMPLE_TIME, "-T" }, { PERF_SAMPLE_CPU, "--sample-cpu" },
	{ PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC, "-d" }, { PERF_SAMPLE_REGS_INTR, "-I" },
	{ PERF_SAMPLE_REGS_USER, "--user-regs" }, { ABI_SAMPLE_WEIGHT | ABI_SAMPLE_WEIGHT_STRUCT, "-W" },
	{ PERF_SAMPLE_TRANSACTION, "--transaction" }, { ABI_SAMPLE_PHYS_ADDR, "--phys-data" },
	{ ABI_SAMPLE_DATA_PAGE_SIZE, "--data-page-size" }, { ABI_SAMPLE_CODE_PAGE_SIZE, "--code-page-size" },
	{ PERF_SAMPLE_CGROUP, "--all-cgroups" },
};

const char *recorded_by(u64 sample_bits)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].sample_bits & sample_bits)
			return rows[i].option;
	return NULL;
}
