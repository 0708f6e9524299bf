/* Reason: why a dso has no symbols, and what the user can do, in one line. */
#include "load.h"

#include <stdlib.h>
#include <string.h>

#include "../base/fs.h"
#include "../obj/buildid.h"
#include "load-dso.h"

static bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

static bool is_of_distribution(const char *path)
{
	static const char *const dirs[] = { "/usr/bin/", "/usr/sbin/", "/usr/lib", "/bin/", "/sbin/",
					    "/lib" };

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		if (starts_with(path, dirs[i]))
			return true;
	return false;
}

static void stripped_reason(const struct load *l, const char *path, struct strbuf *out)
{
	l->out->stripped = is_of_distribution(path) ?
			   "install debug symbols (package NAME-dbgsym or NAME-dbg, Fedora NAME-debuginfo), "
			   "or fetch them with --debuginfod"
						    : "build without -s or strip to see all functions";
	strbuf_addf(out, "%s is stripped: %s", path, l->out->stripped);
}

/* a program or library that exists only in memory: it is in no directory */
static void memfd_reason(const struct load *l, const char *path, struct strbuf *out)
{
	struct strbuf copy = STRBUF_INIT;

	strbuf_addf(out, "%s is memory, not a file (memfd)", path);
	if (l->id_len >= 2 && l->s->buildid_dir)
		strbuf_addf(out, ": run perf report while it runs, or copy the program to %s",
			    buildid_path(&copy, l->s->buildid_dir, l->id, l->id_len, "/elf"));
	else
		strbuf_addstr(out, ": its symbols cannot be read without a build-id");
	strbuf_release(&copy);
}

static void missing_reason(const struct load *l, const char *path, struct strbuf *out)
{
	bool replaced = l->why_rank == WHY_MISMATCH || l->why_rank == WHY_NOT_IT;

	/* the refused file may not be the program, but a debug file of its name */
	if (!replaced || !starts_with(strbuf_str(&l->why), path))
		strbuf_addf(out, "%s was not found", path);
	if (replaced)
		strbuf_addf(out, "%s%s", out->len ? ", " : "", strbuf_str(&l->why));
	if (l->identity == IDENTITY_FOREIGN)
		strbuf_addstr(out, "; --symfs DIR says where that machine's files are, --symfs / that they "
			      "are here");
	else if (identity_other_mounts(&l->s->opts, l->dso))
		strbuf_addstr(out, "; it ran in a container: record with --keep-names, run perf report "
			      "as root while that runs, or use --symfs DIR with the container's files below "
			      "DIR");
	else if (dso_is_deleted(l->dso))
		strbuf_addf(out, "; it was %s while it ran: start it again and record that, or use --symfs "
			    "DIR with the old file below DIR", replaced ? "replaced" : "deleted");
	else if (l->identity == IDENTITY_NO && l->why_rank == WHY_NOT_IT)
		strbuf_addstr(out, "; record again, or use --symfs DIR with the recorded file below DIR");
	else if (replaced)
		strbuf_addstr(out, "; it was replaced after the recording: record again, "
			      "or use --symfs DIR with the old file below DIR");
	else
		strbuf_addstr(out, "; --symfs DIR says where the files of the recorded machine are");
}

static void user_reason(const struct load *l, struct strbuf *out)
{
	char *plain = load_plain_path(l->dso);
	struct strbuf path = STRBUF_INIT;
	const char *file = load_symfs_path(l, plain, &path);
	bool memfd = starts_with(plain, "/memfd:"), missing = false;

	if (l->exported_only && !memfd) {
		stripped_reason(l, plain, out);
	} else if (plain[0] == '[' || starts_with(plain, "anon_inode:")) {
		;	/* the kernel made it: there is no file */
	} else if (l->why_rank == WHY_UNREADABLE) {
		strbuf_addf(out, "%s has no symbols: %s; run as a user who may read it", file,
			    strbuf_str(&l->why));
	} else if (memfd) {
		memfd_reason(l, plain, out);
	} else {
		missing_reason(l, file, out);
		missing = true;
	}
	if (l->dso->buildid_len && (missing || (l->exported_only && !memfd && is_of_distribution(plain)))) {
		strbuf_addstr(out, ", build-id ");
		buildid_hex(out, l->dso->buildid, l->dso->buildid_len);
	}
	strbuf_release(&path);
	free(plain);
}

/* what to do */
static const char *kernel_remedy(enum dso_kind kind)
{
	switch (kind) {
	case DSO_KERNEL:
		return "give the kernel's vmlinux with -k FILE or a copy of its /proc/kallsyms with "
		       "--kallsyms FILE";
	case DSO_GUEST_KERNEL:
	case DSO_GUEST_MODULE:
		return "give a copy of the guest's /proc/kallsyms with --guestkallsyms FILE";
	default:
		return "give a copy of the recorded machine's /proc/kallsyms with --kallsyms FILE";
	}
}

static void kernel_reason(const struct load *l, struct strbuf *out)
{
	if (l->why.len)
		strbuf_add(out, strbuf_str(&l->why), l->why.len);
	else
		strbuf_addf(out, "no symbol list of the %s kernel was found",
			    BIT(l->dso->kind) & GUEST_KINDS ? "guest's" : "recorded");
	if (l->why_rank < WHY_HIDDEN)
		strbuf_addf(out, "; %s", kernel_remedy(l->dso->kind));
}

static void perfmap_reason(const struct load *l, struct strbuf *out)
{
	if (l->why.len && l->why_rank <= WHY_ABSENT)
		/* this one is always looked for */
		strbuf_addf(out, "/tmp/perf-%d.map was not found", l->dso->pid);
	else if (l->why.len)
		strbuf_add(out, strbuf_str(&l->why), l->why.len);
	else
		strbuf_addstr(out, "code generated at run time has no symbol list");
	if (l->why_rank <= WHY_ABSENT)
		strbuf_addstr(out, "; let the program write one (java: -XX:+UnlockDiagnosticVMOptions "
			      "-XX:+DumpPerfMapAtExit, or jcmd PID Compiler.perfmap while it runs; node: "
			      "--perf-basic-prof; python: -X perf)");
	if (l->why.len && l->why_rank <= WHY_ABSENT)
		strbuf_addstr(out, "; a container that has ended names it after the PID inside the "
			      "container: copy it to this name");
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
	strbuf_addstr(out, "; its image is in the build-id cache of the recorded machine: "
		      "perf --buildid-dir DIR, with a copy of that ~/.debug");
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
