/* Manual pages as plain text, as roff, and as HTML. */
#include "page.h"
#include "../base/units.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
	INDENT = 7,	/* of text in a section, as man(1) shows it */
	STEP = 4,	/* of a list item's or a term's text */
};

enum page_form { FORM_TEXT, FORM_ROFF, FORM_HTML };

struct page {
	enum page_form form;
	struct strbuf *out;
	struct strbuf text;	/* the paragraph so far, with its markup */
	struct strbuf clean;	/* without its markup */
	int width;
	int first, rest;	/* indent of the paragraph's first line and of the others */
	/* columns by which the lines of a literal paragraph are indented in the source */
	int literal_indent;
	int number;		/* of the last item of a numbered list */
	bool open;		/* a paragraph, an item or a term continues on the next line */
	bool term;		/* the text is a term, to which another one may be joined */
	bool literal, verse, fence, attached;
	bool blank, heading;	/* roff: an empty line is due; nothing follows the heading yet */
};

/* --- text inside a paragraph */

/* where the span ends that begins at s with a mark, or NULL: marks are at the borders of words */
static const char *span_end(const char *begin, const char *s)
{
	char mark = *s;

	if (mark != '`' && s > begin && (isalnum((unsigned char)s[-1]) || s[-1] == '_'))
		return NULL;
	if (!s[1] || isspace((unsigned char)s[1]))
		return NULL;
	for (const char *end = s + 2; *end; end++)
		if (*end == mark && (mark == '`' || (!isspace((unsigned char)end[-1]) &&
						     !isalnum((unsigned char)end[1]) && end[1] != '_')))
			return end;
	return NULL;
}

static const char *roff_escape(char ch)
{
	switch (ch) {
	case '\\': return "\\(rs";
	case '-': return "\\-";
	case '\'': return "\\(aq";
	case '`': return "\\(ga";
	case '^': return "\\(ha";
	case '~': return "\\(ti";
	case '"': return "\\(dq";
	case '.': return "\\&.";
	default: return NULL;
	}
}

static const char *html_escape(char ch)
{
	switch (ch) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '"': return "&quot;";
	default: return NULL;
	}
}

/* as text, or so that roff or HTML shows these bytes and nothing else: options can be copied from the page */
static void add_shown(const struct page *p, struct strbuf *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const char *escape = p->form == FORM_ROFF ? roff_escape(s[i]) :
				     p->form == FORM_HTML ? html_escape(s[i]) : NULL;

		if (escape)
			strbuf_addstr(out, escape);
		else
			strbuf_addch(out, s[i]);
	}
}

/* pass:c[TEXT], in which \] is a bracket of the text; returns the address after it */
static const char *add_pass(const struct page *p, struct strbuf *out, const char *s)
{
	for (; *s && *s != ']'; s++) {
		if (s[0] == '\\' && s[1] == ']')
			s++;
		add_shown(p, out, s, 1);
	}
	return *s ? s + 1 : s;
}

/* the text of a span: _ and ' are italics, the other marks bold or, in HTML, code */
static void add_span(const struct page *p, struct strbuf *out, char mark, const char *s, size_t len)
{
	static const char *const begin[][2] = { { "", "" }, { "\\fB", "\\fI" }, { "<code>", "<em>" } };
	static const char *const end[][2] = { { "", "" }, { "\\fR", "\\fR" }, { "</code>", "</em>" } };
	bool italics = mark == '_' || mark == '\'';

	strbuf_addstr(out, begin[p->form][italics]);
	add_shown(p, out, s, len);
	strbuf_addstr(out, end[p->form][italics]);
}

static void add_clean(const struct page *p, struct strbuf *out, const char *text)
{
	const char *end;

	for (const char *s = text; *s;) {
		if (!strncmp(s, "pass:c[", 7)) {
			s = add_pass(p, out, s + 7);
		} else if (strchr("`'_*", *s) && (end = span_end(text, s))) {
			add_span(p, out, *s, s + 1, end - s - 1);
			s = end + 1;
		} else {
			s += !strncmp(s, "\\--", 3);
			add_shown(p, out, s++, 1);
		}
	}
}

/* columns of len bytes of UTF-8 */
static int columns(const char *s, size_t len)
{
	int n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

static void add_wrapped(struct page *p, const char *s)
{
	int column = p->first;
	bool begun = false;

	strbuf_pad(p->out, ' ', p->first);
	while (*(s += strspn(s, " \t\n"))) {
		size_t len = strcspn(s, " \t\n");
		int wide = columns(s, len);

		if (begun && column + 1 + wide > p->width) {
			strbuf_addch(p->out, '\n');
			strbuf_pad(p->out, ' ', p->rest);
			column = p->rest;
		} else if (begun) {
			strbuf_addch(p->out, ' ');
			column++;
		}
		strbuf_add(p->out, s, len);
		column += wide;
		s += len;
		begun = true;
	}
	strbuf_addch(p->out, '\n');
}

/* roff: an empty line before the next text, except below a heading */
static void add_space(struct page *p)
{
	if (p->blank && !p->heading)
		strbuf_addstr(p->out, ".sp\n");
	p->blank = p->heading = false;
}

/*
 * man(1) and browsers make the lines of a paragraph. Joined words: in roff, a line that begins with blanks
 * would stay a line
 */
static void add_filled(struct page *p, const char *s)
{
	const char *separator = "";

	if (p->form == FORM_ROFF) {
		add_space(p);
		strbuf_addf(p->out, ".in %dn\n.ti %dn\n", p->rest, p->first);
	} else {
		strbuf_addf(p->out, "<p%s style=\"margin-left:%dch;text-indent:%dch\">",
			    p->blank ? " class=\"apart\"" : "", p->rest - INDENT, p->first - p->rest);
		p->blank = false;
	}
	while (*(s += strspn(s, " \t\n"))) {
		size_t len = strcspn(s, " \t\n");

		strbuf_addstr(p->out, separator);
		strbuf_add(p->out, s, len);
		separator = " ";
		s += len;
	}
	strbuf_addstr(p->out, p->form == FORM_HTML ? "</p>\n" : "\n");
}

/* --- lines */

static void end_paragraph(struct page *p)
{
	if (p->text.len) {
		strbuf_reset(&p->clean);
		add_clean(p, &p->clean, strbuf_str(&p->text));
		if (p->form == FORM_TEXT)
			add_wrapped(p, strbuf_str(&p->clean));
		else
			add_filled(p, strbuf_str(&p->clean));
	} else if (p->literal) {
		strbuf_addstr(p->out, p->form == FORM_ROFF ? ".fi\n" : p->form == FORM_HTML ? "</pre>\n" :
			      "");
	}
	strbuf_reset(&p->text);
	p->open = p->term = p->literal = false;
}

static void add_blank(struct page *p)
{
	size_t len = p->out->len;

	if (p->form != FORM_TEXT)
		p->blank = true;
	else if (len && !(len > 1 && p->out->buf[len - 1] == '\n' && p->out->buf[len - 2] == '\n'))
		strbuf_addch(p->out, '\n');
}

/* starts an item, a term or a paragraph */
static void begin(struct page *p, int first, int rest, const char *text, size_t len)
{
	end_paragraph(p);
	p->first = first;
	p->rest = rest;
	strbuf_add(&p->text, text, len);
	p->open = true;
}

static void add_literal(struct page *p, const char *line, size_t len)
{
	int column = 0;
	size_t i = 0;

	for (; i < len && isspace((unsigned char)line[i]); i++)
		column += line[i] == '\t' ? 8 - column % 8 : 1;
	if (!p->literal) {
		end_paragraph(p);
		p->literal_indent = column;
		p->literal = p->open = true;
		if (p->form == FORM_ROFF) {
			add_space(p);
			strbuf_addf(p->out, ".in %dn\n.nf\n", INDENT + STEP);
		} else if (p->form == FORM_HTML) {
			strbuf_addstr(p->out, "<pre>");
			p->blank = false;
		}
	}
	strbuf_pad(p->out, ' ', (p->form == FORM_TEXT ? INDENT + STEP : 0) +
				MAX(column - p->literal_indent, 0));
	if (p->form == FORM_ROFF && i == len)
		strbuf_addstr(p->out, "\\&");
	add_shown(p, p->out, line + i, len - i);
	strbuf_addch(p->out, '\n');
}

/* TERM:: and what follows it: the end of the term, or NULL */
static const char *term_end(const char *line, size_t len)
{
	for (size_t i = 1; i + 1 < len; i++)
		if (line[i] == ':' && line[i + 1] == ':' && (i + 2 == len || line[i + 2] == ' '))
			return line + i;
	return NULL;
}

static void add_term(struct page *p, const char *line, size_t len, const char *end)
{
	const char *text = end + 2;

	if (p->term) {
		strbuf_addstr(&p->text, ", ");
		strbuf_add(&p->text, line, end - line);
	} else {
		begin(p, INDENT, INDENT + STEP, line, end - line);
	}
	p->term = true;
	text += text < line + len;
	if (text < line + len)
		begin(p, INDENT + STEP, INDENT + STEP, text, line + len - text);
}

/* "* ", "- ", ". " and "** " begin items */
static bool add_item(struct page *p, const char *line, size_t len)
{
	size_t marks = strspn(line, "*");
	int indent;
	char mark[16] = "- ";

	if (!marks && (*line == '-' || *line == '.'))
		marks = 1;
	if (!marks || marks > 2 || len <= marks || line[marks] != ' ')
		return false;
	indent = INDENT + ((int)marks - 1) * STEP;
	p->number = *line == '.' ? p->number + 1 : 0;
	if (p->number)
		snprintf(mark, sizeof(mark), "%d. ", p->number);
	begin(p, indent, indent + (int)strlen(mark), mark, strlen(mark));
	strbuf_add(&p->text, line + marks + 1, len - marks - 1);
	return true;
}

static void add_roff_heading(struct page *p, size_t level, const char *text, size_t len)
{
	if (level < 2) {
		strbuf_addstr(p->out, ".TH \"");
		add_shown(p, p->out, text, strcspn(text, "(\n"));
		strbuf_addstr(p->out, "\" 1 \"\" perf \"perf Manual\"\n.nh\n.ad l\n");
		return;
	}
	strbuf_addstr(p->out, level > 2 ? ".SS \"" : ".SH \"");
	add_shown(p, p->out, text, len);
	strbuf_addstr(p->out, "\"\n");
	p->blank = false;
	p->heading = true;
}

/* with a name for links: its letters and digits */
static void add_html_heading(struct page *p, size_t level, const char *text, size_t len)
{
	int n = (int)MIN(level, 3);

	strbuf_addf(p->out, "<h%d id=\"", n);
	for (size_t i = 0; i < len; i++)
		strbuf_addch(p->out, isalnum((unsigned char)text[i]) ? tolower((unsigned char)text[i]) : '-');
	strbuf_addstr(p->out, "\">");
	add_shown(p, p->out, text, len);
	strbuf_addf(p->out, "</h%d>\n", n);
	p->blank = false;
}

static void add_section(struct page *p, const char *line, size_t len)
{
	size_t level = strspn(line, "=");

	end_paragraph(p);
	p->number = 0;
	if (p->form == FORM_ROFF)
		add_roff_heading(p, level, line + level + 1, len - level - 1);
	else if (p->form == FORM_HTML)
		add_html_heading(p, level, line + level + 1, len - level - 1);
	if (p->form != FORM_TEXT || level < 2)
		return;
	add_blank(p);
	strbuf_pad(p->out, ' ', level > 2 ? 3 : 0);
	strbuf_add(p->out, line + level + 1, len - level - 1);
	strbuf_addch(p->out, '\n');
}

static void add_text(struct page *p, const char *line, size_t len)
{
	if (p->verse && p->open) {
		begin(p, INDENT, INDENT + STEP, line, len);
	} else if (p->open && p->term) {
		begin(p, INDENT + STEP, INDENT + STEP, line, len);
	} else if (p->open && !p->literal) {
		strbuf_addch(&p->text, '\n');
		strbuf_add(&p->text, line, len);
	} else {
		begin(p, p->attached ? p->rest : INDENT, p->attached ? p->rest : INDENT, line, len);
		p->attached = false;
	}
}

static void add_line(struct page *p, const char *line, size_t len)
{
	const char *end;

	if (len == 4 && !strncmp(line, "----", 4)) {
		end_paragraph(p);
		p->fence = !p->fence;
	} else if (p->fence) {
		add_literal(p, line, len);
	} else if (!len) {
		end_paragraph(p);
		add_blank(p);
		p->verse = false;
	} else if (*line == '=' && line[MIN(strspn(line, "="), len)] == ' ') {
		add_section(p, line, len);
	} else if (!strncmp(line, "//", 2)) {
		return;
	} else if (*line == '[' && line[len - 1] == ']' && !p->open) {
		p->verse = len == 7 && !strncmp(line, "[verse]", 7);
	} else if (len == 1 && *line == '+') {
		end_paragraph(p);
		add_blank(p);
		p->attached = true;
	} else if (isspace((unsigned char)*line) && (!p->open || p->literal)) {
		add_literal(p, line, len);
	} else if (!p->verse && !isspace((unsigned char)*line) && (end = term_end(line, len))) {
		add_term(p, line, len, end);
	} else if (p->verse || !add_item(p, line, len)) {
		add_text(p, line, len);
	}
}

static void add_lines(struct page *p, const char *source, const char *options)
{
	for (const char *s = source; *s;) {
		size_t len = strcspn(s, "\n");

		if (options && len == 10 && !strncmp(s, "// options", len))
			add_lines(p, options, NULL);
		else
			add_line(p, s, len);
		s += len + (s[len] == '\n');
	}
}

static void add_page(struct page *p, const char *source, const char *options)
{
	add_lines(p, source, options);
	end_paragraph(p);
	strbuf_release(&p->text);
	strbuf_release(&p->clean);
}

void page_text(struct strbuf *out, const char *source, const char *options, int width)
{
	struct page p = { .out = out, .width = width };

	add_page(&p, source, options);
}

void page_roff(struct strbuf *out, const char *source, const char *options)
{
	struct page p = { .form = FORM_ROFF, .out = out };

	add_page(&p, source, options);
}

/* the title is that of the first heading */
void page_html(struct strbuf *out, const char *source, const char *options)
{
	struct page p = { .form = FORM_HTML, .out = out };
	const char *title = source + strspn(source, "= ");

	strbuf_addstr(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
	add_shown(&p, out, title, strcspn(title, "\n"));
	strbuf_addstr(out, "</title>\n<link rel=\"stylesheet\" href=\"manual.css\">\n</head>\n<body>\n");
	add_page(&p, source, options);
	strbuf_addstr(out, "</body>\n</html>\n");
}
