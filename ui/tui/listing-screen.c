/* Listing screen: the code of a function, with what was counted at each instruction. */
#include "listing-screen.h"
#include "../../util/base/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

u32 listing_find_insn(const struct listing_screen *x, u64 addr)
{
	size_t low = LOWER_BOUND(x->insn.nr, i, x->l->line.v[x->insn.v[i]].addr < addr);

	return low < x->insn.nr && x->l->line.v[x->insn.v[low]].addr == addr ? x->insn.v[low] : UINT32_MAX;
}

/* selects a line of the listing, or the next one that is shown */
static void go_to_line(struct listing_screen *x, u32 line)
{
	for (u64 i = 0; i < x->shown.nr; i++)
		if (x->shown.v[i] >= line) {
			x->s.list.at = i;
			return;
		}
}

static const struct listing_line *selected_line(const struct listing_screen *x)
{
	return x->s.list.at < x->shown.nr ? &x->l->line.v[x->shown.v[x->s.list.at]] : NULL;
}

static void update(struct listing_screen *x)
{
	const struct listing_line *old = selected_line(x);

	x->shown.nr = 0;
	for (u32 i = 0; i < x->l->line.nr; i++)
		if (x->source || x->l->line.v[i].kind == LISTING_INSN)
			vec_push(&x->shown, i);
	x->s.list.nr = x->shown.nr;
	if (old)
		go_to_line(x, (u32)(old - x->l->line.v));
}

/* ---- hot lines ---- */

/* the hottest instruction that is less hot than a line; of equal ones, the next in the listing */
static u32 next_hot(const struct listing_screen *x, u32 after, bool forward)
{
	double last = after == UINT32_MAX ? forward ? 1e300 : -1 :
		      listing_line_percent(x, &x->l->line.v[after]), best = 0;
	u32 ret = UINT32_MAX;

	vec_foreach(&x->insn, at) {
		double p = listing_line_percent(x, &x->l->line.v[*at]);
		bool behind = forward ? p < last || (p == last && *at > after && after != UINT32_MAX) :
			      p > last || (p == last && *at < after);
		bool better = ret == UINT32_MAX || (forward ? p > best : p < best || p == best);

		if (p > 0 && behind && better && *at != after) {
			best = p;
			ret = *at;
		}
	}
	return ret;
}

static void turn_hot(struct tui *t, struct listing_screen *x, bool forward)
{
	const struct listing_line *line = selected_line(x);
	u32 at = line && line->kind == LISTING_INSN && listing_line_percent(x, line) > 0 ?
		 (u32)(line - x->l->line.v) : UINT32_MAX;
	u32 next = next_hot(x, at, forward);

	if (next == UINT32_MAX)
		next = next_hot(x, UINT32_MAX, forward);
	if (next == UINT32_MAX)
		tui_say(t, "no sample is in this function");
	else
		go_to_line(x, next);
}

static void hotter(struct tui *t, struct screen *s)
{
	turn_hot(t, (struct listing_screen *)s, false);
}

static void colder(struct tui *t, struct screen *s)
{
	turn_hot(t, (struct listing_screen *)s, true);
}

static void hottest(struct tui *t, struct screen *s)
{
	struct listing_screen *x = (struct listing_screen *)s;
	u32 at = next_hot(x, UINT32_MAX, true);

	if (at == UINT32_MAX)
		tui_say(t, "no sample is in this function");
	else
		go_to_line(x, at);
}

/* ---- following ---- */

static void follow(struct tui *t, struct screen *s)
{
	struct listing_screen *x = (struct listing_screen *)s;
	const struct listing_line *line = selected_line(x);
	struct view_answer a = { 0 };
	struct err err = ERR_INIT;
	u32 to;

	if (!line || line->kind != LISTING_INSN || !line->target) {
		tui_say(t, "this line goes nowhere that is known: select a jump or a call");
		return;
	}
	to = line->inside ? listing_find_insn(x, line->target_addr) : UINT32_MAX;
	if (to != UINT32_MAX)
		go_to_line(x, to);
	else if (!x->asker || !x->asker->follow)
		tui_say(t, "code of other functions cannot be shown here");
	else if (x->asker->follow(x->asker->ctx, x->l, line, &a, &err))
		tui_say_error(t, &err);
	else
		tui_add_listing(t, x->asker, &a, &x->opts);
}

/* ---- search ---- */

static void line_text(const struct screen *s, u64 at, struct strbuf *out)
{
	const struct listing_screen *x = (const struct listing_screen *)s;

	listing_line_text(x, &x->l->line.v[x->shown.v[at]], out);
}

/* ---- what is shown ---- */

static void toggle_source(struct tui *t, struct screen *s)
{
	struct listing_screen *x = (struct listing_screen *)s;

	x->source = !x->source;
	update(x);
	if (x->insn.nr == x->l->line.nr)
		tui_say(t, "no source lines are known of this function");
}

static void toggle_addresses(struct tui *t UNUSED, struct screen *s)
{
	struct listing_screen *x = (struct listing_screen *)s;

	x->addresses = !x->addresses;
	x->opts.bytes = x->addresses;
}

static void turn_offsets(struct tui *t, struct screen *s)
{
	static const char *const names[] = { "jump targets", "jump targets and calls", "all instructions" };
	struct listing_screen *x = (struct listing_screen *)s;

	x->offsets = (x->offsets + 1) % NR_LISTING_OFFSETS;
	tui_say(t, "offsets: %s", names[x->offsets]);
}

static void turn_column(struct tui *t UNUSED, struct screen *s)
{
	struct listing_screen *x = (struct listing_screen *)s;

	x->column = (x->column + 1) % NR_LISTING_COLUMNS;
	x->opts.period = x->column == LISTING_PERIOD;
	x->opts.nr_samples = x->column == LISTING_SAMPLES;
}

static void toggle_arrows(struct tui *t UNUSED, struct screen *s)
{
	((struct listing_screen *)s)->arrows ^= true;
}

static void toggle_sources(struct tui *t UNUSED, struct screen *s)
{
	((struct listing_screen *)s)->sources ^= true;
}

static void toggle_numbers(struct tui *t UNUSED, struct screen *s)
{
	((struct listing_screen *)s)->numbers ^= true;
}

static void toggle_types(struct tui *t, struct screen *s)
{
	struct listing_screen *x = (struct listing_screen *)s;
	bool any = false;

	vec_foreach(&x->l->line, line)
		any |= line->data_type != NULL;
	x->no_types ^= true;
	if (!any)
		tui_say(t, "no types of data: perf annotate --code-with-type finds them");
}

/* the order of enum listing_share: local before global, period before hits */
static void turn_share(struct tui *t, struct screen *s, enum listing_share by)
{
	struct listing_screen *x = (struct listing_screen *)s;

	x->opts.share ^= by;
	tui_say(t, "percent: %s%s", listing_share_name(x->opts.share),
		x->column == LISTING_PERCENT ? "" : " (t shows them)");
}

static void toggle_local(struct tui *t, struct screen *s)
{
	turn_share(t, s, LISTING_GLOBAL_PERIOD);
}

static void toggle_hits(struct tui *t, struct screen *s)
{
	turn_share(t, s, LISTING_LOCAL_HITS);
}

/* ---- files ---- */

static int write_listing(const struct listing_screen *x, const char *path)
{
	struct strbuf sb = STRBUF_INIT;
	FILE *f = fopen(path, "wxe");
	int ret = 0;

	if (!f)
		return -1;
	listing_format_find("stdio2")->show(x->l, &x->opts, &sb);
	if (fwrite(strbuf_str(&sb), 1, sb.len, f) != sb.len)
		ret = -1;
	if (fclose(f))
		ret = -1;
	strbuf_release(&sb);
	return ret;
}

static void write_done(struct tui *t, void *ctx, const char *path)
{
	if (!path || !*path)
		return;
	if (write_listing(ctx, path))
		tui_say(t, "cannot write %s: %m", path);
	else
		tui_say(t, "written to %s", path);
}

static void ask_file(struct tui *t, struct screen *s)
{
	struct listing_screen *x = (struct listing_screen *)s;
	struct strbuf name = STRBUF_INIT;

	for (const char *p = x->l->symbol; *p && name.len < 100; p++)
		strbuf_addch(&name, *p == '/' || (u8)*p < ' ' ? '_' : *p);
	strbuf_addstr(&name, ".annotation");
	prompt_open(t, &(struct prompt){ .label = "Write text to file", .text = strbuf_str(&name),
					 .done = write_done, .ctx = x });
	strbuf_release(&name);
}

/* ---- the screen ---- */

static void release(struct screen *s)
{
	struct listing_screen *x = (struct listing_screen *)s;

	vec_release(&x->shown);
	vec_release(&x->insn);
	free(x->nr_sources);
	if (x->asker && x->asker->drop)
		x->asker->drop(x->asker->ctx, &x->a);
}

static const struct tui_key listing_keys[] = {
	{ "ENTER", "follow the jump or call (q: back)", follow },
	{ "H", "go to the hottest instruction", hottest },
	{ "TAB", "go to the next hot instruction", colder },
	{ "shift-TAB", "go to the previous hot instruction", hotter },
	{ "s", "show source lines, or not", toggle_source },
	{ "k", "show line numbers of source lines, or not", toggle_numbers },
	{ "o", "show addresses and bytes, or offsets of jump targets", toggle_addresses },
	{ "O", "offsets of jump targets, of calls, too, or of all", turn_offsets },
	{ "t", "show percent, periods or samples", turn_column },
	{ "p", "percent of this function or of all functions", toggle_local },
	{ "b", "percent of periods or of samples", toggle_hits },
	{ "j", "show where the selected jump goes, or not", toggle_arrows },
	{ "J", "show how many jumps go to a target, or not", toggle_sources },
	{ "T", "show types of data (--code-with-type), or not", toggle_types },
	{ "P", "write the code as text to a file", ask_file },
	{ 0 }
};

static const struct tui_key *const keys[] = { listing_keys, search_keys, list_keys, screen_keys, NULL };
static const struct screen_kind kind = {
	"Keys of code", keys, .draw = listing_draw, .line = line_text, .release = release,
};

static void count_sources(struct listing_screen *x)
{
	x->nr_sources = xcalloc(x->l->line.nr + 1, sizeof(*x->nr_sources));
	vec_foreach(&x->insn, at) {
		const struct listing_line *line = &x->l->line.v[*at];
		u32 to = line->inside && line->arrow != LISTING_CALL ?
			 listing_find_insn(x, line->target_addr) : UINT32_MAX;

		if (to != UINT32_MAX)
			x->nr_sources[to]++;
	}
}

static void take_listing(struct listing_screen *x, const struct view_answer *a)
{
	x->a = *a;
	x->l = a->listing;
	x->insn.nr = 0;
	for (u32 i = 0; i < x->l->line.nr; i++)
		if (x->l->line.v[i].kind == LISTING_INSN)
			vec_push(&x->insn, i);
	free(x->nr_sources);
	count_sources(x);
}

static void go_to_hottest(struct listing_screen *x)
{
	u32 hot = next_hot(x, UINT32_MAX, true);

	if (hot != UINT32_MAX)
		go_to_line(x, hot);
}

void tui_add_listing(struct tui *t, const struct view_asker *asker, struct view_answer *a,
		     const struct listing_opts *opts)
{
	struct listing_screen *x = screen_push(t, &kind, sizeof(*x));

	x->asker = asker;
	x->opts = *opts;
	x->opts.color = false;
	x->column = opts->period ? LISTING_PERIOD : opts->nr_samples ? LISTING_SAMPLES : LISTING_PERCENT;
	x->addresses = opts->bytes;
	x->source = x->arrows = true;
	take_listing(x, a);
	update(x);
	go_to_hottest(x);
}

/* its code is the same: the selected line stays; the first hits are worth a look */
static void renew(struct listing_screen *x)
{
	bool was_cold = next_hot(x, UINT32_MAX, true) == UINT32_MAX;
	u32 line = x->s.list.at < x->shown.nr ? x->shown.v[x->s.list.at] : 0;
	struct view_answer old = x->a, a = { 0 };

	if (!x->asker || !x->asker->renew || !x->asker->renew(x->asker->ctx, x->l, &a))
		return;
	x->shown.nr = 0;
	take_listing(x, &a);
	update(x);
	go_to_line(x, line);
	if (was_cold)
		go_to_hottest(x);
	x->asker->drop(x->asker->ctx, &old);
}

void tui_renew_listings(struct tui *t)
{
	for (struct screen *s = t->top; s; s = s->below)
		if (s->kind == &kind)
			renew((struct listing_screen *)s);
}
