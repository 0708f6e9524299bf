/* Wall event: see wall-event.h. */
#include "wall-event.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>

_Static_assert(sizeof(struct wall_payload) == 64, "the format below describes it");

bool wall_event_is(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_TRACEPOINT && ev->attr.config == WALL_EVENT_ID &&
	       !strcmp(ev->name, WALL_EVENT_NAME);
}

bool wall_event_in(const struct evset *set)
{
	for (u32 i = 0; i < set->ev.nr; i++)
		if (wall_event_is(evset_at(set, i)))
			return true;
	return false;
}

#define SAMPLED (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD | \
		 PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW)

void wall_event_set(struct event *ev, const struct pe_attr *like)
{
	u64 trailer = like->sample_type & ABI_SAMPLE_TRAILER;

	/* the place of the id does not depend on the others then */
	if (trailer & ABI_SAMPLE_IDENTIFIER)
		trailer |= PERF_SAMPLE_CPU;
	ev->attr = (struct pe_attr){ .type = PERF_TYPE_TRACEPOINT, .config = WALL_EVENT_ID,
				     .sample_period = 1, .sample_type = trailer | SAMPLED,
				     .flags = like->flags & ATTR_SAMPLE_ID_ALL };
}

static const char format[] =
	"name: slice\n"
	"ID: 65000\n"
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:unsigned char state;\toffset:8;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char wait;\toffset:9;\tsize:1;\tsigned:0;\n"
	"\tfield:int waker_tid;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\tfield:u64 ns;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:char waker[30];\toffset:24;\tsize:30;\tsigned:0;\n"
	"\tfield:__data_loc char[] wait_target;\toffset:56;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned char speed;\toffset:10;\tsize:1;\tsigned:0;\n"
	"\n"
	"print fmt: \"state=%s wait=%s ns=%llu waker=%s target=%s%s%s\", __print_symbolic(REC->state"
#define WALL_STATE(ID, word, what) ", { #, \"" word "\" }"
#include "states.def"
#undef WALL_STATE
	"), __print_symbolic(REC->wait"
#define WALL_WAIT(ID, word, is_idle, what) ", { #, \"" word "\" }"
#include "waits.def"
#undef WALL_WAIT
	"), REC->ns, REC->waker, __get_str(wait_target), REC->speed ? \" speed=\" : \"\", "
	"__print_symbolic(REC->speed, { 0, \"\" }, { 1, \"fast\" }, { 2, \"middle\" }, { 3, \"slow\" })\n";

/* the format, with the numbers of the tables' rows in place of # */
static void put_format(struct strbuf *out)
{
	u32 row = 0;

	for (const char *p = format; *p; p++) {
		if (*p != '#') {
			strbuf_addch(out, *p);
			continue;
		}
		strbuf_add_u64(out, row < WALL_NR_STATES ? row : row - WALL_NR_STATES, 0);
		row++;
	}
}

static void put(struct strbuf *out, const void *p, size_t size)
{
	strbuf_add(out, p, size);
}

/* a text with its u64 length before it */
static void put_text(struct strbuf *out, const char *text, size_t len)
{
	put(out, &(u64){ len }, sizeof(u64));
	put(out, text, len);
}

void wall_event_formats(struct strbuf *out)
{
	static const char intro[] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g', '0', '.', '6', 0,
				      __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, sizeof(long) };
	struct strbuf text = STRBUF_INIT;

	put(out, intro, sizeof(intro));
	put(out, &(u32){ 4096 }, sizeof(u32));
	put(out, "header_page", 12);
	put_text(out, "", 0);
	put(out, "header_event", 13);
	put_text(out, "", 0);
	put(out, &(u32){ 0 }, sizeof(u32));	/* formats of ftrace */
	put(out, &(u32){ 1 }, sizeof(u32));	/* systems */
	put(out, "wall", 5);
	put(out, &(u32){ 1 }, sizeof(u32));
	put_format(&text);
	put_text(out, text.buf, text.len);
	put(out, &(u32){ 0 }, sizeof(u32));	/* kallsyms */
	put(out, &(u32){ 0 }, sizeof(u32));	/* printk formats */
	put(out, &(u64){ 0 }, sizeof(u64));	/* names of tasks */
	strbuf_release(&text);
}

static struct wall_payload payload_of(const struct wall_sample *s)
{
	struct wall_payload p = { .type = WALL_EVENT_ID, .pid = s->tid, .state = s->state, .wait = s->wait,
				  .waker_tid = s->waker_tid, .ns = s->ns, .none = "-", .speed = s->speed,
				  .is_sum = s->is_sum,
				  .target = 2u << 16 | offsetof(struct wall_payload, none) };

	if (s->waker)
		strncpy(p.waker, s->waker, sizeof(p.waker) - 1);
	return p;
}

/* with its size before it, and padded, so that records are aligned */
static void put_payload(struct strbuf *out, const struct wall_sample *s)
{
	struct wall_payload payload = payload_of(s);
	u32 len = s->target ? strnlen(s->target, WALL_TARGET_LEN - 1) : 0, padded = 0;
	u32 sum = s->is_sum ? sizeof(u64) : 0;

	if (len) {
		payload.target = (len + 1) << 16 | offsetof(struct wall_payload, text);
		padded = ALIGN_UP(len + 1, 8u);
	}
	put(out, &(u32){ offsetof(struct wall_payload, text) + padded + sum }, sizeof(u32));
	put(out, &payload, offsetof(struct wall_payload, text));
	put(out, s->target, len);
	put(out, &(u64){ 0 }, padded - len);
	put(out, &(u64){ 1 }, sum);
}

/* the first address of the chain, and whether it is the kernel's */
static u64 first_ip(const struct wall_sample *s, bool *ret_kernel)
{
	*ret_kernel = false;
	for (u32 i = 0; i < s->nr_chain; i++) {
		if (s->chain[i] < PERF_CONTEXT_MAX)
			return s->chain[i];
		*ret_kernel = s->chain[i] == PERF_CONTEXT_KERNEL;
	}
	return 0;
}

bool wall_event_put(struct strbuf *out, const struct event *ev, u64 id, const struct wall_sample *s)
{
	struct perf_event_header h = { .type = PERF_RECORD_SAMPLE };
	u64 type = ev->attr.sample_type, start = out->len, size, ip;
	bool kernel;

	ip = first_ip(s, &kernel);
	put(out, &h, sizeof(h));
#define SLOT(bit, value) if (type & PERF_SAMPLE_##bit) put(out, &(u64){ value }, sizeof(u64));
	SLOT(IDENTIFIER, id)
	SLOT(IP, ip)
	put(out, &s->pid, sizeof(s->pid));
	put(out, &s->tid, sizeof(s->tid));
	SLOT(TIME, s->time)
	SLOT(ID, id)
	SLOT(STREAM_ID, id)
	SLOT(CPU, s->cpu)
	SLOT(PERIOD, s->ns)
#undef SLOT
	put(out, &(u64){ s->nr_chain }, sizeof(u64));
	put(out, s->chain, s->nr_chain * sizeof(*s->chain));
	put_payload(out, s);
	size = out->len - start;
	if (size > UINT16_MAX) {
		out->len = start;
		return false;
	}
	h.size = size;
	h.misc = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	memcpy(out->buf + start, &h, sizeof(h));
	return true;
}

static void add_u64(char *p, u64 v)
{
	u64 sum;

	memcpy(&sum, p, sizeof(sum));
	sum += v;
	memcpy(p, &sum, sizeof(sum));
}

void wall_event_add(char *rec, const struct event *ev, u64 ns)
{
	u64 before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		     PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU, nr;
	struct perf_event_header h;
	char *period = rec + sizeof(h) + 8 * __builtin_popcountll(ev->attr.sample_type & before), *payload;

	memcpy(&h, rec, sizeof(h));
	memcpy(&nr, period + sizeof(u64), sizeof(nr));
	payload = period + (2 + nr) * sizeof(u64) + sizeof(u32);
	add_u64(period, ns);
	add_u64(payload + offsetof(struct wall_payload, ns), ns);
	add_u64(rec + h.size - sizeof(u64), 1);
}

u64 wall_event_slices(const struct sample *s)
{
	const u8 *raw = s->raw;
	u64 nr;

	if (s->raw_size < sizeof(struct wall_payload) || !raw[offsetof(struct wall_payload, is_sum)])
		return 1;
	memcpy(&nr, raw + s->raw_size - sizeof(nr), sizeof(nr));
	return MAX(nr, 1ul);
}

const char *wall_event_word(const struct sample *s, const char *field)
{
	struct wall_payload p;

	if (s->raw_size < offsetof(struct wall_payload, waker))
		return NULL;
	memcpy(&p, s->raw, offsetof(struct wall_payload, waker));
	if (!strcmp(field, "state"))
		return p.state < WALL_NR_STATES ? wall_state_word(p.state) : NULL;
	if (!strcmp(field, "wait"))
		return p.wait < WALL_NR_WAITS ? wall_wait_word(p.wait) : NULL;
	if (!strcmp(field, "speed"))
		return p.speed < WALL_NR_SPEEDS ? wall_speed_word(p.speed) : NULL;
	return NULL;
}
