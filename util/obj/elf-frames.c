/*
 * Elf-frames: functions without symbols, from the ranges of code in .eh_frame. A linkage table has one range;
 * its entries have names of their own. Formats: Linux Standard Base, "Exception Frames"; DWARF, "Call Frame
 * Information".
 */
#include "elf-obj.h"

#include <stdio.h>
#include <string.h>

#include "../base/cursor.h"
#include "../base/digits.h"

#define MAX_HEAD 256		/* bytes of an entry before its instructions, at most */
#define MAX_AUGMENTATION 16
#define MAX_FILE_NAME 100	/* bytes of it in a name */
#define NO_ENCODING 0xff	/* a CIE that is not understood */

/* DWARF exception header encodings: size and sign of a number, and what is added to it */
enum { ENC_SIZE = 0x0f, ENC_ABSPTR = 0, ENC_ULEB = 1, ENC_U2 = 2, ENC_U4 = 3, ENC_U8 = 4, ENC_SLEB = 9,
       ENC_S2 = 0xa, ENC_S4 = 0xb, ENC_S8 = 0xc, ENC_BASE = 0x70, ENC_PCREL = 0x10, ENC_INDIRECT = 0x80 };

#define NR_TABLES 5

struct frame_section {
	const struct elf_obj *o;
	const u8 *p;		/* the section */
	size_t size;
	u64 svma;
	bool swap, is64;
	size_t cie;		/* where the CIE is that was read last, and its encoding of addresses */
	u8 encoding;
	struct table {
		u64 start, size;
	} table[NR_TABLES];
};

/* the number itself; sets c->bad if the encoding is not a number of fixed size */
static u64 read_number(const struct frame_section *f, struct cursor *c, u8 encoding)
{
	switch (encoding & ENC_SIZE) {
	case ENC_ABSPTR:
		return f->is64 ? cursor_u64(c) : cursor_u32(c);
	case ENC_U2:
		return cursor_u16(c);
	case ENC_S2:
		return (s64)(s16)cursor_u16(c);
	case ENC_U4:
		return cursor_u32(c);
	case ENC_S4:
		return (s64)(s32)cursor_u32(c);
	case ENC_U8:
	case ENC_S8:
		return cursor_u64(c);
	default:
		c->bad = true;
		return 0;
	}
}

static u64 read_address(const struct frame_section *f, struct cursor *c, u8 encoding)
{
	u64 at = f->svma + (c->p - f->p), value;

	if (encoding & ENC_INDIRECT || (encoding & ENC_BASE && (encoding & ENC_BASE) != ENC_PCREL))
		c->bad = true;
	value = read_number(f, c, encoding);
	if ((encoding & ENC_BASE) == ENC_PCREL)
		value += at;
	return f->is64 ? value : (u32)value;
}

/*
 * The next entry of the section: its contents after the length, and where these begin. False: there is none
 */
static bool next_entry(const struct frame_section *f, struct cursor *c, struct cursor *ret, size_t *ret_at)
{
	u64 len = cursor_u32(c);

	if (len == UINT32_MAX)
		len = cursor_u64(c);
	*ret_at = c->p - f->p;
	*ret = cursor_of(cursor_bytes(c, len), len, f->swap);
	return !c->bad && len;
}

/* how a CIE encodes addresses; its contents come after the number 0 */
static u8 cie_encoding(const struct frame_section *f, struct cursor *c)
{
	u8 version = cursor_u8(c), encoding = ENC_ABSPTR;
	const char *letter = (const char *)c->p;
	size_t len = strnlen(letter, MIN(cursor_left(c), (size_t)MAX_AUGMENTATION));

	cursor_skip(c, len + 1);
	if (version >= 4)
		cursor_skip(c, 2);	/* sizes of addresses and segments */
	cursor_uleb(c);			/* alignment of code */
	cursor_uleb(c);			/* alignment of data; signed, of the same length */
	if (version == 1)
		cursor_u8(c);		/* the return address */
	else
		cursor_uleb(c);
	if (len && letter[0] != 'z')
		return NO_ENCODING;
	if (len)
		cursor_uleb(c);
	for (size_t i = 1; i < len; i++) {
		if (letter[i] == 'R')
			encoding = cursor_u8(c);
		else if (letter[i] == 'L')
			cursor_u8(c);
		else if (letter[i] == 'P')
			read_number(f, c, cursor_u8(c));
		else if (letter[i] != 'S' && letter[i] != 'B' && letter[i] != 'G')
			break;
	}
	return c->bad ? NO_ENCODING : encoding;
}

/* how the CIE at an offset of the section encodes addresses */
static u8 encoding_at(struct frame_section *f, size_t off)
{
	struct cursor c, entry;
	size_t at;

	if (off == f->cie)
		return f->encoding;
	f->cie = off;
	f->encoding = NO_ENCODING;
	c = cursor_of(f->p + off, f->size - off, f->swap);
	if (!next_entry(f, &c, &entry, &at))
		return NO_ENCODING;
	/* whoever refers to it a million times does not make us read a million long ones */
	entry.end = entry.p + MIN(cursor_left(&entry), (size_t)MAX_HEAD);
	if (!cursor_u32(&entry) && cursor_left(&entry))
		f->encoding = cie_encoding(f, &entry);
	return f->encoding;
}

/* the code of an entry; false: it is a CIE, or not understood */
static bool read_range(struct frame_section *f, struct cursor *c, size_t at, u64 *start, u64 *size)
{
	u64 back = cursor_u32(c);
	u8 encoding;

	/* the distance from here to the CIE; in files of the large model, too */
	if (!back || back > at)
		return false;
	encoding = encoding_at(f, at - back);
	if (encoding == NO_ENCODING)
		return false;
	*start = read_address(f, c, encoding);
	*size = read_number(f, c, encoding & ENC_SIZE);
	return !c->bad && *size;
}

/* procedure linkage tables have symbols of their own, for each entry */
static void find_tables(struct frame_section *f)
{
	static const char *const names[NR_TABLES] = { ".plt", ".plt.sec", ".plt.got", ".plt.bnd", ".iplt" };
	GElf_Shdr sh;

	for (size_t i = 0; i < NR_TABLES; i++)
		if (elf_obj_section(f->o, names[i], &sh))
			f->table[i] = (struct table){ sh.sh_addr, sh.sh_size };
}

/* the range as far as it is code of the file, and of no linkage table */
static bool is_code(const struct frame_section *f, u64 start, u64 *size)
{
	for (size_t i = 0; i < NR_TABLES; i++)
		if (start - f->table[i].start < f->table[i].size)
			return false;
	vec_foreach(&f->o->seg, s)
		if (s->exec && start >= s->vaddr && start - s->vaddr < s->filesz) {
			*size = MIN(*size, s->filesz - (start - s->vaddr));
			return true;
		}
	return false;
}

/* "[libc.so.6+0x" before the offset; without snprintf(): libraries have ten thousands of functions */
static bool add_range(const struct frame_section *f, struct symvec *v, const char *prefix, u64 start,
		      u64 size)
{
	char name[MAX_FILE_NAME + 32], *p;
	const struct symbol *before;
	u64 off;

	if (!is_code(f, start, &size) || !elf_obj_svma_to_off(f->o, start, &off))
		return false;
	before = symvec_before(v, off);
	if (before && (before->start == off || before->end > off))
		return false;
	p = put_hex(stpcpy(name, prefix), off);
	*p++ = ']';
	symvec_add(v, off, off + size, name, p - name, SYMBOL_GUESSED, STT_FUNC);
	return true;
}

size_t elf_obj_frame_symbols(const struct elf_obj *o, const char *file, struct symvec *v)
{
	struct frame_section f = { .o = o, .is64 = o->ehdr.e_ident[EI_CLASS] == ELFCLASS64, .cie = SIZE_MAX,
			    .swap = (o->ehdr.e_ident[EI_DATA] == ELFDATA2MSB) !=
				    (__BYTE_ORDER == __BIG_ENDIAN) };
	char prefix[MAX_FILE_NAME + 8];
	GElf_Shdr sh;
	Elf_Scn *scn = o->ehdr.e_type == ET_REL ? NULL : elf_obj_section(o, ".eh_frame", &sh);
	Elf_Data *d = scn ? elf_rawdata(scn, NULL) : NULL;
	struct cursor c, entry;
	size_t added = 0, nr = 0, at;

	if (!d || !d->d_buf)
		return 0;
	f.p = d->d_buf;
	f.size = d->d_size;
	f.svma = sh.sh_addr;
	find_tables(&f);
	snprintf(prefix, sizeof(prefix), "[%.*s+0x", MAX_FILE_NAME, file);
	c = cursor_of(f.p, f.size, f.swap);
	while (next_entry(&f, &c, &entry, &at)) {
		u64 start, size;

		if (read_range(&f, &entry, at, &start, &size))
			added += add_range(&f, v, prefix, start, size);
		if (++nr % ELF_ROWS_AT_ONCE == 0)
			elf_obj_rest(o);
	}
	return added;
}
