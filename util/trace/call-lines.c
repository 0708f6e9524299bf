/* Call-lines: see call-lines.h. */
#include "trace-private.h"

#include <time.h>

#define OUT_FULL (256u << 10)
#define CALLS_FULL 4096u

void trace_add_ms(struct strbuf *out, u64 ns, int width)
{
	u64 us = ns / 1000 + (ns % 1000 >= 500);
	char frac[4] = { '.', '0' + us / 100 % 10, '0' + us / 10 % 10, '0' + us % 10 };

	if (unlikely(ns % 1000 == 500)) {
		strbuf_addf(out, "%*.3f", width, ns / 1e6);	/* as others round */
		return;
	}
	strbuf_add_u64(out, us / 1000, width > 4 ? width - 4 : 0);
	strbuf_add(out, frac, 4);
}

/* "14:03:11.205758 " of ns since 1970, local time */
static void add_tod(struct strbuf *out, u64 ns)
{
	time_t sec = ns / 1000000000;
	struct tm tm = { 0 };

	localtime_r(&sec, &tm);
	strbuf_addf(out, "%02d:%02d:%02d.%06u ", tm.tm_hour, tm.tm_min, tm.tm_sec,
		    (u32)(ns % 1000000000 / 1000));
}

void trace_add_head(const struct trace_opts *o, const struct trace_head *h, struct strbuf *out)
{
	if (!o->hide_time) {
		if (h->start == UINT64_MAX) {
			strbuf_addf(out, "%*s ", o->tod ? 15 : 10, "?");
		} else if (o->tod) {
			add_tod(out, h->start);
		} else {
			trace_add_ms(out, h->start, 10);
			strbuf_addch(out, ' ');
		}
	}
	if (o->show_cpu)
		strbuf_addf(out, "[%03u] ", h->cpu);
	if (!o->hide_duration) {
		if (h->timed) {
			strbuf_addch(out, '(');
			trace_add_ms(out, h->duration, 6);
			strbuf_add(out, " ms): ", 6);
		} else {
			strbuf_add(out, "(         ): ", 13);
		}
	}
	strbuf_add(out, h->label, h->label_len);
}

bool trace_call_lines_full(const struct trace_call_lines *l)
{
	return l->out.len > OUT_FULL || l->call.nr >= CALLS_FULL;
}

void trace_call_lines_take(const struct trace_opts *o, struct trace_call_lines *l, struct strbuf *out)
{
	size_t done = 0;

	vec_foreach(&l->call, c) {
		strbuf_add(out, strbuf_str(&l->out) + done, c->at - done);
		done = c->at;
		trace_add_head(o, &c->head, out);
		strbuf_add(out, l->texts.buf + c->text, c->text_len);
	}
	strbuf_add(out, strbuf_str(&l->out) + done, l->out.len - done);
	strbuf_reset(&l->out);
	strbuf_reset(&l->texts);
	l->call.nr = 0;
}

void trace_call_lines_release(struct trace_call_lines *l)
{
	strbuf_release(&l->out);
	strbuf_release(&l->texts);
	vec_release(&l->call);
}
