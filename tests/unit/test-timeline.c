/* Timelines: their size is bounded, sums stay exact, order; texts of markup. */
#include "test.h"

#include "../../ui/markup.h"
#include "../../util/base/units.h"
#include "../../util/view/timeline.h"

static const struct timeline_kind kinds[] = {
	{ .key = "run", .title = "Run", .bottom = 100 },
	{ .key = "speed", .title = "Speed", .bottom = 100, .lane = 1, .bar = true, .unit = "kHz" },
};
static const char *const groups[] = { "A", "B" };

static void add(struct timeline *t, u32 track, u8 kind, u64 from, u64 to, u64 amount)
{
	timeline_add(t, &(struct timeline_span){ .from = from, .to = to, .track = track, .kind = kind,
						 .amount = amount, .other = TIMELINE_NONE });
}

TEST(timeline_is_bounded)
{
	struct timeline t;
	u64 busy = 0, nr = 0;
	u32 a, b;

	timeline_init(&t, "test", kinds, 2, groups, 2);
	t.max_spans = 1000;
	a = timeline_add_track(&t, 1);
	b = timeline_add_track(&t, 0);
	for (u64 i = 0; i < 100000; i++) {
		add(&t, a, 0, i * 100, i * 100 + 30, 0);
		add(&t, b, 1, i * 100, i * 100 + 100, i % 977);
		CHECK(t.span.nr <= 1000);
	}
	timeline_finish(&t);
	vec_foreach(&t.span, s) {
		CHECK(s->to - s->from <= MAX(t.grain, 100ul));
		nr += s->kind == 0 ? s->nr : 0;
		busy += s->kind == 0 ? s->busy : 0;
	}
	CHECK_U64(nr, 100000);
	CHECK_U64(busy, 3000000);
	CHECK(t.grain > 0 && t.note.nr == 1);
	CHECK_U64(timeline_max_amount(&t, 1), 976);
	/* the track of the first group is the first one now */
	CHECK_U64(t.track.v[0].group, 0);
	CHECK_U64(t.span.v[t.track.v[0].first].kind, 1);
	CHECK_U64(t.track.v[0].nr + t.track.v[1].nr, t.span.nr);
	CHECK_U64(t.from, 0);
	CHECK_U64(t.to, 10000000);
	timeline_release(&t);
}

/* calls of a function, each with two calls in it: merged ones stay within one of the level before */
TEST(timeline_of_nested_spans)
{
	struct timeline t;
	u64 busy[3] = { 0 }, nr = 0;

	timeline_init(&t, "test", kinds, 2, groups, 2);
	t.max_spans = 300;
	timeline_add_track(&t, 0);
	for (u64 i = 0; i < 1000; i++) {
		u64 at = i * 1000;

		for (u64 inner = 0; inner < 2; inner++)
			timeline_add(&t, &(struct timeline_span){
				.from = at + 10 + inner * 50, .to = at + 40 + inner * 50, .level = -1,
				.kind = inner, .other = TIMELINE_NONE });
		timeline_add(&t, &(struct timeline_span){ .from = at, .to = at + 100, .level = -2,
							  .other = TIMELINE_NONE });
		CHECK(t.span.nr <= 300);
	}
	timeline_finish(&t);
	CHECK_U64(t.track.v[0].levels, 2);
	CHECK(t.grain > 0);
	for (size_t i = 0; i < t.span.nr; i++) {
		const struct timeline_span *s = &t.span.v[i], *outer = s;

		CHECK(s->level == 0 || s->level == 1);
		busy[s->level] += s->busy;
		nr += s->nr;
		while (outer->level && outer > t.span.v)
			outer--;
		CHECK(s->from >= outer->from && s->to <= outer->to && !outer->level);
	}
	CHECK_U64(nr, 3000);
	CHECK_U64(busy[0], 100000);
	CHECK_U64(busy[1], 60000);
	timeline_release(&t);
}

TEST(timeline_with_many_tracks)
{
	struct timeline t;

	timeline_init(&t, "test", kinds, 2, groups, 2);
	t.max_spans = 10;
	for (u32 i = 0; i < 100; i++) {
		u32 track = timeline_add_track(&t, 1);

		t.track.v[track].hidden = i % 2;
		timeline_add(&t, &(struct timeline_span){ .from = i, .to = i, .track = track,
							  .other = i ? i - 1 : TIMELINE_NONE });
	}
	timeline_finish(&t);
	CHECK_U64(t.track.nr, 50);
	CHECK_U64(t.span.nr, 50);
	/* what caused them is hidden */
	vec_foreach(&t.span, s)
		CHECK_U64(s->other, TIMELINE_NONE);
	timeline_release(&t);
}

static void check_text(const char *bytes, const char *want)
{
	struct strbuf sb = STRBUF_INIT;

	markup_add_text(&sb, bytes);
	CHECK_STR(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

#define BAD "\xef\xbf\xbd"
TEST(markup_texts)
{
	check_text("a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;");
	check_text("\x01\x1b\x7f\n\t", BAD BAD BAD "\n\t");
	check_text("\xc3\xa9\xff\xc0\x80", "\xc3\xa9" BAD BAD BAD);
	check_text("\xc2\x9b\xed\xa0\x80", BAD BAD BAD BAD);
	check_text("\xef\xbf\xbf\xf0\x9f\x98\x80", BAD "\xf0\x9f\x98\x80");
	check_text("\xe2\x82", BAD BAD);
}

TEST(markup_numbers)
{
	struct strbuf sb = STRBUF_INIT;

	markup_add_hundredths(&sb, 150);
	strbuf_addch(&sb, ' ');
	markup_add_hundredths(&sb, 7);
	strbuf_addch(&sb, ' ');
	markup_add_hundredths(&sb, 300);
	strbuf_addch(&sb, ' ');
	duration_text(&sb, 999);
	strbuf_addch(&sb, ' ');
	duration_text(&sb, 1500);
	strbuf_addch(&sb, ' ');
	duration_text(&sb, 61000000001);
	CHECK_STR(strbuf_str(&sb), "1.5 0.07 3 999 ns 1.500 us 61.000 s");
	strbuf_reset(&sb);
	page_add_string(&sb, "</script>\"<");
	CHECK_STR(strbuf_str(&sb), "\"\\u003c/script>\\\"\\u003c\"");
	strbuf_release(&sb);
}
