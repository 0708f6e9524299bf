/* Sdt-marker: finds an argument in the note, and symbols of its operand in the program. */
#include "sdt-marker.h"

#include <errno.h>
#include <string.h>
#include "image.h"
#include "point.h"
#include "sdt-args.h"

struct symbol_ctx {
	struct probe_image *img;
	const struct probe_point *at;
};

static bool symbol_place(void *ctx, const char *name, s64 add, struct strbuf *out)
{
	struct symbol_ctx *c = ctx;
	const struct image_symbol *s = image_symbol(c->img, name);
	s64 off = s ? (s64)(c->at->off + (s->svma - c->at->svma)) + add : -1;

	if (off < 0)
		return false;
	strbuf_addf(out, "@+%#lx", off);
	return true;
}

size_t sdt_marker_arg_at(const char **args, u32 n)
{
	size_t len = 0;

	for (u32 i = 0; i < n; i++) {
		*args += len;
		*args += strspn(*args, " \t");
		len = sdt_arg_len(*args);
		if (!len)
			break;
	}
	return len;
}

int sdt_marker_arg(struct probe_image *img, const struct probe_point *p, u32 n, struct strbuf *out)
{
	struct symbol_ctx ctx = { img, p };
	const char *s = p->marker_args;
	size_t len = sdt_marker_arg_at(&s, n);

	return len ? sdt_arg_text(img->arch, img->is64, s, len, symbol_place, &ctx, out) : -ENOENT;
}
