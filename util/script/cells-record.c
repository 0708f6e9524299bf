/* Lines as cells: what side-band records say, as a group of cells. One row per type that script can show. */
#include "script.h"

#include <sys/mman.h>
#include "../event/record.h"

struct record_cells {
	struct line_worker *w;
	const struct stream_format *f;
	const struct record_view *v;
	const struct sample_ctx *at;
	struct strbuf *out;
};

static void put_task_ids(struct record_cells *x, s32 pid, s32 tid)
{
	stream_signed(x->f, x->out, "pid", pid);
	stream_signed(x->f, x->out, "tid", tid);
}

static void put_comm(struct record_cells *x)
{
	put_task_ids(x, x->v->comm.pid, x->v->comm.tid);
	stream_text(x->f, x->out, "comm", x->v->comm.comm);
	stream_bool(x->f, x->out, "exec", x->v->misc & MISC_COMM_EXEC);
}

static void put_task(struct record_cells *x)
{
	put_task_ids(x, x->v->task.pid, x->v->task.tid);
	stream_signed(x->f, x->out, "ppid", x->v->task.ppid);
	stream_signed(x->f, x->out, "ptid", x->v->task.ptid);
}

static void put_range(struct record_cells *x, u64 addr, u64 len, u64 pgoff)
{
	stream_address(x->f, x->out, "addr", addr);
	stream_number(x->f, x->out, "len", len);
	stream_address(x->f, x->out, "pgoff", pgoff);
}

static void put_mmap(struct record_cells *x)
{
	const struct rec_mmap_view *m = &x->v->mmap;

	put_task_ids(x, m->pid, m->tid);
	put_range(x, m->addr, m->len, m->pgoff);
	stream_bool(x->f, x->out, "data", x->v->misc & MISC_MMAP_DATA);
	stream_text(x->f, x->out, "filename", m->filename);
}

static void put_hex(struct record_cells *x, const char *key, const u8 *p, u64 len)
{
	strbuf_reset(&x->w->cell_text);
	for (u64 i = 0; i < len; i++)
		strbuf_add_hex(&x->w->cell_text, p[i], 2, '0');
	stream_text(x->f, x->out, key, strbuf_str(&x->w->cell_text));
}

static void put_mmap2(struct record_cells *x)
{
	const struct rec_mmap2_view *m = &x->v->mmap2;
	char prot[5] = "----";

	put_task_ids(x, m->pid, m->tid);
	put_range(x, m->addr, m->len, m->pgoff);
	if (m->file.is_build_id) {
		put_hex(x, "build-id", m->file.id, m->file.id_len);
	} else {
		stream_number(x->f, x->out, "major", m->file.maj);
		stream_number(x->f, x->out, "minor", m->file.min);
		stream_number(x->f, x->out, "inode", m->file.ino);
		stream_number(x->f, x->out, "generation", m->file.gen);
	}
	prot[0] = m->prot & PROT_READ ? 'r' : '-';
	prot[1] = m->prot & PROT_WRITE ? 'w' : '-';
	prot[2] = m->prot & PROT_EXEC ? 'x' : '-';
	prot[3] = m->flags & MAP_SHARED ? 's' : 'p';
	stream_text(x->f, x->out, "prot", prot);
	stream_text(x->f, x->out, "filename", m->filename);
}

static void put_switch(struct record_cells *x)
{
	bool away = x->v->misc & MISC_SWITCH_OUT;

	stream_bool(x->f, x->out, "out", away);
	stream_bool(x->f, x->out, "preempt", away && x->v->misc & MISC_SWITCH_OUT_PREEMPT);
	if (x->v->type == REC_SWITCH)
		return;
	stream_signed(x->f, x->out, away ? "next-pid" : "prev-pid", x->v->pid_tid.pid);
	stream_signed(x->f, x->out, away ? "next-tid" : "prev-tid", x->v->pid_tid.tid);
}

static void put_namespaces(struct record_cells *x)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	const struct rec_namespaces_view *n = &x->v->namespaces;

	put_task_ids(x, n->pid, n->tid);
	x->f->begin_rows(x->out, "namespaces");
	for (u64 i = 0; i < n->links.nr; i++) {
		if (i)
			x->f->next_row(x->out);
		x->f->begin_row(x->out);
		stream_text(x->f, x->out, "name", i < ARRAY_SIZE(names) ? names[i] : "unknown");
		stream_number(x->f, x->out, "device", rec_row_u64(&n->links, i, 0));
		stream_number(x->f, x->out, "inode", rec_row_u64(&n->links, i, 8));
		x->f->end_row(x->out);
	}
	x->f->end_rows(x->out);
}

static void put_lost(struct record_cells *x)
{
	stream_number(x->f, x->out, "id", x->v->lost.id);
	stream_number(x->f, x->out, "lost", x->v->lost.lost);
}

static void put_ksymbol(struct record_cells *x)
{
	const struct rec_ksymbol_view *k = &x->v->ksymbol;

	stream_address(x->f, x->out, "addr", k->addr);
	stream_number(x->f, x->out, "len", k->len);
	stream_number(x->f, x->out, "ksym-type", k->ksym_type);
	stream_address(x->f, x->out, "flags", k->flags);
	stream_text(x->f, x->out, "name", k->name);
}

static void put_bpf_event(struct record_cells *x)
{
	const struct rec_bpf_event_view *b = &x->v->bpf_event;

	stream_number(x->f, x->out, "bpf-type", b->bpf_type);
	stream_number(x->f, x->out, "flags", b->flags);
	stream_number(x->f, x->out, "id", b->id);
	put_hex(x, "tag", b->tag, 8);
}

static void put_cgroup(struct record_cells *x)
{
	stream_number(x->f, x->out, "id", x->v->cgroup.id);
	stream_text(x->f, x->out, "path", x->v->cgroup.path);
}

static void put_text_poke(struct record_cells *x)
{
	const struct rec_text_poke_view *t = &x->v->text_poke;
	struct resolved_frame f;

	if (!frame_resolve(&x->w->cache, x->at, CPUMODE_KERNEL, t->addr, false, &f))
		return;
	stream_address(x->f, x->out, "addr", t->addr);
	if (f.sym) {
		stream_text(x->f, x->out, "sym", frame_name(&x->w->cache, &f));
		stream_number(x->f, x->out, "symoff", f.loc.dso_addr - f.sym->start);
	}
	put_hex(x, "old", t->old_code.p, t->old_code.len);
	put_hex(x, "new", t->new_code.p, t->new_code.len);
}

static const struct record_row {
	u32 type;
	void (*put)(struct record_cells *x);
} rows[] = {
	{ REC_COMM, put_comm }, { REC_FORK, put_task }, { REC_EXIT, put_task }, { REC_MMAP, put_mmap },
	{ REC_MMAP2, put_mmap2 }, { REC_SWITCH, put_switch }, { REC_SWITCH_CPU_WIDE, put_switch },
	{ REC_NAMESPACES, put_namespaces }, { REC_LOST, put_lost }, { REC_KSYMBOL, put_ksymbol },
	{ REC_BPF_EVENT, put_bpf_event }, { REC_CGROUP, put_cgroup }, { REC_TEXT_POKE, put_text_poke },
};

void cells_record(struct line_worker *w, const struct record_view *v, const struct sample_ctx *at,
		  struct strbuf *out)
{
	struct record_cells x = { .w = w, .f = w->sc->o->format, .v = v, .at = at, .out = out };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].type != v->type)
			continue;
		x.f->begin_group(out, "record");
		rows[i].put(&x);
		x.f->end_group(out);
	}
}
