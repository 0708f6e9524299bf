/* Side-band lines: what --show-task-events and its kin print. One row per record type. */
#include "script.h"

#include <string.h>
#include <sys/mman.h>
#include "../base/cursor.h"

struct side {
	struct line_worker *w;
	const struct rec *rec;
	struct cursor c;		/* behind the record's header */
	struct whence at;
	struct strbuf *out;
};

static const char *read_name(struct side *s)
{
	size_t left = cursor_left(&s->c);
	const char *name = (const char *)s->c.p;

	return memchr(name, '\0', left) ? name : "";
}

static void put_hash_hex(struct strbuf *out, u64 v)
{
	if (v)
		strbuf_addstr(out, "0x");
	strbuf_add_hex(out, v, 0, ' ');
}

static void side_comm(struct side *s)
{
	s32 pid = cursor_u32(&s->c), tid = cursor_u32(&s->c);

	strbuf_addf(s->out, "PERF_RECORD_COMM%s: ", s->rec->misc & MISC_COMM_EXEC ? " exec" : "");
	strbuf_add_safe(s->out, read_name(s));
	strbuf_addf(s->out, ":%d/%d\n", pid, tid);
}

static void side_task(struct side *s)
{
	s32 pid = cursor_u32(&s->c), ppid = cursor_u32(&s->c), tid = cursor_u32(&s->c), ptid = cursor_u32(&s->c);

	strbuf_addf(s->out, "PERF_RECORD_%s(%d:%d):(%d:%d)\n", s->rec->type == REC_FORK ? "FORK" : "EXIT", pid, tid, ppid, ptid);
}

static void put_range(struct side *s, const char *type)
{
	s32 pid = cursor_u32(&s->c), tid = cursor_u32(&s->c);
	u64 start = cursor_u64(&s->c), len = cursor_u64(&s->c), pgoff = cursor_u64(&s->c);

	strbuf_addf(s->out, "PERF_RECORD_%s %d/%d: [0x", type, pid, tid);
	strbuf_add_hex(s->out, start, 0, ' ');
	strbuf_addstr(s->out, "(0x");
	strbuf_add_hex(s->out, len, 0, ' ');
	strbuf_addstr(s->out, ") @ ");
	put_hash_hex(s->out, pgoff);
}

static void side_mmap(struct side *s)
{
	put_range(s, "MMAP");
	strbuf_addf(s->out, "]: %c ", s->rec->misc & MISC_MMAP_DATA ? 'r' : 'x');
	strbuf_add_safe(s->out, read_name(s));
	strbuf_addch(s->out, '\n');
}

static void put_build_id(struct side *s, const u8 *p)
{
	strbuf_addstr(s->out, " <");
	for (u32 i = 0; i < p[0] && i < BUILDID_MAX; i++)
		strbuf_add_hex(s->out, p[4 + i], 2, '0');
	strbuf_addch(s->out, '>');
}

static void side_mmap2(struct side *s)
{
	const u8 *id;
	u32 prot, flags;

	put_range(s, "MMAP2");
	id = s->c.p;
	if (s->rec->misc & MISC_MMAP_BUILD_ID && cursor_left(&s->c) >= 24 && id[0] <= BUILDID_MAX) {
		put_build_id(s, id);
		cursor_skip(&s->c, 24);
	} else {
		u32 maj = cursor_u32(&s->c), min = cursor_u32(&s->c);
		u64 ino = cursor_u64(&s->c), gen = cursor_u64(&s->c);

		strbuf_addf(s->out, " %02x:%02x %llu %llu", maj, min, (unsigned long long)ino, (unsigned long long)gen);
	}
	prot = cursor_u32(&s->c);
	flags = cursor_u32(&s->c);
	strbuf_addf(s->out, "]: %c%c%c%c ", prot & PROT_READ ? 'r' : '-', prot & PROT_WRITE ? 'w' : '-',
		    prot & PROT_EXEC ? 'x' : '-', flags & MAP_SHARED ? 's' : 'p');
	strbuf_add_safe(s->out, read_name(s));
	strbuf_addch(s->out, '\n');
}

static const char *switch_text(u16 misc)
{
	if (!(misc & MISC_SWITCH_OUT))
		return "IN         ";
	return misc & MISC_SWITCH_OUT_PREEMPT ? "OUT preempt" : "OUT        ";
}

static void side_switch(struct side *s)
{
	strbuf_addf(s->out, "PERF_RECORD_SWITCH %s\n", switch_text(s->rec->misc));
}

static void side_switch_cpu(struct side *s)
{
	u32 pid = cursor_u32(&s->c), tid = cursor_u32(&s->c);

	strbuf_addf(s->out, "PERF_RECORD_SWITCH_CPU_WIDE %s  %s pid/tid: %5d/%-5d\n", switch_text(s->rec->misc),
		    s->rec->misc & MISC_SWITCH_OUT ? "next" : "prev", (s32)pid, (s32)tid);
}

static void side_namespaces(struct side *s)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	s32 pid = cursor_u32(&s->c), tid = cursor_u32(&s->c);
	u64 nr = cursor_u64(&s->c);

	nr = MIN(nr, cursor_left(&s->c) / 16);
	strbuf_addf(s->out, "PERF_RECORD_NAMESPACES %d/%d - nr_namespaces: %llu\n\t\t[", pid, tid, (unsigned long long)nr);
	for (u64 i = 0; i < nr; i++) {
		u64 dev = cursor_u64(&s->c), ino = cursor_u64(&s->c);

		if (i && i % 4 == 0)
			strbuf_addstr(s->out, "\n\t\t ");
		strbuf_addf(s->out, "%llu/%s: %llu/%#llx%s", (unsigned long long)i, i < ARRAY_SIZE(names) ? names[i] : "unknown",
			    (unsigned long long)dev, (unsigned long long)ino, i + 1 == nr ? "]\n" : ", ");
	}
}

static void side_lost(struct side *s)
{
	cursor_u64(&s->c);
	strbuf_addf(s->out, "PERF_RECORD_LOST lost %llu\n", (unsigned long long)cursor_u64(&s->c));
}

static void side_round(struct side *s)
{
	strbuf_addstr(s->out, "PERF_RECORD_FINISHED_ROUND\n");
}

static void side_ksymbol(struct side *s)
{
	u64 addr = cursor_u64(&s->c);
	u32 len = cursor_u32(&s->c);
	u16 type = cursor_u16(&s->c), flags = cursor_u16(&s->c);

	strbuf_addf(s->out, "PERF_RECORD_KSYMBOL addr %llx len %u type %u flags 0x%x name ", (unsigned long long)addr, len, type, flags);
	strbuf_add_safe(s->out, read_name(s));
	strbuf_addch(s->out, '\n');
}

static void side_bpf(struct side *s)
{
	u16 type = cursor_u16(&s->c), flags = cursor_u16(&s->c);

	strbuf_addf(s->out, "PERF_RECORD_BPF_EVENT type %u, flags %u, id %u\n", type, flags, cursor_u32(&s->c));
}

static void side_cgroup(struct side *s)
{
	strbuf_addf(s->out, "PERF_RECORD_CGROUP cgroup: %llu ", (unsigned long long)cursor_u64(&s->c));
	strbuf_add_safe(s->out, read_name(s));
	strbuf_addch(s->out, '\n');
}

static void put_bytes(struct strbuf *out, const char *title, const u8 *p, u32 len)
{
	for (u32 i = 0; i < len; i++) {
		if (i % 16 == 0)
			strbuf_addf(out, "%s            %s bytes:", i ? "\n" : "", title);
		strbuf_addch(out, ' ');
		strbuf_add_hex(out, p[i], 2, '0');
	}
	if (len)
		strbuf_addch(out, '\n');
}

static void side_text_poke(struct side *s)
{
	u64 addr = cursor_u64(&s->c);
	u16 old_len = cursor_u16(&s->c), new_len = cursor_u16(&s->c);
	const u8 *p = cursor_bytes(&s->c, (u64)old_len + new_len);
	struct frame f;

	if (!p || !frame_resolve(&s->w->cache, &s->at, CPUMODE_KERNEL, addr, false, &f))
		return;
	strbuf_addf(s->out, "PERF_RECORD_TEXT_POKE %llx ", (unsigned long long)addr);
	if (f.sym)
		frame_put_sym(&s->w->cache, &f, true, s->out);
	strbuf_addf(s->out, " old len %u new len %u\n", old_len, new_len);
	put_bytes(s->out, "Old", p, old_len);
	put_bytes(s->out, "New", p + old_len, new_len);
}

/* whose name stands in front: the task that the record's body names first (pid, tid), or the sample id's */
enum side_who { WHO_BODY, WHO_FORKED, WHO_TRAILER, WHO_NOBODY };

static const struct side_row {
	u32 type, show;
	enum side_who who;
	void (*put)(struct side *s);
} side_rows[] = {
	{ REC_COMM,		SHOW_TASK,	WHO_BODY,	side_comm },
	{ REC_FORK,		SHOW_TASK,	WHO_FORKED,	side_task },
	{ REC_EXIT,		SHOW_TASK,	WHO_FORKED,	side_task },
	{ REC_MMAP,		SHOW_MMAP,	WHO_BODY,	side_mmap },
	{ REC_MMAP2,		SHOW_MMAP,	WHO_BODY,	side_mmap2 },
	{ REC_SWITCH,		SHOW_SWITCH,	WHO_TRAILER,	side_switch },
	{ REC_SWITCH_CPU_WIDE,	SHOW_SWITCH,	WHO_TRAILER,	side_switch_cpu },
	{ REC_NAMESPACES,	SHOW_NAMESPACE,	WHO_BODY,	side_namespaces },
	{ REC_LOST,		SHOW_LOST,	WHO_TRAILER,	side_lost },
	{ REC_FINISHED_ROUND,	SHOW_ROUND,	WHO_NOBODY,	side_round },
	{ REC_KSYMBOL,		SHOW_BPF | SHOW_TEXT_POKE,	WHO_TRAILER,	side_ksymbol },
	{ REC_BPF_EVENT,	SHOW_BPF,	WHO_TRAILER,	side_bpf },
	{ REC_CGROUP,		SHOW_CGROUP,	WHO_TRAILER,	side_cgroup },
	{ REC_TEXT_POKE,	SHOW_TEXT_POKE,	WHO_TRAILER,	side_text_poke },
};

static const struct side_row *find_row(u32 type)
{
	for (size_t i = 0; i < ARRAY_SIZE(side_rows); i++)
		if (side_rows[i].type == type)
			return &side_rows[i];
	return NULL;
}

/* The event whose field list the line follows: the trailer's, else the first */
static const struct event *side_event(const struct line_worker *w, const struct sample *sm)
{
	const struct evset *set = w->sc->s->data->evset;

	return sm->event ? sm->event : set->ev.nr ? set->ev.v[0] : NULL;
}

static void side_start(struct side *s, enum side_who who)
{
	const struct session *ses = s->w->sc->s;
	struct cursor body = s->c;
	struct sample sm = { 0 }, named;
	const struct event *ev;
	s32 pid, tid;

	sample_decode_id(ses->data->plan, s->rec, &sm);
	ev = side_event(s->w, &sm);
	if (!ev)
		return;
	named = sm;
	if (who == WHO_BODY || who == WHO_FORKED) {
		pid = cursor_u32(&body);
		if (who == WHO_FORKED)
			cursor_u32(&body);
		tid = cursor_u32(&body);
		if (!(ev->attr.flags & ATTR_SAMPLE_ID_ALL)) {
			sm.pid = pid;
			sm.tid = tid;
			sm.time = sm.cpu = 0;
		}
		named.pid = pid;
		named.tid = tid;
	}
	/* the state behind the record counts: a task is shown by the name that this very record gives it, until it ends */
	s->at = session_whence(ses, &named, s->rec);
	s->at.off += s->rec->type == REC_EXIT ? -1 : 1;
	whence_forget_dead(ses, &named, &s->at);
	line_start(s->w, &s->w->sc->view[ev->idx], &sm, named.tid, s->rec, &s->at, s->out);
}

void line_side_band(struct line_worker *w, const struct rec *rec, struct strbuf *out)
{
	const struct side_row *row = find_row(rec->type);
	struct side s = { .w = w, .rec = rec, .out = out };

	if (!row || !(w->sc->o->show & row->show))
		return;
	s.c = cursor_of(rec->p + sizeof(struct rec_header), rec->size - sizeof(struct rec_header), rec->swap);
	if (row->who != WHO_NOBODY)
		side_start(&s, row->who);
	row->put(&s);
}
