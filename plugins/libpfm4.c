/* Plug-in: vendors' event names through libpfm4. Ops in util/pmu/pfm-plugin.h. */
#include "../util/base/plugin.h"
#include "../util/pmu/pfm-plugin.h"

#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int start(char *msg, size_t msg_size)
{
	int ret = pfm_initialize();

	if (ret == PFM_SUCCESS)
		return 0;
	snprintf(msg, msg_size, "libpfm4: %s", pfm_strerror(ret));
	return -ENODEV;
}

static int encode(const char *name, bool generic, struct pe_attr *ret, char *msg, size_t msg_size)
{
	char *full = NULL;
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg), .fstr = &full };
	int err;

	if (start(msg, msg_size))
		return -ENODEV;
	err = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
	/* libpfm4 names the kernel's events "perf::" and "perf_raw::" */
	if (err == PFM_SUCCESS && !generic && full && !strncmp(full, "perf", 4))
		err = PFM_ERR_NOTFOUND;
	free(full);
	if (err != PFM_SUCCESS) {
		snprintf(msg, msg_size, "libpfm4: %s", pfm_strerror(err));
		return err == PFM_ERR_NOTFOUND ? -ENOENT : -EINVAL;
	}
	memset(ret, 0, sizeof(*ret));
	ret->type = attr.type;
	ret->config = attr.config;
	ret->config1 = attr.config1;
	ret->config2 = attr.config2;
	ret->sample_period = attr.sample_period;
	ret->flags = (attr.exclude_user ? ATTR_EXCLUDE_USER : 0) |
		     (attr.exclude_kernel ? ATTR_EXCLUDE_KERNEL : 0) |
		     (attr.exclude_hv ? ATTR_EXCLUDE_HV : 0) | (attr.exclude_guest ? ATTR_EXCLUDE_GUEST : 0) |
		     (attr.exclude_host ? ATTR_EXCLUDE_HOST : 0) | (attr.pinned ? ATTR_PINNED : 0) |
		     (attr.exclusive ? ATTR_EXCLUSIVE : 0) | (attr.freq ? ATTR_FREQ : 0) |
		     (u64)attr.precise_ip << ATTR_PRECISE_SHIFT;
	return 0;
}

/* libpfm4 also has names that are not an event: some need a unit mask, others a unit that the kernel knows */
static bool can_encode(const struct pfm_event *pe)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	char name[512];
	int len = snprintf(name, sizeof(name), "%s::%s%s%s", pe->pmu, pe->name, *pe->umask ? ":" : "",
			   pe->umask);

	if (len < 0 || len >= (int)sizeof(name))
		return false;
	return pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg) ==
	       PFM_SUCCESS;
}

/* the unit masks of one event */
static int list_umasks(const pfm_pmu_info_t *pmu, const pfm_event_info_t *e, pfm_event_fn fn, void *ctx)
{
	int i, ret = 0;

	for (i = 0; i < e->nattrs && !ret; i++) {
		pfm_event_attr_info_t a = { .size = sizeof(a) };
		struct pfm_event pe = { .pmu = pmu->name, .name = e->name, .desc = "" };

		if (pfm_get_event_attr_info(e->idx, i, PFM_OS_PERF_EVENT_EXT, &a) != PFM_SUCCESS ||
		    a.type != PFM_ATTR_UMASK)
			continue;
		pe.umask = a.name;
		pe.desc = a.desc ? a.desc : "";
		if (can_encode(&pe))
			ret = fn(ctx, &pe);
	}
	return ret;
}

static int list(pfm_event_fn fn, void *ctx, char *msg, size_t msg_size)
{
	int p, i, ret = 0;

	if (start(msg, msg_size))
		return -ENODEV;
	for (p = PFM_PMU_NONE; p < PFM_PMU_MAX && !ret; p++) {
		pfm_pmu_info_t pmu = { .size = sizeof(pmu) };

		if (pfm_get_pmu_info(p, &pmu) != PFM_SUCCESS || !pmu.is_present || p == PFM_PMU_PERF_EVENT ||
		    p == PFM_PMU_PERF_EVENT_RAW)
			continue;
		for (i = pmu.first_event; i >= 0 && !ret; i = pfm_get_event_next(i)) {
			pfm_event_info_t e = { .size = sizeof(e) };
			struct pfm_event pe = { .pmu = pmu.name, .umask = "" };

			if (pfm_get_event_info(i, PFM_OS_PERF_EVENT_EXT, &e) != PFM_SUCCESS)
				continue;
			pe.name = e.name;
			pe.desc = e.desc ? e.desc : "";
			if (can_encode(&pe))
				ret = fn(ctx, &pe);
			if (!ret)
				ret = list_umasks(&pmu, &e, fn, ctx);
		}
	}
	return ret;
}

static const struct pfm_plugin_ops ops = { encode, list };

extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "libpfm4", &ops };
