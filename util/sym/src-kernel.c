/*
 * Sources of the kernel and its modules: vmlinux files, symbol lists, module files. All addresses are
 * run-time addresses.
 */
#include "load.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../base/fs.h"
#include "../base/log.h"
#include "../obj/buildid.h"
#include "../obj/module.h"
#include "kernel-list.h"

/*
 * "ext4" for "[ext4]" or ".../ext4.ko.xz", with '-' replaced by '_' as in the kernel; "" for the kernel
 * itself
 */
static void module_name(const struct dso *dso, char *out, size_t size)
{
	const char *s = dso->short_name, *base = strrchr(s, '/');
	size_t i = 0;

	out[0] = '\0';
	if (dso->kind != DSO_MODULE && dso->kind != DSO_GUEST_MODULE)
		return;
	s = base ? base + 1 : s;
	if (*s == '[')
		s++;
	for (; *s && *s != ']' && *s != '.' && i + 1 < size; s++)
		out[i++] = *s == '-' ? '_' : *s;
	out[i] = '\0';
}

/* the distance from the addresses of a list or file to those in the recording (KASLR) */
static u64 relocation(const struct dso *dso, u64 ref_value)
{
	return dso->ref_reloc_addr && ref_value ? dso->ref_reloc_addr - ref_value : 0;
}

/* of the host or the guest */
static const struct dso *kernel_dso(const struct load *l)
{
	enum dso_kind kind = BIT(l->dso->kind) & GUEST_KINDS ? DSO_GUEST_KERNEL : DSO_KERNEL;

	if (l->dso->kind == kind)
		return l->dso;
	for (size_t i = 0; i < l->s->dsos->dso.nr; i++)
		if (l->s->dsos->dso.v[i]->kind == kind)
			return l->s->dsos->dso.v[i];
	return NULL;
}

static bool take_list(struct load *l, const struct kallsyms *k, char letter, const char *file)
{
	const struct dso *kernel = kernel_dso(l), *dso = l->dso;
	bool is_module = dso->kind == DSO_MODULE || dso->kind == DSO_GUEST_MODULE;
	char module[256];
	u64 delta = 0;

	module_name(dso, module, sizeof(module));
	if (kernel && kernel->ref_reloc_sym)
		delta = relocation(kernel, kallsyms_address(k, kernel->ref_reloc_sym));
	/* modules do not move together with the kernel */
	if (is_module && delta) {
		load_tried(l, WHY_MISMATCH, "%s is of another boot, with modules at other addresses", file);
		return false;
	}
	if (!kallsyms_symbols(k, module, is_module ? dso->text_start : 0, is_module ? dso->text_end : 0,
			      delta, &l->out->vec)) {
		load_tried(l, WHY_ABSENT, "%s has no symbols of %s", file, dso->short_name);
		return false;
	}
	return load_done(l, letter, file);
}

/* reads a list that the user named, the first time; NULL after load_tried(): it cannot be read */
static const struct kallsyms *named_list(struct load *l, const char *path, bool *tried,
					 struct kallsyms **list, struct err *err)
{
	if (!*tried) {
		*tried = true;
		kallsyms_read_file(list, path, err);
	}
	if (!*list)
		load_tried(l, WHY_HIDDEN, "%s", err->msg);
	return *list;
}

bool src_given_kallsyms(struct load *l)
{
	struct kernel_lists *k = &l->s->kernel;
	const char *path = l->s->opts.kallsyms;

	if (!path)
		return false;
	if (named_list(l, path, &k->given_tried, &k->given, &k->given_err))
		take_list(l, k->given, 'k', path);
	return true;	/* the user asked for this list: no other may replace it */
}

bool src_guest_kallsyms(struct load *l)
{
	struct kernel_lists *k = &l->s->kernel;
	const char *path = l->s->opts.guest.kallsyms;

	return path && named_list(l, path, &k->guest_tried, &k->guest, &k->guest_err) &&
	       take_list(l, k->guest, 'g', path);
}

/* false, with a refusal noted, if the running kernel is not the recorded one */
static bool is_running_kernel(struct load *l)
{
	const struct dso *kernel = kernel_dso(l);
	struct strbuf notes = STRBUF_INIT, has = STRBUF_INIT, want = STRBUF_INIT;
	u8 id[ELF_BUILDID_MAX];
	bool same;
	int len;

	if (!kernel || !kernel->buildid_len) {
		if (!l->s->opts.is_local)
			load_tried(l, WHY_MISMATCH,
				   "/proc/kallsyms is of this machine, the file was recorded on another");
		return l->s->opts.is_local;
	}
	fs_read("/sys/kernel/notes", &notes);
	len = elf_note_buildid(strbuf_str(&notes), notes.len, 4, false, id);
	same = buildid_equal(id, len, kernel->buildid, kernel->buildid_len);
	if (!same) {
		buildid_hex(&has, id, len);
		buildid_hex(&want, kernel->buildid, kernel->buildid_len);
		load_tried(l, WHY_MISMATCH,
			   "/proc/kallsyms is of another kernel (build-id %s, recorded was %s)",
			   len ? strbuf_str(&has) : "unknown", strbuf_str(&want));
	}
	strbuf_release(&notes);
	strbuf_release(&has);
	strbuf_release(&want);
	return same;
}

bool src_live_kallsyms(struct load *l)
{
	struct kernel_lists *k = &l->s->kernel;

	if (!is_running_kernel(l))
		return false;
	if (!k->live_tried) {
		k->live_tried = true;
		k->live = k->take_live ? k->take_live(k->take_ctx) : NULL;
		if (!k->live)
			kernel_list_read(&k->live, &k->live_err);
	}
	if (!k->live) {
		load_tried(l, WHY_HIDDEN, "%s", k->live_err.msg);
		return false;
	}
	return take_list(l, k->live, 'k', "/proc/kallsyms");
}

/*
 * the file of a kernel or module in the build-id cache, under that name; false if it is not a readable file
 */
static bool cached_file(const struct load *l, const struct dso *dso, const char *name, struct strbuf *path)
{
	struct stat st;

	if (dso->buildid_len < 2 || !l->s->buildid_dir)
		return false;
	buildid_path(path, l->s->buildid_dir, dso->buildid, dso->buildid_len, name);
	return !stat(strbuf_str(path), &st) && S_ISREG(st.st_mode) && !access(strbuf_str(path), R_OK);
}

/* of the lists in copies that buildid-cache --kcore made of this kernel: that of the recorded boot, or any */
static void read_kcore_list(struct load *l, const struct dso *kernel)
{
	struct kernel_lists *k = &l->s->kernel;
	struct strbuf dir = STRBUF_INIT;
	bool same_boot = false;
	struct dirent *de;
	DIR *d;

	strbuf_addf(&dir, "%s/[kernel.kcore]/", l->s->buildid_dir);
	buildid_hex(&dir, kernel->buildid, kernel->buildid_len);
	d = opendir(strbuf_str(&dir));
	while (d && !same_boot && (de = readdir(d))) {
		char *path = xasprintf("%s/%s/kallsyms", strbuf_str(&dir), de->d_name);
		struct kallsyms *list;

		if (*de->d_name == '.' || kallsyms_read_file(&list, path, NULL)) {
			free(path);
			continue;
		}
		same_boot = kernel->ref_reloc_sym &&
			    kallsyms_address(list, kernel->ref_reloc_sym) == kernel->ref_reloc_addr;
		if (k->cached && !same_boot) {
			kallsyms_free(list);
			free(path);
			continue;
		}
		kallsyms_free(k->cached);
		free(k->cached_path);
		k->cached = list;
		k->cached_path = path;
	}
	if (d)
		closedir(d);
	strbuf_release(&dir);
}

bool src_cached_kallsyms(struct load *l)
{
	static const char *const names[] = { "/kallsyms", "" };	/* in old caches the file itself */
	struct kernel_lists *k = &l->s->kernel;
	const struct dso *kernel = kernel_dso(l);
	struct strbuf path = STRBUF_INIT;
	bool done = false;

	if (!kernel || kernel->buildid_len < 2 || !l->s->buildid_dir)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(names) && !k->cached_tried; i++)
		if (cached_file(l, kernel, names[i], &path) &&
		    !kallsyms_read_file(&k->cached, strbuf_str(&path), NULL))
			k->cached_path = strbuf_detach(&path);
	if (!k->cached_tried && !k->cached)
		read_kcore_list(l, kernel);
	k->cached_tried = true;
	if (k->cached)
		done = take_list(l, k->cached, 'B', k->cached_path);
	else
		load_tried(l, WHY_ABSENT, "%s has no symbol list of the kernel", l->s->buildid_dir);
	strbuf_release(&path);
	return done;
}

bool src_recorded_kallsyms(struct load *l)
{
	struct kernel_lists *k = &l->s->kernel;
	const char *path = l->s->opts.recorded_kallsyms;

	if (!path)
		return false;
	if (!k->recorded_tried) {
		k->recorded_tried = true;
		kallsyms_read_file(&k->recorded, path, NULL);
	}
	if (!k->recorded)
		load_tried(l, WHY_UNREADABLE, "%s cannot be read", path);
	return k->recorded && take_list(l, k->recorded, 'k', path);
}

static bool take_vmlinux(struct load *l, const char *path, bool checked, char letter)
{
	struct elf_addr_map map = { 0 };
	struct err err = ERR_INIT;
	struct elf_obj *o;
	u64 ref = 0;
	bool done = false;

	o = checked ? load_open_checked(l, path) : elf_obj_open(path, &err);
	if (!o) {
		if (!checked)
			load_not_opened(l, WHY_UNREADABLE, &err);
		return false;
	}
	if (l->dso->ref_reloc_sym && elf_obj_symbol_value(o, l->dso->ref_reloc_sym, &ref))
		map.bias = relocation(l->dso, ref);
	if (elf_obj_symbols(o, ELF_SYMBOLS_SYMTAB, &map, &l->out->vec))
		done = load_done(l, letter, path);
	else
		load_tried(l, WHY_STRIPPED, "%s is stripped of its symbols", path);
	l->out->tab.debug_info = done && load_has_debug_info(o);
	l->out->tab.bias = done ? map.bias : 0;
	elf_obj_free(o);
	return done;
}

bool src_given_vmlinux(struct load *l)
{
	const struct sym_opts *o = &l->s->opts;

	if (!o->vmlinux || o->ignore_vmlinux)
		return false;
	if (take_vmlinux(l, o->vmlinux, !o->ignore_vmlinux_buildid, 'v'))
		return true;
	if (l->why.len)	/* other sources are tried, so nothing else would show that it was not used */
		log_warn("--vmlinux is not used: %s", strbuf_str(&l->why));
	return false;
}

bool src_guest_vmlinux(struct load *l)
{
	const char *path = l->s->opts.guest.vmlinux;

	return path && take_vmlinux(l, path, true, 'g');
}

bool src_cached_vmlinux(struct load *l)
{
	static const char *const names[] = { "/vmlinux", "/elf", "/debug", "" };
	struct strbuf path = STRBUF_INIT;
	bool done = false;

	if (l->s->opts.ignore_vmlinux)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(names) && !done; i++)
		if (cached_file(l, l->dso, names[i], &path))
			done = take_vmlinux(l, strbuf_str(&path), true, 'B');
	strbuf_release(&path);
	return done;
}

bool src_vmlinux_path(struct load *l)
{
	static const char *const patterns[] = {
		"vmlinux", "/boot/vmlinux", "/boot/vmlinux-%s", "/usr/lib/debug/boot/vmlinux-%s",
		"/lib/modules/%s/build/vmlinux", "/usr/lib/debug/lib/modules/%s/vmlinux",
		"/usr/lib/debug/boot/vmlinux-%s.debug",
	};
	struct strbuf path = STRBUF_INIT, full = STRBUF_INIT;
	struct utsname u;
	bool done = false;

	/* without a recorded build-id, any vmlinux could be the right one */
	if (l->s->opts.ignore_vmlinux || !l->dso->buildid_len || uname(&u))
		return false;
	if (l->dso->listed)
		done = take_vmlinux(l, load_symfs_path(l, l->dso->listed, &full), true, 'v');
	for (size_t i = 0; i < ARRAY_SIZE(patterns) && !done; i++) {
		const char *mark = strstr(patterns[i], "%s");
		int head = mark ? mark - patterns[i] : (int)strlen(patterns[i]);

		strbuf_reset(&path);
		strbuf_reset(&full);
		strbuf_addf(&path, "%.*s%s%s", head, patterns[i], mark ? u.release : "",
			    mark ? mark + 2 : "");
		if (patterns[i][0] != '/')
			strbuf_add(&full, path.buf, path.len);
		else if (l->s->opts.symfs)
			load_symfs_path(l, strbuf_str(&path), &full);
		else
			fs_path(&full, "%s", strbuf_str(&path));
		done = take_vmlinux(l, strbuf_str(&full), true, 'v');
	}
	strbuf_release(&path);
	strbuf_release(&full);
	return done;
}

static bool take_module(struct load *l, const char *path)
{
	struct err err = ERR_INIT;
	struct elf_obj *o = module_open(path, &err);
	bool done = false;

	if (!o) {
		load_not_opened(l, WHY_UNREADABLE, &err);
	} else if (load_buildid_matches(l, o, path)) {
		if (module_symbols(o, l->dso->text_start, l->dso->text_end, &l->out->vec))
			done = load_done(l, 'K', path);
		else
			load_tried(l, WHY_STRIPPED, "%s is stripped of its symbols", path);
	}
	elf_obj_free(o);
	return done;
}

/* in the build-id cache, and at the paths of the build-id table and of the map */
static bool module_by_recording(struct load *l)
{
	const char *const paths[] = { l->dso->listed, l->dso->long_name };
	struct strbuf path = STRBUF_INIT;
	bool done = (cached_file(l, l->dso, "/elf", &path) || cached_file(l, l->dso, "", &path)) &&
		    take_module(l, strbuf_str(&path));

	for (size_t i = 0; i < ARRAY_SIZE(paths) && !done; i++)
		if (paths[i] && paths[i][0] == '/')
			done = take_module(l, load_symfs_path(l, paths[i], &path));
	strbuf_release(&path);
	return done;
}

/* the text of a module is laid out section after section from the start of its map */
bool src_module_file(struct load *l)
{
	struct strbuf dir = STRBUF_INIT;
	char name[256], *found;
	struct utsname u;
	bool done = false;

	if (!l->dso->text_start)
		return false;
	if (module_by_recording(l))
		return true;
	module_name(l->dso, name, sizeof(name));
	/* without a build-id only the kernel's release shows that a module of that name is the right one */
	if (l->s->opts.modules_path)
		strbuf_addstr(&dir, l->s->opts.modules_path);
	else if ((l->id_len || l->s->opts.is_local) && !uname(&u))
		fs_path(&dir, "/lib/modules/%s", u.release);
	found = name[0] && dir.len ? module_find(strbuf_str(&dir), name) : NULL;
	if (found)
		done = take_module(l, found);
	free(found);
	strbuf_release(&dir);
	return done;
}
