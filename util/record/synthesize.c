/* Synthesize: existing tasks, as records. */
#include "synthesize.h"
#include "map-ids.h"
#include "proc-maps.h"
#include "../event/record-put.h"
#include "../host/build-id.h"
#include "../kernel/bpf-programs.h"
#include "../base/fs.h"
#include "../base/kallsyms-lines.h"
#include "../base/log.h"
#include "../base/module-lines.h"
#include "../base/units.h"
#include "../base/vec.h"
#include "../data/features-write.h"
#include "../obj/module.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define COMM_LEN 16

u32 synth_trailer_size(const struct pe_attr *a)
{
	const u64 fields = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
			   PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

	return a->flags & ATTR_SAMPLE_ID_ALL ? 8 * __builtin_popcountll(a->sample_type & fields) : 0;
}

/* texts of records of at most this length; longer ones are cut in buf, which has one byte more */
static const char *cut_text(char *buf, size_t max, const char *s)
{
	if (strlen(s) <= max)
		return s;
	memcpy(buf, s, max);
	buf[max] = '\0';
	return buf;
}

static struct rec_file_id file_id_of(const struct mmap2 *m)
{
	if (m->bid.len)
		return (struct rec_file_id){ .is_build_id = true, .id_len = m->bid.len, .id = m->bid.id };
	return (struct rec_file_id){ .maj = m->maj, .min = m->min, .ino = m->ino };
}

static void put_mmap2(struct strbuf *out, const struct mmap2 *m, u16 misc, u32 trailer)
{
	char path[PATH_MAX];

	record_put(out, &(struct record_view){
		.type = REC_MMAP2, .misc = misc | (m->bid.len ? MISC_MMAP_BUILD_ID : 0),
		.mmap2 = { .pid = m->pid, .tid = m->tid, .addr = m->start, .len = m->len, .pgoff = m->pgoff,
			   .file = file_id_of(m), .prot = m->prot, .flags = m->flags,
			   .filename = cut_text(path, sizeof(path) - 1, m->path) } }, NULL, trailer);
}

/* kernel and modules have MMAP records in files whose maps have no build-ids: every reader knows these */
static void put_kernel_map(struct strbuf *out, const struct mmap2 *m, u16 cpumode, const struct synth_opts *o)
{
	char path[PATH_MAX];

	if (o->build_ids) {
		put_mmap2(out, m, cpumode, o->trailer);
		return;
	}
	record_put(out, &(struct record_view){
		.type = REC_MMAP, .misc = cpumode,
		.mmap = { .pid = m->pid, .tid = m->tid, .addr = m->start, .len = m->len, .pgoff = m->pgoff,
			  .filename = cut_text(path, sizeof(path) - 1, m->path) } }, NULL, o->trailer);
}

struct kernel_search {
	u64 start, end;
	const char *ref;	/* the symbol at start */
};

/* _text, or else _stext, and _etext */
static bool note_end_of_kernel(void *ctx, const struct kallsyms_entry *e)
{
	struct kernel_search *s = ctx;

	if (e->module_len)
		return true;
	if (!strcmp(e->name, "_text") || (!s->start && !strcmp(e->name, "_stext"))) {
		s->start = e->addr;
		s->ref = e->name[1] == 't' ? "_text" : "_stext";
	} else if (!strcmp(e->name, "_etext")) {
		s->end = e->addr;
	}
	return !s->start || !s->end;
}

/* false if addresses are hidden */
static bool find_kernel(u64 *start, u64 *end, const char **ref)
{
	struct kernel_search s = { .ref = "_text" };

	kallsyms_lines_each(note_end_of_kernel, &s);
	*start = s.start;
	*end = s.end;
	*ref = s.ref;
	return s.start && s.start != UINT64_MAX;
}

/* the same, but found once */
static bool kernel_range(u64 *start, u64 *end, const char **ref, struct synth_place *place)
{
	if (place && place->start) {
		*start = place->start;
		*end = place->end;
		*ref = place->ref;
		return true;
	}
	if (!find_kernel(start, end, ref))
		return false;
	if (place)
		*place = (struct synth_place){ *start, *end, *ref };
	return true;
}

/* adds what is not known */
static bool is_known(struct strtab *modules, const char *name, u64 addr)
{
	char key[160];
	size_t nr;

	if (!modules)
		return false;
	snprintf(key, sizeof(key), "%s@%lx", name, addr);
	nr = modules->str.nr;
	return strtab_add(modules, key) < nr;
}

struct module_notes {
	struct strbuf *out;
	const struct synth_opts *o;
	const char *dir, *dep;		/* /lib/modules/RELEASE, and the text of its modules.dep */
};

static void put_module(void *ctx, const struct loaded_module *l)
{
	const struct module_notes *n = ctx;
	struct mmap2 m = { .pid = -1, .start = l->addr, .len = ALIGN_UP(l->size, (u64)page_size()) };
	char *file;

	if (!l->addr || is_known(n->o->modules, l->name, l->addr))
		return;
	file = module_path(n->dep, n->dir, l->name);
	if (!file)
		file = xasprintf("[%s]", l->name);
	m.path = file;
	if (n->o->build_ids)
		build_id_of_module(l->name, &m.bid);
	put_kernel_map(n->out, &m, CPUMODE_KERNEL, n->o);
	free(file);
}

void synth_new_modules(struct strbuf *out, const struct synth_opts *o)
{
	struct strbuf dep = STRBUF_INIT;
	char dir[160], path[256];
	struct utsname uts;

	uname(&uts);
	snprintf(dir, sizeof(dir), "/lib/modules/%s", uts.release);
	snprintf(path, sizeof(path), "%s/modules.dep", dir);
	fs_read(path, &dep);
	module_lines_each(put_module, &(struct module_notes){ out, o, dir, strbuf_str(&dep) });
	strbuf_release(&dep);
}

void synth_kernel(struct strbuf *out, const struct synth_opts *o, struct synth_notes *notes)
{
	struct mmap2 m = { .pid = -1 };
	char path[64];
	const char *ref = "_text";
	u64 end;

	if (!kernel_range(&m.start, &end, &ref, o->kernel)) {
		notes->kernel_restricted = true;
		return;
	}
	snprintf(path, sizeof(path), "[kernel.kallsyms]%s", ref);
	/* an unknown end is the highest address; readers cut the map at the first module */
	m.len = end > m.start ? end - m.start : ~0ull - m.start;
	m.pgoff = m.start;
	m.path = path;
	if (o->build_ids)
		build_id_of_kernel(&m.bid);
	put_kernel_map(out, &m, CPUMODE_KERNEL, o);
	synth_new_modules(out, o);
}

void synth_guest(struct strbuf *out, const struct synth_opts *o)
{
	if (!o->guest)
		return;
	vec_foreach(o->guest, g) {
		struct mmap2 m = { .start = g->start, .len = g->len, .pgoff = g->pgoff, .path = g->name };

		put_kernel_map(out, &m, CPUMODE_GUEST_KERNEL, o);
	}
}

static void put_comm(struct strbuf *out, s32 pid, s32 tid, const char *comm, u32 trailer)
{
	char name[COMM_LEN];

	comm = cut_text(name, sizeof(name) - 1, comm);
	record_put(out, &(struct record_view){
		.type = REC_COMM, .comm = { .pid = pid, .tid = tid, .comm = comm } }, NULL, trailer);
}

void synth_comm(struct strbuf *out, s32 pid, s32 tid, const char *comm, u32 trailer)
{
	put_comm(out, pid, tid, comm, trailer);
}

static void put_fork(struct strbuf *out, s32 pid, s32 tid, s32 ppid, s32 ptid, u32 trailer)
{
	record_put(out, &(struct record_view){
		.type = REC_FORK, .task = { .pid = pid, .ppid = ppid, .tid = tid, .ptid = ptid } },
		NULL, trailer);
}

static void put_namespaces(struct strbuf *out, s32 pid, s32 tid, u32 trailer)
{
	struct strbuf path = STRBUF_INIT;
	u64 link[NR_NAMESPACES][2];

	for (size_t i = 0; i < NR_NAMESPACES; i++) {
		struct stat st;

		fs_path(&path, "/proc/%d/task/%d/ns/%s", pid, tid, namespace_names[i]);
		if (stat(path.buf, &st))
			memset(&st, 0, sizeof(st));
		link[i][0] = st.st_dev;
		link[i][1] = st.st_ino;
	}
	record_put(out, &(struct record_view){
		.type = REC_NAMESPACES, .namespaces = { .pid = pid, .tid = tid, .nr = NR_NAMESPACES,
							.links = rec_rows_of(link) } }, NULL, trailer);
	strbuf_release(&path);
}

struct task_stat {
	char comm[64];
	s32 ppid;
	s32 threads;		/* of its process */
};

/* the number after this many blanks, or 0 */
static s32 number_after(const char *p, u32 blanks)
{
	while (p && blanks--) {
		p = strchr(p, ' ');
		p += p != NULL;
	}
	return p ? atoi(p) : 0;
}

/* the beginning of a file that the kernel gives at once; its length, 0 if it cannot be read */
static size_t read_start(const char *path, char *text, size_t size)
{
	int fd = fs_open(path, O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[MAX(n, 0)] = '\0';
	return MAX(n, 0);
}

/* PID (COMM) STATE PPID ...: the kernel needs less time for this text than for that of status */
static bool read_stat(s32 pid, s32 tid, struct task_stat *st)
{
	char path[64], text[1024];
	const char *comm, *end;

	if (tid == pid)		/* the kernel needs less time for this path */
		snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	else
		snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	if (!read_start(path, text, sizeof(text)))
		return false;
	comm = strchr(text, '(');
	end = strrchr(text, ')');	/* a name may contain these */
	if (!comm++ || !end || end < comm)
		return false;
	snprintf(st->comm, sizeof(st->comm), "%.*s", (int)(end - comm), comm);
	st->ppid = number_after(end, 2);
	st->threads = number_after(end, 18);
	return true;
}

/* what one process tells of others */
struct synth_known {
	struct map_ids ids;
	struct map_gate gate;
};

static void synth_maps(struct strbuf *out, s32 pid, const struct synth_opts *o, struct synth_notes *notes,
		       struct synth_known *known)
{
	u64 deadline = o->timeout_ns ? clock_ns(CLOCK_MONOTONIC) + o->timeout_ns : 0;
	struct proc_maps maps = { .text = STRBUF_INIT };

	if (o->data_maps)
		proc_maps_read(&maps, pid);
	else
		proc_maps_read_exec(&maps, pid, &known->gate);
	vec_foreach(&maps, m) {
		u16 misc = CPUMODE_USER;
		bool late;

		if (!(m->prot & PROT_EXEC) && !m->has_hole && !o->data_maps)
			continue;
		if (!(m->prot & PROT_EXEC))
			misc |= MISC_MMAP_DATA;
		late = deadline && clock_ns(CLOCK_MONOTONIC) > deadline;
		if (late) {
			misc |= MISC_PROC_MAP_PARSE_TIMEOUT;
			notes->timed_out++;
		}
		if (o->build_ids)
			map_ids_find(&known->ids, m, pid);
		put_mmap2(out, m, misc, o->trailer);
		if (late)
			break;
	}
	proc_maps_release(&maps);
}

/* the number of threads of the process, 0 if it is not known; -1: the task has ended in the meantime */
static s32 synth_task(struct strbuf *out, s32 pid, s32 tid, const struct synth_opts *o)
{
	struct task_stat st;

	if (!read_stat(pid, tid, &st))
		return -1;
	if (tid == pid)
		put_fork(out, pid, tid, st.ppid, st.ppid, o->trailer);
	else
		put_fork(out, pid, tid, pid, pid, o->trailer);
	if (o->namespaces)
		put_namespaces(out, pid, tid, o->trailer);
	put_comm(out, pid, tid, st.comm, o->trailer);
	return st.threads;
}

static DIR *open_dir(const char *below_root)
{
	struct strbuf path = STRBUF_INIT;
	DIR *dir = opendir(fs_path(&path, "%s", below_root));

	strbuf_release(&path);
	return dir;
}

static void synth_threads(struct strbuf *out, s32 pid, s32 only_tid, const struct synth_opts *o)
{
	struct dirent *e;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = open_dir(path);
	while (dir && (e = readdir(dir))) {
		s32 tid = atoi(e->d_name);

		if (tid > 0 && tid != pid && (only_tid < 0 || only_tid == tid))
			synth_task(out, pid, tid, o);
	}
	if (dir)
		closedir(dir);
}

static void synth_one(struct strbuf *out, s32 pid, s32 only_tid, const struct synth_opts *o,
		      struct synth_notes *notes, struct synth_known *known)
{
	/* the leader first: readers attach maps and threads to it */
	s32 threads = synth_task(out, pid, pid, o);

	if (!o->no_maps)
		synth_maps(out, pid, o, notes, known);
	/* threads that start now are told of by the kernel */
	if (only_tid != pid && threads != 1)
		synth_threads(out, pid, only_tid, o);
}

void synth_process(struct strbuf *out, s32 pid, s32 only_tid, const struct synth_opts *o,
		   struct synth_notes *notes)
{
	struct synth_known known = { 0 };

	synth_one(out, pid, only_tid, o, notes, &known);
	map_ids_release(&known.ids);
}

struct pids {
	VEC(s32);
};

static void list_processes(struct pids *out)
{
	struct dirent *e;
	DIR *dir = open_dir("/proc");

	while (dir && (e = readdir(dir)))
		if (isdigit((u8)e->d_name[0]))
			vec_push(out, atoi(e->d_name));
	if (dir)
		closedir(dir);
}

struct synth_job {
	const struct synth_opts *o;
	struct pids pid;
	struct strbuf *out;		/* one per piece */
	struct synth_notes *notes;
	size_t pieces;
	struct synth_known *known;		/* one per worker */
};

static void synth_piece(void *ctx, unsigned int worker, size_t i)
{
	struct synth_job *j = ctx;

	for (size_t k = j->pid.nr * i / j->pieces; k < j->pid.nr * (i + 1) / j->pieces; k++)
		synth_one(&j->out[i], j->pid.v[k], -1, j->o, &j->notes[i], &j->known[worker]);
}

void synth_all_tasks(struct strbuf *out, const struct synth_opts *o, struct synth_notes *notes)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct synth_job j = { .o = o };
	struct pool *pool;
	size_t len = 0;

	list_processes(&j.pid);
	/* threads are only worthwhile for many processes */
	pool = pool_new(j.pid.nr < 64 ? 1 : o->jobs ? o->jobs : MAX(1, MIN(cpus, 8)));
	j.pieces = MIN(j.pid.nr, (size_t)pool_nr_workers(pool) * 4);
	j.out = xcalloc(j.pieces + 1, sizeof(*j.out));
	j.notes = xcalloc(j.pieces + 1, sizeof(*j.notes));
	j.known = xcalloc(pool_nr_workers(pool), sizeof(*j.known));
	pool_run_shown(pool, "reading the processes that run", j.pieces, synth_piece, &j);
	for (size_t i = 0; i < j.pieces; i++)
		len += j.out[i].len;
	strbuf_room(out, len);		/* at once: each time it grows, new pages are touched */
	for (size_t i = 0; i < j.pieces; i++) {
		strbuf_add(out, j.out[i].buf, j.out[i].len);
		strbuf_release(&j.out[i]);
		notes->timed_out += j.notes[i].timed_out;
	}
	for (unsigned int i = 0; i < pool_nr_workers(pool); i++)
		map_ids_release(&j.known[i].ids);
	pool_free(pool);
	free(j.known);
	free(j.out);
	free(j.notes);
	vec_release(&j.pid);
}

void synth_bpf_programs(struct strbuf *out, const struct synth_opts *o)
{
	struct bpf_programs bpf = { 0 };

	bpf_programs_gather(&bpf);
	bpf_programs_synthesize(&bpf, out, o->trailer);
	bpf_programs_release(&bpf);
}

void synth_notes_log(const struct synth_notes *notes)
{
	if (notes->kernel_restricted)
		log_warn("the addresses of kernel functions are hidden (kernel.kptr_restrict): "
			 "kernel samples will have no names. As root: sysctl kernel.kptr_restrict=0");
	if (notes->timed_out)
		log_warn("the maps of %u process%s took too long to read: symbols may be missing. "
			 "Allow more with --proc-map-timeout", notes->timed_out,
			 notes->timed_out == 1 ? "" : "es");
}

void synth_target(struct strbuf *out, const struct target *t, const struct synth_opts *o,
		  struct synth_notes *notes)
{
	if (!target_has_tasks(t)) {
		synth_all_tasks(out, o, notes);
		return;
	}
	for (u32 i = 0; i < t->tids.nr; i++) {
		s32 pid = t->pids.v[i] > 0 ? t->pids.v[i] : t->tids.v[i];

		if (t->tids.v[i] <= 0)
			continue;
		/* all threads of a process follow each other in the list */
		if (i && t->pids.v[i - 1] == pid)
			continue;
		synth_process(out, pid, -1, o, notes);
	}
}

/* ---- tasks that the targets have started since ---- */

struct process {
	s32 pid, ppid;
	bool found;
};

static int compare_process(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static bool has_pid(const s32 *pid, u32 nr, s32 which)
{
	for (u32 i = 0; i < nr; i++)
		if (pid[i] == which)
			return true;
	return false;
}

/* a child mostly has the higher number, so one pass finds most of them */
static bool find_children(struct process *k, size_t nr, const s32 *pid, u32 nr_roots)
{
	bool more = false;

	for (size_t i = 0; i < nr; i++) {
		struct process parent = { .pid = k[i].ppid };
		const struct process *p;

		if (k[i].found || has_pid(pid, nr_roots, k[i].pid))
			continue;
		p = bsearch(&parent, k, nr, sizeof(*k), compare_process);
		k[i].found = has_pid(pid, nr_roots, k[i].ppid) || (p && p->found);
		more |= k[i].found;
	}
	return more;
}

/* whether a thread of it has children; true where the kernel does not tell (CONFIG_PROC_CHILDREN) */
static bool may_have_children(s32 pid)
{
	char path[64], text[16];
	struct dirent *e;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = open_dir(path);
	while (dir && !found && (e = readdir(dir))) {
		if (!isdigit((u8)e->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, atoi(e->d_name));
		found = read_start(path, text, sizeof(text)) || !fs_exists(path);
	}
	if (dir)
		closedir(dir);
	return found;
}

void synth_descendants(struct strbuf *out, const s32 *pid, u32 nr, const struct synth_opts *o,
		       struct synth_notes *notes)
{
	struct pids all = { 0 };
	struct { VEC(struct process); } process = { 0 };
	bool any = false;

	/* targets have a process as often as it has threads, one after the other */
	for (u32 i = 0; i < nr && !any; i++)
		any = (!i || pid[i] != pid[i - 1]) && may_have_children(pid[i]);
	if (!any)
		return;
	list_processes(&all);
	vec_foreach(&all, p) {
		struct task_stat st;

		if (read_stat(*p, *p, &st))
			vec_push(&process, (struct process){ .pid = *p, .ppid = st.ppid });
	}
	if (process.nr)
		qsort(process.v, process.nr, sizeof(*process.v), compare_process);
	while (find_children(process.v, process.nr, pid, nr))
		;
	vec_foreach(&process, k)
		if (k->found)
			synth_process(out, k->pid, -1, o, notes);
	vec_release(&process);
	vec_release(&all);
}
