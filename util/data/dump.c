/*
 * Dump: the frame around each record, and the meaning of the kernel's records. Samples: dump-sample.c, perf's
 * own records: dump-user.c.
 */
#include "dump-private.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

void dump_text(struct dump *x, const struct rec_bytes *text)
{
	char *copy = xstrndup((const char *)text->p, text->len);

	strbuf_add_safe(x->out, copy);
	free(copy);
}

static void dump_range(struct dump *x, s32 pid, s32 tid, ull start, ull len, ull pgoff)
{
	strbuf_addf(x->out, " %d/%d: [%#llx(%#llx) @ %#llx", pid, tid, start, len, pgoff);
}

void dump_mmap(struct dump *x)
{
	const struct rec_mmap_view *v = &x->v.mmap;

	dump_range(x, v->pid, v->tid, v->addr, v->len, v->pgoff);
	strbuf_addf(x->out, "]: %c ", x->v.misc & MISC_MMAP_DATA ? 'r' : 'x');
	strbuf_add_safe(x->out, v->filename);
	strbuf_addch(x->out, '\n');
}

void dump_mmap2(struct dump *x)
{
	const struct rec_mmap2_view *v = &x->v.mmap2;
	const struct rec_file_id *f = &v->file;

	dump_range(x, v->pid, v->tid, v->addr, v->len, v->pgoff);
	if (f->is_build_id) {
		strbuf_addstr(x->out, " <");
		for (u32 i = 0; i < f->id_len; i++)
			strbuf_add_hex(x->out, f->id[i], 2, '0');
		strbuf_addch(x->out, '>');
	} else {
		strbuf_addf(x->out, " %02x:%02x %llu %llu", f->maj, f->min, (ull)f->ino, (ull)f->gen);
	}
	strbuf_addf(x->out, "]: %c%c%c%c ", v->prot & PROT_READ ? 'r' : '-', v->prot & PROT_WRITE ? 'w' : '-',
		    v->prot & PROT_EXEC ? 'x' : '-', v->flags & MAP_SHARED ? 's' : 'p');
	strbuf_add_safe(x->out, v->filename);
	strbuf_addch(x->out, '\n');
}

void dump_lost(struct dump *x)
{
	strbuf_addf(x->out, ": id:%llu: lost:%llu\n", (ull)x->v.lost.id, (ull)x->v.lost.lost);
}

void dump_lost_samples(struct dump *x)
{
	const struct evset *set = x->d->evset;
	bool has_id = evset_samples(set, ABI_SAMPLE_ID) || evset_samples(set, ABI_SAMPLE_IDENTIFIER);

	strbuf_addf(x->out, ": id:%llu: lost samples :%llu%s\n", has_id ? (ull)x->id->id : ~0ull,
		    (ull)x->v.lost_samples.lost, x->v.misc & MISC_LOST_BY_BPF ? " (BPF)" : "");
}

void dump_comm(struct dump *x)
{
	strbuf_addf(x->out, "%s: ", x->v.misc & MISC_COMM_EXEC ? " exec" : "");
	strbuf_add_safe(x->out, x->v.comm.comm);
	strbuf_addf(x->out, ":%d/%d\n", x->v.comm.pid, x->v.comm.tid);
}

/* FORK and EXIT */
void dump_task(struct dump *x)
{
	const struct rec_task_view *v = &x->v.task;

	strbuf_addf(x->out, "(%d:%d):(%d:%d)\n", v->pid, v->tid, v->ppid, v->ptid);
}

void dump_read(struct dump *x)
{
	static const struct {
		u64 bit;
		const char *title;
	} more[] = {
		{ ABI_READ_TIME_ENABLED, "... time enabled : " },
		{ ABI_READ_TIME_RUNNING, "... time running : " }, { ABI_READ_ID, "... id           : " },
		{ ABI_READ_LOST, "... lost         : " },
	};
	const struct rec_read_view *v = &x->v.read;
	u64 format = x->id->event ? x->id->event->attr.read_format : 0, at = 0;

	strbuf_addf(x->out, ": %d %d ", v->pid, v->tid);
	strbuf_add_safe(x->out, x->id->event ? x->id->event->name : "");
	strbuf_addf(x->out, " %llu\n", (ull)v->value);
	for (size_t i = 0; i < ARRAY_SIZE(more); i++) {
		if (!(format & more[i].bit))
			continue;
		strbuf_addf(x->out, "%s%llu\n", more[i].title,
			    at < v->more.nr ? (ull)rec_row_u64(&v->more, at, 0) : 0ull);
		at++;
	}
}

void dump_aux(struct dump *x)
{
	const struct rec_aux_view *v = &x->v.aux;
	ull flags = v->flags;

	strbuf_addf(x->out, " offset: %#llx size: %#llx flags: %#llx [%s%s%s%s]\n", (ull)v->offset,
		    (ull)v->size, flags, flags & 1 ? "T" : "", flags & 2 ? "O" : "", flags & 4 ? "P" : "",
		    flags & 8 ? "C" : "");
}

void dump_itrace_start(struct dump *x)
{
	strbuf_addf(x->out, " pid: %u tid: %u\n", x->v.pid_tid.pid, x->v.pid_tid.tid);
}

static const char *switch_text(u16 misc)
{
	if (!(misc & MISC_SWITCH_OUT))
		return "IN         ";
	return misc & MISC_SWITCH_OUT_PREEMPT ? "OUT preempt" : "OUT        ";
}

void dump_switch(struct dump *x)
{
	strbuf_addf(x->out, " %s\n", switch_text(x->v.misc));
}

void dump_switch_wide(struct dump *x)
{
	strbuf_addf(x->out, " %s  %s pid/tid: %5d/%-5d\n", switch_text(x->v.misc),
		    x->v.misc & MISC_SWITCH_OUT ? "next" : "prev", x->v.pid_tid.pid, x->v.pid_tid.tid);
}

void dump_namespaces(struct dump *x)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	const struct rec_namespaces_view *v = &x->v.namespaces;

	strbuf_addf(x->out, " %d/%d - nr_namespaces: %llu\n\t\t[", v->pid, v->tid, (ull)v->nr);
	for (u64 i = 0; i < v->links.nr; i++)
		strbuf_addf(x->out, "%s%llu/%s: %llu/%#llx", !i ? "" : i % 4 ? ", " : ", \n\t\t ", (ull)i,
			    i < ARRAY_SIZE(names) ? names[i] : "UNKNOWN", (ull)rec_row_u64(&v->links, i, 0),
			    (ull)rec_row_u64(&v->links, i, 8));
	strbuf_addstr(x->out, "]\n");
}

void dump_ksymbol(struct dump *x)
{
	const struct rec_ksymbol_view *v = &x->v.ksymbol;

	strbuf_addf(x->out, " addr %llx len %u type %u flags 0x%x name ", (ull)v->addr, v->len, v->ksym_type,
		    v->flags);
	strbuf_add_safe(x->out, v->name);
	strbuf_addch(x->out, '\n');
}

void dump_bpf_event(struct dump *x)
{
	const struct rec_bpf_event_view *v = &x->v.bpf_event;

	strbuf_addf(x->out, " type %u, flags %u, id %u\n", v->bpf_type, v->flags, v->id);
}

void dump_cgroup(struct dump *x)
{
	strbuf_addf(x->out, " cgroup: %llu ", (ull)x->v.cgroup.id);
	strbuf_add_safe(x->out, x->v.cgroup.path);
	strbuf_addch(x->out, '\n');
}

static void dump_code(struct dump *x, const char *title, const struct rec_bytes *code)
{
	strbuf_addf(x->out, "            %s bytes:", title);
	for (u64 i = 0; i < code->len; i++)
		strbuf_addf(x->out, " %02x", code->p[i]);
	strbuf_addch(x->out, '\n');
}

void dump_text_poke(struct dump *x)
{
	const struct rec_text_poke_view *v = &x->v.text_poke;

	strbuf_addf(x->out, " %llx  old len %u new len %u\n", (ull)v->addr, v->old_len, v->new_len);
	dump_code(x, "Old", &v->old_code);
	dump_code(x, "New", &v->new_code);
}

void dump_hw_id(struct dump *x)
{
	strbuf_addf(x->out, " hw_id: %#llx\n", (ull)x->v.hw_id.hw_id);
}

/* only the name */
void dump_plain(struct dump *x)
{
	if (!x->left_alone)
		strbuf_addch(x->out, '\n');
}

enum left_alone { NONE = 0, REPORT = DUMP_REPORT, SCRIPT = DUMP_SCRIPT, BOTH = DUMP_REPORT | DUMP_SCRIPT };

static const struct row {
	void (*print)(struct dump *x);
	enum left_alone left_alone;
} rows[REC_TYPE_MAX] = {
#define RECORD(nr, type, view, size, kind, left_alone, show, ...) [nr] = { dump_##show, left_alone },
#include "../event/records.def"
};

/* ".  0010:  45 00 ...  E.P.": 16 bytes per line, the last line padded with blanks */
static void dump_bytes(const struct rec *rec, struct strbuf *out)
{
	strbuf_addf(out, ".\n. ... raw event: size %u bytes\n", rec->size);
	for (u32 i = 0; i < rec->size; i += 16) {
		strbuf_addf(out, ".  %04x: ", i);
		for (u32 k = i; k < i + 16; k++) {
			if (k >= rec->size)
				strbuf_addstr(out, "   ");
			else
				strbuf_addf(out, " %02x", rec->p[k]);
		}
		strbuf_addstr(out, "  ");
		for (u32 k = i; k < i + 16; k++)
			strbuf_addch(out, k >= rec->size ? ' ' : isprint(rec->p[k]) &&
				     rec->p[k] < 0x80 ? rec->p[k] : '.');
		strbuf_addch(out, '\n');
	}
	strbuf_addch(out, '\n');
}

/* CPU and time, if an event has them */
static void dump_stamp(const struct data *d, const struct rec *rec, const struct sample *s,
		       struct strbuf *out)
{
	u64 types = 0;
	bool id_all = d->evset->ev.nr && evset_at(d->evset, 0)->attr.flags & ATTR_SAMPLE_ID_ALL;

	if (rec->type != REC_SAMPLE && !id_all) {
		strbuf_addstr(out, "-1 -1 ");
		return;
	}
	vec_foreach(&d->evset->ev, it)
		types |= (*it)->attr.sample_type;
	if (types & ABI_SAMPLE_CPU)
		strbuf_addf(out, "%u ", rec->type >= REC_USER_START ? 0 : s->cpu);
	if (types & ABI_SAMPLE_TIME)
		strbuf_addf(out, "%llu ", (ull)s->time);
}

static void dump_meaning(const struct data *d, const struct rec *rec, u64 off, enum dump_for who,
			 struct strbuf *out)
{
	const char *name = record_name(rec->type);
	struct arena scratch = { 0 };
	struct sample s;
	struct dump x = { .d = d, .rec = rec, .id = &s, .out = out, .who = who };
	int bad;

	if (rec->type == REC_SAMPLE)
		bad = sample_decode(d->plan, rec, &s, &scratch);
	else
		bad = sample_decode_id(d->plan, rec, &s);
	dump_stamp(d, rec, &s, out);
	strbuf_addf(out, "%#llx [%#x]: PERF_RECORD_%s", (ull)off, rec->size, name ? name : "UNKNOWN");
	if (bad < 0 || (name && record_decode(rec, &x.v) < 0)) {
		strbuf_addstr(out, bad == -ENOENT ? ": its event id is not declared\n" :
			      ": too short for its fields\n");
	} else if (name) {
		x.left_alone = rows[rec->type].left_alone & who;
		rows[rec->type].print(&x);
		if (x.left_alone)
			strbuf_addstr(out, ": unhandled!\n");
	} else {
		strbuf_addf(out, " (type %u)\n", rec->type);
	}
	arena_release(&scratch);
}

void dump_view(const struct record_view *v, struct strbuf *out)
{
	rows[v->type].print(&(struct dump){ .v = *v, .out = out });
}

/* the file of a directory that contains the record */
static void dump_file_name(const struct data *d, const struct rec *rec, struct strbuf *out)
{
	strbuf_add_safe(out, d->is_pipe ? "pipe" : d->path);
	vec_foreach(&d->stream, s)
		if (d->is_dir && rec->p >= s->base + s->start && rec->p < s->base + s->end)
			strbuf_addf(out, "/%s", s->name);
}

void dump_record(const struct data *d, const struct rec *rec, enum dump_for who, struct strbuf *out)
{
	u64 off = rec->off - (d->is_pipe ? DATA_PIPE_HEADER : 0);

	strbuf_addf(out, "\n%#llx@", (ull)off);
	dump_file_name(d, rec, out);
	strbuf_addf(out, " [%#x]: event: %u\n", rec->size, rec->type);
	dump_bytes(rec, out);
	dump_meaning(d, rec, off, who, out);
}

void dump_frame(const char *comm, u32 tid, const char *dso, struct strbuf *out)
{
	strbuf_addstr(out, " ... thread: ");
	strbuf_add_safe(out, comm);
	strbuf_addf(out, ":%d\n ...... dso: ", tid);
	strbuf_add_safe(out, dso ? dso : "<not found>");
	strbuf_addch(out, '\n');
}
