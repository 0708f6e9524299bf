/* Plug-in: Arm's decoder of CoreSight traces, libopencsd. Ops in util/aux/csd-plugin.h. */
#include "../util/aux/csd-plugin.h"
#include "../util/base/plugin.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <opencsd/c_api/opencsd_c_api.h>

/* the library keeps lists of its trees, without a lock of its own */
static pthread_mutex_t lists = PTHREAD_MUTEX_INITIALIZER;

struct csd {
	const struct csd_host *host;
	bool damaged;		/* since the last range */
};

static uint32_t read_code(const void *ctx, const ocsd_vaddr_t ip, const ocsd_mem_space_acc_t space UNUSED,
			  const uint32_t size, uint8_t *to)
{
	const struct csd *c = ctx;

	return c->host->read(c->host->ctx, ip, to, size);
}

static enum csd_insn insn_of(const ocsd_generic_trace_elem *e)
{
	bool link = e->last_i_subtype == OCSD_S_INSTR_BR_LINK;

	switch (e->last_i_type) {
	case OCSD_INSTR_BR:
		return link ? CSD_CALL : e->last_instr_cond ? CSD_COND : CSD_JUMP;
	case OCSD_INSTR_BR_INDIRECT:
		return link ? CSD_CALL_INDIRECT :
		       e->last_i_subtype == OCSD_S_INSTR_V8_ERET ? CSD_ERET :
		       e->last_i_subtype == OCSD_S_INSTR_V8_RET ||
		       e->last_i_subtype == OCSD_S_INSTR_V7_IMPLIED_RET ? CSD_RETURN : CSD_INDIRECT;
	case OCSD_INSTR_ISB: case OCSD_INSTR_DSB_DMB:
		return CSD_BARRIER;
	case OCSD_INSTR_WFI_WFE:
		return CSD_WAIT;
	default:
		return CSD_PLAIN;
	}
}

static void tell_range(struct csd *c, const ocsd_generic_trace_elem *e)
{
	struct csd_range r = {
		.ip = e->st_addr, .end = e->en_addr, .nr = e->num_instr_range, .last = insn_of(e),
		.last_size = e->last_instr_sz, .taken = e->last_instr_exec,
		.is_a64 = e->isa == ocsd_isa_aarch64,
		.is_thumb = e->isa == ocsd_isa_thumb2 || e->isa == ocsd_isa_tee,
	};

	c->damaged = false;
	c->host->range(c->host->ctx, &r);
}

/* an overflow is told where the trace goes on after it, or ends with it */
static ocsd_datapath_resp_t on_element(const void *ctx, const ocsd_trc_index_t at, const uint8_t id UNUSED,
				       const ocsd_generic_trace_elem *e)
{
	struct csd *c = (struct csd *)ctx;
	const struct csd_host *h = c->host;
	const struct csd_context context = {
		.ctx = e->context.context_id, .vmid = e->context.vmid, .has_ctx = e->context.ctxt_id_valid,
		.has_vmid = e->context.vmid_valid, .is64 = e->context.bits64,
	};

	h->at(h->ctx, at);
	switch (e->elem_type) {
	case OCSD_GEN_TRC_ELEM_INSTR_RANGE:
		tell_range(c, e);
		break;
	case OCSD_GEN_TRC_ELEM_PE_CONTEXT:
		h->context(h->ctx, &context);
		break;
	case OCSD_GEN_TRC_ELEM_TIMESTAMP:
		h->time(h->ctx, e->timestamp);
		break;
	case OCSD_GEN_TRC_ELEM_CYCLE_COUNT:
		h->cycles(h->ctx, e->cycle_count);
		break;
	case OCSD_GEN_TRC_ELEM_EXCEPTION:
		if (!e->excep_data_marker)
			h->exception(h->ctx, e->exception_number, e->excep_ret_addr ? e->en_addr : 0,
				     e->excep_ret_addr_br_tgt);
		break;
	case OCSD_GEN_TRC_ELEM_MEMTRANS:
		h->transaction(h->ctx, e->mem_trans <= OCSD_MEM_TRANS_START);
		break;
	case OCSD_GEN_TRC_ELEM_TRACE_ON:
		h->gap(h->ctx, e->trace_on_reason == TRACE_ON_OVERFLOW ? CSD_OVERFLOW : CSD_STARTS, 0);
		break;
	case OCSD_GEN_TRC_ELEM_NO_SYNC:
		h->gap(h->ctx, e->unsync_eot_info == UNSYNC_BAD_PACKET ? CSD_DAMAGE : CSD_ENDS, 0);
		break;
	case OCSD_GEN_TRC_ELEM_EO_TRACE:
		h->gap(h->ctx, e->unsync_eot_info == UNSYNC_OVERFLOW ? CSD_OVERFLOW : CSD_ENDS, 0);
		break;
	case OCSD_GEN_TRC_ELEM_ADDR_NACC:
		h->gap(h->ctx, CSD_NO_CODE, e->st_addr);
		break;
	case OCSD_GEN_TRC_ELEM_ADDR_UNKNOWN: case OCSD_GEN_TRC_ELEM_I_RANGE_NOPATH:
		h->gap(h->ctx, CSD_STARTS, 0);
		break;
	default:
		break;
	}
	return OCSD_RESP_CONT;
}

/* the configuration that the library wants for each protocol */
static ocsd_err_t add_decoder(dcd_tree_handle_t tree, const struct csd_setup *s)
{
	const u32 *r = s->reg, id = r[CSD_TRACE_ID] & 0x7f ? r[CSD_TRACE_ID] & 0x7f : 1;
	const ocsd_etmv3_cfg v3 = { r[CSD_IDR0], r[CSD_CTRL], r[CSD_CCER], id, ARCH_V7, profile_CortexA };
	const ocsd_ptm_cfg ptm = { r[CSD_IDR0], r[CSD_CTRL], r[CSD_CCER], id, ARCH_V7, profile_CortexA };
	const ocsd_etmv4_cfg v4 = {
		.reg_idr0 = r[CSD_IDR0], .reg_idr1 = r[CSD_IDR1], .reg_idr2 = r[CSD_IDR2],
		.reg_idr8 = r[CSD_IDR8], .reg_configr = r[CSD_CTRL], .reg_traceidr = id,
		.arch_ver = ARCH_V8_max, .core_prof = profile_CortexA,
	};
	const ocsd_ete_cfg ete = {
		.reg_idr0 = r[CSD_IDR0], .reg_idr1 = r[CSD_IDR1], .reg_idr2 = r[CSD_IDR2],
		.reg_idr8 = r[CSD_IDR8], .reg_devarch = r[CSD_DEVARCH], .reg_configr = r[CSD_CTRL],
		.reg_traceidr = id, .arch_ver = ARCH_AA64, .core_prof = profile_CortexA,
	};
	const struct {
		const char *name;
		const void *config;
	} of[] = {
		[CSD_ETMV3] = { OCSD_BUILTIN_DCD_ETMV3, &v3 }, [CSD_PTM] = { OCSD_BUILTIN_DCD_PTM, &ptm },
		[CSD_ETMV4] = { OCSD_BUILTIN_DCD_ETMV4I, &v4 }, [CSD_ETE] = { OCSD_BUILTIN_DCD_ETE, &ete },
	};
	unsigned char ret_id;

	return ocsd_dt_create_decoder(tree, of[s->protocol].name, OCSD_CREATE_FLG_FULL_DECODER,
				      of[s->protocol].config, &ret_id);
}

static dcd_tree_handle_t tree_new(const struct csd_setup *s, struct csd *c, int *ret_error)
{
	dcd_tree_handle_t tree;
	ocsd_err_t e;

	pthread_mutex_lock(&lists);
	tree = ocsd_create_dcd_tree(OCSD_TRC_SRC_SINGLE, 0);
	e = tree == C_API_INVALID_TREE_HANDLE ? OCSD_ERR_MEM : add_decoder(tree, s);
	if (!e)
		e = ocsd_dt_add_callback_mem_acc(tree, 0, UINT64_MAX, OCSD_MEM_SPACE_ANY, read_code, c);
	if (!e)
		e = ocsd_dt_set_gen_elem_outfn(tree, on_element, c);
	if (e && tree != C_API_INVALID_TREE_HANDLE) {
		ocsd_destroy_dcd_tree(tree);
		tree = C_API_INVALID_TREE_HANDLE;
	}
	pthread_mutex_unlock(&lists);
	*ret_error = !e ? 0 : e == OCSD_ERR_MEM ? -ENOMEM : -EINVAL;
	return tree;
}

/* what the library cannot go on after costs what comes before the next place where it finds a sync packet */
static void decode_all(dcd_tree_handle_t tree, const struct csd_setup *s, struct csd *c)
{
	enum { AT_ONCE = 1 << 20 };

	for (size_t at = 0; at < s->len;) {
		u32 used = 0, size = MIN(s->len - at, (size_t)AT_ONCE);
		ocsd_datapath_resp_t r = ocsd_dt_process_data(tree, OCSD_OP_DATA, at, size, s->p + at, &used);

		at += used;
		if (OCSD_DATA_RESP_IS_WAIT(r))
			r = ocsd_dt_process_data(tree, OCSD_OP_FLUSH, at, 0, NULL, NULL);
		if (!OCSD_DATA_RESP_IS_FATAL(r) && used)
			continue;
		if (!c->damaged)
			c->host->gap(c->host->ctx, CSD_DAMAGE, 0);
		c->damaged = true;
		at += !used;
		ocsd_dt_process_data(tree, OCSD_OP_RESET, 0, 0, NULL, NULL);
	}
	ocsd_dt_process_data(tree, OCSD_OP_EOT, 0, 0, NULL, NULL);
}

static int decode(const struct csd_setup *s, const struct csd_host *h)
{
	struct csd c = { .host = h };
	int ret;
	dcd_tree_handle_t tree = tree_new(s, &c, &ret);

	if (ret)
		return ret;
	decode_all(tree, s, &c);
	pthread_mutex_lock(&lists);
	ocsd_destroy_dcd_tree(tree);
	pthread_mutex_unlock(&lists);
	return 0;
}

static const struct csd_plugin_ops ops = { decode };

extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "libopencsd", &ops };
