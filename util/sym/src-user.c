/* Sources of user objects: paths at which a file of the recorded build, or its debug file, may be. */
#include "load.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/fs.h"
#include "../base/log.h"
#include "../base/map-lines.h"
#include "../obj/buildid.h"
#include "../obj/crc32.h"

#define DEBUG_DIR "/usr/lib/debug"

char *load_plain_path(const struct dso *dso)
{
	size_t len = strlen(dso->long_name);

	return xstrndup(dso->long_name, dso_is_deleted(dso) ? len - strlen(DSO_DELETED) : len);
}

/* the file that was mapped, at its recorded path; its name may truly end in the mark of deleted files */
static void offer_file(struct load *l)
{
	struct strbuf path = STRBUF_INIT;
	char *plain = load_plain_path(l->dso);
	const char *file = load_symfs_path(l, l->dso->long_name, &path);

	if (dso_is_deleted(l->dso) && !access(file, F_OK))
		load_offer_recorded(l, file);
	file = load_symfs_path(l, plain, &path);
	if (!l->runtime || strcmp(file, l->runtime_path))
		load_offer_recorded(l, file);
	strbuf_release(&path);
	free(plain);
}

/* opens the file that was mapped, for its links to a debug file */
static void need_runtime(struct load *l)
{
	if (l->runtime)
		return;
	offer_file(l);
	if (l->runtime && !l->id_len)
		l->id_len = elf_obj_buildid(l->runtime, l->id);
}

/* ~/.debug/.build-id/ab/cdef leads to a directory with elf, debug, vdso; in old caches to the file itself */
bool src_cache(struct load *l)
{
	static const char *const names[] = { "/debug", "/elf", "/vdso", "" };
	struct strbuf path = STRBUF_INIT;
	struct stat st;
	bool done = false;

	if (!l->s->buildid_dir || l->id_len < 2)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(names) && !done; i++) {
		buildid_path(&path, l->s->buildid_dir, l->id, l->id_len, names[i]);
		if (!stat(strbuf_str(&path), &st) && S_ISREG(st.st_mode))
			/* the first is a debug file */
			done = load_offer(l, strbuf_str(&path), i ? 'B' : 'D', i > 0);
	}
	strbuf_release(&path);
	return done;
}

/* /usr/lib/debug, below --symfs or the root of the machine */
static const char *debug_dir(const struct load *l, struct strbuf *out)
{
	if (l->s->opts.symfs && l->s->opts.symfs[0])
		return load_symfs_path(l, DEBUG_DIR, out);
	return fs_path(out, "%s", DEBUG_DIR);
}

bool src_debug_buildid(struct load *l)
{
	struct strbuf path = STRBUF_INIT, dir = STRBUF_INIT;
	bool done;

	if (!l->id_len)
		need_runtime(l);
	if (l->full || l->id_len < 2)
		return false;
	buildid_path(&path, debug_dir(l, &dir), l->id, l->id_len, ".debug");
	done = load_offer(l, strbuf_str(&path), 'D', false);
	strbuf_release(&path);
	strbuf_release(&dir);
	return done;
}

/*
 * a debug file that is found by name could be of another build: if there is no build-id, its checksum decides
 */
static bool crc_matches(struct load *l, const char *path, u32 want)
{
	u32 crc = 0;

	if (l->id_len)
		return true;
	if (crc32_of_file(path, &crc))
		return false;
	if (crc == want)
		return true;
	load_tried(l, WHY_MISMATCH, "%s has another checksum (%08x, .gnu_debuglink asks for %08x)", path, crc,
		   want);
	return false;
}

/* looks beside a file, in .debug below its directory, in DEBUG_DIR */
static void try_debuglink(struct load *l, const char *beside, const char *link, u32 crc)
{
	struct strbuf path = STRBUF_INIT, dir = STRBUF_INIT;
	const char *base = strrchr(beside, '/');

	for (int i = 0; base && i < 3 && !l->full; i++) {
		strbuf_reset(&path);
		if (i == 2)
			strbuf_addstr(&path, debug_dir(l, &dir));
		strbuf_addf(&path, "%.*s/%s%s", (int)(base - beside), beside, i == 1 ? ".debug/" : "", link);
		if (strcmp(strbuf_str(&path), beside) && !access(strbuf_str(&path), R_OK) &&
		    crc_matches(l, strbuf_str(&path), crc))
			load_offer(l, strbuf_str(&path), 'l', false);
	}
	strbuf_release(&path);
	strbuf_release(&dir);
}

bool src_debuglink(struct load *l)
{
	struct strbuf path = STRBUF_INIT;
	const char *link, *file;
	char *plain;
	u32 crc = 0;

	if (l->full)
		return false;
	need_runtime(l);
	link = l->runtime && !l->full ? elf_obj_debuglink(l->runtime, &crc) : NULL;
	if (!link)
		return l->full && l->runtime;
	plain = load_plain_path(l->dso);
	file = load_symfs_path(l, plain, &path);
	try_debuglink(l, l->runtime_path, link, crc);
	if (strcmp(file, l->runtime_path))	/* the copy in the cache has no debug file beside it */
		try_debuglink(l, file, link, crc);
	free(plain);
	strbuf_release(&path);
	return l->full && l->runtime;
}

bool src_debug_path(struct load *l)
{
	static const char *const suffixes[] = { ".debug", "" };
	struct strbuf path = STRBUF_INIT, dir = STRBUF_INIT;
	char *plain = load_plain_path(l->dso);

	/* only the build-id can show that such a file belongs to the mapped one */
	for (size_t i = 0; i < ARRAY_SIZE(suffixes) && !l->full && l->id_len; i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s%s%s", debug_dir(l, &dir), plain, suffixes[i]);
		load_offer(l, strbuf_str(&path), i ? 'u' : 'f', false);
	}
	free(plain);
	strbuf_release(&path);
	strbuf_release(&dir);
	return l->full && l->runtime;
}

/* tried even if the cache has the program: its copy may have been stripped */
bool src_file(struct load *l)
{
	if (!l->full || !l->runtime)
		offer_file(l);
	return l->full && l->runtime;
}

static bool offer_map(void *ctx, const struct proc_map *m)
{
	struct load *l = ctx;
	struct strbuf path = STRBUF_INIT;

	if (!strcmp(m->path, l->dso->long_name))
		load_offer(l, proc_map_link(l->dso->pid, m, &path), 'd', true);
	strbuf_release(&path);
	return !l->runtime;
}

/*
 * objects that still exist in a process's memory: deleted libraries and those without a file. Only root may
 * read there
 */
static void offer_mapped(struct load *l)
{
	if (l->dso->long_name[0] == '/')
		map_lines_each(l->dso->pid, offer_map, l);
}

/* for containers and deleted files, as long as the process lives */
bool src_proc_root(struct load *l)
{
	const struct dso *dso = l->dso;
	struct strbuf path = STRBUF_INIT;
	char *plain;

	if (l->runtime || dso->pid <= 0 || !l->s->opts.is_local)
		return l->full && l->runtime;
	plain = load_plain_path(dso);
	if (plain[0] == '/')
		load_offer_recorded(l, fs_path(&path, "/proc/%d/root%s", dso->pid, plain));
	/* a pid may be reused: only the build-id shows that this is the program */
	if (!l->runtime && dso->buildid_len)
		load_offer(l, fs_path(&path, "/proc/%d/exe", dso->pid), 'd', true);
	if (!l->runtime && dso->buildid_len)
		offer_mapped(l);
	free(plain);
	strbuf_release(&path);
	return l->full && l->runtime;
}

bool src_debuginfod(struct load *l)
{
	char *path;

	if (l->full || !l->s->opts.debuginfod || !l->id_len)
		return false;
	path = debuginfod_fetch(&l->s->debuginfod, l->s->opts.debuginfod_seconds, l->id,
				l->id_len);
	if (path)
		load_offer(l, path, 'f', false);
	l->out->tab.fetched = l->full != NULL;
	if (path && !l->full)
		debuginfod_note_unusable(&l->s->debuginfod);
	if (!path)
		load_tried(l, WHY_ABSENT, "no debuginfod server gave its debug file");
	free(path);
	return l->full && l->runtime;
}
