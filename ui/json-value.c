/* Values in JSON: what documents and lines have in common. */
#include "json-value.h"

#include <math.h>
#include <stdio.h>
#include "../util/base/json-out.h"

const char *json_type_name(enum view_type type)
{
	static const char *const names[] = {
		[VIEW_TEXT] = "text", [VIEW_NUMBER] = "number", [VIEW_SIGNED] = "number",
		[VIEW_REAL] = "number", [VIEW_SHARE] = "share", [VIEW_TIME] = "time",
		[VIEW_ADDRESS] = "address", [VIEW_BOOL] = "bool", [VIEW_ABSENT] = "absent",
	};

	return names[type];
}

/* shares to a millionth: the digits behind that are of no count of samples */
static double rounded_share(double percent)
{
	return round(percent * 1e4) / 1e4;
}

static void add_address(struct strbuf *out, u64 address)
{
	strbuf_add(out, "\"0x", 3);
	strbuf_add_hex(out, address, 0, ' ');
	strbuf_addch(out, '"');
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
	}
}
