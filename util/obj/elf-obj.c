/*
 * Elf-obj: opening, identity, segments and sections. Symbols are in elf-symtab.c, linkage
 * tables in elf-plt.c.
 */
#include "elf-obj.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/cursor.h"
#include "../base/fs.h"
#include "../lib/lib.h"

static void read_segments(struct elf_obj *o)
{
	size_t nr = 0;
	GElf_Phdr ph;

	if (elf_getphdrnum(o->elf, &nr))
		return;
	for (size_t i = 0; i < nr && i < 65536; i++) {
		if (!gelf_getphdr(o->elf, i, &ph))
			return;
		if (ph.p_type != PT_LOAD)
			continue;
		vec_push(&o->seg, (struct elf_segment){
			.vaddr = ph.p_vaddr, .off = ph.p_offset, .filesz = ph.p_filesz, .memsz = ph.p_memsz,
			.exec = ph.p_flags & PF_X,
		});
	}
}

/* libelf keeps its state in the handle, but must be told the version once per process */
static int init_libelf(struct err *err)
{
	int ret = lib_load(LIB_libelf, err);

	if (ret)
		return ret;
	elf_version(EV_CURRENT);
	return 0;
}

static struct elf_obj *obj_begin(struct elf_obj *o, const char *name, struct err *err)
{
	if (!o->elf || elf_kind(o->elf) != ELF_K_ELF || !gelf_getehdr(o->elf, &o->ehdr)) {
		err_set(err, -EINVAL, "%s: not an ELF file", name);
		elf_obj_free(o);
		return NULL;
	}
	if (elf_getshdrstrndx(o->elf, &o->shstrndx))
		o->shstrndx = 0;
	read_segments(o);
	return o;
}

struct elf_obj *elf_obj_open(const char *path, struct err *err)
{
	struct elf_obj *o;
	struct stat st;
	int fd, rc;

	if (init_libelf(err))
		return NULL;
	fd = open_regular(path, &st, err);
	if (fd < 0)
		return NULL;
	o = xcalloc(1, sizeof(*o));
	/* libelf unpacks compressed sections in place: it changes their headers */
	rc = mapping_open_private(&o->map, fd, st.st_size);
	close(fd);
	if (rc) {
		err_sys(err, -rc, "%s", path);
		free(o);
		return NULL;
	}
	o->elf = elf_memory((char *)o->map.p, o->map.len);
	return obj_begin(o, path, err);
}

struct elf_obj *elf_obj_from_image(void *image, size_t size, const char *name, struct err *err)
{
	struct elf_obj *o;

	if (init_libelf(err)) {
		free(image);
		return NULL;
	}
	o = xcalloc(1, sizeof(*o));
	o->image = image;
	o->elf = elf_memory(image, size);
	return obj_begin(o, name, err);
}

void elf_obj_free(struct elf_obj *o)
{
	if (!o)
		return;
	if (o->elf)
		elf_end(o->elf);
	mapping_close(&o->map);
	vec_release(&o->seg);
	free(o->image);
	free(o);
}

/* the table of sections stays: this program's copy may have been changed */
void elf_obj_rest(const struct elf_obj *o)
{
	struct mapping before = o->map;

	before.len = MIN((u64)o->map.len, o->ehdr.e_shoff) & ~(u64)(page_size() - 1);
	if (before.len)
		mapping_rest(&before);
}

static size_t pad(size_t n, u64 align)
{
	return align == 8 ? (n + 7) & ~(size_t)7 : (n + 3) & ~(size_t)3;
}

int elf_note_buildid(const void *notes, size_t size, u64 align, bool swap, u8 *id)
{
	struct cursor c = cursor_of(notes, size, swap);

	while (cursor_left(&c) >= 12) {
		u32 namesz = cursor_u32(&c), descsz = cursor_u32(&c), type = cursor_u32(&c);
		const char *name = cursor_bytes(&c, namesz);
		const u8 *desc;

		cursor_skip(&c, MIN(pad(namesz, align) - namesz, cursor_left(&c)));
		desc = cursor_bytes(&c, descsz);
		if (c.bad)
			return 0;
		cursor_skip(&c, MIN(pad(descsz, align) - descsz, cursor_left(&c)));
		if (type != NT_GNU_BUILD_ID || namesz != 4 || memcmp(name, "GNU", 4) || !descsz)
			continue;
		descsz = MIN(descsz, (u32)ELF_BUILDID_MAX);
		memcpy(id, desc, descsz);
		return descsz;
	}
	return 0;
}

static bool is_swapped(const struct elf_obj *o)
{
	return o->ehdr.e_ident[EI_DATA] != (__BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB);
}

static int notes_of_sections(const struct elf_obj *o, u8 *id)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	Elf_Data *d;
	int len;

	while ((scn = elf_nextscn(o->elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_NOTE)
			continue;
		d = elf_rawdata(scn, NULL);
		if (!d || !d->d_buf)
			continue;
		len = elf_note_buildid(d->d_buf, d->d_size, sh.sh_addralign, is_swapped(o), id);
		if (len)
			return len;
	}
	return 0;
}

int elf_obj_buildid(const struct elf_obj *o, u8 *id)
{
	size_t nr = 0;
	GElf_Phdr ph;
	int len = notes_of_sections(o, id);

	if (len || elf_getphdrnum(o->elf, &nr))
		return len;
	/* section headers may be stripped; the note is also in a loaded segment */
	for (size_t i = 0; i < nr && i < 65536; i++) {
		Elf_Data *d;

		if (!gelf_getphdr(o->elf, i, &ph) || ph.p_type != PT_NOTE)
			continue;
		d = elf_getdata_rawchunk(o->elf, ph.p_offset, ph.p_filesz, ELF_T_BYTE);
		len = d && d->d_buf ? elf_note_buildid(d->d_buf, d->d_size, ph.p_align, is_swapped(o),
						       id) : 0;
		if (len)
			return len;
	}
	return 0;
}

bool elf_obj_svma_to_off(const struct elf_obj *o, u64 svma, u64 *off)
{
	vec_foreach(&o->seg, s) {
		if (svma - s->vaddr < s->memsz) {
			*off = svma - s->vaddr + s->off;
			return true;
		}
	}
	/* marks like _etext are after the last byte, and the rest of that page is mapped, too */
	vec_foreach(&o->seg, s) {
		if (svma >= s->vaddr &&
		    svma - s->vaddr < ALIGN_UP((s->vaddr & 4095) + s->memsz, 4096ull) - (s->vaddr & 4095)) {
			*off = svma - s->vaddr + s->off;
			return true;
		}
	}
	return false;
}

bool elf_segments_off_to_svma(const struct elf_segment *seg, size_t nr, u64 off, u64 *svma)
{
	const struct elf_segment *hit = NULL;

	/* segments can share a page of the file: addresses are mostly those of code */
	for (const struct elf_segment *s = seg; s < seg + nr; s++)
		if (off - s->off < s->filesz && (!hit || (s->exec && !hit->exec)))
			hit = s;
	/* a mapping covers whole pages, so an address may be before or after the bytes of its segment */
	for (const struct elf_segment *s = seg; !hit && s < seg + nr; s++)
		if (off - (s->off & ~4095ull) < ALIGN_UP((s->off & 4095) + s->memsz, 4096ull))
			hit = s;
	if (!hit)
		return false;
	*svma = off - hit->off + hit->vaddr;
	return true;
}

bool elf_obj_off_to_svma(const struct elf_obj *o, u64 off, u64 *svma)
{
	return elf_segments_off_to_svma(o->seg.v, o->seg.nr, off, svma);
}

Elf_Scn *elf_obj_section(const struct elf_obj *o, const char *name, GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(o->elf, scn))) {
		const char *s;

		if (!gelf_getshdr(scn, shdr))
			continue;
		s = elf_strptr(o->elf, o->shstrndx, shdr->sh_name);
		if (s && !strcmp(s, name))
			return scn;
	}
	return NULL;
}

bool elf_obj_has_symtab(const struct elf_obj *o)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(o->elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB && sh.sh_size > sh.sh_entsize)
			return true;
	return false;
}

const char *elf_obj_debuglink(const struct elf_obj *o, u32 *crc)
{
	GElf_Shdr sh;
	Elf_Scn *scn = elf_obj_section(o, ".gnu_debuglink", &sh);
	Elf_Data *d = scn ? elf_rawdata(scn, NULL) : NULL;
	struct cursor c;
	const char *name;
	size_t len;

	if (!d || !d->d_buf || !memchr(d->d_buf, '\0', d->d_size))
		return NULL;
	name = d->d_buf;
	len = strlen(name);
	c = cursor_of(d->d_buf, d->d_size, is_swapped(o));
	cursor_skip(&c, pad(len + 1, 4));
	*crc = cursor_u32(&c);
	return c.bad || !len || strchr(name, '/') ? NULL : name;
}
