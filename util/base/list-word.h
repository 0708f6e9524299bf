/*
 * List-word: the words of comma lists that users type: names of functions, tasks, files, groups. A comma
 * inside of brackets (`f(int, char)`, `pair<int, int>`, `{lambda(int, char)#1}`) or between quotes that
 * enclose a word belongs to it. A bracket that is not closed is a character like others, and so is each one
 * in the name of an operator (`operator<`).
 */
#ifndef PERF_BASE_LIST_WORD_H
#define PERF_BASE_LIST_WORD_H

#include "types.h"

/* the length of the first word of a list: up to its comma, or the end */
size_t list_word_len(const char *s);
/* the word of that length at s without quotes around it, and *len without them */
const char *list_word_bare(const char *s, size_t *len);

#endif
