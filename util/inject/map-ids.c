/*
 * Map-ids: build-ids inside the records of maps. MMAP2 has room for a build-id in place of device and inode;
 * MMAP becomes MMAP2. Maps of the kernel are unchanged: their build-ids belong in the table.
 */
#include "ids.h"
#include "../data/features-write.h"
#include "../event/record-put.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

int map_ids_start(struct inject *in, struct err *err)
{
	int ret = inject_ids_get(in, err);

	vec_foreach(&in->set->ev, ev)
		if (!ret && (*ev)->attr.flags & (ATTR_MMAP | ATTR_MMAP2))
			(*ev)->attr.flags |= ATTR_MMAP | ATTR_MMAP2 | ATTR_BUILD_ID;
	return ret;
}

/* the dso that the record maps; ID_NONE: none, or not a user's */
static u32 mapped_dso(const struct inject *in, const struct record_map *map, u64 time, u64 off)
{
	const struct session *s = in->session;
	/* a moment after the record */
	struct when when = { s->has_time ? time : off, off + 1 };
	struct sample_ctx ctx = machine_sample_ctx(s->machine, map->pid, map->tid, when);
	struct loc loc = machine_locate(s->machine, &ctx, CPUMODE_USER, map->addr);
	const struct dso *d = dsos_at(machine_dsos(s->machine), loc.dso);

	if (!d || (d->kind != DSO_USER && d->kind != DSO_VDSO))
		return ID_NONE;
	return strcmp(d->long_name, map->filename) ? ID_NONE : loc.dso;
}

/* the record as MMAP2 with that build-id; 0: it was written, 1: it cannot be, or a negative errno */
static int write_map(struct inject *in, const struct rec *rec, const struct record_view *v,
		     const struct record_map *map, const struct build_id *id)
{
	u32 trailer = inject_trailer_size(in);
	struct record_view with = *v;

	if (record_min_size(rec->type) + trailer > rec->size)
		return 1;
	if (v->type == REC_MMAP) {
		with.type = REC_MMAP2;
		with.mmap2 = (struct rec_mmap2_view){
			.pid = map->pid, .tid = map->tid, .addr = map->addr, .len = map->len,
			.pgoff = map->pgoff, .filename = map->filename, .flags = MAP_PRIVATE,
			.prot = PROT_READ | (v->misc & MISC_MMAP_DATA ? 0 : PROT_EXEC) };
	}
	with.misc |= MISC_MMAP_BUILD_ID;
	with.mmap2.file = (struct rec_file_id){ .is_build_id = true, .id_len = id->len, .id = id->id };
	return record_put(&in->buf, &with, rec->p + rec->size - trailer, trailer) ? inject_flush(in) : 1;
}

int map_ids_record(struct inject *in, const struct rec *rec, u64 time)
{
	const struct build_id *id;
	struct record_view v;
	struct record_map map;
	u32 dso;

	if ((rec->type != REC_MMAP && rec->type != REC_MMAP2) ||
	    (rec->misc & MISC_CPUMODE_MASK) != CPUMODE_USER || record_decode(rec, &v) ||
	    !record_map_of(&v, &map))
		return 1;
	if (!time && in->session->has_time)
		sample_time(in->session->data->plan, rec, &time);
	dso = mapped_dso(in, &map, time, rec->off);
	id = dso == ID_NONE ? NULL : inject_ids_of(in, dso, in->opts->maps);
	return id ? write_map(in, rec, &v, &map, id) : 1;
}

void map_ids_end(struct inject *in)
{
	inject_ids_put(in);
}
