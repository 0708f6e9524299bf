/*
 * Page: an HTML document around a picture that a script draws from data. Style sheet and scripts are files of
 * ui/html/, which the makefile turns into lists of bytes.
 */
#include "json-value.h"
#include "markup.h"

static const char css[] = {
#include "html/page.css.inc"
};
static const char common_js[] = {
#include "html/common.js.inc"
};
static const char timeline_js[] = {
#include "html/timeline.js.inc"
};
static const char flamegraph_js[] = {
#include "html/flamegraph.js.inc"
};
static const char report_js[] = {
#include "html/report-code.js.inc"
#include "html/report.js.inc"
#include "html/report-time.js.inc"
#include "html/report-lanes.js.inc"
};

const struct page_file page_css = { css, sizeof(css) };
const struct page_file page_common_js = { common_js, sizeof(common_js) };
const struct page_file page_timeline_js = { timeline_js, sizeof(timeline_js) };
const struct page_file page_flamegraph_js = { flamegraph_js, sizeof(flamegraph_js) };
const struct page_file page_report_js = { report_js, sizeof(report_js) };

static void add_file(struct markup *m, const struct page_file *f)
{
	strbuf_add(&m->text, f->text, f->len);
}

/* nothing may be loaded from anywhere: texts of the data cannot change that */
void page_begin(struct markup *m, const char *title)
{
	strbuf_addstr(&m->text,
		      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		      "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
		      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		      "<link rel=\"icon\" href=\"data:,\">\n<title>");
	markup_add_text(&m->text, title);
	strbuf_addstr(&m->text, "</title>\n<style>\n");
	add_file(m, &page_css);
	strbuf_addstr(&m->text, "</style>\n</head>\n<body>\n"
		      "<noscript>This page needs JavaScript; it loads nothing from elsewhere.</noscript>\n"
		      "<script type=\"application/json\" id=\"data\">\n");
}

/* a "<" could end the element that holds the data */
void page_add_string(struct strbuf *out, const char *s)
{
	size_t from = out->len;
	struct strbuf copy = STRBUF_INIT;

	json_add_string(out, s);
	if (!memchr(out->buf + from, '<', out->len - from))
		return;
	strbuf_add(&copy, out->buf + from, out->len - from);
	strbuf_setlen(out, from);
	for (size_t i = 0; i < copy.len; i++)
		if (copy.buf[i] == '<')
			strbuf_addstr(out, "\\u003c");
		else
			strbuf_addch(out, copy.buf[i]);
	strbuf_release(&copy);
}

void page_add_facts(struct strbuf *out, const struct view_facts *facts, const char *const *note, size_t nr)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addstr(out, "\"facts\":[");
	vec_foreach(facts, f) {
		strbuf_reset(&text);
		if (f->value.type == VIEW_LIST || f->value.type == VIEW_OBJECT)
			json_add_value(&text, &f->value);
		else
			view_value_text(&f->value, 2, &text);
		strbuf_addstr(out, f == facts->v ? "[" : ",\n[");
		page_add_string(out, f->key);
		strbuf_addch(out, ',');
		page_add_string(out, strbuf_str(&text));
		strbuf_addch(out, ']');
	}
	strbuf_addstr(out, "],\n\"notes\":[");
	for (size_t i = 0; i < nr; i++) {
		strbuf_addstr(out, i ? ",\n" : "");
		page_add_string(out, note[i]);
	}
	strbuf_addstr(out, "]");
	strbuf_release(&text);
}

void page_end(struct markup *m, const struct page_file *script, const struct page_file *more)
{
	strbuf_addstr(&m->text, "\n</script>\n<script>\n\"use strict\";\n");
	add_file(m, &page_common_js);
	add_file(m, script);
	if (more)
		add_file(m, more);
	strbuf_addstr(&m->text, "</script>\n</body>\n</html>\n");
}
