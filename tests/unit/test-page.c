/* Unit tests of manual pages as plain text and HTML. */
#include "test.h"
#include "../../util/cli/page.h"

static void check_page(const char *source, const char *options, int width, const char *want)
{
	struct strbuf out = STRBUF_INIT;

	page_text(&out, source, options, width);
	CHECK_STR(strbuf_str(&out), want);
	strbuf_release(&out);
}

TEST(sections_and_paragraphs_are_wrapped)
{
	check_page("= perf-x(1)\n\n== NAME\nperf-x - one two\nthree four\n\n=== More\nä ö\n\n// comment\n"
		   "== END\n", NULL, 24,
		   "NAME\n       perf-x - one two\n       three four\n\n   More\n       ä ö\n\nEND\n");
}

TEST(marks_are_taken_away_and_only_marks)
{
	check_page("`a_b *c` 'perf x' _y_ *z* don't 2*3*4 a_b_c \\-- pass:c[--x[=<y>\\]] `open\n", NULL, 90,
		   "       a_b *c perf x y z don't 2*3*4 a_b_c -- --x[=<y>] `open\n");
}

TEST(literal_lines_and_verses_stay)
{
	check_page("Text:\n\n\tperf a   -- b\n\t\tc::\n\n[verse]\n'perf' a\n'perf' b\n\n----\n* no item\n"
		   "----\n", NULL, 80, "       Text:\n\n           perf a   -- b\n                   c::\n\n"
		   "       perf a\n       perf b\n\n           * no item\n");
}

TEST(lists_and_terms)
{
	check_page("* one\ntwo\n** inner\n- three\n\n. first\n. second\n\na::\nb::\n\ttext of\n\tboth\n"
		   "c:: its text\n\nend a::b\n", NULL, 80, "       - one two\n           - inner\n"
		   "       - three\n\n       1. first\n       2. second\n\n"
		   "       a, b\n           text of both\n       c\n           its text\n\n"
		   "       end a::b\n");
}

TEST(options_take_the_place_of_their_line)
{
	check_page("== OPTIONS\n// options\n\n== END\n",
		   "pass:c[-a]::\npass:c[--all]::\n\tpass:c[take * all]\n", 80,
		   "OPTIONS\n       -a, --all\n           take * all\n\nEND\n");
}

static void check_roff(const char *source, const char *options, const char *want)
{
	struct strbuf out = STRBUF_INIT;

	page_roff(&out, source, options);
	CHECK_STR(strbuf_str(&out), want);
	strbuf_release(&out);
}

TEST(roff_has_headings_and_indents)
{
	check_roff("= perf-x(1)\n\n== NAME\nperf-x - one\n\ttwo\n\n=== More\n\n* item\n\n"
		   "== OPTIONS\n// options\n",
		   "pass:c[-a]::\n\tpass:c[take * all]\n",
		   ".TH \"perf\\-x\" 1 \"\" perf \"perf Manual\"\n.nh\n.ad l\n.SH \"NAME\"\n.in 7n\n.ti 7n\n"
		   "perf\\-x \\- one two\n.SS \"More\"\n.in 9n\n.ti 7n\n\\- item\n.SH \"OPTIONS\"\n"
		   ".in 11n\n.ti 7n\n\\-a\n.in 11n\n.ti 11n\ntake * all\n");
}

TEST(roff_shows_requests_and_escapes_as_text)
{
	check_roff("`a\\b` _c_ 'd'\n.so x\n\n\t.so /etc\n\t\n\t'so \\n \"\n\nend\n", NULL,
		   ".in 7n\n.ti 7n\n\\fBa\\(rsb\\fR \\fIc\\fR \\fId\\fR \\&.so x\n"
		   ".sp\n.in 11n\n.nf\n\\&.so /etc\n\\&\n\\(aqso \\(rsn \\(dq\n.fi\n"
		   ".sp\n.in 7n\n.ti 7n\nend\n");
}

TEST(html_shows_what_the_page_says_and_nothing_else)
{
	struct strbuf out = STRBUF_INIT;
	const char *body;

	page_html(&out, "= perf-x(1) <a>\n\n== THE NAME\n`a<b>` _c&d_ \"e\"\n\n\tif <x>\n\t\t&\n\n"
		  "t::\n\ttext\n", NULL);
	CHECK(strstr(strbuf_str(&out), "<title>perf-x(1) &lt;a&gt;</title>"));
	body = strstr(strbuf_str(&out), "<h2");
	CHECK_STR(body ? body : "",
		  "<h2 id=\"the-name\">THE NAME</h2>\n"
		  "<p style=\"margin-left:0ch;text-indent:0ch\"><code>a&lt;b&gt;</code> <em>c&amp;d</em> "
		  "&quot;e&quot;</p>\n"
		  "<pre>if &lt;x&gt;\n        &amp;\n</pre>\n"
		  "<p class=\"apart\" style=\"margin-left:4ch;text-indent:-4ch\">t</p>\n"
		  "<p style=\"margin-left:4ch;text-indent:0ch\">text</p>\n</body>\n</html>\n");
	strbuf_release(&out);
}
