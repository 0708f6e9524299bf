/* Source: debug information where it is needed or knows more, symbols otherwise. */
#include "source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../base/log.h"
#include "../base/strbuf.h"
#include "../host/build-id.h"
#include "debug-file.h"
#include "../obj/btf.h"
#include "fetch.h"
#include "image.h"
#include "kernel-symbols.h"
#include "kernel-types.h"
#include "module-file.h"
#include "module-places.h"
#include "places.h"
#include "sdt-points.h"
#include "spec.h"
#include "symbol-points.h"

/* the file of the running kernel, for a module without a path */
static void find_module(struct probe_source *src)
{
	if (src->t.module && !src->t.path)
		src->t.path = src->module_path = module_file_find(src->t.module, src->t.symfs);
}

/*
 * Functions of a module come from the file that the user named, else from the kernel if the module is
 * loaded, else from the module's file: the kernel accepts probes of modules that are not loaded yet.
 */
static int open_module(struct probe_source *src, struct err *err)
{
	bool is_loaded = src->kernel && kernel_has_module(src->kernel, src->t.module);

	if (src->img || (is_loaded && (!src->t.path || access(src->t.path, R_OK))))
		return 0;
	find_module(src);
	if (!src->t.path)
		return src->kernel ? 0 : err->code;
	err_clear(err);
	src->img = image_open(&src->t, err);
	return src->img ? 0 : err->code;
}

bool kernel_file_differs(const char *path)
{
	struct build_id file, running;

	return build_id_of_file(path, &file) && build_id_of_kernel(&running) &&
	       (file.len != running.len || memcmp(file.id, running.id, file.len));
}

int probe_source_open(struct probe_source *src, struct err *err)
{
	if (src->t.is_kernel) {
		if (!src->kernel)
			src->kernel = kernel_symbols_open(err);
		if (src->t.module)
			return open_module(src, err);
		src->is_other_kernel = src->t.debug_file && !src->t.symfs &&
				       kernel_file_differs(src->t.debug_file);
		if (src->is_other_kernel)
			err_clear(err);
		return src->kernel || src->is_other_kernel ? 0 : err->code;
	}
	if (!src->img)
		src->img = image_open(&src->t, err);
	return src->img ? 0 : err->code;
}

void probe_source_release(struct probe_source *src)
{
	module_places_free(src->places);
	image_free(src->img);
	kernel_symbols_free(src->kernel);
	debug_file_free(src->debug);
	btf_free(src->types);
	free(src->module_path);
}

struct debug_file *probe_source_debug(struct probe_source *src, struct err *err)
{
	if (!src->debug_tried) {
		src->debug_tried = true;
		find_module(src);
		if (src->t.module && !src->t.path) {
			err_set(&src->debug_err, -ENODATA, "module '%s' has no file below /lib/modules that "
				"could have debug information", src->t.module);
			err_hint(&src->debug_err, "name its file: -m FILE.ko");
		} else {
			src->debug = debug_file_open(&src->t, &src->debug_err);
		}
		log_v("debug information: %s", src->debug ? src->debug->file.path : src->debug_err.msg);
	}
	if (!src->debug)
		err_copy(err, &src->debug_err);
	return src->debug;
}

/* --- arguments that need no debug information, at points that were found by it */

struct raw_ctx {
	struct probe_source *src;
	const struct probe_spec *spec;
};

static int add_raw(void *ctx, const struct probe_arg *a, struct probe_points *pts, struct probe_point *p,
		   struct err *err)
{
	struct raw_ctx *r = ctx;
	struct strbuf text = STRBUF_INIT;
	struct fetch_ctx c = {
		.arch = r->src->debug->file.arch, .is64 = r->src->debug->file.is64,
		.is_kernel = r->src->t.is_kernel, .img = r->src->img, .at = p, .spec = r->spec,
		/* $argN of a marker are its own, wherever it is */
		.place_off = p->marker ? 1 : p->function_off,
	};
	int ret = fetch_text(&c, a, &text, err);

	if (!ret)
		probe_point_fetch(pts, p, fetch_name(&c, a, pts, p), strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

/* the address where the running kernel has a point of a file; 0: unknown */
static u64 live_address(const struct probe_source *src, const struct probe_point *p)
{
	u64 addr, off, text;
	const char *name;

	if (!p->function)
		return 0;
	if (src->t.module || !src->debug || !debug_link_name_is_shared(&src->debug->link, p->function))
		return kernel_function_address(src->kernel, src->t.module, p->function);
	/* the file may belong to another kernel */
	addr = kernel_function_address(src->kernel, NULL, "_text");
	text = debug_link_text(&src->debug->link);
	if (!addr || !text)
		return 0;
	addr += p->svma - text;
	return kernel_function_at(src->kernel, addr, &name, &off) && !strcmp(name, p->function) ? addr : 0;
}

static int may_probe(struct probe_source *src, struct probe_point *p, bool is_one_of_many, struct err *err)
{
	u64 addr;

	if (src->is_other_kernel)
		return p->function && src->debug && debug_link_is_early(&src->debug->link, p->svma) ?
		       err_kernel_early(p->function, err) : 0;
	addr = src->kernel ? live_address(src, p) : 0;
	return addr ? kernel_may_probe(src->kernel, addr, p->function, is_one_of_many, err) : 0;
}

static void count_from(struct probe_point *p, const char *name, u64 off)
{
	log_v("several functions are called '%s': the place counts from %s", p->function, name);
	if (!p->inlined)
		p->inlined = p->function;
	p->function = name;
	p->function_off = off;
	p->is_counted = true;
}

/* where the running kernel has a place that only a function after it could tell */
static u64 loaded_address(struct probe_source *src, const struct probe_point *p)
{
	const char *name, *function;
	u64 after = module_reference_after(src->places, p->svma, &name), off;
	u64 addr = after && src->kernel ? kernel_function_address(src->kernel, src->t.module, name) : 0;

	addr -= addr ? after - p->svma : 0;
	return addr && kernel_function_at(src->kernel, addr, &function, &off) &&
	       !strcmp(function, p->function) ? addr : 0;
}

static int tell_apart_in_module(struct probe_source *src, struct probe_point *p, struct err *err)
{
	const char *name;
	u64 from;

	if (!src->places)
		src->places = module_places_new(src->debug, src->img);
	if (!module_name_is_shared(src->places, p->function))
		return 0;
	from = module_reference_before(src->places, p->svma, &name);
	if (from) {
		count_from(p, name, p->svma - from);
		return 0;
	}
	p->kernel_address = loaded_address(src, p);
	if (p->kernel_address) {
		if (!p->inlined)
			p->inlined = p->function;
		p->is_counted = true;
		return 0;
	}
	err_set(err, -ENOTSUP, "several functions of %s are called '%s', and the kernel cannot be told which "
		"one is meant before the module is loaded", src->t.module, p->function);
	err_hint(err, "as root: modprobe %s", src->t.module);
	return -ENOTSUP;
}

/*
 * The kernel cannot tell functions of one name apart: such points count from the start of its text, or from
 * another function of the module
 */
static int tell_apart(struct probe_source *src, struct probe_point *p, bool is_one_of_many, struct err *err)
{
	u64 text;

	(void)is_one_of_many;
	if (!src->t.is_kernel || !p->function)
		return 0;
	if (src->t.module)
		return tell_apart_in_module(src, p, err);
	text = debug_link_text(&src->debug->link);
	if (text && p->svma >= text &&
	    (debug_link_name_is_shared(&src->debug->link, p->function) ||
	     (src->kernel && !src->is_other_kernel && kernel_name_is_shared(src->kernel, p->function))))
		count_from(p, "_text", p->svma - text);
	return 0;
}

/* leaves out points that fn refuses; an error if it refuses all */
static int keep_points(struct probe_source *src, const struct probe_spec *spec, struct probe_points *pts,
		       size_t first, int (*fn)(struct probe_source *src, struct probe_point *p,
					       bool is_one_of_many, struct err *err), struct err *err)
{
	size_t kept = first, nr = pts->nr;
	struct err left_out = ERR_INIT;

	for (size_t i = first; i < nr; i++) {
		struct err why = ERR_INIT;

		if (!fn(src, &pts->v[i], nr - first > 1, &why)) {
			pts->v[kept++] = pts->v[i];
			continue;
		}
		vec_release(&pts->v[i].fetch);
		if (!left_out.code)
			err_copy(&left_out, &why);
	}
	if (!left_out.code)
		return 0;
	pts->nr = kept;
	if (kept == first)
		return err_copy(err, &left_out);
	log_note("%zu of %zu places of '%s' are left out: %s", nr - kept, nr - first, spec->place_text,
		 left_out.msg);
	return 0;
}

/*
 * Turns points of a file into places that the running kernel accepts. The kernel may run at other addresses
 * than the file has, so functions are identified by name
 */
static int check_points(struct probe_source *src, const struct probe_spec *spec, struct probe_points *pts,
			size_t first, struct err *err)
{
	int ret = keep_points(src, spec, pts, first, may_probe, err);

	return ret ? ret : keep_points(src, spec, pts, first, tell_apart, err);
}

static int debug_points(struct probe_source *src, const struct probe_spec *spec, struct probe_points *out,
			struct err *err)
{
	struct raw_ctx ctx = { src, spec };
	const struct probe_raw raw = { add_raw, &ctx };

	size_t first = out->nr;
	int ret = probe_places(src->debug, spec, &raw, out, err);

	return ret ? ret : check_points(src, spec, out, first, err);
}

const struct btf *probe_source_types(struct probe_source *src)
{
	if (src->t.is_kernel && !src->types_tried) {
		src->types_tried = true;
		find_module(src);
		src->t.types = src->types = kernel_types_open(src->t.module, src->t.path);
	}
	return src->types;
}

/* whether types of the kernel would help: names and members of parameters, and the type of $retval */
static bool needs_types(const struct probe_spec *spec)
{
	vec_foreach(&spec->arg, a)
		if (a->kind == PROBE_ARG_RETVAL && !a->type.text)
			return true;
	return probe_spec_needs_variables(spec);
}

static int only_symbols(struct probe_source *src, const struct probe_spec *spec, struct probe_points *out,
			struct err *err)
{
	size_t first = out->nr;
	int ret;

	if (src->t.is_kernel && needs_types(spec))
		probe_source_types(src);
	if (src->img)
		src->img->types = src->types;
	if (!src->img)
		return kernel_points(src->kernel, &src->t, spec, out, err);
	ret = symbol_points(src->img, &src->t, spec, out, err);
	return ret ? ret : check_points(src, spec, out, first, err);
}

/*
 * Symbol tables have all functions, with their aliases and versions; only debug information has inlined
 * copies
 */
static bool symbols_suffice(const struct probe_source *src, const struct probe_spec *spec)
{
	const struct probe_place *pl = &spec->place;

	if (src->is_other_kernel || probe_spec_needs_variables(spec) || probe_spec_needs_lines(spec))
		return false;
	/* the function's type says how its result is shown */
	vec_foreach(&spec->arg, a)
		if (a->kind == PROBE_ARG_RETVAL && a->type.kind == PROBE_TYPE_AUTO && !pl->is_glob)
			return false;
	return pl->kind != PROBE_FUNCTION || pl->is_glob || pl->offset || pl->is_return ||
	       strchr(pl->function, '@') || src->t.no_inlines;
}

static int find_points(struct probe_source *src, const struct probe_spec *spec, struct probe_points *out,
		       struct err *err)
{
	bool needed = probe_spec_needs_variables(spec) || probe_spec_needs_lines(spec) ||
		      src->is_other_kernel;
	struct err first = ERR_INIT;
	int ret;

	if (symbols_suffice(src, spec)) {
		ret = only_symbols(src, spec, out, err);
		/* an inlined function has no symbol: debug information can say so */
		if (ret != -ENOENT || spec->place.kind != PROBE_FUNCTION || !probe_source_debug(src, &first))
			return ret;
		err_copy(&first, err);
		ret = debug_points(src, spec, out, err);
		return ret == -ENOENT ? err_copy(err, &first) : ret;
	}
	if (probe_source_debug(src, err)) {
		ret = debug_points(src, spec, out, err);
		/*
		 * functions without debug information: of assembler files (-ENOENT), or merged with an
		 * equal function (-ENODATA)
		 */
		if ((ret != -ENOENT && ret != -ENODATA) || needed)
			return ret;
		err_copy(&first, err);
		ret = only_symbols(src, spec, out, err);
		/* a function that is there, but cannot be probed, says why */
		return ret == -ENOENT ? err_copy(err, &first) : ret;
	}
	if (src->is_other_kernel)
		return err->code;
	err_clear(err);
	return only_symbols(src, spec, out, err);
}

/* variables at a marker are the variables at its address */
static int marker_points(struct probe_source *src, const struct probe_spec *spec, struct probe_points *out,
			 struct err *err)
{
	bool by_name = probe_spec_needs_variables(spec);
	struct raw_ctx ctx = { src, spec };
	const struct probe_raw raw = { add_raw, &ctx };
	size_t first = out->nr;
	int ret;

	if (!src->img || src->t.is_kernel)
		return err_set(err, -EINVAL, "the kernel has no markers (SDT): name a program by -x");
	ret = sdt_points(src->img, spec, !by_name, out, err);
	if (ret || !by_name)
		return ret;
	return probe_source_debug(src, err) ?
	       probe_places_arguments(src->debug, spec, &raw, out, first, err) : err->code;
}

int probe_source_points(struct probe_source *src, const struct probe_spec *spec, struct probe_points *out,
			struct err *err)
{
	const char *function = spec->place.function;
	int ret = probe_source_open(src, err);

	if (!ret && spec->place.kind == PROBE_CACHED)
		return err_set(err, -ENOTSUP, "'%s' is a probe of the build-id cache, which only perf probe "
			       "--add takes", spec->place_text);
	if (!ret && spec->place.kind == PROBE_SDT)
		return marker_points(src, spec, out, err);
	if (ret)
		return ret;
	ret = find_points(src, spec, out, err);
	/* a function of a module, which the debug information of the kernel itself does not have */
	if (ret == -ENOENT && function && src->kernel && !src->t.module && !src->is_other_kernel)
		kernel_err_elsewhere(src->kernel, NULL, function, err);
	if (ret == -ENOENT && function && src->img && !src->t.is_kernel && image_imports(src->img, function))
		err_hint(err, "'%s' is a function of a library that this file uses: name the library by -x, "
			 "such as -x libc", function);
	return ret;
}
