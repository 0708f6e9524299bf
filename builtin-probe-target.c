/* perf probe: the files of its targets, and texts that its actions print. */
#include "builtin-probe-target.h"
#include "util/base/strbuf.h"
#include "util/probe/find-file.h"
#include "util/probe/module-file.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int probe_cmd_find_target(const struct probe_cmd *c, struct target_arg *a, struct err *err)
{
	struct probe_target *t = &a->src.t;
	struct strbuf root = STRBUF_INIT;

	if (a->is_found)
		return 0;
	t->symfs = c->symfs;
	t->max_points = c->max_probes;
	t->source_dir = c->source_dir;
	t->no_inlines = c->no_inlines;
	t->debuginfod = c->debuginfod;
	t->is_kernel = !a->name || a->is_module;
	if (t->is_kernel) {
		t->debug_file = c->vmlinux;
		if (c->vmlinux && !c->symfs && access(c->vmlinux, R_OK))
			return err_sys(err, errno, "-k: '%s' cannot be read", c->vmlinux);
		if (a->name && module_is_file(a->name))
			t->path = a->name;
		if (a->name)
			t->module = a->path = module_name_of(a->name);
	} else {
		if (c->target_ns)
			strbuf_addf(&root, "/proc/%u/root", c->target_ns);
		if (c->target_ns && access(root.buf, F_OK)) {
			err_sys(err, errno, "--target-ns: process %u", c->target_ns);
			strbuf_release(&root);
			return err->code;
		}
		a->path = c->symfs ? xstrdup(a->name) : find_probe_file(a->name, strbuf_str(&root), err);
		strbuf_release(&root);
		if (!a->path)
			return err->code;
		t->path = a->path;
	}
	a->is_found = true;
	return 0;
}

struct target_arg *probe_cmd_target(struct probe_cmd *c, size_t i)
{
	if (!c->target.nr)
		vec_add(&c->target);
	return &c->target.v[i];
}

void probe_cmd_release(struct probe_cmd *c)
{
	vec_foreach(&c->target, t) {
		probe_source_release(&t->src);
		vec_foreach(&t->functions, f)
			free(*f);
		vec_release(&t->functions);
		free(t->path);
	}
	vec_release(&c->target);
	vec_release(&c->def);
	vec_release(&c->del);
	vec_release(&c->latency.function);
	free(c->bare);
}

int probe_cmd_print(struct strbuf *out, int ret)
{
	if (out->len)
		fwrite(out->buf, 1, out->len, stdout);
	strbuf_release(out);
	return ret;
}
