/* Kernel list: see kernel-list.h. */
#include "kernel-list.h"

#include <string.h>
#include <unistd.h>

#include "../base/fs.h"
#include "../base/hash.h"
#include "../base/kallsyms-lines.h"
#include "../base/module-lines.h"
#include "../base/user-cache.h"
#include "../obj/kallsyms-binary.h"

#define FILE_NAME "kernel-symbols"
#define MAX_SIZE (256u << 20)

static void hash_module(void *ctx, const struct loaded_module *m)
{
	u64 *hash = ctx;

	*hash = hash_mix(hash_mix(hash_mix(*hash, hash_str(m->name)), m->size), m->addr);
}

/* modules by names, sizes and addresses: other facts of /proc/modules change without the list */
static u64 hash_of_modules(void)
{
	u64 hash = 0;

	module_lines_each(hash_module, &hash);
	return hash;
}

/* how a copy begins that is still right; false: this system does not say which boot it is */
static bool first_line(struct strbuf *ret)
{
	struct strbuf boot = STRBUF_INIT;
	bool known = !fs_read_line("/proc/sys/kernel/random/boot_id", &boot) && boot.len;

	strbuf_addf(ret, "perf kernel symbols 2 %s %016lx %u %zu\n", strbuf_str(&boot),
		    (unsigned long)hash_of_modules(), geteuid(), sizeof(struct kallsyms_line));
	/* what follows is aligned */
	strbuf_pad(ret, '\n', -ret->len % 8);
	strbuf_release(&boot);
	return known;
}

static struct kallsyms *read_copy(int dir, const struct strbuf *first)
{
	struct kallsyms *k = NULL;
	struct mapping map = { 0 };

	if (!user_cache_map(dir, FILE_NAME, first->len + 1, MAX_SIZE, &map))
		return NULL;
	if (!memcmp(map.p, first->buf, first->len))
		k = kallsyms_read_binary(map.p + first->len, map.len - first->len);
	if (!k) {
		mapping_close(&map);
		return NULL;
	}
	k->map = map;
	mapping_rest(&k->map);		/* it was checked; what will be needed of it comes again */
	return k;
}

static bool comes_and_goes(const struct kallsyms_block *b)
{
	return kallsyms_comes_and_goes(b->module, b->module_len);
}

static void write_copy(int dir, const struct strbuf *first, const struct kallsyms *k)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_add(&out, first->buf, first->len);
	kallsyms_write_binary(k, comes_and_goes, &out);
	user_cache_write(dir, FILE_NAME, out.buf, out.len);
	strbuf_release(&out);
}

int kernel_list_read(struct kallsyms **ret, struct err *err)
{
	struct strbuf first = STRBUF_INIT;
	/* below another root, another system's list is read */
	int dir = fs_root() && *fs_root() ? -1 : user_cache_open(), status = 0;
	bool may_keep = dir >= 0 && first_line(&first);
	struct kallsyms *copy = may_keep ? read_copy(dir, &first) : NULL;

	if (copy && copy->nr && !copy->all_zero) {
		*ret = copy;
	} else {
		kallsyms_free(copy);
		status = kallsyms_read_live(ret, err);
		if (!status && may_keep)
			write_copy(dir, &first, *ret);
	}
	strbuf_release(&first);
	if (dir >= 0)
		close(dir);
	return status;
}
