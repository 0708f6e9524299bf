/*
 * Program: BPF code in the kernel, and where it is attached. It runs until its descriptors are closed, so
 * nothing is left however this process ends.
 */
#ifndef PERF_BPF_PROGRAM_H
#define PERF_BPF_PROGRAM_H

#include "code.h"

struct bpf_prog {
	int fd;		/* -1: none */
	int link_fd;	/* -1: not attached */
};
#define BPF_PROG_INIT { .fd = -1, .link_fd = -1 }

/* finishes the code and loads it. If the verifier refuses it, the end of its log is in err */
int bpf_prog_load(struct bpf_prog *p, enum bpf_prog_type type, const char *name, struct bpf_code *c,
		     struct err *err);
/* the same; the code is released in any case and can be written anew */
int bpf_prog_load_once(struct bpf_prog *p, enum bpf_prog_type type, const char *name, struct bpf_code *c,
		       struct err *err);
/*
 * a program of type RAW_TRACEPOINT at a tracepoint ("sys_enter"): its context is an array of u64, the
 * tracepoint's arguments as the kernel passes them. Does not need tracefs
 */
int bpf_prog_attach_raw(struct bpf_prog *p, const char *tracepoint, struct err *err);
/*
 * the same for one of type TRACING, which was loaded for this tracepoint: the verifier knows the types of its
 * arguments
 */
int bpf_prog_attach_typed(struct bpf_prog *p, const char *tracepoint, struct err *err);
/*
 * a program of type TRACEPOINT at SYSTEM:NAME: its context is the payload, as the format file describes it.
 * Other users of the tracepoint are not affected
 */
int bpf_prog_attach_tracepoint(struct bpf_prog *p, const char *system, const char *name, struct err *err);
/*
 * a program of type KPROBE at the instruction at this offset of a file, in all processes that run it, or with
 * at_return where the function that begins there returns: its context are the registers
 */
int bpf_prog_attach_uprobe(struct bpf_prog *p, const char *path, u64 offset, bool at_return, struct err *err);
void bpf_prog_detach(struct bpf_prog *p);
/*
 * the same for a program at a tracepoint that may run a little longer: the kernel detaches it while this
 * process goes on, or has ended, because that takes some 80 ms
 */
void bpf_prog_detach_later(struct bpf_prog *p);
void bpf_prog_release(struct bpf_prog *p);

#endif
