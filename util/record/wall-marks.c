/* Wall-marks: see wall-marks.h. */
#include "wall-marks.h"
#include "bpf-event.h"
#include "synthesize.h"
#include "wall-encode.h"
#include "wall-events.h"
#include "../base/fs.h"
#include "../base/kallsyms-lines.h"
#include "../base/log.h"
#include "../base/put.h"
#include "../event/record-type.h"
#include "../kernel/perf-clock.h"

#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK_FIELDS (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW)
/* those that put_mark() knows */
#define KNOWN_FIELDS (MARK_FIELDS | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
		      PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | \
		      PERF_SAMPLE_PERIOD)
#define FRAMES_MAX 64u

static struct event *find_event(const struct evset *set)
{
	for (u32 i = 0; i < set->ev.nr; i++)
		if (!strcmp(evset_at(set, i)->name, WALL_DUMMY_NAME))
			return evset_at(set, i);
	return NULL;
}

void wall_marks_configure(struct evset *set)
{
	struct event *ev = find_event(set);

	if (ev && !(ev->attr.sample_type & ~KNOWN_FIELDS))
		ev->attr.sample_type |= MARK_FIELDS;
}

bool wall_marks_is_event(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_DUMMY &&
	       (ev->attr.sample_type & MARK_FIELDS) == MARK_FIELDS && !strcmp(ev->name, WALL_DUMMY_NAME);
}

/* ---- which threads sleep ---- */

struct stack_line {
	u32 name, offset;
};

struct sleeper {
	s32 pid, tid;
	char letter;
	u64 arg, user_ip;	/* 0: not known */
	bool has_file;
	struct wall_file_raw file;	/* of the descriptor arg, if it is one */
	u32 first, nr;		/* of its frames */
};

struct sleepers {
	struct { VEC(struct sleeper); };
	struct { VEC(struct stack_line); } line;
	struct strbuf text;
};

static bool read_task(struct strbuf *text, const struct sleeper *s, const char *file)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", s->pid, s->tid, file);
	strbuf_reset(text);
	return !fs_read(path, text) && text->len;
}

/* of "TID (NAME) LETTER ...", whose name may contain anything; 0: it runs, or has ended */
static char letter_of(struct strbuf *text, const struct sleeper *s)
{
	const char *end = read_task(text, s, "stat") ? strrchr(strbuf_str(text), ')') : NULL;

	return end && end[1] == ' ' && end[2] && strchr("SDTtI", end[2]) ? end[2] : '\0';
}

#define DESCRIPTORS_MAX (1u << 20)

/* what the descriptor is of that is the argument of the call: BPF programs tell the same of later waits */
static void read_file(struct sleeper *s)
{
	struct strbuf path = STRBUF_INIT;
	char link[PATH_MAX];
	struct stat st;
	const char *name;
	ssize_t n;

	fs_path(&path, "/proc/%d/task/%d/fd/%lu", s->pid, s->tid, s->arg);
	n = readlink(path.buf, link, sizeof(link) - 1);
	if (n > 0 && !stat(path.buf, &st)) {
		link[n] = '\0';
		name = *link == '/' ? strrchr(link, '/') + 1 :
		       strncmp(link, "anon_inode:", 11) ? "" : link + 11;
		s->has_file = true;
		s->file = (struct wall_file_raw){ .inode = { st.st_ino, (u64)st.st_ino >> 32 },
						  .mode = st.st_mode };
		memcpy(s->file.name, name, MIN(strlen(name), sizeof(s->file.name)));
	}
	strbuf_release(&path);
}

/* "NR ARG[6] SP IP", or "-1 SP IP" outside of system calls; "running" */
static void read_call(struct strbuf *text, struct sleeper *s)
{
	const char *line = read_task(text, s, "syscall") ? strbuf_str(text) : "", *ip = strrchr(line, ' ');
	char *arg;
	long nr = strtol(line, &arg, 10);

	if (arg == line || !ip)
		return;
	s->user_ip = strtoull(ip, NULL, 16);
	if (nr >= 0)
		s->arg = strtoull(arg, NULL, 16);
	if (nr >= 0 && s->arg < DESCRIPTORS_MAX)
		read_file(s);
}

/* of "[<0>] NAME+0x1a/0x20 [MODULE]" */
static void add_frame(struct wall_marks *m, struct sleepers *l, const char *line)
{
	const char *name = strstr(line, "] "), *plus = name ? strchr(name, '+') : NULL, *module;
	struct strbuf key = STRBUF_INIT;
	char *end;
	u32 offset;

	if (!plus)
		return;
	name += 2;
	offset = strtoul(plus + 1, &end, 16);
	module = strchr(end, ' ');
	strbuf_addf(&key, "%.*s%s", (int)(plus - name), name, module ? module : "");
	vec_push(&l->line, (struct stack_line){ strtab_add(&m->names, strbuf_str(&key)), offset });
	strbuf_release(&key);
}

static void read_stack(struct wall_marks *m, struct sleepers *l, struct sleeper *s)
{
	char *line, *next;

	s->first = l->line.nr;
	if (!read_task(&l->text, s, "stack"))
		return;
	for (line = l->text.buf; line && *line && l->line.nr - s->first < FRAMES_MAX; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		add_frame(m, l, line);
	}
	s->nr = l->line.nr - s->first;
}

static void add_sleeper(struct wall_marks *m, struct sleepers *l, s32 pid, s32 tid)
{
	struct sleeper s = { .pid = pid, .tid = tid };

	s.letter = letter_of(&l->text, &s);
	if (!s.letter)
		return;
	read_call(&l->text, &s);
	read_stack(m, l, &s);
	vec_push(l, s);
}

/* the threads that records of names are of; of single threads that were named no others are watched */
static void add_named(struct wall_marks *m, struct sleepers *l, const struct strbuf *records,
		      const struct target *t)
{
	struct rec_header h;

	for (size_t at = 0; at + sizeof(h) <= records->len; at += h.size) {
		s32 id[2];
		bool named = !t->by_tid;

		memcpy(&h, records->buf + at, sizeof(h));
		if (h.type != REC_COMM || h.size < sizeof(h) + sizeof(id))
			continue;
		memcpy(id, records->buf + at + sizeof(h), sizeof(id));
		for (u32 i = 0; i < t->tids.nr && !named; i++)
			named = t->tids.v[i] == id[1];
		if (named)
			add_sleeper(m, l, id[0], id[1]);
	}
}

static void find_sleepers(struct wall_marks *m, struct sleepers *l, const struct target *t, bool follow)
{
	const struct synth_opts o = { .no_maps = true };
	struct synth_notes notes = { 0 };
	struct strbuf tasks = STRBUF_INIT;

	synth_target(&tasks, t, &o, &notes);
	if (follow && !t->by_tid)
		synth_descendants(&tasks, t->pids.v, t->pids.nr, &o, &notes);
	add_named(m, l, &tasks, t);
	strbuf_release(&tasks);
}

static void sleepers_release(struct sleepers *l)
{
	vec_release(l);
	vec_release(&l->line);
	strbuf_release(&l->text);
}

/* ---- addresses of their stacks ---- */

/* the first function of that name, where several have it: its name is right */
static bool note_address(void *ctx, const struct kallsyms_entry *e)
{
	struct wall_marks *m = ctx;
	char key[512];
	u32 id;

	if (e->module_len)
		snprintf(key, sizeof(key), "%s [%.*s]", e->name, (int)e->module_len, e->module);
	id = strtab_find(&m->names, e->module_len ? key : e->name, e->module_len ? strlen(key) : e->name_len);
	if (id != HIDX_NONE && !m->addr.v[id])
		m->addr.v[id] = e->addr;
	return true;
}

/* names that were not looked for yet */
static void find_addresses(struct wall_marks *m)
{
	if (m->addr.nr >= m->names.str.nr)
		return;
	while (m->addr.nr < m->names.str.nr)
		vec_push(&m->addr, 0);
	kallsyms_lines_each(note_address, m);
}

/* with markers of the kernel's part and the user's */
static u32 chain_of(const struct wall_marks *m, const struct sleepers *l, const struct sleeper *s,
		    u64 ip[FRAMES_MAX + 3])
{
	u32 nr = 0;

	ip[nr++] = PERF_CONTEXT_KERNEL;
	for (u32 i = 0; i < s->nr; i++) {
		const struct stack_line *f = &l->line.v[s->first + i];

		if (m->addr.v[f->name])
			ip[nr++] = m->addr.v[f->name] + f->offset;
	}
	nr -= nr == 1;
	if (!s->user_ip)
		return nr;
	ip[nr++] = PERF_CONTEXT_USER;
	ip[nr++] = s->user_ip;
	return nr;
}

/* ---- their samples ---- */

static void put_mark(struct strbuf *out, u64 type, u64 id, u64 time, const struct sleeper *s, const u64 *ip,
		     u32 nr)
{
	const struct wall_mark_raw raw = { .letter = s->letter, .arg = { s->arg, s->arg >> 32 } };
	bool kernel = nr && ip[0] == PERF_CONTEXT_KERNEL;
	u32 bytes = s->has_file ? wall_file_raw_bytes(&s->file) : 0;
	struct rec_header h = { .type = REC_SAMPLE,
				.misc = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER };
	size_t at = out->len;

	strbuf_add(out, &h, sizeof(h));
	if (type & PERF_SAMPLE_IDENTIFIER)
		put_u64(out, id);
	if (type & PERF_SAMPLE_IP)
		put_u64(out, nr ? ip[1] : 0);
	if (type & PERF_SAMPLE_TID) {
		put_u32(out, s->pid);
		put_u32(out, s->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		put_u64(out, time);
	if (type & PERF_SAMPLE_ID)
		put_u64(out, id);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_u64(out, id);
	if (type & PERF_SAMPLE_CPU)
		put_u64(out, UINT32_MAX);
	if (type & PERF_SAMPLE_PERIOD)
		put_u64(out, 0);
	put_u64(out, nr);
	strbuf_add(out, ip, nr * sizeof(*ip));
	put_u32(out, sizeof(raw) + bytes);
	strbuf_add(out, &raw, sizeof(raw));
	strbuf_add(out, &s->file, bytes);
	h.size = out->len - at;
	memcpy(out->buf + at, &h, sizeof(h));
}

void wall_marks_put(struct wall_marks *m, const struct evset *set, const struct open_fds *f,
		    const struct target *t, bool follow, struct strbuf *out)
{
	const struct event *ev = find_event(set);
	struct sleepers l = { 0 };
	struct err err = ERR_INIT;
	u64 ip[FRAMES_MAX + 3], time;

	if (!ev || !wall_marks_is_event(ev))
		return;
	/* before they are looked at: what they do after that, records tell */
	if (perf_clock_once(&ev->attr, &time, &err)) {
		log_v("--wall: threads that sleep at both ends are not recorded: %s", err.msg);
		return;
	}
	find_sleepers(m, &l, t, follow);
	find_addresses(m);
	vec_foreach(&l, s)
		put_mark(out, ev->attr.sample_type, bpf_event_id(ev, f), time, s, ip, chain_of(m, &l, s, ip));
	sleepers_release(&l);
}

void wall_marks_each(const struct target *t, bool follow,
		     void (*fn)(void *ctx, s32 pid, s32 tid, char letter), void *ctx)
{
	struct wall_marks m = { 0 };
	struct sleepers l = { 0 };

	find_sleepers(&m, &l, t, follow);
	vec_foreach(&l, s)
		fn(ctx, s->pid, s->tid, s->letter);
	sleepers_release(&l);
	wall_marks_release(&m);
}

void wall_marks_release(struct wall_marks *m)
{
	strtab_release(&m->names);
	vec_release(&m->addr);
}
