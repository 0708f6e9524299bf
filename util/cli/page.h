/*
 * Manual pages as plain text, from their sources (Documentation/perf-*.txt): for machines without man(1), or
 * before "make man". Knows the part of AsciiDoc that these pages use: sections, paragraphs, literal and verse
 * blocks, lists, terms, and text in `backticks`, 'quotes', _underscores_ and pass:c[]. Everything else is
 * shown as it is written.
 */
#ifndef PERF_CLI_PAGE_H
#define PERF_CLI_PAGE_H

#include "../base/strbuf.h"

/*
 * adds the page in lines of at most width columns; options, which is AsciiDoc as well, replaces the line "//
 * options"
 */
void page_text(struct strbuf *out, const char *source, const char *options, int width);

#endif
