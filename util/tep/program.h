/*
 * Program: a tracepoint's print format compiled to a list of items, each text or one conversion of one
 * expression. Inside util/tep only. Const once compiled; memory is the arena's of the struct tracefmt that
 * compiled it.
 */
#ifndef PERF_TEP_PROGRAM_H
#define PERF_TEP_PROGRAM_H

#include <traceevent/event-parse.h>
#include "../base/arena.h"
#include "../base/strbuf.h"
#include "tracefmt.h"

enum tnode_kind {
	/* numbers */
	TN_CONST, TN_FIELD, TN_CAST, TN_UNARY, TN_BINARY, TN_DYNLEN,
	/* strings */
	TN_STR, TN_CHARS, TN_DYNSTR, TN_FLAGS, TN_SYMBOL,
	/* either */
	TN_COND,
};

enum tnode_op {
	OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD, OP_SHL, OP_SHR, OP_AND, OP_OR, OP_XOR, OP_LAND, OP_LOR, OP_EQ,
	OP_NE, OP_LT, OP_LE, OP_GT, OP_GE, OP_NOT, OP_INV, OP_NEG,
};

struct tsym {
	s64 value;
	const char *str;
	u32 len;
};

struct tnode {
	enum tnode_kind kind;
	enum tnode_op op;
	u8 size;			/* TN_FIELD, TN_CAST: bytes */
	bool is_signed;			/* TN_CAST */
	bool relative;			/* TN_DYNSTR, TN_DYNLEN: __rel_loc */
	u32 off, len;			/* position in the payload; TN_STR: length */
	u64 num;
	const char *str;		/* TN_STR; TN_FLAGS: delimiter */
	const struct tnode *a, *b, *c;
	const struct tsym *sym;
	u32 nr_sym;
};

enum titem_kind { TI_TEXT, TI_NUM, TI_CHAR, TI_STR, TI_PTR, TI_FUNC };

struct titem {
	enum titem_kind kind;
	char conv;			/* d u x X o; TI_FUNC: 'S' with offset, 's' without */
	u8 bytes;			/* the argument's size: 1, 2, 4, 8 */
	bool plain;			/* no flags, width or precision except pad and width */
	char pad;			/* ' ' or '0' */
	int width, prec;		/* prec -1: none */
	/* TI_TEXT: the text; otherwise, if not plain, a printf format with ll */
	const char *fmt;
	u32 len;
	const struct tnode *arg;
};

struct program {
	const struct titem *item;
	u32 nr;
	u32 need;			/* bytes of payload that the fixed fields need */
};

struct program_ctx {
	const u8 *raw;
	u32 size;
	bool swap;
	tracefmt_resolve resolve;
	void *resolve_ctx;
};

/* false if the format contains something that programs cannot do */
bool program_compile(struct program *p, struct tep_event *ev, struct arena *arena);
/* false if the payload is damaged (a string is outside of it); out may contain a part then */
bool program_run(const struct program *p, const struct program_ctx *ctx, struct strbuf *out);

#endif
