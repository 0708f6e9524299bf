/* Kept-functions: see kept-functions.h. A file is a struct list_head and the text. */
#include "kept-functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../base/hash.h"
#include "../base/log.h"
#include "../base/user-cache.h"
#include "../obj/elf-obj.h"
#include "image.h"
#include "kept-names.h"
#include "point.h"

#define PREFIX "probe-functions-"
/* a shorter text, in parts of the debug information that has an index, is made faster than it is kept */
#define TEXT_SHARE 256
#define LIST_MAX (256u << 20)	/* bytes of a list */
#define FILES_MAX 32		/* in the cache folder, and their bytes together */
#define BYTES_MAX (256u << 20)

/* another number for each change of how names are shown */
static const char magic[8] = "perf-fn1";

/* without padding: it is compared as bytes */
struct list_head {
	char magic[8];
	struct name_index_key key;
	u64 hash;		/* of the text */
};

struct kept_list {
	char *path;		/* of the program */
	char name[40];		/* in the cache folder */
	struct list_head head;
};

/* only a file that has its symbols itself: its state is that of the list */
static bool choose_file(const struct probe_image *img, struct kept_list *ret)
{
	*ret = (struct kept_list){ 0 };
	if (!img->t->index_min || img->is_kernel || !elf_obj_has_symtab(img->obj))
		return false;
	ret->path = realpath(img->path, NULL);
	if (!ret->path || !kept_names_key(img->obj, ret->path, &ret->head.key))
		return false;
	memcpy(ret->head.magic, magic, sizeof(magic));
	snprintf(ret->name, sizeof(ret->name), PREFIX "%016llx", (unsigned long long)hash_str(ret->path));
	return true;
}

/* lines of printable ASCII characters: whatever wrote the file, a terminal can show it */
static bool is_list(const char *p, size_t len)
{
	bool odd = false;

	for (size_t i = 0; i < len; i++)
		odd |= (u8)(p[i] - ' ') > '~' - ' ' && p[i] != '\n';
	return !odd && (!len || p[len - 1] == '\n');
}

static bool read_list(int dir, const struct kept_list *f, struct strbuf *out)
{
	struct list_head head = f->head;
	struct mapping map;
	size_t before = out->len, len;
	const u8 *text;
	bool ok;

	if (!user_cache_map(dir, f->name, sizeof(head), LIST_MAX, &map))
		return false;
	text = map.p + sizeof(head);
	len = map.len - sizeof(head);
	head.hash = hash_bytes(text, len);
	ok = !memcmp(map.p, &head, sizeof(head));
	if (ok)
		strbuf_add(out, text, len);
	ok = ok && !mapping_torn(&map) && is_list(out->buf + before, len);
	if (!ok)
		strbuf_setlen(out, before);
	mapping_close(&map);
	return ok;
}

bool kept_functions_find(const struct probe_image *img, struct strbuf *out)
{
	struct kept_list f;
	bool found = false;
	int dir;

	if (choose_file(img, &f) && (dir = user_cache_open()) >= 0) {
		found = read_list(dir, &f, out);
		log_v("%s list of functions: %s", found ? "kept" : "missing", f.name);
		if (found)
			user_cache_touch(dir, f.name);
		close(dir);
	}
	free(f.path);
	return found;
}

void kept_functions_keep(const struct probe_image *img, const struct strbuf *text)
{
	struct strbuf file = STRBUF_INIT;
	struct kept_list f;
	int dir;

	if (text->len < img->t->index_min / TEXT_SHARE || text->len > LIST_MAX / 2 ||
	    !is_list(text->buf, text->len))
		return;
	if (choose_file(img, &f) && !mapping_torn(&img->obj->map) && (dir = user_cache_open()) >= 0) {
		f.head.hash = hash_bytes(text->buf, text->len);
		strbuf_add(&file, &f.head, sizeof(f.head));
		strbuf_add(&file, text->buf, text->len);
		user_cache_write(dir, f.name, file.buf, file.len);
		user_cache_trim(dir, PREFIX, FILES_MAX, BYTES_MAX);
		close(dir);
	}
	strbuf_release(&file);
	free(f.path);
}
