/* Kvm view: the table, in the layout that upstream's users know, and totals. */
#include "kvm.h"

#include <string.h>
#include "../base/maths.h"
#include "../fields/file-facts.h"

#define REASON_NAME 28
const char *kvm_exit_name(const struct kvm_key *key)
{
	static const struct {
		u64 code;
		u32 isa;
		char name[REASON_NAME];
	} reasons[] = {
#define REASON(isa, code, name) { code, KVM_##isa + FITS(name, REASON_NAME), name },
#include "exit-reasons.def"
#undef REASON
	};

	for (u32 i = 0; i < ARRAY_SIZE(reasons); i++)
		if (reasons[i].isa == key->kind && reasons[i].code == key->value)
			return reasons[i].name;
	return NULL;
}

#define GET(type, name, value) \
	static type name(const void *row) { const struct kvm_row *e = row; return value; }
GET(const char *, row_name, e->name)
GET(const char *, row_mean_text, e->mean_text)
GET(u64, row_nr, e->nr)
GET(u64, row_total, e->total)
GET(u64, row_min, e->min)
GET(u64, row_max, e->max)
GET(double, row_mean, e->mean)
GET(double, row_samples_share, e->samples_share)
GET(double, row_time_share, e->time_share)
GET(double, row_error, e->error)
GET(u64, row_tie, e->key.value << 1 | (e->key.kind & 1))

static void format_us(u64 ns, struct strbuf *out)
{
	strbuf_addf(out, "%.2fus", ns / 1e3);
}

#define VALUES .forms = VIEW_FORM_SEPARATED | VIEW_FORM_VALUES
#define NAME(event, title) \
	{ VIEW_COUNT("name", title, VIEW_TEXT, 38), .tables = 1u << event, .text = row_name }
static const struct view_field columns[] = {
	NAME(KVM_VMEXIT, "VM-EXIT"), NAME(KVM_MMIO, "MMIO Access"), NAME(KVM_IOPORT, "IO Port Access"),
	NAME(KVM_MSR, "MSR Access"),
	{ VIEW_COUNT("sample", "Samples", VIEW_NUMBER, 9), .number = row_nr },
	{ VIEW_COUNT("percent_sample", "Samples%", VIEW_SHARE, 8), .decimals = 2, .real = row_samples_share },
	{ VIEW_COUNT("time", "Time", VIEW_TIME, 0), VALUES, .number = row_total },
	{ VIEW_COUNT("percent_time", "Time%", VIEW_SHARE, 8), .decimals = 2, .real = row_time_share },
	{ VIEW_COUNT("min_t", "Min Time", VIEW_TIME, 10), .number = row_min, .format = format_us },
	{ VIEW_COUNT("max_t", "Max Time", VIEW_TIME, 10), .number = row_max, .format = format_us },
	{ VIEW_COUNT("mean_t", "Avg time", VIEW_REAL, 0), VALUES, .decimals = 1, .real = row_mean },
	{ VIEW_COUNT("error", "Error", VIEW_SHARE, 0), VALUES, .decimals = 2, .real = row_error },
	{ .column = { .name = "mean_t", .title = "  Avg time", .type = VIEW_TEXT, .no_pad = true },
	  .forms = VIEW_FORM_TEXT, .text = row_mean_text },
};

int kvm_sort_parse(struct view_sort *sort, const char *keys, struct err *err)
{
	sort->tie = row_tie;
	return view_sort_parse(sort, columns, ARRAY_SIZE(columns), keys, err);
}

/* "HLT", "UNKNOWN:99", "0xfee00000:W", "0x3f8:POUT" */
static void name_key(enum kvm_event event, const struct kvm_key *key, struct strbuf *out)
{
	static const char *const access[KVM_NR_EVENTS][2] = {
		[KVM_MMIO] = { "R", "W" }, [KVM_IOPORT] = { "PIN", "POUT" }, [KVM_MSR] = { "R", "W" },
	};
	struct kvm_key base = *key;

	if (event != KVM_VMEXIT) {
		strbuf_addf(out, "%#lx:%s", key->value, access[event][key->kind != 0]);
		return;
	}
	if (key->kind == KVM_VMX)
		base.value &= ~(u64)KVM_VMX_FAILED;
	if (kvm_exit_name(&base))
		strbuf_addstr(out, kvm_exit_name(&base));
	else
		strbuf_addf(out, "UNKNOWN:%lu", base.value);
	if (base.value != key->value)
		strbuf_addstr(out, ",FAILED_VMENTRY");
}

/* of the mean, in percent of it */
static double error_of(const struct kvm_row *r)
{
	double nr = (double)r->nr;

	return r->nr > 1 && r->mean > 0 ? 100 * maths_sqrt(r->squares / (nr - 1) / nr) / r->mean : 0;
}

static void finish_rows(struct kvm *k, struct view *v, u64 nr, u64 total)
{
	struct strbuf text = STRBUF_INIT;

	vec_foreach(&k->row, r) {
		r->samples_share = nr ? 100.0 * (double)r->nr / (double)nr : 0;
		r->time_share = total ? 100.0 * (double)r->total / (double)total : 0;
		r->error = error_of(r);
		strbuf_reset(&text);
		name_key(k->opts->event, &r->key, &text);
		r->name = arena_strdup(&v->arena, strbuf_str(&text));
		strbuf_reset(&text);
		strbuf_addf(&text, "%8.2fus ( +- %6.2f%% )", r->mean / 1e3, r->error);
		r->mean_text = arena_strdup(&v->arena, strbuf_str(&text));
	}
	strbuf_release(&text);
}

static void add_totals(struct view *v, u64 nr, u64 total)
{
	struct view_summary *b = view_add_summary(v, "summary", NULL);

	view_add_number(b, "samples", "Total Samples:", nr)->after = ", ";
	*view_add_number(b, "time-us", "", 0) = (struct view_words){
		"time-us", { .type = VIEW_REAL, .real = (double)total / 1e3 }, 2,
		"Total events handled time:", "us.\n" };
}

static void add_losses(const struct kvm *k, struct view *v, u32 form)
{
	bool all = form == VIEW_FORM_VALUES, exits = k->opts->event == KVM_VMEXIT;
	u64 no_end = k->nr_no_end, lost = tracing_nr_lost(k->session);
	struct view_summary *b;

	vec_foreach(&k->thread, t)
		no_end += !k->opts->live && t->state == (exits ? KVM_EXITED : KVM_ACCESSED) &&
			  (k->opts->vcpu == KVM_ALL_VCPUS || k->opts->vcpu == t->vcpu);
	if (!all && !k->nr_no_begin && !no_end && !lost)
		return;
	b = view_add_summary(v, "losses", NULL);
	if (no_end || all)
		view_add_number(b, "no-end", exits ? "Exits without an entry after them: " :
				"Accesses without an end of their own: ", no_end)->after = " (not counted)\n";
	if (k->nr_no_begin || all)
		view_add_number(b, "no-begin", exits ? "Entries without an exit before them: " :
				"Accesses without a beginning of their own: ", k->nr_no_begin)->after =
			" (not counted)\n";
	if (lost || all)
		view_add_number(b, "lost-events", "Events lost while recording: ", lost)->after =
			" (the numbers above are too small)\n";
}

static void add_head(const struct kvm *k, struct view *v)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addstr(&text, "Events of ");
	if (k->opts->pids)
		strbuf_addf(&text, "pid(s) %s", k->opts->pids);
	else
		strbuf_addstr(&text, "all VMs");
	if (k->opts->vcpu == KVM_ALL_VCPUS)
		strbuf_addstr(&text, ", all VCPUs");
	else
		strbuf_addf(&text, ", VCPU %u", k->opts->vcpu);
	vec_push(&v->head, arena_strdup(&v->arena, strbuf_str(&text)));
	strbuf_release(&text);
}

struct view *kvm_view(struct kvm *k, u32 form)
{
	static const char *const names[] = { "vmexit", "mmio", "ioport", "msr" };
	static const struct view_look plain = { .kind = VIEW_LOOK_PLAIN };
	struct view_sort sort = k->opts->sort;
	struct view *v = xcalloc(1, sizeof(*v));
	u64 nr = 0, total = 0;

	v->name = "kvm";
	v->tables = "tables";
	file_facts(&v->fact, &v->arena, k->session);
	vec_foreach(&k->row, r) {
		nr += r->nr;
		total += r->total;
	}
	finish_rows(k, v, nr, total);
	if (!sort.nr)
		kvm_sort_parse(&sort, "sample", NULL);
	view_sort_rows(&sort, k->row.v, k->row.nr, sizeof(*k->row.v));
	add_head(k, v);
	view_add_rows(v, &(struct view_rows){
			.field = columns, .nr_fields = ARRAY_SIZE(columns), .form = form,
			.table = 1u << k->opts->event, .row = k->row.v, .nr = k->row.nr,
			.size = sizeof(*k->row.v), .limit = UINT64_MAX, .look = &plain
		})->name = names[k->opts->event];
	add_totals(v, nr, total);
	add_losses(k, v, form);
	return v;
}
