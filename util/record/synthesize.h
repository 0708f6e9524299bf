/*
 * Synthesize: the state of the system at the start, as the records that the kernel would have written: kernel
 * and module maps, existing processes with their threads, names, namespaces and maps, control groups. All of
 * it from /proc and /sys through base/fs. Appends whole records to a strbuf; owns nothing.
 */
#ifndef PERF_RECORD_SYNTHESIZE_H
#define PERF_RECORD_SYNTHESIZE_H

#include "../base/err.h"
#include "../base/pool.h"
#include "../base/strbuf.h"
#include "../base/strtab.h"
#include "../data/features.h"
#include "../event/event.h"
#include "../kernel/open.h"
#include "../kernel/target.h"
#include "../obj/guest-maps.h"

/* where the kernel's code is: it stays there until the next boot. Zeroed: not known yet */
struct synth_place {
	u64 start, end;
	const char *ref;	/* "_text" or "_stext" */
};

struct synth_opts {
	/* bytes of zeros after each record of a kernel type: the space for a sample_id */
	u32 trailer;
	bool build_ids;		/* MMAP2 with build-ids, as with --buildid-mmap */
	bool data_maps;		/* also maps that are not executable */
	bool namespaces;
	bool no_maps;		/* tasks and names only (--synth task) */
	u64 timeout_ns;		/* for the maps of one process; 0: none */
	const struct guest_maps *guest;	/* the kernel of a guest; NULL: none is told of */
	/* those that were told already, by name and address, and are not told again; or NULL */
	struct strtab *modules;
	/* found once: /proc/kallsyms has more than 100,000 lines; or NULL */
	struct synth_place *kernel;
	unsigned int jobs;	/* threads for many processes; 0: one per CPU, at most 8 */
};

/* what could not be read completely */
struct synth_notes {
	bool kernel_restricted;		/* no addresses in /proc/kallsyms (kptr_restrict) */
	u32 timed_out;			/* processes whose maps took too long */
};

/* bytes of sample_id in records of this attribute (0 without sample_id_all) */
u32 synth_trailer_size(const struct pe_attr *a);

/* warnings about what is missing, to the log */
void synth_notes_log(const struct synth_notes *notes);

void synth_kernel(struct strbuf *out, const struct synth_opts *o, struct synth_notes *notes);
/* what o->guest has */
void synth_guest(struct strbuf *out, const struct synth_opts *o);
/* modules that are not in o->modules yet; synth_kernel() has put those into it that were loaded then */
void synth_new_modules(struct strbuf *out, const struct synth_opts *o);
/*
 * the BPF programs that are loaded, as records with their names; kernel/bpf-programs.h has all
 * facts about them
 */
void synth_bpf_programs(struct strbuf *out, const struct synth_opts *o);
/* all existing processes, in parallel */
void synth_all_tasks(struct strbuf *out, const struct synth_opts *o, struct synth_notes *notes);
/* one process; only_tid -1: all its threads, else only that one */
void synth_process(struct strbuf *out, s32 pid, s32 only_tid, const struct synth_opts *o,
		   struct synth_notes *notes);
/* the processes of a target, or all that exist */
void synth_target(struct strbuf *out, const struct target *t, const struct synth_opts *o,
		  struct synth_notes *notes);
/* all descendants of these processes that still have them as ancestors; not these themselves */
void synth_descendants(struct strbuf *out, const s32 *pid, u32 nr, const struct synth_opts *o,
		       struct synth_notes *notes);
/* --all-cgroups: every control group of the perf_event or unified hierarchy */
void synth_cgroups(struct strbuf *out, const struct synth_opts *o);

/* records of user-space types (no trailer) */
/* the name of a thread since before the recording; trailer: synth_trailer_size() */
void synth_comm(struct strbuf *out, s32 pid, s32 tid, const char *comm, u32 trailer);
void synth_id_index(struct strbuf *out, const struct open_fds *f);
void synth_thread_map(struct strbuf *out, const s32 *tid, u32 nr);
void synth_cpu_map(struct strbuf *out, const int *cpu, u32 nr);
/* EVENT_UPDATE: a value, padded to 8 bytes; none if it does not fit into a record */
void synth_update(struct strbuf *out, u64 what, u64 id, const void *data, size_t len);
/* EVENT_UPDATE: unit, scale, CPUs and name of each event */
void synth_event_updates(struct strbuf *out, const struct evset *set);
/* LOST_SAMPLES of one descriptor of an event, with its id; misc: 0 or MISC_LOST_BY_BPF; time: 0 if unknown */
void synth_lost_samples(struct strbuf *out, const struct event *ev, u64 id, s32 tid, int cpu, u16 misc,
			u64 time, u64 lost);
/* FINISHED_ROUND, FINISHED_INIT and such: a header alone */
void synth_marker(struct strbuf *out, u32 type);

#endif
