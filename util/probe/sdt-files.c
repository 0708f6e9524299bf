/* Sdt-files: searches the build-id cache for markers. */
#include "sdt-files.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>
#include "../cache/build-cache.h"
#include "../obj/buildid.h"
#include "../obj/elf-obj.h"
#include "../obj/sdt.h"
#include "sdt-points.h"

static bool has_marker(const struct elf_obj *o, const char *group, const char *name)
{
	struct sdt_markers all = { 0 };
	struct arena mem = { 0 };
	bool found = false;

	sdt_markers_read(o, &all);
	for (size_t i = 0; i < all.nr && !found; i++)
		found = !fnmatch(group, sdt_group(all.v[i].provider, &mem), 0) &&
			(!fnmatch(name, all.v[i].name, 0) || sdt_names_alike(name, all.v[i].name));
	sdt_markers_release(&all);
	arena_release(&mem);
	return found;
}

static bool is_wanted(const struct cached_file *f, const char *group, const char *name)
{
	struct elf_obj *o = f->path[0] == '/' ? elf_obj_open(f->path, NULL) : NULL;
	u8 id[ELF_BUILDID_MAX];
	bool wanted = false;

	if (o && buildid_equal(id, elf_obj_buildid(o, id), f->id.id, f->id.len))
		wanted = has_marker(o, group, name);
	elf_obj_free(o);
	return wanted;
}

int sdt_files_find(struct sdt_files *out, const char *group, const char *name, struct err *err)
{
	struct cached_files all = { 0 };
	char *dir = buildid_cache_dir();
	int ret = dir ? cache_list(dir, &all, err) : 0;

	vec_foreach(&all, f)
		if (is_wanted(f, group, name))
			vec_push(out, xstrdup(f->path));
	cached_files_release(&all);
	if (!ret && !out->nr) {
		ret = err_set(err, -ENOENT, "no file in the build-id cache has the marker '%s:%s'", group,
			      name);
		err_hint(err, "name the file: -x FILE, or register it: perf buildid-cache --add FILE");
	}
	free(dir);
	return ret;
}

void sdt_files_release(struct sdt_files *l)
{
	vec_foreach(l, f)
		free(*f);
	vec_release(l);
}
