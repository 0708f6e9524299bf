/* Dsos: the meaning of a map's file name, and one struct dso per distinct object. */
#include "machine-private.h"
#include "../obj/jitdump.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

bool dso_kind_is_absolute(enum dso_kind kind)
{
	switch (kind) {
	case DSO_USER:
	case DSO_VDSO:
	case DSO_VSYSCALL:
		return false;
	default:
		return true;
	}
}

static bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* memory that is not mapped from a file: if it is executable, a JIT compiler wrote it */
static bool is_anon_name(const char *name)
{
	static const char *const prefixes[] = { "//anon", "/dev/zero", "/anon_hugepage", "/SYSV", "[stack",
						"[heap]", "[anon:", "[anon_shmem:" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (starts_with(name, prefixes[i]))
			return true;
	return false;
}

/* of a file that cannot be opened by its name, as JIT compilers use for memory that is mapped twice */
static bool is_lost_file(const char *name)
{
	return starts_with(name, "/memfd:") || path_is_marked_deleted(name);
}

/*
 * Loaders map programs privately and not writable; memory that is executable twice is shared between a
 * writable and an executable map. A jitdump file has symbols of its own
 */
static bool is_generated_code(const struct dso_key *key)
{
	bool like_jit = key->flags & MAP_SHARED ||
			(key->prot & PROT_WRITE && starts_with(key->name, "/memfd:"));

	return key->prot & PROT_EXEC && like_jit && !key->buildid_len && is_lost_file(key->name) &&
	       !jitdump_is_name(key->name);
}

bool dso_key_is_code(const struct dso_key *key)
{
	return key->prot & PROT_EXEC && !key->buildid_len && !jitdump_is_name(key->name) &&
	       (is_anon_name(key->name) || is_lost_file(key->name));
}

static bool is_kernel_image(const char *name)
{
	return starts_with(name, "[kernel.") || starts_with(name, "[guest.kernel.");
}

static enum dso_kind classify(const struct dso_key *key)
{
	switch (key->cpumode) {
	case CPUMODE_KERNEL:
		return is_kernel_image(key->name) ? DSO_KERNEL : DSO_MODULE;
	case CPUMODE_GUEST_KERNEL:
		return is_kernel_image(key->name) ? DSO_GUEST_KERNEL : DSO_GUEST_MODULE;
	default:
		break;
	}
	if (is_anon_name(key->name))
		return key->prot & PROT_EXEC ? DSO_PERFMAP : DSO_ANON;
	if (is_generated_code(key))
		return DSO_PERFMAP;
	if (starts_with(key->name, "[vdso"))
		return DSO_VDSO;
	if (!strcmp(key->name, "[vsyscall]"))
		return DSO_VSYSCALL;
	return DSO_USER;
}

static const char *basename_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* for ".../x-fs.ko.xz": the end of the module's name "x-fs"; NULL: not the file of a module */
static const char *module_ext(const char *base)
{
	const char *ext = strstr(base, ".ko");

	return ext && (ext[3] == '\0' || ext[3] == '.') ? ext : NULL;
}

/* "/lib/.../x-fs.ko.xz" gives "[x_fs]", as the kernel spells module names. The caller frees it */
static char *module_short_name(const char *name)
{
	const char *base = basename_of(name), *ext = base[0] == '[' ? NULL : module_ext(base);
	char *s;

	if (!ext)
		return xstrdup(base);
	s = xasprintf("[%.*s]", (int)(ext - base), base);
	for (char *p = s; *p; p++)
		if (*p == '-')
			*p = '_';
	return s;
}

const char *dso_short_name(struct arena *arena, enum dso_kind kind, const char *long_name)
{
	const char *ret;
	char *module;

	if (kind == DSO_KERNEL || kind == DSO_GUEST_KERNEL)
		return long_name;
	if (kind != DSO_MODULE && kind != DSO_GUEST_MODULE)
		return basename_of(long_name);
	module = module_short_name(long_name);
	ret = arena_strdup(arena, module);
	free(module);
	return ret;
}

static const char *arena_fmt_pid(struct arena *a, const char *before, s32 pid, const char *behind)
{
	char buf[64];

	snprintf(buf, sizeof(buf), "%s%d%s", before, pid, behind);
	return arena_strdup(a, buf);
}

static void name_dso(struct machine *w, struct dso *d, const struct dso_key *key)
{
	struct arena *a = &w->dsos.arena;
	const char *bracket;

	switch (d->kind) {
	case DSO_PERFMAP:
		d->long_name = arena_fmt_pid(a, "/tmp/perf-", key->pid, ".map");
		d->short_name = arena_fmt_pid(a, "[JIT] tid ", key->pid, "");
		return;
	case DSO_KERNEL:
	case DSO_GUEST_KERNEL:
		/*
		 * "[kernel.kallsyms]_text": after the bracket is the symbol whose address is the map's pgoff
		 */
		bracket = strchr(key->name, ']');
		d->long_name = bracket ? arena_strndup(a, key->name, bracket + 1 - key->name) :
					 arena_strdup(a, key->name);
		d->short_name = dso_short_name(a, d->kind, d->long_name);
		if (bracket && bracket[1])
			d->ref_reloc_sym = arena_strdup(a, bracket + 1);
		return;
	default:
		d->long_name = arena_strdup(a, key->name);
		d->short_name = dso_short_name(a, d->kind, d->long_name);
	}
}

static bool is_module(enum dso_kind k)
{
	return k == DSO_MODULE || k == DSO_GUEST_MODULE;
}

static bool is_kernel_side(enum dso_kind k)
{
	return k == DSO_KERNEL || k == DSO_GUEST_KERNEL || is_module(k);
}

bool arch_is_64bit(const struct features *feat)
{
	const char *arch = feat ? feat->arch : NULL;

	return !arch || strstr(arch, "64") || !strcmp(arch, "s390x") || starts_with(arch, "sparc64");
}

static struct dso *dso_add(struct machine *w, enum dso_kind kind, u64 hash)
{
	struct dso *d = ARENA_NEW(&w->dsos.arena, struct dso);

	d->id = w->dsos.dso.nr;
	d->kind = kind;
	d->pid = -1;
	d->text_start = UINT64_MAX;
	d->is_64bit = arch_is_64bit(w->feat);
	vec_push(&w->dsos.dso, d);
	hidx_insert(&w->dsos.idx, hash, d->id);
	return d;
}

/* distinguishes objects of the same name */
static bool same_build(const struct dso *d, const struct dso_key *key)
{
	if (d->kind == DSO_KERNEL || d->kind == DSO_GUEST_KERNEL || d->kind == DSO_PERFMAP ||
	    d->kind == DSO_ANON || d->kind == DSO_VDSO)
		return true;
	if (key->buildid_len)
		return d->buildid_len == key->buildid_len &&
		       !memcmp(d->buildid, key->buildid, d->buildid_len);
	/* the header tells their build-ids, but maps of merged profiles, of several kernels, do */
	if (is_module(d->kind))
		return !d->id_is_mapped;
	return d->ino == key->ino && d->ino_gen == key->ino_gen && d->maj == key->maj && d->min == key->min;
}

static bool same_name(const struct dso *d, const struct dso_key *key)
{
	char *module;
	size_t len;
	bool same;

	switch (d->kind) {
	case DSO_PERFMAP:
		return d->pid == key->pid;
	case DSO_KERNEL:
	case DSO_GUEST_KERNEL:
		len = strlen(d->long_name);
		return !strncmp(d->long_name, key->name, len) &&
		       (key->name[len] == '\0' || d->long_name[len - 1] == ']');
	case DSO_MODULE:
	case DSO_GUEST_MODULE:
		module = module_short_name(key->name);
		same = !strcmp(d->short_name, module);
		free(module);
		return same;
	default:
		return !strcmp(d->long_name, key->name);
	}
}

static u64 key_hash(enum dso_kind kind, const struct dso_key *key)
{
	u64 h = kind;
	char *module;

	switch (kind) {
	case DSO_KERNEL:
	case DSO_GUEST_KERNEL:
		return h;
	case DSO_PERFMAP:
		return hash_mix(h, key->pid);
	case DSO_MODULE:
	case DSO_GUEST_MODULE:
		module = module_short_name(key->name);
		h = hash_mix(h, hash_str(module));
		free(module);
		return h;
	default:
		return hash_mix(h, hash_str(key->name));
	}
}

static void set_buildid(struct dso *d, const u8 *id, u8 len)
{
	d->buildid_len = MIN(len, BUILDID_MAX);
	memcpy(d->buildid, id, d->buildid_len);
}

static struct dso_key entry_key(const struct buildid_entry *e)
{
	return (struct dso_key){ .name = e->filename, .cpumode = e->misc & MISC_CPUMODE_MASK };
}

/*
 * The kind of object of an entry of a build-id table. The kernel may have the path of its image as name
 * there, and recorders have listed modules without a file ("[nvidia]") as user files.
 */
static enum dso_kind entry_kind(const struct buildid_entry *e)
{
	struct dso_key key = entry_key(e);
	enum dso_kind kind = classify(&key);

	if (kind == DSO_USER && key.name[0] == '[') {
		key.cpumode = CPUMODE_KERNEL;
		return classify(&key);
	}
	if (is_kernel_side(kind) && key.name[0] != '[' && !module_ext(basename_of(key.name)))
		return kind == DSO_GUEST_MODULE ? DSO_GUEST_KERNEL : DSO_KERNEL;
	return kind;
}

/* the path of the kernel's image or of a module */
static bool is_image_path(const struct buildid_entry *e)
{
	return e->filename[0] != '[';
}

static bool entry_fits(const struct buildid_entry *e, const struct dso *d)
{
	struct dso_key key = entry_key(e);

	if (!e->len || entry_kind(e) != d->kind)
		return false;
	if ((d->kind == DSO_KERNEL || d->kind == DSO_GUEST_KERNEL) && is_image_path(e))
		return true;
	return same_name(d, &key);
}

/* gives the dso the entry's build-id, if its own records had none, and the path of its file */
static void take_entry(struct machine *w, struct dso *d, const struct buildid_entry *e)
{
	const char *base;

	if (!d->buildid_len)
		set_buildid(d, e->id, e->len);
	if (!is_kernel_side(d->kind) || !is_image_path(e) || d->listed)
		return;
	d->listed = arena_strdup(&w->dsos.arena, e->filename);
	if (d->kind == DSO_KERNEL) {
		base = basename_of(d->listed);
		d->short_name = starts_with(base, "vmlinux") ? "[kernel.vmlinux]" : base;
	}
}

/*
 * an entry of the header's table, or a record: prefers an entry with the same name to an entry that only has
 * the image's path
 */
static void find_buildid(struct machine *w, struct dso *d, u64 hash)
{
	const struct buildid_entry *found = NULL;
	u32 i;

	HIDX_FOREACH(&w->buildid_idx, hash, i) {
		const struct buildid_entry *e = &w->buildids.v[i];

		if (entry_fits(e, d) && (!found || (is_image_path(found) && !is_image_path(e))))
			found = e;
	}
	if (found)
		take_entry(w, d, found);
}

u32 dsos_get(struct machine *w, const struct dso_key *key)
{
	enum dso_kind kind = classify(key);
	u64 hash = key_hash(kind, key);
	struct dso *d;
	u32 id;

	HIDX_FOREACH(&w->dsos.idx, hash, id) {
		d = dso_mut(w, id);
		if (d->kind == kind && same_name(d, key) && same_build(d, key))
			return id;
	}
	d = dso_add(w, kind, hash);
	name_dso(w, d, key);
	if (kind != DSO_KERNEL && kind != DSO_MODULE)
		d->pid = key->pid;
	d->mnt_ns = key->mnt_ns;
	d->maj = key->maj;
	d->min = key->min;
	d->ino = key->ino;
	d->ino_gen = key->ino_gen;
	d->id_is_mapped = key->buildid_len;
	if (key->buildid_len)
		set_buildid(d, key->buildid, key->buildid_len);
	else if (kind != DSO_PERFMAP && kind != DSO_ANON)
		find_buildid(w, d, hash);
	return d->id;
}

void dsos_add_buildid(struct machine *w, const struct buildid_entry *e)
{
	struct dso_key key;
	u64 hash;
	u32 id;

	if (!e->filename || !e->len)
		return;
	key = entry_key(e);
	hash = key_hash(entry_kind(e), &key);
	HIDX_FOREACH(&w->buildid_idx, hash, id)
		if (w->buildids.v[id].misc == e->misc && !strcmp(w->buildids.v[id].filename, e->filename))
			return;
	hidx_insert(&w->buildid_idx, hash, w->buildids.nr);
	vec_push(&w->buildids, *e);
	HIDX_FOREACH(&w->dsos.idx, hash, id) {
		struct dso *d = dso_mut(w, id);

		if (!d->buildid_len && entry_fits(e, d))
			take_entry(w, d, e);
	}
}

u32 dsos_get_ksymbol(struct machine *w, const char *name)
{
	u64 hash = hash_mix(DSO_BPF, hash_str(name));
	struct dso *d;
	u32 id;

	HIDX_FOREACH(&w->dsos.idx, hash, id)
		if (dso_mut(w, id)->kind == DSO_BPF && !strcmp(dso_mut(w, id)->long_name, name))
			return id;
	d = dso_add(w, DSO_BPF, hash);
	d->long_name = d->short_name = arena_strdup(&w->dsos.arena, name);
	return d->id;
}

void dsos_release(struct dsos *ds)
{
	vec_release(&ds->dso);
	hidx_release(&ds->idx);
	arena_release(&ds->arena);
}
