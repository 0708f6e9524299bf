/* Shared by the field families: how rows are declared. */
#ifndef PERF_FIELDS_FIELD_FAMILY_H
#define PERF_FIELDS_FIELD_FAMILY_H

#include "field.h"

#define FIELD(id) extern const struct field field_##id;
#include "fields.def"
#undef FIELD

int cmp_strings(const char *a, const char *b);
/* the first bytes of s as a number that sorts as strcmp() does */
u64 string_prefix(const char *s);

/* compares numbers, largest first */
int cmp_descending(const struct field_ctx *ctx, u64 a, u64 b);

/* for keys that are ids of names->texts */
void format_text(const struct field_ctx *ctx, u64 key, struct strbuf *out);
u64 prefix_text(const struct field_ctx *ctx, u64 key);
int cmp_text(const struct field_ctx *ctx, u64 a, u64 b);

/*
 * the name of a frame, for the fields of all addresses of a sample: keys are ids of named things, frames or
 * texts
 */
u64 frame_symbol(const struct field_ctx *ctx, u32 frame);
void format_symbol(const struct field_ctx *ctx, u64 key, struct strbuf *out);
int cmp_symbol(const struct field_ctx *ctx, u64 a, u64 b);
/* orders names with the same text, and frames: file by file, from the lowest address up */
int settle_symbols(const struct field_ctx *ctx, u64 a, u64 b);
int settle_frames(const struct field_ctx *ctx, u64 a, u64 b);
bool bare_symbol(const struct field_ctx *ctx, u64 key, struct strbuf *out);
u32 length_symbol(const struct field_ctx *ctx, u64 key, struct strbuf *scratch);
u64 prefix_symbol(const struct field_ctx *ctx, u64 key);
u64 frame_dso(const struct field_ctx *ctx, u32 frame);
/* frames in no file come last */
int cmp_dso(const struct field_ctx *ctx, u64 a, u64 b);
/* compares the files of two frames in the same order, without making keys */
int cmp_frame_files(const struct field_ctx *ctx, u32 a, u32 b);
/* for branch ends and data: from the last name to the first; frames in no file come first */
int cmp_end_dso(const struct field_ctx *ctx, u64 a, u64 b);
u32 length_dso(const struct field_ctx *ctx, u64 key, struct strbuf *scratch);
/* appends "file.c:12"; false if it is not known */
bool frame_line(const struct field_ctx *ctx, u32 frame, struct strbuf *out);
/* the same of the frame's own function: where it calls, or the inlined function inside it does */
bool frame_line_in_function(const struct field_ctx *ctx, u32 frame, struct strbuf *out);
u64 frame_srcline(const struct field_ctx *ctx, u32 frame);
/* the code that ran up to a branch: its first address, 0 if that is not known; the address of the branch */
u64 slot_block_start(const struct resolved_sample *rs);
u64 slot_block_end(const struct resolved_sample *rs);
u64 frame_itself(const struct field_ctx *ctx, u32 frame);
/* "[.] name+0x10" of a frame; an offset of 0 is only shown if always_offset */
void format_frame(const struct field_ctx *ctx, u32 frame, bool always_offset, struct strbuf *out);

#endif
