/* Buildid-table: the build-ids of mapped files. */
#include "buildid-table.h"
#include "vdso-id.h"
#include "../base/fs.h"
#include "../base/progress.h"
#include "../base/strtab.h"
#include "../data/features-write.h"
#include "../event/record.h"
#include "../event/sample.h"

#include <stdlib.h>
#include <sys/mman.h>

static void add(struct features *f, struct strtab *seen, const char *name, u16 misc)
{
	size_t before = seen->str.nr;
	struct buildid_entry e = { .misc = misc & MISC_CPUMODE_MASK, .pid = -1 };
	struct build_id id = { 0 };
	const char *base;

	strtab_add(seen, name);
	if (seen->str.nr == before)
		return;
	if (!strncmp(name, "[kernel.kallsyms]", 17)) {
		build_id_of_kernel(&id);
		name = "[kernel.kallsyms]";
	} else if (e.misc == CPUMODE_KERNEL) {
		/* ".../foo-bar.ko.xz" or "[foo_bar]": the module is foo_bar */
		char *module;

		base = strrchr(name, '/');
		base = base ? base + 1 : name + (*name == '[');
		module = xstrndup(base, strcspn(base, ".]"));
		for (char *p = module; *p; p++)
			if (*p == '-')
				*p = '_';
		build_id_of_module(module, &id);
		free(module);
	} else if (!strcmp(name, "[vdso]")) {
		vdso_build_id(&id, &name);
	} else if (*name == '/' && name[1] != '/') {
		build_id_of_file(name, &id);
	}
	if (!id.len)
		return;
	e.len = id.len;
	memcpy(e.id, id.id, sizeof(e.id));
	e.filename = arena_strdup(&f->buildid_names, name);
	vec_push(&f->buildids, e);
}

/* the file that a record maps as a program; NULL for other records */
static const char *program_of(const struct rec *rec)
{
	struct record_view v;

	if ((rec->type != REC_MMAP && rec->type != REC_MMAP2) || rec->misc & MISC_MMAP_DATA ||
	    record_decode(rec, &v) < 0)
		return NULL;
	return rec->type == REC_MMAP ? v.mmap.filename : v.mmap2.filename;
}

/* bytes that follow an AUXTRACE record */
static u64 payload_of(const u8 *p, u32 size)
{
	struct record_view v;

	return record_decode(&(struct rec){ .p = p, .size = size, .type = REC_AUXTRACE }, &v) < 0 ? 0 :
	       v.auxtrace.size;
}

static void scan(struct features *f, struct strtab *seen, const u8 *start, const u8 *end)
{
	const u8 *p = start;

	progress_at("adding build ids");
	while (end - p >= (ptrdiff_t)sizeof(struct rec_header)) {
		struct rec_header h;
		const char *name;

		memcpy(&h, p, sizeof(h));
		if (h.size < sizeof(h) || h.size > end - p)
			return;
		name = program_of(&(struct rec){ .p = p, .size = h.size, .type = h.type, .misc = h.misc });
		if (name)
			add(f, seen, name, h.misc);
		progress_count(p - start, end - start);
		p += h.size;
		if (h.type == REC_AUXTRACE)
			p += MIN(payload_of(p - h.size, h.size), (u64)(end - p));
	}
}

void buildid_table_gather(struct features *f, int fd, u64 off, u64 size)
{
	u64 start = off & ~((u64)page_size() - 1);
	struct strtab seen = { 0 };
	u8 *map;

	f->buildids.nr = 0;
	arena_reset(&f->buildid_names);
	feature_clear(f, FEAT_BUILD_ID);
	map = mmap(NULL, off + size - start, PROT_READ, MAP_SHARED, fd, start);
	if (map == MAP_FAILED)
		return;
	scan(f, &seen, map + (off - start), map + (off - start) + size);
	munmap(map, off + size - start);
	strtab_release(&seen);
	if (f->buildids.nr)
		feature_set(f, FEAT_BUILD_ID);
}
