/* HiSilicon PTT: packets of the PCIe links of a root complex. */
#include "trace-pmu.h"

static void ptt_words(const struct trace_info *in, struct strbuf *out)
{
	trace_put(out, in->ev->attr.type);
}

const struct trace_pmu trace_pmu_hisi_ptt = {
	.title = "HiSilicon PTT", .pmu = "hisi_ptt*", .type = 6, .words = ptt_words,
	.cpus = "Arm servers of HiSilicon", .cpuinfo = "CPU implementer",
	.absent = "it is in Kunpeng servers, with the kernel module hisi_ptt; it is recorded with -a or -C",
};
