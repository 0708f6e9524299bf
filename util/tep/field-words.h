/*
 * Field-words: what the print format of a tracepoint calls the numbers of a field: __print_flags() and
 * __print_symbolic().
 */
#ifndef PERF_TEP_FIELD_WORDS_H
#define PERF_TEP_FIELD_WORDS_H

#include "tracefmt.h"

enum field_words { WORDS_NONE, WORDS_FLAGS, WORDS_SYMBOLS };

/* which of them the format has for the field */
enum field_words field_words(const struct tracefmt_field *f);
/* appends the word of one value of WORDS_SYMBOLS; false: the format has none for it */
bool field_words_symbol(const struct tracefmt_field *f, u64 value, struct strbuf *out);
/* appends the words of a value; nothing if the format has none of this kind for the field */
void field_words_add(const struct tracefmt_field *f, enum field_words kind, u64 value, struct strbuf *out);

#endif
