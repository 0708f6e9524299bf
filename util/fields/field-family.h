/* Shared by the field families: how rows are declared. */
#ifndef PERF_FIELDS_FIELD_FAMILY_H
#define PERF_FIELDS_FIELD_FAMILY_H

#include "field.h"

#define FIELD(id) extern const struct field field_##id;
#include "fields.def"
#undef FIELD

int cmp_strings(const char *a, const char *b);
/* the first bytes of s as a number that sorts like strcmp */
u64 string_prefix(const char *s);

/* numbers, the largest first */
int cmp_descending(const struct field_ctx *ctx, u64 a, u64 b);

/* keys that are ids of names->texts */
void format_text(const struct field_ctx *ctx, u64 key, struct strbuf *out);
u64 prefix_text(const struct field_ctx *ctx, u64 key);
int cmp_text(const struct field_ctx *ctx, u64 a, u64 b);

/* what a frame is called, for the fields of every address of a sample: keys are ids of named things, frames or texts */
u64 frame_symbol(const struct field_ctx *ctx, u32 frame);
void format_symbol(const struct field_ctx *ctx, u64 key, struct strbuf *out);
int cmp_symbol(const struct field_ctx *ctx, u64 a, u64 b);
/* names with the same text, and frames: file by file, from the lowest address up */
int settle_symbols(const struct field_ctx *ctx, u64 a, u64 b);
int settle_frames(const struct field_ctx *ctx, u64 a, u64 b);
bool bare_symbol(const struct field_ctx *ctx, u64 key, struct strbuf *out);
u32 length_symbol(const struct field_ctx *ctx, u64 key, struct strbuf *scratch);
u64 prefix_symbol(const struct field_ctx *ctx, u64 key);
u64 frame_dso(const struct field_ctx *ctx, u32 frame);
/* what lies in no file comes last */
/* the files of two frames in the same order, without making a key of either */
int cmp_frame_files(const struct field_ctx *ctx, u32 a, u32 b);
int cmp_dso(const struct field_ctx *ctx, u64 a, u64 b);
/* of branch ends and data: from the last name down, what lies in no file first */
int cmp_end_dso(const struct field_ctx *ctx, u64 a, u64 b);
u32 length_dso(const struct field_ctx *ctx, u64 key, struct strbuf *scratch);
/* appends "file.c:12"; false where it is not known */
bool frame_line(const struct field_ctx *ctx, u32 frame, struct strbuf *out);
u64 frame_srcline(const struct field_ctx *ctx, u32 frame);
u64 frame_itself(const struct field_ctx *ctx, u32 frame);
/* "[.] name+0x10" of a frame; without the offset where it is the first byte unless that is asked for */
void format_frame(const struct field_ctx *ctx, u32 frame, bool always_offset, struct strbuf *out);

#endif
