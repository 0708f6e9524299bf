/* Renames: see renames.h. */
#include "renames.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define JIT_NAME "[JIT]"

/* a program with less than 1/N of the samples of its recording is not the measured one */
#define LEAST_PART 10

/* ids of names that are shown as one, in the order of their files */
struct renames_set { VEC(u32); };

void renames_init(struct renames *r, u32 nr_files)
{
	*r = (struct renames){ .nr_files = nr_files };
	r->file = xcalloc(nr_files, sizeof(*r->file));
}

bool renames_kind_of(const struct field *f, enum name_kind *ret)
{
	static const struct { const char *field; enum name_kind kind; } kinds[] = {
		{ "comm", NAME_COMM }, { "dso", NAME_DSO }, { "dso_from", NAME_DSO }, { "dso_to", NAME_DSO },
	};

	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(f->name, kinds[i].field)) {
			*ret = kinds[i].kind;
			return true;
		}
	return false;
}

void renames_add_name(struct renames *r, u32 file, enum name_kind kind, const char *name, u64 nr_samples)
{
	u32 id = strtab_add(&r->text[kind], name);

	while (r->file[file].nr[kind].nr <= id)
		vec_push(&r->file[file].nr[kind], 0);
	r->file[file].nr[kind].v[id] += MAX(nr_samples, 1ul);
}

static u64 nr_samples_of(const struct renames *r, u32 file, enum name_kind kind, u32 id)
{
	return id < r->file[file].nr[kind].nr ? r->file[file].nr[kind].v[id] : 0;
}

/* the program of a process: what was mapped as code first after its last exec; NULL: unknown */
static const struct dso *program_of(const struct machine *m, const struct thread *t, struct when exec)
{
	const struct dso *program = NULL;
	struct when first = WHEN_END;
	struct map *map;
	size_t nr = machine_maps_at_end(m, t->maps, &map);

	for (size_t i = 0; i < nr; i++) {
		const struct dso *dso = dsos_at(machine_dsos(m), map[i].dso);

		if (!dso || dso->kind != DSO_USER || (map[i].is_mmap2 && !(map[i].prot & PROT_EXEC)) ||
		    when_before(map[i].from, exec) || !when_before(map[i].from, first))
			continue;
		first = map[i].from;
		program = dso;
	}
	free(map);
	return program;
}

static bool has_program(const struct renames_file *f, enum name_kind kind, u32 id)
{
	vec_foreach(&f->program, p)
		if (p->name[kind] == id)
			return true;
	return false;
}

static void add_program(struct renames *r, u32 file, const struct machine *m, const struct thread *t,
			bool paths)
{
	struct when exec = { 0 };
	const struct dso *dso;
	const char *comm = NULL;
	u32 id;		/* one process of that name tells the program of all */

	for (u32 i = 0; i < t->nr_comms; i++) {
		if (t->comms[i].exec)
			exec = t->comms[i].from;
		if (t->comms[i].exec || !comm)
			comm = machine_comm_name(m, t->comms[i].comm);
	}
	if (!comm)
		return;
	id = strtab_add(&r->text[NAME_COMM], comm);
	dso = has_program(&r->file[file], NAME_COMM, id) ? NULL : program_of(m, t, exec);
	if (dso)
		vec_push(&r->file[file].program, (struct renames_program){
			{ strtab_add(&r->text[NAME_DSO], paths ? dso_path(dso) : dso->short_name), id } });
}

void renames_add(struct renames *r, u32 file, struct hist *h, const struct sort_order *order,
		 u32 nr_keys)
{
	const struct machine *m = h->session->machine;
	struct field_ctx ctx = hist_field_ctx(h);
	struct strbuf text = STRBUF_INIT;
	enum name_kind kind;

	for (u32 i = 0; i < machine_nr_threads(m); i++) {
		const struct thread *t = machine_thread_at(m, i);

		if (t->pid == t->tid)
			add_program(r, file, m, t, ctx.verbose > 0);
	}
	for (u32 k = 0; k < nr_keys; k++) {
		if (!renames_kind_of(order->key[k], &kind))
			continue;
		for (size_t i = 0; i < h->entry.nr; i++) {
			const struct hist_entry *e = blocks_at(&h->entry, i);

			strbuf_reset(&text);
			order->key[k]->format(&ctx, hist_entry_key(h, e, k), &text);
			renames_add_name(r, file, kind, strbuf_str(&text), hist_entry_sums(h, e).nr);
		}
	}
	strbuf_release(&text);
}

/* adds a name to those that are shown as one */
static void set_add(struct renames_set *s, u32 id)
{
	vec_foreach(s, have)
		if (*have == id)
			return;
	vec_push(s, id);
}

static void show_as(struct renames *r, enum name_kind kind, u32 id, const char *shown)
{
	while (r->shown[kind].nr <= id)
		vec_push(&r->shown[kind], NULL);
	r->shown[kind].v[id] = shown;
	vec_push(&r->alias, (struct view_alias){ .column = kind == NAME_COMM ? "comm" : "dso",
						 .name = strtab_get(&r->text[kind], id), .shown = shown });
}

/* all names of the set as "old => new" */
static void show_as_one(struct renames *r, enum name_kind kind, const struct renames_set *s)
{
	struct strbuf text = STRBUF_INIT;
	const char *shown;

	if (s->nr < 2)
		return;
	vec_foreach(s, id)
		strbuf_addf(&text, "%s%s", text.len ? " => " : "", strtab_get(&r->text[kind], *id));
	shown = arena_strdup(&r->arena, strbuf_str(&text));
	vec_foreach(s, id)
		show_as(r, kind, *id, shown);
	strbuf_release(&text);
}

static void add_note(struct renames *r, const char *what, const struct renames_set *s)
{
	struct strbuf text = STRBUF_INIT;

	vec_foreach(s, id) {
		strbuf_addstr(&text, id == s->v ? "'" : id + 1 == s->v + s->nr ? "' and '" : "', '");
		strbuf_add_safe(&text, strtab_get(&r->text[NAME_DSO], *id));
	}
	strbuf_addf(&text, "' are compared as one %s, as each recording has only one of them", what);
	vec_push(&r->note, arena_strdup(&r->arena, strbuf_str(&text)));
	strbuf_release(&text);
}

/* how many samples a program has in the files [from, to): by its code, or if no key has code, by its name */
static u64 weight(const struct renames *r, u32 from, u32 to, const struct renames_program *p)
{
	enum name_kind kind = r->file[from].nr[NAME_DSO].nr ? NAME_DSO : NAME_COMM;
	u64 nr = 0;

	for (u32 i = from; i < to; i++)
		nr += nr_samples_of(r, i, kind, p->name[kind]);
	return nr;
}

static u64 weight_of_all(const struct renames *r, u32 from, u32 to)
{
	u64 nr = 0;

	for (u32 i = from; i < to; i++)
		vec_foreach(&r->file[i].program, p)
			nr += weight(r, i, i + 1, p);
	return nr;
}

static bool all_have_program(const struct renames *r, u32 from, u32 to, u32 dso)
{
	for (u32 i = from; i < to; i++)
		if (!has_program(&r->file[i], NAME_DSO, dso))
			return false;
	return true;
}

static bool any_has_program(const struct renames *r, u32 from, u32 to, u32 dso)
{
	for (u32 i = from; i < to; i++)
		if (has_program(&r->file[i], NAME_DSO, dso))
			return true;
	return false;
}

/* the program of the files [from, to) with the most samples among those that the others lack; NULL: none */
static const struct renames_program *find_main(const struct renames *r, u32 from, u32 to)
{
	const struct renames_program *found = NULL;
	bool base = from < r->nr_base;
	u64 most = weight_of_all(r, from, to) / LEAST_PART;

	for (u32 i = from; i < to; i++) {
		vec_foreach(&r->file[i].program, p) {
			u32 dso = p->name[NAME_DSO];

			if (base ? all_have_program(r, r->nr_base, r->nr_files, dso) :
				   any_has_program(r, 0, r->nr_base, dso))
				continue;
			if (weight(r, from, to, p) > most) {
				most = weight(r, from, to, p);
				found = p;
			}
		}
	}
	return found;
}

static void decide_programs(struct renames *r)
{
	const struct renames_program *base = find_main(r, 0, r->nr_base), *other;
	struct renames_set set[NR_NAME_KINDS] = { 0 };

	if (!base)
		return;
	for (u32 k = 0; k < NR_NAME_KINDS; k++)
		set_add(&set[k], base->name[k]);
	for (u32 i = r->nr_base; i < r->nr_files; i++) {
		if (has_program(&r->file[i], NAME_DSO, base->name[NAME_DSO]))
			continue;
		other = find_main(r, i, i + 1);
		for (u32 k = 0; other && k < NR_NAME_KINDS; k++)
			set_add(&set[k], other->name[k]);
	}
	if (set[NAME_DSO].nr > 1)
		add_note(r, "program", &set[NAME_DSO]);
	for (u32 k = 0; k < NR_NAME_KINDS; k++) {
		show_as_one(r, k, &set[k]);
		vec_release(&set[k]);
	}
}

static bool all_have(const struct renames *r, u32 id)
{
	for (u32 i = 0; i < r->nr_files; i++)
		if (!nr_samples_of(r, i, NAME_DSO, id))
			return false;
	return true;
}

/* length of a library's name without its version: 4 of "libc-2.31.so" and "libc.so.6"; 0: not a library */
static size_t library_stem(const char *name)
{
	const char *so = strstr(name, ".so"), *version;

	if (!so || so == name || (so[3] && so[3] != '.'))
		return 0;
	version = so;
	while (version > name && strchr("0123456789.", version[-1]))
		version--;
	return version > name && version[-1] == '-' ? version - name - 1 : so - name;
}

/* versions of one library: no file has two of them */
static void decide_versions(struct renames *r, const struct renames_set *s)
{
	for (u32 i = 0; i < r->nr_files; i++) {
		u32 nr = 0;

		vec_foreach(s, id)
			nr += nr_samples_of(r, i, NAME_DSO, *id) > 0;
		if (nr > 1)
			return;
	}
	add_note(r, "library", s);
	show_as_one(r, NAME_DSO, s);
}

static void decide_libraries(struct renames *r)
{
	const struct strtab *names = &r->text[NAME_DSO];
	struct { VEC(struct renames_set); } set = { 0 };	/* by stem */
	struct strtab stems = { 0 };

	for (u32 id = 0; id < names->str.nr; id++) {
		const char *name = strtab_get(names, id);
		size_t len = library_stem(name);
		u32 stem;

		if (!len || all_have(r, id))
			continue;
		stem = strtab_addn(&stems, name, len);
		while (set.nr <= stem)
			vec_push(&set, (struct renames_set){ 0 });
		vec_push(&set.v[stem], id);
	}
	vec_foreach(&set, s) {
		if (s->nr > 1)
			decide_versions(r, s);
		vec_release(s);
	}
	vec_release(&set);
	strtab_release(&stems);
}

static void decide_jit(struct renames *r)
{
	for (u32 id = 0; id < r->text[NAME_DSO].str.nr; id++)
		if (!strncmp(strtab_get(&r->text[NAME_DSO], id), JIT_NAME " ", strlen(JIT_NAME " ")) &&
		    !all_have(r, id))
			show_as(r, NAME_DSO, id, JIT_NAME);
}

void renames_decide(struct renames *r, u32 nr_base)
{
	r->nr_base = nr_base;
	decide_programs(r);
	decide_libraries(r);
	decide_jit(r);
}

const char *renames_shown(const struct renames *r, enum name_kind kind, const char *name)
{
	u32 id = strtab_find(&r->text[kind], name, strlen(name));

	return id < r->shown[kind].nr && r->shown[kind].v[id] ? r->shown[kind].v[id] : name;
}

void renames_release(struct renames *r)
{
	for (u32 i = 0; i < r->nr_files; i++) {
		for (u32 k = 0; k < NR_NAME_KINDS; k++)
			vec_release(&r->file[i].nr[k]);
		vec_release(&r->file[i].program);
	}
	for (u32 k = 0; k < NR_NAME_KINDS; k++) {
		strtab_release(&r->text[k]);
		vec_release(&r->shown[k]);
	}
	vec_release(&r->note);
	vec_release(&r->alias);
	arena_release(&r->arena);
	free(r->file);
	*r = (struct renames){ 0 };
}
