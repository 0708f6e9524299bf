/*
 * Kvm: what virtual CPUs leave their guests for, and how long each time: exits by reason, accesses of devices
 * by address, of I/O ports, of model-specific registers. Filled by tracing_run(), then turned into a view.
 * Nothing here prints.
 */
#ifndef PERF_KVM_KVM_H
#define PERF_KVM_KVM_H

#include "../tracing/tracing.h"
#include "../view/rows.h"

enum kvm_event { KVM_VMEXIT, KVM_MMIO, KVM_IOPORT, KVM_MSR, KVM_NR_EVENTS };
enum kvm_isa { KVM_VMX, KVM_SVM, KVM_ARM };

#define KVM_ALL_VCPUS UINT32_MAX
struct kvm_opts {
	enum kvm_event event;
	u32 vcpu;			/* keep only this one, or KVM_ALL_VCPUS */
	const char *pids;		/* as typed, or NULL: said above the table */
	struct view_sort sort;
	bool live;			/* what has not ended yet is not lost: it will be shown later */
};

/* what is told apart: an exit reason, or an address and how it is accessed */
struct kvm_key {
	u64 value;
	u32 kind;			/* enum kvm_isa of an exit; of an access: 1 writes */
};

/* times of one key added up, in nanoseconds */
struct kvm_row {
	struct kvm_key key;
	u64 nr, total, min, max;
	double mean, squares;		/* of the times: their mean, the sum of squared distances from it */
	double samples_share, time_share, error;	/* for the view: percent */
	const char *name, *mean_text;
};

/* a thread that runs a virtual CPU */
struct kvm_thread {
	s32 tid;
	u32 vcpu;			/* KVM_ALL_VCPUS: not known yet */
	bool seen;			/* an entry or exit of it was seen */
	enum { KVM_IDLE, KVM_EXITED, KVM_ACCESSED } state;
	struct kvm_key key;
	u64 begin;
};

struct kvm {
	const struct kvm_opts *opts;
	const struct session *session;
	enum kvm_isa isa;		/* where exits do not tell */
	struct { VEC(struct kvm_thread); struct hidx idx; } thread;
	struct { VEC(struct kvm_row); struct hidx idx; } row;
	u64 nr_entries, nr_no_begin, nr_no_end;
	bool knows_vcpus;
};

#define KVM_NR_ROWS 5u
#define KVM_REPORT_ROWS 3u
/* what is recorded: all events that the kernel has */
extern const struct tracing_row kvm_rows[KVM_NR_ROWS];
/* the rows that the table of an event needs, at most KVM_REPORT_ROWS; their number */
u32 kvm_rows_of(enum kvm_event event, struct tracing_row *ret);
/* the event without which there is no such table */
const char *kvm_needs(enum kvm_event event);
/* "mmio"; -EINVAL with err */
int kvm_event_parse(const char *word, enum kvm_event *ret, struct err *err);
/* keys of -k; -EINVAL with err */
int kvm_sort_parse(struct view_sort *sort, const char *keys, struct err *err);

/* opts must live as long */
void kvm_init(struct kvm *k, const struct session *s, const struct kvm_opts *opts);
void kvm_release(struct kvm *k);
/* forgets the sums, after a view of them was shown, and keeps what virtual CPUs do now */
void kvm_begin_table(struct kvm *k);
/* after tracing_run(): 0, or -ENODATA with err if --vcpu was given and the recording does not have them */
int kvm_check(const struct kvm *k, struct err *err);
/* after tracing_run(), once. form: one of VIEW_FORM_* */
struct view *kvm_view(struct kvm *k, u32 form);

/* flag in the code of a VMX exit: the entry itself failed. Other flags in its upper half are left out */
#define KVM_VMX_FAILED 0x80000000u
/* of ARM: what a kvm_exit returned, where it was no trap; else its code is the class of the trap */
#define KVM_ARM_RETURN 0x100u
/* the name of an exit, which belongs to the program; NULL: not known */
const char *kvm_exit_name(const struct kvm_key *key);

#endif
