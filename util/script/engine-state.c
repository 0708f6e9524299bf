/* Engine-state: calls of the script, and addresses of the sample in hand. */
#include "engine-state.h"

#include <errno.h>

int engine_check(const struct engine *g, int ret, struct err *err)
{
	if (ret == -ECANCELED)
		return err_set(err, ret, "%s failed, as %s says above", g->script.path, g->language->name);
	if (ret < 0 && ret != -EPIPE)
		return err_sys(err, -ret, "cannot write what %s printed", g->script.path);
	return ret;
}

int engine_call(struct engine *g, int function, const struct script_value *arg, u32 nr, struct err *err)
{
	if (function < 0)
		return 0;
	return engine_check(g, g->ops->call(function, arg, nr, g->exit_status), err);
}

bool engine_resolve(struct engine *g, u64 ip, bool data, struct resolved_frame *ret)
{
	struct frame_cache *c = &g->host->worker->cache;
	const struct line_sample *ls = g->ls;

	c->blocked = false;
	frame_resolve(c, &ls->at, ls->sm.cpumode, ip, data, ret);
	if (c->blocked) {
		c->blocked = false;
		g->host->load(g->host->ctx);
		frame_resolve(c, &ls->at, ls->sm.cpumode, ip, data, ret);
	}
	return ret->loc.dso != ID_NONE;
}
