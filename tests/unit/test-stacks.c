/* Stacks: tables do not depend on the order in which they were filled. The wire format of protobuf. */
#include "../../util/base/proto-out.h"
#include "../../util/view/stacks.h"
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void add(struct stacks *s, const char *const *frame, u32 nr, const char *comm, u32 event, u64 period)
{
	struct stacks_label label = { stacks_add_text(s, "comm"), stacks_add_text(s, comm) };
	struct stack k = { .labels = stacks_add_labels(s, &label, 1), .event = event, .nr = 1,
			   .period = period };

	for (u32 i = 0; i < nr; i++)
		k.node = stacks_add_child(s, k.node, stacks_add_frame(s, &(struct stacks_frame){
			.function = stacks_add_text(s, frame[i]), .module = STACKS_NONE }));
	stacks_add(s, &k);
}

static void add_event(struct stacks *s, const char *name, u32 *ret)
{
	struct err err = ERR_INIT;

	CHECK(!stacks_add_event(s, &(struct stacks_event){ .name = name, .unit = "count" }, ret, &err));
}

static void fill(struct stacks *s, bool backwards)
{
	static const char *const deep[] = { "main", "work", "sort" }, *const flat[] = { "main" };
	u32 a, b;

	stacks_init(s, STACKS_FUNCTIONS);
	if (backwards)
		add_event(s, "b", &b);
	add_event(s, "a", &a);
	if (!backwards)
		add_event(s, "b", &b);
	for (u32 i = 0; i < 4; i++)
		switch (backwards ? 3 - i : i) {
		case 0: add(s, deep, 3, "x", a, 5); break;
		case 1: add(s, deep, 3, "y", b, 6); break;
		case 2: add(s, flat, 1, "y", a, 7); break;
		case 3: add(s, deep, 3, "x", a, 8); break;
		}
	s->nr_profiles = 2;
	stacks_finish(s);
}

TEST(stacks_order)
{
	struct stacks s, t;
	struct stacks_path path = { 0 };

	fill(&s, false);
	fill(&t, true);
	CHECK_INT(s.stack.nr, 3);
	CHECK_INT(t.stack.nr, 3);
	for (u32 i = 0; i < 3; i++) {
		CHECK_INT(s.stack.v[i].node, t.stack.v[i].node);
		CHECK_INT(s.stack.v[i].labels, t.stack.v[i].labels);
		CHECK_INT(s.stack.v[i].event, t.stack.v[i].event);
		CHECK_INT(s.stack.v[i].period, t.stack.v[i].period);
	}
	CHECK_STR(s.event.v[0].name, "a");
	CHECK_STR(t.event.v[0].name, "a");
	CHECK_INT(s.stack.v[1].period, 13);
	CHECK_INT(s.stack.v[1].nr, 2);
	stacks_path(&s, s.stack.v[1].node, &path);
	CHECK_INT(path.nr, 3);
	CHECK_STR(stacks_text(&s, s.frame.v[path.v[0]].function), "sort");
	CHECK_STR(stacks_text(&s, s.frame.v[path.v[2]].function), "main");
	vec_release(&path);
	stacks_release(&s);
	stacks_release(&t);
}

/* some stacks of a profile; next: a number of a sequence that looks random */
static void add_some(struct stacks *s, u32 next, u32 nr)
{
	static const char *const name[] = { "main", "a", "b", "", "work", "sort", "z", "idle" };
	const char *frame[6];
	u32 event, depth;

	add_event(s, next & 1 ? "odd" : "even", &event);
	add_event(s, "both", &event);
	for (u32 i = 0; i < nr; i++) {
		next = next * 1664525 + 1013904223;
		depth = (next >> 8) % 6;
		for (u32 k = 0; k < depth; k++)
			frame[k] = name[next >> (3 * k + 10) & (i < nr / 2 ? 3 : 7)];
		add(s, frame, depth, name[next >> 28 & 7], next >> 27 & 1, next >> 20);
	}
}

static void add_stack_text(const struct stacks *s, const struct stack *k, struct strbuf *out)
{
	const struct stacks_labels *l = &s->labels.v[k->labels];
	struct stacks_path path = { 0 };

	strbuf_addf(out, "%s %lu %lu %s:", s->event.v[k->event].name, k->nr, k->period,
		    stacks_text(s, s->label.v[l->first].value));
	stacks_path(s, k->node, &path);
	vec_foreach(&path, f)
		strbuf_addf(out, " %s", stacks_text(s, s->frame.v[*f].function));
	strbuf_addch(out, '\n');
	vec_release(&path);
}

static char *all_text(const struct stacks *s)
{
	struct strbuf out = STRBUF_INIT;

	vec_foreach(&s->stack, k)
		add_stack_text(s, k, &out);
	return strbuf_detach(&out);
}

static const char *new_name(const struct stacks *s, u32 nr)
{
	return stacks_text(s, s->frame.v[s->new_frames.v[nr]].function);
}

/* tables that are carried on give the stacks of each profile in the order of one that is alone */
TEST(stacks_carried)
{
	struct stacks carried, alone;
	u32 nodes = 0;
	char *a, *b;

	stacks_init(&carried, STACKS_FUNCTIONS);
	for (u32 i = 0; i < 40; i++) {
		u32 nr = i % 10 == 3 ? 0 : i % 7 == 6 ? 150 : 10;

		stacks_next(&carried);
		add_some(&carried, i, nr);
		stacks_settle(&carried);
		stacks_init(&alone, STACKS_FUNCTIONS);
		add_some(&alone, i, nr);
		stacks_finish(&alone);
		a = all_text(&carried);
		b = all_text(&alone);
		CHECK_STR(a, b);
		CHECK_INT(carried.event.nr, 2);
		for (u32 k = 1; k < carried.new_frames.nr; k++)
			CHECK(strcmp(new_name(&carried, k - 1), new_name(&carried, k)) < 0);
		free(a);
		free(b);
		stacks_release(&alone);
		CHECK(carried.node.nr >= nodes);
		nodes = carried.node.nr;
	}
	CHECK(nodes > 100);
	stacks_release(&carried);
}

TEST(stacks_units_differ)
{
	const struct stacks_event other = { .name = "a", .unit = "nanoseconds" };
	struct err err = ERR_INIT;
	struct stacks s;
	u32 id;

	stacks_init(&s, STACKS_FUNCTIONS);
	add_event(&s, "a", &id);
	CHECK_INT(stacks_add_event(&s, &other, &id, &err), -EINVAL);
	CHECK_STR(err.msg, "event 'a' is in count in one profile, in nanoseconds in another");
	stacks_release(&s);
}

TEST(proto_out)
{
	/* field 1: message { field 2: 300, field 3: packed 1, 0 }; field 4: "ab" */
	static const u8 want[] = { 0x0a, 7, 0x10, 0xac, 0x02, 0x1a, 2, 1, 0, 0x22, 2, 'a', 'b' };
	struct strbuf out = STRBUF_INIT;
	struct proto p = { .out = &out };

	proto_begin(&p, 1);
	proto_number(&p, 2, 300);
	proto_number(&p, 5, 0);
	proto_begin(&p, 3);
	proto_packed(&p, 1);
	proto_packed(&p, 0);
	proto_end(&p);
	proto_end(&p);
	proto_string(&p, 4, "ab");
	CHECK_INT(out.len, sizeof(want));
	CHECK(!memcmp(out.buf, want, sizeof(want)));
	/* a length of two bytes is put before its message, too */
	strbuf_reset(&out);
	proto_begin(&p, 1);
	for (u32 i = 0; i < 200; i++)
		proto_packed(&p, 1);
	proto_end(&p);
	CHECK_INT(out.len, 203);
	CHECK_INT((u8)out.buf[1], 0xc8);
	CHECK_INT((u8)out.buf[2], 1);
	CHECK_INT(out.buf[202], 1);
	proto_release(&p);
	strbuf_release(&out);
}
