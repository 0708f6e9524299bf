/* Plug-in: JSON through jansson. Ops in util/pmu/json-plugin.h. */
#include "../util/base/plugin.h"
#include "../util/pmu/json-plugin.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBERS_MAX 256		/* of one object: further ones are ignored */

struct json_walk {
	const char *p, *end;
	unsigned int line;
	json_object_fn fn;
	void *ctx;
	char *msg;
	size_t msg_size;
};

static int bad(struct json_walk *w, const char *msg)
{
	snprintf(w->msg, w->msg_size, "%s", msg);
	return -EBADMSG;
}

/* advances by n bytes and counts lines */
static void advance(struct json_walk *w, size_t n)
{
	for (const char *to = w->p + n; w->p < to; w->p++)
		w->line += *w->p == '\n';
}

/* the next byte that is not a blank; 0 at the end */
static char peek(struct json_walk *w)
{
	while (w->p < w->end && strchr(" \t\r\n", *w->p) && *w->p)
		advance(w, 1);
	return w->p < w->end ? *w->p : 0;
}

/* parses one JSON value; NULL with a message */
static json_t *take(struct json_walk *w)
{
	json_error_t e;
	json_t *j;

	if (!peek(w)) {
		bad(w, "the file ends inside its array or object");
		return NULL;
	}
	j = json_loadb(w->p, w->end - w->p, JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY, &e);
	if (j) {
		advance(w, e.position);
	} else {
		w->line += e.line > 0 ? e.line - 1 : 0;
		bad(w, e.text);
	}
	return j;
}

static char *text_of(const json_t *j)
{
	char buf[40];

	switch (json_typeof(j)) {
	case JSON_STRING:
		return strdup(json_string_value(j));
	case JSON_INTEGER:
		snprintf(buf, sizeof(buf), "%" JSON_INTEGER_FORMAT, json_integer_value(j));
		return strdup(buf);
	case JSON_REAL:
		snprintf(buf, sizeof(buf), "%.15g", json_real_value(j));
		return strdup(buf);
	case JSON_TRUE:
		return strdup("true");
	case JSON_FALSE:
		return strdup("false");
	case JSON_NULL:
		return strdup("");
	default:
		return json_dumps(j, JSON_COMPACT);
	}
}

static int give(struct json_walk *w, json_t *object, unsigned int line)
{
	struct json_member m[MEMBERS_MAX];
	const char *key;
	size_t nr = 0;
	int ret = 0;
	json_t *j;

	json_object_foreach(object, key, j) {
		if (nr == MEMBERS_MAX)
			break;
		m[nr].key = key;
		m[nr].value = text_of(j);
		if (!m[nr].value) {
			ret = bad(w, "out of memory");
			break;
		}
		nr++;
	}
	if (!ret)
		ret = w->fn(w->ctx, line, m, nr);
	while (nr--)
		free((char *)m[nr].value);
	return ret;
}

/*
 * after an item: *ret_last is true if its list ends here, false if another item follows; negative errno for
 * anything else
 */
static int item_end(struct json_walk *w, char close, bool *ret_last)
{
	char c = peek(w), what[] = "',' or ' ' is expected";

	if (c != ',' && c != close) {
		what[8] = close;
		return bad(w, what);
	}
	advance(w, 1);
	*ret_last = c == close;
	return 0;
}

/* from its '[' to after its ']'; items that are not objects are skipped */
static int array(struct json_walk *w)
{
	advance(w, 1);
	if (peek(w) == ']')
		return advance(w, 1), 0;
	for (;;) {
		unsigned int line = (peek(w), w->line);
		json_t *j = take(w);
		bool last = false;
		int ret;

		if (!j)
			return -EBADMSG;
		ret = json_is_object(j) ? give(w, j, line) : 0;
		json_decref(j);
		if (!ret)
			ret = item_end(w, ']', &last);
		if (ret || last)
			return ret;
	}
}

/* { "key": value, ... }: arrays are entered, other values are skipped */
static int object(struct json_walk *w)
{
	advance(w, 1);
	if (peek(w) == '}')
		return advance(w, 1), 0;
	for (;;) {
		json_t *j = take(w);
		bool last = false;
		int ret = 0;

		if (!j)
			return -EBADMSG;
		if (!json_is_string(j))
			ret = bad(w, "a name in quotes is expected");
		json_decref(j);
		if (ret)
			return ret;
		if (peek(w) != ':')
			return bad(w, "':' is expected");
		advance(w, 1);
		if (peek(w) == '[') {
			ret = array(w);
		} else {
			j = take(w);
			ret = j ? 0 : -EBADMSG;
			json_decref(j);
		}
		if (!ret)
			ret = item_end(w, '}', &last);
		if (ret || last)
			return ret;
	}
}

static int walk(const char *text, size_t len, json_object_fn fn, void *ctx, unsigned int *ret_line, char *msg,
		size_t msg_size)
{
	struct json_walk w = { .p = text, .end = text + len, .line = 1, .fn = fn, .ctx = ctx, .msg = msg,
			       .msg_size = msg_size };
	int ret;

	switch (peek(&w)) {
	case '[':
		ret = array(&w);
		break;
	case '{':
		ret = object(&w);
		break;
	default:
		ret = bad(&w, "this is not a JSON array or object");
	}
	if (!ret && peek(&w))
		ret = bad(&w, "unexpected text after the end of the array");
	*ret_line = w.line;
	return ret;
}

static const struct json_plugin_ops ops = { walk };

extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "jansson", &ops };
