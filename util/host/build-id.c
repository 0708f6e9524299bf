/* Build-id: GNU build-ids from ELF notes. */
#include "build-id.h"
#include "../base/alloc.h"
#include "../base/cursor.h"
#include "../base/fs.h"

#include <stdio.h>
#include <stdlib.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTES_MAX (64u << 10)
#define PHDRS_MAX 256u

bool build_id_from_notes(const void *notes, size_t len, struct build_id *ret)
{
	struct cursor c = cursor_of(notes, len, false);

	while (cursor_left(&c) >= sizeof(Elf64_Nhdr)) {
		u32 namesz = cursor_u32(&c), descsz = cursor_u32(&c), type = cursor_u32(&c);
		const char *name = cursor_bytes(&c, ALIGN_UP((u64)namesz, 4));
		const u8 *desc = cursor_bytes(&c, descsz);

		if (c.bad)
			return false;
		if (type == NT_GNU_BUILD_ID && namesz == 4 && !memcmp(name, "GNU", 4) && descsz &&
		    descsz <= BUILDID_MAX) {
			ret->len = descsz;
			memcpy(ret->id, desc, descsz);
			return true;
		}
		/* the last note may lack its padding */
		cursor_skip(&c, MIN(ALIGN_UP((u64)descsz, 4) - descsz, cursor_left(&c)));
	}
	return false;
}

/* an ELF file: an open one, or its bytes */
struct elf_bytes {
	int fd;
	const u8 *p;		/* NULL: fd */
	size_t size;
};

/* reads bytes, as pread(2) does */
static ssize_t read_at(const struct elf_bytes *e, void *buf, size_t len, u64 off)
{
	if (!e->p)
		return pread(e->fd, buf, len, off);
	if (off >= e->size)
		return 0;
	len = MIN(len, e->size - off);
	memcpy(buf, e->p + off, len);
	return len;
}

static bool notes_at(const struct elf_bytes *e, u64 off, u64 size, struct build_id *ret)
{
	char buf[4096], *p = buf;
	bool found = false;
	ssize_t n;

	size = MIN(size, NOTES_MAX);
	if (size > sizeof(buf))
		p = xmalloc(size);
	n = read_at(e, p, size, off);
	if (n > 0)
		found = build_id_from_notes(p, n, ret);
	if (p != buf)
		free(p);
	return found;
}

/* both classes have the same fields at different offsets */
static bool phdrs(const struct elf_bytes *e, bool is64, u64 off, u32 nr, u32 entsize, struct build_id *ret)
{
	union { Elf64_Phdr p64; Elf32_Phdr p32; } ph;
	size_t size = is64 ? sizeof(ph.p64) : sizeof(ph.p32);

	if (entsize < size)
		return false;
	for (u32 i = 0; i < MIN(nr, PHDRS_MAX); i++) {
		if (read_at(e, &ph, size, off + (u64)i * entsize) != (ssize_t)size)
			return false;
		if (ph.p64.p_type != PT_NOTE)	/* at offset 0 in both */
			continue;
		if (is64 ? notes_at(e, ph.p64.p_offset, ph.p64.p_filesz, ret) :
			   notes_at(e, ph.p32.p_offset, ph.p32.p_filesz, ret))
			return true;
	}
	return false;
}

static bool build_id_of_bytes(const struct elf_bytes *e, struct build_id *ret)
{
	union { Elf64_Ehdr e64; Elf32_Ehdr e32; u8 ident[EI_NIDENT]; } eh;
	u8 native = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

	if (read_at(e, &eh, sizeof(eh), 0) != sizeof(eh) || memcmp(eh.ident, ELFMAG, SELFMAG) ||
	    eh.ident[EI_DATA] != native)
		return false;
	if (eh.ident[EI_CLASS] == ELFCLASS64)
		return phdrs(e, true, eh.e64.e_phoff, eh.e64.e_phnum, eh.e64.e_phentsize, ret);
	return phdrs(e, false, eh.e32.e_phoff, eh.e32.e_phnum, eh.e32.e_phentsize, ret);
}

bool build_id_of_file(const char *path, struct build_id *ret)
{
	struct elf_bytes e = { .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) };
	struct stat st;
	bool found;

	ret->len = 0;
	if (e.fd < 0)
		return false;
	found = !fstat(e.fd, &st) && S_ISREG(st.st_mode) && build_id_of_bytes(&e, ret);
	close(e.fd);
	return found;
}

bool build_id_of_image(const void *image, size_t size, struct build_id *ret)
{
	ret->len = 0;
	return build_id_of_bytes(&(struct elf_bytes){ .fd = -1, .p = image, .size = size }, ret);
}

static bool notes_file(const char *path, struct build_id *ret)
{
	struct strbuf sb = STRBUF_INIT;
	bool found = !fs_read(path, &sb) && build_id_from_notes(sb.buf, sb.len, ret);

	if (!found)
		ret->len = 0;
	strbuf_release(&sb);
	return found;
}

bool build_id_of_kernel(struct build_id *ret)
{
	return notes_file("/sys/kernel/notes", ret);
}

bool build_id_of_module(const char *name, struct build_id *ret)
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", name);
	return notes_file(path, ret);
}
