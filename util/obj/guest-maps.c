/* Guest-maps: see guest-maps.h. */
#include "guest-maps.h"
#include "elf-obj.h"
#include "kallsyms.h"
#include "../base/alloc.h"
#include "../base/fs.h"
#include "../base/module-lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KERNEL "[guest.kernel.kallsyms]"

static void add(struct guest_maps *m, u64 start, u64 len, u64 pgoff, char *name)
{
	vec_push(m, (struct guest_map){ start, len, pgoff, name });
}

/* an unknown end is the highest address; modules are found before the kernel then */
static void add_kernel(struct guest_maps *m, u64 start, u64 end, const char *ref)
{
	add(m, start, end > start ? end - start : UINT64_MAX - start, start, xasprintf(KERNEL "%s", ref));
}

static const char *const first_symbols[] = { "_text", "_stext" };

static int read_kallsyms(const char *path, struct guest_maps *ret, struct err *err)
{
	struct kallsyms *k = NULL;
	int status = kallsyms_read_file(&k, path, err);
	u64 start = 0;

	for (size_t i = 0; !status && !start && i < ARRAY_SIZE(first_symbols); i++) {
		start = kallsyms_address(k, first_symbols[i]);
		if (start)
			add_kernel(ret, start, kallsyms_address(k, "_etext"), first_symbols[i]);
	}
	if (!status && !start)
		status = err_set(err, -EINVAL, "'%s' has no symbol _text or _stext", path);
	kallsyms_free(k);
	return status ? err_prefix(err, "--guestkallsyms: ") : 0;
}

static int read_vmlinux(const char *path, struct guest_maps *ret, struct err *err)
{
	struct elf_obj *o = elf_obj_open(path, err);
	u64 start = 0, end = 0;

	if (!o)
		return err_prefix(err, "--guestvmlinux: ");
	for (size_t i = 0; !start && i < ARRAY_SIZE(first_symbols); i++) {
		if (!elf_obj_symbol_value(o, first_symbols[i], &start))
			continue;
		elf_obj_symbol_value(o, "_etext", &end);
		add_kernel(ret, start, end, first_symbols[i]);
	}
	elf_obj_free(o);
	return start ? 0 : err_set(err, -EINVAL, "--guestvmlinux: '%s' has no symbol _text or _stext", path);
}

static void add_module(void *ctx, const struct loaded_module *m)
{
	if (m->addr && m->size && m->size <= UINT64_MAX - m->addr)
		add(ctx, m->addr, m->size, 0, xasprintf("[%s]", m->name));
}

static int read_modules(const char *path, struct guest_maps *ret, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), status = fd < 0 ? -errno : 0;
	struct strbuf text = STRBUF_INIT;
	size_t before = ret->nr;

	if (!status) {
		status = fd_read_all(fd, &text);
		close(fd);
	}
	if (status)
		err_sys(err, -status, "--guestmodules: cannot read '%s'", path);
	if (!status && text.len) {
		module_lines_in(text.buf, add_module, ret);
		/* an empty file is of a kernel without modules */
		if (ret->nr == before)
			status = err_set(err, -EINVAL, "--guestmodules: '%s' has no addresses of modules: "
					 "copy /proc/modules of the guest as root", path);
	}
	strbuf_release(&text);
	return status;
}

int guest_maps_read(const struct guest_files *f, struct guest_maps *ret, struct err *err)
{
	int status = 0;

	*ret = (struct guest_maps){ 0 };
	if (f->vmlinux)
		status = read_vmlinux(f->vmlinux, ret, err);
	/* the list has addresses of the running guest, a vmlinux those as linked */
	if (!status && f->kallsyms) {
		guest_maps_release(ret);
		status = read_kallsyms(f->kallsyms, ret, err);
	}
	if (!status && f->modules)
		status = read_modules(f->modules, ret, err);
	if (status)
		guest_maps_release(ret);
	return status;
}

void guest_maps_release(struct guest_maps *m)
{
	vec_foreach(m, map)
		free(map->name);
	vec_release(m);
}
