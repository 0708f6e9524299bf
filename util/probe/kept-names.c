/* Kept-names: see kept-names.h. */
#include "kept-names.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/hash.h"
#include "../base/log.h"
#include "../base/strbuf.h"
#include "../base/user-cache.h"
#include "../obj/dwarf-names.h"
#include "debug-file.h"
#include "debug-sections.h"
#include "point.h"

#define PREFIX "probe-names-"
#define FILES_MAX 32		/* in the cache folder, and their bytes together */
#define BYTES_MAX (128u << 20)
#define SECONDS_MAX 120		/* of CPU time, for an index */

/* a section as it is in the file; packed ones take longer to unpack than to search */
static bool find_section(const struct elf_obj *o, const char *name, struct dwarf_bytes *ret)
{
	GElf_Shdr sh;
	size_t size;
	const char *file = elf_rawfile(o->elf, &size);

	if (!file || o->image || !elf_obj_section(o, name, &sh) || sh.sh_type == SHT_NOBITS ||
	    sh.sh_flags & SHF_COMPRESSED || sh.sh_offset > size || sh.sh_size > size - sh.sh_offset)
		return false;
	*ret = (struct dwarf_bytes){ (const u8 *)file + sh.sh_offset, sh.sh_size };
	return true;
}

static bool find_sections(const struct elf_obj *o, struct dwarf_name_sections *ret)
{
	bool is_big = o->ehdr.e_ident[EI_DATA] == ELFDATA2MSB;

	*ret = (struct dwarf_name_sections){ .swap = is_big != (BYTE_ORDER == BIG_ENDIAN) };
	return find_section(o, ".debug_info", &ret->info) && ret->info.len <= UINT32_MAX &&
	       find_section(o, ".debug_abbrev", &ret->abbrev) && find_section(o, ".debug_str", &ret->str);
}

bool kept_names_key(const struct elf_obj *o, const char *path, struct name_index_key *ret)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	*ret = (struct name_index_key){ st.st_dev, st.st_ino, st.st_size, st.st_mtim.tv_sec,
					st.st_mtim.tv_nsec };
	ret->buildid_len = elf_obj_buildid(o, ret->buildid);
	return true;
}

static bool may_have_index(struct debug_file *d)
{
	struct dwarf_name_sections s;

	return d->t->index_min && !d->linked && find_sections(d->debug, &s) &&
	       s.info.len >= d->t->index_min && !dwarf_getalt(d->dw);
}

const struct name_index *kept_names(struct debug_file *d)
{
	struct kept_names *k = &d->kept;
	int dir;

	if (k->tried)
		return k->index.v ? &k->index : NULL;
	k->tried = true;
	if (!may_have_index(d) || !(k->path = realpath(d->path, NULL)) ||
	    !kept_names_key(d->debug, k->path, &k->key) || (dir = user_cache_open()) < 0)
		return NULL;
	/* a file that is compiled again has the same name */
	snprintf(k->name, sizeof(k->name), PREFIX "%016llx", (unsigned long long)hash_str(k->path));
	k->is_wanted = !user_cache_map(dir, k->name, 1, NAME_INDEX_MAX, &k->map) ||
		       !name_index_read(&k->index, &k->key, k->map.p, k->map.len);
	if (!k->is_wanted)
		user_cache_touch(dir, k->name);
	close(dir);
	log_v("%s index of the names of functions: %s", k->is_wanted ? "missing" : "kept", k->name);
	return k->index.v ? &k->index : NULL;
}

/* --- making one */

static void add_name(void *ctx, u64 die, const char *name)
{
	struct name_index_list *l = ctx;

	if (l->nr < NAME_INDEX_MAX / sizeof(*l->v))
		name_list_add(l, die, name);
}

static bool read_names(const struct dwarf_name_sections *s, struct name_index_list *ret)
{
	struct dwarf_name_units units = { 0 };
	bool ok = dwarf_name_units(s, &units);

	for (size_t i = 0; ok && i < units.nr; i++) {
		const struct dwarf_name_unit *u = &units.v[i];

		ok = dwarf_names_of_unit(s, u, add_name, ret);
		debug_pages_drop(s->info.p + u->start, s->info.p + u->end);
	}
	vec_release(&units);
	return ok;
}

static void make(const struct kept_names *k)
{
	struct elf_obj *o = elf_obj_open(k->path, NULL);
	struct strbuf out = STRBUF_INIT;
	struct dwarf_name_sections s;
	struct name_index_list names = { 0 };
	struct name_index_key now;
	int dir = user_cache_open();

	/* the file may have changed since, also while it was read */
	if (o && dir >= 0 && find_sections(o, &s) && read_names(&s, &names) &&
	    name_list_write(&names, &k->key, &out) && !mapping_torn(&o->map) &&
	    kept_names_key(o, k->path, &now) && !memcmp(&now, &k->key, sizeof(now))) {
		user_cache_write(dir, k->name, out.buf, out.len);
		user_cache_trim(dir, PREFIX, FILES_MAX, BYTES_MAX);
	}
	/* the process ends here: nothing is released */
}

/* who waits for the end of perf, or of its output, does not wait for this process */
static void leave(void)
{
	const struct rlimit limit = { SECONDS_MAX, SECONDS_MAX };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	setsid();
	setpriority(PRIO_PROCESS, 0, 19);
	setrlimit(RLIMIT_CPU, &limit);
	if (chdir("/"))
		_exit(0);
}

void kept_names_release(struct kept_names *k)
{
	mapping_close(&k->map);
	/* nobody waits for it: perf probe ends soon, and has no other use for the end of a child */
	if (k->is_wanted && !fork()) {
		leave();
		make(k);
		_exit(0);
	}
	free(k->path);
}
