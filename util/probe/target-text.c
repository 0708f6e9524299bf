/* Target-text: functions, lines and variables of a target as text. */
#include "target-text.h"

#include <errno.h>
#include "../base/strbuf.h"
#include "available.h"
#include "glob-filter.h"
#include "kernel-symbols.h"
#include "kernel-types.h"
#include "list.h"
#include "listing.h"
#include "point.h"
#include "sdt-points.h"
#include "source.h"
#include "spec-parse.h"

static void add_left(struct strbuf *out, size_t nr, const char *what)
{
	if (nr)
		strbuf_addf(out, "%s%zu %s", out->len ? ", " : "", nr, what);
}

static int list_kernel(struct probe_source *src, const struct glob_filter *filter, FILE *to,
		       struct strbuf *left)
{
	struct kernel_left_out nr;
	struct strbuf text = STRBUF_INIT;
	bool any;

	kernel_functions(src->kernel, src->t.module, filter, &text, &nr);
	fwrite(strbuf_str(&text), 1, text.len, to);
	any = text.len > 0;
	strbuf_release(&text);
	add_left(left, nr.filtered, "whose names begin with '_' (--filter '*' shows them)");
	add_left(left, nr.init, "that only exist while the kernel starts");
	add_left(left, nr.forbidden, "that the kernel forbids to probe");
	add_left(left, nr.notrace, "that the kernel cannot trace (notrace)");
	return !any;
}

int probe_show_functions(struct probe_source *src, const char *text, bool demangle, FILE *to,
			 struct strbuf *left, struct err *err)
{
	struct glob_filter *filter = glob_filter_parse(text, err);
	const char *module = src->t.module;
	int ret = filter ? probe_source_open(src, err) : err->code;

	if (!ret && src->img)
		ret = probe_list_functions(src->img, filter, !demangle, to, err);
	else if (!ret && module && !kernel_has_module(src->kernel, module))
		ret = err_set(err, -ENOENT, "the module '%s' is not loaded", module);
	else if (!ret)
		ret = list_kernel(src, filter, to, left);
	glob_filter_free(filter);
	return ret;
}

int probe_show_lines(struct probe_source *src, const char *place, struct strbuf *out, struct err *err)
{
	struct listing_range range = { 0 };
	struct probe_listing l = { 0 };
	int ret = listing_range_parse(&range, place, err);
	struct debug_file *d = ret ? NULL : probe_source_debug(src, err);

	if (!ret)
		ret = d ? listing_make(d, &range, &l, err) : err->code;
	if (!ret)
		listing_text(&l, out);
	listing_release(&l);
	listing_range_release(&range);
	return ret;
}

/* where a function of the kernel begins, its types know the parameters */
static bool typed_variables(struct probe_source *src, const struct probe_place *p, struct strbuf *out)
{
	const struct btf *types;

	if (p->kind != PROBE_FUNCTION || p->offset || p->line || p->pattern || p->is_glob || p->is_return)
		return false;
	types = probe_source_types(src);
	return types && kernel_types_list(types, p->function, out);
}

static int find_variables(struct probe_source *src, struct debug_file *d, const struct probe_spec *spec,
			  const struct available_opts *o, struct available *ret, struct err *err)
{
	struct probe_points pts = { 0 };
	int code;

	if (spec->place.kind != PROBE_SDT || src->t.is_kernel)
		return available_find(d, &spec->place, spec->place_text, o, ret, err);
	code = probe_source_open(src, err);
	if (!code)
		code = sdt_points(src->img, spec, false, &pts, err);
	for (size_t i = 0; i < pts.nr && !code; i++)
		available_add(d, pts.v[i].svma, spec->place_text, o, ret);
	probe_points_release(&pts);
	return code;
}

int probe_show_variables(struct probe_source *src, const char *place, const struct available_opts *o,
			 struct strbuf *out, struct err *err)
{
	struct probe_spec spec = { 0 };
	struct available a = { 0 };
	int ret = probe_spec_parse(&spec, place, err);
	struct debug_file *d;

	if (!ret && spec.arg.nr)
		ret = err_set(err, -EINVAL, "'%s' has arguments, but --vars only takes a place", place);
	else if (!ret && spec.place.kind == PROBE_SDT && src->t.is_kernel)
		ret = err_set(err, -EINVAL, "'%s' is a marker: name its program or library by -x", place);
	d = ret ? NULL : probe_source_debug(src, err);
	if (!ret && !d && typed_variables(src, &spec.place, out)) {
		err_clear(err);
		goto out;
	}
	if (!ret)
		ret = d ? find_variables(src, d, &spec, o, &a, err) : err->code;
	if (!ret)
		available_text(&a, spec.place_text, o, out);
out:
	available_release(&a);
	probe_spec_release(&spec);
	return ret;
}
