/*
 * Fuzz: the handlers of the commands that read tracepoints, all on the same file: perf kmem, kwork, lock and
 * timechart (perf sched and trace have targets of their own). Each answer is shown as text and as JSON.
 * Besides doing no harm, sums must fit to rows, and spans to the time of the picture.
 */
#include "kernel-list.h"
#include "../../ui/format.h"
#include "../../ui/timeline.h"
#include "../../util/kmem/kmem.h"
#include "../../util/kwork/kwork.h"
#include "../../util/lock/contention.h"
#include "../../util/lock/futex.h"
#include "../../util/lock/lockdep.h"
#include "../../util/timechart/timechart.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
/* the library of the sanitizer looks for it */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);

/* of a damaged format the library forgets parts that it has read */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent";
}

static FILE *nowhere;

static int run(struct session *s, const struct tracing_row *row, u32 nr_rows, void *ctx)
{
	struct tracing_opts o = { .row = row, .nr_rows = nr_rows, .record = "perf record", .ctx = ctx };
	struct err err = ERR_INIT;

	return tracing_run(s, &o, &err);
}

/* NULL: there is no answer */
static void show(struct view *v, u32 form, struct session *s)
{
	struct text_opts o = { .pool = s->pool, .separator = form == VIEW_FORM_SEPARATED ? ',' : 0 };

	if (!v)
		return;
	format_find(form == VIEW_FORM_TEXT ? "text" : form == VIEW_FORM_VALUES ? "json" : "separated")->
		show(v, &o, nowhere);
	view_free(v);
}

static const u32 forms[] = { VIEW_FORM_TEXT, VIEW_FORM_SEPARATED, VIEW_FORM_VALUES };
static u32 form_of(u32 i)
{
	return forms[i % ARRAY_SIZE(forms)];
}

/* ---- kmem ---- */

static void check_kmem(const struct kmem *k)
{
	const struct kmem_pages *p = &k->pages;
	u64 live = 0, nr = 0;

	vec_foreach(&k->slab.table[KMEM_BY_ADDRESS], e) {
		live += e->live ? e->last_alloc : 0;
		nr += e->live;
	}
	if (live != k->slab.bytes_live || nr != k->slab.nr_live)
		abort();
	if (p->freed.nr + p->free_only.nr > p->frees.nr || p->freed.nr + p->failed.nr > p->allocs.nr)
		abort();
}

static void run_kmem(struct session *s, bool live, bool stacks)
{
	struct kmem_opts o = {
		.mode = { true, true }, .live = live, .raw_ip = live,
		.table = { { .shown = true, .lines = UINT64_MAX }, { .shown = true, .lines = 5 },
			   { .shown = stacks, .lines = UINT64_MAX } },
	};
	struct tracing_row rows[KMEM_NR_ROWS];
	struct kmem k;
	u32 nr;

	kmem_rows_of(o.mode, rows, &nr);
	kmem_init(&k, s, &o);
	if (!run(s, rows, nr, &k)) {
		check_kmem(&k);
		show(kmem_view(&k, s, form_of(live + stacks)), form_of(live + stacks), s);
	}
	kmem_release(&k);
}

/* ---- kwork ---- */

static void run_kwork(struct session *s, enum kwork_view_kind kind)
{
	const struct kwork_opts o = { .kind = kind, .classes = (1u << KWORK_NR_CLASSES) - 1, .summary = true,
				      .chains = true, .max_stack = 5 };
	struct tracing_row rows[KWORK_NR_ROWS];
	u32 nr = kwork_rows_of(o.classes, rows);
	struct err err = ERR_INIT;
	struct kwork k;

	if (!kwork_init(&k, s, &o, &err) && !run(s, rows, nr, &k))
		show(kwork_view(&k, form_of(kind)), form_of(kind), s);
	kwork_release(&k);
}

/* ---- lock ---- */

static void run_contention(struct session *s, enum contention_by by)
{
	const struct contention_opts o = { .by = by, .max_stack = 8, .entries = 100, .stacks = true };
	struct err err = ERR_INIT;
	struct contention k;

	if (!contention_init(&k, s, &o, &err) && !run(s, contention_rows, CONTENTION_NR_ROWS, &k))
		show(contention_view(&k, form_of(by), &err), form_of(by), s);
	contention_release(&k);
}

static void run_lockdep(struct session *s, bool threads)
{
	const struct lockdep_opts o = { .threads = threads, .combine = !threads, .entries = 100 };
	struct err err = ERR_INIT;
	struct lockdep l;

	lockdep_init(&l, s, &o);
	if (!run(s, lockdep_rows, LOCKDEP_NR_ROWS, &l))
		show(threads ? lockdep_info(&l) : lockdep_report(&l, VIEW_FORM_VALUES, &err),
		     threads ? VIEW_FORM_TEXT : VIEW_FORM_VALUES, s);
	lockdep_release(&l);
}

static void run_futex(struct session *s, enum futex_by by)
{
	const struct futex_opts o = { .by = by, .max_stack = 8, .entries = 100 };
	struct err err = ERR_INIT;
	struct futex f;

	futex_init(&f, s, &o);
	if (!run(s, futex_rows, FUTEX_NR_ROWS, &f))
		show(futex_view(&f, form_of(by), &err), form_of(by), s);
	futex_release(&f);
}

/* ---- timechart ---- */

static void run_timechart(struct session *s, const struct timechart_opts *o)
{
	static const char *const formats[] = { "svg", "html", "json", "trace" };
	const struct timeline_opts opts = { 0 };
	struct err err = ERR_INIT;
	struct timechart tc;

	timechart_init(&tc, s, o);
	if (!run(s, timechart_rows, timechart_nr_rows, &tc) && !timechart_finish(&tc, &err)) {
		vec_foreach(&tc.timeline.span, span)
			if (span->from > span->to || span->from < tc.timeline.from)
				abort();
		for (u32 i = 0; i < ARRAY_SIZE(formats); i++) {
			const struct timeline_format *f = timeline_format_find(formats[i]);

			if (f)
				f->show(&tc.timeline, &opts, nowhere);
		}
	}
	timechart_release(&tc);
}

static void run_all(struct session *s)
{
	const struct timechart_opts all = { .nr_tasks = 15, .io_min_ns = 1000000, .io_merge_ns = 1000 };
	const struct timechart_opts some = { .nr_tasks = 1, .marked_ns = 1000, .skip_eagain = true };

	for (u32 i = 0; i < 4; i++)
		run_kmem(s, i & 1, i & 2);
	for (enum kwork_view_kind kind = KWORK_REPORT; kind <= KWORK_TOP; kind++)
		run_kwork(s, kind);
	for (enum contention_by by = CONTENTION_BY_CALLER; by <= CONTENTION_BY_LOCK; by++)
		run_contention(s, by);
	for (enum futex_by by = FUTEX_BY_CALLER; by <= FUTEX_BY_LOCK; by++)
		run_futex(s, by);
	run_lockdep(s, false);
	run_lockdep(s, true);
	run_timechart(s, &all);
	run_timechart(s, &some);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct session_opts o = { .sym = SYM_OPTS_INIT, .jobs = 1, .scan_late = true };
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct err err = ERR_INIT;
	struct session *s;
	char path[64];

	if (!nowhere)
		nowhere = fopen("/dev/null", "we");
	if (!nowhere || fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	o.data.path = path;
	o.sym.kallsyms = fuzz_kernel_list();
	if (!session_open(&s, &o, &err)) {
		run_all(s);
		session_close(s);
	} else if (strstr(err.msg, "--kallsyms")) {
		abort();	/* nothing would be tested */
	}
	close(fd);
	return 0;
}
