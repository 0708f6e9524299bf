/* The JSON writer: layouts, commas and line ends; draining between any two calls. */
#include "../../util/base/json-out.h"
#include "test.h"

static void add_sample(struct json *w, enum json_layout layout)
{
	json_begin_object(w, layout);
	json_key_string(w, "na\"me", "va\nlue");
	json_key(w, "list");
	json_begin_array(w, layout);
	json_s64(w, INT64_MIN);
	json_u64(w, UINT64_MAX);
	json_bool(w, true);
	json_null(w);
	json_end(w);
	json_key(w, "empty");
	json_begin_array(w, layout);
	json_end(w);
	json_end(w);
}

TEST(json_layouts)
{
	static const char *const want[] = {
		[JSON_COMPACT] = "{\"na\\\"me\": \"va\\u000alue\", "
			"\"list\": [-9223372036854775808, 18446744073709551615, true, null], \"empty\": []}",
		[JSON_SPACED] = "{ \"na\\\"me\": \"va\\u000alue\", "
			"\"list\": [ -9223372036854775808, 18446744073709551615, true, null ], "
		"\"empty\": [ ] }",
		[JSON_HANGING] = "{\n  \"na\\\"me\": \"va\\u000alue\",\n"
			"  \"list\": [\n    -9223372036854775808,\n    18446744073709551615,\n    true,\n"
		"    null],\n"
			"  \"empty\": []}",
		[JSON_LINES] = "{\n  \"na\\\"me\": \"va\\u000alue\",\n"
			"  \"list\": [\n    -9223372036854775808,\n    18446744073709551615,\n    true,\n"
		"    null\n  ],\n"
			"  \"empty\": [\n  ]\n}",
	};

	for (enum json_layout layout = JSON_COMPACT; layout <= JSON_LINES; layout++) {
		struct strbuf out = STRBUF_INIT;
		struct json w = { .out = &out };

		add_sample(&w, layout);
		CHECK_STR(strbuf_str(&out), want[layout]);
		CHECK(!w.level.buf);	/* freed at the end of the outermost value */
		strbuf_release(&out);
	}
}

TEST(json_writer_can_be_drained_anywhere)
{
	struct strbuf out = STRBUF_INIT, all = STRBUF_INIT;
	struct json w = { .out = &out, .colon = ":", .indent = "\t", .flat_levels = 1 };

#define DRAIN() (strbuf_addstr(&all, strbuf_str(&out)), strbuf_reset(&out))
	json_begin_array(&w, JSON_LINES);
	DRAIN();
	for (int i = 0; i < 2; i++) {
		json_begin_object(&w, JSON_COMPACT);
		DRAIN();
		json_key(&w, "a");
		DRAIN();
		json_double(&w, i + 0.5);
		DRAIN();
		json_break(&w);
		json_key_u64(&w, "b", i);
		DRAIN();
		json_end(&w);
		DRAIN();
	}
	json_end(&w);
	DRAIN();
	CHECK_STR(strbuf_str(&all), "[\n{\"a\":0.5,\n\t\"b\":0},\n{\"a\":1.5,\n\t\"b\":1}\n]");
	strbuf_release(&out);
	strbuf_release(&all);
}

TEST(json_values_alone_have_no_commas)
{
	struct strbuf out = STRBUF_INIT;
	struct json w = { .out = &out };

	json_u64(&w, 1);
	strbuf_addch(&out, '\n');
	json_begin_object(&w, JSON_COMPACT);
	json_end(&w);
	strbuf_addch(&out, '\n');
	json_string(&w, NULL);
	CHECK_STR(strbuf_str(&out), "1\n{}\nnull");
	strbuf_release(&out);
}
