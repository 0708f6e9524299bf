/*
 * Insn-texts: what lines show of instructions (bytes, disassembly), by place. A trace executes the same few
 * thousand instructions over and over, so each is decoded about once. One a worker.
 */
#ifndef PERF_SCRIPT_INSN_TEXTS_H
#define PERF_SCRIPT_INSN_TEXTS_H

#include "../base/strbuf.h"

struct insn_texts;

struct insn_texts *insn_texts_new(void);
void insn_texts_free(struct insn_texts *t);
enum { INSN_TEXT_BYTES = 1, INSN_TEXT_LEN = 2, INSN_TEXT_DISASM = 4 };	/* what a text contains */
/* fetches the text of an instruction that will be put soon into the processor's cache */
void insn_texts_prefetch(const struct insn_texts *t, u32 dso, u64 addr);
/* appends the text of an instruction; false: it was not kept */
bool insn_texts_put(const struct insn_texts *t, u32 dso, u64 addr, u8 what, struct strbuf *out);
/* keeps a text in the place of another one; long ones are not kept */
void insn_texts_keep(struct insn_texts *t, u32 dso, u64 addr, u8 what, const char *text, size_t len);

#endif
