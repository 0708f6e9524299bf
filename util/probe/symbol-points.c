/* Symbol-points: functions and addresses of a program become points without debug information. */
#include "symbol-points.h"

#include <errno.h>
#include <string.h>
#include "../base/caret.h"
#include "../base/strbuf.h"
#include "../obj/elf-obj.h"
#include "fetch.h"
#include "image.h"
#include "point.h"
#include "spec.h"

static int err_needs_debug(const struct probe_image *img, const struct probe_spec *spec, struct err *err)
{
	const char *what = probe_spec_needs_lines(spec) ? "source lines" : "variables";

	err_set(err, -ENODATA, "%s has no debug information, which '%s' needs for %s", img->path, spec->text,
		what);
	err_hint(err, img->is_kernel ? "install the kernel's debug symbols, or name a file: -m FILE.ko" :
		 "compile it with -g, install its debug symbols, or fetch them with --debuginfod");
	if (probe_spec_needs_lines(spec))
		err_hint(err, "without it, a place is FUNCTION, FUNCTION+OFFSET, FUNCTION%%return or "
			 "0xADDRESS");
	else
		err_hint(err, "without it, arguments are $arg1 (at the start of a function), $retval, "
			 "%%REGISTER, "
			 "$stack0, +OFFSET(...)");
	return -ENODATA;
}

static int add_point(struct probe_image *img, const struct probe_spec *spec, const struct image_symbol *fn,
		     u64 svma,
		     struct probe_points *out, struct err *err)
{
	struct probe_point *p;
	u64 off;
	int ret;

	if (!image_has_code(img, svma) || !elf_obj_svma_to_off(img->obj, svma, &off))
		return err_set(err, -EINVAL, "%s has no code at %#lx", img->path, svma);
	ret = image_check_insn(img, fn, svma, err);
	if (ret)
		return ret;
	p = probe_points_add(out);
	p->svma = svma;
	p->off = off;
	p->is_return = spec->place.is_return;
	if (fn) {
		p->function = arena_strdup(&out->mem, fn->name);
		p->function_off = svma - fn->svma;
	}
	return 0;
}

static int function_points(struct probe_image *img, const struct probe_target *t,
			   const struct probe_spec *spec,
			   struct probe_points *out, struct err *err)
{
	u64 offset = spec->place.offset;
	struct image_hits hits = { 0 };
	int ret = image_find(img, &spec->place, &hits, err);

	if (!ret && t->max_points && hits.nr > t->max_points) {
		ret = err_set(err, -E2BIG, "'%s' is the name of %zu functions, more than %u",
			      spec->place.function,
			      hits.nr, t->max_points);
		err_hint(err, "'--max-probes %zu' allows them", hits.nr);
	}
	vec_foreach(&hits, h) {
		const struct image_symbol *s = *h;

		if (ret)
			break;
		if (offset && s->size && offset >= s->size)
			ret = err_set(err, -ERANGE, "'%s' has only %lu bytes, so it has no offset %lu",
				      s->name,
				      s->size, offset);
		else
			ret = add_point(img, spec, s, s->svma + offset, out, err);
	}
	vec_release(&hits);
	return ret;
}

int symbol_points(struct probe_image *img, const struct probe_target *t, const struct probe_spec *spec,
		  struct probe_points *out, struct err *err)
{
	u64 address = spec->place.address;
	size_t first = out->nr;
	int ret;

	if (probe_spec_needs_lines(spec) || (probe_spec_needs_variables(spec) && !img->types))
		return err_needs_debug(img, spec, err);
	if (spec->place.kind == PROBE_ADDRESS)
		ret = add_point(img, spec, image_at(img, address), address, out, err);
	else
		ret = function_points(img, t, spec, out, err);
	for (size_t i = first; i < out->nr && !ret; i++)
		ret = fetch_arguments(img, spec, out->v[i].function_off, out, &out->v[i], err);
	return ret;
}
