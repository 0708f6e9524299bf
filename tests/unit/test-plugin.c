/* Unit tests of plug-ins: finding, loading, and the JSON walker. */
#include "test.h"
#include "err-text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>
#include "../../util/base/plugin.h"
#include "../../util/base/strbuf.h"
#include "../../util/lib/lib.h"
#include "../../util/pmu/json-plugin.h"
#include "../../util/pmu/pfm-plugin.h"

static const struct json_plugin_ops *json(void)
{
	struct err err = ERR_INIT;
	const struct json_plugin_ops *ops;

	if (!plugin_find("jansson", NULL))
		SKIP("built without jansson");
	ops = plugin_load("jansson", sizeof(*ops), &err);
	CHECK_STR(err_text(&err), "");
	REQUIRE(ops);
	return ops;
}

static int describe(void *ctx, unsigned int line, const struct json_member *m, size_t nr)
{
	struct strbuf *sb = ctx;

	strbuf_addf(sb, "%u:", line);
	for (size_t i = 0; i < nr; i++)
		strbuf_addf(sb, " %s=%s", m[i].key, m[i].value);
	strbuf_addch(sb, ';');
	return nr && !strcmp(m[0].key, "stop") ? 7 : 0;
}

static int walk(const char *text, struct strbuf *out)
{
	unsigned int line;
	char msg[200] = "";
	int ret;

	strbuf_reset(out);
	ret = json()->walk(text, strlen(text), describe, out, &line, msg, sizeof(msg));
	if (*msg)
		strbuf_addf(out, "line %u: %s", line, msg);
	return ret;
}

TEST(loads_what_is_there)
{
	struct err err = ERR_INIT;

	CHECK(!plugin_load("no-such-library", 8, &err));
	CHECK_INT(err.code, -ENOENT);
	CHECK(strstr(err_text(&err), "the plug-in 'no-such-library'"));
	CHECK(strstr(err_text(&err), "lib/perf/no-such-library.so"));
	CHECK(!plugin_find("no-such-library", NULL));
	CHECK(json() == json());
}

TEST(several_at_once)
{
	const struct pfm_plugin_ops *pfm;
	struct err err = ERR_INIT;

	json();
	if (!plugin_find("libpfm4", NULL))
		SKIP("built without libpfm4");
	pfm = plugin_load("libpfm4", sizeof(*pfm), &err);
	CHECK_STR(err_text(&err), "");
	CHECK(pfm && (const void *)pfm != (const void *)json());
}

TEST(refuses_another_version)
{
	struct err err = ERR_INIT;

	json();
	CHECK(!plugin_load("jansson", sizeof(struct json_plugin_ops) + 8, &err));
	CHECK_INT(err.code, -ENOEXEC);
	CHECK(strstr(err_text(&err), "another version"));
}

/* what util/lib does of one: a library without ops, and a name that it does not have */
TEST(functions_of_a_library)
{
	struct err err = ERR_INIT;

	REQUIRE(!lib_load(LIB_zlib, &err));
	CHECK(!lib_load(LIB_zlib, &err));
	CHECK(lib_usable(LIB_zlib));
	CHECK_INT(crc32(0, (const Bytef *)"123456789", 9), 0xcbf43926);
	CHECK(lib_function(LIB_zlib, "crc32"));
	CHECK(!lib_function(LIB_zlib, "no_such_function"));
	/* it does not have the ops of a plug-in */
	CHECK(!plugin_load("zlib", 8, &err));
	CHECK_INT(err.code, -ENOEXEC);
}

TEST(json_objects_one_by_one)
{
	struct strbuf out = STRBUF_INIT;

	CHECK_INT(walk("[]", &out), 0);
	CHECK_STR(strbuf_str(&out), "");
	CHECK_INT(walk("[ {\"a\": \"x\",\n \"b\": 12, \"c\": true, \"d\": null, \"e\": 0.5},\n\n"
		       "{\"f\": [1,{\"g\":2}]} ]\n", &out), 0);
	CHECK_STR(out.buf, "1: a=x b=12 c=true d= e=0.5;4: f=[1,{\"g\":2}];");
	CHECK_INT(walk("{\"Header\": {\"x\": 1},\n\"Events\": [{\"a\": 1}], \"n\": 3,\n"
		       " \"Metrics\":[{\"b\":\"\\u00e4\"}, 5]}", &out), 0);
	CHECK_STR(out.buf, "2: a=1;3: b=\u00e4;");
	CHECK_INT(walk("[{\"stop\": 1}, {\"a\": 1}]", &out), 7);
	CHECK_STR(out.buf, "1: stop=1;");
	strbuf_release(&out);
}

TEST(json_errors_have_lines)
{
	static const struct { const char *text, *says; } cases[] = {
		{ "", "line 1: this is not a JSON" },
		{ "hello", "line 1: this is not a JSON" },
		{ "[\n{\"a\": 1\n\n x}]", "line 4: " },
		{ "[{\"a\": 1}\n{\"a\": 1}]", "line 2: ',' or ']' is expected" },
		{ "[{\"a\": 1},", "line 1: the file ends" },
		{ "[{\"a\": 1}]\n\n[]", "line 3: unexpected text after" },
		{ "{\"a\" 1}", "line 1: ':' is expected" },
		{ "{1: 1}", "line 1: a name in quotes" },
		{ "[{\"a\": \"\\ud800\"}]", "line 1: " },
		{ "[{\"a\": \"\xff\"}]", "line 1: " },
	};
	struct strbuf out = STRBUF_INIT, deep = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CHECK_INT(walk(cases[i].text, &out), -EBADMSG);
		if (!strstr(strbuf_str(&out), cases[i].says))
			CHECK_STR(strbuf_str(&out), cases[i].says);
	}
	/* nested too deeply: refused, not followed */
	strbuf_pad(&deep, '[', 200000);
	CHECK_INT(walk(deep.buf, &out), -EBADMSG);
	strbuf_release(&out);
	strbuf_release(&deep);
}
