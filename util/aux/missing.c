/* Missing code: which programs a trace went through whose code was not found, and why. */
#include "aux-private.h"
#include "../machine/machine.h"
#include "../sym/sym.h"

#include <stdlib.h>

#define SHOWN_MAX 4u
#define NO_GUESTS "code of virtual machines is not read; report --itrace=qi shows addresses in them"

void aux_add_missing(struct aux_missings *m, u32 dso, u64 nr)
{
	vec_foreach(m, known) {
		if (known->dso == dso) {
			known->nr += nr;
			return;
		}
	}
	vec_push(m, (struct aux_missing){ dso, nr });
}

static int by_number(const void *pa, const void *pb)
{
	const struct aux_missing *a = pa, *b = pb;

	if (a->nr != b->nr)
		return a->nr > b->nr ? -1 : 1;
	return a->dso < b->dso ? -1 : a->dso > b->dso;
}

/* of a file that was mapped */
static void add_file_reason(const struct aux *a, u32 dso, struct strbuf *out)
{
	struct strbuf why = STRBUF_INIT;
	u8 id[BUILDID_MAX];
	int len;

	symbols_identify(a->symbols, dso, id, &len, &why);
	strbuf_addstr(out, why.len ? strbuf_str(&why) : "the file is not found");
	strbuf_release(&why);
}

static void add_reason(const struct aux *a, u32 id, const struct dso *d, struct strbuf *out)
{
	static const char *const reasons[] = {
		[DSO_VDSO] = "the kernel's page is not in the recording",
		[DSO_VSYSCALL] = "the kernel's page is not in the recording",
		[DSO_KERNEL] = "give --vmlinux, or record with --kcore",
		[DSO_MODULE] = "give --vmlinux and keep the modules, or record with --kcore",
		[DSO_GUEST_KERNEL] = NO_GUESTS,
		[DSO_GUEST_MODULE] = NO_GUESTS,
		[DSO_PERFMAP] = "it was generated at run time: a jitdump file would have it",
		[DSO_BPF] = "it was generated at run time: record with --kcore",
	};

	if (id == AUX_GUEST)
		strbuf_addstr(out, reasons[DSO_GUEST_KERNEL]);
	else if (!d || d->kind >= ARRAY_SIZE(reasons))
		strbuf_addstr(out, "no file was mapped there");
	else if (reasons[d->kind])
		strbuf_addstr(out, reasons[d->kind]);
	else
		add_file_reason(a, d->id, out);
}

void aux_describe_missing(struct aux *a, struct strbuf *out)
{
	struct aux_missings *m = &a->missing;

	if (m->nr)
		qsort(m->v, m->nr, sizeof(*m->v), by_number);
	for (u32 i = 0; i < MIN(m->nr, (size_t)SHOWN_MAX); i++) {
		u32 id = m->v[i].dso;
		const struct dso *d = id >= AUX_GUEST ? NULL : dsos_at(machine_dsos(a->machine), id);

		strbuf_addf(out, "no code of %s for %lu places of the trace: ",
			    d ? d->long_name : id == AUX_GUEST ? "[guest]" : "[unknown]", m->v[i].nr);
		add_reason(a, id, d, out);
		strbuf_addch(out, '\n');
	}
	if (m->nr > SHOWN_MAX)
		strbuf_addf(out, "no code of %zu other files\n", m->nr - SHOWN_MAX);
}
