/*
 * Map-ids: build-ids inside the records of maps. MMAP2 has room for a build-id in place of device and inode;
 * MMAP becomes MMAP2. Maps of the kernel stay as they are: their build-ids belong into the table.
 */
#include "ids.h"
#include "../data/features-write.h"
#include "../event/record.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* of MMAP and MMAP2: header, pid, tid, address, length, offset in the file */
#define MAP_FIXED_PART 40u
/* of MMAP2, after that: device, inode, generation or a build-id; protection, flags */
#define MMAP2_FILE_ID 24u

int map_ids_start(struct inject *in, struct err *err)
{
	int ret = inject_ids_get(in, err);

	vec_foreach(&in->set->ev, ev)
		if (!ret && (*ev)->attr.flags & (ATTR_MMAP | ATTR_MMAP2))
			(*ev)->attr.flags |= ATTR_MMAP | ATTR_MMAP2 | ATTR_BUILD_ID;
	return ret;
}

/* the dso that the record maps; ID_NONE: none, or not a user's */
static u32 mapped_dso(const struct inject *in, const struct record_view *v, u64 time, u64 off)
{
	const struct session *s = in->session;
	bool mmap2 = v->type == REC_MMAP2;
	s32 pid = mmap2 ? v->mmap2.pid : v->mmap.pid, tid = mmap2 ? v->mmap2.tid : v->mmap.tid;
	u64 addr = mmap2 ? v->mmap2.addr : v->mmap.addr;
	/* a moment after the record */
	struct when when = { s->has_time ? time : off, off + 1 };
	struct sample_ctx ctx = machine_sample_ctx(s->machine, pid, tid, when);
	struct loc loc = machine_locate(s->machine, &ctx, CPUMODE_USER, addr);
	const struct dso *d = dsos_at(machine_dsos(s->machine), loc.dso);

	if (!d || (d->kind != DSO_USER && d->kind != DSO_VDSO))
		return ID_NONE;
	return strcmp(d->long_name, mmap2 ? v->mmap2.filename : v->mmap.filename) ? ID_NONE : loc.dso;
}

static void put_map(struct strbuf *out, const struct rec *rec, const struct build_id *id)
{
	bool mmap2 = rec->type == REC_MMAP2;
	u32 rest = mmap2 ? MAP_FIXED_PART + MMAP2_FILE_ID : MAP_FIXED_PART;

	put_u32(out, REC_MMAP2);
	put_u16(out, rec->misc | MISC_MMAP_BUILD_ID);
	put_u16(out, rec->size + (mmap2 ? 0 : MMAP2_FILE_ID + 8));
	strbuf_add(out, rec->p + 8, MAP_FIXED_PART - 8);
	strbuf_addch(out, id->len);
	strbuf_pad(out, '\0', 3);
	strbuf_add(out, id->id, id->len);
	strbuf_pad(out, '\0', BUILDID_MAX - id->len);
	if (!mmap2) {
		put_u32(out, PROT_READ | (rec->misc & MISC_MMAP_DATA ? 0 : PROT_EXEC));
		put_u32(out, MAP_PRIVATE);
	}
	strbuf_add(out, rec->p + rest, rec->size - rest);
}

int map_ids_record(struct inject *in, const struct rec *rec, u64 time)
{
	const struct build_id *id;
	struct record_view v;
	u32 dso;

	if ((rec->type != REC_MMAP && rec->type != REC_MMAP2) ||
	    (rec->misc & MISC_CPUMODE_MASK) != CPUMODE_USER ||
	    rec->size > UINT16_MAX - MMAP2_FILE_ID - 8 || record_decode(rec, &v))
		return 1;
	if (!time && in->session->has_time)
		sample_time(in->session->data->plan, rec, &time);
	dso = mapped_dso(in, &v, time, rec->off);
	id = dso == ID_NONE ? NULL : inject_ids_of(in, dso, in->opts->maps);
	if (!id)
		return 1;
	put_map(&in->buf, rec, id);
	return inject_flush(in);
}

void map_ids_end(struct inject *in)
{
	inject_ids_put(in);
}
