/* Build: applies side-band records in the order of time, then freezes the machine. */
#include "machine-private.h"
#include "../base/progress.h"
#include "../base/timesort.h"
#include "../event/record.h"
#include "../obj/guest-maps.h"

#include <string.h>
#include <sys/mman.h>

static void add_map(struct machine *w, u32 maps, const struct map *m)
{
	vec_push(&w->map, *m);
	maps_add_map(w, maps, w->map.nr - 1);
}

/*
 * Records describe the kernel image up to _etext; code that runs at boot is after it, and ends the call
 * chains of idle tasks. So the map reaches as far as symbols could, but not into another map.
 */
static u64 kernel_image_end(const struct machine *w, const struct map *m)
{
	const struct maps *s = &w->maps.v[MAPS_KERNEL];
	u64 end = m->end + MIN(64ull << 20, UINT64_MAX - m->end);

	for (u32 i = 0; i < s->nr_own; i++) {
		const struct map *other = &w->map.v[s->own[i]];

		if (other->start >= m->end && other->dso != m->dso)
			end = MIN(end, other->start);
	}
	return end;
}

static void add_kernel_map(struct machine *w, struct map *m, const struct dso_key *key)
{
	struct dso *d;

	m->dso = dsos_get(w, key);
	d = dso_mut(w, m->dso);
	if ((d->kind == DSO_KERNEL || d->kind == DSO_GUEST_KERNEL) && d->text_start == UINT64_MAX)
		d->ref_reloc_addr = m->pgoff;
	d->map_size = MAX(d->map_size, m->end - m->start);
	if (d->kind == DSO_KERNEL)
		m->end = kernel_image_end(w, m);
	d->moved |= d->text_start != UINT64_MAX && d->text_start != m->start;
	d->text_start = MIN(d->text_start, m->start);
	d->text_end = MAX(d->text_end, m->end);
	add_map(w, key->cpumode == CPUMODE_KERNEL ? MAPS_KERNEL : MAPS_GUEST_KERNEL, m);
}

/*
 * The kernel gives the vdso of 32-bit programs the same name, but it is another file. It is mapped below 4 GB
 * in 32-bit programs, and far above in 64-bit programs.
 */
static bool is_vdso32(const struct machine *w, const struct map *m, const struct dso_key *key)
{
	return m->end <= 1ull << 32 && !strcmp(key->name, "[vdso]") && w->feat && w->feat->arch &&
	       arch_is_64bit(w->feat);
}

static void add_user_map(struct machine *w, struct map *m, struct dso_key *key, s32 tid, struct when now)
{
	const struct thread *t = threads_get(w, key->pid, tid, now);
	u32 maps = t->maps;
	struct dso *d;

	if (is_vdso32(w, m, key))
		key->name = "[vdso32]";
	key->mnt_ns = w->maps.v[maps].mnt_ns;
	if (moved_text_find(w, maps, key, m)) {
		add_map(w, maps, m);
		return;
	}
	m->dso = dsos_get(w, key);
	d = dso_mut(w, m->dso);
	d->text_start = MIN(d->text_start, m->start);
	d->text_end = MAX(d->text_end, m->end);
	if (m->prot & PROT_EXEC)
		d->map_size = MAX(d->map_size, m->end - m->start);
	add_map(w, maps, m);
	moved_text_added(w, maps, w->map.nr - 1);
}

/* what both kinds of MMAP records have; the caller sets the rest of m and key */
static void apply_map(struct machine *w, const struct rec *r, struct when now, struct map *m,
		      struct dso_key *key, s32 tid, u64 len)
{
	bool wraps = m->start + len < m->start;

	m->from = now;
	m->end = wraps ? UINT64_MAX : m->start + len;
	key->cpumode = r->misc & MISC_CPUMODE_MASK;
	key->prot = m->prot;
	key->flags = m->flags;
	if (m->end == m->start)
		return;		/* an empty map: written for guest kernels without symbols */
	if (key->cpumode == CPUMODE_KERNEL || key->cpumode == CPUMODE_GUEST_KERNEL)
		add_kernel_map(w, m, key);
	else if (wraps)
		diag_count(w->diag, DIAG_BAD_MAP, r->off);
	else
		add_user_map(w, m, key, tid, now);
}

static void apply_mmap(struct machine *w, const struct rec *r, const struct record_view *v, struct when now)
{
	const struct rec_mmap_view *p = &v->mmap;
	struct map m = { .start = p->addr, .pgoff = p->pgoff,
			 .prot = r->misc & MISC_MMAP_DATA ? 0 : PROT_EXEC };
	struct dso_key key = { .pid = p->pid, .name = p->filename };

	apply_map(w, r, now, &m, &key, p->tid, p->len);
}

static void apply_mmap2(struct machine *w, const struct rec *r, const struct record_view *v, struct when now)
{
	const struct rec_mmap2_view *p = &v->mmap2;
	const struct rec_file_id *f = &p->file;
	struct map m = { .start = p->addr, .pgoff = p->pgoff, .prot = p->prot, .flags = p->flags,
			 .is_mmap2 = true, .maj = f->maj, .min = f->min, .ino = f->ino, .ino_gen = f->gen };
	struct dso_key key = { .pid = p->pid, .name = p->filename, .maj = f->maj, .min = f->min,
			       .ino = f->ino, .ino_gen = f->gen, .buildid_len = f->id_len };

	if (f->id_len)
		memcpy(key.buildid, f->id, f->id_len);
	apply_map(w, r, now, &m, &key, p->tid, p->len);
}

static void apply_comm(struct machine *w, const struct rec *r, const struct record_view *v, struct when now)
{
	threads_comm(w, v->comm.pid, v->comm.tid, v->comm.comm, r->misc & MISC_COMM_EXEC, now);
}

static void apply_exit(struct machine *w, const struct rec *r, const struct record_view *v, struct when now)
{
	threads_exit(w, v->task.tid, now);
}

static void apply_fork(struct machine *w, const struct rec *r, const struct record_view *v, struct when now)
{
	const struct rec_task_view *t = &v->task;

	/* recorders mark the fork records that they synthesize for processes that called exec long before */
	threads_fork(w, t->pid, t->ppid, t->tid, t->ptid, r->misc & MISC_FORK_EXEC, now);
}

static void apply_ksymbol(struct machine *w, const struct rec *r, const struct record_view *v,
			  struct when now)
{
	enum { FLAG_UNREGISTER = 1 };
	const struct rec_ksymbol_view *k = &v->ksymbol;
	struct map m = {
		.from = now,
		.start = k->addr, .end = k->addr + k->len, .prot = PROT_READ | PROT_EXEC, .dso = ID_NONE,
	};
	struct dso *d;

	if (m.end <= m.start) {
		diag_count(w->diag, DIAG_BAD_MAP, r->off);
		return;
	}
	if (!(k->flags & FLAG_UNREGISTER)) {	/* otherwise an empty map hides it from now on */
		m.dso = dsos_get_ksymbol(w, k->name);
		d = dso_mut(w, m.dso);
		d->text_start = m.start;
		d->text_end = m.end;
	}
	add_map(w, MAPS_KERNEL, &m);
}

static void apply_namespaces(struct machine *w, const struct rec *r, const struct record_view *v,
			     struct when now)
{
	enum { MNT = 5, CGROUP = 6, DEV = 0, INO = 8 };
	const struct rec_namespaces_view *n = &v->namespaces;
	struct maps *maps;

	if (n->nr <= MNT)
		return;
	if (n->links.nr < MIN(n->nr, CGROUP + 1ull)) {
		diag_count_record(w->diag, DIAG_TRUNCATED_RECORD, r->off, record_name(r->type));
		return;
	}
	/* may add an element to maps, which moves them all */
	maps = &w->maps.v[threads_get(w, n->pid, n->tid, now)->maps];
	maps->mnt_ns = rec_row_u64(&n->links, MNT, INO);
	maps->cgroup_ns = 0;
	if (n->nr > CGROUP)
		maps->cgroup_ns = rec_row_u64(&n->links, CGROUP, DEV) << 32 |
				  (u32)rec_row_u64(&n->links, CGROUP, INO);
}

static void apply_cgroup(struct machine *w, const struct rec *r, const struct record_view *v, struct when now)
{
	const char *path = arena_strdup(&w->arena, v->cgroup.path);
	u64 id = v->cgroup.id;

	vec_find_or_add(&w->cgroups, &w->cgroup_idx, hash_u64(id), g, g->id == id,
			(struct cgroup_row){ .id = id })->path = path;
}

/* an entry of the header's table as a record: the only form in pipes */
static void apply_build_id(struct machine *w, const struct rec *r, const struct record_view *v,
			   struct when now)
{
	struct buildid_entry e;

	buildid_entry_of(&e, &w->arena, v);
	dsos_add_buildid(w, &e);
}

/* what to do with each record that is SIDE_BAND in records.def */
static void (*const appliers[REC_TYPE_MAX])(struct machine *w, const struct rec *r,
					    const struct record_view *v, struct when now) = {
	[REC_MMAP] = apply_mmap,
	[REC_MMAP2] = apply_mmap2,
	[REC_COMM] = apply_comm,
	[REC_FORK] = apply_fork,
	[REC_EXIT] = apply_exit,
	[REC_KSYMBOL] = apply_ksymbol,
	[REC_NAMESPACES] = apply_namespaces,
	[REC_CGROUP] = apply_cgroup,
	[REC_BUILD_ID] = apply_build_id,
};

static void apply(struct machine *w, const struct rec *r, struct when now)
{
	struct record_view v;

	if (!record_is_side_band(r->type))
		return;
	if (record_decode(r, &v) < 0)
		diag_count_record(w->diag, DIAG_TRUNCATED_RECORD, r->off, record_name(r->type));
	else
		appliers[r->type](w, r, &v, now);
}

static void apply_all(struct machine *w, const struct sideband *sb)
{
	struct time_ref *refs = xmalloc(2 * MAX(sb->recs.nr, 1ul) * sizeof(*refs));

	progress_at("following processes and maps");
	for (size_t i = 0; i < sb->recs.nr; i++)
		refs[i] = (struct time_ref){ sb->times.v[i], i };
	time_sort(refs, sb->recs.nr, refs + sb->recs.nr);
	for (size_t i = 0; i < sb->recs.nr; i++) {
		const struct rec *r = &sb->recs.v[refs[i].ref];

		progress_count(i, sb->recs.nr);
		apply(w, r, (struct when){ refs[i].time, r->off });
	}
	free(refs);
}

static bool has_guest_maps(const struct sideband *sb)
{
	for (size_t i = 0; i < sb->recs.nr; i++) {
		const struct rec *r = &sb->recs.v[i];

		if ((r->type == REC_MMAP || r->type == REC_MMAP2) &&
		    (r->misc & MISC_CPUMODE_MASK) == CPUMODE_GUEST_KERNEL)
			return true;
	}
	return false;
}

/* as if they had been recorded at the start */
static void add_guest_maps(struct machine *w)
{
	vec_foreach(w->guest, g) {
		struct dso_key key = { .name = g->name, .cpumode = CPUMODE_GUEST_KERNEL };
		struct map m = { .start = g->start, .end = g->start + g->len, .pgoff = g->pgoff,
				 .prot = PROT_EXEC };

		add_kernel_map(w, &m, &key);
	}
}

static void freeze(struct machine *w)
{
	for (u32 i = 0; i < w->maps.nr; i++)
		maps_freeze(w, &w->maps.v[i]);
	threads_freeze(w);
}

struct machine *machine_new(const struct machine_opts *opts)
{
	struct machine *w = xcalloc(1, sizeof(*w));

	w->feat = opts ? opts->feat : NULL;
	w->guest = opts ? opts->guest : NULL;
	w->grows = opts && opts->grows;
	return w;
}

void machine_fill(struct machine *w, const struct sideband *sb, struct diag *diag)
{
	w->diag = diag;
	for (size_t i = 0; w->feat && i < w->feat->buildids.nr; i++)
		dsos_add_buildid(w, &w->feat->buildids.v[i]);
	for (int i = 0; i < MAPS_FIRST_USER; i++)
		maps_new(w, -1, ID_NONE);
	threads_comm(w, 0, 0, "swapper", false, (struct when){ 0, 0 });
	if (w->guest && !has_guest_maps(sb))
		add_guest_maps(w);
	w->guest = NULL;
	apply_all(w, sb);
	freeze(w);
	w->diag = NULL;
	if (!w->grows) {
		hidx_release(&w->buildid_idx);
		vec_release(&w->buildids);
		w->feat = NULL;
	}
}

struct machine *machine_build(const struct sideband *sb, const struct machine_opts *opts, struct diag *diag)
{
	struct machine *w = machine_new(opts);

	machine_fill(w, sb, diag);
	return w;
}

void machine_append(struct machine *w, const struct sideband *sb, struct diag *diag)
{
	w->diag = diag;
	apply_all(w, sb);
	freeze(w);
	w->diag = NULL;
}

void machine_free(struct machine *w)
{
	if (!w)
		return;
	vec_foreach(&w->maps, s)
		maps_release(s);
	vec_release(&w->maps);
	vec_release(&w->map);
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
