/*
 * Dump: the frame around each record, and the meaning of the kernel's records. Samples: dump-sample.c, perf's
 * own records: dump-user.c.
 */
#include "dump.h"
#include "dump-private.h"
#include "magic.h"
#include "../event/record.h"

#include <errno.h>
#include <sys/mman.h>

static const char *hex_text(struct dump *x, const u8 *p, u64 len)
{
	strbuf_reset(&x->text);
	for (u64 i = 0; i < len; i++)
		strbuf_add_hex(&x->text, p[i], 2, '0');
	return strbuf_str(&x->text);
}

static void dump_range(struct dump *x, s32 pid, s32 tid, u64 start, u64 len, u64 pgoff)
{
	WORDS(x, " {pid}/{tid}: [{addr}({len:#x}) @ {pgoff}", INT(pid), INT(tid), ADDR(start), NUM(len),
	      ADDR(pgoff));
}

void dump_mmap(struct dump *x)
{
	const struct rec_mmap_view *v = &x->v.mmap;

	dump_range(x, v->pid, v->tid, v->addr, v->len, v->pgoff);
	WORDS(x, "]: {prot} {data:?}{filename}\n", TEXT_OF(x->v.misc & MISC_MMAP_DATA ? "r" : "x"),
	      YES(x->v.misc & MISC_MMAP_DATA), TEXT_OF(v->filename));
}

void dump_mmap2(struct dump *x)
{
	const struct rec_mmap2_view *v = &x->v.mmap2;
	const struct rec_file_id *f = &v->file;
	const char prot[] = { v->prot & PROT_READ ? 'r' : '-', v->prot & PROT_WRITE ? 'w' : '-',
			      v->prot & PROT_EXEC ? 'x' : '-', v->flags & MAP_SHARED ? 's' : 'p', '\0' };

	dump_range(x, v->pid, v->tid, v->addr, v->len, v->pgoff);
	if (f->is_build_id)
		WORDS(x, " <{build-id}>", TEXT_OF(hex_text(x, f->id, f->id_len)));
	else
		WORDS(x, " {major:02x}:{minor:02x} {inode} {generation}", NUM(f->maj), NUM(f->min),
		      NUM(f->ino), NUM(f->gen));
	WORDS(x, "]: {prot} {filename}\n", TEXT_OF(prot), TEXT_OF(v->filename));
}

void dump_lost(struct dump *x)
{
	WORDS(x, ": id:{id}: lost:{lost}\n", NUM(x->v.lost.id), NUM(x->v.lost.lost));
}

void dump_lost_samples(struct dump *x)
{
	const struct evset *set = x->d->evset;
	bool has_id = evset_samples(set, ABI_SAMPLE_ID) || evset_samples(set, ABI_SAMPLE_IDENTIFIER);

	WORDS(x, ": id:{id}: lost samples :{lost}{by-bpf:? (BPF)}\n", NUM(has_id ? x->id->id : ~0ull),
	      NUM(x->v.lost_samples.lost), YES(x->v.misc & MISC_LOST_BY_BPF));
}

void dump_comm(struct dump *x)
{
	WORDS(x, "{exec:? exec}: {comm}:{pid}/{tid}\n", YES(x->v.misc & MISC_COMM_EXEC),
	      TEXT_OF(x->v.comm.comm), INT(x->v.comm.pid), INT(x->v.comm.tid));
}

/* FORK and EXIT */
void dump_task(struct dump *x)
{
	const struct rec_task_view *v = &x->v.task;

	WORDS(x, "({pid}:{tid}):({ppid}:{ptid})\n", INT(v->pid), INT(v->tid), INT(v->ppid), INT(v->ptid));
}

void dump_read(struct dump *x)
{
	static const struct {
		u64 bit;
		const char *words;
	} more[] = {
		{ ABI_READ_TIME_ENABLED, "... time enabled : {time-enabled}\n" },
		{ ABI_READ_TIME_RUNNING, "... time running : {time-running}\n" },
		{ ABI_READ_ID, "... id           : {id}\n" },
		{ ABI_READ_LOST, "... lost         : {lost}\n" },
	};
	const struct rec_read_view *v = &x->v.read;
	u64 format = x->id->event ? x->id->event->attr.read_format : 0, at = 0;

	WORDS(x, ": {pid} {tid} {event} {value}\n", INT(v->pid), INT(v->tid),
	      TEXT_OF(x->id->event ? x->id->event->name : ""), NUM(v->value));
	for (size_t i = 0; i < ARRAY_SIZE(more); i++) {
		if (!(format & more[i].bit))
			continue;
		WORDS(x, more[i].words, NUM(at < v->more.nr ? rec_row_u64(&v->more, at, 0) : 0));
		at++;
	}
}

void dump_aux(struct dump *x)
{
	const struct rec_aux_view *v = &x->v.aux;

	WORDS(x, " offset: {offset} size: {size:#x} flags: {flags} "
	      "[{truncated:?T}{overwrite:?O}{partial:?P}{collision:?C}]\n", ADDR(v->offset), NUM(v->size),
	      ADDR(v->flags), YES(v->flags & 1), YES(v->flags & 2), YES(v->flags & 4), YES(v->flags & 8));
}

void dump_itrace_start(struct dump *x)
{
	WORDS(x, " pid: {pid} tid: {tid}\n", NUM((u32)x->v.pid_tid.pid), NUM((u32)x->v.pid_tid.tid));
}

static void dump_switch_way(struct dump *x)
{
	bool out = x->v.misc & MISC_SWITCH_OUT;

	WORDS(x, " {out:?OUT}{:?IN}", YES(out), YES(!out));
	WORDS(x, "{preempt:? preempt}", YES(out && x->v.misc & MISC_SWITCH_OUT_PREEMPT));
	SAY(x, !out ? "         " : x->v.misc & MISC_SWITCH_OUT_PREEMPT ? "" : "        ");
}

void dump_switch(struct dump *x)
{
	dump_switch_way(x);
	SAY(x, "\n");
}

void dump_switch_wide(struct dump *x)
{
	dump_switch_way(x);
	WORDS(x, x->v.misc & MISC_SWITCH_OUT ? "  next pid/tid: {next-pid:5d}/{next-tid:-5d}\n" :
	      "  prev pid/tid: {prev-pid:5d}/{prev-tid:-5d}\n", INT(x->v.pid_tid.pid),
	      INT(x->v.pid_tid.tid));
}

void dump_namespaces(struct dump *x)
{
	const struct rec_namespaces_view *v = &x->v.namespaces;

	WORDS(x, " {pid}/{tid} - nr_namespaces: {nr}\n\t\t[", INT(v->pid), INT(v->tid), NUM(v->nr));
	x->f->begin_rows(x->out, "namespaces");
	for (u64 i = 0; i < v->links.nr; i++) {
		if (i)
			x->f->next_row(x->out);
		SAY(x, !i ? "" : i % 4 ? ", " : ", \n\t\t ");
		x->f->begin_row(x->out);
		WORDS(x, "{index}/{name}: {device}/{inode:#x}", NUM(i),
		      TEXT_OF(i < NR_NAMESPACES ? namespace_names[i] : "UNKNOWN"),
		      NUM(rec_row_u64(&v->links, i, 0)), NUM(rec_row_u64(&v->links, i, 8)));
		x->f->end_row(x->out);
	}
	x->f->end_rows(x->out);
	SAY(x, "]\n");
}

void dump_ksymbol(struct dump *x)
{
	const struct rec_ksymbol_view *v = &x->v.ksymbol;

	WORDS(x, " addr {addr:x} len {len} type {ksym-type} flags 0x{flags:x} name {name}\n",
	      ADDR(v->addr), NUM(v->len), NUM(v->ksym_type), ADDR(v->flags), TEXT_OF(v->name));
}

void dump_bpf_event(struct dump *x)
{
	const struct rec_bpf_event_view *v = &x->v.bpf_event;

	WORDS(x, " type {bpf-type}, flags {flags}, id {id}\n", NUM(v->bpf_type), NUM(v->flags),
	      NUM(v->id));
	stream_text(x->f, x->out, "tag", hex_text(x, v->tag, 8));
}

void dump_cgroup(struct dump *x)
{
	WORDS(x, " cgroup: {id} {path}\n", NUM(x->v.cgroup.id), TEXT_OF(x->v.cgroup.path));
}

static void dump_code(struct dump *x, const char *title, const char *key, const struct rec_bytes *code)
{
	WORDS(x, "            {:s} bytes:", TEXT_OF(title));
	for (u64 i = 0; i < code->len; i++)
		WORDS(x, " {:02x}", NUM(code->p[i]));
	SAY(x, "\n");
	stream_text(x->f, x->out, key, hex_text(x, code->p, code->len));
}

void dump_text_poke(struct dump *x)
{
	const struct rec_text_poke_view *v = &x->v.text_poke;

	WORDS(x, " {addr:x}  old len {old-len} new len {new-len}\n", ADDR(v->addr), NUM(v->old_len),
	      NUM(v->new_len));
	dump_code(x, "Old", "old", &v->old_code);
	dump_code(x, "New", "new", &v->new_code);
}

void dump_hw_id(struct dump *x)
{
	WORDS(x, " hw_id: {hw-id}\n", ADDR(x->v.hw_id.hw_id));
}

/* only the name */
void dump_plain(struct dump *x)
{
	if (!x->left_alone)
		SAY(x, "\n");
}

enum left_alone { NONE = 0, REPORT = DUMP_REPORT, SCRIPT = DUMP_SCRIPT, BOTH = DUMP_REPORT | DUMP_SCRIPT };

static const struct row {
	void (*print)(struct dump *x);
	enum left_alone left_alone;
} rows[REC_TYPE_MAX] = {
#define RECORD(nr, type, view, size, kind, left_alone, show, ...) [nr] = { dump_##show, left_alone },
#include "../event/records.def"
};

/* CPU and time, if an event has them */
static void dump_stamp(struct dump *x)
{
	bool id_all = x->d->evset->ev.nr && evset_at(x->d->evset, 0)->attr.flags & ATTR_SAMPLE_ID_ALL;
	u64 types = 0;

	if (x->rec->type != REC_SAMPLE && !id_all) {
		SAY(x, "-1 -1 ");
		return;
	}
	vec_foreach(&x->d->evset->ev, it)
		types |= (*it)->attr.sample_type;
	if (types & ABI_SAMPLE_CPU)
		WORDS(x, "{cpu} ", NUM(x->rec->type >= REC_USER_START ? 0 : x->id->cpu));
	if (types & ABI_SAMPLE_TIME)
		WORDS(x, "{time} ", NUM(x->id->time));
}

static void dump_meaning(struct dump *x, u64 off)
{
	const struct rec *rec = x->rec;
	const char *name = record_name(rec->type);
	struct arena scratch = { 0 };
	struct sample s;
	int bad;

	if (rec->type == REC_SAMPLE)
		bad = sample_decode(x->d->plan, rec, &s, &scratch);
	else
		bad = sample_decode_id(x->d->plan, rec, &s);
	x->id = &s;
	if (rec->type == REC_SAMPLE && bad >= 0 && s.event)
		dump_ibs(x);
	dump_stamp(x);
	WORDS(x, "{:#x} [{:#x}]: PERF_RECORD_{name}", NUM(off), NUM(rec->size),
	      TEXT_OF(name ? name : "UNKNOWN"));
	x->f->begin_group(x->out, "record");
	if (bad < 0 || (name && record_decode(rec, &x->v) < 0)) {
		WORDS(x, ": {damaged}\n", TEXT_OF(bad == -ENOENT ? "its event id is not declared" :
						  "too short for its fields"));
	} else if (name) {
		x->left_alone = rows[rec->type].left_alone & (x->report ? REPORT : SCRIPT);
		rows[rec->type].print(x);
		if (x->left_alone)
			SAY(x, ": unhandled!\n");
	} else {
		WORDS(x, " (type {:d})\n", NUM(rec->type));
	}
	x->f->end_group(x->out);
	arena_release(&scratch);
}

void dump_view(const struct record_view *v, const struct stream_format *f, struct strbuf *out)
{
	struct dump x = { .f = f, .v = *v, .out = out };

	rows[v->type].print(&x);
	strbuf_release(&x.text);
}

/* the file of a directory that contains the record */
static const char *file_name(struct dump *x)
{
	strbuf_addstr(&x->text, x->d->is_pipe ? "pipe" : x->d->path);
	vec_foreach(&x->d->stream, s)
		if (x->d->is_dir && x->rec->p >= s->base + s->start && x->rec->p < s->base + s->end)
			strbuf_addf(&x->text, "/%s", s->name);
	return strbuf_str(&x->text);
}

void dump_record(const struct data *d, const struct rec *rec, enum dump_for who,
		 const struct stream_format *f, struct strbuf *out)
{
	u64 off = rec->off - (d->is_pipe ? DATA_PIPE_HEADER : 0);
	struct dump x = { .f = f, .d = d, .rec = rec, .out = out, .report = who == DUMP_REPORT };

	f->begin(out);
	WORDS(&x, "\n{offset:#x}@{file} [{size:#x}]: event: {type}\n", NUM(off), TEXT_OF(file_name(&x)),
	      NUM(rec->size), NUM(rec->type));
	WORDS(&x, ".\n. ... raw event: size {:d} bytes\n", NUM(rec->size));
	f->bytes(out, "bytes", rec->p, rec->size);
	SAY(&x, "\n");
	dump_meaning(&x, off);
	strbuf_release(&x.text);
}

void dump_frame(const char *comm, u32 tid, const char *dso, const struct stream_format *f,
		struct strbuf *out)
{
	stream_words(f, out, " ... thread: {comm}:{tid}\n ...... dso: {dso}\n", STREAM_TEXT(comm),
		     STREAM_SIGNED((s32)tid), STREAM_TEXT(dso ? dso : "<not found>"));
}
