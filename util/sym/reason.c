/* Reason: why a dso has no symbols and what the user can do, one line. */
#include "load.h"

#include "../obj/buildid.h"
#include "load-dso.h"

static void user_reason(const struct load *l, struct strbuf *out)
{
	const struct dso *dso = l->dso;
	struct strbuf id = STRBUF_INIT;

	buildid_hex(&id, dso->buildid, dso->buildid_len);
	if (l->why.len)
		strbuf_add(out, strbuf_str(&l->why), l->why.len);
	else
		strbuf_addf(out, "%s was not found", dso->long_name);
	switch (l->why_rank) {
	case WHY_MISMATCH:
		strbuf_addf(out, "; it was replaced after the recording: --symfs DIR with the old files, or perf buildid-cache "
			    "-a FILE brings the symbols back");
		break;
	case WHY_STRIPPED:
		strbuf_addf(out, "; install its debug symbols (package NAME-dbgsym or NAME-dbg, Fedora NAME-debuginfo)%s%s",
			    id.len ? ", build-id " : "", strbuf_str(&id));
		break;
	case WHY_UNREADABLE:
		strbuf_addstr(out, "; run as a user who may read it");
		break;
	default:
		strbuf_addf(out, "; --symfs DIR says where the files of the recorded machine are%s%s",
			    id.len ? ", build-id " : "", strbuf_str(&id));
	}
	strbuf_release(&id);
}

static void kernel_reason(const struct load *l, struct strbuf *out)
{
	if (l->why.len)
		strbuf_add(out, strbuf_str(&l->why), l->why.len);
	else
		strbuf_addf(out, "no symbol list of the recorded kernel was found");
	if (l->why_rank < WHY_HIDDEN)
		strbuf_addf(out, "; %s",
			    l->dso->kind == DSO_KERNEL
			    ? "give the kernel's vmlinux with -k FILE or a copy of its /proc/kallsyms with --kallsyms FILE"
			    : "give a copy of the recorded machine's /proc/kallsyms with --kallsyms FILE");
}

static void perfmap_reason(const struct load *l, struct strbuf *out)
{
	if (l->why.len)
		strbuf_add(out, strbuf_str(&l->why), l->why.len);
	else
		strbuf_addstr(out, "code generated at run time has no symbol list");
	if (l->why_rank <= WHY_ABSENT)
		strbuf_addstr(out, "; let the program write one (java: -XX:+DumpPerfMapAtExit, node: --perf-basic-prof, "
			      "python: -X perf)");
}

static void vdso_reason(const struct load *l, struct strbuf *out)
{
	const struct dso *dso = l->dso;

	if (!dso->buildid_len) {
		strbuf_addf(out, "the recording does not say which %s this was", dso->long_name);
		return;
	}
	if (l->why.len)
		strbuf_add(out, strbuf_str(&l->why), l->why.len);
	else
		strbuf_addf(out, "%s was not found", dso->long_name);
	strbuf_addstr(out, "; its image is in the build-id cache of the recorded machine: perf --buildid-dir DIR, with a copy of that ~/.debug");
}

void load_reason(const struct load *l, struct strbuf *out)
{
	if (l->why_rank == WHY_NO_LIBRARY)
		return;
	switch (l->dso->kind) {
	case DSO_USER:
		user_reason(l, out);
		break;
	case DSO_VDSO:
		vdso_reason(l, out);
		break;
	case DSO_KERNEL:
	case DSO_MODULE:
	case DSO_GUEST_KERNEL:
	case DSO_GUEST_MODULE:
		kernel_reason(l, out);
		break;
	case DSO_PERFMAP:
		perfmap_reason(l, out);
		break;
	default:
		break;
	}
}
