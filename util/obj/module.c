/* Module: unpacking and the layout of sections. */
#include "module.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/fs.h"
#include "../base/strbuf.h"
#include "compress.h"

#define PACKED_MAX (256ull << 20)
#define UNPACKED_MAX (1024ull << 20)

static struct elf_obj *open_packed(const char *path, int fd, enum compress_kind kind, struct err *err)
{
	struct strbuf packed = STRBUF_INIT;
	size_t len = 0;
	u8 *image;
	int rc = fd_read_all(fd, &packed);

	if (rc)
		err_sys(err, -rc, "%s", path);
	else if ((rc = compress_unpack(kind, packed.buf, packed.len, UNPACKED_MAX, &image, &len, err)))
		err_prefix(err, "%s: ", path);
	strbuf_release(&packed);
	return rc ? NULL : elf_obj_from_image(image, len, path, err);
}

struct elf_obj *module_open(const char *path, struct err *err)
{
	enum compress_kind kind = COMPRESS_NONE;
	struct elf_obj *o = NULL;
	struct stat st;
	int fd = open_regular(path, &st, err);
	char head[8];

	if (fd < 0)
		return NULL;
	if (pread(fd, head, sizeof(head), 0) == sizeof(head))
		kind = compress_kind_of(head, sizeof(head));
	if (kind == COMPRESS_NONE)
		o = elf_obj_open(path, err);
	else if ((u64)st.st_size > PACKED_MAX)
		err_set(err, -EFBIG, "%s: too large for a module", path);
	else
		o = open_packed(path, fd, kind, err);
	close(fd);
	return o;
}

/* true for the line "kernel/fs/ext4/ext4.ko.xz: ..." of that module; len: to the colon. Files have - for _ */
static bool is_line_of(const char *line, size_t len, const char *name)
{
	const char *base = memrchr(line, '/', len);
	size_t name_len = strlen(name);

	base = base ? base + 1 : line;
	if ((size_t)(line + len - base) < name_len + 3 || memcmp(base + name_len, ".ko", 3))
		return false;
	for (size_t i = 0; i < name_len; i++)
		if (name[i] != base[i] && !(name[i] == '_' && base[i] == '-'))
			return false;
	return true;
}

char *module_path(const char *dep, const char *dir, const char *name)
{
	for (const char *line = dep; *line; line += *line == '\n') {
		size_t len = strcspn(line, ":\n");

		if (line[len] == ':' && is_line_of(line, len, name))
			return line[0] == '/' ? xstrndup(line, len) :
						xasprintf("%s/%.*s", dir, (int)len, line);
		line += strcspn(line, "\n");
	}
	return NULL;
}

char *module_find(const char *dir, const char *name)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	char *found = NULL;
	int fd;

	strbuf_addf(&path, "%s/modules.dep", dir);
	fd = open(strbuf_str(&path), O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && !fd_read_all(fd, &text))
		found = module_path(strbuf_str(&text), dir, name);
	if (fd >= 0)
		close(fd);
	strbuf_release(&path);
	strbuf_release(&text);
	return found;
}

/* run-time addresses of the sections that stay loaded: 0 for those whose address only the kernel knows */
static u64 *lay_out(const struct elf_obj *o, u64 start, u64 end, size_t nr)
{
	u64 *base = xcalloc(nr + 1, sizeof(*base));
	Elf_Scn *scn = NULL;
	u64 pos = start;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(o->elf, scn))) {
		const char *name;

		if (!gelf_getshdr(scn, &sh) ||
		    (sh.sh_flags & (SHF_ALLOC | SHF_EXECINSTR)) != (SHF_ALLOC | SHF_EXECINSTR))
			continue;
		name = elf_strptr(o->elf, o->shstrndx, sh.sh_name);
		if (!name || !strncmp(name, ".init", 5) || elf_ndxscn(scn) >= nr)
			continue;
		if (sh.sh_addralign > 1 && !(sh.sh_addralign & (sh.sh_addralign - 1)) &&
		    sh.sh_addralign <= 1 << 20)
			pos = ALIGN_UP(pos, sh.sh_addralign);
		if (sh.sh_size > UINT32_MAX || (end && pos + sh.sh_size > end))
			break;
		base[elf_ndxscn(scn)] = pos;
		pos += sh.sh_size;
	}
	return base;
}

size_t module_symbols(const struct elf_obj *o, u64 start, u64 end, struct symvec *v)
{
	struct elf_addr_map map = { 0 };
	size_t nr, added;
	u64 *base;

	if (o->ehdr.e_type != ET_REL || elf_getshdrnum(o->elf, &nr))
		return 0;
	base = lay_out(o, start, end, nr);
	map.section_base = base;
	map.nr_sections = nr;
	added = elf_obj_symbols(o, ELF_SYMBOLS_SYMTAB, &map, v);
	free(base);
	return added;
}
