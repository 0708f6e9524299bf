/*
 * netdev-times: times of packets in network devices. Sent packets: from the queue to the moment they are
 * freed; received packets: from the interrupt that announces them to their reader.
 */
#include "analysis.h"
#include "tally.h"
#include "../base/strtab.h"

#include <stdlib.h>

#define NET_RX 3	/* the softirq that receives, and frees what was sent */

enum { TX, RX, DEV, DEBUG_COUNTS };
static const char *const words[] = { "tx", "rx", "dev=", "debug", NULL };

struct sent_packet {
	u32 dev, len;		/* dev: id of a name */
	u64 queued, sent, freed;	/* 0: not yet */
};

enum step_kind { STEP_IRQ, STEP_SOFTIRQ, STEP_RECEIVE, STEP_POLL };
/* what happened while packets were received: a round of one CPU has several */
struct hop {
	u32 round, seq, cpu;
	enum step_kind kind;
	u64 base, time;		/* base: when its round began */
	u64 number;		/* of the interrupt; the packet's address */
	u32 name, len;		/* id of the interrupt's or device's name */
	const char *end;	/* what became of the packet; NULL: not known */
	u64 end_time;
	u32 comm;
	s32 tid;
	/* filled in when it is shown */
	const char *name_text, *comm_text;
};

struct netdev_times {
	struct analysis_run run;
	struct strtab names;
	struct tally_table packet;	/* by address; n: PACKET_*: one more than the index, 0: none */
	struct tally_table cpu;		/* n: CPU_* */
	struct { VEC(struct sent_packet); } sent;
	struct { VEC(struct hop); } steps;
	u32 nr_rounds;
};

/* ROUND, NEXT: 0: none, else with the time at which it began; IRQ_AT: 0: not in an interrupt */
enum { CPU_ROUND, CPU_BASE, CPU_NEXT, CPU_NEXT_BASE, CPU_IRQ_AT, CPU_IRQ, CPU_IRQ_NAME };
enum { PACKET_SENT, PACKET_STEP };

static u32 name_id(struct netdev_times *t, const struct tracing_bytes *b)
{
	return strtab_addn(&t->names, b->data, tracing_text_len(b));
}

static struct tally_row *cpu_of(struct netdev_times *t, const struct tracing_sample *ts)
{
	return tally_at(&t->cpu, ts->sample->cpu, 0, 0, 0);
}

/* ---- packets that are sent ---- */

enum { SKB, LEN, NAME, RC = LEN };
static const struct tracing_field packet_fields[] = {
	{ .name = "skbaddr" }, { .name = "len" }, { .name = "name", .is_bytes = true }, { .name = NULL }
};
static const struct tracing_field xmit_fields[] = {
	{ .name = "skbaddr" }, { .name = "rc" }, { .name = NULL }
};

static void handle_queue(void *ctx, const struct tracing_sample *ts)
{
	struct netdev_times *t = ctx;

	vec_push(&t->sent, ((struct sent_packet){ .dev = name_id(t, &ts->bytes[NAME]), .len = ts->value[LEN],
						  .queued = ts->when.time }));
	tally_at(&t->packet, ts->value[SKB], 0, 0, 0)->n[PACKET_SENT] = t->sent.nr;
}

static void handle_xmit(void *ctx, const struct tracing_sample *ts)
{
	struct netdev_times *t = ctx;
	struct tally_row *packet = tally_at(&t->packet, ts->value[SKB], 0, 0, 0);

	/* a device that was busy gets the packet once more */
	if (packet->n[PACKET_SENT] && !ts->value[RC])
		t->sent.v[packet->n[PACKET_SENT] - 1].sent = ts->when.time;
}

/* ---- packets that are received ---- */

static struct hop *add_step(struct netdev_times *t, const struct tracing_sample *ts, enum step_kind kind)
{
	struct tally_row *cpu = cpu_of(t, ts);
	struct hop step = { .round = cpu->n[CPU_ROUND], .seq = t->steps.nr, .cpu = ts->sample->cpu,
			     .kind = kind, .base = cpu->n[CPU_BASE], .time = ts->when.time };

	if (!step.round)
		return NULL;
	vec_push(&t->steps, step);
	return &t->steps.v[t->steps.nr - 1];
}

static void handle_receive(void *ctx, const struct tracing_sample *ts)
{
	struct netdev_times *t = ctx;
	struct hop *step = add_step(t, ts, STEP_RECEIVE);

	if (!step)
		return;
	step->number = ts->value[SKB];
	step->len = ts->value[LEN];
	step->name = name_id(t, &ts->bytes[NAME]);
	tally_at(&t->packet, ts->value[SKB], 0, 0, 0)->n[PACKET_STEP] = t->steps.nr;
}

static const struct tracing_field poll_fields[] = {
	{ .name = "dev_name", .is_bytes = true }, { .name = NULL }
};

static void handle_poll(void *ctx, const struct tracing_sample *ts)
{
	struct netdev_times *t = ctx;
	struct hop *step = add_step(t, ts, STEP_POLL);

	if (step)
		step->name = name_id(t, &ts->bytes[0]);
}

enum { IRQ, IRQ_NAME };
static const struct tracing_field irq_fields[] = {
	{ .name = "irq" }, { .name = "name", .is_bytes = true }, { .name = NULL }
};
static const struct tracing_field no_fields[] = { { .name = NULL } };

static void handle_irq(void *ctx, const struct tracing_sample *ts)
{
	struct netdev_times *t = ctx;
	struct tally_row *cpu = cpu_of(t, ts);

	cpu->n[CPU_IRQ_AT] = ts->when.time;
	cpu->n[CPU_IRQ] = ts->value[IRQ];
	cpu->n[CPU_IRQ_NAME] = name_id(t, &ts->bytes[IRQ_NAME]);
}

static void handle_irq_exit(void *ctx, const struct tracing_sample *ts)
{
	cpu_of(ctx, ts)->n[CPU_IRQ_AT] = 0;
}

static const struct tracing_field softirq_fields[] = { { .name = "vec" }, { .name = NULL } };

/* an interrupt that raises the softirq begins the CPU's next round, or belongs to it */
static void handle_raise(void *ctx, const struct tracing_sample *ts)
{
	struct netdev_times *t = ctx;
	struct tally_row *cpu = cpu_of(t, ts);

	if (ts->value[0] != NET_RX || !cpu->n[CPU_IRQ_AT])
		return;
	if (!cpu->n[CPU_NEXT]) {
		cpu->n[CPU_NEXT] = ++t->nr_rounds;
		cpu->n[CPU_NEXT_BASE] = cpu->n[CPU_IRQ_AT];
	}
	vec_push(&t->steps, ((struct hop){ .round = cpu->n[CPU_NEXT], .seq = t->steps.nr, .kind = STEP_IRQ,
					    .cpu = ts->sample->cpu, .base = cpu->n[CPU_NEXT_BASE],
					    .time = cpu->n[CPU_IRQ_AT], .number = cpu->n[CPU_IRQ],
					    .name = cpu->n[CPU_IRQ_NAME] }));
	cpu->n[CPU_IRQ_AT] = 0;
}

static void handle_softirq(void *ctx, const struct tracing_sample *ts)
{
	struct netdev_times *t = ctx;
	struct tally_row *cpu = cpu_of(t, ts);

	if (ts->value[0] != NET_RX)
		return;
	cpu->n[CPU_BASE] = cpu->n[CPU_NEXT] ? cpu->n[CPU_NEXT_BASE] : ts->when.time;
	cpu->n[CPU_ROUND] = cpu->n[CPU_NEXT] ? cpu->n[CPU_NEXT] : ++t->nr_rounds;
	cpu->n[CPU_NEXT] = 0;
	add_step(t, ts, STEP_SOFTIRQ);
}

static void handle_softirq_exit(void *ctx, const struct tracing_sample *ts)
{
	if (ts->value[0] == NET_RX)
		cpu_of(ctx, ts)->n[CPU_ROUND] = 0;
}

/* ---- the end of a packet ---- */

static void end_packet(struct netdev_times *t, const struct tracing_sample *ts, const char *how, bool freed)
{
	struct tally_row *packet = tally_at(&t->packet, ts->value[SKB], 0, 0, 0);

	if (packet->n[PACKET_STEP]) {
		struct hop *step = &t->steps.v[packet->n[PACKET_STEP] - 1];

		step->end = how;
		step->end_time = ts->when.time;
		step->comm = analysis_comm(ts);
		step->tid = ts->sample->tid;
		packet->n[PACKET_STEP] = 0;
	}
	if (packet->n[PACKET_SENT] && freed) {
		struct sent_packet *sent = &t->sent.v[packet->n[PACKET_SENT] - 1];

		sent->freed = ts->when.time;
		packet->n[PACKET_SENT] = 0;
	}
}

static const struct tracing_field end_fields[] = { { .name = "skbaddr" }, { .name = NULL } };

static void handle_drop(void *ctx, const struct tracing_sample *ts)
{
	end_packet(ctx, ts, "kfree_skb", true);
}

static void handle_consume(void *ctx, const struct tracing_sample *ts)
{
	end_packet(ctx, ts, "consume_skb", true);
}

static void handle_copy(void *ctx, const struct tracing_sample *ts)
{
	end_packet(ctx, ts, "skb_copy_datagram_iovec", false);
}

/* ---- showing ---- */

#define GET(type, of, name, value) \
	static type of##_##name(const void *row) { const struct of *r = row; return value; }

static u64 since(u64 begin, u64 end)
{
	return end > begin ? end - begin : 0;
}

static void add_ms(u64 ns, struct strbuf *out)
{
	u64 us = ns / 1000 + (ns % 1000 >= 500);

	strbuf_addf(out, "%lu.%03lumsec", us / 1000, us % 1000);
}

static void add_seconds(u64 ns, struct strbuf *out)
{
	strbuf_addf(out, "%lu.%06lusec", ns / 1000000000, ns / 1000 % 1000000);
}

struct sent_row {
	const struct sent_packet *packet;
	const char *dev;
};
GET(const char *, sent_row, dev, r->dev)
GET(u64, sent_row, len, r->packet->len)
GET(u64, sent_row, queued, r->packet->queued)
GET(u64, sent_row, device, since(r->packet->queued, r->packet->sent))
GET(u64, sent_row, free, since(r->packet->sent, r->packet->freed))
static const struct view_field sent_columns[] = {
	{ VIEW_COUNT("device", "dev", VIEW_TEXT, 6), .text = sent_row_dev },
	{ VIEW_COUNT("length", "len", VIEW_NUMBER, 6), .number = sent_row_len },
	{ VIEW_COUNT("queued", "Qdisc", VIEW_TIME, 18), .number = sent_row_queued, .format = add_seconds },
	{ VIEW_COUNT("device-time", "netdevice", VIEW_TIME, 16), .number = sent_row_device,
	  .format = add_ms },
	{ VIEW_COUNT("free-time", "free", VIEW_TIME, 16), .number = sent_row_free, .format = add_ms },
};

static int by_freed(const void *a, const void *b)
{
	const struct sent_packet *x = ((const struct sent_row *)a)->packet;
	const struct sent_packet *y = ((const struct sent_row *)b)->packet;

	if (x->freed != y->freed)
		return x->freed < y->freed ? -1 : 1;
	return x < y ? -1 : x > y;
}

static bool is_wanted(const struct netdev_times *t, u32 name)
{
	const char *dev = t->run.args->word[DEV];

	return !dev || !strcmp(dev, strtab_get(&t->names, name));
}

static void view_sent(struct netdev_times *t, struct view *v)
{
	struct sent_row *row = arena_zalloc(&t->run.arena, (t->sent.nr + 1) * sizeof(*row));
	size_t nr = 0;

	vec_foreach(&t->sent, p) {
		if (!p->sent || !p->freed || !is_wanted(t, p->dev))
			continue;
		row[nr].dev = analysis_safe_name(&t->run, strtab_get(&t->names, p->dev));
		row[nr++].packet = p;
	}
	qsort(row, nr, sizeof(*row), by_freed);
	analysis_add_table(&t->run, v, "sent", NULL, sent_columns, ARRAY_SIZE(sent_columns), row, nr,
			   sizeof(*row));
}

static const char *const kind_names[] = {
	[STEP_IRQ] = "irq_entry", [STEP_SOFTIRQ] = "softirq_entry", [STEP_RECEIVE] = "netif_receive_skb",
	[STEP_POLL] = "napi_poll_exit",
};
GET(u64, hop, round, r->round)
GET(u64, hop, cpu, r->cpu)
GET(u64, hop, base, r->base)
GET(u64, hop, delay, since(r->base, r->time))
GET(const char *, hop, event, kind_names[r->kind])
GET(u64, hop, number, r->number)
GET(u64, hop, len, r->len)
GET(const char *, hop, name, r->name_text)
GET(const char *, hop, end, r->end ?: "")
GET(u64, hop, end_delay, since(r->base, r->end_time))
GET(const char *, hop, comm, r->comm_text)
static const char *no_number(const void *row)
{
	const struct hop *step = row;

	return step->kind == STEP_SOFTIRQ || step->kind == STEP_POLL ? "it has no number" : NULL;
}
static const char *no_packet(const void *row)
{
	return ((const struct hop *)row)->kind == STEP_RECEIVE ? NULL : "it is not a packet";
}
static const char *no_end(const void *row)
{
	return ((const struct hop *)row)->end ? NULL : "it was not seen";
}
static const struct view_field step_columns[] = {
	{ VIEW_COUNT("round", "round", VIEW_NUMBER, 0), .number = hop_round },
	{ VIEW_COUNT("cpu", "cpu", VIEW_NUMBER, 0), .number = hop_cpu },
	{ VIEW_COUNT("begin", "begin", VIEW_TIME, 0), .number = hop_base },
	{ VIEW_NAME("event", "event", VIEW_TEXT, 0), .text = hop_event },
	{ VIEW_COUNT("delay", "delay", VIEW_TIME, 0), .number = hop_delay },
	{ VIEW_NAME("name", "name", VIEW_TEXT, 0), .text = hop_name },
	{ VIEW_COUNT("number", "number", VIEW_ADDRESS, 0), .number = hop_number, .absent = no_number },
	{ VIEW_COUNT("length", "length", VIEW_NUMBER, 0), .number = hop_len, .absent = no_packet },
	{ VIEW_NAME("end", "end", VIEW_TEXT, 0), .text = hop_end, .absent = no_end },
	{ VIEW_COUNT("end-delay", "end-delay", VIEW_TIME, 0), .number = hop_end_delay, .absent = no_end },
	{ VIEW_NAME("comm", "comm", VIEW_TEXT, 0), .text = hop_comm, .absent = no_end },
};

static int by_round(const void *a, const void *b)
{
	const struct hop *x = a, *y = b;

	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static void add_line(struct view_summary *b, const char *text)
{
	view_add_number(b, "step", "", 0)->value = (struct view_value){ .type = VIEW_TEXT, .text = text };
	b->words.v[b->words.nr - 1].after = "\n";
}

static const char *step_line(struct netdev_times *t, const struct hop *s)
{
	struct strbuf ms = STRBUF_INIT, end = STRBUF_INIT;
	const char *line, *after = "\n         |";

	add_ms(hop_delay(s), &ms);
	add_ms(hop_end_delay(s), &end);
	if (s->kind == STEP_IRQ)
		line = analysis_text(&t->run, "  %s(+%s irq=%d:%s)%s", hop_event(s), strbuf_str(&ms),
				     (s32)s->number, s->name_text, after);
	else if (s->kind == STEP_SOFTIRQ)
		line = analysis_text(&t->run, "  %s(+%s)%s", hop_event(s), strbuf_str(&ms), after);
	else if (s->kind == STEP_POLL)
		line = analysis_text(&t->run, "  %s(+%s %s)", hop_event(s), strbuf_str(&ms),
				     s->name_text);
	else if (!s->end)
		line = analysis_text(&t->run, "         |---%s(+%s skb=%lx len=%u)%s", hop_event(s),
				     strbuf_str(&ms), s->number, s->len, after);
	else
		line = analysis_text(&t->run, "         |---%s(+%s skb=%lx len=%u)\n"
				     "         |            |\n         |      %s(+%s %d:%s)%s",
				     hop_event(s), strbuf_str(&ms), s->number, s->len, s->end,
				     strbuf_str(&end), s->tid, s->comm_text, after);
	strbuf_release(&ms);
	strbuf_release(&end);
	return line;
}

static void add_lines(struct netdev_times *t, struct view *v)
{
	struct view_summary *b = view_add_summary(v, "received", NULL);
	u32 round = 0;

	vec_foreach(&t->steps, s) {
		if (s->round != round) {
			struct strbuf at = STRBUF_INIT;

			add_seconds(s->base, &at);
			add_line(b, analysis_text(&t->run, "%s%s cpu=%u", round ? "\n" : "", strbuf_str(&at),
						  s->cpu));
			strbuf_release(&at);
		}
		add_line(b, step_line(t, s));
		round = s->round;
	}
	if (round)
		add_line(b, "");
	b->text_only = true;
	v->summaries_first = true;
}

/* a round without an interrupt is shown if it received something */
static bool round_is_wanted(const struct netdev_times *t, const struct hop *s, const struct hop *end)
{
	bool named = !t->run.args->word[DEV];
	u32 kinds = 0;

	for (; s < end; s++) {
		kinds |= 1u << s->kind;
		named |= (s->kind == STEP_RECEIVE || s->kind == STEP_POLL) && is_wanted(t, s->name);
	}
	return named && kinds & 1u << STEP_SOFTIRQ && kinds & (1u << STEP_IRQ | 1u << STEP_RECEIVE);
}

static void keep_wanted_rounds(struct netdev_times *t)
{
	struct hop *end = t->steps.v + t->steps.nr, *kept = t->steps.v, *next;

	for (struct hop *s = t->steps.v; s < end; s = next) {
		for (next = s; next < end && next->round == s->round; next++)
			;
		if (!round_is_wanted(t, s, next))
			continue;
		for (; s < next; s++)
			*kept++ = *s;
	}
	t->steps.nr = kept - t->steps.v;
}

static void view_received(struct netdev_times *t, struct view *v)
{
	if (!t->steps.nr)
		return;
	qsort(t->steps.v, t->steps.nr, sizeof(*t->steps.v), by_round);
	keep_wanted_rounds(t);
	vec_foreach(&t->steps, s) {
		bool named = s->kind != STEP_SOFTIRQ;

		s->name_text = named ? analysis_safe_name(&t->run, strtab_get(&t->names, s->name)) : "";
		s->comm_text = s->end ? analysis_comm_name(&t->run, s->comm, s->tid) : "";
	}
	if (t->run.form == VIEW_FORM_TEXT)
		add_lines(t, v);
	else
		analysis_add_table(&t->run, v, "received", NULL, step_columns, ARRAY_SIZE(step_columns),
				   t->steps.v, t->steps.nr, sizeof(*t->steps.v));
}

/* packets whose way has no end in the recording */
static void view_counts(struct netdev_times *t, struct view *v)
{
	struct view_summary *b = view_add_summary(v, "unfinished", NULL);
	u64 queued = 0, sent = 0, received = 0;

	vec_foreach(&t->packet, p) {
		bool is_sent = p->n[PACKET_SENT] && t->sent.v[p->n[PACKET_SENT] - 1].sent;

		queued += p->n[PACKET_SENT] && !is_sent;
		sent += is_sent;
		received += p->n[PACKET_STEP] != 0;
	}
	view_add_number(b, "queued", "packets queued, not sent: ", queued);
	view_add_number(b, "sent", "packets sent, not freed: ", sent);
	view_add_number(b, "received", "packets received, not read: ", received);
}

static void view(void *ctx, struct view *v)
{
	struct netdev_times *t = ctx;
	const char *const *word = t->run.args->word;

	if (word[DEBUG_COUNTS])
		view_counts(t, v);
	if (word[RX] || !word[TX])
		view_received(t, v);
	if (word[TX] || !word[RX])
		view_sent(t, v);
}

static void release(void *ctx)
{
	struct netdev_times *t = ctx;

	strtab_release(&t->names);
	tally_release(&t->packet);
	tally_release(&t->cpu);
	vec_release(&t->sent);
	vec_release(&t->steps);
}

static const struct tracing_row rows[] = {
	{ "irq:irq_handler_entry", irq_fields, handle_irq, false },
	{ "irq:irq_handler_exit", no_fields, handle_irq_exit, false },
	{ "irq:softirq_entry", softirq_fields, handle_softirq, false },
	{ "irq:softirq_exit", softirq_fields, handle_softirq_exit, false },
	{ "irq:softirq_raise", softirq_fields, handle_raise, false },
	{ "napi:napi_poll", poll_fields, handle_poll, false },
	{ "net:net_dev_queue", packet_fields, handle_queue, false },
	{ "net:net_dev_xmit", xmit_fields, handle_xmit, false },
	{ "net:netif_receive_skb", packet_fields, handle_receive, false },
	{ "skb:consume_skb", end_fields, handle_consume, false },
	{ "skb:kfree_skb", end_fields, handle_drop, false },
	{ "skb:skb_copy_datagram_iovec", end_fields, handle_copy, false },
};
const struct analysis_ops analysis_netdev_times = {
	.size = sizeof(struct netdev_times), .whole_system = true, .word = words,
	.row = rows, .nr_rows = ARRAY_SIZE(rows),
	.view = view, .release = release,
};
