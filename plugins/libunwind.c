/* Plug-in: callers of a recorded stack through libunwind. Ops in util/unwind/unwind-plugin.h. */
#include "../util/base/plugin.h"
#include "../util/unwind/unwind-plugin.h"

#include <elf.h>
#include <libunwind.h>
#include <stdlib.h>

/*
 * libunwind calls back for the description of a function, and exports the function that finds one in a sorted
 * table (libunwind-ptrace calls it), but no header declares it
 */
#define search_table UNW_OBJ(dwarf_search_unwind_table)
extern int search_table(unw_addr_space_t as, unw_word_t ip, unw_dyn_info_t *di, unw_proc_info_t *pi,
			int need_unwind_info, void *arg);

struct remote {
	unw_addr_space_t space;
	const struct unwind_plugin_callbacks *c;
	void *ctx;
};

static int find_proc_info(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *pi, int need, void *arg)
{
	struct remote *h = arg;
	struct unwind_file f;
	unw_dyn_info_t di = { .format = UNW_INFO_FORMAT_REMOTE_TABLE };

	if (!h->c->find(h->ctx, ip, &f))
		return -UNW_ENOINFO;
	di.start_ip = f.start;
	di.end_ip = f.end;
	di.u.rti.segbase = f.header;
	di.u.rti.table_data = f.table;
	di.u.rti.table_len = f.nr_entries * 8 / sizeof(unw_word_t);
	return search_table(as, ip, &di, pi, need, arg);
}

/* libunwind itself frees what search_table() allocated */
static void put_unwind_info(unw_addr_space_t as, unw_proc_info_t *pi, void *arg)
{
	(void)as, (void)pi, (void)arg;
}

static int no_dynamic_info(unw_addr_space_t as, unw_word_t *ret, void *arg)
{
	(void)as, (void)ret, (void)arg;
	return -UNW_ENOINFO;
}

static int access_mem(unw_addr_space_t as, unw_word_t addr, unw_word_t *val, int write, void *arg)
{
	struct remote *h = arg;
	u64 v;

	(void)as;
	if (write || !h->c->read(h->ctx, addr, &v))
		return -UNW_EINVAL;
	*val = v;
	return 0;
}

/* libunwind numbers general registers of 64-bit machines as DWARF does */
static int access_reg(unw_addr_space_t as, unw_regnum_t reg, unw_word_t *val, int write, void *arg)
{
	struct remote *h = arg;
	u64 v;

	(void)as;
	if (write)
		return -UNW_EREADONLYREG;
	if (reg == UNW_REG_IP)
		v = h->c->ip(h->ctx);
	else if (!h->c->reg(h->ctx, reg, &v))
		return -UNW_EBADREG;
	*val = v;
	return 0;
}

static int no_fpreg(unw_addr_space_t as, unw_regnum_t reg, unw_fpreg_t *val, int write, void *arg)
{
	(void)as, (void)reg, (void)val, (void)write, (void)arg;
	return -UNW_EBADREG;
}

static int no_resume(unw_addr_space_t as, unw_cursor_t *cursor, void *arg)
{
	(void)as, (void)cursor, (void)arg;
	return -UNW_EINVAL;
}

static int no_name(unw_addr_space_t as, unw_word_t ip, char *buf, size_t size, unw_word_t *off, void *arg)
{
	(void)as, (void)ip, (void)buf, (void)size, (void)off, (void)arg;
	return -UNW_ENOINFO;
}

static void *open_handle(const struct unwind_plugin_callbacks *c)
{
	static unw_accessors_t accessors = {
		.find_proc_info = find_proc_info, .put_unwind_info = put_unwind_info,
		.get_dyn_info_list_addr = no_dynamic_info, .access_mem = access_mem,
		.access_reg = access_reg, .access_fpreg = no_fpreg, .resume = no_resume,
		.get_proc_name = no_name,
	};
	struct remote *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->c = c;
	h->space = unw_create_addr_space(&accessors, 0);
	if (!h->space) {
		free(h);
		return NULL;
	}
	/* its cache knows addresses alone, not which program had them at which time */
	unw_set_caching_policy(h->space, UNW_CACHE_NONE);
	return h;
}

static enum unwind_plugin_end end_of(int step)
{
	return !step ? UNWIND_COMPLETE : step == -UNW_ENOINFO ? UNWIND_NO_RULES : UNWIND_BAD;
}

static int walk(void *handle, void *ctx, u64 *ips, int max, enum unwind_plugin_end *ret_end)
{
	struct remote *h = handle;
	bool interrupted = true;	/* the address is that of the next instruction to run */
	unw_cursor_t cursor;
	unw_word_t ip;
	int nr = 0, step = 1;

	h->ctx = ctx;
	*ret_end = UNWIND_BAD;
	if (unw_init_remote(&cursor, h->space, h))
		return 0;
	*ret_end = UNWIND_LIMIT;
	while (nr < max) {
		bool signal;

		if (unw_get_reg(&cursor, UNW_REG_IP, &ip) || (nr && !ip)) {
			*ret_end = UNWIND_COMPLETE;
			break;
		}
		signal = h->c->is_trampoline(ctx, ip);
		ips[nr++] = interrupted || signal ? ip : ip - 1;
		interrupted = signal;
		step = unw_step(&cursor);
		if (step <= 0) {
			*ret_end = end_of(step);
			break;
		}
	}
	return nr;
}

static void close_handle(void *handle)
{
	struct remote *h = handle;

	unw_destroy_addr_space(h->space);
	free(h);
}

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#define MACHINE EM_NONE
#endif

static const struct unwind_plugin_ops ops = { MACHINE, open_handle, walk, close_handle };
extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "libunwind", &ops };
