/*
 * Kvm: pairs exits of guests with the next entries, by thread. The read of a device takes from the exit to
 * the read, all other accesses from the access to the next entry.
 */
#include "kvm.h"

#include <errno.h>
#include <string.h>

#define ARM_EXCEPTION_TRAP 2u
/* of kvm:kvm_mmio; 0 is a read whose value is not known yet */
enum { MMIO_READ = 1, MMIO_WRITE = 2 };

/* ---- threads and sums ---- */

static struct kvm_thread *thread_of(struct kvm *k, s32 tid)
{
	u64 hash = hash_u64((u32)tid);

	return vec_find_or_add(&k->thread, &k->thread.idx, hash, e, e->tid == tid,
			       (struct kvm_thread){ .tid = tid, .vcpu = KVM_ALL_VCPUS });
}

static struct kvm_row *row_of(struct kvm *k, const struct kvm_key *key)
{
	u64 hash = hash_u64(key->value ^ (u64)key->kind << 62);

	return vec_find_or_add(&k->row, &k->row.idx, hash, e,
			       e->key.value == key->value && e->key.kind == key->kind,
			       (struct kvm_row){ .key = *key, .min = UINT64_MAX });
}

static bool is_kept(const struct kvm *k, const struct kvm_thread *t)
{
	return k->opts->vcpu == KVM_ALL_VCPUS || k->opts->vcpu == t->vcpu;
}

/* Welford's method: no difference of large sums */
static void add_time(struct kvm *k, struct kvm_thread *t, const struct kvm_key *key, u64 now)
{
	u64 ns = now - MIN(now, t->begin);
	struct kvm_row *r;
	double distance;

	t->state = KVM_IDLE;
	if (!is_kept(k, t))
		return;
	r = row_of(k, key);
	distance = (double)ns - r->mean;
	r->nr++;
	r->total += ns;
	r->min = MIN(r->min, ns);
	r->max = MAX(r->max, ns);
	r->mean += distance / (double)r->nr;
	r->squares += distance * ((double)ns - r->mean);
}

/* what has begun is given up: another one begins before its end was seen */
static void begin(struct kvm *k, struct kvm_thread *t, int state, const struct tracing_sample *ts)
{
	int counted = k->opts->event == KVM_VMEXIT ? KVM_EXITED : KVM_ACCESSED;

	if ((int)t->state == counted && is_kept(k, t))
		k->nr_no_end++;
	t->state = state;
	t->begin = ts->sample->time;
}

static struct kvm_thread *vcpu_of(struct kvm *k, const struct tracing_sample *ts, u32 field)
{
	struct kvm_thread *t = thread_of(k, ts->sample->tid);

	if (ts->present >> field & 1) {
		t->vcpu = (u32)ts->value[field];
		k->knows_vcpus = true;
	}
	return t;
}

/* ---- handlers ---- */

enum { ENTRY_VCPU };
static const struct tracing_field entry_fields[] = {
	{ .name = "vcpu_id", .optional = true }, { .name = NULL }
};
static void handle_entry(void *ctx, const struct tracing_sample *ts)
{
	struct kvm *k = ctx;
	struct kvm_thread *t = vcpu_of(k, ts, ENTRY_VCPU);
	bool vmexit = k->opts->event == KVM_VMEXIT;

	k->nr_entries++;
	if (t->state == (vmexit ? KVM_EXITED : KVM_ACCESSED))
		add_time(k, t, &t->key, ts->sample->time);
	else if (vmexit && t->seen && is_kept(k, t))
		k->nr_no_begin++;
	t->seen = true;
	t->state = KVM_IDLE;
}

enum { EXIT_REASON, EXIT_ISA, EXIT_CLASS, EXIT_VCPU };
static const struct tracing_field exit_fields[] = {
	{ .name = "exit_reason", .or_name = "ret" }, { .name = "isa", .optional = true },
	{ .name = "esr_ec", .optional = true }, { .name = "vcpu_id", .optional = true }, { .name = NULL }
};
static struct kvm_key exit_key(const struct kvm *k, const struct tracing_sample *ts)
{
	u32 reason = (u32)ts->value[EXIT_REASON];
	enum kvm_isa isa = k->isa;

	if (ts->present >> EXIT_CLASS & 1 && reason == ARM_EXCEPTION_TRAP)
		return (struct kvm_key){ (u32)ts->value[EXIT_CLASS], KVM_ARM };
	if (ts->present >> EXIT_CLASS & 1)
		return (struct kvm_key){ KVM_ARM_RETURN + (u64)reason, KVM_ARM };
	if (ts->present >> EXIT_ISA & 1)
		isa = ts->value[EXIT_ISA] == 2 ? KVM_SVM : KVM_VMX;
	return (struct kvm_key){ isa == KVM_VMX ? reason & (0xffff | KVM_VMX_FAILED) : reason, isa };
}

static void handle_exit(void *ctx, const struct tracing_sample *ts)
{
	struct kvm *k = ctx;
	struct kvm_thread *t = vcpu_of(k, ts, EXIT_VCPU);

	begin(k, t, KVM_EXITED, ts);
	t->key = exit_key(k, ts);
	t->seen = true;
}

static void begin_access(struct kvm *k, const struct tracing_sample *ts, u64 value, bool writes)
{
	struct kvm_thread *t = thread_of(k, ts->sample->tid);

	begin(k, t, KVM_ACCESSED, ts);
	t->key = (struct kvm_key){ value, writes };
}

enum { MMIO_TYPE, MMIO_ADDRESS };
static const struct tracing_field mmio_fields[] = { { .name = "type" }, { .name = "gpa" }, { .name = NULL } };
static void handle_mmio(void *ctx, const struct tracing_sample *ts)
{
	struct kvm *k = ctx;
	struct kvm_thread *t = thread_of(k, ts->sample->tid);
	const struct kvm_key read = { ts->value[MMIO_ADDRESS], 0 };

	if (ts->value[MMIO_TYPE] == MMIO_WRITE)
		return begin_access(k, ts, ts->value[MMIO_ADDRESS], true);
	if (ts->value[MMIO_TYPE] != MMIO_READ)
		return;
	if (t->state == KVM_EXITED)
		return add_time(k, t, &read, ts->sample->time);
	/* a write is over when the same exit reads something; that read has no time of its own */
	if (t->state == KVM_ACCESSED)
		add_time(k, t, &t->key, ts->sample->time);
	k->nr_no_begin += is_kept(k, t);
}

enum { PIO_WRITES, PIO_PORT };
static const struct tracing_field pio_fields[] = { { .name = "rw" }, { .name = "port" }, { .name = NULL } };
static void handle_pio(void *ctx, const struct tracing_sample *ts)
{
	begin_access(ctx, ts, ts->value[PIO_PORT], ts->value[PIO_WRITES]);
}

enum { MSR_WRITES, MSR_NUMBER };
static const struct tracing_field msr_fields[] = { { .name = "write" }, { .name = "ecx" }, { .name = NULL } };
static void handle_msr(void *ctx, const struct tracing_sample *ts)
{
	begin_access(ctx, ts, ts->value[MSR_NUMBER], ts->value[MSR_WRITES]);
}

#define NR_COMMON 2u
const struct tracing_row kvm_rows[KVM_NR_ROWS] = {
	{ "kvm:kvm_entry", entry_fields, handle_entry, false },
	{ "kvm:kvm_exit", exit_fields, handle_exit, false },
	{ "kvm:kvm_mmio", mmio_fields, handle_mmio, true },
	{ "kvm:kvm_pio", pio_fields, handle_pio, true },
	{ "kvm:kvm_msr", msr_fields, handle_msr, true },
};

u32 kvm_rows_of(enum kvm_event event, struct tracing_row *ret)
{
	memcpy(ret, kvm_rows, NR_COMMON * sizeof(*ret));
	if (event == KVM_VMEXIT)
		return NR_COMMON;
	ret[NR_COMMON] = kvm_rows[NR_COMMON + event - KVM_MMIO];
	return NR_COMMON + 1;
}

const char *kvm_needs(enum kvm_event event)
{
	return event == KVM_VMEXIT ? "kvm:kvm_exit" : kvm_rows[NR_COMMON + event - KVM_MMIO].event;
}

int kvm_event_parse(const char *word, enum kvm_event *ret, struct err *err)
{
	static const char *const words[] = { "vmexit", "mmio", "ioport", "msr" };

	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(word, words[i])) {
			*ret = i;
			return 0;
		}
	return err_set(err, -EINVAL, "'%s' is not vmexit, mmio, ioport or msr", word);
}

/* ---- the whole ---- */

static bool is_amd(const char *cpuid)
{
	return cpuid && (!strncmp(cpuid, "AuthenticAMD", 12) || !strncmp(cpuid, "HygonGenuine", 12));
}

void kvm_init(struct kvm *k, const struct session *s, const struct kvm_opts *opts)
{
	*k = (struct kvm){ .opts = opts, .session = s };
	k->isa = is_amd(s->data->feat.cpuid) ? KVM_SVM : KVM_VMX;
}

void kvm_begin_table(struct kvm *k)
{
	vec_release(&k->row);
	hidx_release(&k->row.idx);
	k->nr_no_begin = k->nr_no_end = 0;
}

void kvm_release(struct kvm *k)
{
	vec_release(&k->thread);
	vec_release(&k->row);
	hidx_release(&k->thread.idx);
	hidx_release(&k->row.idx);
}

int kvm_check(const struct kvm *k, struct err *err)
{
	if (k->opts->vcpu == KVM_ALL_VCPUS || k->knows_vcpus || !k->nr_entries)
		return 0;
	err_set(err, -ENODATA, "the events of this recording do not tell the number of the virtual CPU");
	err_hint(err, "without --vcpu all virtual CPUs are counted; -p keeps those of one machine");
	return -ENODATA;
}
