/* Counting by symbol: the same answers as counting by address, for all kinds of addresses. */
#include "test.h"
#include "../../util/event/record-type.h"

#include <stdio.h>
#include <string.h>
#include "../../ui/format.h"
#include "../../ui/text.h"
#include "../../util/base/strbuf.h"
#include "../../util/fields/sample-filter.h"
#include "../../util/hist/collect.h"
#include "../../util/hist/report-view.h"
#include "../../util/hist/sort-order.h"
#include "mini-elf.h"

#define HOST_IS_BE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define HEADER 104u
#define ATTR 64u
#define MAPPED 0x400000u
#define NR_SAMPLES 3000u
#define MAX_CALLERS 6u

/* neighbours, gaps, and one symbol inside another */
static const struct mini_sym symbols[] = {
	{ "first", 0x1000, 0x40, STB_GLOBAL, STT_FUNC },
	{ "second", 0x1040, 0x40, STB_GLOBAL, STT_FUNC },
	{ "outer", 0x1100, 0x100, STB_GLOBAL, STT_FUNC },
	{ "inner", 0x1140, 0x20, STB_LOCAL, STT_FUNC },
	{ "last", 0x1f00, 0x80, STB_GLOBAL, STT_FUNC },
	{ NULL },
};

static void put(struct strbuf *b, u64 v, u32 bytes)
{
	u8 raw[8];

	for (u32 i = 0; i < bytes; i++)
		raw[i] = v >> 8 * (HOST_IS_BE ? bytes - 1 - i : i);
	strbuf_add(b, (const char *)raw, bytes);
}

static void put_head(struct strbuf *b, u32 type, u32 size)
{
	put(b, type, 4);
	put(b, CPUMODE_USER, 2);
	put(b, size, 2);
}

static void put_map(struct strbuf *b, u32 pid)
{
	put_head(b, REC_MMAP, 8 + 8 + 24 + 16);
	put(b, pid, 4);
	put(b, pid, 4);
	put(b, MAPPED * (u64)pid, 8);
	put(b, 0x1000, 8);
	put(b, 0x3000, 8);
	strbuf_add(b, "/bin/prog\0\0\0\0\0\0", 16);
}

static u32 rnd(u64 *seed, u32 n)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(*seed >> 33) % n;
}

/* in the program, at edges of symbols more often than elsewhere; or nowhere */
static u64 some_address(u64 *seed, u32 pid)
{
	static const u16 edge[] = { 0, 0x40, 0x80, 0x100, 0x140, 0x160, 0x200, 0xf00, 0xf80, 0xfff };
	u32 at = rnd(seed, 2) ? rnd(seed, 0x1000) : edge[rnd(seed, ARRAY_SIZE(edge))] + rnd(seed, 3);

	return rnd(seed, 8) ? MAPPED * (u64)pid + MIN(at, 0xfffu) : 0x10000 + rnd(seed, 50);
}

static void put_sample(struct strbuf *b, u64 *seed)
{
	u32 pid = 1 + rnd(seed, 3), nr = rnd(seed, MAX_CALLERS);
	u64 ip = some_address(seed, pid);

	put_head(b, REC_SAMPLE, 8 + 8 + 8 + 8 + 8 * (2 + nr));
	put(b, ip, 8);
	put(b, pid, 4);
	put(b, pid, 4);
	put(b, 2 + nr, 8);
	put(b, CHAIN_USER, 8);
	put(b, ip, 8);
	for (u32 i = 0; i < nr; i++)
		put(b, some_address(seed, pid), 8);
}

static void write_file(const char *path)
{
	struct strbuf b = STRBUF_INIT, data = STRBUF_INIT;
	u64 seed = 1;
	FILE *out;

	for (u32 pid = 1; pid <= 3; pid++)
		put_map(&data, pid);
	for (u32 i = 0; i < NR_SAMPLES; i++)
		put_sample(&data, &seed);
	strbuf_add(&b, HOST_IS_BE ? "2ELIFREP" : "PERFILE2", 8);
	put(&b, HEADER, 8);
	put(&b, ATTR + 16, 8);
	put(&b, HEADER, 8);
	put(&b, ATTR + 16, 8);
	put(&b, HEADER + ATTR + 16, 8);
	put(&b, data.len, 8);
	strbuf_pad(&b, '\0', 48);
	put(&b, 1, 4);
	put(&b, ATTR, 4);
	put(&b, 0, 8);
	put(&b, 1000, 8);
	put(&b, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN, 8);
	strbuf_pad(&b, '\0', 8 + 8 + 16 + 16);
	out = fopen(path, "w");
	REQUIRE(out);
	fwrite(b.buf, 1, b.len, out);
	fwrite(data.buf, 1, data.len, out);
	fclose(out);
	strbuf_release(&b);
	strbuf_release(&data);
}

static char *whole_file(const char *path)
{
	struct strbuf sb = STRBUF_INIT;
	FILE *in = fopen(path, "r");
	char line[4096];

	REQUIRE(in);
	while (fgets(line, sizeof(line), in))
		strbuf_addstr(&sb, line);
	fclose(in);
	return xstrdup(strbuf_str(&sb));
}

/* the folded stacks; the number of frames that were named */
static char *folded(u64 chunk_size, unsigned int jobs, size_t *ret_frames)
{
	struct session_opts so = { .data.path = "x.data", .sym = SYM_OPTS_INIT, .chunk_size = chunk_size,
				   .jobs = jobs };
	struct hist_opts ho = { .chains = true, .max_stack = 127, .inlines = true, .chain = CHAIN_OPTS_INIT,
				.join_unnamed = true };
	struct sort_spec spec = { .sort = "comm", .show_total_period = true };
	struct sample_filter filter = { 0 };
	struct report_view_opts vo = { .tables_only = true, .filter = &filter };
	struct text_opts to = { 0 };
	struct sort_order order;
	struct session *s = NULL;
	struct err err = ERR_INIT;
	struct hist *h;
	struct view *v;
	char *text;

	so.sym.symfs = "root";
	REQUIRE(!session_open(&s, &so, &err));
	REQUIRE(!sort_order_parse(&order, &spec, &err));
	ho.chain.mode = CHAIN_MODE_FOLDED;
	ho.chain.min_percent = 0;
	sort_order_keys(&order, &ho);
	vo.order = &order;
	h = hist_collect(s, &ho);
	*ret_frames = h->names.frame.nr;
	v = report_view(h, &vo);
	to.pool = s->pool;
	CHECK_INT(format_view_file("folded", v, &to, "x.txt", &err), 0);
	text = whole_file("x.txt");
	view_free(v);
	hist_free(h);
	session_close(s);
	return text;
}

TEST(counting_by_symbol)
{
	struct mini_elf e = { .text_svma = 0x1000, .text_off = 0x3000, .sym = symbols };
	size_t nr_exact, nr;
	char *want, *got;

	mini_elf_write("root/bin/prog", &e);
	write_file("x.data");
	want = folded(0, 1, &nr_exact);
	CHECK(strstr(want, ";outer;"));
	for (unsigned int jobs = 1; jobs <= 3; jobs++) {
		got = folded(2000, jobs, &nr);
		CHECK_STR(got, want);
		CHECK(nr < nr_exact / 8);
		free(got);
	}
	free(want);
}
