/* Sdt: reads the notes of markers. */
#include "sdt.h"

#include <string.h>
#include "../base/cursor.h"
#include "elf-obj.h"

#define NT_STAPSDT 3
#define MARKERS_MAX 1000000

static u64 read_addr(struct cursor *c, bool is64)
{
	return is64 ? cursor_u64(c) : cursor_u32(c);
}

static const char *read_string(struct cursor *c)
{
	const char *s = (const char *)c->p;
	const char *end = s ? memchr(s, '\0', cursor_left(c)) : NULL;

	if (!end) {
		c->bad = true;
		return "";
	}
	cursor_skip(c, end - s + 1);
	return s;
}

static void add_note(const struct elf_obj *o, const char *desc, size_t size, u64 base_now,
		     struct sdt_markers *out)
{
	bool is64 = o->ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	bool swap = o->ehdr.e_ident[EI_DATA] != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ?
						 ELFDATA2LSB : ELFDATA2MSB);
	struct cursor c = cursor_of(desc, size, swap);
	struct sdt_marker m;
	u64 base, moved;

	m.svma = read_addr(&c, is64);
	base = read_addr(&c, is64);
	m.semaphore = read_addr(&c, is64);
	m.provider = read_string(&c);
	m.name = read_string(&c);
	m.args = read_string(&c);
	if (c.bad || !*m.provider || !*m.name || out->nr >= MARKERS_MAX)
		return;
	moved = base && base_now ? base_now - base : 0;
	m.svma += moved;
	if (m.semaphore)
		m.semaphore += moved;
	m.provider = arena_strdup(&out->mem, m.provider);
	m.name = arena_strdup(&out->mem, m.name);
	m.args = arena_strdup(&out->mem, m.args);
	vec_push(out, m);
}

void sdt_markers_read(const struct elf_obj *o, struct sdt_markers *out)
{
	static const char owner[] = "stapsdt";
	size_t off = 0, name_off, desc_off;
	GElf_Shdr sh, base = { 0 };
	Elf_Scn *scn = elf_obj_section(o, ".note.stapsdt", &sh);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	GElf_Nhdr nh;

	elf_obj_section(o, ".stapsdt.base", &base);
	while (data && (off = gelf_getnote(data, off, &nh, &name_off, &desc_off)) > 0)
		if (nh.n_type == NT_STAPSDT && nh.n_namesz == sizeof(owner) &&
		    !memcmp((char *)data->d_buf + name_off, owner, sizeof(owner)))
			add_note(o, (char *)data->d_buf + desc_off, nh.n_descsz, base.sh_addr, out);
}

void sdt_markers_release(struct sdt_markers *m)
{
	vec_release(m);
	arena_release(&m->mem);
}
