/* net_dropmonitor: where the kernel drops packets. */
#include "analysis.h"
#include "tally.h"

struct packet_drops {
	struct analysis_run run;
	struct tally_table place;		/* by address */
};

enum { LOCATION };
static const struct tracing_field drop_fields[] = { { .name = "location" }, { .name = NULL } };

static void handle(void *ctx, const struct tracing_sample *ts)
{
	struct packet_drops *d = ctx;

	tally_at(&d->place, ts->value[LOCATION], 0, 0, 0)->n[0]++;
}

static const struct view_field columns[] = {
	{ VIEW_COUNT("location", "LOCATION", VIEW_TEXT, 25), .text = tally_name },
	{ VIEW_COUNT("offset", "OFFSET", VIEW_NUMBER, 25), .number = tally_n1 },
	{ VIEW_COUNT("count", "COUNT", VIEW_NUMBER, 25), .number = tally_n0 },
};

static void name_row(struct packet_drops *d, struct resolver *r, struct tally_row *row)
{
	const struct sample_ctx at_end = { .when = WHEN_END };
	struct kernel_name found;

	row->rank[0] = row->n[0];
	row->rank[1] = ~row->key[0];
	row->name = analysis_text(&d->run, "%#lx", row->key[0]);
	if (!kernel_name_find(r, &at_end, row->key[0], &d->run.arena, &found))
		return;
	row->name = analysis_safe_name(&d->run, found.name);
	row->n[1] = row->key[0] - found.start;
}

static void view(void *ctx, struct view *v)
{
	struct packet_drops *d = ctx;
	struct resolver r;

	kernel_names_load(d->run.session);
	resolver_init(&r, d->run.session, &d->run.arena);
	vec_foreach(&d->place, row)
		name_row(d, &r, row);
	resolver_release(&r);
	tally_sort(&d->place);
	analysis_add_tally(&d->run, v, "drops", NULL, columns, ARRAY_SIZE(columns), &d->place);
}

static void release(void *ctx)
{
	struct packet_drops *d = ctx;

	tally_release(&d->place);
}

static const struct tracing_row rows[] = {
	{ "skb:kfree_skb", drop_fields, handle, false },
};
const struct analysis_ops analysis_net_dropmonitor = {
	.size = sizeof(struct packet_drops), .row = rows, .nr_rows = ARRAY_SIZE(rows), .kernel_names = true,
	.view = view, .release = release,
};
