/*
 * Manual pages from their sources (Documentation/perf-*.txt), as plain text for machines without man(1), as
 * roff for man(1), and as HTML. Knows the part of AsciiDoc that these pages use: sections, paragraphs,
 * literal and verse blocks, lists, terms, and text in `backticks`, 'quotes', _underscores_ and pass:c[].
 * Everything else is shown as it is written.
 */
#ifndef PERF_CLI_PAGE_H
#define PERF_CLI_PAGE_H

#include "../base/strbuf.h"

/*
 * adds the page in lines of at most width columns; options, which is AsciiDoc as well, replaces the line "//
 * options"
 */
void page_text(struct strbuf *out, const char *source, const char *options, int width);
/* the same for man(1), which breaks the lines: requests for indents, headings of the man macros */
void page_roff(struct strbuf *out, const char *source, const char *options);
/* the same as a document for browsers, with the style sheet manual.css beside it */
void page_html(struct strbuf *out, const char *source, const char *options);

/* the source of a page (perf-record) if this program has it inside, else NULL */
const char *page_source(const char *name);

#endif
