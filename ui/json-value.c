/* Values in JSON: what documents and lines have in common. */
#include "json-value.h"

#include <stdio.h>
#include "../util/base/maths.h"

const char *json_type_name(enum view_type type)
{
	static const char *const names[] = {
		[VIEW_TEXT] = "text", [VIEW_NUMBER] = "number", [VIEW_SIGNED] = "number",
		[VIEW_REAL] = "number", [VIEW_SHARE] = "share", [VIEW_TIME] = "time",
		[VIEW_ADDRESS] = "address", [VIEW_BOOL] = "bool", [VIEW_ABSENT] = "absent",
		[VIEW_LIST] = "list", [VIEW_OBJECT] = "object",
	};

	return names[type];
}

/* shares to a millionth: no number of samples gives more digits */
static double rounded_share(double percent)
{
	return maths_round(percent * 1e4) / 1e4;
}

static void add_address(struct strbuf *out, u64 address)
{
	strbuf_add(out, "\"0x", 3);
	strbuf_add_hex(out, address, 0, ' ');
	strbuf_addch(out, '"');
}

static void add_list(struct strbuf *out, const struct view_list *l)
{
	strbuf_addch(out, '[');
	for (size_t i = 0; i < l->nr; i++) {
		strbuf_addstr(out, i ? ", " : "");
		json_add_value(out, &l->v[i]);
	}
	strbuf_addch(out, ']');
}

static void add_object(struct strbuf *out, const struct view_object *o)
{
	strbuf_addch(out, '{');
	for (size_t i = 0; i < o->nr; i++) {
		strbuf_addstr(out, i ? ", " : "");
		json_add_string(out, o->v[i].key);
		strbuf_addstr(out, ": ");
		json_add_value(out, &o->v[i].value);
	}
	strbuf_addch(out, '}');
}

void json_add_value(struct strbuf *out, const struct view_value *v)
{
	switch (v->type) {
	case VIEW_TEXT:
		json_add_string(out, v->text);
		break;
	case VIEW_SIGNED:
		if ((s64)v->number < 0)
			strbuf_addch(out, '-');
		strbuf_add_u64(out, (s64)v->number < 0 ? -v->number : v->number, 0);
		break;
	case VIEW_NUMBER:
	case VIEW_TIME:
		strbuf_add_u64(out, v->number, 0);
		break;
	case VIEW_REAL:
		json_add_double(out, v->real);
		break;
	case VIEW_SHARE:
		json_add_double(out, rounded_share(v->real));
		break;
	case VIEW_ADDRESS:
		add_address(out, v->number);
		break;
	case VIEW_BOOL:
		strbuf_addstr(out, v->number ? "true" : "false");
		break;
	case VIEW_ABSENT:
		strbuf_addstr(out, "null");
		break;
	case VIEW_LIST:
		add_list(out, v->list);
		break;
	case VIEW_OBJECT:
		add_object(out, v->object);
	}
}

static void write_object(struct json *w, const struct view_object *o, enum json_layout layout)
{
	json_begin_object(w, layout);
	for (size_t i = 0; i < o->nr; i++) {
		json_key(w, o->v[i].key);
		json_add_value(json_value(w), &o->v[i].value);
	}
	json_end(w);
}

void json_write_value(struct json *w, const struct view_value *v, enum json_layout objects)
{
	if (v->type != VIEW_LIST || !v->list->nr || v->list->v[0].type != VIEW_OBJECT) {
		json_add_value(json_value(w), v);
		return;
	}
	json_begin_array(w, JSON_LINES);
	for (size_t i = 0; i < v->list->nr; i++)
		write_object(w, v->list->v[i].object, objects);
	json_end(w);
}
