/* Chain: frames below a line, and names of single addresses. */
#include "trace-private.h"


#define CHAIN_INDENT 39		/* of frames below a line */

/* modules of the running kernel have short names, files their paths; NULL: nothing is mapped */
static const char *dso_of(const struct trace *t, const struct named_frame *f)
{
	const struct dso *d = dsos_at(machine_dsos(t->s->machine), f->dso);

	if (!d)
		return NULL;
	return d->kind == DSO_KERNEL || d->kind == DSO_MODULE ? d->short_name : d->long_name;
}

static bool is_shown(const struct frame_loc *f, bool kernel)
{
	return kernel || f->loc.cpumode != CPUMODE_KERNEL;
}

/* the frames that are shown; *ret_nr of them, in the trace's scratch */
static struct frame_loc *frames_of(struct trace *t, const struct tracing_sample *ts, bool kernel, u32 *ret_nr)
{
	u32 max = t->o->max_stack ? t->o->max_stack : RESOLVE_MAX_STACK;
	struct frame_loc *frame;
	size_t nr, kept = 0;

	arena_reset(&t->scratch);
	frame = arena_alloc(&t->scratch, RESOLVE_MAX_UNWOUND * sizeof(*frame));
	nr = chain_resolve(&t->resolver, ts->sample, tracing_ctx(ts), frame, RESOLVE_MAX_UNWOUND);
	for (size_t i = 0; i < nr && kept < max; i++)
		if (is_shown(&frame[i], kernel))
			frame[kept++] = frame[i];
	*ret_nr = kept;
	return frame;
}

u32 trace_chain_len(struct trace *t, const struct tracing_sample *ts, bool kernel)
{
	u32 nr;

	frames_of(t, ts, kernel, &nr);
	return nr;
}

static void put_frame(struct trace *t, const struct frame_loc *f, bool first)
{
	const struct stream_format *format = t->o->format;
	const struct named_frame *n = named_frame_at(&t->names, f);
	const char *dso = dso_of(t, n);
	struct strbuf *out = &t->lines.out;

	if (format) {
		if (!first)
			format->next_row(out);
		format->begin_row(out);
		stream_address(format, out, "ip", f->ip);
		if (n->name)
			stream_text(format, out, "symbol", n->name);
		if (dso)
			stream_text(format, out, "dso", dso);
		format->end_row(out);
		return;
	}
	strbuf_pad(out, ' ', CHAIN_INDENT);
	if (n->name)
		strbuf_add_safe(out, n->name);
	else
		strbuf_addf(out, "[%#lx]", f->ip);
	strbuf_addstr(out, " (");
	strbuf_add_safe(out, dso ? dso : "[unknown]");
	strbuf_addstr(out, ")\n");
}

void trace_put_chain(struct trace *t, const struct tracing_sample *ts, bool kernel)
{
	const struct stream_format *format = t->o->format;
	struct frame_loc *frame;
	u32 nr;

	frame = frames_of(t, ts, kernel, &nr);
	if (format)
		format->begin_rows(&t->lines.out, "callchain");
	for (u32 i = 0; i < nr; i++)
		put_frame(t, &frame[i], !i);
	if (format)
		format->end_rows(&t->lines.out);
}

void trace_put_code(struct trace *t, const struct tracing_sample *ts, u64 ip, struct strbuf *out)
{
	struct locator *locator = &t->resolver.locator;
	u8 side = chain_side(locator, tracing_ctx(ts), ts->sample->cpumode, ip);
	struct frame_loc at = { ip, locator_find(locator, tracing_ctx(ts), side, ip), false };

	named_frame_put_offset(named_frame_at(&t->names, &at), ip, out);
}

char trace_put_data(struct trace *t, const struct tracing_sample *ts, u64 addr, struct strbuf *out)
{
	struct loc loc = locator_find(&t->resolver.locator, tracing_ctx(ts), CPUMODE_USER, addr);
	const struct dso *d;

	if (loc.dso == ID_NONE) {
		strbuf_addf(out, "%#lx", addr);
		return '?';
	}
	d = dsos_at(machine_dsos(t->s->machine), loc.dso);
	strbuf_add_safe(out, d->long_name);
	strbuf_addf(out, "@%#lx", loc.dso_addr);
	return loc.map && !(loc.map->prot & 4) && loc.map->is_mmap2 ? 'd' : 'x';
}
