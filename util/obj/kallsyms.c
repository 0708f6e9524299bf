/* Kallsyms: see kallsyms.h. */
#include "kallsyms.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "../base/fs.h"
#include "../base/kallsyms-lines.h"

/* STT_* values; this reader does not need libelf */
#define TYPE_OBJECT 1
#define TYPE_FUNC 2

static bool add_line(void *ctx, const struct kallsyms_entry *e)
{
	struct kallsyms *k = ctx;
	struct kallsyms_block *b = k->block.nr ? &k->block.v[k->block.nr - 1] : NULL;

	if (e->name_len > UINT16_MAX)
		return true;
	if (!b || b->module_len != e->module_len || memcmp(b->module, e->module, e->module_len)) {
		b = vec_add(&k->block);
		b->module = e->module;
		b->module_len = e->module_len;
		b->first = k->parsed.nr;
	}
	b->nr++;
	k->all_zero &= !e->addr;
	vec_push(&k->parsed, (struct kallsyms_line){
		.addr = e->addr, .name = e->name - k->text.buf, .len = e->name_len, .type = e->type });
	return true;
}

struct kallsyms *kallsyms_parse(struct strbuf *text)
{
	struct kallsyms *k = xcalloc(1, sizeof(*k));

	k->text = *text;
	*text = (struct strbuf)STRBUF_INIT;
	k->all_zero = true;
	/* a line is about 45 bytes */
	vec_reserve(&k->parsed, k->text.len / 40 + 16);
	if (k->text.len)
		kallsyms_lines_in(k->text.buf, MIN(k->text.len, (size_t)UINT32_MAX), add_line, k);
	k->names = k->text.buf;
	k->line = k->parsed.v;
	k->nr = k->parsed.nr;
	return k;
}

static int hidden(struct err *err)
{
	u64 restrict_val = 0;
	s64 paranoid = 0;

	fs_read_u64("/proc/sys/kernel/kptr_restrict", &restrict_val);
	fs_read_s64("/proc/sys/kernel/perf_event_paranoid", &paranoid);
	if (restrict_val >= 2)
		return err_set(err, -EACCES, "the kernel hides its addresses from everyone "
			       "(kernel.kptr_restrict is %llu); 'sysctl kernel.kptr_restrict=1' as root "
			       "shows them to root", (unsigned long long)restrict_val);
	return err_set(err, -EACCES, "the kernel hides its addresses from this user (kernel.kptr_restrict is "
		       "%llu, kernel.perf_event_paranoid is %lld); run as root, "
		       "or 'sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1'",
		       (unsigned long long)restrict_val, (long long)paranoid);
}

int kallsyms_read_live(struct kallsyms **ret, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int rc = fs_read("/proc/kallsyms", &text);
	struct kallsyms *k;

	if (rc) {
		strbuf_release(&text);
		return err_sys(err, -rc, "/proc/kallsyms");
	}
	k = kallsyms_parse(&text);
	if (!k->nr) {
		kallsyms_free(k);
		return err_set(err, -ENOENT,
			       "/proc/kallsyms is empty: the kernel was built without CONFIG_KALLSYMS");
	}
	if (k->all_zero) {
		kallsyms_free(k);
		return hidden(err);
	}
	*ret = k;
	return 0;
}

int kallsyms_read_file(struct kallsyms **ret, const char *path, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct kallsyms *k;
	int rc;

	if (fd < 0)
		return err_sys(err, errno, "%s", path);
	rc = fd_read_all(fd, &text);
	close(fd);
	if (rc) {
		strbuf_release(&text);
		return err_sys(err, -rc, "%s", path);
	}
	k = kallsyms_parse(&text);
	if (!k->nr || k->all_zero) {
		rc = k->nr ?
		     err_set(err, -EACCES, "%s: all addresses are zero: it was copied by a user who may not "
			     "see addresses (kernel.kptr_restrict); copy /proc/kallsyms as root", path)
				:
		     err_set(err, -EINVAL, "%s: holds no symbols in the format of /proc/kallsyms", path);
		kallsyms_free(k);
		return rc;
	}
	*ret = k;
	return 0;
}

void kallsyms_free(struct kallsyms *k)
{
	if (!k)
		return;
	kallsyms_keep_names(k);
	strbuf_release(&k->text);
	mapping_close(&k->map);
	free(k);
}

void kallsyms_keep_names(struct kallsyms *k)
{
	vec_release(&k->parsed);
	vec_release(&k->block);
	k->line = NULL;
	k->nr = 0;
}

static bool block_is(const struct kallsyms_block *b, const char *module, size_t len)
{
	return b->module_len == len && !memcmp(b->module, module, len);
}

u64 kallsyms_address(const struct kallsyms *k, const char *name)
{
	size_t len = strlen(name);

	vec_foreach(&k->block, b) {
		if (b->module_len)
			continue;
		for (u32 i = b->first; i < b->first + b->nr; i++) {
			const struct kallsyms_line *l = &k->line[i];

			if (l->len == len && !memcmp(kallsyms_name(k, l), name, len))
				return l->addr;
		}
	}
	return 0;
}

static bool is_code(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

/* code and variables; no constants, and no absolute symbols: these are per-CPU offsets and numbers */
static bool is_wanted(char type)
{
	type &= ~0x20;
	return type == 'T' || type == 'W' || type == 'D' || type == 'B';
}

size_t kallsyms_symbols(const struct kallsyms *k, const char *module, u64 start, u64 end, u64 delta,
			struct symvec *v)
{
	size_t len = strlen(module), added = 0, nr = 0;

	v->last_alias = v->borrow_names = true;
	vec_foreach(&k->block, b)
		nr += block_is(b, module, len) ? b->nr : 0;
	vec_reserve(&v->sym, v->sym.nr + nr);
	vec_foreach(&k->block, b) {
		if (!block_is(b, module, len))
			continue;
		for (u32 i = b->first; i < b->first + b->nr; i++) {
			const struct kallsyms_line *l = &k->line[i];
			u64 addr = l->addr + delta;
			char type = l->type;

			if (!l->addr || !is_wanted(type))
				continue;
			if (addr < start || (end && addr >= end))
				continue;
			symvec_add(v, addr, addr, kallsyms_name(k, l), l->len,
				   type == 'W' || type == 'w' ? 'w' : type >= 'A' && type <= 'Z' ? 'g' : 'l',
				   is_code(type) ? TYPE_FUNC : TYPE_OBJECT);
			added++;
		}
	}
	return added;
}
