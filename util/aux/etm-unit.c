/* Trace units: see etm-unit.h. */
#include "etm-unit.h"
#include "../base/alloc.h"

enum { WORD_VERSION, WORD_CPUS, WORD_SNAPSHOT, WORD_UNITS };
enum { REG_CONFIG, REG_ID, REG_IDR0, REG_IDR1, REG_IDR2, REG_IDR8, REG_AUTH, REG_NEXT };

#define COUNTS (1u << 4)		/* TRCCONFIGR */
#define HAS_CTX (1u << 6)
#define HAS_VMID (1u << 7)
#define RETURN_STACK (1u << 12)
#define V3_CTX_SIZE (3u << 14)		/* ETMCR */
#define VMID_IS_CTX (1u << 15)
#define COMMIT_MODE (1u << 29)		/* TRCIDR0: packets of cycle counts commit nothing */
#define WAITS (1u << 31)		/* TRCIDR2 */
#define ID_UNUSED (1u << 31)		/* TRCTRACEIDR: IDs are in AUX_OUTPUT_HW_ID records */

static const char *const v3_names[] = { "ETMCR", "ETMTRACEIDR", "ETMCCER", "ETMIDR" };
static const char *const v4_names[] = { "TRCCONFIGR", "TRCTRACEIDR", "TRCIDR0", "TRCIDR1", "TRCIDR2",
					"TRCIDR8", "TRCAUTHSTATUS", "TS_SOURCE" };

const char *etm_register(const struct etm_unit *u, u32 nr)
{
	if (u->magic == ETM_MAGIC_V3)
		return nr < ARRAY_SIZE(v3_names) ? v3_names[nr] : NULL;
	if (u->magic == ETM_MAGIC_ETE && nr >= REG_NEXT)
		return nr == REG_NEXT ? "TRCDEVARCH" : nr == REG_NEXT + 1 ? "TS_SOURCE" : NULL;
	return nr < ARRAY_SIZE(v4_names) ? v4_names[nr] : NULL;
}

/* sizes of fields in bytes, as a register's bits say them */
static u8 field_size(u32 reg, u32 shift)
{
	u32 v = reg >> shift & 31;

	return v == 1 || v == 2 || v == 4 ? v : 0;
}

static void set_config(struct etm_unit *u, const struct aux_words *w)
{
	u32 config = aux_word(w, u->first + REG_CONFIG), idr0 = aux_word(w, u->first + REG_IDR0);
	u32 idr2 = aux_word(w, u->first + REG_IDR2), id = aux_word(w, u->first + REG_ID);

	u->id = id & ID_UNUSED ? 0 : id & 0x7f;
	if (u->magic == ETM_MAGIC_V3) {
		u->task = config & V3_CTX_SIZE ? ETM_TASK_CTX : ETM_NO_TASK;
		return;
	}
	u->c = (struct etm_config){
		.max_spec = aux_word(w, u->first + REG_IDR8), .commits = !(idr0 & COMMIT_MODE),
		.ete = u->magic == ETM_MAGIC_ETE, .ctx_size = field_size(idr2, 5),
		.vmid_size = config & VMID_IS_CTX ? 4 : field_size(idr2, 10),
	};
	u->returns = config & RETURN_STACK;
	u->counts = config & COUNTS;
	u->waits = idr2 & WAITS;
	u->task = config & VMID_IS_CTX && config & HAS_VMID ? ETM_TASK_VMID :
		  config & HAS_CTX ? ETM_TASK_CTX : ETM_NO_TASK;
	for (u32 i = REG_NEXT; i < u->nr; i++)
		if (etm_register(u, i) && *etm_register(u, i) == 'T' && etm_register(u, i)[2] == '_')
			u->ts_source = aux_word(w, u->first + i);
}

/* the unit at word at; returns the word after it, 0: there is none */
static u32 read_unit(const struct aux_words *w, u32 at, struct etm_unit *ret)
{
	bool counted = aux_word(w, WORD_VERSION) >= 1;
	u64 nr;

	*ret = (struct etm_unit){ .magic = aux_word(w, at), .cpu = aux_word(w, at + 1), .ts_source = -1 };
	if (ret->magic != ETM_MAGIC_V3 && ret->magic != ETM_MAGIC_V4 && ret->magic != ETM_MAGIC_ETE)
		return 0;
	ret->first = at + (counted ? 3 : 2);
	nr = counted ? aux_word(w, at + 2) : ret->magic == ETM_MAGIC_V3 ? 4 : 7;
	if (ret->first > w->nr || nr > w->nr - ret->first)
		return 0;
	ret->nr = nr;
	set_config(ret, w);
	return ret->first + ret->nr;
}

u32 etm_units(const struct aux_words *w, struct etm_unit **ret)
{
	u32 max = aux_word(w, WORD_CPUS), nr = 0;

	max = MIN(max, w->nr / 2);
	*ret = xcalloc(max + 1, sizeof(**ret));
	for (u32 at = WORD_UNITS; nr < max; nr++) {
		at = read_unit(w, at, &(*ret)[nr]);
		if (!at)
			break;
	}
	return nr;
}

const struct etm_unit *etm_unit_find(const struct etm_unit *u, u32 nr, u32 id, u32 cpu)
{
	for (u32 i = 0; i < nr; i++)
		if (id && u[i].id == id)
			return &u[i];
	for (u32 i = 0; i < nr; i++)
		if (u[i].cpu == cpu)
			return &u[i];
	return nr ? &u[0] : NULL;
}
