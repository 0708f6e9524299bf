/* Dump: the frame around each record, and what the kernel's records mean. Samples: dump-sample.c, perf's own: dump-user.c. */
#include "dump-inside.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

void dump_string(struct dump *x)
{
	const char *s = (const char *)x->c.p;
	char *copy = xstrndup(s ? s : "", cursor_left(&x->c));

	strbuf_add_safe(x->out, copy);
	free(copy);
}

static void dump_mmap(struct dump *x)
{
	s32 pid = cursor_u32(&x->c), tid = cursor_u32(&x->c);
	ull start = cursor_u64(&x->c), len = cursor_u64(&x->c), pgoff = cursor_u64(&x->c);

	strbuf_addf(x->out, " %d/%d: [%#llx(%#llx) @ %#llx]: %c ", pid, tid, start, len, pgoff,
		    x->rec->misc & MISC_MMAP_DATA ? 'r' : 'x');
	dump_string(x);
	strbuf_addch(x->out, '\n');
}

/*
 * Behind pgoff: u32 maj, min, u64 ino, generation, or with the misc bit u8 build-id size, 3 bytes, u8 id[20]. Some kernels leave
 * the bit set on records that hold the former: a size above 20 tells.
 */
static void dump_mmap2(struct dump *x)
{
	s32 pid = cursor_u32(&x->c), tid = cursor_u32(&x->c);
	ull start = cursor_u64(&x->c), len = cursor_u64(&x->c), pgoff = cursor_u64(&x->c);
	struct cursor inode = x->c;
	u32 prot, flags;

	strbuf_addf(x->out, " %d/%d: [%#llx(%#llx) @ %#llx ", pid, tid, start, len, pgoff);
	if (x->rec->misc & MISC_MMAP_BUILD_ID && x->c.p[0] <= BUILDID_MAX) {
		strbuf_addch(x->out, '<');
		for (u32 i = 0; i < x->c.p[0]; i++)
			strbuf_add_hex(x->out, x->c.p[4 + i], 2, '0');
		strbuf_addch(x->out, '>');
	} else {
		u32 maj = cursor_u32(&inode), min = cursor_u32(&inode);
		ull ino = cursor_u64(&inode), gen = cursor_u64(&inode);

		strbuf_addf(x->out, "%02x:%02x %llu %llu", maj, min, ino, gen);
	}
	cursor_skip(&x->c, 24);
	prot = cursor_u32(&x->c);
	flags = cursor_u32(&x->c);
	strbuf_addf(x->out, "]: %c%c%c%c ", prot & PROT_READ ? 'r' : '-', prot & PROT_WRITE ? 'w' : '-',
		    prot & PROT_EXEC ? 'x' : '-', flags & MAP_SHARED ? 's' : 'p');
	dump_string(x);
	strbuf_addch(x->out, '\n');
}

static void dump_lost(struct dump *x)
{
	ull id = cursor_u64(&x->c), lost = cursor_u64(&x->c);

	strbuf_addf(x->out, ": id:%llu: lost:%llu\n", id, lost);
}

static void dump_lost_samples(struct dump *x)
{
	const struct evset *set = x->d->evset;
	bool has_id = evset_samples(set, ABI_SAMPLE_ID) || evset_samples(set, ABI_SAMPLE_IDENTIFIER);

	strbuf_addf(x->out, ": id:%llu: lost samples :%llu%s\n", has_id ? (ull)x->id->id : ~0ull, (ull)cursor_u64(&x->c),
		    x->rec->misc & 0x8000 ? " (BPF)" : "");
}

static void dump_comm(struct dump *x)
{
	u32 pid = cursor_u32(&x->c), tid = cursor_u32(&x->c);

	strbuf_addf(x->out, "%s: ", x->rec->misc & MISC_COMM_EXEC ? " exec" : "");
	dump_string(x);
	strbuf_addf(x->out, ":%d/%d\n", pid, tid);
}

/* FORK and EXIT: pid, parent's pid, tid, parent's tid */
static void dump_task(struct dump *x)
{
	s32 pid = cursor_u32(&x->c), ppid = cursor_u32(&x->c), tid = cursor_u32(&x->c), ptid = cursor_u32(&x->c);

	strbuf_addf(x->out, "(%d:%d):(%d:%d)\n", pid, tid, ppid, ptid);
}

static void dump_read(struct dump *x)
{
	u32 pid = cursor_u32(&x->c), tid = cursor_u32(&x->c);
	ull value = cursor_u64(&x->c);
	u64 format = x->id->event ? x->id->event->attr.read_format : 0;

	strbuf_addf(x->out, ": %d %d ", pid, tid);
	strbuf_add_safe(x->out, x->id->event ? x->id->event->name : "");
	strbuf_addf(x->out, " %llu\n", value);
	if (format & ABI_READ_TIME_ENABLED)
		strbuf_addf(x->out, "... time enabled : %llu\n", (ull)cursor_u64(&x->c));
	if (format & ABI_READ_TIME_RUNNING)
		strbuf_addf(x->out, "... time running : %llu\n", (ull)cursor_u64(&x->c));
	if (format & ABI_READ_ID)
		strbuf_addf(x->out, "... id           : %llu\n", (ull)cursor_u64(&x->c));
	if (format & ABI_READ_LOST)
		strbuf_addf(x->out, "... lost         : %llu\n", (ull)cursor_u64(&x->c));
}

static void dump_aux(struct dump *x)
{
	ull off = cursor_u64(&x->c), size = cursor_u64(&x->c), flags = cursor_u64(&x->c);

	strbuf_addf(x->out, " offset: %#llx size: %#llx flags: %#llx [%s%s%s%s]\n", off, size, flags, flags & 1 ? "T" : "",
		    flags & 2 ? "O" : "", flags & 4 ? "P" : "", flags & 8 ? "C" : "");
}

static void dump_itrace_start(struct dump *x)
{
	u32 pid = cursor_u32(&x->c), tid = cursor_u32(&x->c);

	strbuf_addf(x->out, " pid: %u tid: %u\n", pid, tid);
}

static const char *switch_text(const struct rec *rec)
{
	if (!(rec->misc & MISC_SWITCH_OUT))
		return "IN         ";
	return rec->misc & MISC_SWITCH_OUT_PREEMPT ? "OUT preempt" : "OUT        ";
}

static void dump_switch(struct dump *x)
{
	strbuf_addf(x->out, " %s\n", switch_text(x->rec));
}

static void dump_switch_wide(struct dump *x)
{
	u32 pid = cursor_u32(&x->c), tid = cursor_u32(&x->c);

	strbuf_addf(x->out, " %s  %s pid/tid: %5d/%-5d\n", switch_text(x->rec),
		    x->rec->misc & MISC_SWITCH_OUT ? "next" : "prev", pid, tid);
}

static void dump_namespaces(struct dump *x)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	u32 pid = cursor_u32(&x->c), tid = cursor_u32(&x->c);
	u64 nr = cursor_u64(&x->c);

	strbuf_addf(x->out, " %d/%d - nr_namespaces: %llu\n\t\t[", pid, tid, (ull)nr);
	for (u64 i = 0; i < nr && cursor_left(&x->c) >= 16; i++) {
		ull dev = cursor_u64(&x->c), ino = cursor_u64(&x->c);

		strbuf_addf(x->out, "%s%llu/%s: %llu/%#llx", !i ? "" : i % 4 ? ", " : ", \n\t\t ", (ull)i,
			    i < ARRAY_SIZE(names) ? names[i] : "UNKNOWN", dev, ino);
	}
	strbuf_addstr(x->out, "]\n");
}

static void dump_ksymbol(struct dump *x)
{
	ull addr = cursor_u64(&x->c);
	u32 len = cursor_u32(&x->c);
	u16 type = cursor_u16(&x->c), flags = cursor_u16(&x->c);

	strbuf_addf(x->out, " addr %llx len %u type %u flags 0x%x name ", addr, len, type, flags);
	dump_string(x);
	strbuf_addch(x->out, '\n');
}

static void dump_bpf_event(struct dump *x)
{
	u16 type = cursor_u16(&x->c), flags = cursor_u16(&x->c);

	strbuf_addf(x->out, " type %u, flags %u, id %u\n", type, flags, cursor_u32(&x->c));
}

static void dump_cgroup(struct dump *x)
{
	strbuf_addf(x->out, " cgroup: %llu ", (ull)cursor_u64(&x->c));
	dump_string(x);
	strbuf_addch(x->out, '\n');
}

static void dump_code(struct dump *x, const char *title, u16 len)
{
	const u8 *p = cursor_bytes(&x->c, len);

	strbuf_addf(x->out, "            %s bytes:", title);
	for (u16 i = 0; p && i < len; i++)
		strbuf_addf(x->out, " %02x", p[i]);
	strbuf_addch(x->out, '\n');
}

static void dump_text_poke(struct dump *x)
{
	ull addr = cursor_u64(&x->c);
	u16 old_len = cursor_u16(&x->c), new_len = cursor_u16(&x->c);

	strbuf_addf(x->out, " %llx  old len %u new len %u\n", addr, old_len, new_len);
	dump_code(x, "Old", old_len);
	dump_code(x, "New", new_len);
}

static void dump_hw_id(struct dump *x)
{
	strbuf_addf(x->out, " hw_id: %#llx\n", (ull)cursor_u64(&x->c));
}

enum left_alone { NONE = 0, REPORT = DUMP_REPORT, SCRIPT = DUMP_SCRIPT, BOTH = DUMP_REPORT | DUMP_SCRIPT };

static const struct row {
	u32 type;
	const char *name;
	u32 size;
	dump_fn print;
	enum left_alone left_alone;
} rows[] = {
#define RECORD(type, name, size, print, left_alone) { type, #name, size, print, left_alone },
#include "records.def"
#undef RECORD
};

static const struct row *find_row(u32 type)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].type == type)
			return &rows[i];
	return NULL;
}

const char *record_name(u32 type)
{
	const struct row *r = find_row(type);

	return r ? r->name : NULL;
}

u32 record_min_size(u32 type)
{
	const struct row *r = find_row(type);

	return r ? r->size : sizeof(struct rec_header);
}

/* ".  0010:  45 00 ...  E.P.": 16 bytes a line, the last one filled up with blanks */
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
			strbuf_addch(out, k >= rec->size ? ' ' : isprint(rec->p[k]) && rec->p[k] < 0x80 ? rec->p[k] : '.');
		strbuf_addch(out, '\n');
	}
	strbuf_addch(out, '\n');
}

/* CPU and time, as far as any event has them */
static void dump_stamp(const struct data *d, const struct rec *rec, const struct sample *s, struct strbuf *out)
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

static void dump_meaning(const struct data *d, const struct rec *rec, u64 off, enum dump_for who, struct strbuf *out)
{
	const struct row *r = find_row(rec->type);
	struct arena scratch = { 0 };
	struct sample s;
	struct dump x = { .d = d, .rec = rec, .id = &s, .out = out, .who = who,
			  .c = cursor_of(rec->p + 8, rec->size - 8, rec->swap) };
	int bad;

	if (rec->type == REC_SAMPLE)
		bad = sample_decode(d->plan, rec, &s, &scratch);
	else
		bad = sample_decode_id(d->plan, rec, &s);
	dump_stamp(d, rec, &s, out);
	strbuf_addf(out, "%#llx [%#x]: PERF_RECORD_%s", (ull)off, rec->size, r ? r->name : "UNKNOWN");
	if (bad < 0 || (r && rec->size < r->size)) {
		strbuf_addstr(out, bad == -ENOENT ? ": its event id is not declared\n" :
			      ": too short for its fields\n");
	} else if (r) {
		if (r->print)
			r->print(&x);
		if (r->left_alone & who)
			strbuf_addstr(out, ": unhandled!\n");
		else if (!r->print)
			strbuf_addch(out, '\n');
	} else {
		strbuf_addf(out, " (type %u)\n", rec->type);
	}
	arena_release(&scratch);
}

/* which file of a directory the record is in */
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

void dump_place(const char *comm, u32 tid, const char *dso, struct strbuf *out)
{
	strbuf_addstr(out, " ... thread: ");
	strbuf_add_safe(out, comm);
	strbuf_addf(out, ":%d\n ...... dso: ", tid);
	strbuf_add_safe(out, dso ? dso : "<not found>");
	strbuf_addch(out, '\n');
}
