/*
 * List: SDT markers (statically defined tracing) of the files in the build-id cache. A cached file is a
 * directory, PATH/BUILDID/ below the cache, to which .build-id/xx/yyyy links; in it "elf" is the file and
 * "probes" what 'perf probe' knows of it: lines "%sdt_PROVIDER:NAME=...". Without "probes" the file's
 * .note.stapsdt notes are read. Nothing is written.
 */
#include "collect.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/fs.h"
#include "../obj/buildid.h"
#include "../obj/elf-obj.h"

#define PROBES_MAX (16u << 20)
#define FILES_MAX 100000
#define NT_STAPSDT 3
#define SHORT_ID 12

struct marker {
	const char *name;	/* "sdt_libc:setjmp" */
	const char *args;	/* "arg1:u64 arg2:s32"; "": none, or not known */
	const char *path, *id;	/* of the file; id: SHORT_ID digits of its build-id */
};
struct markers {
	VEC(struct marker);
	struct list *l;
};

static struct marker *add(struct markers *m, const char *name, size_t len, const char *path, const char *id)
{
	vec_push(m, (struct marker){ arena_strndup(&m->l->arena, name, len), "", path, id });
	return &m->v[m->nr - 1];
}

/* "p:sdt_a/b /usr/bin/a:0x10(0x20) arg1=%bx:u64 arg2=+8(%sp):s32" */
static const char *args_of_definition(struct list *l, const char *line)
{
	struct strbuf out = STRBUF_INIT;
	const char *w = strchr(line, ' '), *args;

	w = w ? strchr(w + 1, ' ') : NULL;
	while (w && *w == ' ') {
		size_t len = strcspn(++w, " \n"), name = strcspn(w, "= \n");
		const char *type = memrchr(w, ':', len);

		strbuf_addf(&out, "%s%.*s", out.len ? " " : "", (int)name, w);
		if (type)
			strbuf_addf(&out, "%.*s", (int)(w + len - type), type);
		w += len;
	}
	args = arena_strdup(&l->arena, strbuf_str(&out));
	strbuf_release(&out);
	return args;
}

/* "8@%rbx -4@8(%rsp) 8f@%xmm0": sizes in bytes, negative: signed, f: a floating-point number */
static const char *args_of_note(struct list *l, const char *text)
{
	struct strbuf out = STRBUF_INIT;
	const char *args;
	int nr = 0;

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		bool is_signed = *text == '-';
		int size = text[is_signed] >= '1' && text[is_signed] <= '8' ? text[is_signed] - '0' : 0;
		const char *kind = text[is_signed + (size > 0)] == 'f' ? "f" : is_signed ? "s" : "u";

		strbuf_addf(&out, "%sarg%d", nr ? " " : "", nr + 1);
		if (size)
			strbuf_addf(&out, ":%s%d", kind, size * 8);
		nr++;
		/* the operand can have blanks: the next argument is after "N@" again */
		text = strchrnul(text, '@');
		while (*text && !(*text == ' ' && strchr("-12345678", text[1])))
			text++;
	}
	args = arena_strdup(&l->arena, strbuf_str(&out));
	strbuf_release(&out);
	return args;
}

/* false where there is no such file */
static bool from_probes(struct markers *m, const char *dir, const char *path, const char *id)
{
	struct strbuf file = STRBUF_INIT;
	struct marker *last = NULL;
	char line[4096];
	struct stat st;
	FILE *f;

	strbuf_addf(&file, "%s/probes", dir);
	f = fopen(file.buf, "re");
	strbuf_release(&file);
	if (!f)
		return false;
	if (fstat(fileno(f), &st) || !S_ISREG(st.st_mode) || st.st_size > PROBES_MAX) {
		fclose(f);
		return false;
	}
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, "%sdt_", strlen("%sdt_")))
			last = add(m, line + 1, strcspn(line + 1, "=\n"), path, id);
		else if (!strncmp(line, "p:", 2) && last && !*last->args)
			last->args = args_of_definition(m->l, line);
		else
			last = NULL;
	fclose(f);
	return true;
}

/* name, then provider, after three addresses; strings end inside the note */
static void from_note(struct markers *m, const char *desc, size_t size, size_t addr_size, const char *path,
		      const char *id)
{
	const char *provider = desc + 3 * addr_size, *end = desc + size, *name, *args;
	char full[512];
	int len;

	if (size <= 3 * addr_size)
		return;
	name = memchr(provider, '\0', end - provider);
	if (!name || ++name >= end || !memchr(name, '\0', end - name))
		return;
	len = snprintf(full, sizeof(full), "sdt_%s:%s", provider, name);
	args = memchr(name, '\0', end - name) + 1;
	if (len > 0 && (size_t)len < sizeof(full))
		add(m, full, len, path, id)->args = args < end && memchr(args, '\0', end - args) ?
						    args_of_note(m->l, args) : "";
}

static void from_section(struct markers *m, const struct elf_obj *o, Elf_Data *data, const char *path,
			 const char *id)
{
	size_t off = 0, name_off, desc_off;
	GElf_Nhdr nh;

	while (data && (off = gelf_getnote(data, off, &nh, &name_off, &desc_off)) > 0)
		if (nh.n_type == NT_STAPSDT && nh.n_namesz == sizeof("stapsdt") &&
		    !memcmp((char *)data->d_buf + name_off, "stapsdt", sizeof("stapsdt")))
			from_note(m, (char *)data->d_buf + desc_off, nh.n_descsz,
				  o->ehdr.e_ident[EI_CLASS] == ELFCLASS32 ? 4 : 8, path, id);
}

static void from_elf(struct markers *m, const char *dir, const char *path, const char *id)
{
	struct strbuf file = STRBUF_INIT;
	Elf_Scn *scn = NULL;
	struct elf_obj *o;

	strbuf_addf(&file, "%s/elf", dir);
	o = elf_obj_open(file.buf, NULL);
	strbuf_release(&file);
	while (o && (scn = elf_nextscn(o->elf, scn))) {
		GElf_Shdr sh;
		const char *name;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_NOTE)
			continue;
		name = elf_strptr(o->elf, o->shstrndx, sh.sh_name);
		if (name && !strcmp(name, ".note.stapsdt"))
			from_section(m, o, elf_getdata(scn, NULL), path, id);
	}
	elf_obj_free(o);
}

/* .build-id/xx/yyyy, a link to "../../usr/bin/ls/xxyyyy" */
static void read_entry(struct markers *m, const char *cache, const char *xx, const char *yyyy)
{
	struct strbuf link = STRBUF_INIT;
	char target[PATH_MAX], id[SHORT_ID + 1];
	const char *path, *slash;
	ssize_t n;

	strbuf_addf(&link, "%s/.build-id/%s/%s", cache, xx, yyyy);
	n = readlink(link.buf, target, sizeof(target) - 1);
	snprintf(id, sizeof(id), "%s%.*s", xx, SHORT_ID, yyyy);
	if (n > 0) {
		target[n] = '\0';
		path = target;
		while (!strncmp(path, "../", 3))
			path += 3;
		slash = strrchr(path, '/');
		path = list_printf(m->l, "/%.*s", slash ? (int)(slash - path) : (int)strlen(path), path);
		if (*path && path[1] != '[') {
			const char *short_id = arena_strdup(&m->l->arena, id);

			if (!from_probes(m, link.buf, path, short_id))
				from_elf(m, link.buf, path, short_id);
		}
	}
	strbuf_release(&link);
}

static bool is_hex(const char *s)
{
	return *s && !s[strspn(s, "0123456789abcdef")];
}

static void read_cache(struct markers *m, const char *cache)
{
	struct strbuf path = STRBUF_INIT;
	struct dirent *de, *sub;
	int nr = 0;
	DIR *top, *dir;

	strbuf_addf(&path, "%s/.build-id", cache);
	top = opendir(path.buf);
	while (top && (de = readdir(top))) {
		if (!is_hex(de->d_name))
			continue;
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/.build-id/%s", cache, de->d_name);
		dir = opendir(path.buf);
		while (dir && (sub = readdir(dir)) && nr++ < FILES_MAX)
			if (is_hex(sub->d_name))
				read_entry(m, cache, de->d_name, sub->d_name);
		if (dir)
			closedir(dir);
	}
	if (top)
		closedir(top);
	strbuf_release(&path);
}

static int compare(const void *pa, const void *pb)
{
	const struct marker *a = pa, *b = pb;
	int d = strcmp(a->name, b->name);

	if (!d)
		d = strcmp(a->path, b->path);
	return d ? d : strcmp(a->id, b->id);
}

/* what is in several files is named with its file */
static void add_entries(struct collect *c, const struct markers *m)
{
	for (size_t i = 0, end; i < m->nr; i = end) {
		bool several = false;

		for (end = i + 1; end < m->nr && !strcmp(m->v[end].name, m->v[i].name); end++)
			several |= strcmp(m->v[end].id, m->v[i].id) != 0;
		for (size_t k = i; k < end; k++) {
			if (k > i && !strcmp(m->v[k].id, m->v[k - 1].id) &&
			    !strcmp(m->v[k].path, m->v[k - 1].path))
				continue;
			list_add(c->l, LIST_SDT, several ? list_printf(c->l, "%s@%s(%s)", m->v[k].name,
								       m->v[k].path, m->v[k].id) :
				 m->v[k].name, "SDT event")->desc = m->v[k].args;
			if (!several)
				break;
		}
	}
}

int list_collect_sdt(struct collect *c)
{
	struct markers m = { .l = c->l };
	char *cache;

	if (c->req->unit || c->req->cputype)
		return 0;
	cache = buildid_cache_dir();
	if (cache)
		read_cache(&m, cache);
	if (m.nr)
		qsort(m.v, m.nr, sizeof(*m.v), compare);
	add_entries(c, &m);
	if (!m.nr && c->req->kinds == LIST_BIT(SDT))
		list_note(c->l, "no SDT markers are known: the files in the build-id cache %s have none",
			  cache ? cache : "");
	vec_release(&m);
	free(cache);
	return 0;
}
