/* Record-places: made from the rows of records.def. */
#include "record-places.h"

struct place_list {
	struct record_place *v;
	u32 nr, off;	/* off: where the next field begins */
};

static void add(struct place_list *p, enum record_content what, u64 len)
{
	if (len)
		p->v[p->nr++] = (struct record_place){ what, p->off, len };
	p->off += len;
}

/* places_TYPE(): one field after another */
#define U8(name) p->off += 1;
#define U16(name) p->off += 2;
#define U32(name) p->off += 4;
#define U64(name) p->off += 8;
#define S32(name) p->off += 4;
#define PAD(n) p->off += n;
#define RAW(name, n) add(p, HOLDS_ANYTHING, n);
#define FIXED_TEXT(name, n) add(p, HOLDS_ANYTHING, n);
#define FILE_ID(name) p->off += 24;
#define BUILD_ID(name) p->off += 24;
#define STRING(name) add(p, HOLDS_ANYTHING, strlen(v->name) + 1);
#define TEXT(name, n) add(p, HOLDS_ANYTHING, v->name.len);
#define REST(name) add(p, HOLDS_ANYTHING, v->name.len);
#define REST_MIN(name, n) add(p, HOLDS_ANYTHING, v->name.len);
#define PART(name, n) add(p, HOLDS_ANYTHING, v->name.len);
#define COUNTED(name) p->off += 8; add(p, HOLDS_ANYTHING, v->name.len);
#define ROWS(name, size, n) p->off += v->name.nr * size;
#define U64_IF(name, condition) p->off += condition ? 8 : 0;
#define NEWER(name, n) newer = v->name;
#define MAYBE_U8(name) p->off += newer ? 1 : 0;
#define MAYBE_U64(name) p->off += newer ? 8 : 0;
#define ADDRESS(name) add(p, HOLDS_ADDRESS, 8);
#define FILE_OFFSET(name) add(p, HOLDS_FILE_OFFSET, 8);
#define ADDRESSES(name, n) add(p, HOLDS_ADDRESS, v->name.nr * 8);
#define FILE_PATH(name) add(p, HOLDS_FILE_PATH, strlen(v->name) + 1);
#define TASK_NAME(name) add(p, HOLDS_TASK_NAME, strlen(v->name) + 1);
#define GROUP_PATH(name) add(p, HOLDS_GROUP_PATH, strlen(v->name) + 1);
#define FUNCTION_NAME(name) p->off += strlen(v->name) + 1;
#define PATH_TEXT(name) add(p, HOLDS_FILE_PATH, v->name.len);
#define TASKS(name, n) add(p, HOLDS_TASKS, v->name.nr * TASKS_ROW_SIZE);
#define CODE(name, n) add(p, HOLDS_CODE, v->name.len);
#define DIGEST(name, n) p->off += n;
#define CPU_NUMBERS(name) p->off += v->name.len;
#define RECORD(nr, type, view, size, kind, left_alone, show, ...) \
static void places_##type(const struct record_view *from, struct place_list *p) \
{ \
	const typeof(from->view) *v = &from->view; \
	bool newer = false; \
\
	(void)v, (void)newer, (void)p; \
	__VA_ARGS__ \
}
#include "records.def"

/* check that no row has too many places */
#define U8(name)
#define U16(name)
#define U32(name)
#define U64(name)
#define S32(name)
#define PAD(n)
#define FILE_ID(name)
#define BUILD_ID(name)
#define ROWS(name, size, n)
#define U64_IF(name, condition)
#define NEWER(name, n)
#define MAYBE_U8(name)
#define MAYBE_U64(name)
#define FUNCTION_NAME(name)
#define DIGEST(name, n)
#define CPU_NUMBERS(name)
#define RAW(name, n) + 1
#define FIXED_TEXT(name, n) + 1
#define STRING(name) + 1
#define TEXT(name, n) + 1
#define REST(name) + 1
#define REST_MIN(name, n) + 1
#define PART(name, n) + 1
#define COUNTED(name) + 1
#define ADDRESS(name) + 1
#define FILE_OFFSET(name) + 1
#define ADDRESSES(name, n) + 1
#define FILE_PATH(name) + 1
#define TASK_NAME(name) + 1
#define GROUP_PATH(name) + 1
#define PATH_TEXT(name) + 1
#define TASKS(name, n) + 1
#define CODE(name, n) + 1
#define RECORD(nr, type, view, size, kind, left_alone, show, ...) \
	_Static_assert(0 __VA_ARGS__ <= RECORD_PLACES_MAX, #type);
#include "records.def"

static void (*const rows[REC_TYPE_MAX])(const struct record_view *v, struct place_list *p) = {
#define RECORD(nr, type, ...) [nr] = places_##type,
#include "records.def"
};

u32 record_places(const struct record_view *v, struct record_place ret[RECORD_PLACES_MAX])
{
	struct place_list p = { .v = ret, .off = sizeof(struct rec_header) };

	if (v->type < REC_TYPE_MAX && rows[v->type])
		rows[v->type](v, &p);
	return p.nr;
}
