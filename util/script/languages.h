/* Languages: those that scripts can be written in, by name and by file. */
#ifndef PERF_SCRIPT_LANGUAGES_H
#define PERF_SCRIPT_LANGUAGES_H

#include "language.h"

struct strbuf;

/* the n-th language; NULL after the last */
const struct language *language_nth(size_t n);
/* by its name or its files' ending, in capitals or not, of which len characters count; NULL: not known */
const struct language *language_named(const char *word, size_t len);
/* the one of a file, by the ending of its name */
const struct language *language_of_file(const char *file);
/* appends the names of all languages, or the endings of their files: "Perl or Python", ".pl or .py" */
void language_list(bool endings, struct strbuf *out);

#endif
