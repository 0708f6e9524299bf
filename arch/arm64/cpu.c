/*
 * arm64 CPUs: "0x00000000410fd030", the MIDR without variant and revision; big.LITTLE machines have several.
 */
#include "arm64.h"

#include <stdio.h>
#include "../../util/base/fs.h"

#define CPUS_MAX 8192
#define MIDR_VARIANT_REVISION 0xf0000full

void arm64_cpu_ident(const char *cpuinfo, arch_emit *emit, void *ctx)
{
	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		char path[96], ident[32];
		u64 midr;

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1",
			 cpu);
		if (fs_read_u64(path, &midr)) {
			snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d", cpu);
			if (!fs_exists(path))
				return;
			continue;	/* offline */
		}
		snprintf(ident, sizeof(ident), "0x%016llx",
			 (unsigned long long)(midr & ~MIDR_VARIANT_REVISION));
		emit(ctx, ident);
	}
}

bool arm64_cpu_id(const char *cpuinfo, char *buf, size_t size)
{
	struct strbuf line = STRBUF_INIT;

	(void)cpuinfo;
	fs_read_line("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", &line);
	snprintf(buf, size, "%s", strbuf_str(&line));
	strbuf_release(&line);
	return *buf;
}
