/* Sources of code without a file: BPF programs, run-time generated code, the vdso. */
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/fs.h"
#include "../base/vdso.h"
#include "../obj/jitdump.h"
#include "../obj/perfmap.h"

bool src_bpf(struct load *l)
{
	const struct dso *dso = l->dso;

	if (dso->text_end <= dso->text_start)
		return false;
	symvec_add(&l->out->vec, dso->text_start, dso->text_end, dso->short_name, strlen(dso->short_name),
		   'g', STT_FUNC);
	return load_done(l, 'b', dso->long_name);
}

static int read_map(struct load *l, const char *path, struct strbuf *text)
{
	struct stat st;
	int fd = open_shared_dir(path, &st), rc;

	if (fd == -EINVAL || fd == -EPERM) {
		load_tried(l, WHY_UNREADABLE, "%s is not a regular file of this user or root", path);
		return fd;
	}
	if (fd < 0) {
		load_tried(l, fd == -ENOENT ? WHY_ABSENT : WHY_UNREADABLE, "%s: %s", path, strerror(-fd));
		return fd;
	}
	rc = fd_read_all(fd, text);
	close(fd);
	return rc;
}

/* the pid that a process in a container has there; 0: unknown */
static int inner_pid(int pid)
{
	struct strbuf path = STRBUF_INIT, status = STRBUF_INIT;
	const char *line, *end;
	int inner = 0;

	strbuf_addf(&path, "/proc/%d/status", pid);
	if (!fs_read(strbuf_str(&path), &status)) {
		line = strstr(strbuf_str(&status), "\nNSpid:");
		end = line ? strchr(line + 1, '\n') : NULL;
		/* the last one in the list is that of the innermost namespace */
		for (const char *p = line ? line + 7 : NULL; p && end && p < end;) {
			char *next;
			long v = strtol(p, &next, 10);

			if (next == p || next > end)
				break;
			inner = v > 0 && v <= INT32_MAX ? v : 0;
			p = next;
		}
	}
	strbuf_release(&path);
	strbuf_release(&status);
	return inner;
}

static bool take_map(struct load *l, const char *path)
{
	struct strbuf text = STRBUF_INIT;
	bool done = false;

	if (!read_map(l, path, &text)) {
		if (perfmap_parse(strbuf_str(&text), text.len, &l->out->vec))
			done = load_done(l, 'j', path);
		else
			load_tried(l, WHY_UNREADABLE, "%s holds no line of the form 'START SIZE NAME'", path);
	}
	strbuf_release(&text);
	return done;
}

bool src_perfmap(struct load *l)
{
	const struct dso *dso = l->dso;
	struct strbuf path = STRBUF_INIT;
	bool done = false;
	int inner;

	if (dso->pid <= 0)
		return false;
	inner = l->s->opts.is_local ? inner_pid(dso->pid) : 0;
	/*
	 * in a pid namespace: below its root, with its inner pid; a file with the outer pid may belong to an
	 * older process
	 */
	if (inner && inner != dso->pid)
		done = take_map(l, fs_path(&path, "/proc/%d/root/tmp/perf-%d.map", dso->pid, inner));
	if (!done)
		done = take_map(l, fs_path(&path, "/tmp/perf-%d.map", dso->pid));
	if (!done && inner == dso->pid)
		done = take_map(l, fs_path(&path, "/proc/%d/root/tmp/perf-%d.map", dso->pid, inner));
	strbuf_release(&path);
	return done;
}

/* functions are maps of their code in the dump (session/jit-maps.h), so symbols have file offsets */
bool src_jitdump(struct load *l)
{
	const char *path = l->dso->long_name;
	struct err err = ERR_INIT;
	struct jit_entry e;
	struct jitdump d;

	if (!jitdump_is_name(path))
		return false;
	if (jitdump_open_of(&d, path, l->dso->pid, l->s->opts.is_local, &err)) {
		load_not_opened(l, WHY_UNREADABLE, &err);
		return false;
	}
	while (jitdump_next(&d, &e))
		if (e.kind == JIT_LOAD && *e.name)
			symvec_add(&l->out->vec, e.code_off, e.code_off + e.len, e.name, strlen(e.name), 'g',
				   STT_FUNC);
	jitdump_close(&d);
	return load_done(l, 'j', path);
}

/* The vdso is part of the kernel: ours is the recorded one if, and only if, the build-ids are equal. */
bool src_own_vdso(struct load *l)
{
	struct vdso v = vdso_of_self();
	struct elf_obj *o;

	if (!v.image || strcmp(l->dso->long_name, v.name) || (!l->dso->buildid_len && !l->s->opts.is_local))
		return false;
	o = elf_obj_from_image(xmemdup(v.image, v.size), v.size, v.name, NULL);
	if (!o)
		return false;
	if (!load_buildid_matches(l, o, "this process's [vdso]")) {
		elf_obj_free(o);
		return false;
	}
	l->runtime = o;
	l->runtime_path = xstrdup(v.name);
	l->runtime_letter = 'V';
	return true;
}
