/* Module-file: names of modules, modules.dep, and paths of debug files. */
#include "module-file.h"

#include <ctype.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "../base/fs.h"
#include "../obj/buildid.h"
#include "../obj/module.h"
#include "debug-path.h"

#define DEBUG_DIR "/usr/lib/debug"

bool module_is_file(const char *name)
{
	size_t len = strlen(name);

	return strchr(name, '/') || ((strstr(name, ".ko") || (len > 2 && !strcmp(name + len - 2, ".o"))) &&
				     !access(name, R_OK));
}

/* "name=ext4" among the strings of .modinfo, which the build system of the kernel writes */
static char *stated_name(const char *path)
{
	struct elf_obj *o = module_open(path, NULL);
	GElf_Shdr sh;
	Elf_Scn *scn = o ? elf_obj_section(o, ".modinfo", &sh) : NULL;
	Elf_Data *d = scn ? elf_rawdata(scn, NULL) : NULL;
	const char *p = d ? d->d_buf : NULL, *end = p ? p + d->d_size : NULL;
	char *name = NULL;

	while (p && p < end && !name) {
		size_t len = strnlen(p, end - p);

		if (len > 5 && !memcmp(p, "name=", 5))
			name = xstrndup(p + 5, len - 5);
		p += len + 1;
	}
	elf_obj_free(o);
	return name;
}

/* what follows the name in "a.ko.xz" and "a.o" */
static const char *name_end(const char *base)
{
	size_t len = strlen(base);
	const char *end = strstr(base, ".ko");

	if (!end && len > 2 && !strcmp(base + len - 2, ".o"))
		end = base + len - 2;
	return end ? end : base + len;
}

char *module_name_of(const char *name)
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	char *ret = module_is_file(name) ? stated_name(name) : NULL;
	bool ok = true;

	/* it becomes a word of a definition */
	for (const char *p = ret; p && *p && ok; p++)
		ok = isalnum((u8)*p) || *p == '_' || *p == '-';
	if (ret && (!ok || !*ret)) {
		free(ret);
		ret = NULL;
	}
	if (!ret)
		ret = xstrndup(base, name_end(base) - base);
	for (char *p = ret; *p; p++)
		if (*p == '-')
			*p = '_';
	return ret;
}

/* a directory of this machine, or below symfs */
static const char *place(struct strbuf *out, const char *symfs, const char *path)
{
	if (!symfs || !*symfs)
		return fs_path(out, "%s", path);
	strbuf_reset(out);
	strbuf_addf(out, "%s%s", symfs, path);
	return strbuf_str(out);
}

char *module_file_find(const char *name, const char *symfs)
{
	struct strbuf dir = STRBUF_INIT, sub = STRBUF_INIT;
	struct utsname u;
	char *path = NULL;

	if (!uname(&u)) {
		strbuf_addf(&sub, "/lib/modules/%s", u.release);
		path = module_find(place(&dir, symfs, strbuf_str(&sub)), name);
	}
	if (path && access(path, R_OK)) {
		free(path);
		path = NULL;
	}
	if (path && symfs)	/* which is prepended again where it is opened */
		memmove(path, path + strlen(symfs), strlen(path + strlen(symfs)) + 1);
	strbuf_release(&dir);
	strbuf_release(&sub);
	return path;
}

/* a file that has debug information of the build with that id; without an id, any */
static bool is_debug_of(const char *path, const u8 *id, int len)
{
	struct elf_obj *o = access(path, R_OK) ? NULL : module_open(path, NULL);
	u8 own[ELF_BUILDID_MAX];
	bool ok = o && (!len || buildid_equal(id, len, own, elf_obj_buildid(o, own)));

	elf_obj_free(o);
	return ok && debug_path_has_info(path);
}

int module_debug_file(const char *path, const char *symfs, char **ret_path, struct err *err)
{
	static const char *const ends[] = { ".debug", "" };
	const char *slash = strrchr(path, '/'), *ko = strstr(slash ? slash : path, ".ko");
	const char *plain = symfs && !strncmp(path, symfs, strlen(symfs)) ? path + strlen(symfs) :
			    !strncmp(path, fs_root(), strlen(fs_root())) ? path + strlen(fs_root()) : path;
	struct strbuf dir = STRBUF_INIT, file = STRBUF_INIT;
	struct elf_obj *o = module_open(path, err);
	u8 id[ELF_BUILDID_MAX];
	bool found = false;
	int len;

	if (!o)
		return err->code;
	len = elf_obj_buildid(o, id);
	place(&dir, symfs, DEBUG_DIR);
	if (len > 1) {
		buildid_path(&file, strbuf_str(&dir), id, len, ".debug");
		found = is_debug_of(strbuf_str(&file), id, len);
	}
	for (size_t i = 0; i < ARRAY_SIZE(ends) && ko && !found; i++) {
		strbuf_reset(&file);
		strbuf_addf(&file, "%s/%.*s%s", strbuf_str(&dir), (int)(ko + 3 - plain), plain, ends[i]);
		found = is_debug_of(strbuf_str(&file), id, len);
	}
	elf_obj_free(o);
	strbuf_release(&dir);
	*ret_path = found ? strbuf_detach(&file) : NULL;
	strbuf_release(&file);
	return 0;
}
