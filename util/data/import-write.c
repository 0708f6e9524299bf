/*
 * Import: stacks as a packed recording. Addresses are made up: in each module, functions lie one after
 * another, and each place in one of them (its lines, and what is inlined there) has 16 bytes. Modules of the
 * kernel are in the upper half of the address space; others are mapped from an offset that files do not have.
 * A module without a build-id has a made-up inode. All tasks are threads of one process, and each command is
 * a thread.
 */
#include "import-write.h"
#include "features-write.h"
#include "importer.h"
#include "writer.h"
#include "../base/sort.h"
#include "../event/record-put.h"
#include "../obj/sympack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PLACE_SIZE 16u
#define USER_BASE 0x400000ull
#define KERNEL_BASE 0xffff800000000000ull
#define MAP_STEP 0x1000ull
/*
 * where user code is in its module: other programs do not know packed symbols, and must not take names from
 * a file of that name
 */
#define FAR_OFFSET (1ull << 40)
#define PID 1
#define NAME_MAX_LEN 4000u	/* of commands and modules: records are short */
#define BUFFER (1u << 20)
/* stacks of several samples are written as that many; if all have more than that, as one each */
#define MAX_SAMPLES 1000000u

/* frames at one address: innermost first, all but the last one are inlined */
struct import_place {
	u32 first, nr;		/* in frame[] */
	u64 ip;			/* of its instruction; callers return to the next byte */
};

struct import_writer {
	const struct stacks *s;
	const char *origin;
	struct writer w;
	struct evset *set;
	struct features feat;
	struct strbuf out, pack;
	struct { VEC(struct import_place); } place;
	struct { VEC(u32); } frame;
	struct hidx by_place;
	struct { VEC(u32); } chain;	/* places of all stacks, one after another */
	u32 *chain_end;			/* by stack: where its places end */
	u32 *order;			/* places by module and function */
	struct sympack_dso *module;	/* by module: its names */
	u32 *same;			/* by module: the first one that has the same names */
	struct { VEC(u32); } first;	/* those */
	struct { VEC(struct sympack_dso); } dso;
	struct arena arena;		/* what they point to */
	u64 next[2];			/* the first address that is free: of user code, of the kernel */
	struct { VEC(const char *); } comm;
	struct hidx by_comm;
	bool one_each;
};

/* ---- places ---- */

static const struct stacks_frame *outer_of(const struct import_writer *m, const struct import_place *p)
{
	return &m->s->frame.v[m->frame.v[p->first + p->nr - 1]];
}

static u32 place_of(struct import_writer *m, const u32 *frame, u32 nr)
{
	u64 hash = hash_bytes(frame, nr * sizeof(*frame));
	u32 id;

	HIDX_FOREACH(&m->by_place, hash, id) {
		const struct import_place *p = &m->place.v[id];

		if (p->nr == nr && !memcmp(m->frame.v + p->first, frame, nr * sizeof(*frame)))
			return id;
	}
	id = m->place.nr;
	vec_push(&m->place, (struct import_place){ .first = m->frame.nr, .nr = nr });
	for (u32 i = 0; i < nr; i++)
		vec_push(&m->frame, frame[i]);
	hidx_insert(&m->by_place, hash, id);
	return id;
}

/* of a frame: a position in module[] */
static u32 module_of(const struct import_writer *m, const struct stacks_frame *f)
{
	return m->same[f->module == STACKS_NONE ? m->s->module.nr : f->module];
}

static void find_places(struct import_writer *m)
{
	struct stacks_path path = { 0 };

	m->chain_end = xreallocarray(NULL, m->s->stack.nr + 1, sizeof(*m->chain_end));
	for (size_t k = 0; k < m->s->stack.nr; k++) {
		stacks_path(m->s, m->s->stack.v[k].node, &path);
		for (u32 i = 0, nr; i < path.nr; i += nr) {
			for (nr = 1; i + nr < path.nr && m->s->frame.v[path.v[i + nr - 1]].inlined;)
				nr++;
			vec_push(&m->chain, place_of(m, path.v + i, nr));
		}
		m->chain_end[k] = m->chain.nr;
	}
	vec_release(&path);
}

static void sort_places(struct import_writer *m)
{
	size_t nr = m->place.nr;
	struct sort_pair *pair = xreallocarray(NULL, 2 * nr + 1, sizeof(*pair));

	for (size_t i = 0; i < nr; i++) {
		const struct stacks_frame *f = outer_of(m, &m->place.v[i]);

		pair[i] = (struct sort_pair){ (u64)module_of(m, f) << 32 | f->function, i };
	}
	sort_pairs(pair, pair + nr, nr);
	m->order = xreallocarray(NULL, nr + 1, sizeof(*m->order));
	for (size_t i = 0; i < nr; i++)
		m->order[i] = pair[i].val;
	free(pair);
}

/* ---- modules ---- */

static bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* a name that means a file: others, such as [heap], would have no symbols */
static const char *user_name(struct arena *arena, const char *name, const char *origin)
{
	size_t len;

	while (*name == '[' || starts_with(name, "//"))
		name++;
	if (starts_with(name, "/dev/") || starts_with(name, "/SYSV") || starts_with(name, "/anon") ||
	    starts_with(name, "/memfd:"))
		name++;
	len = strcspn(name, "]");
	return len ? arena_strndup(arena, name, MIN(len, (size_t)NAME_MAX_LEN)) : origin;
}

static int nibble(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 :
	       c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/*
 * 0 bytes of a text that is not hex, such as an id of the Go linker: a part of it would be an id that no file
 * has
 */
static u8 parse_buildid(const char *hex, u8 *id)
{
	u8 nr = 0;

	for (; nibble(hex[0]) >= 0 && nibble(hex[1]) >= 0; hex += 2)
		if (nr < BUILDID_MAX)
			id[nr++] = nibble(hex[0]) << 4 | nibble(hex[1]);
	return *hex ? 0 : nr;
}

/* as the machine will call it: see util/machine/dsos.c */
void import_name_module(struct arena *arena, const char *path, const char *buildid, bool kernel,
			const char *origin, struct sympack_dso *ret)
{
	const char *end;

	*ret = (struct sympack_dso){ .pid = PID, .letter = SYMPACK_IMPORTED, .file = "", .reason = "" };
	if (kernel)
		ret->kind = starts_with(path, "[kernel.") ? SYMPACK_KERNEL : SYMPACK_MODULE;
	/* a machine has one kernel: those of several machines become one, whose id would be wrong */
	if (ret->kind != SYMPACK_KERNEL)
		ret->id_len = parse_buildid(buildid, ret->id);
	if (ret->kind == SYMPACK_USER) {
		ret->name = user_name(arena, path, origin);
		return;
	}
	end = ret->kind == SYMPACK_KERNEL ? strchr(path, ']') : NULL;
	ret->name = arena_strndup(arena, path, MIN(end ? (size_t)(end + 1 - path) : strlen(path),
						   (size_t)NAME_MAX_LEN));
}

/* modules that will be one: the kernels of several machines, for instance. STACKS_NONE: the last one */
static void find_modules(struct import_writer *m)
{
	struct strtab keys = { 0 };
	struct strbuf key = STRBUF_INIT;
	u32 nr = m->s->module.nr, id;

	m->module = xcalloc(nr + 1, sizeof(*m->module));
	m->same = xcalloc(nr + 1, sizeof(*m->same));
	strtab_add(&keys, "");
	for (u32 i = 0; i <= nr; i++) {
		const struct stacks_module *mod = i < nr ? &m->s->module.v[i] : NULL;
		struct sympack_dso *d = &m->module[i];

		import_name_module(&m->arena, mod ? stacks_text(m->s, mod->path) : "",
				   mod ? stacks_text(m->s, mod->buildid) : "", mod && mod->kernel,
				   m->origin, d);
		strbuf_reset(&key);
		strbuf_addf(&key, "%u ", d->kind);
		for (u32 k = 0; k < d->id_len; k++)
			strbuf_addf(&key, "%02x", d->id[k]);
		strbuf_addf(&key, " %s", d->name);
		id = strtab_add(&keys, strbuf_str(&key));
		if (id > m->first.nr)
			vec_push(&m->first, i);
		m->same[i] = m->first.v[id - 1];
	}
	strbuf_release(&key);
	strtab_release(&keys);
}

static struct line_info line_of(struct import_writer *m, const struct import_place *p)
{
	const struct stacks_frame *outer = outer_of(m, p);
	struct line_info ret = { .file = stacks_text(m->s, outer->file), .line = outer->line,
				 .nr_inlined = p->nr - 1 };
	struct line_call *call = arena_zalloc(&m->arena, ret.nr_inlined * sizeof(*call) + 1);

	for (u32 i = 0; i < ret.nr_inlined; i++) {
		const struct stacks_frame *f = &m->s->frame.v[m->frame.v[p->first + i]];

		call[i] = (struct line_call){ stacks_text(m->s, f->function), stacks_text(m->s, f->file),
					      f->line };
	}
	ret.inlined = call;
	return ret;
}

static u32 nr_equal(const struct import_writer *m, size_t at, bool function)
{
	const struct stacks_frame *a = outer_of(m, &m->place.v[m->order[at]]), *b;
	size_t end = at + 1;

	for (; end < m->place.nr; end++) {
		b = outer_of(m, &m->place.v[m->order[end]]);
		if (module_of(m, a) != module_of(m, b) || (function && a->function != b->function))
			break;
	}
	return end - at;
}

/* addresses, symbols and lines of a function's places; addr: the first one in its dso */
static void add_function(struct import_writer *m, const u32 *id, u32 nr, u64 addr, u64 bias,
			 struct sympack_dso *d)
{
	const struct stacks_frame *outer = outer_of(m, &m->place.v[*id]);

	for (u32 i = 0; i < nr; i++) {
		struct import_place *p = &m->place.v[id[i]];
		const struct stacks_frame *f = outer_of(m, p);

		p->ip = bias + addr + (u64)i * PLACE_SIZE;
		if (f->file || p->nr > 1)
			((struct sympack_line *)d->line)[d->nr_lines++] =
				(struct sympack_line){ p->ip - bias, line_of(m, p) };
	}
	if (outer->function)
		((struct symbol *)d->sym)[d->nr_syms++] = (struct symbol){
			.start = addr, .end = addr + (u64)nr * PLACE_SIZE,
			.name = stacks_text(m->s, outer->function), .binding = 'g', .type = 2 };
}

/* a text as records can have it */
static const char *name_of(struct import_writer *m, const char *s)
{
	return strlen(s) > NAME_MAX_LEN ? arena_strndup(&m->arena, s, NAME_MAX_LEN) : s;
}

static void put_map(struct import_writer *m, const struct sympack_dso *d, u64 start, u64 len)
{
	const char *name = name_of(m, d->name);
	struct record_view v = { .misc = d->id_len ? MISC_MMAP_BUILD_ID : 0 };
	bool user = d->kind == SYMPACK_USER;

	v.misc |= user ? CPUMODE_USER : CPUMODE_KERNEL;
	if (user || d->id_len) {
		v.type = REC_MMAP2;
		v.mmap2 = (struct rec_mmap2_view){ .pid = user ? PID : -1, .tid = user ? PID : 0,
			.addr = start, .len = len, .pgoff = user ? FAR_OFFSET : 0,
			.prot = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE, .filename = name,
			.file = { .is_build_id = d->id_len, .id_len = d->id_len, .id = d->id,
				  .ino = d->ino } };
	} else {
		v.type = REC_MMAP;
		v.mmap = (struct rec_mmap_view){ .pid = -1, .addr = start, .len = len, .filename = name,
			.pgoff = d->kind == SYMPACK_KERNEL ? start : 0 };
	}
	record_put(&m->out, &v, NULL, 0);
}

/* the places of a module, from position at of the order on */
static void add_module(struct import_writer *m, size_t at, u32 nr)
{
	struct sympack_dso d = m->module[module_of(m, outer_of(m, &m->place.v[m->order[at]]))];
	u64 start, bias, len = (u64)nr * PLACE_SIZE;
	u64 *next;

	d.sym = arena_alloc(&m->arena, nr * sizeof(*d.sym));
	d.line = arena_alloc(&m->arena, nr * sizeof(*d.line));
	next = &m->next[d.kind != SYMPACK_USER];
	start = *next;
	*next = ALIGN_UP(start + len, MAP_STEP) + MAP_STEP;
	/* addresses of user code are offsets in the file */
	bias = d.kind == SYMPACK_USER ? start - FAR_OFFSET : 0;
	for (u32 i = 0, same; i < nr; i += same) {
		same = MIN(nr_equal(m, at + i, true), nr - i);
		add_function(m, m->order + at + i, same, start - bias + (u64)i * PLACE_SIZE, bias, &d);
	}
	if (!d.id_len)	/* which tells it from others of its name */
		d.ino = m->dso.nr + 1;
	put_map(m, &d, start, ALIGN_UP(len, MAP_STEP));
	vec_push(&m->dso, d);
}

static void add_modules(struct import_writer *m)
{
	m->next[0] = USER_BASE;
	m->next[1] = KERNEL_BASE;
	for (size_t i = 0, nr; i < m->place.nr; i += nr) {
		nr = nr_equal(m, i, false);
		add_module(m, i, nr);
	}
	sympack_write(&m->pack, m->dso.v, m->dso.nr);
}

/* ---- records ---- */

static const char *comm_text(const struct stacks *s, const struct stack *k)
{
	const struct stacks_labels *l = &s->labels.v[k->labels];

	for (u32 i = 0; i < l->nr; i++)
		if (!strcmp(stacks_text(s, s->label.v[l->first + i].key), "comm"))
			return stacks_text(s, s->label.v[l->first + i].value);
	return "";
}

/* the thread of a command; a new one gets a COMM record */
static u32 tid_of(struct import_writer *m, const struct stack *k)
{
	const char *name = comm_text(m->s, k);
	u32 id;

	HIDX_FOREACH(&m->by_comm, hash_u64((u64)name), id)	/* texts are there once */
		if (m->comm.v[id] == name)
			return PID + id;
	id = m->comm.nr;
	hidx_insert(&m->by_comm, hash_u64((u64)name), id);
	vec_push(&m->comm, name);
	record_put(&m->out, &(struct record_view){ .type = REC_COMM, .comm = {
		.pid = PID, .tid = PID + id, .comm = name_of(m, name) } }, NULL, 0);
	return PID + id;
}

static int drain(struct import_writer *m, size_t limit)
{
	int ret = m->out.len > limit ? writer_write(&m->w, m->out.buf, m->out.len) : 0;

	if (m->out.len > limit)
		strbuf_reset(&m->out);
	return ret;
}

static bool is_kernel(u64 ip)
{
	return ip >= KERNEL_BASE;
}

/* the chain: markers where it enters or leaves the kernel; the one at its end says that nothing is missing */
static void put_chain(struct import_writer *m, const u32 *place, u32 nr)
{
	size_t at = m->out.len;
	u64 entries = 0;

	put_u64(&m->out, 0);
	for (u32 i = 0; i < nr; i++) {
		u64 ip = m->place.v[place[i]].ip;
		bool enters = !i || is_kernel(ip) != is_kernel(m->place.v[place[i - 1]].ip);

		if (enters) {
			put_u64(&m->out, is_kernel(ip) ? CHAIN_KERNEL : CHAIN_USER);
			entries++;
		}
		put_u64(&m->out, ip + !enters);		/* others are return addresses */
		entries++;
	}
	put_u64(&m->out, CHAIN_KERNEL);
	entries++;
	memcpy(m->out.buf + at, &entries, sizeof(entries));
}

static void put_sample(struct import_writer *m, size_t at, u32 tid, u32 event, u64 period)
{
	u32 first = at ? m->chain_end[at - 1] : 0, nr = m->chain_end[at] - first;
	u64 ip = nr ? m->place.v[m->chain.v[first]].ip : 0;
	size_t start = m->out.len;
	struct rec_header h = { .type = REC_SAMPLE, .misc = is_kernel(ip) ? CPUMODE_KERNEL : CPUMODE_USER };

	strbuf_add(&m->out, &h, sizeof(h));
	put_u64(&m->out, event + 1);
	put_u64(&m->out, ip);
	put_u32(&m->out, PID);
	put_u32(&m->out, tid);
	put_u64(&m->out, period);
	put_chain(m, m->chain.v + first, nr);
	h.size = m->out.len - start;
	memcpy(m->out.buf + start, &h, sizeof(h));
}

/* a stack's samples have equal periods, as far as that is possible */
static int put_stacks(struct import_writer *m)
{
	int ret = drain(m, 0);

	for (size_t i = 0; i < m->s->stack.nr && !ret; i++) {
		const struct stack *k = &m->s->stack.v[i];
		u64 nr = m->one_each ? 1 : MIN(MAX(k->nr, 1ull), MAX(k->period, 1ull));
		u32 tid = tid_of(m, k);

		for (u64 n = 0; n < nr && !ret; n++) {
			put_sample(m, i, tid, k->event, k->period / nr + (n < k->period % nr));
			ret = drain(m, BUFFER);
		}
	}
	return ret ? ret : drain(m, 0);
}

/* ---- the file ---- */

static void add_event(struct import_writer *m, const struct stacks_event *e)
{
	struct event *ev = evset_add(m->set, e->name);
	bool time = !strcmp(e->unit, "nanoseconds");
	u64 id = ev->idx + 1;

	ev->attr.type = time ? PERF_TYPE_SOFTWARE : PERF_TYPE_HARDWARE;
	ev->attr.config = time ? (u64)PERF_COUNT_SW_CPU_CLOCK : (u64)PERF_COUNT_HW_CPU_CYCLES;
	ev->attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN;
	ev->attr.sample_max_stack = IMPORT_MAX_DEPTH;
	evset_set_ids(m->set, ev, &id, 1);
}

static void add_events(struct import_writer *m)
{
	m->set = evset_new();
	vec_foreach(&m->s->event, e)
		add_event(m, e);
}

static void count_samples(struct import_writer *m)
{
	u64 nr = 0;

	vec_foreach(&m->s->stack, k)
		if (__builtin_add_overflow(nr, k->nr, &nr))
			nr = UINT64_MAX / 2;
	m->one_each = nr > MAX_SAMPLES;
}

static int write_file(struct import_writer *m, int fd, struct err *err)
{
	int ret;

	feature_set(&m->feat, FEAT_EVENT_DESC);
	feature_set(&m->feat, FEAT_PACKED_SYMBOLS);
	m->feat.raw[FEAT_PACKED_SYMBOLS] = (struct feat_blob){ m->pack.buf, m->pack.len };
	ret = writer_open_file(&m->w, fd, m->set, &m->feat, err);
	if (ret)
		return ret;
	ret = put_stacks(m);
	if (ret)
		ret = err_sys(err, -ret, "cannot write the temporary file for a recording");
	else
		ret = writer_finish(&m->w, m->set, &m->feat, err);
	writer_close(&m->w);
	return ret;
}

int import_write(int fd, const struct stacks *s, const char *origin, struct err *err)
{
	struct import_writer m = { .s = s, .origin = origin };
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 3), ret;

	if (own < 0)
		return err_sys(err, errno, "cannot write a temporary file");
	add_events(&m);
	find_modules(&m);
	find_places(&m);
	sort_places(&m);
	add_modules(&m);
	count_samples(&m);
	ret = write_file(&m, own, err);
	evset_free(m.set);
	features_release(&m.feat);
	strbuf_release(&m.out);
	strbuf_release(&m.pack);
	vec_release(&m.place);
	vec_release(&m.frame);
	vec_release(&m.chain);
	vec_release(&m.dso);
	vec_release(&m.comm);
	hidx_release(&m.by_place);
	hidx_release(&m.by_comm);
	vec_release(&m.first);
	free(m.module);
	free(m.same);
	free(m.chain_end);
	free(m.order);
	arena_release(&m.arena);
	return ret;
}
