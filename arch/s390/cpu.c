/* s390 CPUs: "IBM,8561,703,T01,3.6,002f" (manufacturer, type, model, version, authorization). */
#include "s390.h"

#include <stdio.h>
#include <string.h>
#include "../../util/base/fs.h"
#include "../cpuinfo.h"

void s390_cpu_ident(const char *cpuinfo, arch_emit *emit, void *ctx)
{
	char maker[64], type[64], model[64], level[128], version[32] = "", authorization[32] = "", ident[400];
	struct strbuf info = STRBUF_INIT, levels = STRBUF_INIT;

	fs_read("/proc/sysinfo", &info);
	fs_read("/proc/service_levels", &levels);
	if (cpuinfo_word(strbuf_str(&info), "Manufacturer", maker, sizeof(maker)) &&
	    cpuinfo_word(strbuf_str(&info), "Type", type, sizeof(type)) &&
	    cpuinfo_word(strbuf_str(&info), "Model", model, sizeof(model))) {
		/* "Model: 703 T01": comma for blank */
		for (char *p = model; (p = strpbrk(p, " \t")); ) {
			size_t n = strspn(p, " \t");

			*p++ = ',';
			memmove(p, p + n - 1, strlen(p + n - 1) + 1);
		}
		if (cpuinfo_word(strbuf_str(&levels), "CPU-MF", level, sizeof(level)))
			sscanf(level, "Counter facility version=%31s authorization=%31s", version,
			       authorization);
		version[strcspn(version, ",")] = '\0';
		snprintf(ident, sizeof(ident), "%s,%s,%s%s%s%s%s", maker, type, model, *version ? "," : "",
			 version, *authorization ? "," : "", authorization);
		emit(ctx, ident);
	}
	strbuf_release(&info);
	strbuf_release(&levels);
}
