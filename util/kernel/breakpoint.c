/* Breakpoints on symbols of programs and libraries. */
#include "breakpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../base/fs.h"
#include "../base/map-lines.h"
#include "../obj/elf-obj.h"

struct wanted {
	const char *path;	/* of the file, resolved */
	const char *base;	/* the file as it was named if that has no slash, else NULL */
	const struct elf_obj *obj;
	u64 svma, size;
};

/* true for a mapping of the wanted file */
static bool is_mapping(const struct wanted *w, const struct proc_map *m)
{
	const char *name = strrchr(m->path, '/');

	return m->path[0] == '/' && (!strcmp(m->path, w->path) || (w->base && !strcmp(name + 1, w->base)));
}

struct bias_search {
	const struct wanted *w;
	bool found;
	u64 bias;
};

static bool note_bias(void *ctx, const struct proc_map *m)
{
	struct bias_search *s = ctx;
	const struct elf_obj *o = s->w->obj;
	u64 svma;

	if (!is_mapping(s->w, m))
		return true;
	/* the first page of a segment also contains what is before it in the file */
	s->found = elf_obj_off_to_svma(o, m->off, &svma);
	for (size_t i = 0; !s->found && i < o->seg.nr; i++)
		if ((o->seg.v[i].off & -(u64)page_size()) == m->off) {
			svma = o->seg.v[i].vaddr - (o->seg.v[i].off - m->off);
			s->found = true;
		}
	if (s->found)
		s->bias = m->start - svma;
	return !s->found;
}

/* what must be added to svmas in this process; false if it has not mapped the file */
static bool load_bias(const struct wanted *w, s32 pid, u64 *ret)
{
	struct bias_search s = { .w = w };

	map_lines_each(pid, note_bias, &s);
	*ret = s.bias;
	return s.found;
}

struct path_search {
	struct wanted w;
	char *path;
	bool found;
};

static bool note_path(void *ctx, const struct proc_map *m)
{
	struct path_search *s = ctx;

	if (is_mapping(&s->w, m))
		s->found = snprintf(s->path, PATH_MAX, "%s", m->path) < PATH_MAX;
	return !s->found;
}

/* writes the path of the file of that name that a process has mapped to path (PATH_MAX) */
static bool find_mapped(const struct target *t, const char *base, char *path)
{
	struct path_search s = { .w = { .path = "", .base = base }, .path = path };

	for (size_t i = 0; t->kind == TARGET_TASKS && !s.found && i < t->pids.nr; i++)
		map_lines_each(t->pids.v[i], note_path, &s);
	return s.found;
}

static int find_file(const struct target *t, const char *file, char *path, struct err *err)
{
	bool plain = !strchr(file, '/');
	struct strbuf program = STRBUF_INIT;
	int fits = PATH_MAX;

	if (realpath(file, path) || (plain && find_mapped(t, file, path)))
		return 0;
	if (plain && t->kind != TARGET_TASKS && program_find(file, &program))
		fits = snprintf(path, PATH_MAX, "%s", strbuf_str(&program));
	strbuf_release(&program);
	if (fits < PATH_MAX)
		return 0;
	return err_set(err, -ENOENT, "breakpoint: there is no file '%s'%s", file,
		       plain ? ", and no measured process has mapped it" : "");
}

static int find_symbol(struct wanted *w, const char *file, const char *name, struct err *err)
{
	const struct elf_addr_map map = { .runtime = NULL };
	struct symvec v = { 0 };
	bool found = false;

	elf_obj_symbols(w->obj, ELF_SYMBOLS_SYMTAB, &map, &v);
	elf_obj_symbols(w->obj, ELF_SYMBOLS_DYNSYM, &map, &v);
	vec_foreach(&v.sym, s)
		if (!found && !strcmp(s->name, name)) {
			w->svma = s->start;
			w->size = s->end - s->start;
			found = true;
		}
	symvec_release(&v);
	return found ? 0 : err_set(err, -ENOENT, "breakpoint: '%s' has no symbol '%s'", file, name);
}

/* the bias if it is the same for all processes of the target */
static int target_bias(const struct wanted *w, const struct event *ev, const struct target *t, u64 *ret,
		       struct err *err)
{
	bool any = false;

	if (w->obj->ehdr.e_type == ET_EXEC) {
		*ret = 0;
		return 0;
	}
	if (t->kind == TARGET_WORKLOAD) {
		err_set(err, -EINVAL, "breakpoint: '%s' of '%s' has no address before the program runs: "
			"the file is position-independent", ev->bp_symbol, ev->bp_file);
		err_hint(err, "link the program with -no-pie, or start it first and use -p PID");
		return -EINVAL;
	}
	if (t->kind == TARGET_SYSTEM) {
		err_set(err, -EINVAL,
			"breakpoint: '%s' of '%s' has another address in every process: use -p PID",
			ev->bp_symbol, ev->bp_file);
		return -EINVAL;
	}
	for (size_t i = 0; i < t->pids.nr; i++) {
		u64 bias;

		if (!load_bias(w, t->pids.v[i], &bias))
			return err_set(err, -ENOENT, "breakpoint: process %d has not mapped '%s'",
				       t->pids.v[i], ev->bp_file);
		if (any && bias != *ret)
			return err_set(err, -EINVAL, "breakpoint: the processes have '%s' at different "
				       "addresses: choose one with -p", ev->bp_file);
		*ret = bias;
		any = true;
	}
	return 0;
}

static int resolve(struct event *ev, const struct target *t, struct err *err)
{
	struct wanted w = { .base = strchr(ev->bp_file, '/') ? NULL : ev->bp_file };
	char path[PATH_MAX];
	struct elf_obj *obj;
	u64 bias = 0;
	int ret = find_file(t, ev->bp_file, path, err);

	if (ret)
		return ret;
	w.path = path;
	w.obj = obj = elf_obj_open(path, err);
	if (!obj)
		return -EINVAL;
	ret = find_symbol(&w, ev->bp_file, ev->bp_symbol, err);
	if (!ret)
		ret = target_bias(&w, ev, t, &bias, err);
	elf_obj_free(obj);
	if (ret)
		return ret;
	ev->attr.config1 += w.svma + bias;
	if (!ev->attr.config2)
		ev->attr.config2 = w.size && w.size <= 8 &&
				   !(w.size & (w.size - 1)) ? w.size : HW_BREAKPOINT_LEN_4;
	ev->bp_symbol = NULL;	/* done only once */
	return 0;
}

int breakpoints_resolve(struct evset *set, const struct target *t, struct err *err)
{
	int ret = 0;

	for (u32 i = 0; !ret && i < set->ev.nr; i++)
		if (evset_at(set, i)->bp_symbol)
			ret = resolve(evset_at(set, i), t, err);
	return ret;
}
