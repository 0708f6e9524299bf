/* Plug-in: Intel's decoder of Processor Trace, libipt. Ops in util/aux/ipt-plugin.h. */
#include "../util/aux/ipt-plugin.h"
#include "../util/base/plugin.h"

#include <errno.h>
#include <intel-pt.h>
#include <string.h>

struct ipt {
	const struct ipt_host *host;
	struct pt_insn_decoder *d;
	u64 ip;			/* of the last instruction that was asked for */
};

static int read_code(uint8_t *to, size_t size, const struct pt_asid *asid UNUSED, uint64_t ip, void *ctx)
{
	const struct ipt *p = ctx;
	u32 nr = p->host->read(p->host->ctx, ip, to, size);

	return nr ? (int)nr : -pte_nomap;
}

static u64 tsc_of(struct pt_insn_decoder *d)
{
	uint64_t tsc;
	uint32_t lost_mtc, lost_cyc;

	return pt_insn_time(d, &tsc, &lost_mtc, &lost_cyc) < 0 ? 0 : tsc;
}

static void tell(const struct ipt *p, const struct pt_event *e)
{
	const struct ipt_host *h = p->host;
	u64 tsc = e->has_tsc ? e->tsc : tsc_of(p->d);

	if (e->status_update)	/* as it is, not a change */
		return;
	switch (e->type) {
	case ptev_enabled:
		return h->event(h->ctx, IPT_BEGIN, 0, e->variant.enabled.ip, tsc);
	case ptev_disabled:
		return h->event(h->ctx, IPT_END, 0, e->ip_suppressed ? 0 : e->variant.disabled.ip, tsc);
	case ptev_async_disabled:
		return h->event(h->ctx, IPT_ASYNC_END, e->variant.async_disabled.at,
				e->ip_suppressed ? 0 : e->variant.async_disabled.ip, tsc);
	case ptev_async_branch:
		return h->event(h->ctx, IPT_ASYNC, e->variant.async_branch.from,
				e->variant.async_branch.to, tsc);
	case ptev_overflow:
		return h->event(h->ctx, IPT_OVERFLOW, 0, e->ip_suppressed ? 0 : e->variant.overflow.ip, tsc);
	default:
		return;
	}
}

/* what is between two instructions; a status of libipt */
static int drain_events(const struct ipt *p, int status)
{
	while (status >= 0 && status & pts_event_pending) {
		struct pt_event e;

		status = pt_insn_event(p->d, &e, sizeof(e));
		if (status >= 0)
			tell(p, &e);
	}
	return status;
}

/* from a place where it is in step to the next error; a status of libipt */
static int walk(struct ipt *p, int status)
{
	for (;;) {
		struct pt_insn insn;
		struct ipt_insn i;

		status = drain_events(p, status);
		if (status < 0)
			return status;
		if (status & pts_eos)
			return -pte_eos;
		memset(&insn, 0, sizeof(insn));
		status = pt_insn_next(p->d, &insn, sizeof(insn));
		p->ip = insn.ip ? insn.ip : p->ip;
		if (insn.iclass == ptic_error)
			return status < 0 ? status : -pte_bad_insn;
		i = (struct ipt_insn){ .ip = insn.ip, .tsc = tsc_of(p->d), .raw = insn.raw, .size = insn.size,
				       .is64 = insn.mode == ptem_64bit };
		p->host->insn(p->host->ctx, &i);
		if (status < 0)
			return status;
	}
}

static enum ipt_error error_of(int status)
{
	switch (-status) {
	case pte_nomap:
		return IPT_NO_CODE;
	case pte_bad_query: case pte_bad_insn: case pte_bad_retcomp: case pte_retstack_empty:
	case pte_event_ignored: case pte_no_enable:
		return IPT_MISMATCH;
	default:
		return IPT_BAD;
	}
}

static void decode_all(struct ipt *p)
{
	for (;;) {
		int status = pt_insn_sync_forward(p->d);

		if (status < 0 && status != -pte_eos) {
			p->host->error(p->host->ctx, error_of(status), p->ip, tsc_of(p->d));
			continue;
		}
		if (status >= 0)
			status = walk(p, status);
		if (status == -pte_eos)
			return;
		p->host->error(p->host->ctx, error_of(status), p->ip, tsc_of(p->d));
	}
}

static int decode(const struct ipt_setup *s, const struct ipt_host *h)
{
	struct ipt p = { .host = h };
	struct pt_image *image = pt_image_alloc("perf");
	struct pt_config c;

	pt_config_init(&c);
	c.begin = (uint8_t *)s->begin;
	c.end = (uint8_t *)s->end;
	c.cpuid_0x15_eax = s->den;
	c.cpuid_0x15_ebx = s->num;
	c.mtc_freq = s->mtc_freq;
	c.nom_freq = s->nom_freq;
	if (s->family) {
		c.cpu = (struct pt_cpu){ pcv_intel, s->family, s->model, s->stepping };
		pt_cpu_errata(&c.errata, &c.cpu);
	}
	p.d = pt_insn_alloc_decoder(&c);
	if (p.d && image) {
		pt_image_set_callback(image, read_code, &p);
		pt_insn_set_image(p.d, image);
		decode_all(&p);
	}
	if (p.d)
		pt_insn_free_decoder(p.d);
	if (image)
		pt_image_free(image);
	return p.d && image ? 0 : -ENOMEM;
}

static const struct ipt_plugin_ops ops = { decode };

extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "libipt", &ops };
