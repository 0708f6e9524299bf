/* Memory lines: see mem-lines.h. */
#include "mem-lines.h"
#include "../base/strbuf.h"
#include "../base/units.h"
#include "../tracing/tracing.h"

#define FLUSH 65536u

struct mem_writer {
	const struct mem_lines_opts *o;
	struct session *session;
	struct strbuf out;
	struct arena scratch;
	struct { VEC(bool); } loaded;	/* by dso id: its symbols are */
	int ret;
	bool stop;
};

/* "4K"; "N/A" if it was not recorded */
static void add_size(struct strbuf *out, u64 size)
{
	static const char units[] = "\0KMGT";
	u32 unit = 0;

	while (size >= 1024 && size % 1024 == 0 && unit + 2 < sizeof(units))
		size /= 1024, unit++;
	if (!size)
		strbuf_addstr(out, "N/A");
	else
		strbuf_addf(out, "%lu%.1s", size, units + unit);
}

static void load(struct mem_writer *w, u32 dso)
{
	while (w->loaded.nr <= dso)
		vec_push(&w->loaded, false);
	if (!w->loaded.v[dso])
		symbols_load(w->session->symbols, w->session->pool, &dso, 1);
	w->loaded.v[dso] = true;
}

/* appends "FILE:FUNCTION", with "???" for an unknown part; false: the function is not known */
static bool add_symbol(struct mem_writer *w, const struct tracing_sample *ts, struct strbuf *out)
{
	const struct sample *s = ts->sample;
	struct loc loc = locator_find(&ts->task->locator, tracing_ctx(ts), s->cpumode, s->ip);
	const struct symbol *sym = NULL;

	if (loc.dso != ID_NONE) {
		load(w, loc.dso);
		sym = symbols_find(w->session->symbols, loc.dso, loc.dso_addr);
		strbuf_add_safe(out, dsos_at(machine_dsos(w->session->machine), loc.dso)->long_name);
	} else {
		strbuf_addstr(out, "???");
	}
	strbuf_addch(out, ':');
	strbuf_add_safe(out, sym ? symbols_show(w->session->symbols, loc.dso, sym, &w->scratch) : "???");
	return sym;
}

static void flush(struct mem_writer *w)
{
	if (!w->ret)
		w->ret = w->o->write(w->o->ctx, w->out.buf, w->out.len);
	w->stop = w->ret;
	strbuf_reset(&w->out);
}

static void add_line(void *ctx, const struct tracing_sample *ts)
{
	struct mem_writer *w = ctx;
	const struct mem_lines_opts *o = w->o;
	const struct sample *s = ts->sample;
	const char *sep = o->separator ? o->separator : " ";
	size_t before = w->out.len;

	arena_reset(&w->scratch);
	strbuf_addf(&w->out, "%d%s%d%s%#lx%s%#lx%s", s->pid, sep, s->tid, sep, s->ip, sep, s->addr, sep);
	if (o->phys_addr)
		strbuf_addf(&w->out, "0x%016lx%s", s->phys_addr, sep);
	if (o->page_size) {
		add_size(&w->out, s->data_page_size);
		strbuf_addstr(&w->out, sep);
	}
	strbuf_addf(&w->out, "%lu%s0x%lx%s", s->weight, sep, s->data_src, sep);
	if (!add_symbol(w, ts, &w->out) && o->hide_unresolved)
		w->out.len = before;
	else
		strbuf_addch(&w->out, '\n');
	if (w->out.len >= FLUSH)
		flush(w);
}

int mem_lines(struct session *s, const struct mem_lines_opts *o, struct err *err)
{
	struct mem_writer w = { .o = o, .session = s, .out = STRBUF_INIT };
	struct tracing_opts tracing = { .record = "perf mem record", .filter.cpu_list = o->cpus, .ctx = &w,
					.other = add_line, .stop = &w.stop };
	int ret;

	strbuf_addf(&w.out, "# PID, TID, IP, ADDR, %s%sLOCAL WEIGHT, DSRC, SYMBOL\n",
		    o->phys_addr ? "PHYS ADDR, " : "", o->page_size ? "DATA PAGE SIZE, " : "");
	ret = tracing_run(s, &tracing, err);
	if (!ret)
		flush(&w);
	strbuf_release(&w.out);
	arena_release(&w.scratch);
	vec_release(&w.loaded);
	return ret ? ret : w.ret;
}
