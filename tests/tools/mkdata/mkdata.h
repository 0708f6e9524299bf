/*
 * mkdata: assembles perf.data files from text, so that a reader can be tested with any event, byte order, age
 * and damage, without a kernel. Written from the format, not from util/'s encoders: what both get wrong would
 * not be found. Bits and order of a sample's fields are the rows of util/event/sample-fields.def, which a
 * unit test compares with the kernel's header. The language is described in README. Everything here may end
 * the program with a message naming the line.
 */
#ifndef PERF_TESTS_MKDATA_H
#define PERF_TESTS_MKDATA_H

#include "../../../util/base/alloc.h"
#include "../../../util/base/strbuf.h"
#include "../../../util/base/vec.h"

/* one blank-separated piece of a line: word, key=value or tag:value; value keeps NULs */
struct token {
	char *key;		/* "" for a plain word */
	char sep;		/* '=', ':' or 0 */
	char *value;
	size_t len;
	bool quoted;
};

struct line {
	unsigned int nr;
	u64 index;		/* $i of the innermost repeat */
	struct { VEC(struct token); } tok;
};

struct mk_event {
	char *name;
	u64 field[48];		/* by row of attr_fields */
	u64 flags;		/* lowest bit first, as a little-endian file has it */
	u32 size;		/* of the attr in the file */
	u8 tail;		/* every byte after the known fields */
	struct { VEC(u64); } ids;
};

struct feature {
	bool there;
	struct strbuf body;
};

struct patch {
	char *where;		/* expression; may start with a label */
	struct strbuf bytes;
	bool truncate;
	unsigned int line;
};

struct label {
	char *name;
	size_t stream;
	/* in its stream; for stream 0 the data section's offset is added when known */
	u64 off;
	bool absolute;
};

struct mk_stream {
	char *name;
	struct strbuf bytes;
};

#define NR_FEATURES 256

struct mkdata {
	char magic[9];
	bool big_endian, pipe;
	u64 header_size;		/* as written in the header; 0: the right one */
	struct { VEC(struct mk_event); } events;
	struct feature feature[NR_FEATURES];
	struct { VEC(struct patch); } patches;
	struct { VEC(struct label); } labels;
	struct { VEC(struct mk_stream); } streams;	/* [0]: the main data section */
	size_t cur;			/* the stream that records go to */
	struct strbuf *block;		/* collects records of a compressed { } instead */
	struct line defaults;		/* key=value used where a record does not give the key */
	struct { VEC(struct token); } header;	/* fields of the file header to write wrongly */
	unsigned int nr_auto_ids;
	bool pipe_started;
};

/* text.c */
void fatal(const struct line *l, const char *fmt, ...) PRINTF_LIKE(2, 3) __attribute__((noreturn));
void line_parse(struct line *l, const char *text);
void line_release(struct line *l);
const struct token *line_key(const struct line *l, const char *key);
u64 expr_value(const struct line *l, const char *text);
/* a|b|0x10: names from the table or expressions */
struct name_value {
	const char *name;
	u64 value;
};
u64 names_value(const struct line *l, const struct name_value *names, const char *text);
/* comma-separated expressions */
struct mk_numbers {
	VEC(u64);
};
void numbers_parse(const struct line *l, const char *text, struct mk_numbers *ret);
/* bytes of a value: quoted text as it is, else hex digits */
void token_bytes(const struct line *l, const struct token *t, struct strbuf *out);

/* out.c */
void put(const struct mkdata *m, struct strbuf *out, u64 v, unsigned int bytes);
void put_padded(struct strbuf *out, const char *s, size_t len, size_t align);
/* the generic body tokens of a line (u8: u16: u32: u64: str: z: hex: text: zero: pad: file:) */
void put_body(const struct mkdata *m, const struct line *l, struct strbuf *out);
void write_all(struct mkdata *m, const char *path);

/* trace.c: packets of hardware traces */
bool is_packet_tag(const char *tag, size_t len);
/* false: the token is not a packet */
bool put_packet(const struct line *l, const struct token *t, struct strbuf *out);

/* attr.c */
void event_define(struct mkdata *m, const struct line *l);
u64 event_field(const struct mk_event *e, const char *name);
/* the attr as the file holds it */
void put_attr(const struct mkdata *m, struct strbuf *out, const struct mk_event *e);
/* a bit field's value as a big-endian machine has it; widths of its fields, lowest first, 64 together */
u64 mirror_fields(u64 v, const u8 *widths);
extern const struct name_value sample_bits[], read_bits[], misc_bits[];

/* records.c, sample.c, features.c */
struct strbuf *record_stream(struct mkdata *m);
bool record_add(struct mkdata *m, const struct line *l);
void record_put(struct mkdata *m, const struct line *l, u32 type, u16 misc, const struct strbuf *body);
/* a key of the line, else of the defaults, else dflt */
u64 value_of(const struct mkdata *m, const struct line *l, const char *key, u64 dflt);
const struct mk_event *record_event(const struct mkdata *m, const struct line *l);
void sample_add(struct mkdata *m, const struct line *l);
void put_sample_id(const struct mkdata *m, const struct line *l, struct strbuf *out);
void feature_add(struct mkdata *m, const struct line *l);
void buildid_add(struct mkdata *m, const struct line *l);
int feature_number(const struct line *l, const char *name);

#endif
