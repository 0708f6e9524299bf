/*
 * Markup: what SVG pictures and HTML pages share: texts and numbers in XML, and the page around a picture
 * that a script draws. The same input gives the same bytes under any locale. No document refers to anything
 * outside of itself; pages forbid it to the browser, too.
 */
#ifndef PERF_UI_MARKUP_H
#define PERF_UI_MARKUP_H

#include <stdio.h>
#include "../util/base/strbuf.h"
#include "../util/base/vec.h"

/* a document on its way to a stream: pieces are appended to text, markup_drain() writes them now and then */
struct markup {
	FILE *file;
	struct strbuf text;
};

/* writes what has come together if it is much; a stream with an error gets no more */
void markup_drain(struct markup *m);
/* writes the rest and releases; 0, or a negative errno of the stream */
int markup_end(struct markup *m);

/*
 * Appends bytes from anywhere as characters of XML and HTML, for texts and quoted attributes: what has a
 * meaning there is escaped, control characters and bytes that are not UTF-8 become U+FFFD.
 */
void markup_add_text(struct strbuf *out, const char *bytes);
/* a number of hundredths: 150 is "1.5" */
void markup_add_hundredths(struct strbuf *out, u64 v);

/* a file of ui/html/, which is in the binary */
struct page_file {
	const char *text;
	size_t len;
};
extern const struct page_file page_css, page_common_js, page_timeline_js, page_flamegraph_js, page_report_js;

/*
 * A page whose script draws. page_begin() ends where its data begins, one JSON document; the caller appends
 * it to m->text, strings with page_add_string() only; page_end() appends the
 * script, and a second one that adds to its page, or NULL.
 */
void page_begin(struct markup *m, const char *title);
void page_add_string(struct strbuf *out, const char *s);
struct view_facts;
/* "facts": [["hostname", "x"], ...] with their texts, "notes": [...] */
void page_add_facts(struct strbuf *out, const struct view_facts *facts, const char *const *note, size_t nr);
/* "noCode": why, "code": [listings] */
struct view;
void page_add_code(struct markup *m, const struct view *v);
void page_end(struct markup *m, const struct page_file *script, const struct page_file *more);

#endif
