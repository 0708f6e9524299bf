/* Build: applies side-band records in order of time, then freezes the world. */
#include "world-priv.h"
#include "../base/progress.h"
#include "../base/timesort.h"

#include <string.h>
#include <sys/mman.h>

static struct cursor body_of(const struct rec *r)
{
	return cursor_of(r->p + sizeof(struct rec_header), r->size - sizeof(struct rec_header), r->swap);
}

static void add_map(struct world *w, u32 space, const struct map *m)
{
	vec_push(&w->maps, *m);
	space_add_map(w, space, w->maps.nr - 1);
}

/*
 * Records give the kernel image up to _etext; code that runs at boot lies behind that, and ends the call chains of idle tasks.
 * As far as symbols could go, but not over what another record says.
 */
static u64 kernel_image_end(const struct world *w, const struct map *m)
{
	const struct space *s = &w->spaces.v[SPACE_KERNEL];
	u64 end = m->end + MIN(64ull << 20, UINT64_MAX - m->end);

	for (u32 i = 0; i < s->nr_own; i++) {
		const struct map *other = &w->maps.v[s->own[i]];

		if (other->start >= m->end && other->dso != m->dso)
			end = MIN(end, other->start);
	}
	return end;
}

static void add_kernel_map(struct world *w, struct map *m, const struct dso_key *key)
{
	struct dso *d;

	m->dso = dsos_get(w, key);
	d = dso_mut(w, m->dso);
	if ((d->kind == DSO_KERNEL || d->kind == DSO_GUEST_KERNEL) && d->text_start == UINT64_MAX)
		d->ref_reloc_addr = m->pgoff;
	if (d->kind == DSO_KERNEL)
		m->end = kernel_image_end(w, m);
	d->text_start = MIN(d->text_start, m->start);
	d->text_end = MAX(d->text_end, m->end);
	add_map(w, key->cpumode == CPUMODE_KERNEL ? SPACE_KERNEL : SPACE_GUEST_KERNEL, m);
}

/*
 * The kernel calls the vdso of 32-bit programs by the same name, but it is another file; what maps it lies below 4 GB there, and
 * nowhere near in 64-bit programs.
 */
static bool is_vdso32(const struct world *w, const struct map *m, const struct dso_key *key)
{
	return m->end <= 1ull << 32 && !strcmp(key->name, "[vdso]") && w->feat && w->feat->arch && arch_is_64bit(w->feat);
}

static void add_user_map(struct world *w, struct map *m, struct dso_key *key, s32 tid, struct when now)
{
	const struct thread *t = threads_get(w, key->pid, tid, now);
	u32 space = t->space;
	struct dso *d;

	if (is_vdso32(w, m, key))
		key->name = "[vdso32]";
	key->mnt_ns = w->spaces.v[space].mnt_ns;
	m->dso = dsos_get(w, key);
	d = dso_mut(w, m->dso);
	d->text_start = MIN(d->text_start, m->start);
	d->text_end = MAX(d->text_end, m->end);
	if (m->prot & PROT_EXEC)
		d->map_size = MAX(d->map_size, m->end - m->start);
	add_map(w, space, m);
}

/* MMAP2: u32 maj, min; u64 ino, ino_generation; or, with the bit in misc, u8 size, 3 bytes, 20 bytes of build-id */
static void read_object_id(struct cursor *c, const struct rec *r, struct map *m, struct dso_key *key)
{
	const u8 *p = c->p;

	m->maj = cursor_u32(c);
	m->min = cursor_u32(c);
	m->ino = cursor_u64(c);
	m->ino_gen = cursor_u64(c);
	/* some kernels leak the bit into records that hold an inode: no build-id is that long, or that short, then */
	if (!c->bad && r->misc & MISC_MMAP_BUILD_ID && p[0] && p[0] <= BUILDID_MAX) {
		key->buildid_len = p[0];
		memcpy(key->buildid, p + 4, key->buildid_len);
		m->maj = m->min = 0;
		m->ino = m->ino_gen = 0;
	}
	key->maj = m->maj;
	key->min = m->min;
	key->ino = m->ino;
	key->ino_gen = m->ino_gen;
}

/* MMAP and MMAP2: u32 pid, tid; u64 addr, len, pgoff; [MMAP2: object id; u32 prot, flags]; char filename[] */
static void apply_mmap(struct world *w, const struct rec *r, struct when now)
{
	struct cursor c = body_of(r);
	struct map m = { .from_time = now.time, .from_off = now.off, .to_time = UINT64_MAX, .to_off = UINT64_MAX };
	struct dso_key key = { .cpumode = r->misc & MISC_CPUMODE_MASK };
	s32 tid;
	u64 len;

	key.pid = cursor_u32(&c);
	tid = cursor_u32(&c);
	m.start = cursor_u64(&c);
	len = cursor_u64(&c);
	m.pgoff = cursor_u64(&c);
	m.prot = r->misc & MISC_MMAP_DATA ? 0 : PROT_EXEC;
	m.is_mmap2 = r->type == REC_MMAP2;
	if (m.is_mmap2) {
		read_object_id(&c, r, &m, &key);
		m.prot = cursor_u32(&c);
		m.flags = cursor_u32(&c);
	}
	key.prot = m.prot;
	key.flags = m.flags;
	key.name = cursor_str(&c, cursor_left(&c));
	if (c.bad || !key.name) {
		diag_count(w->diag, DIAG_TRUNCATED_RECORD, r->off);
		return;
	}
	m.end = m.start + len < m.start ? UINT64_MAX : m.start + len;
	if (m.end == m.start)
		return;		/* a map of nothing: guest kernels without symbols write them */
	if (key.cpumode == CPUMODE_KERNEL || key.cpumode == CPUMODE_GUEST_KERNEL) {
		add_kernel_map(w, &m, &key);
	} else if (m.start + len < m.start) {
		diag_count(w->diag, DIAG_BAD_MAP, r->off);
	} else {
		add_user_map(w, &m, &key, tid, now);
	}
}

/* u32 pid, tid; char comm[] */
static void apply_comm(struct world *w, const struct rec *r, struct when now)
{
	struct cursor c = body_of(r);
	s32 pid = cursor_u32(&c), tid = cursor_u32(&c);
	const char *comm = cursor_str(&c, cursor_left(&c));

	if (!comm)
		diag_count(w->diag, DIAG_TRUNCATED_RECORD, r->off);
	else
		threads_comm(w, pid, tid, comm, r->misc & MISC_COMM_EXEC, now);
}

/* FORK and EXIT: u32 pid, ppid, tid, ptid; u64 time */
static void apply_task(struct world *w, const struct rec *r, struct when now)
{
	struct cursor c = body_of(r);
	s32 pid = cursor_u32(&c), ppid = cursor_u32(&c), tid = cursor_u32(&c), ptid = cursor_u32(&c);

	if (c.bad)
		diag_count(w->diag, DIAG_TRUNCATED_RECORD, r->off);
	else if (r->type == REC_EXIT)
		threads_exit(w, tid, now);
	else
		/* recorders mark the fork records that they make up for processes that exec'd long ago */
		threads_fork(w, pid, ppid, tid, ptid, r->misc & MISC_FORK_EXEC, now);
}

/* u64 addr; u32 len; u16 type, flags; char name[] */
static void apply_ksymbol(struct world *w, const struct rec *r, struct when now)
{
	enum { TYPE_BPF = 1, FLAG_UNREGISTER = 1 };
	struct cursor c = body_of(r);
	struct map m = {
		.from_time = now.time, .from_off = now.off, .to_time = UINT64_MAX, .to_off = UINT64_MAX,
		.prot = PROT_READ | PROT_EXEC, .dso = WORLD_NONE,
	};
	u16 flags;
	const char *name;
	struct dso *d;

	m.start = cursor_u64(&c);
	m.end = m.start + cursor_u32(&c);
	cursor_u16(&c);
	flags = cursor_u16(&c);
	name = cursor_str(&c, cursor_left(&c));
	if (!name) {
		diag_count(w->diag, DIAG_TRUNCATED_RECORD, r->off);
		return;
	}
	if (m.end <= m.start) {
		diag_count(w->diag, DIAG_BAD_MAP, r->off);
		return;
	}
	if (!(flags & FLAG_UNREGISTER)) {	/* else a map of nothing hides it from now on */
		m.dso = dsos_get_ksymbol(w, name);
		d = dso_mut(w, m.dso);
		d->text_start = m.start;
		d->text_end = m.end;
	}
	add_map(w, SPACE_KERNEL, &m);
}

/* u32 pid, tid; u64 nr; { u64 dev, inode; } link[]: net, uts, ipc, pid, user, mnt, cgroup */
static void apply_namespaces(struct world *w, const struct rec *r, struct when now)
{
	enum { MNT = 5, CGROUP = 6 };
	struct cursor c = body_of(r);
	s32 pid = cursor_u32(&c), tid = cursor_u32(&c);
	u64 nr = cursor_u64(&c), ino, cgroup_dev = 0, cgroup_ino = 0;
	u32 space;

	if (nr <= MNT)
		return;
	cursor_skip(&c, MNT * 16 + 8);
	ino = cursor_u64(&c);
	if (nr > CGROUP) {
		cgroup_dev = cursor_u64(&c);
		cgroup_ino = cursor_u64(&c);
	}
	if (c.bad) {
		diag_count(w->diag, DIAG_TRUNCATED_RECORD, r->off);
		return;
	}
	space = threads_get(w, pid, tid, now)->space;	/* may add a space, and so move them all */
	w->spaces.v[space].mnt_ns = ino;
	w->spaces.v[space].cgroup_ns = cgroup_dev << 32 | (u32)cgroup_ino;
}

/* u64 id; char path[] */
static void apply_cgroup(struct world *w, const struct rec *r, struct when now)
{
	struct cursor c = body_of(r);
	u64 id = cursor_u64(&c);
	const char *path = cursor_str(&c, cursor_left(&c));
	u32 i;

	(void)now;
	if (!path) {
		diag_count(w->diag, DIAG_TRUNCATED_RECORD, r->off);
		return;
	}
	path = arena_strdup(&w->arena, path);
	HIDX_FOREACH(&w->cgroup_idx, hash_u64(id), i) {
		if (w->cgroups.v[i].id == id) {
			w->cgroups.v[i].path = path;
			return;
		}
	}
	hidx_insert(&w->cgroup_idx, hash_u64(id), w->cgroups.nr);
	vec_push(&w->cgroups, (struct cgroup_row){ id, path });
}

/* an entry of the header's table, in the stream: its only place in pipes */
static void apply_build_id(struct world *w, const struct rec *r, struct when now)
{
	struct buildid_entry e;

	(void)now;
	if (buildid_decode(&e, &w->arena, r))
		dsos_add_buildid(w, &e);
	else
		diag_count(w->diag, DIAG_TRUNCATED_RECORD, r->off);
}

/* BPF_EVENT and TEXT_POKE are not here: KSYMBOL has said where programs are, and code bytes are nobody's business yet */
static void (*const appliers[REC_TYPE_MAX])(struct world *w, const struct rec *r, struct when now) = {
	[REC_MMAP] = apply_mmap,
	[REC_MMAP2] = apply_mmap,
	[REC_COMM] = apply_comm,
	[REC_FORK] = apply_task,
	[REC_EXIT] = apply_task,
	[REC_KSYMBOL] = apply_ksymbol,
	[REC_NAMESPACES] = apply_namespaces,
	[REC_CGROUP] = apply_cgroup,
	[REC_HEADER_BUILD_ID] = apply_build_id,
};

bool world_wants(u32 rec_type)
{
	return rec_type < REC_TYPE_MAX && appliers[rec_type];
}

static void apply_all(struct world *w, const struct sideband *sb)
{
	struct time_ref *refs = xmalloc(2 * MAX(sb->recs.nr, 1ul) * sizeof(*refs));

	progress_at("following processes and maps");
	for (size_t i = 0; i < sb->recs.nr; i++)
		refs[i] = (struct time_ref){ sb->times.v[i], i };
	time_sort(refs, sb->recs.nr, refs + sb->recs.nr);
	for (size_t i = 0; i < sb->recs.nr; i++) {
		const struct rec *r = &sb->recs.v[refs[i].ref];

		progress_count(i, sb->recs.nr);
		if (world_wants(r->type) && r->size >= sizeof(struct rec_header))
			appliers[r->type](w, r, (struct when){ refs[i].time, r->off });
	}
	free(refs);
}

static void freeze(struct world *w)
{
	for (u32 i = 0; i < w->spaces.nr; i++)
		space_freeze(w, &w->spaces.v[i]);
	threads_freeze(w);
}

struct world *world_build(const struct sideband *sb, const struct world_opts *opts, struct diag *diag)
{
	struct world *w = xcalloc(1, sizeof(*w));

	w->feat = opts ? opts->feat : NULL;
	w->grows = opts && opts->grows;
	w->diag = diag;
	for (size_t i = 0; w->feat && i < w->feat->buildids.nr; i++)
		dsos_add_buildid(w, &w->feat->buildids.v[i]);
	for (int i = 0; i < SPACE_FIRST_USER; i++)
		space_new(w, -1, WORLD_NONE);
	threads_comm(w, 0, 0, "swapper", false, (struct when){ 0, 0 });
	apply_all(w, sb);
	freeze(w);
	w->diag = NULL;
	if (!w->grows) {
		hidx_release(&w->buildid_idx);
		vec_release(&w->buildids);
		w->feat = NULL;
	}
	return w;
}

void world_append(struct world *w, const struct sideband *sb, struct diag *diag)
{
	w->diag = diag;
	apply_all(w, sb);
	freeze(w);
	w->diag = NULL;
}

void world_free(struct world *w)
{
	if (!w)
		return;
	vec_foreach(&w->spaces, s)
		space_release(s);
	vec_release(&w->spaces);
	vec_release(&w->maps);
	vec_release(&w->threads);
	free(w->by_tid);
	free(w->comm_spans);
	vec_release(&w->slots);
	hidx_release(&w->slot_idx);
	vec_release(&w->comm_rows);
	vec_release(&w->comm_now);
	vec_release(&w->cgroups);
	hidx_release(&w->cgroup_idx);
	hidx_release(&w->buildid_idx);
	vec_release(&w->buildids);
	strtab_release(&w->names);
	strtab_release(&w->comms);
	dsos_release(&w->dsos);
	arena_release(&w->arena);
	free(w);
}
