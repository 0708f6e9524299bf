/*
 * Source-lines: from lines of the source to addresses and back, by the line tables of units; and the text of
 * source files.
 */
#ifndef PERF_PROBE_SOURCE_LINES_H
#define PERF_PROBE_SOURCE_LINES_H

#include "../base/vec.h"
#include "../resolve/source-text.h"
#include "debug-file.h"

struct function;

/* the start of a statement */
struct line_row {
	u64 addr;
	u32 line;
	/*
	 * the first statement at this address. If several lines share an address, the first is the line of
	 * the instruction; the others are reached there, too
	 */
	bool is_first;
};

struct line_rows {
	VEC(struct line_row);
};

/*
 * the starts of statements of lines first to last in a source file, sorted by line, then address. file: a
 * path as the debug information has it
 */
void unit_line_rows(struct debug_unit *unit, const char *file, u32 first, u32 last, struct line_rows *ret);
/*
 * true if a probe at the row's line belongs at this row: if the line is that of the instruction, or no row
 * of the line is
 */
bool line_row_is_meant(const struct line_rows *rows, const struct line_row *row);
/* the path of a source file of the unit that ends with file; NULL: none */
const char *unit_source_file(struct debug_unit *unit, const char *file);
/*
 * the file and the line of the statement that contains an address; exact: only if one begins there.
 * False: unknown
 */
bool unit_line_at(struct debug_unit *unit, u64 addr, bool exact, const char **ret_file, u32 *ret_line);
/* the first address after a function's prologue: its second statement; entry if it has none */
u64 unit_prologue_end(struct debug_unit *unit, u64 entry, u64 end);
/* by DW_AT_producer, which has gcc's options: true if gcc compiled the unit; true without optimisation */
bool unit_is_gnu(struct debug_unit *unit);
bool unit_is_unoptimised(struct debug_unit *unit);

/*
 * Reads the source file that the unit calls path: at that path, or below dir by the whole path or by as many
 * of its last components as exist there. t->name becomes the path that was read. 0, or a negative errno with
 * err; release t in both cases
 */
int probe_source_text_read(struct source_text *t, struct debug_unit *unit, const char *path, const char *dir,
			   struct err *err);

#endif
