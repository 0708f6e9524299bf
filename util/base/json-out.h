/*
 * JSON writer: appends objects, arrays, strings and numbers to a strbuf, piece by piece, with the commas,
 * line ends and indentation between them. The caller may drain the strbuf (write it out and reset it) between
 * any two calls, so a document of any size takes little memory. The text is the same under any locale. The
 * writer owns a byte per open level; it gives them back when the outermost value ends, or in json_release().
 */
#ifndef PERF_BASE_JSON_OUT_H
#define PERF_BASE_JSON_OUT_H

#include "strbuf.h"

/* where the members of an object or array are written */
enum json_layout {
	JSON_COMPACT,		/* {"a": 1, "b": 2} */
	JSON_SPACED,		/* { "a": 1, "b": 2 } */
	JSON_HANGING,		/* each on a line of its own, the closing bracket right after the last */
	JSON_LINES,		/* each on a line of its own, the closing bracket, too */
};

struct json {
	struct strbuf *out;
	const char *colon;	/* between key and value; NULL: ": " */
	const char *indent;	/* of one level; NULL: two blanks */
	u32 flat_levels;	/* outer levels whose members are not indented */
	/* the writer's own; zero at the start */
	struct strbuf level;	/* of each open level: its layout and what closes it */
	bool has_member;	/* the innermost level has one */
	bool keyed;		/* a key waits for its value */
	bool line_break;	/* the next member begins a line */
};

void json_release(struct json *w);

void json_begin_object(struct json *w, enum json_layout layout);
void json_begin_array(struct json *w, enum json_layout layout);
/* closes the innermost of them */
void json_end(struct json *w);
/* the next value of an object belongs to this key */
void json_key(struct json *w, const char *key);
/* the next member begins a line, whatever the layout says */
void json_break(struct json *w);

/* a value: of the key before it, of an array, or alone */
void json_string(struct json *w, const char *s);	/* as json_add_string() */
void json_u64(struct json *w, u64 v);
void json_s64(struct json *w, s64 v);
void json_double(struct json *w, double v);		/* as json_add_double() */
void json_bool(struct json *w, bool v);
void json_null(struct json *w);
/* a value that the caller appends to the returned strbuf: it must be one JSON token */
struct strbuf *json_value(struct json *w);

/* a key with its value */
void json_key_string(struct json *w, const char *key, const char *s);
void json_key_u64(struct json *w, const char *key, u64 v);
void json_key_double(struct json *w, const char *key, double v);
void json_key_bool(struct json *w, const char *key, bool v);

/*
 * appends s in quotes; control characters become \u00NN, bytes that are not UTF-8 become U+FFFD. NULL becomes
 * null
 */
void json_add_string(struct strbuf *out, const char *s);
/* appends the shortest text that reads back as the same number; null for nan and infinity */
void json_add_double(struct strbuf *out, double v);

#endif
